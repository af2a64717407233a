"""Simulate the caches of a multiprocessor, as sim/reference/sm_caches.py does, function by function."""

from __future__ import annotations

from warpview.isa.types import Space
from warpview.sim.jit.access_sectors import global_sectors, lines_of, local_sectors, tag_cycles
from warpview.sim.jit.cache_ways import (
    FILLED,
    cache_of,
    dram_places,
    forget,
    in_last_piece,
    note_line,
    note_piece,
    note_slice,
    probe,
    spread_place,
    way_of,
)
from warpview.sim.jit.compile import jit, unit
from warpview.sim.jit.l2_lines import bring_in, is_late, note_along, use_line
from warpview.sim.jit.memory_stores import end_merging, store
from warpview.sim.jit.raw import load_i64, store_64
from warpview.sim.jit.records import (
    block_at,
    cost_at,
    event_at,
    machine_at,
    sm_at,
    timed_at,
    transactions,
    warp_at,
)
from warpview.sim.jit.sm_state import ATOMIC, L1, L2, LOAD, NO_CACHE, SHARE_BYTES
from warpview.sim.memory import LOCAL_WINDOW
from warpview.sim.rules.l1 import LANE_BYTES
from warpview.sim.timing.model import SECTOR_BYTES

LOCAL, GLOBAL, CONST = int(Space.LOCAL), int(Space.GLOBAL), int(Space.CONST)
NOTHING_LATER = -(1 << 20)


