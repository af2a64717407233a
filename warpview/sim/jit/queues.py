"""Send accesses through the shared pipe and the memory queue of a multiprocessor."""

from __future__ import annotations

from warpview.sim.jit.cache_ways import note_filled
from warpview.sim.jit.compile import jit
from warpview.sim.jit.records import transactions
from warpview.sim.jit.sm_state import ATOMIC, LOAD, STORE
from warpview.sim.timing.model import FLIGHTS, FRACTION, GAP_ENTRIES, LOAD_WINDOW, MANY_PIECES, MOST_LOAD, SECTOR_BYTES


@jit
def note_load(sm, work):
    """Count what an access takes of memory's time, by windows."""
    if sm.cycle >= sm.window_end:
        idle = sm.cycle >= sm.window_end + LOAD_WINDOW
        sm.load = 0 if idle else min(sm.window_work // LOAD_WINDOW, MOST_LOAD)
        sm.window_end, sm.window_work = sm.cycle + LOAD_WINDOW, 0
    sm.window_work += work


@jit
def l1_busy(sm, event):
    """Return the cycles that the passes of an access take, or its transactions; where all accesses are coalesced, those
    of as many bytes in a row, and leave as few sectors to the L2 and to DRAM."""
    passes, pieces = sm.passes, transactions(event)
    if sm.coalesced:
        sectors = (event.bytes_requested + SECTOR_BYTES - 1) // SECTOR_BYTES
        lines = (sectors + 3) >> 2
        passes, pieces = min(passes, lines), min(pieces, sectors)
        sm.from_l2, sm.dram = min(sm.from_l2, sectors), min(sm.dram, sectors)
        sm.l2_lines, sm.pieces, sm.turns = min(sm.l2_lines, lines), 0, 0
    return passes * sm.l1_pass if passes and sm.l1_pass else pieces


@jit
def gap(sm):
    """Return how many sectors the pieces of an access in DRAM lie apart, as a place in the tables of times; 0 where
    they are few."""
    if sm.pieces < MANY_PIECES:
        return 0
    return min((sm.last_piece - sm.first_piece) // (sm.pieces - 1), GAP_ENTRIES - 1)


@jit
def dram_work(sm, cost, is_partial):
    """Return what an access takes of memory's time."""
    work = sm.dram * cost.sector_cost
    if cost.access != STORE:
        # The second half of a line takes what is left of the time of both.
        apart = sm.scattered[gap(sm)]
        scale = (sm.pieces - sm.paired) * apart + sm.paired * (2 * FRACTION - apart)
        return work * scale // (FRACTION * sm.pieces) if sm.pieces else work
    if is_partial and sm.pieces >= MANY_PIECES:
        # Half of the time is that of reading what is missing, the other that of writing.
        work = (work + sm.read * cost.sector_cost) * sm.partial_stores[gap(sm)] // (2 * FRACTION)
    return work - sm.undone * cost.sector_cost


@jit
def l2_work(sm, cost, is_partial):
    """Return what an access takes of the time of L2, or of the way there."""
    if cost.access == LOAD and sm.near and sm.near_line:
        near = min(sm.near, sm.from_l2)
        near_lines = (sm.l2_lines * near + sm.from_l2 - 1) // sm.from_l2
        own = (sm.from_l2 - near) * cost.l2_cost + (sm.l2_lines - near_lines) * cost.line_cost
        return own + max(near * sm.port_cost, near * sm.near_cost + near_lines * sm.near_line)
    if cost.access != STORE:
        return sm.from_l2 * cost.l2_cost + sm.l2_lines * cost.line_cost
    sector = max(cost.l2_cost, sm.partial_cost) if is_partial else cost.l2_cost
    return sm.from_l2 * sector + sm.l2_lines * cost.line_cost + sm.met * sm.met_cost // 2


@jit
def port_busy(sm, cost, is_partial):
    """Return the cycles that the pipe takes at least to send what an access stores to L2."""
    if cost.access != STORE:
        return 0
    parts = sm.l2_lines * sm.partial_port if is_partial else 0
    return (sm.from_l2 * sm.store_port + parts + FRACTION - 1) // FRACTION


@jit
def is_merged(cost, event):
    """Return whether the compiler carries out an atomic once for its warp."""
    return cost.merged_bytes and event.bytes_requested >= cost.merged_bytes


@jit
def atomic_passes(sm, cost, event):
    """Return in how many passes an atomic is carried out, of different words of a sector each."""
    return max(1, sm.from_l2) if is_merged(cost, event) else event.sectors


@jit
def atomic_work(sm, cost, event):
    """Return what an atomic takes of the units that carry it out: a pass over a line that comes right behind another
    one follows when that has been added."""
    passes, sectors = atomic_passes(sm, cost, event), max(1, sm.from_l2)
    whole = not is_merged(cost, event) and event.bytes_requested >= SECTOR_BYTES * passes
    work = passes * (cost.pass_cost if whole else cost.pass_part)
    behind_others = (passes * max(1, sm.l2_lines) + sectors - 1) // sectors * cost.pass_again
    return work + max(0, behind_others - work) * cost.same_line // FRACTION


@jit
def take_pipe(sm, earliest, busy):
    """Take the pipe for some cycles, not before ``earliest``; returns when it serves the instruction, which the queue
    of its scheduler has to hand on first. Those of other schedulers are served meanwhile."""
    start = max(earliest, sm.shared_free)
    sm.shared_free = start + busy
    return max(start, sm.handed)


@jit
def without_access(sm, cost):
    """Send an instruction that accesses nothing through the shared pipe or past it; returns when it starts there."""
    start = sm.cycle
    if cost.slots:
        start = take_pipe(sm, sm.cycle, cost.slots)
        sm.busy_shared += cost.slots
    if cost.side_slots:
        start = max(start, sm.side_free)
        sm.side_free = start + cost.side_slots
    sm.sources_read = min(start, sm.read_from) + sm.reads_sources + cost.reads_later
    return start


@jit
def latency_of(sm, cost, event):
    """Return the latency of the last memory or cache that the access needs; stores need to reach L2 only."""
    if sm.has_l2 and cost.access == STORE:
        return sm.l2_latency
    later = sm.atomic_later if cost.access == ATOMIC else 0
    return read_latency(sm) + later + (cost.merged_later if is_merged(cost, event) else 0)


@jit
def read_latency(sm):
    """Return the latency of the last memory or cache that the access has to read."""
    if sm.far:
        later = sm.dram_far_later if sm.l2_lines >= MANY_PIECES else sm.dram_later
        return sm.global_latency + later + sm.dram_queue * sm.load // (FRACTION - sm.load)
    if sm.from_l2:
        return sm.l2_latency + sm.l2_later + sm.has_changed * sm.changed_later
    return sm.l1_latency


@jit
def move_in_turn(sm, timed, start, further):
    """Let the data of a warp's accesses be moved one after the other; returns when those of this one begin, which takes
    ``further`` cycles more than an ideal access."""
    begin = max(start, timed.turn_free)
    timed.turn_free = begin + sm.shared_slot + further
    return begin


@jit
def ideal_of(cost, event):
    """Return the wavefronts of an access without conflicts: of loads that are joined one for each word of a lane, and
    half as many where lanes beside one another agree, as they do where one of the loads takes a single wavefront."""
    if cost.joined == 0:
        return event.ideal_wavefronts
    return cost.joined // 2 if event.wavefronts == 1 else cost.joined


@jit
def distributed_work(sm, cost, event):
    """Return for how long the multiprocessor moves what an access takes from, or brings to, other blocks' shared
    memory."""
    if cost.access == STORE:
        return event.other_sectors * sm.distributed_store
    if cost.access == ATOMIC:
        return event.other_sectors * sm.distributed_atomic
    return max(event.other_sectors * sm.distributed_load, (event.other_wavefronts - 1) * sm.distributed_wavefront)


@jit
def reach_other_blocks(sm, cost, event, start):
    """Send an access to the shared memory of other blocks, on other multiprocessors; returns by how much its result is
    later for it."""
    work = distributed_work(sm, cost, event)
    sm.busy_distributed += work
    sm.distributed_free = max(start * FRACTION, sm.distributed_free) + work
    moved = (sm.distributed_free + FRACTION - 1) // FRACTION
    sm.shared_free = max(sm.shared_free, moved - sm.memory_backlog)
    if cost.access != LOAD:
        sm.all_left = max(sm.all_left, moved)
    sm.fence_trip = max(sm.fence_trip, sm.fence_distributed)
    return moved - start + sm.distributed_later


@jit
def pass_shared(sm, cost, event, timed):
    """Send an access through shared memory or the constants; returns when its result is there."""
    wanted = ideal_of(cost, event)
    again = max(0, event.wavefronts - wanted)
    ideal = sm.shared_slot * ((wanted + sm.ideal_passes - 1) // sm.ideal_passes - 1)
    busy = sm.shared_slot + ideal + again * (sm.constant_pass if cost.constant else sm.wavefront_busy)
    busy *= cost.shared_times
    start = take_pipe(sm, sm.cycle, busy)
    sm.busy_shared += busy
    further = (ideal + again * (sm.constant_pass if cost.constant else sm.wavefront)) * cost.shared_times
    begin = start if cost.constant else move_in_turn(sm, timed, start, further)
    sm.sources_read = min(start, sm.read_from) + sm.reads_sources
    later = reach_other_blocks(sm, cost, event, start) if event.other_sectors else 0
    return begin + further + later + (sm.constant_latency if cost.constant else cost.shared)


@jit
def enter_queues(sm, cost, event, start, is_partial):
    """Let an access take its time of L2, of DRAM and of the units for atomics, from ``start`` on; ``served`` says then
    when all of them have served it."""
    for_dram, for_l2 = dram_work(sm, cost, is_partial), l2_work(sm, cost, is_partial)
    for_atomics = atomic_work(sm, cost, event)
    sm.busy_l2 += for_l2
    sm.busy_dram += for_dram
    sm.busy_atomics += for_atomics
    if sm.dram_queue:
        note_load(sm, for_dram)
    sm.served = sm.left_at
    if for_atomics and sm.has_l2:
        sm.atomics_free = max(start * FRACTION, sm.atomics_free) + for_l2 + for_atomics
        sm.served = max(sm.served, (sm.atomics_free - cost.pass_apart + FRACTION - 1) // FRACTION)
        if sm.atomic_backlog:
            on_their_way = (for_l2 + for_atomics) * sm.atomic_backlog // max(1, atomic_passes(sm, cost, event))
            sm.left_at = max(sm.left_at, (sm.atomics_free - on_their_way) // FRACTION)
            sm.shared_free = max(sm.shared_free, sm.left_at)
    elif for_atomics:
        for_dram += for_atomics
    if for_l2:
        sm.memory_free = max(start * FRACTION, sm.memory_free) + for_l2
        sm.served = max(sm.served, (sm.memory_free + FRACTION - 1) // FRACTION)
    if for_dram:
        sm.dram_free = max(start * FRACTION, sm.dram_free) + for_dram
        if cost.access != STORE or not sm.has_l2:
            sm.served = max(sm.served, (sm.dram_free + FRACTION - 1) // FRACTION)
    if cost.access == STORE and cost.room:
        sm.stores_free = max(start * FRACTION, sm.stores_free) + for_l2
        sm.stores_dram_free = max(start * FRACTION, sm.stores_dram_free) + for_dram
        sent = max(sm.stores_free, sm.stores_dram_free) // FRACTION
        sm.shared_free = max(sm.shared_free, sent - sm.memory_backlog)


@jit
def is_in_flight(sm, cost):
    """Return whether an access loads what L1 lacks, and only so many such loads can be on their way."""
    return sm.loads_in_flight and sm.has_l1 and cost.access == LOAD and sm.from_l2


@jit
def find_room(sm, start):
    """Return from when on, at least ``start``, so few loads are on their way that another one finds room, and lines of
    L1 that do not wait for data."""
    while sm.first_flight < sm.end_flight:
        oldest = sm.first_flight % FLIGHTS
        full = sm.end_flight - sm.first_flight == sm.loads_in_flight or sm.in_flight + sm.l2_lines > sm.l1_lines
        if sm.flight_until[oldest] > start and not full:
            break
        start = max(start, sm.flight_until[oldest])
        sm.in_flight -= sm.flight_lines[oldest]
        sm.first_flight += 1
    return start


@jit
def note_flight(sm, until):
    """Note when the data of a load are there, and its place is free: not before those of the loads before it."""
    if sm.end_flight > sm.first_flight:
        until = max(until, sm.flight_until[(sm.end_flight - 1) % FLIGHTS])
    sm.flight_until[sm.end_flight % FLIGHTS], sm.flight_lines[sm.end_flight % FLIGHTS] = until, sm.l2_lines
    sm.end_flight += 1
    sm.in_flight += sm.l2_lines


@jit
def pass_l1(sm, cost, event, timed, earliest):
    """Send an access through L1 and the queues behind it; returns when its result is there, not before ``earliest``."""
    passes, earliest_start = l1_busy(sm, event), sm.cycle
    if is_in_flight(sm, cost):
        earliest_start = find_room(sm, max(sm.cycle, sm.shared_free))
    is_partial = event.bytes_requested < SECTOR_BYTES * (sm.from_l2 + sm.merged)
    busy = max(sm.shared_slot, max(passes, port_busy(sm, cost, is_partial)))
    start = take_pipe(sm, earliest_start, busy)
    sm.busy_l1 += busy
    sm.sources_read = min(start, sm.read_from) + sm.reads_sources
    sm.dram_sectors += sm.dram + sm.read - sm.undone
    sm.left_at = start + busy - sm.shared_slot
    enter_queues(sm, cost, event, start, is_partial)
    further = sm.turns * sm.l1_wavefront
    moved = move_in_turn(sm, timed, start, further) + further
    result = max(earliest, sm.served + latency_of(sm, cost, event))
    if cost.access == LOAD and sm.from_l2:
        sm.loaded = max(sm.loaded, result)
    if cost.access != STORE:
        result = max(result, sm.pending)
    if cost.access == LOAD and further:  # data return in the order in which a warp has asked for them
        moved += sm.l2_latency if sm.from_l2 else sm.l1_latency
        result = max(result, max(moved, timed.returned + sm.turns + 1))
        timed.returned = result
    if cost.access != STORE:
        note_filled(sm, result)
    if is_in_flight(sm, cost):
        note_flight(sm, result)
    return result


@jit
def through_memory(sm, cost, event, timed):
    """Send an access through the shared pipe and the memory queue; returns the cycle in which its result is there.
    The caches have been asked. ``sources_read`` says then when its sources were read."""
    result = sm.cycle
    sm.sources_read, sm.served = sm.cycle + sm.reads_sources, sm.cycle
    if event.wavefronts:
        result = pass_shared(sm, cost, event, timed)
    if transactions(event):
        result = pass_l1(sm, cost, event, timed, result)
    return result
