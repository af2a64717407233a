"""Simulate one multiprocessor cycle by cycle, with jumps over the cycles in which nothing can issue.

The model is that of sim/reference/multiprocessor.py, function by function; the two are compared event by event.
"""

from __future__ import annotations

from warpview.isa.program import NONE
from warpview.sim.jit.atomics import slot_of_barrier
from warpview.sim.jit.barrier import release, report_stuck
from warpview.sim.jit.bulk_times import pass_bulk_load
from warpview.sim.jit.cache_ways import cache_of
from warpview.sim.jit.clusters import has_arrived, settle_cluster
from warpview.sim.jit.code_lines import constant_ready
from warpview.sim.jit.compile import jit, unit
from warpview.sim.jit.issue import issue
from warpview.sim.jit.memory_caches import look_up_access
from warpview.sim.jit.named_barriers import settle_named
from warpview.sim.jit.partners import ROUNDS, run_partners
from warpview.sim.jit.polled_words import finds_change
from warpview.sim.jit.queues import through_memory, without_access
from warpview.sim.jit.raw import address_of, load_i32, load_i64, lowest, store_64
from warpview.sim.jit.recording import BLOCK_END, add_mark, record_event, record_traffic
from warpview.sim.jit.records import (
    addresses_at,
    event_at,
    machine_at,
    scheduler_at,
    sm_at,
    timed_at,
    transactions,
    warp_at,
)
from warpview.sim.jit.resident_blocks import (
    ABORTED,
    BARRIER,
    WAIT,
    abort,
    block_address,
    blocks_released,
    check_grid,
    end_block,
    is_stuck,
    may_come,
    prepare,
    resident_block_of,
    resume_block,
    resume_cluster,
    start_due,
    waits_for_grid,
    waits_for_others,
)
from warpview.sim.jit.scheduler import (
    account_stalls,
    cost_of,
    enter_queue,
    gate,
    goes_ahead,
    hand_on,
    is_free,
    is_held_in_turn,
    is_passed_on,
    latest_row,
    leave,
    note_taken,
    pick,
    read_registers,
    reads_from,
    rows_ready,
    scheduler_of,
    timed_of,
    waited_until,
)
from warpview.sim.jit.sm_state import BOARD_SCALE, L1, NOT_RUNNABLE, STORE, SmStatus
from warpview.sim.jit.spinning import spin
from warpview.sim.jit.state import Status
from warpview.sim.timing.instruction_costs import CONTROL_PIPE
from warpview.sim.timing.model import COPY_GROUPS, FENCES_APART, FENCES_AT_ONCE, FENCES_JOIN, NEVER

MORE, FINISHED, STOPPED = int(SmStatus.MORE), int(SmStatus.FINISHED), int(Status.ABORTED)


@jit
def pass_cluster_barrier(sm, m, number):
    """Let the cluster of a block go on from its barrier if it is complete, and the partners of the block."""
    if sm.partners:
        run_partners(address_of(sm), number, ROUNDS)
    if settle_cluster(address_of(m), block_address(m, number)):
        resume_cluster(sm, m, number)
        if sm.partners:
            resident_block_of(sm, number).partners_go_on = 1
            run_partners(address_of(sm), number, ROUNDS)


@jit
def after_issue(sm, m, timed, earliest, reason):
    """Prepare the warp's next instruction; then find out whether its block goes on, ends or is stuck."""
    timed.since = sm.cycle + 1
    note_taken(sm, scheduler_of(sm, timed.scheduler), timed)
    prepare(sm, m, timed, earliest, reason)
    number = timed.block_slot
    if m.in_clusters and has_arrived(warp_at(timed.warp_at)):
        pass_cluster_barrier(sm, m, number)
    if timed.pc != NOT_RUNNABLE:
        return
    resident_block = resident_block_of(sm, number)
    if warp_at(timed.warp_at).live == 0:
        leave(scheduler_of(sm, timed.scheduler), timed.slot)
        resident_block.live_warps -= 1
        if resident_block.live_warps == 0:
            end_block(sm, number, resident_block)
            check_grid(sm, m)
            return
    if m.named and settle_named(address_of(m), block_address(m, number)):
        resume_block(sm, m, number, sm.barrier)
    first, last = blocks_released(sm, m, number)
    for released in range(first, last):
        release(address_of(m), block_address(m, released))
        resume_block(sm, m, released, sm.barrier)
    if (
        is_stuck(sm, number)
        and not (waits_for_grid(m, number) and may_come(sm, m))
        and not waits_for_others(sm, m, number)
    ):
        report_stuck(address_of(m), block_address(m, number))
        abort(sm)


