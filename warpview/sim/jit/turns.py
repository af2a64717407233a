"""Choose the path of a warp that runs, and keep the convergence barriers of machine code.

The reference's ``native/paths.py`` is the definition; the names are the same.
"""

from __future__ import annotations

from warpview.isa.program import NONE
from warpview.isa.types import FULL
from warpview.sim.jit.compile import jit
from warpview.sim.jit.lanes import fill_32
from warpview.sim.jit.raw import load_u32, lowest
from warpview.sim.jit.splits import (
    AT_BSYNC,
    COLLECTIVE,
    NO,
    all_others_yielded,
    awaited,
    new_split,
    next_in_turn,
    open_barrier,
    pass_turn,
    waits_at_bsync,
)
from warpview.sim.jit.state import ROW32

AGAIN, AGAIN_UNCOUNTED = 0, -1  # of ``path_ways``: how a path was picked that had waited; else on how many ways it came


@jit
def choose(w):
    """Make the next split in turn the current one, if need be after opening a barrier; NONE if there is none."""
    best = next_in_turn(w)
    while best == NONE and open_barrier(w):
        best = next_in_turn(w)
    if best == NONE and excuse_waiting(w):
        best = next_in_turn(w)
        if best == NONE:
            best = pick_blocked(w)
    if best != NONE and w.native:
        best = pick(w, best)
        begin(w, best)
    w.current = best
    return best


@jit
def excuse_waiting(w):
    """Let the convergence barriers of a stuck warp of machine code wait no longer for lanes at another kind of barrier;
    return whether any lanes wait at a convergence barrier."""
    blocked, elsewhere = 0, 0
    for split in range(w.n_paths):
        if waits_at_bsync(w, split):
            blocked |= w.path_mask[split]
        else:
            elsewhere |= w.path_mask[split]
    if elsewhere & ~w.yielded:
        for split in range(w.n_paths):
            w.path_retried[split] |= waits_at_bsync(w, split)
    w.yielded |= elsewhere
    w.excuses = 1
    return blocked != 0


@jit
def waiting_at(w, pc):
    """Return the lanes that wait at a BSYNC."""
    lanes = 0
    for split in range(w.n_paths):
        if w.path_pc[split] == pc and waits_at_bsync(w, split):
            lanes |= w.path_mask[split]
    return lanes


@jit
def is_before(w, other, split):
    """Return whether a path has a higher turn than another one, or the same and a lower lane."""
    if w.path_turn[other] == w.path_turn[split]:
        return lowest(w.path_mask[other]) < lowest(w.path_mask[split])
    return w.path_turn[other] > w.path_turn[split]


@jit
def leads(w, split):
    """Return whether a path is before all others that wait at a BSYNC of that place."""
    for other in range(w.n_paths):
        alike = waits_at_bsync(w, other) and w.path_mask[other] and w.path_pc[other] == w.path_pc[split]
        if alike and is_before(w, other, split):
            return False
    return waits_at_bsync(w, split) and w.path_mask[split] != 0


@jit
def has_members(w, split):
    return waiting_at(w, w.path_pc[split]) & awaited(w, split) != 0


@jit
def pick_blocked(w):
    """Return a path of a stuck warp that waits at a convergence barrier, in turn, if there are any one that has members
    there; after all of these were issued in vain, the next barrier opens."""
    leading, having = 0, 0
    for split in range(w.n_paths):
        if leads(w, split):
            leading += 1
            having += has_members(w, split)
    w.failures += 1
    w.opens = w.failures > having
    place = (w.failures - 1) % (having if having else leading)
    for split in range(w.n_paths):
        if leads(w, split) and (having == 0 or has_members(w, split)):
            higher = 0
            for other in range(w.n_paths):
                rivals = leads(w, other) and (having == 0 or has_members(w, other))
                higher += rivals and is_before(w, other, split)
            if higher == place:
                return split
    return NONE


@jit
def pick(w, split):
    """Return the path that runs: of a late one with all lanes that stand at its instruction, of a BSYNC at which lanes
    wait with those that try again."""
    if waits_at_bsync(w, split):
        return retry(w, split)
    if w.path_late[split]:
        pc, ways, waiting = w.path_pc[split], 1, waiting_at(w, w.path_pc[split])
        for other in range(w.n_paths):
            if is_ready_at(w, other, pc) and other != split:
                is_new = w.path_way[other] != w.path_way[split]
                for earlier in range(other):
                    if is_ready_at(w, earlier, pc) and w.path_way[earlier] == w.path_way[other]:
                        is_new = False
                ways += is_new
        for other in range(w.n_paths):
            if other != split and (is_ready_at(w, other, pc) or (waits_at_bsync(w, other) and w.path_pc[other] == pc)):
                w.path_mask[split] |= w.path_mask[other]
                w.path_mask[other], w.path_wait[other] = 0, NO
        w.path_picked[split], w.path_ways[split], w.path_joined[split] = pc, ways, waiting
        w.path_late[split] = 0
    return split


@jit
def is_ready_at(w, split, pc):
    return w.path_mask[split] != 0 and w.path_wait[split] == NO and w.path_pc[split] == pc


