"""Simulate the caches of a multiprocessor, as sim/reference/sm_caches.py does, function by function."""

from __future__ import annotations

from warpview.isa.types import Space
from warpview.sim.jit.access_sectors import LINE_SHIFT, global_sectors, lines_of, local_sectors
from warpview.sim.jit.compile import jit, unit
from warpview.sim.jit.raw import load_i64, store_64
from warpview.sim.jit.records import (
    block_at,
    cache_at,
    cost_at,
    event_at,
    machine_at,
    sm_at,
    timed_at,
    transactions,
    warp_at,
)
from warpview.sim.jit.sm_state import (
    ATOMIC,
    CACHE_BYTES,
    L1,
    L2,
    LOAD,
    NO_CACHE,
    SHARE_BYTES,
    STORES_SCALE,
    WAY_BYTES,
)
from warpview.sim.memory import LOCAL_WINDOW
from warpview.sim.rules.cache import HASH_SHIFT
from warpview.sim.timing import HASH, SECTOR_BYTES

LOCAL, GLOBAL = int(Space.LOCAL), int(Space.GLOBAL)
NOTHING_LATER = -(1 << 20)
FILLED = 24  # bytes from the start of a way to the cycle in which its data are there
STORED = 32  # the same to what is known of the last store to it
DIRTY_SHIFT = 32  # of the bits of a way: sectors that differ from memory


# ------------------------------------------------------------------------------------------------ one cache


@jit
def cache_of(sm, number):
    return cache_at(sm.caches_at + number * CACHE_BYTES)


@jit
def set_of(cache, line):
    """Return the address of the ways of a line's set."""
    place = line ^ line >> HASH_SHIFT ^ line >> 2 * HASH_SHIFT if cache.hashed else line
    return cache.ways_at + place % cache.sets * cache.ways * WAY_BYTES


@jit
def way_of(cache, line):
    """Return the address of the way that holds a line; 0 if none does."""
    ways = set_of(cache, line)
    for k in range(cache.ways):
        if load_i64(ways + k * WAY_BYTES) == line + 1:
            return ways + k * WAY_BYTES
    return 0


@jit
def make_room(cache, line):
    """A line takes the way that is empty or was used longest ago, with no sector filled."""
    ways = set_of(cache, line)
    oldest = ways
    for k in range(1, cache.ways):
        if load_i64(ways + k * WAY_BYTES + 16) < load_i64(oldest + 16):
            oldest = ways + k * WAY_BYTES
    store_64(oldest, line + 1)
    store_64(oldest + 8, 0)
    store_64(oldest + FILLED, 0)
    store_64(oldest + STORED, 0)
    return oldest


@jit
def probe(sm, cache, sector, allocate):
    """Look a sector (in units of 32 bytes) up; returns whether it is there. With ``allocate`` it is, afterwards: as
    soon as this access has its result."""
    line = sector >> cache.line_shift
    bit = 1 << ((sector >> cache.part_shift) & cache.part_mask)
    way = way_of(cache, line)
    hit = 0
    if way:
        hit = 1 if load_i64(way + 8) & bit else 0
    elif allocate:
        way = make_room(cache, line)
    if way:
        cache.clock += 1
        store_64(way + 16, cache.clock)
        if allocate:
            store_64(way + 8, load_i64(way + 8) | bit)
        if hit:
            sm.pending = max(sm.pending, load_i64(way + FILLED))
        elif allocate:
            store_64(sm.missed_at + 8 * sm.n_missed, way)
            sm.n_missed += 1
    return hit


@jit
def note_filled(sm, cycle):
    """Note when the data are there that the access has asked for."""
    for k in range(sm.n_missed):
        way = load_i64(sm.missed_at + 8 * k)
        store_64(way + FILLED, max(load_i64(way + FILLED), cycle))


@jit
def write(sm, cache, sector):
    """Write a sector, which is there and differs from memory afterwards; returns whether it was there, and whether it
    did differ before."""
    was_there = probe(sm, cache, sector, 1)
    way = way_of(cache, sector >> cache.line_shift)
    bit = 1 << (DIRTY_SHIFT + ((sector >> cache.part_shift) & cache.part_mask))
    was = load_i64(way + 8) & bit
    store_64(way + 8, load_i64(way + 8) | bit)
    return was_there, was != 0


@jit
def merges(sm, cache, sector, was_written, scheduler):
    """Return whether a sector that is written is merged with one of the last that a scheduler has sent; sectors of one
    access are not merged with one another."""
    line = sector >> cache.line_shift
    way = way_of(cache, line)
    if line != sm.stored_line:
        last = load_i64(way + STORED)
        sm.stored_line = line
        sm.merging = sm.stored[last % STORES_SCALE] - last // STORES_SCALE < sm.store_merge
    if was_written and sm.merging:
        return True
    sm.stored[scheduler] += 1
    store_64(way + STORED, sm.stored[scheduler] * STORES_SCALE + scheduler)
    return False


