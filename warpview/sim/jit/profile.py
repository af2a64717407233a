"""Execute whole blocks one after the other, each warp until it waits or ends: the core of the profile engine."""

from __future__ import annotations

from warpview.isa.modes import BARRIERS_A_BLOCK
from warpview.isa.program import NONE, Special
from warpview.isa.types import FULL
from warpview.sim.jit import clusters, livelock
from warpview.sim.jit.barrier import barrier_complete, is_at_grid_barrier, release, report_stuck
from warpview.sim.jit.clusters import is_held_by_cluster, slot_at
from warpview.sim.jit.compile import jit, unit
from warpview.sim.jit.issue import issue
from warpview.sim.jit.lanes import fill_32
from warpview.sim.jit.named_barriers import settle_named
from warpview.sim.jit.race_screen import WRITTEN
from warpview.sim.jit.raw import address_of, copy_bytes, fill_bytes, load_i64, store_32, store_64
from warpview.sim.jit.records import block_at, instruction_at, machine_at, warp_at
from warpview.sim.jit.state import BANKS, BLOCK, LANES, MAX_BARRIERS, ROW32, WARP, Status
from warpview.sim.launch import LONGEST_RUN
from warpview.sim.rules.bulk import SLOTS

BLOCK_BYTES, WARP_BYTES = BLOCK.itemsize, WARP.itemsize
CTAID_X, CTAID_Y, CTAID_Z = int(Special.CTAID_X), int(Special.CTAID_Y), int(Special.CTAID_Z)
SMID, CLUSTER_RANK = int(Special.SMID), int(Special.CLUSTER_RANK)
RAN, ABORTED, CANCELLED, DONE = int(Status.RAN), int(Status.ABORTED), int(Status.CANCELLED), int(Status.DONE)
WAITING, PARKED = int(Status.WAITING), int(Status.PARKED)


@jit
def live_lanes(threads, warp):
    """Return the lanes of a warp that belong to threads of the block."""
    count = threads - warp * LANES
    return FULL if count >= LANES else (1 << count) - 1


@jit
def clear_local(m, w):
    """Clear the local memory that the previous warp in this slot has written."""
    size = w.local_high - w.local_low
    for lane in range(LANES):
        place = lane * m.local_stride + w.local_low
        fill_bytes(w.local_at + place, 0, size)
        fill_bytes(w.local_written_at + place, 0, size)
    w.local_low, w.local_high = m.local_stride, 0


@jit
def start_rows(rows, image, filled, size):
    """Put rows at what they begin as: the first bytes as the launch fills them in, the others zero."""
    copy_bytes(rows, image, filled)
    fill_bytes(rows + filled, 0, size - filled)


@jit
def start_warp(m, w, index, coordinates, rank):
    """Put a warp of a block at the first instruction: one path of all its lanes."""
    x, y, z = coordinates
    image, wide_at = m.registers_image_at + w.index * m.registers_bytes, m.rows32 * ROW32
    start_rows(w.registers_at, image, m.filled_bytes32, wide_at)
    start_rows(w.registers_at + wide_at, image + wide_at, m.filled_bytes64, m.registers_bytes - wide_at)
    fill_32(w.registers_at + CTAID_X * ROW32, x, FULL)
    fill_32(w.registers_at + CTAID_Y * ROW32, y, FULL)
    fill_32(w.registers_at + CTAID_Z * ROW32, z, FULL)
    fill_32(w.registers_at + SMID * ROW32, index % m.multiprocessors, FULL)
    fill_32(w.registers_at + CLUSTER_RANK * ROW32, rank, FULL)
    w.live = live_lanes(m.threads, w.index)
    w.first_live, w.exit_pc, w.segment = w.live, NONE, 0
    w.cluster_arrived = w.polled = w.waits = 0
    w.issued, w.at_barrier, w.named, w.last_lane, w.yielded = 0, 0, 0, -1, 0
    w.native, w.turns, w.jumps = instruction_at(m.code_at).native, 0, 0
    w.path_turn[0], w.path_late[0], w.path_retried[0], w.path_again[0] = 0, 0, 0, 0
    w.path_picked[0], w.path_way[0] = NONE, NONE
    w.failures, w.opens, w.waited_at, w.waited, w.excuses = 0, 0, NONE, 0, 0
    w.n_paths, w.current = 1, 0
    livelock.start_looking(m, w)
    w.path_pc[0], w.path_mask[0], w.path_rpc[0], w.path_barrier[0], w.path_wait[0] = 0, w.live, NONE, NONE, 0
    for k in range(MAX_BARRIERS):
        w.barrier_members[k] = 0
    if m.undefined_image_at:
        copy_bytes(w.undefined_at, m.undefined_image_at, m.undefined_bytes)
    if w.local_high > w.local_low:
        clear_local(m, w)


