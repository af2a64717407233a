"""Time additions of floats in shared memory, of which NVIDIA's compiler makes loops; sim/reference/spinning.py is the
definition."""

from __future__ import annotations

from warpview.sim.jit.atomics import bank_of
from warpview.sim.jit.compile import jit
from warpview.sim.jit.raw import load_i64, lowest
from warpview.sim.jit.records import addresses_at, block_at
from warpview.sim.jit.resident_blocks import block_address


@jit
def free_from(m, block, bank, lanes, cycle):
    """Return from when on the lanes in one bank can store, those lanes, and the place of the last one."""
    found, last = 0, 0
    while lanes:
        lane = lowest(lanes)
        place = load_i64(addresses_at(m) + 8 * lane)
        if bank_of(place) == bank:
            found |= 1 << lane
            last = place
            if block.set_word[bank] == place + 1:
                cycle = max(cycle, block.set_cycle[bank])
        lanes &= lanes - 1
    return cycle, found, last


@jit
def count(lanes):
    """Return how many lanes there are."""
    n = 0
    while lanes:
        lanes &= lanes - 1
        n += 1
    return n


@jit
def spin(sm, m, scheduler, timed, cost, event):
    """Return for how many cycles a warp goes round its loop, each time with one lane of a bank that can store, and let
    it take its slots of the scheduler and its passes over shared memory."""
    lanes, words = event.served, event.wavefronts
    block, most, end = block_at(block_address(m, timed.block_slot)), 0, sm.cycle
    while lanes:
        bank = bank_of(load_i64(addresses_at(m) + 8 * lowest(lanes)))
        start, here, last = free_from(m, block, bank, lanes, sm.cycle)
        n = count(here)
        block.set_word[bank], block.set_cycle[bank] = last + 1, start + n * m.set_window
        end, most = max(end, start + n * cost.spins), max(most, n)
        lanes &= ~here
    scheduler.port_free = max(scheduler.port_free, sm.cycle + sm.port + most * cost.held)
    sm.shared_free += cost.shared_times * max(0, most + words * (words - 1) // 2 - words)
    return end - sm.cycle
