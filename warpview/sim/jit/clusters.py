"""Keep the barrier of a cluster of blocks, and access the shared memory of the other blocks of a cluster.

The reference's ``clusters.py`` is the definition. A block's *position* counts the blocks of all clusters, cluster by
cluster and by rank. Blocks start in the order of their positions.
"""

from __future__ import annotations

from warpview.isa.modes import BARRIERS_A_BLOCK
from warpview.isa.ops import Op
from warpview.isa.types import RANK_SHIFT, Space
from warpview.sim.checks.access_log import LogKind
from warpview.sim.jit import checks, cluster_races, splits
from warpview.sim.jit.access_kinds import READ, WRITE
from warpview.sim.jit.access_log import log_barrier
from warpview.sim.jit.compile import jit, unit
from warpview.sim.jit.race_screen import WRITTEN
from warpview.sim.jit.raw import load_i64, load_u32, lowest, store_32, store_64
from warpview.sim.jit.records import addresses_at, block_at, instruction_at, machine_at, warp_at
from warpview.sim.jit.state import BLOCK, INSTRUCTION, WARP
from warpview.sim.launch import FindingKind
from warpview.sim.rules.distributed import RANK_SHIFT as TAG_RANK_SHIFT

ARRIVED, LEFT = int(LogKind.BARRIER_ARRIVED), int(LogKind.BARRIER_LEFT)
CLUSTER_WAIT, SHARED = int(Op.CLUSTER_WAIT), int(Space.SHARED)
UNINITIALISED = int(FindingKind.UNINITIALISED)
BLOCK_BYTES, WARP_BYTES, INSTRUCTION_BYTES = BLOCK.itemsize, WARP.itemsize, INSTRUCTION.itemsize


# ------------------------------------------------------------------------------------------------ blocks


@jit
def place(m, block, coordinates):
    """Note where a block that starts is in its cluster."""
    x, y, z = coordinates
    rank = x % m.cluster_x + m.cluster_x * (y % m.cluster_y + m.cluster_y * (z % m.cluster_z))
    row = z // m.cluster_z * m.clusters_y + y // m.cluster_y
    cluster = row * m.clusters_x + x // m.cluster_x
    block.position = cluster * m.cluster_blocks + rank
    block.window = rank << RANK_SHIFT if m.names_blocks else 0
    return rank


@jit
def cluster_of(m, block):
    return block.position // m.cluster_blocks


@jit
def slot_at(m, number):
    return block_at(m.blocks_at + number * BLOCK_BYTES)


@jit
def block_of_rank(m, block, rank):
    """Return the address of the block of a rank in the cluster of a block; 0 where it is not there."""
    if rank >= m.cluster_blocks:
        return 0
    position = cluster_of(m, block) * m.cluster_blocks + rank
    for number in range(m.block_slots):
        if slot_at(m, number).position == position:
            return m.blocks_at + number * BLOCK_BYTES
    return 0


# ------------------------------------------------------------------------------------------------ the barrier


@jit
def arrive(m, w, pc, on):
    """Let lanes arrive at the barrier of their cluster."""
    w.cluster_arrived |= on
    m.changes += 1
    log_barrier(m, ARRIVED, pc, w, on, BARRIERS_A_BLOCK + cluster_of(m, block_at(w.block_at)))


@jit
def is_at_cluster_barrier(m, w, path):
    """Return whether a path waits at the barrier of its cluster."""
    if w.path_mask[path] == 0 or w.path_wait[path] != splits.BLOCK_BARRIER:
        return False
    return instruction_at(m.code_at + w.path_pc[path] * INSTRUCTION_BYTES).op == CLUSTER_WAIT


@jit
def waits_for_cluster(m, block):
    """Return whether some lanes of a block wait at the barrier of the cluster."""
    for k in range(block.n_warps):
        w = warp_at(block.first_warp_at + k * WARP_BYTES)
        for path in range(w.n_paths):
            if is_at_cluster_barrier(m, w, path):
                return True
    return False


@unit(2)
def is_held_by_cluster(machine, block_address):
    """Return 1 where some lanes of a block wait at the barrier of its cluster."""
    return 1 if waits_for_cluster(machine_at(machine), block_at(block_address)) else 0


@jit
def has_arrived(w):
    """Return whether all living lanes of a warp have arrived at the barrier of the cluster."""
    return w.live & ~w.cluster_arrived == 0


