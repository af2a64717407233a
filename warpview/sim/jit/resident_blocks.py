"""Start and end the resident blocks of one multiprocessor, and find what their warps wait for.

The model is that of sim/reference/multiprocessor.py, function by function.
"""

from __future__ import annotations

from warpview.sim.history.events import Stall
from warpview.sim.jit.barrier import barrier_complete, is_at_grid_barrier, report_stuck, waiting_lanes
from warpview.sim.jit.clusters import cluster_of, waits_for_cluster
from warpview.sim.jit.code_lines import code_ready
from warpview.sim.jit.compile import jit
from warpview.sim.jit.next_instruction import next_pc
from warpview.sim.jit.partners import ROUNDS, run_partners, start_partners
from warpview.sim.jit.profile import start_block
from warpview.sim.jit.raw import address_of, load_i64, store_64
from warpview.sim.jit.recording import FINDING, add_mark
from warpview.sim.jit.records import block_at, resident_block_at, warp_at
from warpview.sim.jit.remainder_trips import next_copies
from warpview.sim.jit.scheduler import cost_of, enter, goes_ahead, note_taken, rows_ready, scheduler_of, timed_of
from warpview.sim.jit.sm_state import BOARD_SCALE, NOT_RUNNABLE, RESIDENT_BLOCK_BYTES, SmStatus
from warpview.sim.jit.state import BLOCK
from warpview.sim.rules.bulk import SLOTS
from warpview.sim.timing.model import NEVER

BLOCK_BYTES = BLOCK.itemsize
WAIT, BARRIER, RECONVERGENCE = int(Stall.WAIT), int(Stall.BARRIER), int(Stall.RECONVERGENCE)
EXITED, NO_INSTRUCTION = int(Stall.EXITED), int(Stall.NO_INSTRUCTION)
ABORTED = int(SmStatus.ABORTED)


@jit
def resident_block_of(sm, number):
    return resident_block_at(sm.resident_blocks_at + number * RESIDENT_BLOCK_BYTES)


@jit
def block_address(m, number):
    return m.blocks_at + number * BLOCK_BYTES


# ------------------------------------------------------------------------------------------------ blocks


@jit
def start_functional(sm, m, number):
    """Let the next block of the queue take block slot ``number``: everything but time."""
    block = load_i64(sm.queue_at + 8 * sm.n_started)
    resident_block_of(sm, number).block = block
    start_block(address_of(m), block_address(m, number), block)
    start_partners(sm, number, sm.n_started)
    sm.n_started += 1
    if sm.partners:
        run_partners(address_of(sm), number, ROUNDS)
    for w in range(sm.warps):
        timed = timed_of(sm, number * sm.warps + w)
        timed.pc = next_pc(address_of(m), timed.warp_at)


@jit
def start_due(sm, m):
    """Start the blocks whose time has come."""
    sm.next_due = NEVER
    for number in range(sm.resident):
        resident_block = resident_block_of(sm, number)
        if resident_block.due <= sm.cycle:
            resident_block.due = NEVER
            if sm.n_started < sm.n_queue:
                if sm.next_launch > sm.cycle:
                    resident_block.due = sm.next_launch
                else:
                    place_block(sm, m, number, resident_block)
                    interval = sm.block_interval if sm.n_started >= sm.resident else sm.first_interval
                    sm.next_launch = sm.cycle + interval
        sm.next_due = min(sm.next_due, resident_block.due)


@jit
def place_block(sm, m, number, resident_block):
    store_64(sm.started_step_at + 8 * sm.n_started, sm.n_events)
    store_64(sm.started_slot_at + 8 * sm.n_started, number)
    store_64(sm.started_cycle_at + 8 * sm.n_started, sm.cycle)
    resident_block.order = sm.n_started
    start_functional(sm, m, number)
    resident_block.fresh = 1
    for slot in range(SLOTS):
        resident_block.told_place[slot] = 0
    resident_block.live_warps = sm.warps
    for w in range(sm.warps):
        timed = timed_of(sm, number * sm.warps + w)
        for row in range(sm.rows):
            store_64(timed.board_at + 8 * row, 0)
        timed.since = sm.cycle
        timed.ready = code_ready(sm, timed.pc, sm.cycle, sm.cycle)
        timed.wait = NO_INSTRUCTION if timed.ready > sm.cycle else WAIT
        timed.drained = timed.turn_free = timed.returned = timed.trip = timed.owed = 0
        timed.copied = timed.closed = 0
        timed.loop, timed.copies = cost_of(sm, timed.pc).loop, 1
        scheduler = scheduler_of(sm, timed.scheduler)
        note_taken(sm, scheduler, timed)
        scheduler.visit = min(scheduler.visit, max(scheduler.port_free, timed.ready))
    for w in range(sm.warps):
        preferred = sm.warps - 1 - w if sm.last_warp_first else w
        timed = timed_of(sm, number * sm.warps + preferred)
        enter(scheduler_of(sm, timed.scheduler), timed.slot)


@jit
def end_block(sm, number, resident_block):
    end = sm.cycle + 1
    store_64(sm.ended_cycle_at + 8 * resident_block.order, end)
    for w in range(sm.warps):
        timed = timed_of(sm, number * sm.warps + w)
        scheduler_of(sm, timed.scheduler).stalls[EXITED] += end - timed.since
    drained = end
    for w in range(sm.warps):
        timed = timed_of(sm, number * sm.warps + w)
        if timed.drained:
            sm.draining += max(0, timed.drained + sm.store_drain - timed.since)
            sm.active_until = max(sm.active_until, timed.drained + sm.store_drain)
            drained = max(drained, timed.drained)
    resident_block.due = drained + sm.block_start
    sm.next_due = min(sm.next_due, resident_block.due)
    resident_block.live_warps = 0


