"""Keep the splits of a warp from CC 7.0 on, which take turns, and the convergence barriers at which they meet.

The reference's ``splits.py`` is the definition; the names are the same. Splits and barriers are numbered slots of the
warp's record: a slot with mask 0 is free, and so is a barrier without members.
"""

from __future__ import annotations

from warpview.isa.program import NONE
from warpview.sim.jit.compile import jit
from warpview.sim.jit.raw import load_u32, lowest
from warpview.sim.jit.state import MAX_BARRIERS, Wait

NO, COLLECTIVE, BLOCK_BARRIER = int(Wait.NO), int(Wait.COLLECTIVE), int(Wait.BLOCK_BARRIER)
# Turns ahead of all others; and a path of machine code waits at the convergence barrier whose row in the registers
# ``path_members`` names besides, which it does not at another kind of barrier.
OPENED, AT_BSYNC = 1 << 60, 1 << 32


# ------------------------------------------------------------------------------------------------ turns


@jit
def gathered(w, split):
    """Return the lanes at the collective of a split: its own, and those of the splits that wait there."""
    lanes = w.path_mask[split]
    for other in range(w.n_paths):
        if w.path_wait[other] == COLLECTIVE and w.path_pc[other] == w.path_pc[split]:
            lanes |= w.path_mask[other]
    return lanes


@jit
def may_execute(w, split, members):
    """Return whether the members that a split waits for at its collective have come."""
    return members & w.live & ~gathered(w, split) == 0


@jit
def waits_at_bsync(w, split):
    return w.path_wait[split] == COLLECTIVE and w.path_members[split] & AT_BSYNC != 0


@jit
def awaited(w, split):
    """Return the members of the convergence barrier at which a path waits."""
    return load_u32(w.registers_at + (w.path_members[split] & ~AT_BSYNC))


@jit
def all_others_yielded(w, split):
    """Return whether there are other paths that do not wait, and all of them have yielded."""
    others, some = 0, 0
    for other in range(w.n_paths):
        if other != split and w.path_wait[other] == NO and w.path_mask[other]:
            others |= w.path_mask[other] & ~w.yielded
            some = 1
    return some == 1 and others == 0


@jit
def is_runnable(w, split):
    if w.path_mask[split] == 0 or w.path_wait[split] == BLOCK_BARRIER:
        return False
    if waits_at_bsync(w, split):
        members = awaited(w, split)
        is_tried = members & w.path_mask[split] != 0 or (w.excuses and all_others_yielded(w, split))
        return is_tried and may_execute(w, split, members & ~w.yielded if w.excuses else members)
    return w.path_wait[split] == NO or may_execute(w, split, w.path_members[split])


@jit
def next_in_turn(w):
    """Return the runnable split with the next lowest lane, or of machine code that with the highest turn, or NONE."""
    best, best_rank = NONE, OPENED
    for split in range(w.n_paths):
        if is_runnable(w, split):
            lane = lowest(w.path_mask[split])
            rank = lane if lane > w.last_lane else lane + 100
            if w.native:
                rank = -w.path_turn[split] - (OPENED if w.path_wait[split] == COLLECTIVE else 0)
            if rank < best_rank:
                best, best_rank = split, rank
    return best


@jit
def pass_turn(w, lane):
    w.last_lane = lane
    w.current = NONE


# ------------------------------------------------------------------------------------------------ splits and barriers


@jit
def free_split(w, split):
    w.path_mask[split] = 0
    w.path_wait[split] = NO
    while w.n_paths > 0 and w.path_mask[w.n_paths - 1] == 0:
        w.n_paths -= 1