@jit
def end_merging(sm):
    """Let no later store merge with those before: a load goes to L2 between them."""
    for scheduler in range(sm.schedulers):
        sm.stored[scheduler] += sm.store_merge


@jit
def meets_others(cost, sector, n, block):
    """Return whether all blocks store to one sector: every access of the instruction did, from several blocks."""
    if n > 1 or (cost.one_sector and cost.one_sector != sector + 1):
        cost.one_sector = -1
    elif not cost.one_sector:
        cost.one_sector, cost.one_block = sector + 1, block
    elif cost.one_block != block:
        cost.one_block = -1
    return cost.one_sector > 0 and cost.one_block < 0


@jit
def forget(cache, sector):
    """Drop the line of a sector."""
    way = way_of(cache, sector >> cache.line_shift)
    if way:
        store_64(way, 0)
        store_64(way + 16, 0)


# ------------------------------------------------------------------------------------------------ accesses


@jit
def brings_in(sm, sector):
    """Return whether this multiprocessor brings a sector of an allocation into the L2, and count it."""
    for k in range(sm.n_shares):
        row = sm.shares_at + k * SHARE_BYTES
        if load_i64(row) <= sector and sector < load_i64(row + 8):
            left = load_i64(row + 16)
            store_64(row + 16, left - 1)
            if left == 1:
                store_64(row + 24, sm.cycle)
            return left > 0
    return True


@jit
def note_piece(sm, sector):
    """Count a piece of the access that lies in DRAM; pieces come in ascending order."""
    if sm.pieces == 0:
        sm.first_piece = sector
    sm.last_piece = sector
    sm.pieces += 1


@jit
def in_last_piece(sm, sector):
    """Return whether the access itself has just missed what DRAM reads together with a sector."""
    return sm.pieces > 0 and sm.last_piece == sector & -sm.dram_sectors_together


@jit
def note_line(sm, sector):
    """Count the lines that L2 is asked for."""
    if sector >> LINE_SHIFT != sm.last_line:
        sm.last_line = sector >> LINE_SHIFT
        sm.l2_lines += 1


@jit
def asked_for_together(sm, cost, sector):
    """Return whether all multiprocessors ask for a sector at the same time that this one does not bring in."""
    if not sm.first_wave:
        return False
    for k in range(sm.n_shares):
        row = sm.shares_at + k * SHARE_BYTES
        if load_i64(row) <= sector and sector < load_i64(row + 8):
            return cost.first_cycle <= load_i64(row + 24)
    return True


@jit
def spread_place(sector):
    """Return which of the latencies a sector's line has."""
    return ((sector >> LINE_SHIFT) * HASH & 0xFFFFFFFF) >> 29


@jit
def note_far(sm, sector):
    """Note that the access waits for a sector from DRAM."""
    sm.far = 1
    sm.dram_later = max(sm.dram_later, sm.dram_spread[spread_place(sector)])
    sm.dram_far_later = max(sm.dram_far_later, sm.dram_far_spread[spread_place(sector)])


@jit
def has_other_half(sm, first):
    """Return whether the L2 has other sectors of the line of a piece."""
    cache = cache_of(sm, L2)
    way = way_of(cache, first >> cache.line_shift)
    return way != 0 and load_i64(way + 8) != 0


@jit
def fetch(sm, cost, sector):
    """Read a sector through L2. One that another multiprocessor brings in is as late as from DRAM while the first
    blocks run, which ask for it at the same time."""
    sm.from_l2 += 1
    sm.l2_sectors += 1
    sm.l2_later = max(sm.l2_later, sm.l2_spread[spread_place(sector)])
    note_line(sm, sector)
    again = has_other_half(sm, sector)
    if probe(sm, cache_of(sm, L2), sector, 1):
        sm.l2_hits += not in_last_piece(sm, sector)
    else:
        if brings_in(sm, sector):
            sm.dram += 1
            note_far(sm, sector)
            if again:
                sm.paired += 1
            first = sector & -sm.dram_sectors_together
            note_piece(sm, first)
            for other in range(first, first + sm.dram_sectors_together):
                if other != sector and not probe(sm, cache_of(sm, L2), other, 1):
                    sm.dram += 1
                    brings_in(sm, other)
        else:
            sm.l2_hits += 1
            sm.l2_shared += 1
            if asked_for_together(sm, cost, sector):
                note_far(sm, sector)


