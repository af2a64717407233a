"""Simulate what becomes of stores on their way to the L2 and in it, as sim/reference/sm_caches.py does."""

from __future__ import annotations

from warpview.sim.jit.access_sectors import HALVES, note_all_halves, note_halves
from warpview.sim.jit.cache_ways import (
    HALVES_STORED,
    READ_SHIFT,
    SENT_SHIFT,
    STORED,
    cache_of,
    enter,
    forget,
    note_line,
    note_piece,
    note_slice,
    probe,
    way_of,
    write,
)
from warpview.sim.jit.compile import jit
from warpview.sim.jit.l2_lines import bring_in, use_line
from warpview.sim.jit.raw import load_i64, store_64
from warpview.sim.jit.records import block_at, warp_at
from warpview.sim.jit.sm_state import L1, L2, SHARE_BYTES, STORES_SCALE
from warpview.sim.timing.model import LINES_MERGED, WIDEST

WHOLE = (1 << HALVES) - 1


@jit
def merges(sm, cache, sector, was_written, scheduler):
    """Return whether a sector that is written is merged with one of the last that a scheduler has sent; sectors of one
    access are not merged with one another."""
    line = sector >> cache.line_shift
    way = way_of(cache, line)
    if line != sm.stored_line:
        last = load_i64(way + STORED)
        sm.stored_line = line
        sm.merging = sm.stored[last % STORES_SCALE] - last // STORES_SCALE < sm.merge_window
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
def meets_others(cost, sector, n, warp):
    """Return whether all blocks are taken to store to one sector: every access of the instruction did, from several
    warps."""
    if n > 1 or (cost.one_sector and cost.one_sector != sector + 1):
        cost.one_sector = -1
    elif not cost.one_sector:
        cost.one_sector, cost.one_warp = sector + 1, warp + 1
    elif cost.one_warp != warp + 1:
        cost.one_warp = -1
    return cost.one_sector > 0 and cost.one_warp < 0


@jit
def stores_first(sm, sector):
    """Return whether this multiprocessor is the first to store to a sector of an allocation, and count it."""
    for k in range(sm.n_shares):
        row = sm.shares_at + k * SHARE_BYTES
        if load_i64(row) <= sector and sector < load_i64(row + 8):
            left = load_i64(row + 32)
            store_64(row + 32, left - 1)
            return left > 0
    return True


@jit
def is_kept(sm, parts):
    """Return whether L2 holds one more sector that differs from memory, and count it; where only a part of it is
    stored, so many ``parts`` has the access, else it is 0."""
    room = min(sm.room_alone, sm.room_mixed * sm.dirty // max(1, sm.dirty + max(0, sm.clean)))
    if parts:
        room = min(room, sm.room_part * parts // (4 * sm.lines))
    if sm.held >= room:
        return False
    sm.held += 1
    return True


@jit
def store_first(sm, way, place, parts, was_there):
    """Store to a sector for the first time, of which ``parts`` says whether all of it is stored (0)."""
    sm.dirty += 1
    sm.clean -= was_there
    if is_kept(sm, parts):
        return
    sm.dram += 1
    if parts:
        sent = 1 << (SENT_SHIFT + place)
        if not was_there:
            sm.read += 1
            sent |= 1 << (READ_SHIFT + place)
        store_64(way + 8, load_i64(way + 8) | sent)


@jit
def complete(sm, way, place):
    """Store the rest of a sector: if a part of it was sent to memory, that was for nothing."""
    bits = load_i64(way + 8)
    if bits >> (SENT_SHIFT + place) & 1:
        sm.undone += is_kept(sm, 0) + (bits >> (READ_SHIFT + place) & 1)
        store_64(way + 8, bits & ~(1 << (SENT_SHIFT + place) | 1 << (READ_SHIFT + place)))


@jit
def note_stored(sm, m, n, local, is_partial, lanes, width):
    """Note which halves of words of the listed sectors are stored to; returns of how many only a part is. Where what is
    stored goes on from one sector to the next, other accesses are taken to store what is missing of both."""
    if not is_partial or local:
        note_all_halves(sm, n, 0 if is_partial else WHOLE)
        return n if is_partial else 0
    note_halves(sm, m, n, lanes, width)
    parts, last, goes_on = 0, -1, False
    for k in range(n):
        sector, stored = load_i64(sm.sectors_at + 8 * k), load_i64(sm.halves_at + 8 * k)
        goes_on = goes_on and sector == last + 1
        follows = goes_on and stored & 1
        if follows:
            parts -= load_i64(sm.halves_at + 8 * k - 8) != WHOLE
            store_64(sm.halves_at + 8 * k - 8, WHOLE)
        goes_on, last = stored >> (HALVES - 1) != 0, sector
        if follows:
            store_64(sm.halves_at + 8 * k, WHOLE)
        elif stored != WHOLE:
            parts += 1
    return parts


@jit
def store(sm, m, cost, n, local, is_partial, event, timed):
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
    hit, line = 0, -1
    parts = note_stored(sm, m, n, local, is_partial, event.served, event.width)
    sm.merge_window = 2 * sm.store_merge if event.width == WIDEST and sm.lines <= LINES_MERGED else sm.store_merge
    for k in range(n):
        sector = load_i64(sm.sectors_at + 8 * k)
        if sm.has_l1:
            if sm.stores_evict:
                forget(l1, sector)
            elif local or sm.l1_caches_global:
                sm.l1_sectors += 1
                if sector >> l1.line_shift != line:
                    line = sector >> l1.line_shift
                    hit = enter(l1, sector)
                sm.l1_hits += hit
        note_slice(sm, sector)
        was_replaced = use_line(sm, sector)
        was_there, was_written = write(sm, l2, sector)
        way, place = way_of(l2, sector >> l2.line_shift), sector & l2.part_mask
        stored, shift = load_i64(sm.halves_at + 8 * k), HALVES * place
        before = load_i64(way + HALVES_STORED) >> shift & WHOLE
        store_64(way + HALVES_STORED, load_i64(way + HALVES_STORED) | stored << shift)
        was_written = was_written or not (was_replaced or stores_first(sm, sector))
        if not was_written:
            bring_in(sm, sector, 1 - was_there)
            store_first(sm, way, place, parts if stored != WHOLE else 0, was_there)
            note_piece(sm, sector)
        elif before | stored == WHOLE:
            complete(sm, way, place)
        if merges(sm, l2, sector, was_written, timed.scheduler):
            sm.merged += 1
        else:
            note_line(sm, sector)
    sm.from_l2 = n - sm.merged
    sm.l2_sectors += sm.from_l2
    sm.l2_hits += sm.from_l2
    sm.l2_stored += sm.from_l2
    w = warp_at(timed.warp_at)
    warp = block_at(w.block_at).block * sm.warps + w.index
    sm.met = 0
    if meets_others(cost, load_i64(sm.sectors_at), n, warp):
        sm.met = 2 if sm.from_l2 else 1 if sm.cycle < sm.loaded else 0
