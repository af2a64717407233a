"""Find places in a trace: the next divergence, the next instruction of a warp, the next source line.

Steps are numbered from 1 (the first event); step 0 is the state before it. All functions answer with a step number,
or None where there is nothing further.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from warpview.isa.ops import ATOMIC_OPS, Op
from warpview.isa.program import Program
from warpview.isa.types import GLOBAL_SPACES
from warpview.sim.history.events import Events, Mark

WRITES = ATOMIC_OPS | {Op.ST}
SPACING = 256  # steps between places from which the next event of every warp slot is known


class Navigator:
    """Build indices over the events of a trace when they are first asked for."""

    def __init__(self, events: Events, program: Program) -> None:
        self._events = events
        self._line_of_pc = np.array([i.span.line for i in program.instructions], dtype=np.int32)
        self._instructions = program.instructions
        self._marked: dict[Mark, NDArray[np.int64]] = {}
        self._of_block: tuple[int, NDArray[np.int64]] | None = None  # the block asked for last, and its steps
        self._line_starts: dict[tuple[int, int], NDArray[np.int64]] = {}

    @cached_property
    def _by_warp(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Return the number of each warp that issued something, block * width + warp, ascending: int64[warps]; all
        steps, sorted by warp; and where those of each warp begin, with the end: int64[warps + 1]. Objects of thousands
        of warps would bring about a full garbage collection."""
        key = self._events.block.astype(np.int64) * self._width + self._events.warp
        order = np.argsort(key, kind="stable")
        numbers, starts = np.unique(key[order], return_index=True)
        return numbers, order + 1, np.append(starts, len(order))

    @cached_property
    def _width(self) -> int:
        """Return how many warps of a block have issued something, or more."""
        return int(self._events.warp.max(initial=0)) + 1

    @cached_property
    def _slot_steps(self) -> dict[int, NDArray[np.int64]]:
        """Return the steps of each warp slot, ascending."""
        slots = self._events.slot
        return {slot: np.flatnonzero(slots == slot) + 1 for slot in np.flatnonzero(np.bincount(slots)).tolist()}

    def prepare(self) -> None:
        """Build the indices now, so that nobody waits for them later."""
        self._by_warp, self._slot_steps, self._next_row_table, self.global_writes  # noqa: B018
        for mark in Mark:
            self.steps_of_mark(mark)

    def slots(self) -> list[int]:
        """Return every warp slot that issued something."""
        return list(self._slot_steps)

    def warps(self) -> list[tuple[int, int]]:
        """Return every (block, warp) that issued something, by block and warp."""
        return [divmod(number, self._width) for number in self._by_warp[0].tolist()]

    def steps_of_mark(self, marks: Mark) -> NDArray[np.int64]:
        """Return the steps that have any of the marks, ascending."""
        steps = self._marked.get(marks)
        if steps is None:
            steps = np.flatnonzero(self._events.marks & int(marks)) + 1
            self._marked[marks] = steps
        return steps

    @cached_property
    def global_writes(self) -> NDArray[np.int64]:
        """Return the steps that may have written global memory, ascending."""
        writes = np.array([i.op in WRITES and i.space in GLOBAL_SPACES for i in self._instructions], dtype=np.bool_)
        return np.flatnonzero(writes[self._events.pc]) + 1

    @property
    def nbytes(self) -> int:
        """Return the bytes of the indices that are built beforehand."""
        by = [*self._by_warp, *self._slot_steps.values(), *self._marked.values()]
        return sum(int(array.nbytes) for array in (*by, self._next_row_table, self.global_writes))

    def steps_of_warp(self, block: int, warp: int) -> NDArray[np.int64]:
        """Return the steps at which the warp issued, ascending; empty for a warp that is not in the trace."""
        numbers, steps, starts = self._by_warp
        number = block * self._width + warp
        k = int(numbers.searchsorted(number))
        exists = warp < self._width and k < len(numbers) and numbers[k] == number
        return steps[starts[k] : starts[k + 1]] if exists else _NOTHING

    def steps_of_slot(self, slot: int) -> NDArray[np.int64]:
        """Return the steps at which the warp slot issued, ascending."""
        return self._slot_steps.get(slot, _NOTHING)

    @cached_property
    def _next_row_table(self) -> NDArray[np.int64]:
        """Return for every SPACING-th step the row of the event with which each warp slot issues next: int64[slots,
        k]."""
        total = len(self._events)
        places = np.arange(0, total + SPACING, SPACING)
        ahead = np.full((max(self._slot_steps, default=-1) + 1, len(places)), total, dtype=np.int64)
        for slot, steps in self._slot_steps.items():
            rows = np.append(steps - 1, total)
            ahead[slot] = rows[steps.searchsorted(places, "right")]
        return ahead

    def next_rows(self, step: int) -> NDArray[np.int64]:
        """Return the row of the event with which each warp slot issues first after ``step``, by slot; the number of
        events where it never does: int64[slots]."""
        k = -(-step // SPACING)
        rows: NDArray[np.int64] = self._next_row_table[:, k].copy()
        between = self._events.slot[step : k * SPACING]
        # From the last to the first: of several events of a slot the first one stays.
        rows[between[::-1]] = np.arange(step + len(between) - 1, step - 1, -1)
        return rows

    def next_rows_of(self, steps: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return ``next_rows`` of several steps, ascending: int64[slots, steps]. Looks at SPACING events a step at
        most."""
        k = -(-steps // SPACING)
        rows: NDArray[np.int64] = self._next_row_table[:, k]
        lengths = np.maximum(np.minimum(k * SPACING, np.append(steps[1:], len(self._events))) - steps, 0)
        ends = np.cumsum(lengths)
        between = np.arange(lengths.sum()) + np.repeat(steps - (ends - lengths), lengths)
        # From the last to the first: of several events of a slot the first one stays.
        rows[self._events.slot[between[::-1]], np.repeat(np.arange(len(steps)), lengths)[::-1]] = between[::-1]
        # What comes next after a later step comes after this one, too.
        np.minimum.accumulate(rows[:, ::-1], axis=1, out=rows[:, ::-1])
        return rows

    def steps_of_block(self, block: int) -> NDArray[np.int64]:
        """Return the steps at which any warp of the block issued, ascending."""
        found = self._of_block  # another thread may ask meanwhile
        if found is None or found[0] != block:
            found = self._of_block = block, np.flatnonzero(self._events.block == block) + 1
        return found[1]

    def find(self, step: int, marks: Mark, forward: bool = True, key: tuple[int, int] | None = None) -> int | None:
        """Return the nearest step after (before) ``step`` that has any of the marks; of warp ``key`` = (block,
        warp)."""
        if key is None:
            steps = self.steps_of_mark(marks)
        else:
            steps = self.steps_of_warp(*key)
            steps = steps[self._events.marks[steps - 1] & int(marks) != 0]
        return first_after(steps, step) if forward else last_before(steps, step)

    def next_of_warp(self, step: int, block: int, warp: int) -> int | None:
        """Return the step of the warp's first instruction after ``step``."""
        return first_after(self.steps_of_warp(block, warp), step)

    def previous_of_warp(self, step: int, block: int, warp: int) -> int | None:
        """Return the step of the warp's last instruction before ``step``."""
        return last_before(self.steps_of_warp(block, warp), step)

    def steps_of_lane(self, block: int, warp: int, lane: int) -> NDArray[np.int64]:
        """Return the steps at which the lane was active, ascending: a thread followed."""
        steps = self.steps_of_warp(block, warp)
        active: NDArray[np.bool_] = self._events.on[steps - 1] >> np.uint32(lane) & 1 != 0
        return steps[active]

    def next_line(self, step: int, block: int, warp: int) -> int | None:
        """Return the step at which the warp next comes to another source line, or again to the same one."""
        return first_after(self._line_starts_of(block, warp), step)

    def previous_line(self, step: int, block: int, warp: int) -> int | None:
        """Return the last step before ``step`` at which the warp came to a source line."""
        return last_before(self._line_starts_of(block, warp), step)

    def _line_starts_of(self, block: int, warp: int) -> NDArray[np.int64]:
        """Return the steps at which the warp came to a source line: another line than before, or back to where it
        was."""
        starts = self._line_starts.get((block, warp))
        if starts is None:
            steps = self.steps_of_warp(block, warp)
            pc = self._events.pc[steps - 1]
            line = self._line_of_pc[pc]
            fresh = np.ones(len(steps), dtype=np.bool_)
            fresh[1:] = (line[1:] != line[:-1]) | (pc[1:] <= pc[:-1])
            starts = steps[fresh]
            self._line_starts[block, warp] = starts
        return starts


_NOTHING: NDArray[np.int64] = np.empty(0, dtype=np.int64)


def first_after(steps: NDArray[np.int64], step: int) -> int | None:
    """Return the first of the ascending ``steps`` beyond ``step``."""
    k = int(np.searchsorted(steps, step, side="right"))
    return int(steps[k]) if k < len(steps) else None


def last_before(steps: NDArray[np.int64], step: int) -> int | None:
    """Return the last of the ascending ``steps`` below ``step``."""
    k = int(np.searchsorted(steps, step, side="left"))
    return int(steps[k - 1]) if k else None
