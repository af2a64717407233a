"""Know when the data of lines are there that an access has asked for, and which lines the L2 has replaced.

A multiprocessor sees only what it brings into the L2 itself. All others are taken to bring in as much, so that a line
which it has brought in is replaced as soon as all together have brought in what the L2 has room for: less than its size
where its parts keep copies of one another's lines. Others who read the same allocation use its lines meanwhile: then it
takes as many times longer. Each brings in again what it has brought in before.
"""

from __future__ import annotations

from warpview.devices.schema import Cache
from warpview.sim.reference.l2_shares import L2Shares
from warpview.sim.rules.cache import CacheLine, CacheModel
from warpview.sim.rules.coalescing import LINE, SECTOR
from warpview.sim.timing.model import HASH, OWN_SPREAD, SPREAD


class FilledCache(CacheModel):
    """Record also when the data of a line are there that an access has asked for."""

    def __init__(self, geometry: Cache) -> None:
        super().__init__(geometry)
        self.pending = 0
        self.missed: list[CacheLine] = []

    def line_of(self, sector: int) -> CacheLine:
        """Return the line of a sector, which is there."""
        return self._set(sector * SECTOR)[sector * SECTOR // self.geometry.line]

    def _probe(self, address: int, allocate: bool) -> bool:
        hit = super()._probe(address, allocate)
        line = self._set(address).get(address // self.geometry.line)
        if hit and line is not None:
            self.pending = max(self.pending, line.filled)
        elif allocate and line is not None:
            self.missed.append(line)
        return hit


class L2Lines(FilledCache):
    """Hold the lines of the L2; ``kept`` are sectors that the multiprocessor brings in until one is replaced."""

    def __init__(self, geometry: Cache, kept: int, shares: L2Shares) -> None:
        super().__init__(geometry)
        self._kept, self._shares = kept, shares
        self._brought = 0  # sectors so far

    def use(self, sector: int) -> bool:
        """Note that the line of a sector is used; return whether it was replaced since this multiprocessor brought it
        in."""
        line = self._set(sector * SECTOR).get(sector * SECTOR // self.geometry.line)
        if line is None:
            return False
        if line.own and self._is_replaced(sector, self._brought - line.used):
            for held in (line.valid, line.dirty, line.stored, line.sent):
                held.clear()
            line.replaced = True
        line.used = self._brought
        return line.replaced

    def _is_replaced(self, sector: int, brought: int) -> bool:
        asked, share = self._shares.readers(sector)
        return brought > self._kept and brought * share > self._kept * asked

    def bring_in(self, sector: int, sectors: int) -> None:
        """Note that this multiprocessor has brought in so many sectors of the line of a sector, which is there."""
        self._brought += sectors
        line = self.line_of(sector)
        line.own, line.used = True, self._brought


def spread_place(sector: int) -> int:
    """Return which of the latencies a sector's line has."""
    return own_place(sector) // (OWN_SPREAD // SPREAD)


def own_place(sector: int) -> int:
    """Return which of the latencies a sector's line has for which no other multiprocessor asks."""
    return (sector * SECTOR // LINE * HASH & 0xFFFFFFFF) >> 27
