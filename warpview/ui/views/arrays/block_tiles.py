"""Find the part of a two-dimensional array that a block accesses at a time, its tile, which moves on. Qt-free."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warpview.isa.ops import Op
from warpview.isa.program import Program
from warpview.trace.access_log import ElementHistory, ordinals


@dataclass(frozen=True)
class Region:
    """Describe rows ``top`` to ``bottom - 1`` and columns ``left`` to ``right - 1`` of an array."""

    top: int
    left: int
    bottom: int
    right: int

    @property
    def rows(self) -> int:
        return self.bottom - self.top

    @property
    def columns(self) -> int:
        return self.right - self.left

    def holds(self, other: Region) -> bool:
        """Return whether another region lies within this one and is smaller."""
        inside = self.top <= other.top and self.left <= other.left
        return self != other and inside and other.bottom <= self.bottom and other.right <= self.right


class BlockTiles:
    """Find the regions of an array with rows of ``columns`` elements that one block accesses, pass by pass.

    The n-th pass is the n-th execution of each memory instruction by each warp of the block: iteration n of the loop
    over tiles. Its region is the smallest that holds all elements accessed in it. ``stores`` restricts the accesses to
    stores.
    """

    def __init__(
        self, history: ElementHistory, program: Program, block: int, columns: int, stores: bool = False
    ) -> None:
        events = history.events
        held = events.block[history.row] == block
        if stores:
            writes = np.array([i.op is not Op.LD for i in program.instructions], np.bool_)
            held &= writes[events.pc[history.row]]
        row, element = history.row[held], history.element[held]
        self._rows, first = np.unique(row, return_inverse=True)
        key = events.pc[self._rows].astype(np.int64) * 64 + events.warp[self._rows]
        self._passes = ordinals(key)
        count = int(self._passes.max(initial=-1)) + 1
        places, of = np.divmod(element, columns), self._passes[first]
        self._regions = _bounds(places, of, count)
        # Those of each instruction alone, with its pass.
        kinds, kind = np.unique(np.c_[self._passes, events.pc[self._rows]], axis=0, return_inverse=True)
        self._pass_of = kinds[:, 0]
        self._by_instruction = _bounds(places, kind.reshape(-1)[first], len(kinds))

    def at(self, step: int) -> Region | None:
        """Return the region of the pass that the block is in at a step: that of its last access, or before it the first
        one; None where the block never accesses the array."""
        return _region(self._regions[self._pass_at(step)]) if len(self._regions) else None

    def around(self, step: int, inner: Region) -> Region:
        """Return what a single instruction accesses in the pass at a step, where that holds ``inner`` and others access
        more: the threads of a block at the edge load an element each, and compute fewer. Else ``inner``."""
        now = self._pass_at(step)
        found = (_region(bounds) for bounds in self._by_instruction[self._pass_of == now])
        whole = _region(self._regions[now])
        return next((region for region in found if region.holds(inner) and whole.holds(region)), inner)

    def _pass_at(self, step: int) -> int:
        done = int(np.searchsorted(self._rows, step, side="left"))
        return int(self._passes[max(0, done - 1)])

    @property
    def span(self) -> Region | None:
        """Return the region of all passes together."""
        if not len(self._regions):
            return None
        return _region(np.r_[self._regions[:, :2].min(0), self._regions[:, 2:].max(0)])


def _bounds(places: tuple[NDArray[np.int64], ...], group: NDArray[np.intp], count: int) -> NDArray[np.int64]:
    """Return for each of ``count`` groups of elements the first row and column, and the last: int64[count, 4]."""
    found = np.empty((count, 4), np.int64)
    for k, values in enumerate(places):
        least, most = np.full(count, 1 << 60, np.int64), np.full(count, -1, np.int64)
        np.minimum.at(least, group, values)
        np.maximum.at(most, group, values)
        found[:, k], found[:, k + 2] = least, most
    return found


def _region(bounds: NDArray[np.int64]) -> Region:
    top, left, bottom, right = bounds.tolist()
    return Region(top, left, bottom + 1, right + 1)
