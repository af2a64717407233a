"""What every view is given: one frame of one run, with the selection, all of it immutable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from warpview.isa.program import NONE, Program
from warpview.isa.types import Space
from warpview.profile.export import Row
from warpview.sim.launch import Launch
from warpview.trace.access_log import ElementHistory, Extent
from warpview.trace.frame import Event, Frame, Mark, WarpState
from warpview.ui.moving.elements import Element
from warpview.ui.moving.snapshot import Snapshot


class History(Protocol):
    """The recorded events of one multiprocessor; ``warpview.trace.Trace`` is one."""

    @property
    def program(self) -> Program: ...
    @property
    def steps(self) -> int: ...
    @property
    def cycles(self) -> int: ...
    @property
    def truncated(self) -> bool: ...
    @property
    def marks(self) -> NDArray[Any]: ...
    @property
    def arrays(self) -> Any: ...
    @property
    def stall_cycles(self) -> NDArray[np.int64]: ...
    @property
    def blocks(self) -> Sequence[tuple[int, int, int]]: ...
    @property
    def memory(self) -> Mapping[str, int]: ...
    @property
    def memory_bytes(self) -> int: ...

    def frame(self, step: int) -> Frame: ...
    def event(self, step: int) -> Event: ...
    def find(self, step: int, marks: Mark, forward: bool = True, key: tuple[int, int] | None = None) -> int | None: ...
    def next_of_warp(self, step: int, block: int, warp: int) -> int | None: ...
    def previous_of_warp(self, step: int, block: int, warp: int) -> int | None: ...
    def steps_of_mark(self, mark: Mark) -> NDArray[np.int64]: ...
    def steps_of_warp(self, block: int, warp: int) -> NDArray[np.int64]: ...
    def steps_of_block(self, block: int) -> NDArray[np.int64]: ...
    def steps_of_lane(self, block: int, warp: int, lane: int) -> NDArray[np.int64]: ...
    def next_line(self, step: int, block: int, warp: int) -> int | None: ...
    def previous_line(self, step: int, block: int, warp: int) -> int | None: ...


class Touches(Protocol):
    """Who touched what; ``moving.touch_index.TouchIndex`` is one. None where the answer is not there yet."""

    def history(self, extent: Extent) -> ElementHistory | None: ...
    def refuses(self, extent: Extent) -> bool: ...
    def steps(self, element: Element) -> NDArray[np.int64] | None: ...


class RunLike(Protocol):
    """A finished simulation with its recorded history; ``warpview.run.Run`` is one."""

    @property
    def program(self) -> Program: ...
    @property
    def device(self) -> Any: ...
    @property
    def launch(self) -> Launch: ...
    @property
    def trace(self) -> Any: ...
    @property
    def counters(self) -> Mapping[str, int | float | None]: ...
    @property
    def findings(self) -> Sequence[Any]: ...
    @property
    def output(self) -> Sequence[str]: ...
    @property
    def occupancy(self) -> Any: ...
    @property
    def time_us(self) -> float | None: ...
    @property
    def row(self) -> Row: ...
    @property
    def part(self) -> Any: ...  # warpview.run.Part, where this is one of several launches


@dataclass(frozen=True)
class FrameContext:
    """One frame of ``run`` as it is to be shown. ``predicting``: the answer is to be hidden for now."""

    run: RunLike
    frame: Frame
    selection: Snapshot
    predicting: bool = False
    touches: Touches | None = None

    @property
    def trace(self) -> History:
        trace: History = self.run.trace
        return trace

    @property
    def program(self) -> Program:
        return self.run.program

    @property
    def device(self) -> Any:
        return self.run.device

    @property
    def launch(self) -> Launch:
        return self.run.launch

    @cached_property
    def previous(self) -> Frame | None:
        """The frame one step before, to tell what this step changed; None at step 0. Found only when asked for."""
        return self.trace.frame(self.frame.step - 1) if self.frame.step > 0 else None

    @cached_property
    def warp(self) -> WarpState | None:
        """The selected warp, None when it is not resident now."""
        return next((w for w in self.frame.warps if (w.block, w.warp) == self.selection.key), None)

    @property
    def event_is_selected(self) -> bool:
        """Whether the instruction issued last was the selected warp's."""
        event = self.frame.event
        return event is not None and (event.block, event.warp) == self.selection.key


def concerns(context: FrameContext) -> set[str]:
    """Which of the pictures the last step has something to say in; empty if none in particular."""
    frame = context.frame
    found = set()
    if frame.addresses is not None:
        shared = frame.addresses.space in (Space.SHARED, Space.CONST)
        found.add("shared" if shared else "global")
    event = frame.event
    if event is not None and context.program.instructions[event.pc].target != NONE:
        found.add("divergence")
    return found
