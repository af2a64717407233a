"""Decide for the timing where the accesses of a multiprocessor are served: by L1, L2 or DRAM."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpview.devices import Device
from warpview.isa.ops import ATOMIC_OPS, Op
from warpview.isa.program import Instruction
from warpview.isa.types import Space
from warpview.sim.history.events import MemoryTraffic
from warpview.sim.memory import LOCAL_WINDOW
from warpview.sim.reference.accesses import WHOLE, SpaceAccess, sectors_of, stored_halves
from warpview.sim.reference.l2_lines import FilledCache, L2Lines, dram_places, spread_place
from warpview.sim.reference.l2_shares import L2Shares
from warpview.sim.reference.registers import lanes_of
from warpview.sim.rules import GlobalAccess, SharedAccess, l1, local_address
from warpview.sim.rules.coalescing import LINE, SECTOR
from warpview.sim.timing.l2_share import StoresHeld
from warpview.sim.timing.model import LINES_MERGED, WIDEST, Timing


class Served(NamedTuple):
    """Count the sectors of one access that came from L2 or went to it, and those that went to or came from DRAM.
    ``far`` says that it waits for DRAM; ``passes`` are those of L1, 0 where it was not asked, and ``l2_lines`` the
    lines of 128 bytes that L2 is asked for. ``pieces`` are what DRAM reads or writes together, by their first
    sectors."""

    from_l2: int
    dram: int
    far: bool
    passes: int = 0
    turns: int = 0  # passes over the data of L1, beyond those that its width alone demands
    l2_lines: int = 0
    pieces: tuple[int, ...] = ()
    paired: int = 0  # pieces whose line had been read in part before
    l2_later: int = 0  # by which the last line from L2 is later than the mean
    dram_later: int = 0  # the same of those from DRAM
    dram_far_later: int = 0  # the same where the access needs many lines
    read: int = 0  # sectors of which a part is stored and the rest was not in L2
    undone: int = 0  # sectors that were sent and read as if no more of them were stored
    met: int = 0  # halves of the cost of a store to the sector to which all blocks store
    near: int = 0  # sectors from L2 that other multiprocessors read, too
    merged: int = 0  # sectors that were stored and merged with others on the way to L2
    pending: int = 0  # when what the access needs is there that others have asked for

    def coalesced(self, requested: int) -> Served:
        """Return what an access to as many bytes in a row asks for."""
        sectors = -(-requested // SECTOR)
        lines = -(-sectors // 4)
        return self._replace(
            passes=min(self.passes, lines), from_l2=min(self.from_l2, sectors), dram=min(self.dram, sectors),
            l2_lines=min(self.l2_lines, lines), pieces=(), turns=0,
        )  # fmt: skip


class SmCaches:
    """Model the caches as this multiprocessor sees them when it is alone with the L2.

    A sector that lanes access is looked up once, sectors in ascending order. Stores are sent on to DRAM once the L2
    holds as many as it can; atomics are carried out at L2. On devices without an L2 everything is DRAM's. ``shares``
    and ``held`` are what the multiprocessor has of the L2: see sim/timing/l2_share.py.
    """

    def __init__(
        self, device: Device, cached: bool, shared_bytes: int, local_bytes: int, shares: NDArray[np.int64],
        held: StoresHeld, timing: Timing,
    ) -> None:  # fmt: skip
        self._device, self.shares, self._room, self._timing = device, L2Shares(shares), held, timing
        self._held = self._dirty = self._clean = 0  # sectors that L2 holds of the stores; stored and read sectors
        self._warp = 0  # that accesses, of the grid
        self._stored = [0] * timing.schedulers  # sectors that each has sent
        self._last_store: dict[int, tuple[int, int]] = {}  # by line: the scheduler, and its stored sectors so far
        self._window = 0  # sectors that the scheduler has sent last with which the store is merged
        self._stored_line, self._merging = -1, False  # the line that is stored to, and whether that is merged
        self._one_sector: dict[int, tuple[int, set[int]]] = {}  # by store: its only sector or -1, its warps
        self._scheduler = 0
        self.loaded = 0  # when all that loads have asked the L2 for is there
        self._together = device.dram_sectors
        self._started = self._pc = self._cycle = self._trip = 0
        self._first_cycle: dict[int, int] = {}  # of an instruction that accesses memory
        self._lines = device.coalescing == "lines"
        self._read_only_path = device.read_only_path
        self._cached = cached and device.l1_caches_global
        geometry = device.l1_with(shared_bytes)
        self._l1 = FilledCache(geometry) if geometry and geometry.sets else None
        separate = device.coalescing == "split_sectors" and device.read_only_cache
        self._read_only = FilledCache(separate) if separate else self._l1
        self._l2 = L2Lines(device.l2, timing.l2_kept, self.shares) if device.l2 else None
        self._caches = [cache for cache in (self._l1, self._read_only, self._l2) if cache is not None]
        self.traffic = dict.fromkeys(MemoryTraffic._fields, 0)
        self._answers = dict.fromkeys(("l1_sectors", "l1_hits", "l2_sectors", "dram_sectors"), 0)
        self._warp_bytes = -(-local_bytes * 32 // LINE) * LINE

    def access(self, instruction: Instruction, parts: Sequence[SpaceAccess], warp: int, started: int, pc: int,
               cycle: int, scheduler: int) -> Served:  # fmt: skip
        """Send one access of warp ``warp`` (counted over the grid) through the caches. One that lies in several spaces
        goes past them. ``started`` counts the blocks of the multiprocessor; it is 0 for those of the first wave, in
        which all multiprocessors ask for the same data at the same time."""
        self._begin(warp, started, pc, cycle, scheduler)
        sectors, hits = self.traffic["l1_sectors"], self.traffic["l1_hits"]
        served = self._served(instruction, parts, warp)
        self._answers = {
            "l1_sectors": self.traffic["l1_sectors"] - sectors, "l1_hits": self.traffic["l1_hits"] - hits,
            "l2_sectors": served.from_l2, "dram_sectors": served.dram + served.read,
        }  # fmt: skip
        return served._replace(pending=self._pending)

    def fetch_part(
        self, sectors: Sequence[int], warp: int, started: int, pc: int, cycle: int, scheduler: int
    ) -> Served:
        """Send a part of a bulk load through the L2."""
        self._begin(warp, started, pc, cycle, scheduler)
        return self._fetch(sectors)._replace(pending=self._pending)

    def _begin(self, warp: int, started: int, pc: int, cycle: int, scheduler: int) -> None:
        """Begin an access that has asked for nothing yet."""
        self._started, self._pc, self._cycle, self._scheduler = started, pc, cycle, scheduler
        self._stored_line, self._warp = -1, warp
        self._first_cycle.setdefault(pc, cycle)
        for cache in self._caches:
            cache.pending = 0
            cache.missed.clear()
            cache.touched = -1

    @property
    def _pending(self) -> int:
        """Return when what the access needs is there that others have asked for."""
        return max((cache.pending for cache in self._caches), default=0)

    def answered(self, asked: bool) -> dict[str, int]:
        """Return the columns of an event that tell what was answered to its access; 0 if it has not asked."""
        return self._answers if asked and self._l2 is not None else dict.fromkeys(self._answers, 0)

    def pass_fence(self, pc: int) -> int:
        """Let an instruction empty the L1, if it does; return what it takes as a fence once all stores have left the
        multiprocessor, by the lines that the L2 was asked for since the last one, or 0 where it was asked for none."""
        if self._timing.costs.drops_l1[pc] and self._l1:
            self._l1.invalidate_all()
        if not self._timing.costs.fences[pc]:
            return 0
        trip, self._trip = self._trip, 0
        return trip

    def _note_slices(self, sectors: Sequence[int]) -> None:
        """Note that the L2 is asked for sectors, for whose slices the next fence waits."""
        self._trip = max([self._trip, *(self._timing.fence_trips[spread_place(sector)] for sector in sectors)])

    @property
    def l1_lines(self) -> int:
        """Return the lines of the L1."""
        return self._l1.geometry.lines if self._l1 else 0

    def note_filled(self, cycle: int) -> None:
        """Note when the data are there that the last access has asked for."""
        for cache in self._caches:
            for line in cache.missed:
                line.filled = max(line.filled, cycle)

    def _served(self, instruction: Instruction, parts: Sequence[SpaceAccess], warp: int) -> Served:
        spaces = [p for p in parts if isinstance(p.access, GlobalAccess)]
        moved = sum(p.access.sectors for p in parts if not isinstance(p.access, SharedAccess))
        if self._l2 is None or not spaces or len(parts) > 1 or spaces[0].space == Space.CONST:
            return Served(0, moved, True)
        local = spaces[0].space == Space.LOCAL
        sectors = self._local_sectors(spaces[0], warp) if local else sectors_of(spaces[0])
        lines = _lines(sectors)
        passes, turns = lines, 0
        if not local and instruction.op not in ATOMIC_OPS:
            kind = "load" if instruction.op == Op.LD else "store"
            place = spaces[0].addresses, spaces[0].mask, spaces[0].width, self._device, kind
            passes, turns = l1.cycles(*place), l1.further_passes(l1.data_cycles(*place), spaces[0].width)
        if instruction.op == Op.LD:
            loaded = self._load(sectors, self._first_level(instruction, local))
            if loaded.from_l2:  # no later store is merged with those before
                self._stored = [stored + self._timing.store_merge for stored in self._stored]
            return loaded._replace(passes=passes, turns=turns)
        if instruction.op in ATOMIC_OPS:
            return self._atomic(sectors)._replace(passes=passes)
        requested = sum(p.mask.bit_count() * p.width for p in spaces)
        is_partial = requested < SECTOR * len(sectors)
        stored = stored_halves(spaces[0]) if is_partial and not local else dict[int, int]()
        is_wide = spaces[0].width == WIDEST and lines <= LINES_MERGED
        self._window = (2 if is_wide else 1) * self._timing.store_merge
        halves = {s: stored.get(s, 0) if is_partial else WHOLE for s in sectors}
        return self._store(halves, local)._replace(passes=passes, turns=turns)

    def _first_level(self, instruction: Instruction, local: bool) -> FilledCache | None:
        if local:
            return self._l1
        if instruction.read_only and self._read_only_path:
            return self._read_only
        return self._l1 if self._cached and instruction.cached else None

    def _load(self, sectors: list[int], level: FilledCache | None) -> Served:
        if level is None:
            return self._fetch(sectors)
        missing: list[int] = []
        per_line = level.geometry.sector // SECTOR
        for line in sorted({s // per_line for s in sectors}):
            hit = level.read(line * level.geometry.sector)
            self._count_in_l1([s for s in sectors if s // per_line == line], hit)
            if not hit:
                missing += range(line * per_line, (line + 1) * per_line)
        return self._fetch(missing)

    def _count_in_l1(self, sectors: Sequence[int], hit: bool) -> None:
        self.traffic["l1_sectors"] += len(sectors)
        self.traffic["l1_hits"] += hit * len(sectors)

    def _fetch(self, sectors: Sequence[int]) -> Served:
        """Read sectors through L2. What another multiprocessor brings in is as late as from DRAM in the first wave."""
        assert self._l2 is not None
        self._note_slices(sectors)
        own, shared = self._timing.dram_own_spread, self._timing.dram_shared_spread
        dram, paired, near, pieces, late = 0, 0, 0, [], []
        for sector in sectors:
            was_replaced = self._l2.use(sector)
            again, hit = self._l2.has_sectors(sector * SECTOR), True
            if not self._l2.read(sector * SECTOR):
                if was_replaced or self.shares.brings_in(sector, self._cycle, self._started):
                    hit = False
                    pieces.append(sector // self._together * self._together)
                    paired += again
                    also = self._read_along(sector, was_replaced)
                    self._l2.bring_in(sector, 1 + also)
                    dram += 1 + also
                    self._clean += 1 + also
                    late.append([own[place] for place in dram_places(sector)])
                else:
                    self.traffic["l2_shared"] += 1
                    near += 1
                    together = not self._started and self.shares.was_left(sector, self._first_cycle[self._pc])
                    if together and not self._came_along(sector):
                        late.append([shared[place] for place in dram_places(sector)])
            else:
                near += self.shares.is_shared(sector)
                is_late = self._l2.is_late(sector, self._cycle, self._timing.late_pairs)
                if pieces and pieces[-1] == sector // self._together * self._together:
                    hit = False  # the access itself has just missed it
                elif is_late:
                    late.append([own[place] for place in dram_places(sector)])
            self._count_in_l2(1, hit)
        return Served(
            len(sectors), dram, bool(late), l2_lines=_lines(sectors), pieces=tuple(pieces), paired=paired, near=near,
            l2_later=max((self._timing.l2_spread[spread_place(s)] for s in sectors), default=0),
            dram_later=max((by_kib for by_kib, _ in late), default=0),
            dram_far_later=max((by_line for _, by_line in late), default=0),
        )  # fmt: skip

    def _count_in_l2(self, sectors: int, hit: bool) -> None:
        self.traffic["l2_sectors"] += sectors
        self.traffic["l2_hits"] += hit * sectors

    def _read_along(self, sector: int, was_replaced: bool) -> int:
        """Read the sectors that DRAM reads together with a sector; returns how many were not in L2."""
        assert self._l2 is not None
        first = sector // self._together * self._together
        others = [s for s in range(first, first + self._together) if s != sector and not self._l2.read(s * SECTOR)]
        for other in others:
            self._l2.note_along(other)
        for other in others if not was_replaced else ():
            self.shares.brings_in(other, self._cycle, self._started)
        return len(others)

    def _came_along(self, sector: int) -> bool:
        """Return whether L2 has another of the sectors that DRAM gives with one, and note when that one is there."""
        assert self._l2 is not None
        line, first = self._l2.line_of(sector), sector // self._together * self._together
        others = (s * SECTOR // self._l2.geometry.sector for s in range(first, first + self._together) if s != sector)
        if not any(other in line.valid for other in others):
            return False
        self._l2.pending = max(self._l2.pending, line.filled)
        return True

    def _store(self, stored: dict[int, int], local: bool) -> Served:
        """Store to some sectors, of each to the halves of words whose bits are set. What is missing of a sector of
        which a part is stored is read from memory, unless the rest is stored later."""
        assert self._l2 is not None
        sectors = list(stored)
        if self._l1 and local and self._l1.geometry.sector != SECTOR:
            per_line = self._l1.geometry.sector // SECTOR
            for line in sorted({s // per_line for s in sectors}):
                hit = self._l1.write(line * self._l1.geometry.sector, allocate=True)
                self._count_in_l1([s for s in sectors if s // per_line == line], hit)
            return Served(0, 0, False)
        parts = sum(halves != WHOLE for halves in stored.values()) / _lines(sectors)
        new, sent, hits = [], [], dict[int, bool]()
        dram = read = undone = 0
        for s in sectors:
            if self._l1 and self._lines:
                self._l1.invalidate(s * SECTOR)
            elif self._l1 and (local or self._cached):
                number = s * SECTOR // LINE
                hits[number] = hits[number] if number in hits else self._l1.enter(s * SECTOR)
                self._count_in_l1([s], hits[number])
            was_replaced = self._l2.use(s)
            was_written = self._l2.is_dirty(s * SECTOR) or not (was_replaced or self.shares.stores_first(s))
            was_there = self._l2.write(s * SECTOR, allocate=True)
            way = self._l2.line_of(s)
            before = way.stored.get(s, 0)
            way.stored[s] = before | stored[s]
            if not was_written:
                new.append(s)
                self._l2.bring_in(s, 1 - was_there)
                self._dirty += 1
                self._clean -= was_there
                if not self._is_kept(parts if stored[s] != WHOLE else 0):
                    dram += 1
                    if stored[s] != WHOLE:
                        read += not was_there
                        way.sent[s] = 1 + (not was_there)
            elif before | stored[s] == WHOLE and s in way.sent:
                undone += way.sent.pop(s) - (not self._is_kept(0))
            if not self._merges(s, was_written):
                sent.append(s)
        self._note_slices(sectors)
        merged = len(sectors) - len(sent)
        self._count_in_l2(len(sent), hit=True)
        self.traffic["l2_stored"] += len(sent)
        return Served(
            len(sent), dram, False, l2_lines=_lines(sent), pieces=tuple(new), merged=merged, read=read, undone=undone,
            met=self._met(sectors, sent),
        )  # fmt: skip

    def _is_kept(self, in_a_line: float) -> bool:
        """Return whether L2 holds one more sector that differs from memory, and count it; of those that are stored in
        part there are ``in_a_line`` in a line, else it is 0."""
        room = min(self._room.alone, self._room.mixed * self._dirty // max(1, self._dirty + max(0, self._clean)))
        if in_a_line:
            room = min(room, int(self._room.part * in_a_line) // 4)
        kept = self._held < room
        self._held += kept
        return kept

    def _met(self, sectors: list[int], sent: list[int]) -> int:
        """Return how many halves of its cost a store has to the sector to which all blocks store: half of it where it
        is merged while loads are on their way."""
        if not self._meets_others(sectors):
            return 0
        return 2 if sent else int(self._cycle < self.loaded)

    def _meets_others(self, sectors: list[int]) -> bool:
        """Return whether all blocks are taken to store to one sector: every access of the instruction went to it, from
        several warps."""
        one, warps = self._one_sector.setdefault(self._pc, (sectors[0], set()))
        if sectors != [one]:
            self._one_sector[self._pc] = -1, warps
            return False
        warps.add(self._warp)
        return len(warps) > 1

    def _merges(self, sector: int, was_written: bool) -> bool:
        """Return whether a sector that is written is merged with one of the last that a scheduler has sent; sectors
        of one access are not merged with one another."""
        line, own = sector * SECTOR // LINE, self._scheduler
        if line != self._stored_line:
            scheduler, stored = self._last_store.get(line, (0, 0))
            self._stored_line = line
            self._merging = self._stored[scheduler] - stored < self._window
        if was_written and self._merging:
            return True
        self._stored[own] += 1
        self._last_store[line] = own, self._stored[own]
        return False

    def _atomic(self, sectors: list[int]) -> Served:
        for s in sectors:
            if self._l1:
                self._l1.invalidate(s * SECTOR)
        if self._l1 and self._cached:
            self._count_in_l1(sectors, hit=False)
        return self._fetch(sectors)

    def _local_sectors(self, part: SpaceAccess, warp: int) -> list[int]:
        start = LOCAL_WINDOW + warp * self._warp_bytes
        return sorted(
            {
                (start + local_address(part.addresses[lane] + piece, lane)) // SECTOR
                for lane in lanes_of(part.mask)
                for piece in range(0, part.width, 4)
            }
        )


def _lines(sectors: Sequence[int]) -> int:
    return len({s * SECTOR // LINE for s in sectors})
