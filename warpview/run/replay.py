"""Replay a racing launch in an order in which it ends with another result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from warpview.argument_checks import whole_number
from warpview.diagnostics import Span, WarpviewError
from warpview.library.comparison import differing
from warpview.run.rerun import MOST_BYTES, Rerun
from warpview.sim.checks.finding_text import FindingText
from warpview.sim.launch import Dim3
from warpview.sim.memory import DeviceMemory

if TYPE_CHECKING:
    from warpview.run.result import Run
    from warpview.sim.checks.schedules import Parting
    from warpview.trace import Trace

SEEDS = 16
LANES = 32


@dataclass(frozen=True)
class FirstDifference:
    """Describe the read at which two orders of execution part.

    Attributes
    ----------
    element : str
        The element that is read.
    block, thread : (x, y, z)
        The thread that reads it.
    pc : int
        Index of the instruction.
    span : Span
        Place in the source.
    value, usual : int or float
        What is read in the order of the replay, and in the usual order.
    step : int or None
        The step of the run's trace that reads it in the usual order, where it is recorded.
    """

    element: str
    block: Dim3
    thread: Dim3
    pc: int
    span: Span
    value: int | float
    usual: int | float
    step: int | None = None


@dataclass(frozen=True)
class Replay:
    """Hold a launch in an order of execution that gives another result.

    Attributes
    ----------
    order : str
        The order in words.
    element : str
        The first element that differs, such as "out[3]".
    value, usual : int or float
        What it holds after this execution, and after the usual one.
    expected : int, float or None
        What it should hold, where that is known.
    n_elements : int
        Number of elements of its array that differ.
    parting : FirstDifference or None
        The read at which the executions part; None where they only write in another order.
    buffers : mapping of str to ndarray
        The arrays after this execution, by parameter name.
    """

    order: str
    element: str
    value: int | float
    usual: int | float
    expected: int | float | None
    n_elements: int
    parting: FirstDifference | None
    buffers: Mapping[str, NDArray[np.generic]]

    def __str__(self) -> str:
        count = "1 element differs" if self.n_elements == 1 else f"{self.n_elements} elements differ"
        text = f"executed {self.order}, '{self.element}' is {self.value}, in the usual order {self.usual} ({count})"
        if self.expected is not None:
            text += f", and should be {self.expected}"
        if self.parting is None:
            return text
        at, step = self.parting, "" if self.parting.step is None else f", at step {self.parting.step}"
        return (
            f"{text}; the executions first differ where thread {at.thread} of block {at.block} reads '{at.element}' "
            f"in line {at.span.line}{step}: {at.value}, in the usual order {at.usual}"
        )


def replay(run: Run, seeds: int = SEEDS) -> Replay | None:
    """Return an execution of a run's launch with another result; see ``Run.replay``."""
    from warpview.sim.checks.schedules import other_result
    from warpview.sim.engine import run_profile

    rerun = run.rerun
    if rerun is None:
        most = MOST_BYTES >> 20
        raise WarpviewError(
            f"a launch with more than {most} MiB of buffers, or whose memory was not kept, is not replayed"
        )
    memory, seeds = rerun.memory.copy(), whole_number(seeds, "seeds", 0)
    for program, launch in rerun.launches[:-1]:
        run_profile(program, rerun.device, launch, memory, rerun.options)
    program, launch = rerun.launches[-1]
    found = other_result(
        program, rerun.device, launch, memory, rerun.options, range(1, seeds + 1),
        lambda a, b: _first_difference(rerun, a, b) is not None,
    )  # fmt: skip
    if found is None:
        return None
    difference = _first_difference(rerun, found.memory, found.usual)
    assert difference is not None
    name, at, count = difference
    bound = rerun.buffers[name]
    value, usual = (bound.read(each).reshape(-1)[at].item() for each in (found.memory, found.usual))
    parting = None if found.parting is None else _parting(run, rerun, found.usual, found.parting)
    arrays = {key: place.read(found.memory) for key, place in rerun.buffers.items()}
    wanted = rerun.expected.get(name)
    expected = wanted[at].item() if wanted is not None and at < len(wanted) else None
    return Replay(found.words, f"{name}[{at}]", value, usual, expected, count, parting, MappingProxyType(arrays))


def _first_difference(rerun: Rerun, a: DeviceMemory, b: DeviceMemory) -> tuple[str, int, int] | None:
    """Return the first array that differs by more than rounding errors, its first such element and their number."""
    for name, bound in rerun.buffers.items():
        wrong = differing(bound.read(a).reshape(-1), bound.read(b).reshape(-1), None)
        if wrong.any():
            return name, int(np.argmax(wrong)), int(wrong.sum())
    return None


def _parting(run: Run, rerun: Rerun, memory: DeviceMemory, parting: Parting) -> FirstDifference:
    program, launch = rerun.launches[-1]
    text, read = FindingText(program, launch, memory), parting.read
    value, usual = (text.value(read.pc, read.space, read.address, bits) for bits in (read.value, parting.value))
    return FirstDifference(
        text.place(read.space, read.address, read.pc), text.block(read.block), text.thread(read.thread), read.pc,
        program.instructions[read.pc].span, value, usual,
        _step(run.trace, read.block, read.thread // LANES, read.issue - 1) if run.trace is not None else None,
    )  # fmt: skip


def _step(trace: Trace, block: int, warp: int, issue: int) -> int | None:
    """Return the step of a warp's instruction number ``issue``; None where it is not recorded."""
    steps = trace.steps_of_warp(block, warp)
    return int(steps[issue]) if 0 <= issue < len(steps) else None
