"""Send accesses through the shared pipe and the memory queue of a multiprocessor."""

from __future__ import annotations

from warpview.sim.jit.compile import jit
from warpview.sim.jit.records import transactions
from warpview.sim.jit.sm_state import STORE
from warpview.sim.timing import FRACTION, LOAD_WINDOW, MOST_LOAD, SECTOR_BYTES


@jit
def note_load(sm, work):
    """Count what an access takes of memory's time, by windows."""
    if sm.cycle >= sm.window_end:
        idle = sm.cycle >= sm.window_end + LOAD_WINDOW
        sm.load = 0 if idle else min(sm.window_work // LOAD_WINDOW, MOST_LOAD)
        sm.window_end, sm.window_work = sm.cycle + LOAD_WINDOW, 0
    sm.window_work += work


@jit
def lines_busy(sm, event):
    """Return the cycles that the lines of an access take, or its transactions; where all accesses are coalesced, those
    of as many bytes in a row, and leave as few sectors to the L2 and to DRAM."""
    lines, pieces = sm.lines, transactions(event)
    if sm.coalesced:
        sectors = (event.bytes_requested + SECTOR_BYTES - 1) // SECTOR_BYTES
        lines, pieces = min(lines, (sectors + 3) >> 2), min(pieces, sectors)
        sm.from_l2, sm.dram = min(sm.from_l2, sectors), min(sm.dram, sectors)
    return lines * sm.line_busy if lines and sm.line_busy else pieces


@jit
def latency_of(sm):
    """Return the latency of the last memory or cache that the access needs."""
    if sm.far:
        return sm.global_latency + sm.dram_queue * sm.load // (FRACTION - sm.load)
    return sm.l2_latency if sm.from_l2 else sm.l1_latency


@jit
def through_memory(sm, cost, event):
    """Send an access through the shared pipe and the memory queue; returns the cycle in which its result is there.
    The caches have been asked. ``sources_read`` says then when its sources were read."""
    result = sm.cycle
    sm.sources_read = sm.cycle + sm.reads_sources
    if event.wavefronts:
        again = event.wavefronts - event.ideal_wavefronts
        ideal = sm.shared_slot * ((event.ideal_wavefronts + sm.ideal_passes - 1) // sm.ideal_passes - 1)
        start = max(sm.cycle, sm.shared_free)
        busy = sm.shared_slot + ideal + again * (sm.constant_pass if cost.constant else sm.wavefront_busy)
        sm.shared_free = start + busy
        sm.busy_shared += busy
        further = ideal + again * (sm.constant_pass if cost.constant else sm.wavefront)
        result = start + further + (sm.constant_latency if cost.constant else sm.shared_latency)
        sm.sources_read = start + sm.reads_sources
    if transactions(event):
        start = max(sm.cycle, sm.shared_free)
        busy = max(sm.shared_slot, lines_busy(sm, event))
        sm.shared_free = start + busy
        sm.busy_l1 += busy
        sm.sources_read = start + sm.reads_sources
        sm.dram_sectors += sm.dram
        for_dram, sector = sm.dram * cost.sector_cost, cost.l2_cost
        if cost.access == STORE and event.bytes_requested < SECTOR_BYTES * sm.from_l2:
            sector = max(sector, sm.partial_cost)
        for_l2, for_atomics = sm.from_l2 * sector, event.sectors * cost.pass_cost
        work = max(for_dram, for_l2) + for_atomics
        sm.busy_l2 += for_l2
        sm.busy_dram += for_dram
        sm.busy_atomics += for_atomics
        if sm.dram_queue:
            note_load(sm, for_dram)
        served = start + busy - sm.shared_slot
        if work:
            sm.memory_free = max(start * FRACTION, sm.memory_free) + work
            served = max(served, (sm.memory_free + FRACTION - 1) // FRACTION)
        result = max(result, served + latency_of(sm))
    return result
