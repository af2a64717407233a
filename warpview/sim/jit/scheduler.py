"""Pick the warp that a scheduler issues from, compute from when on another look can find one, and count stalls."""

from __future__ import annotations

from warpview.isa.program import NONE
from warpview.sim.history.events import Free, Stall
from warpview.sim.jit.compile import jit
from warpview.sim.jit.raw import load_i32, load_i64
from warpview.sim.jit.records import cost_at, scheduler_at, timed_at
from warpview.sim.jit.sm_state import BOARD_SCALE, COST_BYTES, SCHEDULER_BYTES, TIMED_BYTES
from warpview.sim.timing.instruction_costs import CONTROL_PIPE, MEMORY_QUEUE, QUEUE, SHARED_QUEUE, TURN_PIPES
from warpview.sim.timing.model import COPY_GROUPS, FRACTION, NEVER, QUEUE_RING

FOLDED, PREDICATED, ABSORBED = int(Free.FOLDED), int(Free.PREDICATED), int(Free.ABSORBED)
NOT_SELECTED, SELECTED = int(Stall.NOT_SELECTED), int(Stall.SELECTED)
MATH_PIPE_THROTTLE = int(Stall.MATH_PIPE_THROTTLE)


@jit
def cost_of(sm, pc):
    return cost_at(sm.costs_at + pc * COST_BYTES)


@jit
def timed_of(sm, slot):
    return timed_at(sm.timed_at + slot * TIMED_BYTES)


@jit
def scheduler_of(sm, number):
    return scheduler_at(sm.schedulers_at + number * SCHEDULER_BYTES)


@jit
def goes_ahead(timed, cost):
    """Return whether the warp is in a trip of an unrolled loop that others follow before results are waited for."""
    following = timed.trip + 1
    return cost.loop != 0 and following % cost.together != 0 and following < timed.copies


@jit
def is_passed_on(timed, cost):
    """Return whether another instruction does the work of this one, or another trip."""
    return cost.free == ABSORBED or (cost.joined_trips != 0 and timed.trip % cost.joined_trips != 0)


@jit
def is_free(timed, cost):
    """Return whether the instruction takes no time, or none in this trip."""
    if cost.free == FOLDED and timed.trip + 1 < timed.copies:
        return True
    return cost.free == PREDICATED or is_passed_on(timed, cost)


@jit
def rows_ready(timed, cost):
    """Return when the rows are there that an instruction waits for: a scoreboard entry, of the first row that comes
    last."""
    if is_passed_on(timed, cost):
        return 0
    entry = latest_row(timed, cost, cost.n_carried if goes_ahead(timed, cost) else cost.n_awaited)
    if cost.groups_left != NONE:
        group = last_group(timed, cost.groups_left)
        return group if group // BOARD_SCALE > entry // BOARD_SCALE else entry
    return entry


@jit
def last_group(timed, left):
    """Return the scoreboard entry of the asynchronous copies of all groups but the last ``left``."""
    n = timed.closed - left
    return timed.groups[(n - 1) % COPY_GROUPS] if n > 0 else 0


@jit
def latest_row(timed, cost, n):
    """Return the scoreboard entry of the row that comes last, of the first ``n`` that an instruction uses."""
    latest = 0
    for k in range(n):
        entry = load_i64(timed.board_at + 8 * load_i32(cost.uses_at + 4 * k))
        if entry // BOARD_SCALE > latest // BOARD_SCALE:
            latest = entry
    return latest