# ------------------------------------------------------------------------------------------------ what a warp waits for


@jit
def next_trip(m, timed, cost):
    """Note in which trip of an unrolled loop the warp is; returns the entry of what is waited for now."""
    owed = 0
    if cost.loop != timed.loop:
        owed = timed.owed
        timed.loop = cost.loop
        timed.trip = timed.owed = 0
        timed.copies = next_copies(m, warp_at(timed.warp_at), cost)
    elif cost.begins:
        timed.trip += 1
        if timed.trip >= timed.copies:
            timed.trip, timed.copies = 0, next_copies(m, warp_at(timed.warp_at), cost)
    if cost.settles and not goes_ahead(timed, cost):
        owed = max(owed, timed.owed)
        timed.owed = 0
    return owed


@jit
def prepare(sm, m, timed, earliest, reason):
    """Find what the warp issues next, and from when on it can: not before ``earliest``, for a ``reason``, nor before
    its rows."""
    w = warp_at(timed.warp_at)
    w.arrivals = 0
    timed.pc = next_pc(address_of(m), timed.warp_at)
    earliest += w.arrivals * sm.path_change
    if timed.pc == NOT_RUNNABLE:
        timed.ready = NEVER
        timed.wait = BARRIER if waiting_lanes(m, w) else RECONVERGENCE
        return
    cost = cost_of(sm, timed.pc)
    owed = next_trip(m, timed, cost)
    rows = max(rows_ready(timed, cost), owed)
    if rows // BOARD_SCALE > earliest:
        timed.ready = rows // BOARD_SCALE
        timed.wait = rows % BOARD_SCALE
    else:
        timed.ready = earliest
        timed.wait = reason
    fetched = code_ready(sm, timed.pc, earliest, timed.ready)
    if fetched > timed.ready:
        timed.ready = fetched
        timed.wait = NO_INSTRUCTION


@jit
def resume_block(sm, m, number, later):
    """Find what the warps of a block issue next that have waited at a barrier which is complete now; they go on so many
    cycles ``later``."""
    earliest = max(sm.cycle, sm.barrier_free) + later
    for w in range(sm.warps):
        timed = timed_of(sm, number * sm.warps + w)
        if warp_at(timed.warp_at).live and timed.pc == NOT_RUNNABLE:
            prepare(sm, m, timed, earliest, BARRIER)
            timed.wait = BARRIER
            scheduler = scheduler_of(sm, timed.scheduler)
            scheduler.visit = min(scheduler.visit, max(scheduler.port_free, timed.ready))


@jit
def resume_cluster(sm, m, number):
    """Find what the warps of a cluster issue next whose barrier is complete now."""
    cluster = cluster_of(m, block_at(block_address(m, number)))
    for other in range(sm.resident):
        resident_block = resident_block_of(sm, other)
        if resident_block.live_warps and cluster_of(m, block_at(block_address(m, other))) == cluster:
            resident_block.opens = sm.cycle + sm.cluster_barrier
            resume_block(sm, m, other, sm.cluster_barrier)


@jit
def waits_for_others(sm, m, number):
    """Return whether a block waits at the barrier of its cluster, to which other blocks may still come."""
    if not m.in_clusters or not waits_for_cluster(m, block_at(block_address(m, number))):
        return False
    for other in range(sm.resident):
        has_room = resident_block_of(sm, other).live_warps == 0
        if not is_stuck(sm, other) or (has_room and sm.n_started < sm.n_queue):
            return True
    return False


@jit
def waits_for_grid(m, number):
    """Return whether all of a block waits at a barrier of the whole grid."""
    if not barrier_complete(address_of(m), block_address(m, number)):
        return False
    return is_at_grid_barrier(address_of(m), block_address(m, number)) != 0


@jit
def blocks_released(sm, m, number):
    """Return the first and last block slot + 1 of the blocks whose barrier is complete now that a warp of block
    ``number`` waits: that block, at a barrier of the grid all, or none."""
    if not barrier_complete(address_of(m), block_address(m, number)):
        return 0, 0
    if not is_at_grid_barrier(address_of(m), block_address(m, number)):
        return number, number + 1
    if sm.n_started < sm.n_queue:
        return 0, 0
    for other in range(sm.n_queue):
        if not waits_for_grid(m, other):
            return 0, 0
    return 0, sm.n_queue


@jit
def may_come(sm, m):
    """Return whether a block may still come to the barrier of the grid at which others wait, or has yet to start."""
    if sm.n_started < sm.n_queue:
        return True
    for number in range(sm.resident):
        if resident_block_of(sm, number).live_warps and not waits_for_grid(m, number):
            return True
    return False


@jit
def check_grid(sm, m):
    """Report the blocks that wait at a barrier of the grid to which no other block will come any more."""
    for number in range(sm.resident):
        if resident_block_of(sm, number).live_warps and waits_for_grid(m, number) and not may_come(sm, m):
            report_stuck(address_of(m), block_address(m, number))
            abort(sm)
            return


@jit
def abort(sm):
    """End the launch for a finding that no instruction caused; the last event shows it."""
    sm.status = ABORTED
    if sm.recording and sm.n_events > 0:
        add_mark(sm, sm.n_events - 1, FINDING)


@jit
def is_stuck(sm, number):
    runnable = 0
    for w in range(sm.warps):
        if timed_of(sm, number * sm.warps + w).pc != NOT_RUNNABLE:
            runnable += 1
    return runnable == 0
