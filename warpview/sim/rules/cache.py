"""Model the caches in small: which of the accesses of one multiprocessor hit, in the order in which they come.

They say what a cache of that geometry does that replaces the line of a set which was used longest ago, of those that
were not used again since they came if there are such. Where there are more tags than lines, and a set has a free one
while no line is, the sets make room in turn. So say streams and touches of the L1 of an H200
(tests/truth/replaced_h200.csv); of other devices replacement is not known. The counters of the memory rules do not
depend on them.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

from warpview.devices import Device
from warpview.devices.schema import Cache
from warpview.sim.rules.access import GlobalAccess
from warpview.sim.rules.coalescing import SECTOR

HASH_SHIFT = 9  # bits of a line's number by which it is folded to the number of its set
# The folded bits change bits further up, too, so that lines in a row come to the sets in another order each time.
MIX_SHIFTS = (1, 5, 8)


@dataclass
class CacheCounts:
    """Count the probes of one cache, in its sectors (of 32 bytes; a whole line of 128 in the L1 of CC 2.x and 3.x)."""

    hits: int = 0
    misses: int = 0
    evictions: int = 0  # lines that made room for another
    written_back: int = 0  # sectors that were dirty when their line was evicted

    @property
    def hit_rate(self) -> float | None:
        """Return the hits over probes, 0 to 1; None without a probe."""
        probes = self.hits + self.misses
        return self.hits / probes if probes else None


@dataclass
class CacheLine:
    """Hold the sectors of a line, by number."""

    valid: set[int] = field(default_factory=set)  # sectors of the line that are filled
    dirty: set[int] = field(default_factory=set)
    again: bool = False  # used by another access since it came, and one of the ``kept`` of its set
    # Set by the timing model: the cycle in which the data that were asked for last are there; the halves of words that
    # were stored to, by sector; the sectors of which a part was sent to memory, 2 where the rest had to be read; those
    # that came along with another one and nobody has asked for; and of lines of the L2 what reference/l2_lines.py says.
    filled: int = 0
    stored: dict[int, int] = field(default_factory=dict)
    sent: dict[int, int] = field(default_factory=dict)
    along: set[int] = field(default_factory=set)
    used: int = 0  # what had been brought in when it was used last
    own: bool = False  # brought in by this multiprocessor
    replaced: bool = False  # since then


class CacheModel:
    """Model a set-associative cache of lines that are filled sector by sector; the set is the line number modulo the
    sets, where it is hashed after its upper bits were folded onto the lower ones."""

    def __init__(self, geometry: Cache) -> None:
        self.geometry = geometry
        self.counts = CacheCounts()
        # One for each set: line number -> line, the least recently used first.
        self._sets: list[OrderedDict[int, CacheLine]] = [OrderedDict() for _ in range(geometry.sets)]
        self._held = self._turn = 0  # lines that are here; the set that makes room next for another one
        self.touched = -1  # the line that the access at hand has read last

    def read(self, address: int) -> bool:
        """Read the sector at ``address``; True if it hits. A miss fills the sector."""
        return self._probe(address, allocate=True)

    def write(self, address: int, allocate: bool) -> bool:
        """Write the sector; with ``allocate`` it stays here and is written back on eviction, otherwise it goes through
        and only updates a sector that is present."""
        hit = self._probe(address, allocate)
        line = self._set(address).get(address // self.geometry.line)
        if allocate and line is not None:
            line.dirty.add(address // self.geometry.sector)
        return hit

    def enter(self, address: int) -> bool:
        """Let the line at ``address`` have a place, as a store that goes through gives it one; True if it had. No
        sector is filled."""
        lines, number = self._set(address), address // self.geometry.line
        known = number in lines
        if not known:
            self._place(lines, number)
        elif self.geometry.kept:
            self._keep(lines, lines[number])
        lines.move_to_end(number)
        return known

    def is_dirty(self, address: int) -> bool:
        """Return whether the sector at ``address`` was written since its line came here."""
        line = self._set(address).get(address // self.geometry.line)
        return line is not None and address // self.geometry.sector in line.dirty

    def has_sectors(self, address: int) -> bool:
        """Return whether any sector of the line of ``address`` is here."""
        line = self._set(address).get(address // self.geometry.line)
        return line is not None and bool(line.valid)

    def invalidate(self, address: int) -> None:
        """Forget the line that holds ``address``."""
        if self._set(address).pop(address // self.geometry.line, None):
            self._held -= 1

    def invalidate_all(self) -> None:
        """Drop all lines."""
        for lines in self._sets:
            lines.clear()
        self._held = 0

    def _set(self, address: int) -> OrderedDict[int, CacheLine]:
        line = address // self.geometry.line
        return self._sets[(mixed_place(line) if self.geometry.hashed else line) % len(self._sets)]

    def _probe(self, address: int, allocate: bool) -> bool:
        lines, number, sector = self._set(address), address // self.geometry.line, address // self.geometry.sector
        line = lines.get(number)
        hit = line is not None and sector in line.valid
        self.counts.hits += hit
        self.counts.misses += not hit
        if line is None and allocate:
            line = self._place(lines, number)
        elif line is not None and self.geometry.kept and number != self.touched:
            self._keep(lines, line)
        self.touched = number
        if line is not None:
            lines.move_to_end(number)
            if allocate:
                line.valid.add(sector)
        return hit

    def _keep(self, lines: OrderedDict[int, CacheLine], line: CacheLine) -> None:
        """Keep a line that is used again; of more than a set keeps, the one used longest ago is as others again."""
        if not line.again:
            again = [other for other in lines.values() if other.again]
            if len(again) == self.geometry.kept:
                again[0].again = False
            line.again = True

    def _place(self, lines: OrderedDict[int, CacheLine], number: int) -> CacheLine:
        """Let a line come into a set; returns it."""
        if len(lines) == self.geometry.ways:
            self._drop(lines)
        elif self._held == self.geometry.lines:
            self._drop(self._next_set())
        self._held += 1
        line = lines[number] = CacheLine()
        return line

    def _next_set(self) -> OrderedDict[int, CacheLine]:
        """Return the next set in turn that has lines."""
        while True:
            lines = self._sets[self._turn % len(self._sets)]
            self._turn += 1
            if lines:
                return lines

    def _drop(self, lines: OrderedDict[int, CacheLine]) -> None:
        """Drop the line of a set that was used longest ago, one that was not used again if there is any."""
        number = next((number for number, line in lines.items() if not line.again), next(iter(lines)))
        gone = lines.pop(number)
        self._held -= 1
        self.counts.evictions += 1
        self.counts.written_back += len(gone.dirty)


def mixed_place(line: int) -> int:
    """Return a line's number with its upper bits folded onto the lower ones: lines in a row, or any power of two apart,
    come to one set after the other."""
    upper = line >> HASH_SHIFT ^ line >> 2 * HASH_SHIFT
    for shift in MIX_SHIFTS:
        line ^= upper << shift
    return line ^ upper


class MemoryHierarchy:
    """Model the caches that one multiprocessor sees, and the traffic to DRAM that they leave.

    - Loads of global memory go through L1 where the device does so (CC 2.x unless switched off, 6.0 and later), through
      the read-only cache where they are marked for it (3.5 and later), else to L2.
    - Local memory goes through L1; on 2.x and 3.x stores stay there until evicted, later they go through.
    - Stores to global memory go to L2: on 2.x they throw the line out of L1, later they update it in passing.
    - Atomics are carried out at L2 and throw the line out of L1.

    Devices of CC 1.x have none of these caches. What L1 writes back when it evicts a line of local memory is counted
    there (``written_back``) and not followed further down.
    """

    def __init__(self, device: Device, cached: bool = True, shared_bytes: int = 0) -> None:
        """Make empty caches; ``shared_bytes`` of shared memory in use on the multiprocessor make the L1 smaller from CC
        7.0 on."""
        self.device = device
        self.cached = cached and device.l1_caches_global
        l1 = device.l1_with(shared_bytes)
        self.l1 = CacheModel(l1) if l1 else None
        # From CC 5.0 on it is the same memory as the L1.
        separate = device.read_only_cache if device.coalescing == "split_sectors" else None
        self.read_only = CacheModel(separate) if separate else self.l1
        self.l2 = CacheModel(device.l2) if device.l2 else None
        self._dram_read = 0
        self._dram_written = 0

    @property
    def dram_sectors_read(self) -> int:
        """Return the 32-byte sectors fetched from DRAM."""
        return self._dram_read

    @property
    def dram_sectors_written(self) -> int:
        """Return the 32-byte sectors written to DRAM, without those still dirty in L2."""
        return self._dram_written + (self.l2.counts.written_back if self.l2 else 0)

    def access(self, access: GlobalAccess, local: bool = False, read_only: bool = False, offset: int = 0) -> None:
        """Send the transactions of one warp-wide access through the caches. ``offset`` is added to their addresses:
        those of local memory count from the start of their warp's."""
        for cache in (self.l1, self.read_only):
            if cache is not None:
                cache.touched = -1
        for transaction in access.transactions:
            start = transaction.base + offset
            for address in range(start, start + transaction.size, SECTOR):
                # A line of the L1 of 2.x and 3.x is one piece: probed once, by its first sector.
                self._sector(access.kind, address, local, read_only, first=address == start)

    def _sector(self, kind: str, address: int, local: bool, read_only: bool, first: bool) -> None:
        first_level = self._first_level(kind, local, read_only)
        if kind == "load":
            if first_level is None:
                self._read_l2(address)
            elif first_level.geometry.sector == SECTOR:
                if not first_level.read(address):
                    self._read_l2(address)
            elif first and not first_level.read(address):
                for part in range(address, address + first_level.geometry.sector, SECTOR):
                    self._read_l2(part)
            return
        if self.l1 and kind == "store" and local and self.l1.geometry.sector != SECTOR:
            if first:
                self.l1.write(address, allocate=True)
            return
        if self.l1 and (kind != "store" or self.device.coalescing == "lines"):
            self.l1.invalidate(address)
        elif self.l1 and first_level:
            self.l1.write(address, allocate=False)
        self._write_l2(address)

    def _first_level(self, kind: str, local: bool, read_only: bool) -> CacheModel | None:
        if local:
            return self.l1
        if read_only and kind == "load" and self.device.read_only_path:
            return self.read_only
        return self.l1 if self.cached else None

    def _read_l2(self, address: int) -> None:
        if self.l2 is None or not self.l2.read(address):
            self._dram_read += 1

    def _write_l2(self, address: int) -> None:
        if self.l2 is None:
            self._dram_written += 1
        else:
            self.l2.write(address, allocate=True)
