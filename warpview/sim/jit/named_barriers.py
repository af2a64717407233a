"""Keep the barriers of a block that have a number (PTX: bar.sync a, b and bar.arrive a, b).

The reference's ``named_barriers.py`` is the definition; the names are the same. A warp arrives once all its living
lanes are at one barrier, and counts as 32 threads; the barrier is complete when as many threads as it waits for have
arrived, and begins again.
"""

from __future__ import annotations

from warpview.isa.modes import ALL_THREADS, BARRIERS_A_BLOCK, BarRedOp
from warpview.isa.program import NONE
from warpview.sim.checks.access_log import LogKind
from warpview.sim.jit.access_log import log_barrier
from warpview.sim.jit.barrier import (
    ARRIVE,
    barrier_at,
    guarded,
    path_after,
    place_of,
    report_valued,
    resume,
    threads_awaited,
    threads_of,
)
from warpview.sim.jit.compile import jit, unit
from warpview.sim.jit.lanes import fill_32, nonzero
from warpview.sim.jit.raw import lowest, popcount
from warpview.sim.jit.records import block_at, instruction_at, machine_at, warp_at
from warpview.sim.jit.state import INSTRUCTION, LANES, WARP
from warpview.sim.launch import BARRIER_NUMBER_SHIFT, FindingKind

ALL, ANY = 1 + int(BarRedOp.AND), 1 + int(BarRedOp.OR)  # of ``extra``: a reduction, plus one
ARRIVED, LEFT = int(LogKind.BARRIER_ARRIVED), int(LogKind.BARRIER_LEFT)
BARRIER_COUNT = int(FindingKind.BARRIER_COUNT)
WARP_BYTES, INSTRUCTION_BYTES = WARP.itemsize, INSTRUCTION.itemsize


@jit
def barrier_reached(m, w):
    """Return the number of the barrier that all living lanes of a warp are at, NONE where they are not at one. Where a
    warp has a stack, its running path counts for all."""
    path = path_after(m, w, -1)
    if path == NONE:
        return NONE
    number, here = barrier_at(m, w, path), 0
    while path != NONE:
        if barrier_at(m, w, path) != number:
            return NONE
        here |= w.path_mask[path]
        path = path_after(m, w, lowest(w.path_mask[path]))
    return number if here == w.live or not m.its else NONE


@jit
def check_count(m, block, w, pc, number, threads, arrives):
    """Report a number of threads that the barrier cannot wait for, or that is not what others wait for at it."""
    lane, value = lowest(w.live), number << BARRIER_NUMBER_SHIFT | threads
    if threads > block.n_warps * LANES or (arrives and threads == ALL_THREADS):
        report_valued(m, BARRIER_COUNT, pc, w, lane, threads, value, NONE, NONE)
    elif block.named_arrived[number] and threads != block.named_threads[number]:
        other_pc, other_thread = block.named_pc[number], block.named_thread[number]
        report_valued(m, BARRIER_COUNT, pc, w, lane, block.named_threads[number], value, other_pc, other_thread)


@jit
def reduced_lanes(m, w, path, number):
    """Return the lanes of a path that take part in a reduction at the barrier of a number."""
    if barrier_at(m, w, path) != number:
        return 0
    ins = instruction_at(m.code_at + w.path_pc[path] * INSTRUCTION_BYTES)
    return guarded(w, ins, w.path_mask[path]) if ins.native and ins.extra else 0


@jit
def note_predicates(m, block, w, number):
    """Count the lanes of a warp whose predicate holds at a barrier that reduces, and those where it does not."""
    for path in range(w.n_paths):
        on = reduced_lanes(m, w, path, number)
        if on:
            ins = instruction_at(m.code_at + w.path_pc[path] * INSTRUCTION_BYTES)
            held = on & (nonzero(w.registers_at + ins.p) ^ ins.p_flip)
            block.named_holding[number] += popcount(held)
            block.named_failing[number] += popcount(on & ~held)


@jit
def give_reduction(m, block, w, number):
    """Write the result of a reduction at the barrier of a number."""
    for path in range(w.n_paths):
        on = reduced_lanes(m, w, path, number)
        if on:
            ins = instruction_at(m.code_at + w.path_pc[path] * INSTRUCTION_BYTES)
            value = block.named_holding[number]
            if ins.extra == ALL:
                value = 1 if block.named_failing[number] == 0 else 0
            elif ins.extra == ANY:
                value = 1 if value else 0
            fill_32(w.registers_at + ins.dst, value, on)


@jit
def arrive_at(m, block, w, number):
    """Count a warp at a barrier; one that need not wait goes on."""
    pc = place_of(w, lowest(w.live))
    if not m.its:
        pc = w.path_pc[w.n_paths - 1]
    ins = instruction_at(m.code_at + pc * INSTRUCTION_BYTES)
    lane = lowest(w.path_mask[path_after(m, w, -1)])
    threads = threads_of(w, ins, lane)
    if m.check:
        check_count(m, block, w, pc, number, threads, ins.mod == ARRIVE)
    if block.named_arrived[number] == 0:
        block.named_threads[number], block.named_pc[number] = threads, pc
        block.named_thread[number] = w.index * LANES + lane
    block.named_arrived[number] += LANES
    note_predicates(m, block, w, number)
    log_barrier(m, ARRIVED, pc, w, w.live, number)
    if ins.mod == ARRIVE:
        resume(m, w, block)
    else:
        w.named = number + 1


@jit
def leave(m, block, number):
    """Let the warps go on that wait at a complete barrier."""
    block.named_arrived[number] = 0
    for k in range(block.n_warps):
        w = warp_at(block.first_warp_at + k * WARP_BYTES)
        if w.named == number + 1:
            w.named = 0
            log_barrier(m, LEFT, block.named_pc[number], w, w.live, number)
            give_reduction(m, block, w, number)
            resume(m, w, block)
    block.named_holding[number], block.named_failing[number] = 0, 0


@unit(2)
def settle_named(machine, block_address):
    """Let the warps arrive that are at barriers with numbers, in order; return 1 where any can go on."""
    m, block = machine_at(machine), block_at(block_address)
    goes_on = 0
    for k in range(block.n_warps):
        w = warp_at(block.first_warp_at + k * WARP_BYTES)
        number = barrier_reached(m, w) if w.live and not w.named else NONE
        if 0 <= number < BARRIERS_A_BLOCK:
            arrive_at(m, block, w, number)
            goes_on |= w.named == 0
            if block.named_arrived[number] >= threads_awaited(m, block, number):
                leave(m, block, number)
                goes_on = 1
    # Warps that have ended since are not waited for.
    for number in range(BARRIERS_A_BLOCK):
        if block.named_arrived[number] and block.named_arrived[number] >= threads_awaited(m, block, number):
            leave(m, block, number)
            goes_on = 1
    return goes_on
