"""Model the history of a warp's active lanes as a band: instructions across, lanes down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpview.cached_by_identity import cached_by_identity
from warpview.isa.ops import Op
from warpview.isa.program import Program
from warpview.ui.views.context import FrameContext, History

IDLE, OFF, ACTIVE = range(3)
TOKENS = ("raised", "glow", "active")
CHUNK = 1 << 14  # events: a band is made anew when the present step leaves the middle one of three chunks


@dataclass(frozen=True)
class Band:
    """Hold a stretch of a warp's events. ``lanes`` uint8[32, n] of the states above; ``first`` is the number of the
    first event of the stretch among those of the warp, ``whole`` the number of all of them."""

    steps: NDArray[np.int64]
    active: NDArray[np.int64]  # lanes that carried the instruction out
    lanes: NDArray[np.uint8]
    first: int
    whole: int

    def column(self, step: int) -> int:
        """Return the number of the warp's last event up to a step; -1 where the warp has not issued yet."""
        return self.first + int(np.searchsorted(self.steps, step, side="right")) - 1

    def says(self, column: float, hidden: bool) -> str:
        """Return the hover text of an event, by its number; '' where there is none."""
        at = int(column) - self.first
        if not 0 <= at < len(self.steps):
            return ""
        step = f"step {self.steps[at]}"
        return step if hidden else f"{step}: {self.active[at]} of 32 lanes"

    def step_at(self, column: float) -> int | None:
        """Return the step of an event, by its number; None where there is none."""
        at = int(column) - self.first
        return int(self.steps[at]) if 0 <= at < len(self.steps) else None


def steps_of_warp(trace: History, block: int, warp: int) -> NDArray[np.int64]:
    """Return the steps at which a warp issued, ascending."""
    return trace.navigator.steps_of_warp(block, warp)


@cached_by_identity
def _branches(program: Program) -> NDArray[np.bool_]:
    return np.array([i.op == Op.BRA for i in program.instructions], np.bool_)


def _bits(words: NDArray[Any]) -> NDArray[np.uint8]:
    """Return uint8[32, n]: bit k of each word in row k."""
    return np.unpackbits(words.astype("<u4").view(np.uint8).reshape(-1, 4), axis=1, bitorder="little").T


def chunk_of(context: FrameContext) -> int:
    """Return the number of the chunk that the present step lies in, of the events of the selected warp."""
    steps = steps_of_warp(context.trace, context.selection.block, context.selection.warp)
    return int(np.searchsorted(steps, context.frame.step, side="right")) // CHUNK


def band(context: FrameContext) -> Band:
    """Return the events of the selected warp: all of them, of many those of the chunks around the present step."""
    steps = steps_of_warp(context.trace, context.selection.block, context.selection.warp)
    first = max(0, chunk_of(context) - 1) * CHUNK
    stretch = steps[first : first + 3 * CHUNK]
    arrays, rows = context.trace.arrays, stretch - 1
    mask = np.asarray(arrays.mask)[rows]
    # The guard of a branch says who jumps, not who takes part.
    on = np.where(_branches(context.program)[np.asarray(arrays.pc)[rows]], mask, np.asarray(arrays.on)[rows])
    working = _bits(mask & on)
    lanes = np.ascontiguousarray(_bits(mask) + working)  # on the path, and working
    return Band(stretch, working.sum(axis=0, dtype=np.int64), lanes, first, len(steps))


def columns_in_sight(width: float, unit: float, whole: int) -> int:
    """Return how many events are shown at a time in so many pixels: all of few, else as many as can be told apart."""
    pitch = max(3.0, 0.3 * unit, min(0.9 * unit, width / max(1, whole)))
    return max(8, int(width / pitch))


def window(now: int, whole: int, columns: int, before: tuple[float, float]) -> tuple[float, float]:
    """Return the events in sight, from ``before`` on: the same, unless the present one is not well within them."""
    first, last = before
    inside = first + 0.1 * columns <= now <= first + 0.9 * columns
    if last - first == columns and (inside or (first == 0 and now < columns / 2)):
        return before
    first = float(max(0, min(whole - columns, now - columns // 3)))
    return first, first + columns