@jit
def begin_turn(m, block):
    """Begin a turn of a block: what others did since the barrier of the grid is told from what it does."""
    m.span += 1
    block.first_span = m.span
    if m.block_spans_at:
        store_64(m.block_spans_at + 8 * block.block, m.span)


@unit(3)
def start_block(machine, block_address, index):
    """Put a block of the grid into a block slot, with its warps and its shared memory as they begin."""
    m, block = machine_at(machine), block_at(block_address)
    block.block, block.epoch, block.arrived, block.holding = index, 1, 0, 0
    for number in range(BARRIERS_A_BLOCK):
        block.named_arrived[number] = block.named_holding[number] = block.named_failing[number] = 0
    if m.set_window:
        for bank in range(BANKS):
            block.set_word[bank] = 0
    for slot in range(SLOTS):
        block.bulk_place[slot] = 0
    begin_turn(m, block)
    block.barriers = 0
    own = m.own_shared_bytes
    block.unwritten = own if m.shadow_plane != m.shadow_bytes else (own + 3) // 4
    row = index // m.grid_x
    coordinates = (index % m.grid_x, row % m.grid_y, row // m.grid_y)
    rank = clusters.place(m, block, coordinates)
    for k in range(block.n_warps):
        start_warp(m, warp_at(block.first_warp_at + k * WARP_BYTES), index, coordinates, rank)
    fill_bytes(block.shared_at, 0, m.shared_bytes)
    if m.check:
        fill_bytes(block.shadow_at, 0, m.shadow_bytes)
        mark_not_own(m, block, own)
    if m.screens_clusters:
        fill_bytes(block.cluster_shadow_at, 0, m.shared_bytes)
    return 0


@jit
def mark_not_own(m, block, own):
    """Mark what lies behind the kernel's ``own`` bytes of shared memory as written: those that a load of machine code
    reads beside its own, and the driver's."""
    end = max(m.shared_bytes, (own + 15) & -16)
    if m.shadow_plane == m.shadow_bytes:
        for place in range((own + 3) & -4, end, 4):
            store_32(block.shadow_at + place, WRITTEN)
        return
    for place in range(own, end):
        store_32(block.shadow_at + (place & 3) * m.shadow_plane + (place & -4), WRITTEN)


@jit
def run_warp(m, warp):
    """Run a warp until it waits, yields or ends, or the launch does, for LONGEST_RUN instructions at most: it may wait
    for what another one writes. Return RAN where it can go on."""
    if load_i64(m.cancel_at):
        return CANCELLED
    return issue(address_of(m), warp, LONGEST_RUN)


@jit
def advance(m, block):
    """Let a block go on. Return DONE, ABORTED, CANCELLED, WAITING where it waits at a barrier of the grid, PARKED where
    it waits at one of its cluster, or RAN where a warp of it can go on."""
    machine, address = address_of(m), address_of(block)
    while True:
        done, goes_on = True, False
        for k in range(block.n_warps):
            status = run_warp(m, block.first_warp_at + k * WARP_BYTES)
            if status in (ABORTED, CANCELLED):
                return status
            done, goes_on = done and status == DONE, goes_on or status == RAN
        if done:
            return DONE
        settled = m.named and settle_named(machine, address)
        if goes_on:
            return RAN
        if settled:
            continue
        if not barrier_complete(machine, address):
            if is_held_by_cluster(machine, address):
                return PARKED
            report_stuck(machine, address)
            return ABORTED
        if is_at_grid_barrier(machine, address):
            return WAITING
        release(machine, address)


@unit(3)
def run_blocks(machine, blocks, count):
    """Run ``count`` blocks of the grid, whose numbers are int64 at ``blocks``, in the machine's first block slot."""
    m = machine_at(machine)
    for k in range(count):
        start_block(machine, m.blocks_at, load_i64(blocks + 8 * k))
        status = RAN
        while status == RAN:
            status = advance(m, block_at(m.blocks_at))
        if status != DONE:
            return status
    return RAN


@unit(5)
def take_turns(machine, slots, statuses, count, rounds):
    """Give the ``count`` blocks in the slots that are int64 at ``slots`` their turns, one after the other, until one
    of them ends or waits for others, for so many ``rounds`` at most. Their last statuses go to int64 at ``statuses``.
    Return ABORTED or CANCELLED where the launch ends early, otherwise RAN."""
    m = machine_at(machine)
    goes_on = True
    while goes_on and rounds:
        for k in range(count):
            block = slot_at(m, load_i64(slots + 8 * k))
            begin_turn(m, block)
            status = advance(m, block)
            store_64(statuses + 8 * k, status)
            if status in (ABORTED, CANCELLED):
                return status
            goes_on = goes_on and status == RAN
        rounds -= 1
    return RAN
