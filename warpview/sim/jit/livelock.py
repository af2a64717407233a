"""Find out that a launch never ends: every warp goes in circles or waits for those that do; sim/reference/livelock.py
is the definition."""

from __future__ import annotations

from warpview.isa.program import NONE
from warpview.sim.jit.barrier import BAR_RED, BAR_SYNC, CLUSTER_WAIT, is_waiting
from warpview.sim.jit.clusters import cluster_of, is_complete
from warpview.sim.jit.compile import jit
from warpview.sim.jit.raw import load_i64
from warpview.sim.jit.records import block_at, instruction_at, warp_at
from warpview.sim.jit.state import INSTRUCTION, MAX_BARRIERS, WARP
from warpview.sim.launch import LOOK_EVERY

WARP_BYTES, INSTRUCTION_BYTES = WARP.itemsize, INSTRUCTION.itemsize
ODD = -0x61C8864680B583EB  # 2^64 divided by the golden ratio (Knuth, The Art of Computer Programming 3, 6.4)


@jit
def mixed(state, value):
    """Return a hash of 64 bits that depends on one more value."""
    state = (state ^ value) * ODD
    return state ^ state >> 29


@jit
def turns_before(w, path):
    """Return how many paths of a warp have been given their turn before one."""
    n = 0
    for other in range(w.n_paths):
        n += w.path_mask[other] != 0 and w.path_turn[other] < w.path_turn[path]
    return n


@jit
def state_of(m, w):
    """Return a hash of all that decides what a warp does next, but memory: its paths and its registers. The slots in
    which paths and barriers are do not matter."""
    running = w.path_mask[w.current] if w.current != NONE else 0
    state = mixed(mixed(mixed(w.live, running), w.last_lane), w.at_barrier)
    state = mixed(mixed(mixed(mixed(state, w.yielded), w.excuses), w.jumps), w.failures)
    together = 0
    for path in range(w.n_paths):
        if w.path_mask[path]:
            own = mixed(mixed(mixed(w.path_pc[path], w.path_mask[path]), w.path_rpc[path]), w.path_wait[path])
            together += mixed(own, turns_before(w, path))
    for barrier in range(MAX_BARRIERS if m.its else 0):
        if w.barrier_members[barrier]:
            own = mixed(mixed(w.barrier_rpc[barrier], w.barrier_members[barrier]), w.barrier_arrived[barrier])
            together += mixed(own, w.barrier_open[barrier])
    state = mixed(state, together)
    for place in range(0, m.registers_bytes, 8):
        state = mixed(state, load_i64(w.registers_at + place))
    return state


@jit
def waits_at_barrier(m, w):
    """Return whether a warp has ended or waits at a barrier of its block without a number, of the grid, or of its
    cluster, to which not all have come."""
    waiting = 0
    for path in range(w.n_paths):
        op = instruction_at(m.code_at + w.path_pc[path] * INSTRUCTION_BYTES).op
        if is_waiting(m, w, path) and op == CLUSTER_WAIT and is_complete(m, cluster_of(m, block_at(w.block_at))):
            return False
        if is_waiting(m, w, path) and op in (BAR_SYNC, BAR_RED, CLUSTER_WAIT):
            waiting |= w.path_mask[path]
    return waiting == (w.live if m.its else w.path_mask[w.n_paths - 1])


@jit
def none_goes_on(m):
    """Return whether each warp has been found to go in circles since memory changed, or waits, or has ended."""
    for k in range(m.block_slots * m.n_warps):
        w = warp_at(m.warps_at + k * WARP_BYTES)
        if w.live and w.circles != m.changes + 1 and not waits_at_barrier(m, w):
            return False
    return True


@jit
def never_ends(m, w):
    """Look at a warp that has issued many instructions; return whether nothing ends the launch any more."""
    w.looks += 1
    w.look_at = min(m.budget, w.issued + LOOK_EVERY)
    state = state_of(m, w)
    if w.seen_state == state and w.seen_changes == m.changes:
        was_known = w.circles == m.changes + 1
        w.circles = m.changes + 1
        return was_known and m.looks and none_goes_on(m)
    if w.looks & (w.looks - 1) == 0:
        w.seen_state, w.seen_changes = state, m.changes
    return False


@jit
def start_looking(m, w):
    """Begin with a warp of a new block."""
    w.look_at, w.looks, w.circles = min(m.budget, LOOK_EVERY), 0, 0
    w.seen_changes = NONE
