"""Record each issue of the multiprocessor: a row of the events, and the words of global memory that it changed."""

from __future__ import annotations

from warpview.sim.history.events import Mark
from warpview.sim.jit.compile import jit
from warpview.sim.jit.raw import load_i64, load_u16, load_u32, lowest, store_8, store_16, store_32, store_64
from warpview.sim.jit.records import addresses_at, event_at, transactions, warp_at

BARRIER, DIVERGENCE, CONFLICT = int(Mark.BARRIER), int(Mark.DIVERGENCE), int(Mark.CONFLICT)
UNCOALESCED, COLLISION, FINDING = int(Mark.UNCOALESCED), int(Mark.COLLISION), int(Mark.FINDING)
BLOCK_START, BLOCK_END = int(Mark.BLOCK_START), int(Mark.BLOCK_END)


@jit
def record_event(sm, m, cost, timed, resident_block, free, found):
    """Record a row of the columns of sim/history/events.py; ``free`` is when the warp's unit took its instruction,
    ``found`` whether it had a finding."""
    event = event_at(m.event_at)
    in_memory = cost.queues and event.on
    row = sm.n_events
    sm.n_events += 1
    store_64(sm.cycle_at + 8 * row, sm.cycle)
    store_64(sm.since_at + 8 * row, timed.since)
    store_64(sm.ready_at + 8 * row, timed.ready)
    store_64(sm.free_at + 8 * row, free)
    store_16(sm.slot_at + 2 * row, timed.slot)
    store_32(sm.block_at + 4 * row, resident_block.block)
    store_16(sm.warp_at + 2 * row, warp_at(timed.warp_at).index)
    store_32(sm.pc_at + 4 * row, event.pc)
    store_32(sm.mask_at + 4 * row, event.mask)
    store_32(sm.on_at + 4 * row, event.on)
    store_32(sm.taken_at + 4 * row, event.taken)
    store_16(sm.marks_at + 2 * row, marks_of(event, cost, in_memory, resident_block.fresh, found))
    store_16(sm.units_at + 2 * row, event.wavefronts + transactions(event) if in_memory else 0)
    store_8(sm.scheduler_at + row, timed.scheduler)
    store_8(sm.wait_at + row, timed.wait)
    store_8(sm.throttle_at + row, cost.throttle)
    resident_block.fresh = 0
    if cost.writes_global and in_memory and event.global_served:
        record_changes(sm, m, event)
    store_64(sm.change_end_at + 8 * (row - sm.first_event), sm.n_changes)


@jit
def record_traffic(sm):
    """Record what the caches have answered to the access at hand, whose row is the next one."""
    row = sm.n_events
    store_8(sm.l1_sectors_at + row, sm.l1_sectors - sm.l1_sectors_before)
    store_8(sm.l1_hits_at + row, sm.l1_hits - sm.l1_hits_before)
    store_16(sm.l2_sectors_at + 2 * row, sm.from_l2)
    store_16(sm.dram_sectors_at + 2 * row, sm.dram + sm.read)


@jit
def marks_of(event, cost, in_memory, fresh, found):
    marks = BLOCK_START if fresh else 0
    if event.taken and event.taken != event.mask:
        marks |= DIVERGENCE
    if in_memory:
        if event.serialized:
            marks |= CONFLICT
        if event.uncoalesced:
            marks |= UNCOALESCED
        if event.collisions:
            marks |= COLLISION
    if cost.barrier and event.on:
        marks |= BARRIER
    if found:
        marks |= FINDING
    return marks


@jit
def add_mark(sm, row, mark):
    at = sm.marks_at + 2 * row
    store_16(at, load_u16(at) | mark)


@jit
def record_changes(sm, m, event):
    """Compare the words that a store or atomic accessed with their mirror, which is brought up to date."""
    lanes = event.global_served
    while lanes:
        lane = lowest(lanes)
        lanes &= lanes - 1
        address = load_i64(addresses_at(m) + 8 * lane)
        for word in range(address >> 2, ((address + event.width - 1) >> 2) + 1):
            old = load_u32(sm.mirror_at + 4 * word)
            new = load_u32(m.global_at + 4 * word)
            if old != new:
                at = 4 * sm.n_changes
                sm.n_changes += 1
                store_32(sm.change_word_at + at, word)
                store_32(sm.change_old_at + at, old)
                store_32(sm.change_new_at + at, new)
                store_32(sm.mirror_at + 4 * word, new)
