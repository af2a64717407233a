"""Look sectors up in a cache of a multiprocessor, and note what the access at hand asks for."""

from __future__ import annotations

from warpview.sim.jit.access_sectors import LINE_SHIFT
from warpview.sim.jit.compile import jit
from warpview.sim.jit.raw import load_i64, popcount, store_64
from warpview.sim.jit.records import cache_at
from warpview.sim.jit.sm_state import CACHE_BYTES, WAY_BYTES
from warpview.sim.rules.cache import HASH_SHIFT, MIX_SHIFTS
from warpview.sim.timing.model import FAR_MASK, HASH, KIB_SHIFT, OWN_SPREAD, PIECE_SHIFT

FILLED = 24  # bytes from the start of a way to the cycle in which its data are there
STORED = 32  # the same to what is known of the last store to it
HALVES_STORED = 40  # the same to the halves of words that were stored to, HALVES bits a sector
BROUGHT = 48  # the same to what is known of its being replaced: see l2_lines.py
DIRTY_SHIFT = 32  # of the bits of a way: sectors that differ from memory
SENT_SHIFT = 36  # those of which a part was sent to memory; what was missing had to be read there first
READ_SHIFT = 40  # unless these bits are not set
ALONG_SHIFT = 44  # those that DRAM has given with another one and nobody has asked for
AGAIN = 1 << 48  # another access has used the line since it came, and it is one of those that its set keeps
KEPT = 1 << 62  # is more than any cycle


@jit
def cache_of(sm, number):
    return cache_at(sm.caches_at + number * CACHE_BYTES)


@jit
def set_of(cache, line):
    """Return the address of the ways of a line's set."""
    place = mixed_place(line) if cache.hashed else line
    return cache.ways_at + place % cache.sets * cache.ways * WAY_BYTES


@jit
def mixed_place(line):
    """Return a line's number with its upper bits folded onto the lower ones."""
    upper = line >> HASH_SHIFT ^ line >> 2 * HASH_SHIFT
    for shift in MIX_SHIFTS:
        line ^= upper << shift
    return line ^ upper


@jit
def way_of(cache, line):
    """Return the address of the way that holds a line; 0 if none does."""
    ways = set_of(cache, line)
    for k in range(cache.ways):
        way = ways + k * WAY_BYTES
        if load_i64(way) == line + 1 and load_i64(way + 16) > cache.invalid:
            return way
    return 0


@jit
def next_way(cache, ways, there):
    """Return the way of a set that is the next to be replaced: the one used longest ago, of those that were not used
    again if there are such. With ``there``, empty ways do not count; 0 if all are."""
    oldest, least = 0, 2 * KEPT - 1
    for k in range(cache.ways):
        way = ways + k * WAY_BYTES
        rank = load_i64(way + 16)
        if there == 0 or rank > cache.invalid:
            if cache.kept and rank > cache.invalid and load_i64(way + 8) & AGAIN:
                rank += KEPT
            if rank < least:
                oldest, least = way, rank
    return oldest


@jit
def drop_in_turn(cache):
    """Drop a line of the next set in turn that has any."""
    way = 0
    while way == 0:
        way = next_way(cache, cache.ways_at + cache.turn % cache.sets * cache.ways * WAY_BYTES, 1)
        cache.turn += 1
    drop(cache, way)


@jit
def drop(cache, way):
    store_64(way, 0)
    store_64(way + 8, 0)
    store_64(way + 16, 0)
    cache.held -= 1


@jit
def keep(cache, line, way):
    """Keep a line that is used again; of more than a set keeps, the one used longest ago is as others again."""
    if load_i64(way + 8) & AGAIN:
        return
    ways, n, oldest = set_of(cache, line), 0, 0
    for k in range(cache.ways):
        other = ways + k * WAY_BYTES
        if load_i64(other + 8) & AGAIN and load_i64(other + 16) > cache.invalid:
            n += 1
            if oldest == 0 or load_i64(other + 16) < load_i64(oldest + 16):
                oldest = other
    if n == cache.kept:
        store_64(oldest + 8, load_i64(oldest + 8) & ~AGAIN)
    store_64(way + 8, load_i64(way + 8) | AGAIN)


@jit
def make_room(cache, line):
    """Give a line the way that is empty or is the next to be replaced, with no sector filled. Where one is empty but no
    room is left, a line of another set goes."""
    oldest = next_way(cache, set_of(cache, line), 0)
    if load_i64(oldest + 16) <= cache.invalid:
        if cache.held == cache.lines:
            drop_in_turn(cache)
        cache.held += 1
    store_64(oldest, line + 1)
    store_64(oldest + 8, 0)
    store_64(oldest + FILLED, 0)
    store_64(oldest + STORED, 0)
    store_64(oldest + HALVES_STORED, 0)
    store_64(oldest + BROUGHT, 0)
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
        if cache.kept and line != sm.touched:
            keep(cache, line, way)
    elif allocate:
        way = make_room(cache, line)
    if cache.kept:
        sm.touched = line
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
def enter(cache, sector):
    """Let a sector's line have a place, as a store that goes through gives it one; returns whether it had. No sector is
    filled."""
    line = sector >> cache.line_shift
    way = way_of(cache, line)
    known = 1 if way else 0
    if not way:
        way = make_room(cache, line)
    elif cache.kept:
        keep(cache, line, way)
    cache.clock += 1
    store_64(way + 16, cache.clock)
    return known


@jit
def forget(cache, sector):
    """Drop the line of a sector."""
    way = way_of(cache, sector >> cache.line_shift)
    if way:
        drop(cache, way)


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
def spread_place(sector):
    """Return which of the latencies a sector's line has."""
    return own_place(sector) >> 2


@jit
def kept_place(sector):
    """Return which eighth of the lines a sector's line is of by how long the L2 keeps it, whatever its latency."""
    return own_place(sector) & 7


@jit
def own_place(sector):
    """Return which of the latencies a sector's line has for which no other multiprocessor asks."""
    return ((sector >> LINE_SHIFT) * HASH & 0xFFFFFFFF) >> 27


@jit
def dram_places(sector):
    """Return which of the latencies of DRAM a sector has together with the others of its KiB, and which by its line:
    one of the earlier half where its piece of memory is near, else of the later one."""
    first = (popcount(sector >> PIECE_SHIFT & FAR_MASK) & 1) * (OWN_SPREAD // 2)
    return first + (((sector >> KIB_SHIFT) * HASH & 0xFFFFFFFF) >> 28), first + own_place(sector) // 2


@jit
def pair_place(sector):
    """Return which of PAIR_PLACES the pair of sectors is to which a sector belongs."""
    return ((sector >> 1) * HASH & 0xFFFFFFFF) >> 26


@jit
def note_slice(sm, sector):
    """Note that the L2 is asked for a sector, for whose slice the next fence waits."""
    sm.fence_trip = max(sm.fence_trip, sm.fence_trips[spread_place(sector)])


@jit
def note_line(sm, sector):
    """Count the lines that L2 is asked for."""
    if sector >> LINE_SHIFT != sm.last_line:
        sm.last_line = sector >> LINE_SHIFT
        sm.l2_lines += 1
