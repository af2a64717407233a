"""Log every access of a recorded run, and tell the history of each element of an array."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warpview.isa.types import Space
from warpview.sim.history.events import Events
from warpview.trace.bits import popcount

BYTES_PER_ACCESS = 29  # in the history of an element
WIDEST = 16  # bytes of one lane's access
LANES = np.arange(32, dtype=np.uint32)


@dataclass(frozen=True)
class Extent:
    """Describe a stretch of memory by elements: ``count`` of ``size`` bytes from ``base``, of one ``block`` in shared
    memory."""

    space: Space
    base: int
    size: int
    count: int
    block: int = -1

    @property
    def end(self) -> int:
        return self.base + self.size * self.count


@dataclass(frozen=True)
class AccessLog:
    """Hold the accesses of a run, one entry each in the order of issue, and ``words``, the addresses of their lanes
    one after another: those of entry k are ``words[start[k]:start[k + 1]]``, by lane."""

    events: Events
    row: NDArray[np.int64]  # index of the event
    lanes: NDArray[np.uint32]  # those served
    space: NDArray[np.uint8]
    width: NDArray[np.uint8]  # bytes a lane
    start: NDArray[np.int64]
    words: NDArray[np.uint32]

    @classmethod
    def of(cls, events: Events, rows: NDArray[np.uint32], words: NDArray[np.uint32]) -> AccessLog:
        """Make a log of what ``StateReplay.accesses`` wrote down."""
        lanes = rows[:, 1].copy()
        start = np.concatenate([[0], np.cumsum(popcount(lanes), dtype=np.int64)])
        space, width = (rows[:, 2] & 255).astype(np.uint8), (rows[:, 2] >> 8).astype(np.uint8)
        return cls(events, rows[:, 0].astype(np.int64), lanes, space, width, start, words[: start[-1]].copy())

    @property
    def nbytes(self) -> int:
        held = (self.row, self.lanes, self.space, self.width, self.start, self.words)
        return sum(int(array.nbytes) for array in held)

    def steps_accessing(self, space: Space, low: int, high: int, block: int = -1) -> NDArray[np.int64]:
        """Return the steps whose access covers bytes ``low`` to ``high - 1`` of a space (of one block), ascending."""
        near = np.flatnonzero((self.words < high) & (self.words > max(0, low - WIDEST)) | (self.words == low))
        entry = np.searchsorted(self.start, near, side="right") - 1
        held = (self.space[entry] == space) & (self.words[near].astype(np.int64) + self.width[entry] > low)
        if block >= 0:
            held &= self.events.block[self.row[entry]] == block
        return np.asarray(np.unique(self.row[entry[held]]) + 1, dtype=np.int64)

    def cost(self, extent: Extent) -> int:
        """Return the bytes that the history of a stretch of memory takes at most."""
        near = np.flatnonzero((self.words >= extent.base) & (self.words < extent.end))
        entry = np.searchsorted(self.start, near, side="right") - 1
        held = self._in(extent)[entry]
        each = np.maximum(1, self.width[entry[held]].astype(np.int64) // extent.size)
        return int(each.sum()) * BYTES_PER_ACCESS + 4 * extent.count

    def history(self, extent: Extent) -> ElementHistory:
        """Return every access to every element of a stretch of memory."""
        entries = np.flatnonzero(self._in(extent))
        counts = (self.start[1:] - self.start[:-1])[entries]
        entry = np.repeat(entries, counts)
        words = self.words[_runs(self.start[entries], counts)].astype(np.int64)
        held = (words >= extent.base) & (words < extent.end)
        lane = np.nonzero(self.lanes[entries, None] >> LANES & 1)[1].astype(np.uint8)[held]
        entry, first = entry[held], (words[held] - extent.base) // extent.size
        # A vector access counts once for each of its elements.
        each = np.maximum(1, self.width[entry].astype(np.int64) // extent.size)
        if len(each) and each.max() > 1:
            first = np.repeat(first, each) + _runs(np.zeros(len(each), np.int64), each)
            entry, lane = np.repeat(entry, each), np.repeat(lane, each)
            inside = first < extent.count
            entry, lane, first = entry[inside], lane[inside], first[inside]
        return ElementHistory(extent, self.events, self.row[entry].astype(np.int32), lane, first.astype(np.int32))

    def _in(self, extent: Extent) -> NDArray[np.bool_]:
        """Return which entries are of the space, and the block, of a stretch of memory."""
        found = self.space == extent.space
        if extent.block >= 0:
            found &= self.events.block[self.row] == extent.block
        return np.asarray(found, np.bool_)


def _runs(starts: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return start, start + 1, ... for each of ``counts``, one after another."""
    within = np.arange(int(counts.sum()), dtype=np.int64) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.asarray(np.repeat(starts, counts) + within)


def ordinals(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each entry how many before it have the same key."""
    order = np.argsort(keys, kind="stable")
    places, new = np.arange(len(keys)), np.ones(len(keys), np.bool_)
    new[1:] = keys[order[1:]] != keys[order[:-1]]
    found = np.empty(len(keys), np.int64)
    found[order] = places - np.maximum.accumulate(np.where(new, places, 0))
    return found


class ElementHistory:
    """List the accesses to the elements of an ``extent``, in the order of issue: ``row`` (index of the event),
    ``lane`` and ``element``, int32[n], uint8[n], int32[n]."""

    def __init__(
        self, extent: Extent, events: Events, row: NDArray[np.int32], lane: NDArray[np.uint8],
        element: NDArray[np.int32],
    ) -> None:  # fmt: skip
        self.extent, self.events = extent, events
        self.row, self.lane, self.element = row, lane, element
        order = np.argsort(element, kind="stable")
        same = np.zeros(len(order), np.bool_)
        same[1:] = element[order[1:]] == element[order[:-1]]
        # The access before to the same element, -1 where there is none, and how many there were.
        self._before = np.full(len(order), -1, np.int32)
        self._before[order[1:]] = np.where(same[1:], order[:-1], -1)
        heads = np.maximum.accumulate(np.where(same, 0, np.arange(len(order))))
        self.nth = np.empty(len(order), np.int32)
        self.nth[order] = np.arange(len(order)) - heads
        self._order, self._sorted, self._done = order, element[order], 0
        self._last = np.full(extent.count, -1, np.int32)

    def last(self, step: int) -> NDArray[np.int32]:
        """Return the last access to each element up to ``step`` as an index into ``row`` and ``lane``, -1 for none:
        int32[count]. The array is the same one each time; only what changes from call to call costs."""
        done = int(np.searchsorted(self.row, np.int32(step), side="left"))
        if done > self._done:
            self._last[self.element[self._done : done]] = np.arange(self._done, done, dtype=np.int32)
        else:
            undone = slice(done, self._done)
            self._last[self.element[undone][::-1]] = self._before[undone][::-1]
        self._done = done
        return self._last

    def accesses_to(self, element: int) -> NDArray[np.int64]:
        """Return all accesses to one element, ascending: indices into ``row`` and ``lane``."""
        low, high = np.searchsorted(self._sorted, [element, element + 1])
        return self._order[low:high]

    @property
    def nbytes(self) -> int:
        held = (self.row, self.lane, self.element, self._before, self.nth, self._order, self._sorted, self._last)
        return sum(int(array.nbytes) for array in held)
