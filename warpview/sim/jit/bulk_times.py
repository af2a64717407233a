"""Take the bytes of bulk loads through the L2 and DRAM, as the reference's ``bulk_loads.py`` does, and tell their
barriers when they are there."""

from __future__ import annotations

from warpview.isa.types import RANK_SHIFT
from warpview.sim.jit import clusters
from warpview.sim.jit.atomics import slot_of_barrier
from warpview.sim.jit.bulk import OFFSET_MASK, WORD_MASK
from warpview.sim.jit.cache_ways import note_filled
from warpview.sim.jit.compile import jit
from warpview.sim.jit.memory_caches import NOTHING_LATER, begin_access, fetch
from warpview.sim.jit.queues import enter_queues, read_latency
from warpview.sim.jit.raw import address_of, lowest
from warpview.sim.jit.records import block_at, warp_at
from warpview.sim.jit.resident_blocks import resident_block_of
from warpview.sim.rules.bulk import SECTORS_A_PART
from warpview.sim.timing.model import SECTOR_BYTES


@jit
def pass_bulk_load(sm, m, cost, event, timed):
    """Take the bulk load that was issued through the L2 and DRAM, part by part, and note when its bytes are there."""
    begin = max(sm.cycle, sm.bulk_free)
    sm.bulk_free = begin + max(sm.bulk_interval, m.bulk_size // sm.bulk_bytes)
    sm.first_wave = 1 if resident_block_of(sm, timed.block_slot).order < sm.resident else 0
    cost.first_cycle = min(cost.first_cycle, sm.cycle)
    first, ready = m.bulk_from // SECTOR_BYTES, 0
    sector, end = first, (m.bulk_from + m.bulk_size - 1) // SECTOR_BYTES + 1
    while sector < end:
        stop = min(end, sector + SECTORS_A_PART)
        start = begin + (sector - first) * SECTOR_BYTES // sm.bulk_bytes
        ready = max(ready, pass_part(sm, cost, event, sector, stop, start))
        sector = stop
    note_arrivals(m, block_at(warp_at(timed.warp_at).block_at), ready)
    m.bulk_size = 0


@jit
def pass_part(sm, cost, event, sector, stop, start):
    """Take some sectors of a bulk load through the L2 and DRAM from ``start`` on; returns when they are there."""
    begin_access(sm, NOTHING_LATER)
    moved = (stop - sector) * SECTOR_BYTES // sm.bulk_bytes
    while sector < stop:
        fetch(sm, cost, sector)
        sector += 1
    sm.dram_sectors += sm.dram
    sm.left_at = start
    enter_queues(sm, cost, event, start, 0)
    later = read_latency(sm) - sm.l2_latency if sm.far else 0
    ready = max(sm.served + sm.bulk_cycles + later + moved, sm.pending)
    note_filled(sm, ready)
    return ready


@jit
def note_arrivals(m, block, cycle):
    """Note when the bytes of the bulk load are there of which its barrier is told, of a multicast one that in each
    block."""
    mask = m.bulk_mask
    if mask < 0:
        note_arrival(m, block, m.bulk_barrier, cycle)
        return
    while mask:
        note_arrival(m, block, lowest(mask) << RANK_SHIFT | m.bulk_barrier & OFFSET_MASK, cycle)
        mask &= mask - 1


@jit
def note_arrival(m, block, barrier, cycle):
    """Note when bytes are there of which a barrier is told, in the block that its address names."""
    rank = barrier >> RANK_SHIFT & 0xFF
    home, place = address_of(block), (barrier & WORD_MASK) - block.window
    if m.names_blocks and rank != block.window >> RANK_SHIFT:
        home, place = clusters.block_of_rank(m, block, rank), (barrier & WORD_MASK) - (rank << RANK_SHIFT)
    if home:
        slot = slot_of_barrier(place)
        block_at(home).bulk_place[slot], block_at(home).bulk_ready[slot] = place + 1, cycle