@jit
def load(sm, cost, n, level):
    """Load the listed sectors, by way of a first-level cache or none."""
    cache = cache_of(sm, max(level, 0))
    line, hit = -1, 0
    for k in range(n):
        sector = load_i64(sm.sectors_at + 8 * k)
        if level == NO_CACHE:
            fetch(sm, cost, sector)
            continue
        sm.l1_sectors += 1
        if sector >> cache.part_shift != line:
            line = sector >> cache.part_shift
            hit = probe(sm, cache, sector, 1)
            if not hit:
                for part in range(line << cache.part_shift, (line + 1) << cache.part_shift):
                    fetch(sm, cost, part)
        sm.l1_hits += hit


@jit
def store(sm, cost, n, local, is_partial, timed):
    """Store to the listed sectors. What is missing of a sector of which a part is stored is read from memory."""
    l1 = cache_of(sm, L1)
    if sm.has_l1 and local and l1.part_shift:
        line, hit = -1, 0
        for k in range(n):
            sector = load_i64(sm.sectors_at + 8 * k)
            if sector >> l1.part_shift != line:
                line = sector >> l1.part_shift
                hit = probe(sm, l1, sector, 1)
            sm.l1_sectors += 1
            sm.l1_hits += hit
        return
    l2 = cache_of(sm, L2)
    new, read = 0, 0
    for k in range(n):
        sector = load_i64(sm.sectors_at + 8 * k)
        if sm.has_l1:
            if sm.stores_evict:
                forget(l1, sector)
            elif local or sm.l1_caches_global:
                sm.l1_sectors += 1
                sm.l1_hits += probe(sm, l1, sector, 0)
        was_there, was_written = write(sm, l2, sector)
        if not was_written:
            new += 1
            if is_partial and not was_there:
                read += 1
            note_piece(sm, sector)
        if merges(sm, l2, sector, was_written, timed.scheduler):
            sm.merged += 1
        else:
            note_line(sm, sector)
    kept = min(new, sm.stores_held)
    sm.stores_held -= kept
    sm.from_l2, sm.dram, sm.read = n - sm.merged, new - kept, read
    sm.l2_sectors += sm.from_l2
    sm.l2_hits += sm.from_l2
    sm.l2_stored += sm.from_l2
    block = block_at(warp_at(timed.warp_at).block_at).block
    sm.met = meets_others(cost, load_i64(sm.sectors_at), n, block) and sm.from_l2 > 0


@jit
def atomic(sm, cost, n):
    for k in range(n):
        sector = load_i64(sm.sectors_at + 8 * k)
        if sm.has_l1:
            sm.l1_sectors += sm.l1_caches_global
            forget(cache_of(sm, L1), sector)
        fetch(sm, cost, sector)


@unit(4)
def look_up_access(multiprocessor, machine, cost_address, timed_address):
    """Send the access issued last through the caches; ``from_l2`` and ``dram`` say then where it was served."""
    sm, m, cost = sm_at(multiprocessor), machine_at(machine), cost_at(cost_address)
    event = event_at(m.event_at)
    sm.from_l2, sm.dram, sm.far, sm.lines = 0, event.sectors, 1, 0
    sm.l2_lines, sm.last_line, sm.pieces, sm.pending, sm.n_missed = 0, -1, 0, 0, 0
    sm.stored_line, sm.met = -1, 0
    sm.paired, sm.merged, sm.read, sm.l2_later, sm.dram_later, sm.dram_far_later = 0, 0, 0, 0, 0, 0
    cost.first_cycle = min(cost.first_cycle, sm.cycle)
    several = event.wavefronts or (event.space == LOCAL and event.global_served)
    if not sm.has_l2 or transactions(event) == 0 or several:
        return 0
    local = event.space == LOCAL
    if local:
        w = warp_at(timed_at(timed_address).warp_at)
        warp = block_at(w.block_at).block * sm.warps + w.index
        n = local_sectors(sm, m, event.served, event.width, LOCAL_WINDOW + warp * sm.local_bytes)
    else:
        n = global_sectors(sm, m, event.served)
    sm.dram, sm.far, sm.lines = 0, 0, lines_of(sm, n)
    sm.l2_later, sm.dram_later, sm.dram_far_later = NOTHING_LATER, NOTHING_LATER, NOTHING_LATER
    if cost.access == LOAD:
        level = cost.first_level
        if local:
            level = L1 if sm.has_l1 else NO_CACHE
        load(sm, cost, n, level)
        if sm.from_l2:
            end_merging(sm)
    elif cost.access == ATOMIC:
        atomic(sm, cost, n)
    else:
        store(sm, cost, n, local, event.bytes_requested < SECTOR_BYTES * n, timed_at(timed_address))
    return 0
