"""What the history bar draws: for every pixel, which remarkable things happened in its steps."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpview.trace.frame import Mark
from warpview.ui.views.context import History

# Rows of the bar, top down, as far as the run has them.
ROWS = (Mark.FINDING, Mark.DIVERGENCE, Mark.CONFLICT, Mark.UNCOALESCED, Mark.COLLISION, Mark.BARRIER)


def rows(trace: History) -> list[Mark]:
    """The kinds of marks that occur at all."""
    seen = int(np.bitwise_or.reduce(np.asarray(trace.marks, np.int64))) if trace.steps else 0
    return [mark for mark in ROWS if seen & mark]


def columns(trace: History, width: int) -> NDArray[np.int64]:
    """The marks of the steps that fall on each of ``width`` pixels, or-ed: int64[width]."""
    marks: NDArray[Any] = np.asarray(trace.marks, np.int64)
    result = np.zeros(max(1, width), np.int64)
    if marks.size == 0:
        return result
    if marks.size <= width:
        at = np.array([x_of(step, trace.steps, width) for step in range(1, marks.size + 1)]).astype(np.int64)
        np.bitwise_or.at(result, np.clip(at, 0, width - 1), marks)
        return result
    starts = np.arange(width, dtype=np.int64) * marks.size // width
    return np.bitwise_or.reduceat(marks, starts)


def x_of(step: int, steps: int, width: float) -> float:
    """The middle of a step's pixel column; step 0 lies at the left edge."""
    return (step - 0.5) / steps * width if step and steps else 0.0


def step_at(x: float, steps: int, width: float) -> int:
    """The step under a place; the left edge is step 0, and beyond the ends lie the first and the last."""
    if steps == 0 or x < min(1.0, 0.4 * width / steps):
        return 0
    return min(steps, int(x / max(1.0, width) * steps) + 1)


def mark_near(trace: History, x: float, width: float, mark: Mark, reach: float = 5.0) -> int | None:
    """The step of ``mark`` nearest to ``x``, not further than ``reach`` pixels."""
    middle = step_at(x, trace.steps, width)
    best: int | None = None
    for step in (trace.find(middle + 1, mark, False), trace.find(middle, mark, True)):
        if step is None or abs(x_of(step, trace.steps, width) - x) > reach:
            continue
        if best is None or abs(step - middle) < abs(best - middle):
            best = step
    return best


def words(trace: History, step: int) -> str:
    """What the hover text says of a step."""
    if step == 0:
        return "Step 0: nothing has happened yet"
    event = trace.event(step)
    program = trace.program
    line = program.instructions[event.pc].span.line
    return f"Step {step}, cycle {event.cycle}: block {event.block}, warp {event.warp}, line {line}"