@jit
def new_split(w, pc, mask, barrier):
    split = 0
    while split < w.n_paths and w.path_mask[split] != 0:
        split += 1
    w.n_paths = max(w.n_paths, split + 1)
    w.path_pc[split], w.path_mask[split], w.path_barrier[split] = pc, mask, barrier
    w.path_wait[split], w.path_turn[split] = NO, 0
    w.path_late[split], w.path_retried[split], w.path_again[split] = 0, 0, 0
    w.path_picked[split], w.path_way[split] = NONE, NONE
    w.path_rpc[split] = NONE if barrier == NONE else w.barrier_rpc[barrier]
    return split


@jit
def new_barrier(w, rpc, members, parent):
    barrier = 0
    while w.barrier_members[barrier] != 0 and barrier < MAX_BARRIERS - 1:
        barrier += 1
    w.barrier_rpc[barrier], w.barrier_members[barrier] = rpc, members
    w.barrier_arrived[barrier], w.barrier_parent[barrier], w.barrier_open[barrier] = 0, parent, 0
    return barrier


@jit
def walk_through(w, split):
    """A split that stands at an open barrier leaves it behind. (Not for those that have no lanes.)"""
    while w.path_pc[split] == w.path_rpc[split] and w.barrier_open[w.path_barrier[split]]:
        barrier = w.path_barrier[split]
        w.barrier_members[barrier] &= ~w.path_mask[split]
        parent = w.barrier_parent[barrier]
        w.path_barrier[split] = parent
        w.path_rpc[split] = NONE if parent == NONE else w.barrier_rpc[parent]


@jit
def settle(w, split):
    """Dissolve a split that stands at its barrier into it, and so on. Return the split that goes on, or NONE."""
    while split != NONE:
        walk_through(w, split)
        if w.path_pc[split] != w.path_rpc[split]:
            break
        barrier = w.path_barrier[split]
        w.barrier_arrived[barrier] |= w.path_mask[split]
        free_split(w, split)
        split = release_if_complete(w, barrier)
    return split


@jit
def release_if_complete(w, barrier):
    """Merge all living members into one unsettled split and return it, once all have arrived; else return NONE."""
    arrived = w.barrier_arrived[barrier]
    if arrived != w.barrier_members[barrier]:
        return NONE
    w.barrier_members[barrier] = 0
    if arrived == 0:
        return NONE
    return new_split(w, w.barrier_rpc[barrier], arrived, w.barrier_parent[barrier])


@jit
def open_barrier(w):
    """Open, of a warp that is stuck, the barrier with the lowest parked lane; False where nobody is parked."""
    parked = w.live
    for split in range(w.n_paths):
        parked &= ~w.path_mask[split]
    if parked == 0:
        return False
    barrier = 0
    while w.barrier_members[barrier] & w.barrier_arrived[barrier] & parked & -parked == 0:
        barrier += 1
    lanes = w.barrier_arrived[barrier]
    w.barrier_members[barrier] &= ~lanes
    w.barrier_arrived[barrier], w.barrier_open[barrier] = 0, 1
    settle(w, new_split(w, w.barrier_rpc[barrier], lanes, w.barrier_parent[barrier]))
    return True


@jit
def go_to(w, split, pc, yields):
    """The current split goes to ``pc``; the turn passes on if it arrived at its barrier, or ``yields``."""
    lane = lowest(w.path_mask[split])
    w.path_pc[split] = pc
    if pc == w.path_rpc[split]:
        walk_through(w, split)
    if pc == w.path_rpc[split]:
        settle(w, split)
        yields = 1
    if yields:
        pass_turn(w, lane)


@jit
def diverge(w, split, taken, target, reconvergence):
    """Some lanes of the current split branch, the others fall through; both kinds exist."""
    pc, mask, barrier = w.path_pc[split], w.path_mask[split], w.path_barrier[split]
    if reconvergence != NONE and (barrier == NONE or w.barrier_rpc[barrier] != reconvergence):
        barrier = new_barrier(w, reconvergence, mask, barrier)
    free_split(w, split)
    falling = new_split(w, pc + 1, mask & ~taken, barrier)
    jumping = new_split(w, target, taken, barrier)
    walk_through(w, falling)
    walk_through(w, jumping)
    falls = w.path_pc[falling] != w.path_rpc[falling]
    jumps = w.path_pc[jumping] != w.path_rpc[jumping]
    settle(w, falling)
    settle(w, jumping)
    w.current = falling if falls else jumping
    if target <= pc or not (falls or jumps):
        pass_turn(w, lowest(mask))


