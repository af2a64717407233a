"""Count what a multiprocessor brings into the L2 of each allocation, and what others do; see sim/timing/l2_share.py."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


class L2Shares:
    """Hold the rows of ``shares_of``, and how many ``blocks`` the multiprocessor runs. ``started`` are those that have
    begun, or 0 where one of the first wave accesses memory."""

    def __init__(self, rows: NDArray[np.int64]) -> None:
        self._rows = rows
        self.blocks = 0

    def _row_of(self, sector: int) -> NDArray[np.int64] | None:
        """Return the row of the allocation in which a sector lies."""
        return next((row for row in self._rows if row[0] <= sector < row[1]), None)

    def brings_in(self, sector: int, cycle: int, started: int) -> bool:
        """Return whether this multiprocessor brings a sector of an allocation into the L2, and count it."""
        row = self._row_of(sector)
        if row is None:
            return True
        if row[2] > 0 and not self._has_reached(row, sector, started):
            return False
        row[2] -= 1
        if row[2] == 0:
            row[3] = cycle
        return bool(row[2] >= 0)

    def _has_reached(self, row: NDArray[np.int64], sector: int, started: int) -> bool:
        """Return whether all multiprocessors can have reached more of an allocation than they have brought in, by the
        blocks that this one has started, or its misses; the blocks are taken to be equally far apart."""
        row[5], row[6] = min(row[5], sector), max(row[6], sector)
        if not started:
            return True
        size, whole = int(row[1] - row[0]), int(row[7])
        reached = min(size, int(row[6] - row[5] + 1) * started // (started - 1))
        brought = whole - int(row[2])
        return brought * size < whole * reached or brought * self.blocks < whole * started

    def was_left(self, sector: int, cycle: int) -> bool:
        """Return whether in a cycle the multiprocessor had not brought in its share of the allocation of a sector."""
        row = self._row_of(sector)
        return row is None or bool(cycle <= row[3])

    def is_shared(self, sector: int) -> bool:
        """Return whether other multiprocessors read an allocation, too: this one has asked for more than its share."""
        row = self._row_of(sector)
        return row is not None and bool(row[2] < 0)

    def readers(self, sector: int) -> tuple[int, int]:
        """Return what this multiprocessor has asked for of an allocation and its share of that; equal ones where nobody
        else reads what it has asked for."""
        row = self._row_of(sector)
        if row is None:
            return 1, 1
        share = max(1, int(row[7]))
        return max(share, share - int(row[2])), share

    def stores_first(self, sector: int) -> bool:
        """Return whether this multiprocessor is the first to store to a sector of an allocation, and count it."""
        row = self._row_of(sector)
        if row is None:
            return True
        row[4] -= 1
        return bool(row[4] >= 0)