@jit
def has_reached(sm, row, sector):
    """Return whether all multiprocessors can have reached more of an allocation than they have brought in, by the
    blocks that this one has started, or its misses; the blocks are taken to be equally far apart."""
    low, high = min(load_i64(row + 40), sector), max(load_i64(row + 48), sector)
    store_64(row + 40, low)
    store_64(row + 48, high)
    if sm.first_wave:
        return True
    size, whole = load_i64(row + 8) - load_i64(row), load_i64(row + 56)
    reached = min(size, (high - low + 1) * sm.n_started // (sm.n_started - 1))
    brought = whole - load_i64(row + 16)
    return brought * size < whole * reached or brought * sm.n_queue < whole * sm.n_started


@jit
def brings_in(sm, sector):
    """Return whether this multiprocessor brings a sector of an allocation into the L2, and count it."""
    for k in range(sm.n_shares):
        row = sm.shares_at + k * SHARE_BYTES
        if load_i64(row) <= sector and sector < load_i64(row + 8):
            left = load_i64(row + 16)
            if left > 0 and not has_reached(sm, row, sector):
                return False
            store_64(row + 16, left - 1)
            if left == 1:
                store_64(row + 24, sm.cycle)
            return left > 0
    return True


@jit
def is_shared(sm, sector):
    """Return whether other multiprocessors read an allocation, too: this one has asked for more than its share."""
    for k in range(sm.n_shares):
        row = sm.shares_at + k * SHARE_BYTES
        if load_i64(row) <= sector and sector < load_i64(row + 8):
            return load_i64(row + 16) < 0
    return False


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
def note_far(sm, sector, is_own):
    """Note that the access waits for a sector from DRAM, which this multiprocessor asks for alone or with others."""
    sm.far = 1
    kib, line = dram_places(sector)
    by_kib = sm.dram_own_spread[kib] if is_own else sm.dram_shared_spread[kib]
    by_line = sm.dram_own_spread[line] if is_own else sm.dram_shared_spread[line]
    sm.dram_later, sm.dram_far_later = max(sm.dram_later, by_kib), max(sm.dram_far_later, by_line)


@jit
def has_other_half(sm, first):
    """Return whether the L2 has other sectors of the line of a piece."""
    cache = cache_of(sm, L2)
    way = way_of(cache, first >> cache.line_shift)
    return way != 0 and load_i64(way + 8) != 0


@jit
def came_along(sm, sector):
    """Return whether the L2 has another of the sectors that DRAM gives with one, and note when that one is there."""
    cache = cache_of(sm, L2)
    way, first = way_of(cache, sector >> cache.line_shift), sector & -sm.dram_sectors_together
    for other in range(first, first + sm.dram_sectors_together):
        bit = 1 << ((other >> cache.part_shift) & cache.part_mask)
        if other != sector and load_i64(way + 8) & bit:
            sm.pending = max(sm.pending, load_i64(way + FILLED))
            return True
    return False


@jit
def fetch(sm, cost, sector):
    """Read a sector through L2. One that another multiprocessor brings in is as late as from DRAM while the first
    blocks run, which ask for it at the same time."""
    sm.from_l2 += 1
    sm.l2_sectors += 1
    sm.l2_later = max(sm.l2_later, sm.l2_spread[spread_place(sector)])
    note_slice(sm, sector)
    note_line(sm, sector)
    was_replaced = use_line(sm, sector)
    again = has_other_half(sm, sector)
    if probe(sm, cache_of(sm, L2), sector, 1):
        sm.l2_hits += not in_last_piece(sm, sector)
        sm.near += is_shared(sm, sector)
        if is_late(sm, sector) and not in_last_piece(sm, sector):
            note_far(sm, sector, 1)
    else:
        if was_replaced or brings_in(sm, sector):
            before = sm.dram
            sm.dram += 1
            sm.clean += 1
            note_far(sm, sector, 1)
            if again:
                sm.paired += 1
            first = sector & -sm.dram_sectors_together
            note_piece(sm, first)
            for other in range(first, first + sm.dram_sectors_together):
                if other != sector and not probe(sm, cache_of(sm, L2), other, 1):
                    sm.dram += 1
                    sm.clean += 1
                    note_along(sm, other)
                    if not was_replaced:
                        brings_in(sm, other)
            bring_in(sm, sector, sm.dram - before)
        else:
            sm.l2_hits += 1
            sm.l2_shared += 1
            sm.near += 1
            if asked_for_together(sm, cost, sector) and not came_along(sm, sector):
                note_far(sm, sector, 0)


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
def atomic(sm, cost, n):
    for k in range(n):
        sector = load_i64(sm.sectors_at + 8 * k)
        if sm.has_l1:
            sm.l1_sectors += sm.l1_caches_global
            forget(cache_of(sm, L1), sector)
        fetch(sm, cost, sector)


@jit
def begin_access(sm, later):
    """Begin an access that has asked for nothing yet; its data are ``later`` than the mean at least."""
    sm.from_l2, sm.dram, sm.far, sm.undone = 0, 0, 0, 0
    sm.l2_lines, sm.last_line, sm.pieces, sm.pending, sm.n_missed = 0, -1, 0, 0, 0
    sm.stored_line, sm.touched, sm.met, sm.near = -1, -1, 0, 0
    sm.paired, sm.merged, sm.read = 0, 0, 0
    sm.l2_later, sm.dram_later, sm.dram_far_later = later, later, later


@unit(4)
def look_up_access(multiprocessor, machine, cost_address, timed_address):
    """Send the access issued last through the caches; ``from_l2`` and ``dram`` say then where it was served."""
    sm, m, cost = sm_at(multiprocessor), machine_at(machine), cost_at(cost_address)
    event = event_at(m.event_at)
    begin_access(sm, 0)
    sm.dram, sm.far, sm.lines, sm.passes, sm.turns = event.sectors, 1, 0, 0, 0
    sm.l1_sectors_before, sm.l1_hits_before = sm.l1_sectors, sm.l1_hits
    cost.first_cycle = min(cost.first_cycle, sm.cycle)
    several = event.wavefronts or event.space == CONST or (event.space == LOCAL and event.global_served)
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
    sm.passes = sm.lines
    if m.l1_timed and not local and cost.access != ATOMIC:
        sm.passes = max(m.data_cycles, tag_cycles(sm, m, n))
        sm.turns = max(0, m.data_cycles - max(1, event.width // LANE_BYTES))
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
        is_partial = event.bytes_requested < SECTOR_BYTES * n
        store(sm, m, cost, n, local, is_partial, event, timed_at(timed_address))
    return 0