@jit
def exit_lanes(w, split, lanes):
    """Some lanes of the current split end, the others go on."""
    lane = lowest(w.path_mask[split])
    w.live &= ~lanes
    w.path_mask[split] &= ~lanes
    w.path_pc[split] += 1
    if w.path_mask[split] == 0:
        free_split(w, split)
        pass_turn(w, lane)
    else:
        walk_through(w, split)
        if w.path_pc[split] == w.path_rpc[split]:
            settle(w, split)
            pass_turn(w, lane)
    if w.live:  # else nobody is left to be released
        leave_barriers(w, lanes)


@jit
def leave_barriers(w, lanes):
    """Let the convergence barriers wait no longer for lanes that have ended."""
    for barrier in range(MAX_BARRIERS):
        if w.barrier_members[barrier] & lanes:
            w.barrier_members[barrier] &= ~lanes
            settle(w, release_if_complete(w, barrier))


# ------------------------------------------------------------------------------------------------ collectives


@jit
def park(w, split, members):
    """The current split waits at its collective until the living lanes of ``members`` come there."""
    w.path_wait[split], w.path_members[split], w.path_picked[split] = COLLECTIVE, members, NONE
    pass_turn(w, lowest(w.path_mask[split]))


@jit
def takes_part(w, split, other, members):
    """Return whether ``other`` executes the collective of ``split`` together with it."""
    if other == split:
        return True
    wanted = members & w.live
    if wanted & ~w.path_mask[split] == 0 or w.path_mask[other] & wanted == 0:
        return False
    return w.path_wait[other] == COLLECTIVE and w.path_pc[other] == w.path_pc[split]


@jit
def advance_together(w, split, group):
    """The splits whose bits are in ``group`` executed a collective: they merge if they have one barrier, and go on."""
    lane, one_barrier = lowest(w.path_mask[split]), True
    for other in range(w.n_paths):
        if group >> other & 1:
            w.path_wait[other] = NO
            one_barrier = one_barrier and w.path_barrier[other] == w.path_barrier[split]
    if one_barrier:
        for other in range(w.n_paths):
            if group >> other & 1 and other != split:
                w.path_mask[split] |= w.path_mask[other]
                w.path_mask[other] = 0
        group = 1 << split
    rest = group
    while rest:
        other = lowest(rest)
        w.path_pc[other] += 1
        walk_through(w, other)
        rest &= rest - 1
    arrives = w.path_pc[split] == w.path_rpc[split]
    while group:
        settle(w, lowest(group))
        group &= group - 1
    if arrives:
        pass_turn(w, lane)


# ------------------------------------------------------------------------------------------------ block barrier


@jit
def waiting_at_barrier(w):
    """Return the lanes that wait at a block barrier."""
    lanes = 0
    for split in range(w.n_paths):
        if w.path_wait[split] == BLOCK_BARRIER:
            lanes |= w.path_mask[split]
    return lanes


@jit
def wait_at_barrier(w, split):
    w.path_wait[split] = BLOCK_BARRIER
    pass_turn(w, lowest(w.path_mask[split]))


@jit
def release_waiting(w):
    """The block barrier is complete: its splits go on."""
    waiting = 0
    for split in range(w.n_paths):
        if w.path_wait[split] == BLOCK_BARRIER:
            waiting |= 1 << split
            w.path_wait[split] = NO
            w.path_pc[split] += 1
    while waiting:
        settle(w, lowest(waiting))
        waiting &= waiting - 1