@jit
def gate(sm, scheduler, cost):
    """Return from when on the pipe and the queues that an instruction needs take it."""
    free = scheduler.pipe_free[cost.pipe]
    if cost.side_slots:
        free = max(free, sm.side_free - sm.shared_backlog)
    if cost.room:
        free = max(free, scheduler.left[(scheduler.accesses - cost.room) % QUEUE_RING])
    elif cost.queues:
        if cost.queues & SHARED_QUEUE:
            free = max(free, sm.shared_free - sm.shared_backlog)
        if cost.queues & MEMORY_QUEUE:
            free = max(free, max(sm.memory_free, sm.dram_free) // FRACTION - sm.memory_backlog)
            if sm.l1_pass:
                free = max(free, sm.shared_free - sm.shared_backlog)
    return free


@jit
def read_registers(scheduler, timed, cost, cycle):
    """Occupy the banks of registers, each of which gives one at a time: an instruction begins when those it needs are
    free. Until then it waits, and the next one of the scheduler behind it, of whatever warp; a third is not issued.
    ``held_up`` says for how many cycles none is, which do not count as those that the warp has to wait."""
    scheduler.held_up = 0
    if cost.even_alone == 0 and cost.odd_alone == 0:
        return
    alone = scheduler.reader != timed.slot + 1
    even, odd = (cost.even_alone, cost.odd_alone) if alone else (cost.even, cost.odd)
    begins = max(cycle, scheduler.read_free)
    scheduler.port_free = max(scheduler.port_free, begins)
    scheduler.held_up = max(0, begins - cycle - 1)
    if even:
        begins = max(begins, scheduler.even_free)
        scheduler.even_free = begins + even
    if odd:
        begins = max(begins, scheduler.odd_free)
        scheduler.odd_free = begins + odd
        if even:
            scheduler.even_free = begins + even
    scheduler.read_free = begins + 1
    scheduler.reader = timed.slot + 1


@jit
def is_held_in_turn(scheduler, cost):
    """Return 1 where it is an instruction's turn to keep its scheduler from issuing for a cycle more."""
    return 1 if cost.held_in_turn and scheduler.accesses % cost.held_in_turn == 0 else 0


@jit
def hand_on(sm, scheduler, cost):
    """Return when the queue of the scheduler begins to hand on the instruction issued last, behind those before it."""
    handed = max(sm.cycle, scheduler.handing_free) if cost.handing else sm.cycle
    if cost.handing:
        scheduler.handing_free = handed + cost.handing
    return handed


@jit
def enter_queue(sm, scheduler, timed, cost):
    """Note when the access issued last leaves the queue of its scheduler: when the pipe has served it, and its warp; a
    load as soon as few enough accesses wait for the pipe behind the queue."""
    if cost.room:
        n = scheduler.accesses
        leaves = served = max(sm.shared_free, max(timed.turn_free, scheduler.handing_free))
        if cost.beyond:
            before = scheduler.left[(n - 1) % QUEUE_RING]
            leaves = min(served, max(before, scheduler.served[(n - cost.beyond) % QUEUE_RING]))
        scheduler.left[n % QUEUE_RING], scheduler.served[n % QUEUE_RING] = leaves, served
        scheduler.accesses += 1
        note_full(sm, scheduler, cost)


@jit
def note_full(sm, scheduler, cost):
    """Note until when the queue is full that an access has just entered."""
    until = scheduler.left[(scheduler.accesses - cost.room) % QUEUE_RING]
    scheduler.taken[QUEUE] += max(0, until - max(scheduler.pipe_free[QUEUE], sm.cycle + sm.port))
    scheduler.pipe_free[QUEUE] = max(scheduler.pipe_free[QUEUE], until)


@jit
def reads_from(sm, scheduler, cost):
    """Return from when on the sources of an access can be read: when few enough are before it in the queue."""
    if cost.room == 0 or sm.queue_read == 0:
        return NEVER
    return max(sm.cycle, scheduler.served[(scheduler.accesses - sm.queue_read) % QUEUE_RING])


@jit
def not_before(sm, scheduler, timed):
    """Return a cycle before which the warp cannot issue; this one or an earlier one only if it can issue now."""
    if timed.ready > sm.cycle or is_free(timed, cost_of(sm, timed.pc)):
        return timed.ready
    return gate(sm, scheduler, cost_of(sm, timed.pc))


@jit
def goes_through_queue(sm, timed):
    """Return whether the warp's next instruction goes through the queue of its scheduler."""
    cost = cost_of(sm, timed.pc)
    return cost.room != 0 and not is_free(timed, cost)


@jit
def longest_waiting(sm, scheduler):
    """Return the slot of the warp that has waited for room in the queue for longest, of those of the oldest block where
    one has that can issue now; -1 where none has."""
    chosen, block, least = -1, -1, min(scheduler.pipe_free[QUEUE], sm.cycle)
    for k in range(scheduler.n_order):
        slot = scheduler.order[k]
        timed = timed_of(sm, slot)
        if timed.ready >= least or (chosen >= 0 and timed.block_slot != block) or not goes_through_queue(sm, timed):
            continue
        if gate(sm, scheduler, cost_of(sm, timed.pc)) <= sm.cycle:
            chosen, block, least = slot, timed.block_slot, timed.ready
    return chosen


@jit
def in_turn(sm, scheduler, slot):
    """Return the slot to issue from where one is preferred: its access comes behind those that have waited for room."""
    waiting = longest_waiting(sm, scheduler) if goes_through_queue(sm, timed_of(sm, slot)) else -1
    return slot if waiting < 0 else waiting


@jit
def pick(sm, scheduler):
    """Return the slot to issue from in this cycle: the last one, or that of the oldest block that is ready; accesses of
    a block that have waited for room in the queue take turns. -1 where there is none; then ``visit`` says when to look
    again."""
    last = scheduler.last
    if last >= 0 and not_before(sm, scheduler, timed_of(sm, last)) <= sm.cycle:
        return in_turn(sm, scheduler, last)
    soonest = NEVER
    for k in range(scheduler.n_order):
        slot = scheduler.order[k]
        when = not_before(sm, scheduler, timed_of(sm, slot))
        if when <= sm.cycle:
            return in_turn(sm, scheduler, slot)
        soonest = min(soonest, when)
    scheduler.visit = soonest
    return -1


@jit
def enter(scheduler, slot):
    """Add a warp behind all others."""
    scheduler.order[scheduler.n_order] = slot
    scheduler.n_order += 1


@jit
def leave(scheduler, slot):
    """Remove a warp that has ended."""
    k = 0
    while scheduler.order[k] != slot:
        k += 1
    for j in range(k + 1, scheduler.n_order):
        scheduler.order[j - 1] = scheduler.order[j]
    scheduler.n_order -= 1
    if scheduler.last == slot:
        scheduler.last = -1


@jit
def note_taken(sm, scheduler, timed):
    """Note for how many cycles each pipe had been taken, and the queue full, when the warp began to wait."""
    for k in range(QUEUE + 1):
        timed.taken[k] = scheduler.taken[k] - max(0, scheduler.pipe_free[k] - timed.since - sm.port + 1)


@jit
def is_shared_in_turn(pipe):
    """Return whether warps take turns for a pipe."""
    turns = False
    for k in TURN_PIPES:
        turns = turns or pipe == k
    return turns


@jit
def free_in_turn(sm, scheduler, timed, pipe):
    """Return until when the warp is said to have waited for a pipe or the queue: its share of the cycles since the warp
    was ready is that of the cycles since its last issue in which it was taken; in the others another warp was issued
    from."""
    ready = max(timed.ready, timed.since)
    if ready >= sm.cycle:
        return timed.ready
    return ready + (sm.cycle - ready) * (scheduler.taken[pipe] - timed.taken[pipe]) // (sm.cycle - timed.since)


@jit
def waited_until(sm, scheduler, timed, cost):
    """Return until when a warp that issues is said to have waited for its queue or its pipe."""
    if cost.room:
        return free_in_turn(sm, scheduler, timed, QUEUE)
    if is_shared_in_turn(cost.pipe):
        return free_in_turn(sm, scheduler, timed, cost.pipe)
    return timed.ready if cost.pipe == CONTROL_PIPE else max(timed.ready, gate(sm, scheduler, cost))


@jit
def account_stalls(sm, scheduler, timed, throttle, free):
    """Count the warp's cycles since its last issue by the reasons of its waiting; see sim/history/events.py. Return
    those that are the instruction's own: not those for which other warps had the arithmetic unit or were picked."""
    cycle, since = sm.cycle, timed.since
    if since > cycle:
        return 0
    ready = min(max(timed.ready, since), cycle)
    free = min(max(free, ready), cycle)
    scheduler.stalls[timed.wait] += ready - since
    scheduler.stalls[throttle] += free - ready
    scheduler.stalls[NOT_SELECTED] += cycle - free
    scheduler.stalls[SELECTED] += 1
    return (ready if throttle == MATH_PIPE_THROTTLE else free) + 1 - since