# ------------------------------------------------------------------------------------------------ issue


@jit
def occupy(sm, scheduler, timed, cost):
    """Occupy the pipe of an instruction and the banks of the registers that it reads."""
    scheduler.pipe_free[cost.pipe] = sm.cycle + cost.occupancy
    scheduler.taken[cost.pipe] += max(0, cost.occupancy - sm.port)
    read_registers(scheduler, timed, cost, sm.cycle)


@jit
def hold(timed, row, entry):
    """Make the readers of a row, or those that wait for a scoreboard, wait for a further entry."""
    place = timed.board_at + 8 * row
    store_64(place, max(load_i64(place), entry))


@jit
def look_up(sm, m, timed, cost, event):
    """Send an access through the caches, without taking any time."""
    sm.first_wave = 1 if resident_block_of(sm, timed.block_slot).order < sm.resident else 0
    look_up_access(address_of(sm), address_of(m), address_of(cost), address_of(timed))
    if sm.recording and sm.has_l2 and transactions(event):
        record_traffic(sm)


@jit
def access_memory(sm, m, scheduler, timed, cost, event):
    """Pass an access through caches and queues; returns when its result is there."""
    look_up(sm, m, timed, cost, event)
    sm.has_changed = finds_change(m, warp_at(timed.warp_at)) if cost.polls else 0
    sm.changed += sm.has_changed
    result = through_memory(sm, cost, event, timed)
    enter_queue(sm, scheduler, timed, cost)
    if cost.writes_global and sm.has_l2:
        sm.all_left = max(sm.all_left, sm.left_at)
        if cost.access == STORE or sm.atomic_backlog:
            timed.drained = max(timed.drained, sm.left_at)
        sm.drained = max(sm.drained, result)
    return result


@jit
def execute(sm, m, scheduler, timed, cost, event):
    """Occupy what an instruction needs; returns when its result is there."""
    occupy(sm, scheduler, timed, cost)
    sm.handed = hand_on(sm, scheduler, cost)
    sm.read_from = reads_from(sm, scheduler, cost)
    held = sm.cycle + sm.port + cost.held + is_held_in_turn(scheduler, cost)
    if cost.queues and event.on and event.wavefronts + transactions(event):
        result = access_memory(sm, m, scheduler, timed, cost, event)
        held += max(0, event.wavefronts - event.ideal_wavefronts) * sm.replay
    else:
        result = without_access(sm, cost) + cost.latency
        enter_queue(sm, scheduler, timed, cost)
        if cost.loads_constant:
            result = max(result, constant_ready(sm, cost.constant_line, sm.cycle))
    scheduler.port_free = max(scheduler.port_free, held)
    return result


@jit
def pass_fence(sm):
    """Return for how many cycles a fence keeps its warp: until all stores have left the multiprocessor, and the slices
    of the L2 have answered that were asked for anything since the last fence. Fences take the pipe one after the other.
    Those that come together, or while they wait for the round before, make one round; the next one begins when that has
    asked the slices."""
    begin = max(sm.cycle, sm.shared_free)
    sm.shared_free = begin + sm.fence_interval
    start = max(sm.cycle, begin - FENCES_AT_ONCE * sm.fence_interval)
    if sm.fence_trip:
        start = max(start, sm.all_left)
    if sm.fence_takes == 0 or start > sm.fence_begin + FENCES_JOIN:
        sm.fence_begin = max(start, sm.fence_free)
        sm.fence_takes = sm.fence
    sm.fence_takes = max(sm.fence_takes, sm.fence_trip)
    sm.fence_trip = 0
    sm.fence_free = sm.fence_begin + sm.fence_takes - sm.fence + FENCES_APART
    return sm.fence_begin + sm.fence_takes - sm.cycle


