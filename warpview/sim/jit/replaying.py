"""Execute recorded events again, without time."""

from __future__ import annotations

from warpview.sim.jit.barrier import release
from warpview.sim.jit.clusters import settle_cluster
from warpview.sim.jit.compile import jit, unit
from warpview.sim.jit.issue import issue
from warpview.sim.jit.named_barriers import settle_named
from warpview.sim.jit.next_instruction import next_pc
from warpview.sim.jit.raw import address_of, load_i64, load_u16, lowest, store_32
from warpview.sim.jit.records import addresses_at, event_at, machine_at, sm_at
from warpview.sim.jit.resident_blocks import block_address, blocks_released, resident_block_of, start_functional
from warpview.sim.jit.scheduler import cost_of, timed_of
from warpview.sim.jit.sm_state import NOT_RUNNABLE

NOWHERE = 0xFFFFFFFF  # stands for an address that does not fit 32 bits


@jit
def find_next(sm, number):
    """Find what the warps of a block issue next."""
    for k in range(sm.warps):
        timed = timed_of(sm, number * sm.warps + k)
        timed.pc = next_pc(sm.machine_at, timed.warp_at)


@unit(2)
def replay_event(address, row):
    """Execute the event with that index; the state is that before it."""
    sm = sm_at(address)
    m = machine_at(sm.machine_at)
    while sm.n_started < sm.n_queue and load_i64(sm.started_step_at + 8 * sm.n_started) <= row:
        start_functional(sm, m, load_i64(sm.started_slot_at + 8 * sm.n_started))
    timed = timed_of(sm, load_u16(sm.slot_at + 2 * row))
    m.cycle = load_i64(sm.cycle_at + 8 * row)
    issue(address_of(m), timed.warp_at, 1)
    timed.pc = next_pc(address_of(m), timed.warp_at)
    if m.in_clusters and settle_cluster(address_of(m), block_address(m, timed.block_slot)):
        for number in range(sm.resident):
            if resident_block_of(sm, number).block >= 0:
                find_next(sm, number)
    if timed.pc == NOT_RUNNABLE:
        if m.named and settle_named(address_of(m), block_address(m, timed.block_slot)):
            find_next(sm, timed.block_slot)
        first, last = blocks_released(sm, m, timed.block_slot)
        for number in range(first, last):
            release(address_of(m), block_address(m, number))
            find_next(sm, number)
    return 0


@unit(3)
def sm_replay(address, first, last):
    """Execute the events ``first`` to ``last - 1``."""
    for row in range(first, last):
        replay_event(address, row)
    return last


@jit
def write_addresses(m, event, at):
    """Write the address of each lane served as uint32, all ones where it is none of the space's."""
    lanes = event.served
    while lanes:
        address = load_i64(addresses_at(m) + 8 * lowest(lanes))
        store_32(at, address if 0 <= address < NOWHERE else NOWHERE)
        at += 4
        lanes &= lanes - 1
    return at


@unit(5)
def sm_accesses(address, first, last, rows_at, words_at):
    """Execute the events ``first`` to ``last - 1`` and write down what they access: at ``rows_at`` three uint32 each
    (event, lanes served, space | width << 8), at ``words_at`` the addresses of those lanes. Returns how many."""
    sm = sm_at(address)
    m = machine_at(sm.machine_at)
    found = 0
    for row in range(first, last):
        replay_event(address, row)
        event = event_at(m.event_at)
        if event.on and cost_of(sm, event.pc).queues and event.served:
            at = rows_at + 12 * found
            store_32(at, row)
            store_32(at + 4, event.served)
            store_32(at + 8, event.space | event.width << 8)
            words_at = write_addresses(m, event, words_at)
            found += 1
    return found
