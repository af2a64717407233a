"""Run the blocks of other multiprocessors beside those of the followed one, each warp by a clock of its own.

Each instruction takes its warp the cycles that other_blocks.py gives it. Warps go on in steps of QUANTUM cycles, so
that what they do to memory happens in the order of their clocks, up to that.
"""

from __future__ import annotations

from warpview.isa.program import NONE
from warpview.sim.jit.barrier import barrier_complete, release
from warpview.sim.jit.compile import jit, unit
from warpview.sim.jit.issue import issue
from warpview.sim.jit.named_barriers import settle_named
from warpview.sim.jit.next_instruction import next_pc
from warpview.sim.jit.polled_words import finds_change
from warpview.sim.jit.profile import BLOCK_BYTES, WARP_BYTES, start_block
from warpview.sim.jit.raw import address_of, load_i32, load_i64
from warpview.sim.jit.records import block_at, machine_at, pace_at, warp_at
from warpview.sim.timing.model import NEVER

QUANTUM = 32


@jit
def is_far(block):
    """Return whether a block runs far from the words that others address, too: every other one."""
    return block.slot & 1


@jit
def run_warp_until(pace, m, w, cycle):
    """Run a warp up to a cycle of its clock, or until it waits for others of its block; then its clock says NEVER.
    Return when it began to wait, or 0."""
    costs = pace.far_costs_at if is_far(block_at(w.block_at)) else pace.costs_at
    while w.live and w.clock < cycle and not m.stopped:
        pc = next_pc(address_of(m), address_of(w))
        if pc == NONE and w.live:
            began, w.clock = w.clock, NEVER
            return began
        m.cycle, issued, length = w.clock, w.issued, load_i32(pace.runs_at + 4 * pc)
        issue(address_of(m), address_of(w), length)
        w.clock += load_i32(costs + 4 * pc)
        issued = w.issued - issued
        if issued < length:  # the rest of them is executed later
            w.clock -= load_i32(costs + 4 * (pc + issued))
        elif load_i32(pace.polls_at + 4 * pc) and finds_change(m, w):
            w.clock += pace.changed_later
    return 0


@jit
def go_on(block, cycle):
    """Let the warps of a block that have waited go on."""
    for k in range(block.n_warps):
        w = warp_at(block.first_warp_at + k * WARP_BYTES)
        if w.live and w.clock == NEVER:
            w.clock = cycle


@jit
def clocks(block):
    """Return when a warp of a block goes on, NEVER where none can; whether one is left; when the last one has ended."""
    soonest, is_left, ended = NEVER, False, 0
    for k in range(block.n_warps):
        w = warp_at(block.first_warp_at + k * WARP_BYTES)
        if w.live:
            soonest, is_left = min(soonest, w.clock), True
        else:
            ended = max(ended, w.clock)
    return soonest, is_left, ended


@jit
def place(pace, m, block, cycle):
    """Let the next block take a slot, if there is one."""
    block.clock = NEVER
    if pace.started < pace.n_queue:
        start_block(address_of(m), address_of(block), load_i64(pace.queue_at + 8 * pace.started))
        pace.started += 1
        block.clock = block.waited_until = cycle
        for k in range(block.n_warps):
            warp_at(block.first_warp_at + k * WARP_BYTES).clock = cycle


@jit
def pass_barrier(m, block):
    """Let those who wait in a block go on whose barrier is complete; return whether there are any."""
    if m.named and settle_named(address_of(m), address_of(block)):
        return True
    if not barrier_complete(address_of(m), address_of(block)):
        return False
    release(address_of(m), address_of(block))
    return True


@jit
def run_block_until(pace, m, block, cycle):
    """Run the warps of a block up to a cycle."""
    for k in range(block.n_warps):
        w = warp_at(block.first_warp_at + k * WARP_BYTES)
        block.waited_until = max(block.waited_until, run_warp_until(pace, m, w, cycle))
    block.clock, is_left, ended = clocks(block)
    if not is_left:
        pace.last_end = max(pace.last_end, ended)
        place(pace, m, block, ended + pace.block_start)
    elif block.clock == NEVER and pass_barrier(m, block):
        block.clock = block.waited_until + pace.barrier
        go_on(block, block.clock)


@unit(3)
def keep_pace(pace_address, first, until):
    """Run the blocks of a PACE from cycle ``first`` to ``until``; return whether any is left."""
    pace = pace_at(pace_address)
    m, cycle = machine_at(pace.machine_at), first
    if first == 0:
        for k in range(pace.slots):
            place(pace, m, block_at(m.blocks_at + k * BLOCK_BYTES), 0)
    while cycle < until and not m.stopped:
        cycle = min(cycle + QUANTUM, until)
        for k in range(pace.slots):  # another one first each time
            block = block_at(m.blocks_at + (k + cycle // QUANTUM) % pace.slots * BLOCK_BYTES)
            if block.clock < cycle:
                run_block_until(pace, m, block, cycle)
    for k in range(pace.slots):
        if block_at(m.blocks_at + k * BLOCK_BYTES).clock != NEVER:
            return 1
    return 0