@jit
def tell_barrier(m, resident_block, copied, lanes):
    """Note when the copies of a warp so far are there, of which the barriers of some lanes are told."""
    while lanes:
        place = load_i64(addresses_at(m) + 8 * lowest(lanes))
        slot = slot_of_barrier(place)
        before = resident_block.told[slot] if resident_block.told_place[slot] == place + 1 else 0
        resident_block.told_place[slot], resident_block.told[slot] = place + 1, max(before, copied)
        lanes &= lanes - 1


@jit
def after_copies(m, resident_block, result, lanes):
    """Return when the barriers of some lanes answer that are asked for their phase: once the copies are there of which
    they are told."""
    while lanes:
        place = load_i64(addresses_at(m) + 8 * lowest(lanes))
        slot = slot_of_barrier(place)
        if resident_block.told_place[slot] == place + 1:
            result = max(result, resident_block.told[slot] // BOARD_SCALE)
        lanes &= lanes - 1
    return result


@jit
def note_result(sm, timed, cost, result):
    """Note when the result of an instruction is there, and when its sources have been read."""
    ahead = goes_ahead(timed, cost)
    entry = owed = result * BOARD_SCALE + cost.wait
    if is_passed_on(timed, cost):
        owed = latest_row(timed, cost, cost.n_uses)
        entry = latest_row(timed, cost, cost.n_carried) if ahead else owed
    if cost.copied:
        timed.copied = max(timed.copied, entry)
    if cost.closes:
        entry = max(entry, timed.copied)
        timed.groups[timed.closed % COPY_GROUPS] = timed.copied
        timed.closed += 1
    for k in range(cost.n_sets):
        row = load_i32(cost.sets_at + 4 * k)
        if cost.renames:
            store_64(timed.board_at + 8 * row, entry)
        else:
            hold(timed, row, entry)
    if cost.n_sets and (cost.owes or ahead):
        timed.owed = max(timed.owed, owed)
    if cost.releases != NONE:
        hold(timed, cost.releases, sm.sources_read * BOARD_SCALE + cost.wait)


@unit(4)
def issue_warp(multiprocessor, machine, scheduler_address, timed_address):
    """Issue the warp's next instruction in this cycle; returns whether that took no time."""
    sm, m = sm_at(multiprocessor), machine_at(machine)
    scheduler, timed = scheduler_at(scheduler_address), timed_at(timed_address)
    cost = cost_of(sm, timed.pc)
    issued, findings = warp_at(timed.warp_at).issued, m.n_findings
    m.cycle = sm.cycle
    status = issue(address_of(m), timed.warp_at, 1)
    if status == STOPPED and warp_at(timed.warp_at).issued == issued:
        abort(sm)
        return 0
    event = event_at(m.event_at)
    sm.issued += 1
    sm.last_cycle = sm.cycle
    is_for_nothing = is_free(timed, cost)
    free, result, following, reason = timed.ready, sm.cycle, 0, WAIT
    if is_for_nothing:
        cost.free_issues += 1
        if cost.queues and event.on and transactions(event):
            look_up(sm, m, timed, cost, event)
    else:
        free, following, reason = waited_until(sm, scheduler, timed, cost), cost.following, cost.pause
        result = execute(sm, m, scheduler, timed, cost, event)
        if m.bulk_size:
            pass_bulk_load(sm, m, cost, event, timed)
        if cost.tells_barrier:
            tell_barrier(m, resident_block_of(sm, timed.block_slot), timed.copied, event.on)
        elif cost.asks_barrier:
            result = after_copies(m, resident_block_of(sm, timed.block_slot), result, event.on)
        following += scheduler.held_up
        if cost.fences:
            following = max(following, pass_fence(sm))
        if cost.awaits_cluster and event.on:
            opens = resident_block_of(sm, timed.block_slot).opens - sm.cycle
            if opens > following:
                following, reason = opens, BARRIER
        if cost.spins and event.on:
            following = max(following, spin(sm, m, scheduler, timed, cost, event))
        if cost.drops_l1:
            l1 = cache_of(sm, L1)
            l1.invalid, l1.held = l1.clock, 0
    scheduler.last, scheduler.visit, sm.last_pipe = timed.slot, scheduler.port_free, cost.pipe
    note_result(sm, timed, cost, result)
    cost.waited += account_stalls(sm, scheduler, timed, cost.throttle, free)
    row = sm.n_events
    if sm.recording:
        record_event(sm, m, cost, timed, resident_block_of(sm, timed.block_slot), free, m.n_findings > findings)
    if cost.barrier and event.on:
        sm.barrier_free = max(sm.barrier_free, sm.cycle) + sm.barrier_per_warp
    if m.stopped:
        timed.since = sm.cycle + 1
        sm.status = ABORTED
        return 0
    after_issue(sm, m, timed, sm.cycle + following, reason)
    if sm.recording and resident_block_of(sm, timed.block_slot).live_warps == 0:
        add_mark(sm, row, BLOCK_END)
    return 1 if is_for_nothing else 0


@jit
def can_pair(sm, scheduler, timed):
    """Return whether the warp's next instruction can go with the one that it issued in this cycle."""
    if timed.pc == NOT_RUNNABLE or sm.last_pipe == CONTROL_PIPE:
        return False
    cost = cost_of(sm, timed.pc)
    if cost.pipe == CONTROL_PIPE or rows_ready(timed, cost) // BOARD_SCALE > sm.cycle:
        return False
    return gate(sm, scheduler, cost) <= sm.cycle


@jit
def schedule(sm, m, scheduler):
    """Issue from one warp, if any is ready: twice where the scheduler can and the second need not wait. Returns whether
    that took no time, so that the scheduler can go on in this cycle."""
    slot = pick(sm, scheduler)
    if slot < 0:
        return False
    timed = timed_of(sm, slot)
    if issue_warp(address_of(sm), address_of(m), address_of(scheduler), address_of(timed)):
        return True
    for _ in range(sm.dispatch - 1):
        if sm.status != MORE or not can_pair(sm, scheduler, timed):
            return False
        timed.ready = sm.cycle
        issue_warp(address_of(sm), address_of(m), address_of(scheduler), address_of(timed))
    return False


# ------------------------------------------------------------------------------------------------ entries


@unit(1)
def sm_start(address):
    """Start the first blocks."""
    sm = sm_at(address)
    start_due(sm, machine_at(sm.machine_at))
    return sm.n_started


@unit(2)
def sm_advance(address, n_issues):
    """Go on for about that many issues, or up to the cycle ``pause_at``; returns an SmStatus."""
    sm = sm_at(address)
    m = machine_at(sm.machine_at)
    limit = sm.issued + n_issues
    while sm.status == MORE and sm.cycle < sm.pause_at:
        if sm.turn == 0 and sm.next_due <= sm.cycle:
            start_due(sm, m)
        while sm.turn < sm.schedulers:
            scheduler = scheduler_of(sm, sm.turn)
            if scheduler.visit > sm.cycle:
                sm.turn += 1
            else:
                sm.turn += 0 if schedule(sm, m, scheduler) else 1
                if sm.status != MORE or sm.issued >= limit:
                    return sm.status
        sm.turn = 0
        next_cycle(sm)
    return sm.status


@jit
def next_cycle(sm):
    """Jump to the next cycle in which a block starts or a scheduler may issue."""
    soonest = sm.next_due
    for number in range(sm.schedulers):
        soonest = min(soonest, scheduler_of(sm, number).visit)
    if soonest == NEVER:
        sm.status = FINISHED
    else:
        sm.cycle = max(sm.cycle + 1, soonest)
