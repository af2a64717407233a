"""Hold the input of every view: one frame of one run, with the selection, all of it immutable."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from warpview.devices import Device
from warpview.isa.ops import ATOMIC_OPS, BLOCK_BARRIERS, CLUSTER_BARRIERS, Op
from warpview.isa.program import NONE, Program
from warpview.isa.types import Space
from warpview.run.result import Run
from warpview.sim.launch import Launch
from warpview.trace.access_log import ElementHistory, Extent
from warpview.trace.frame import Frame, WarpState
from warpview.trace.trace import Trace
from warpview.ui.moving.elements import Element
from warpview.ui.moving.snapshot import Snapshot

History = Trace  # the recorded events of one multiprocessor


class AccessHistories(Protocol):
    """Look up who accessed an element (see ``moving.access_index.AccessIndex``); None: the answer is not there yet."""

    def history(self, extent: Extent) -> ElementHistory | None: ...
    def refuses(self, extent: Extent) -> bool: ...
    def steps(self, element: Element) -> NDArray[np.int64] | None: ...


class RunLike(Run):
    """Describe a finished simulation with its recorded history: a ``Run`` whose ``trace`` is not None."""

    trace: Trace


@dataclass(frozen=True)
class FrameContext:
    """Hold one frame of ``run`` as it is to be shown. With ``predicting``, the answer is to be hidden for now."""

    run: RunLike
    frame: Frame
    selection: Snapshot
    predicting: bool = False
    accesses: AccessHistories | None = None

    @property
    def trace(self) -> History:
        return self.run.trace

    @property
    def program(self) -> Program:
        return self.run.program

    @property
    def device(self) -> Device:
        return self.run.device

    @property
    def launch(self) -> Launch:
        return self.run.launch

    @cached_property
    def previous(self) -> Frame | None:
        """Return the frame one step before, found only when asked for; None at step 0."""
        return self.trace.frame(self.frame.step - 1) if self.frame.step > 0 else None

    @cached_property
    def warp(self) -> WarpState | None:
        """Return the selected warp, None when it is not resident now."""
        return next((w for w in self.frame.warps if (w.block, w.warp) == self.selection.key), None)

    @property
    def event_is_selected(self) -> bool:
        """Return whether the instruction issued last was the selected warp's."""
        event = self.frame.event
        return event is not None and (event.block, event.warp) == self.selection.key


STEP_VIEWS = ("shared", "global", "divergence", "barrier", "atomics", "values")  # those that show one step


def stage_view(context: FrameContext) -> str:
    """Return the key of the view that shows what the last step is about: one of STEP_VIEWS; before the first step
    "arrays"."""
    frame, event = context.frame, context.frame.event
    if event is None:
        return "arrays"
    instruction = context.program.instructions[event.pc]
    if instruction.op in ATOMIC_OPS:
        return "atomics"
    if frame.addresses is not None:
        return "shared" if frame.addresses.space in (Space.SHARED, Space.CONST) else "global"
    if instruction.op in BLOCK_BARRIERS | CLUSTER_BARRIERS:
        return "barrier"
    return "divergence" if instruction.target != NONE or instruction.op is Op.EXIT else "values"


def concerns(context: FrameContext) -> set[str]:
    """Return the keys of the views that have something to say about the last step; empty where none has."""
    found = {stage_view(context)} if context.frame.event is not None else set()
    addresses = context.frame.addresses
    if addresses is not None:
        found.add("shared" if addresses.space in (Space.SHARED, Space.CONST) else "global")
    return found - {"values"}