@jit
def retry(w, waiting):
    """Take the members of a barrier that wait at a BSYNC, and those that came there last, or all if there are none, to
    issue it again."""
    pc, wanted = w.path_pc[waiting], awaited(w, waiting)
    here = waiting_at(w, pc)
    if w.waited_at == pc:
        wanted |= w.waited
    if here & wanted == 0:
        wanted = here
    ways, turn = AGAIN, 0
    for split in range(w.n_paths):
        if w.path_pc[split] == pc and waits_at_bsync(w, split) and w.path_mask[split]:
            if w.path_retried[split]:
                ways = AGAIN_UNCOUNTED
            if w.path_mask[split] & wanted:
                turn = max(turn, w.path_turn[split])
            w.path_mask[split] &= ~wanted
            if w.path_mask[split] == 0:
                w.path_wait[split] = NO
    split = new_split(w, pc, here & wanted, NONE)
    w.path_turn[split], w.path_picked[split], w.path_ways[split], w.path_joined[split] = turn, pc, ways, 0
    return split


@jit
def was_picked(w, split):
    """Return whether a path was picked out of turn at its instruction."""
    return w.path_picked[split] == w.path_pc[split]


@jit
def may_pass(w, split, row):
    """Return whether a path goes on at its BSYNC, given the row of its barrier. A barrier that BMOV has set opens to
    paths that are picked there alone."""
    members = load_u32(w.registers_at + row)
    if w.opens or members == 0:
        return True
    missing = members & w.live & ~waiting_at(w, w.path_pc[split]) & ~w.path_mask[split] & ~w.yielded
    return missing == 0 and (load_u32(w.registers_at + row + ROW32) == 0 or was_picked(w, split))


@jit
def wait_at(w, split, row):
    """Let the current path wait at its BSYNC."""
    w.path_wait[split], w.path_members[split] = COLLECTIVE, AT_BSYNC | row
    w.path_retried[split], w.path_picked[split] = 0, NONE
    w.waited_at, w.waited = w.path_pc[split], w.path_mask[split]
    w.arrivals += 1
    pass_turn(w, lowest(w.path_mask[split]))


@jit
def converge(w, split, row):
    """Let the current path go on from its BSYNC with the members that wait there, and empty the barrier."""
    going, pc = load_u32(w.registers_at + row) & w.live, w.path_pc[split]
    if going & ~waiting_at(w, pc) & ~w.path_mask[split] & w.yielded:
        use_excuse_up(w)
    for other in range(w.n_paths):
        if w.path_pc[other] == pc and waits_at_bsync(w, other):
            w.path_mask[split] |= w.path_mask[other] & going
            w.path_mask[other] &= ~going
            if w.path_mask[other] == 0:
                w.path_wait[other] = NO
    fill_32(w.registers_at + row, 0, FULL)
    fill_32(w.registers_at + row + ROW32, 0, FULL)
    w.failures, w.opens, w.path_picked[split] = 0, 0, NONE
    w.path_pc[split] = pc + 1


@jit
def use_excuse_up(w):
    """Note that a barrier opens without lanes that have yielded, whose turns are then those of their lowest lanes."""
    rest, w.excuses = 0, 0
    for split in range(w.n_paths):
        if w.path_turn[split] < 0:
            rest |= w.path_mask[split]
    while rest:
        for split in range(w.n_paths):
            if w.path_mask[split] & rest & -rest:
                rest &= ~w.path_mask[split]
                w.path_turn[split] = -next_turn(w)
                break


@jit
def next_turn(w):
    w.turns += 1
    return w.turns


@jit
def begin(w, split):
    """Let a path of machine code run."""
    if w.path_turn[split] < 0:
        w.path_turn[split] = next_turn(w)
    w.yielded &= ~w.path_mask[split]
    w.jumps = 0


@jit
def give_way(w, split):
    """Let other paths of machine code go first."""
    w.path_turn[split] = -next_turn(w)
    pass_turn(w, lowest(w.path_mask[split]))


@jit
def join_those_that_yielded(w, path):
    """Let a path that has just yielded join the one that did so before and stands where it does; return whether there
    is one. Where all paths have yielded, the one that did so first is ready again."""
    first, together = NONE, NONE
    for other in range(w.n_paths):
        if other != path and w.path_mask[other] and w.path_turn[other] < 0:
            if first == NONE or w.path_turn[other] > w.path_turn[first]:
                first = other
            here = w.path_pc[other] == w.path_pc[path]
            if here and (together == NONE or lowest(w.path_mask[other]) < lowest(w.path_mask[together])):
                together = other
    all_yielded = all_others_yielded(w, path)
    if together != NONE:
        w.path_mask[together] |= w.path_mask[path]
        w.path_mask[path] = 0
    if first != NONE and all_yielded:
        w.yielded &= ~w.path_mask[first]
    return together != NONE


@jit
def put_off(w, pc, lanes, way):
    """Add a path of machine code that runs later; ``way`` is the branch that it fell through, or NONE."""
    split = new_split(w, pc, lanes, NONE)
    w.path_turn[split], w.path_way[split] = next_turn(w), way


@jit
def note_divergence(w, split):
    """Note of the paths of machine code whose turn comes later that another one diverges."""
    for other in range(w.n_paths):
        if other != split and w.path_wait[other] == NO:
            w.path_late[other] = 1