@jit
def is_complete(m, cluster):
    """Return whether all threads of a cluster have arrived at its barrier or ended, and one has arrived."""
    newest, arrived = -1, 0
    for number in range(m.block_slots):
        block = slot_at(m, number)
        newest = max(newest, block.position)
        if cluster_of(m, block) == cluster:
            for k in range(block.n_warps):
                w = warp_at(block.first_warp_at + k * WARP_BYTES)
                if w.live & ~w.cluster_arrived:
                    return False
                arrived |= w.live
    return arrived != 0 and newest >= (cluster + 1) * m.cluster_blocks - 1


@jit
def resume_at_cluster_barrier(m, w):
    """Let the paths of a warp go on that wait at the barrier of the cluster."""
    m.changes += 1
    waiting = 0
    for path in range(w.n_paths):
        if is_at_cluster_barrier(m, w, path):
            waiting |= 1 << path
            w.path_wait[path] = splits.NO
            w.path_pc[path] += 1
    while waiting:
        splits.settle(w, lowest(waiting))
        waiting &= waiting - 1


@unit(2)
def settle_cluster(machine, block_address):
    """Let the cluster of a block go on from its barrier if it is complete; return 1 where it is."""
    m, cluster = machine_at(machine), cluster_of(machine_at(machine), block_at(block_address))
    if not is_complete(m, cluster):
        return 0
    for number in range(m.block_slots):
        block = slot_at(m, number)
        if cluster_of(m, block) == cluster:
            for k in range(block.n_warps):
                w = warp_at(block.first_warp_at + k * WARP_BYTES)
                w.cluster_arrived = 0
                if w.live:
                    log_barrier(m, LEFT, 0, w, w.live, BARRIERS_A_BLOCK + cluster)
                    resume_at_cluster_barrier(m, w)
            checks.next_epoch(m, block)
            if m.screens_clusters:
                cluster_races.pass_barrier(m, block)
    return 1


# ------------------------------------------------------------------------------------------------ distributed accesses


@jit
def ranks_at(m, lanes, window):
    """Return the lanes whose generic addresses of shared memory name the block that ``window`` stands for."""
    found, rest = 0, lanes
    while rest:
        lane = lowest(rest)
        if (load_i64(addresses_at(m) + 8 * lane) ^ window) >> RANK_SHIFT & 0xFF == 0:
            found |= 1 << lane
        rest &= rest - 1
    return found


@jit
def place_tags(m, lanes, reserved):
    """Turn the addresses of lanes into those by which the rule of other blocks' memory goes; see
    sim/rules/distributed.py. ``reserved`` bytes before the kernel's are not in them yet."""
    while lanes:
        place = addresses_at(m) + 8 * lowest(lanes)
        address = load_i64(place)
        within = (address & (1 << RANK_SHIFT) - 1) + reserved
        store_64(place, (address >> RANK_SHIFT & 0xFF) << TAG_RANK_SHIFT | within)
        lanes &= lanes - 1


@jit
def within_blocks(m, lanes, shared_base):
    """Leave the addresses of lanes within the shared memory of the blocks that they name."""
    while lanes:
        place = addresses_at(m) + 8 * lowest(lanes)
        store_64(place, (load_i64(place) & (1 << RANK_SHIFT) - 1) - shared_base)
        lanes &= lanes - 1


@jit
def check_distributed(m, pc, w, block, lanes, width, kind):
    """Note which bytes of another block's shared memory are written, and report those that are read and are not."""
    unwritten = 0
    for plane in range(block.shadow_at, block.shadow_at + m.shadow_bytes, m.shadow_plane):
        number = (plane - block.shadow_at) // m.shadow_plane
        rest = lanes
        while rest:
            lane = lowest(rest)
            address = load_i64(addresses_at(m) + 8 * lane)
            for byte in range(width):
                at = address + byte
                if m.shadow_plane != m.shadow_bytes and at & 3 != number:
                    continue
                shadow = load_u32(plane + (at & -4))
                if shadow & WRITTEN == 0:
                    unwritten |= 1 << lane
                    if kind != READ:
                        store_32(plane + (at & -4), shadow | WRITTEN)
                        block.unwritten -= 1
            rest &= rest - 1
    if kind != WRITE:
        checks.report_unwritten(m, pc, w, unwritten, SHARED)
