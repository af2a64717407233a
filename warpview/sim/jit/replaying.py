"""Recorded events carried out again, without time."""

from __future__ import annotations

from warpview.sim.jit.barrier import barrier_complete, release
from warpview.sim.jit.compile import jit, unit
from warpview.sim.jit.issue import issue
from warpview.sim.jit.multiprocessor import block_address, start_functional
from warpview.sim.jit.raw import address_of, load_i64, load_u16, lowest, store_64
from warpview.sim.jit.scheduler import cost_of, timed_of
from warpview.sim.jit.sm_state import NOT_RUNNABLE, sm_at
from warpview.sim.jit.state import addresses_at, block_at, event_at, machine_at, warp_at
from warpview.sim.jit.upcoming import next_pc


@unit(2)
def replay_event(address, row):
    """Carry out the event with that index; the state is that before it."""
    sm = sm_at(address)
    m = machine_at(sm.machine_at)
    while sm.n_started < sm.n_queue and load_i64(sm.started_step_at + 8 * sm.n_started) <= row:
        start_functional(sm, m, load_i64(sm.started_stay_at + 8 * sm.n_started))
    timed = timed_of(sm, load_u16(sm.slot_at + 2 * row))
    m.cycle = load_i64(sm.cycle_at + 8 * row)
    issue(address_of(m), timed.warp_at, 1)
    timed.pc = next_pc(address_of(m), timed.warp_at)
    block = block_address(m, timed.block_slot)
    if timed.pc == NOT_RUNNABLE and barrier_complete(address_of(m), block):
        release(address_of(m), block)
        for k in range(sm.warps):
            other = timed_of(sm, timed.block_slot * sm.warps + k)
            other.pc = next_pc(address_of(m), other.warp_at)
    return 0


@unit(3)
def sm_replay(address, first, last):
    """Carry out the events ``first`` to ``last - 1``."""
    for row in range(first, last):
        replay_event(address, row)
    return last


@jit
def touches(m, space, low, high):
    """Whether the access issued last touches a byte from ``low`` to ``high - 1`` of a space."""
    event = event_at(m.event_at)
    lanes = event.served if event.space == space else 0
    while lanes:
        address = load_i64(addresses_at(m) + 8 * lowest(lanes))
        if address < high and address + event.width > low:
            return 1
        lanes &= lanes - 1
    return 0


@unit(8)
def sm_touching(address, first, last, space, low, high, block, steps_at):
    """Carry out events and write down the steps whose access touches bytes ``low`` to ``high - 1`` of a space (of a
    block only, where it is not negative), as int64 at ``steps_at``; returns how many they are."""
    sm = sm_at(address)
    m = machine_at(sm.machine_at)
    found = 0
    for row in range(first, last):
        replay_event(address, row)
        event = event_at(m.event_at)
        w = warp_at(timed_of(sm, load_u16(sm.slot_at + 2 * row)).warp_at)
        of_block = block < 0 or block_at(w.block_at).block == block
        if of_block and event.on and cost_of(sm, event.pc).queues and touches(m, space, low, high):
            store_64(steps_at + 8 * found, row + 1)
            found += 1
    return found
