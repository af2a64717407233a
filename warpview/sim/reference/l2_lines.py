"""Know when the data of lines are there that an access has asked for, and which lines the L2 has replaced.

A multiprocessor sees only what it brings into the L2 itself. All others are taken to bring in as much, so that a line
which it has brought in is replaced as soon as all together have brought in what the L2 has room for: less than its size
where its parts keep copies of one another's lines, and not as much for each line, since some sets have more lines than
others. Others who read the same allocation use its lines meanwhile: then it
takes as many times longer. Each brings in again what it has brought in before.
"""

from __future__ import annotations

from warpview.devices.schema import Cache
from warpview.sim.reference.l2_shares import L2Shares
from warpview.sim.rules.cache import CacheLine, CacheModel
from warpview.sim.rules.coalescing import LINE, SECTOR
from warpview.sim.timing.model import (
    FAR_MASK,
    HASH,
    KIB_SHIFT,
    OWN_SPREAD,
    PAIR_PLACES,
    PAIR_WINDOW,
    PIECE_SHIFT,
    SPREAD,
    USED_UNIT,
)


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
    """Hold the lines of the L2; ``kept`` are sectors that the multiprocessor brings in until one is replaced, by
    eighths of the lines."""

    def __init__(self, geometry: Cache, kept: tuple[int, ...], shares: L2Shares) -> None:
        super().__init__(geometry)
        self._kept, self._shares = kept, shares
        self._brought = 0  # parts of sectors so far

    def use(self, sector: int) -> bool:
        """Note that the line of a sector is used; return whether it was replaced since this multiprocessor brought it
        in."""
        line = self._set(sector * SECTOR).get(sector * SECTOR // self.geometry.line)
        if line is None:
            return False
        brought = self._brought - line.used
        if line.own and self._is_replaced(sector, brought):
            for held in (line.valid, line.dirty, line.stored, line.sent, line.along):
                held.clear()
            line.replaced = True
        elif brought > 0:
            self._note_again(sector, len(line.valid), brought)
        line.used = self._brought
        return line.replaced

    def _note_again(self, sector: int, sectors: int, brought: int) -> None:
        """Count the sectors of a line that is used again after so many were brought in: it is again the last to be
        replaced. A line counts once at most while as many are brought in as the L2 loses nothing of, and in part where
        several multiprocessors use it."""
        window = max(1, USED_UNIT * self._kept[0])
        asked, share = self._shares.readers(sector)
        self._brought += USED_UNIT * sectors * min(brought, window) * share // (window * asked)

    def _is_replaced(self, sector: int, brought: int) -> bool:
        asked, share = self._shares.readers(sector)
        kept = USED_UNIT * self._kept[kept_place(sector)]
        return brought > kept and brought * share > kept * asked

    def bring_in(self, sector: int, sectors: int) -> None:
        """Note that this multiprocessor has brought in so many sectors of the line of a sector, which is there."""
        self._brought += USED_UNIT * sectors
        line = self.line_of(sector)
        line.own, line.used = True, self._brought

    def note_along(self, sector: int) -> None:
        """Note that DRAM has given a sector, which is there, with another one that was asked for."""
        self.line_of(sector).along.add(sector)

    def is_late(self, sector: int, cycle: int, late_pairs: int) -> bool:
        """Return whether a sector that is there comes as late as from DRAM: one that came along, whose pair is of the
        late ones, and for which nobody has asked before; if that is not long after the other one was there."""
        line = self.line_of(sector)
        if sector not in line.along:
            return False
        line.along.remove(sector)
        return pair_place(sector) < late_pairs and line.filled <= cycle < line.filled + PAIR_WINDOW


def dram_places(sector: int) -> tuple[int, int]:
    """Return which of the latencies of DRAM a sector has together with the others of its KiB, and which by its line:
    one of the earlier half where its piece of memory is near, else of the later one."""
    piece = sector >> PIECE_SHIFT
    first = (piece & FAR_MASK).bit_count() % 2 * OWN_SPREAD // 2
    return first + (((sector >> KIB_SHIFT) * HASH & 0xFFFFFFFF) >> 28), first + own_place(sector) // 2


def pair_place(sector: int) -> int:
    """Return which of PAIR_PLACES the pair of sectors is to which a sector belongs."""
    return (sector // 2 * HASH & 0xFFFFFFFF) * PAIR_PLACES >> 32


def spread_place(sector: int) -> int:
    """Return which of the latencies a sector's line has."""
    return own_place(sector) // (OWN_SPREAD // SPREAD)


def kept_place(sector: int) -> int:
    """Return which eighth of the lines a sector's line is of by how long the L2 keeps it, whatever its latency."""
    return own_place(sector) % SPREAD


def own_place(sector: int) -> int:
    """Return which of the latencies a sector's line has for which no other multiprocessor asks."""
    return (sector * SECTOR // LINE * HASH & 0xFFFFFFFF) >> 27
