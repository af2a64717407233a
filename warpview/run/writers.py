"""Tell which thread wrote an element of an array last."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, SupportsIndex

import numpy as np

from warpview.diagnostics import Span, WarpviewError
from warpview.isa.ops import Op
from warpview.isa.types import Space
from warpview.run.rerun import MOST_BYTES, Rerun
from warpview.sim.launch import Dim3, coordinates

if TYPE_CHECKING:
    from warpview.run.result import Run
    from warpview.trace import Trace

LANES = 32
Index = SupportsIndex | Sequence[SupportsIndex]


@dataclass(frozen=True)
class Writer:
    """Name the store or atomic that wrote an element of an array last.

    Attributes
    ----------
    element : str
        Name of the element, such as "out[5]".
    block, thread : (x, y, z)
        The thread that wrote it.
    pc : int
        Index of the instruction in its program.
    span : Span
        Place of the instruction in the source.
    launch : int
        Which launch of the series it was, from 0.
    step : int or None
        The step of the trace that did it; None without a trace, or where another multiprocessor did.
    """

    element: str
    block: Dim3
    thread: Dim3
    pc: int
    span: Span
    launch: int = 0
    step: int | None = None

    def __str__(self) -> str:
        step = "" if self.step is None else f", at step {self.step}"
        return f"thread {self.thread} of block {self.block} wrote '{self.element}' last, in line {self.span.line}{step}"


def who_wrote(run: Run, name: str, index: Index) -> Writer | None:
    """Return the last writer of an element of a run's array; see ``Run.who_wrote``."""
    from warpview.sim.checks.last_write import last_write

    rerun = run.rerun
    if rerun is None:
        raise WarpviewError(
            f"'{name}': a launch is executed again to find who wrote it, for which it must have buffers of at most "
            f"{MOST_BYTES >> 20} MiB, and its memory must have been kept"
        )
    flat, address, size = _place(rerun, name, index)
    memory, found = rerun.memory.copy(), None
    for number, (program, launch) in enumerate(rerun.launches):
        is_own = number == len(rerun.launches) - 1
        blocks = _order(launch.n_blocks, run.trace if is_own else None)
        record = last_write(program, rerun.device, launch, memory, rerun.options, blocks, address, size)
        if record is None:
            continue
        step, block, thread, pc = None, record.block, record.thread, record.pc
        if is_own and run.trace is not None:
            step = _step(run.trace, record.block, address, size)
            if step is not None:
                block, thread, pc = _party(run.trace, step, address, size)
        found = Writer(
            f"{name}[{flat}]", coordinates(block, launch.grid), coordinates(thread, launch.block), pc,
            program.instructions[pc].span, number, step,
        )  # fmt: skip
    return found


def _place(rerun: Rerun, name: str, index: Index) -> tuple[int, int, int]:
    """Return flat index, address and size of an element. Raises WarpviewError where there is no such element."""
    bound = rerun.buffers.get(name)
    if bound is None:
        known = ", ".join(rerun.buffers) or "none"
        raise WarpviewError(f"the launch has no array '{name}' (it has: {known})")
    count = math.prod(bound.shape)
    try:
        parts = [operator.index(part) for part in index] if isinstance(index, Sequence) else [operator.index(index)]
    except TypeError:
        raise WarpviewError(f"the index into '{name}' must be whole numbers, not {index!r}") from None
    fits = len(parts) == len(bound.shape) and all(0 <= i < n for i, n in zip(parts, bound.shape, strict=True))
    if fits and len(parts) > 1:
        flat = int(np.ravel_multi_index(parts, bound.shape))
    elif len(parts) == 1 and 0 <= parts[0] < count:
        flat = parts[0]
    else:
        shown = "".join(f"[{part}]" for part in parts)
        raise WarpviewError(f"'{name}{shown}' does not exist: the shape of '{name}' is {bound.shape}")
    return flat, bound.allocation.base + flat * bound.dtype.itemsize, bound.dtype.itemsize


def _order(n_blocks: int, trace: Trace | None) -> np.ndarray:
    """Return the blocks in the order in which a run executes them: those that were traced come first."""
    blocks = np.arange(n_blocks, dtype=np.int64)
    if trace is None:
        return blocks
    traced = np.unique(np.array([block for block, _, _ in trace.blocks], dtype=np.int64))
    return np.concatenate([traced, np.setdiff1d(blocks, traced)])


def _step(trace: Trace, block: int, address: int, size: int) -> int | None:
    """Return the last recorded step that wrote an element which a traced block wrote last, None if it is not
    recorded."""
    if trace.truncated or block not in {traced for traced, _, _ in trace.blocks}:
        return None
    steps = trace.steps_accessing(Space.GLOBAL, address, size)
    writing = [int(s) for s in steps if trace.program.instructions[trace.event(int(s)).pc].op != Op.LD]
    return writing[-1] if writing else None


def _party(trace: Trace, step: int, address: int, size: int) -> tuple[int, int, int]:
    """Return (block, thread, pc) of a step's last lane that accessed an element."""
    event, at = trace.event(step), trace.frame(step).addresses
    lane = 0
    if at is not None:
        lanes = np.arange(LANES)
        hit = (at.mask >> lanes & 1 == 1) & (at.address < address + size) & (at.address + at.width > address)
        lane = int(lanes[hit][-1]) if hit.any() else 0
    return event.block, event.warp * LANES + lane, event.pc
