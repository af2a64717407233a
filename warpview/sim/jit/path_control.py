"""Execute the instructions that change the paths of a warp, and count issues."""

from __future__ import annotations

from warpview.isa.modes import Spin
from warpview.isa.native import LONGEST_TURN
from warpview.isa.ops import Op
from warpview.isa.program import NONE
from warpview.sim.jit import barrier, checks, control, splits, turns
from warpview.sim.jit.access_log import log_warp_sync
from warpview.sim.jit.collectives import exchange
from warpview.sim.jit.compile import jit
from warpview.sim.jit.decode import OpKind
from warpview.sim.jit.lanes import lanes_equal_32
from warpview.sim.jit.memory import add
from warpview.sim.jit.native_control import BSYNC, HALF_GUARDED, going_lanes, note_convergence
from warpview.sim.jit.raw import address_of, load_u32, lowest, popcount
from warpview.sim.jit.records import event_at
from warpview.sim.jit.state import LANES
from warpview.sim.jit.undefined import follow
from warpview.sim.launch import FindingKind
from warpview.sim.raw_counts import N_RAW, Raw

ROW_OF_COUNTS = 8 * N_RAW
EXIT, COLLECTIVE, BRANCH, INDIRECT, NATIVE_BRANCH, YIELD = (
    int(kind)
    for kind in (OpKind.EXIT, OpKind.COLLECTIVE, OpKind.BRANCH, OpKind.INDIRECT, OpKind.NATIVE_BRANCH, OpKind.YIELD)
)
WARPSYNC, CLUSTER_WAIT = int(Op.WARPSYNC), int(Op.CLUSTER_WAIT)
LEAVES_BY_BRANCH, STAYS_BY_BRANCH = int(Spin.LEAVES_BY_BRANCH), int(Spin.STAYS_BY_BRANCH)
MEMBER_MASK, OUT_OF_BOUNDS = int(FindingKind.MEMBER_MASK), int(FindingKind.OUT_OF_BOUNDS)
EXECUTED, LANES_COUNT, LANES_ON = 8 * Raw.EXECUTED, 8 * Raw.LANES, 8 * Raw.LANES_ON
TAKEN, DIVERGENT, FURTHER_TARGETS = 8 * Raw.TAKEN, 8 * Raw.DIVERGENT, 8 * Raw.FURTHER_TARGETS
REISSUED, REISSUED_LANES = 8 * Raw.REISSUED, 8 * Raw.REISSUED_LANES


@jit
def count_issue(m, w, pc, mask, on):
    """Count one issue of an instruction by a path."""
    row = m.counts_at + pc * ROW_OF_COUNTS
    add(row + EXECUTED, 1)
    add(row + LANES_COUNT, popcount(mask))
    add(row + LANES_ON, popcount(on))
    note_issue(m, w, pc, mask, on)


@jit
def note_issue(m, w, pc, mask, on):
    w.issued += 1
    e = event_at(m.event_at)
    e.pc, e.mask, e.on, e.taken = pc, mask, on, 0


@jit
def move(m, w, path, pc, yields):
    """The running path goes to ``pc``; on the model with splits the turn may pass on."""
    if m.its:
        splits.go_to(w, path, pc, yields)
    else:
        w.path_pc[path] = pc
        control.pop_arrived(w)


@jit
def count_taken(m, pc, on):
    """Count a branch that some lanes take."""
    add(m.counts_at + pc * ROW_OF_COUNTS + TAKEN, 1)
    event_at(m.event_at).taken = on


@jit
def part(w, path, pc, mask, on, target):
    """Part the lanes at a divergent branch of machine code: the fewer go on first, or those that fall through; where
    they meet the others again, the program says."""
    turns.note_divergence(w, path)
    rest = mask & ~on
    falls = popcount(rest) <= popcount(on)
    if falls:
        turns.put_off(w, target, on, NONE)
    else:
        turns.put_off(w, pc + 1, rest, pc)
    w.path_mask[path], w.path_pc[path] = (rest, pc + 1) if falls else (on, target)


@jit
def jump_back(w, path, target):
    """Go back in machine code; after many times other paths go first, so that lanes that wait for one another all make
    progress."""
    w.path_pc[path] = target
    for other in range(w.n_paths):
        if other != path and w.path_mask[other]:
            w.jumps += 1
            break
    if w.jumps == LONGEST_TURN:
        turns.give_way(w, path)


@jit
def count_again(m, pc, lanes):
    """Count an issue that only the multiprocessor counts."""
    add(m.counts_at + pc * ROW_OF_COUNTS + REISSUED, 1)
    add(m.counts_at + pc * ROW_OF_COUNTS + REISSUED_LANES, popcount(lanes))


@jit
def count_parting(m, pc, others, is_exclusive):
    """Count that the lanes of one member mask leave a WARPSYNC before others: the instruction counts once for all of
    them, the multiprocessor issues it again for the others, where it is .EXCLUSIVE as a divergent branch."""
    add(m.counts_at + pc * ROW_OF_COUNTS + EXECUTED, -1)
    count_again(m, pc, others)
    if is_exclusive:
        add(m.counts_at + pc * ROW_OF_COUNTS + DIVERGENT, 1)
        add(m.counts_at + pc * ROW_OF_COUNTS + FURTHER_TARGETS, 1)


@jit
def yield_turn(m, w, path, pc):
    """Let other paths go first. If no other one stands at the next instruction, the barriers of the warp at which paths
    wait are issued again, the first of them together with the lanes of the paths that have been put off."""
    w.yielded |= w.path_mask[path]
    w.path_pc[path] = pc + 1
    turns.give_way(w, path)
    if turns.join_those_that_yielded(w, path):
        return
    w.excuses = 1
    ready, waiting = 0, 0
    for other in range(w.n_paths):
        if w.path_wait[other] == splits.COLLECTIVE:
            waiting |= w.path_mask[other]
        elif w.path_wait[other] == splits.NO and w.path_turn[other] >= 0:
            ready |= w.path_mask[other]
    while waiting:
        lane, together, at = lowest(waiting), 0, NONE
        for other in range(w.n_paths):
            if w.path_mask[other] >> lane & 1:
                at = w.path_pc[other]
        for other in range(w.n_paths):
            if w.path_wait[other] == splits.COLLECTIVE and w.path_pc[other] == at:
                together |= w.path_mask[other]
                w.path_retried[other] = 1
        count_again(m, at, together | ready)
        ready, waiting = 0, waiting & ~together


@jit
def branch(m, w, ins, path, pc, mask, on):
    if on:
        count_taken(m, pc, on)
    if on == 0:
        move(m, w, path, pc + 1, 0)
    elif on == mask:
        if ins.native and ins.target <= pc:
            jump_back(w, path, ins.target)
        else:
            move(m, w, path, ins.target, ins.target <= pc)
    else:
        add(m.counts_at + pc * ROW_OF_COUNTS + DIVERGENT, 1)
        if ins.native:
            part(w, path, pc, mask, on, ins.target)
        elif m.its:
            splits.diverge(w, path, on, ins.target, ins.reconvergence)
        else:
            control.diverge(w, on, ins.target, ins.reconvergence)


@jit
def first_together(row, mask, on):
    """Return the lanes that go first to the places in a register, or on where the guard does not hold: those that go
    on, else where the lowest lane goes, of the places to which no more than half of the lanes go; all lanes where there
    is one place."""
    falling, rest = mask & ~on, on
    if falling and 2 * popcount(falling) <= popcount(mask):
        return falling
    while rest:
        alike = on & lanes_equal_32(row, load_u32(row + 4 * lowest(rest)))
        if 2 * popcount(alike) <= popcount(mask):
            return alike
        rest &= ~alike
    return mask


@jit
def native_return(m, w, ins, path, pc, mask, on):
    """Go where a register says, or on: lanes that go to different places part."""
    base = w.registers_at + ins.a
    together = first_together(base, mask, on)
    goes = together & on != 0
    first = load_u32(base + 4 * lowest(together)) if goes else 0
    if goes:
        count_taken(m, pc, together)
    target = ins.target + first // 16 if goes else pc + 1
    if target < 0 or target >= ins.imm:
        checks.report(m, OUT_OF_BOUNDS, pc, w, lowest(on), first, 0, popcount(on))
        m.stopped = 1
        target = pc
    if together == mask:
        w.path_again[path] = 0
        if target <= pc:
            jump_back(w, path, target)
        else:
            move(m, w, path, target, 0)
    else:
        # The others stay here, and go in their turn.
        turns.note_divergence(w, path)
        add(m.counts_at + pc * ROW_OF_COUNTS + DIVERGENT, 1)
        if w.path_again[path]:
            add(m.counts_at + pc * ROW_OF_COUNTS + FURTHER_TARGETS, 1)
        w.path_mask[path], w.path_again[path], w.path_turn[path] = mask & ~together, 1, turns.next_turn(w)
        turns.put_off(w, target, together, NONE)
        splits.pass_turn(w, lowest(together))


@jit
def member_mask(w, ins, on):
    """Return the lanes that the member masks of a collective name."""
    row, members, lanes = w.registers_at + ins.members, 0, on
    while lanes:
        named = load_u32(row + 4 * lowest(lanes))
        members |= named
        lanes &= ~lanes_equal_32(row, named)
    return members


@jit
def check_masks(m, w, ins, pc, on):
    """Report lanes that their own member mask leaves out, or whose mask names a lane that does not take part."""
    absent = w.first_live & ~(on if m.masks_need_convergence else w.live)
    if ins.native:
        absent = 0  # the compiler names all lanes, whoever has exited
    row, lanes = w.registers_at + ins.members, on
    common = load_u32(row + 4 * lowest(on))
    if common & on == on and common & absent == 0 and lanes_equal_32(row, common) & on == on:
        return
    while lanes:
        lane = lowest(lanes)
        mask = load_u32(row + 4 * lane)
        if mask >> lane & 1 == 0:
            checks.report_pair(m, MEMBER_MASK, pc, w, lane, mask, NONE, NONE)
        elif mask & absent:
            other = lowest(mask & absent)
            other_pc = NONE if w.live >> other & 1 else w.exit_pc
            checks.report_pair(m, MEMBER_MASK, pc, w, lane, mask, other_pc, w.index * LANES + other)
        lanes &= lanes - 1


@jit
def meet(m, w, ins, pc, on):
    """Note which lanes a warp primitive orders: those of each member mask."""
    row, lanes = w.registers_at + ins.members, on
    while lanes:
        together = lanes & lanes_equal_32(row, load_u32(row + 4 * lowest(lanes)))
        if together == w.live:
            w.segment += 1
        log_warp_sync(m, pc, w, together)
        lanes &= ~together


@jit
def collective(m, w, ins, path, pc, mask, on):
    """Execute an exchange among lanes; on the model with splits perhaps together with others that wait there."""
    group, all_mask, all_on = 1 << path, mask, on
    if m.its and on:
        members = member_mask(w, ins, on)
        for other_path in range(w.n_paths):
            if other_path != path and splits.takes_part(w, path, other_path, members):
                group |= 1 << other_path
                other_mask = w.path_mask[other_path]
                other_on = barrier.guarded(w, ins, other_mask)
                count_issue(m, w, pc, other_mask, other_on)
                all_mask |= other_mask
                all_on |= other_on
    count_issue(m, w, pc, mask, on)
    if all_on:
        if m.check:
            check_masks(m, w, ins, pc, all_on)
        meet(m, w, ins, pc, all_on)
    if all_on and m.undefined_image_at:
        follow(address_of(m), address_of(w), address_of(ins), pc, all_mask, all_on)
    if m.its and ins.native and turns.was_picked(w, path):
        count_late(m, pc, all_on & ~mask, w.path_ways[path])
        w.path_picked[path] = NONE
    elif m.its and ins.native and on and (popcount(group) > 1 or w.path_wait[path] == splits.COLLECTIVE):
        count_again(m, pc, all_on)
    if all_on and ins.op != WARPSYNC:
        exchange(address_of(m), address_of(w), address_of(ins), pc, all_on)
    e = event_at(m.event_at)
    e.mask, e.on = all_mask, all_on
    if m.its:
        splits.advance_together(w, path, group)
    else:
        move(m, w, path, pc + 1, 0)


@jit
def count_bsync(m, w, path, pc, on):
    """Count an issue of a BSYNC. Of paths that are picked late together the instruction counts one for each way on
    which they came, without the lanes that waited; one that waits is issued again for the multiprocessor alone."""
    row, ways, waiting = m.counts_at + pc * ROW_OF_COUNTS, 1, 0
    if turns.was_picked(w, path):
        ways, waiting = w.path_ways[path], w.path_joined[path]
        if ways == turns.AGAIN:
            count_again(m, pc, w.path_mask[path])
        if ways <= turns.AGAIN:
            return
    add(row + EXECUTED, 1)
    add(row + LANES_COUNT, popcount(w.path_mask[path] & ~waiting))
    add(row + LANES_ON, popcount(on & ~waiting))
    count_late(m, pc, waiting, ways)


@jit
def count_late(m, pc, waiting, ways):
    """Count that paths come late to a BSYNC or WARPSYNC, together: the multiprocessor issues it once for them, with the
    lanes that wait there, and the instruction counts one for each way on which they came."""
    row = m.counts_at + pc * ROW_OF_COUNTS
    add(row + EXECUTED, ways - 1)
    add(row + REISSUED, 1 - ways)
    add(row + REISSUED_LANES, popcount(waiting))


@jit
def converge(m, w, ins, path, pc, mask, on):
    """Execute a BSYNC at which a path goes on, with the members that wait there."""
    count_bsync(m, w, path, pc, on)
    note_issue(m, w, pc, mask, on)
    together = mask
    if on:
        together |= load_u32(w.registers_at + ins.members) & w.live & turns.waiting_at(w, pc)
        if together == w.live:
            w.segment += 1
        log_warp_sync(m, pc, w, together)
        if m.undefined_image_at:
            follow(address_of(m), address_of(w), address_of(ins), pc, together, together)
        turns.converge(w, path, ins.members)
        e = event_at(m.event_at)
        e.mask, e.on = together, together
    else:
        w.path_pc[path] = pc + 1


@jit
def waits_in_vain(ins, mask, on):
    """Return 1 where all lanes of a path stay in a loop that waits for other threads: other warps go first."""
    return int((ins.spins == LEAVES_BY_BRANCH and on == 0) or (ins.spins == STAYS_BY_BRANCH and on == mask))


@jit
def controlled(m, w, ins, path, pc, mask, on):
    """Execute an instruction that changes the paths of the warp."""
    kind = ins.kind
    if kind == COLLECTIVE and ins.native and ins.variant == BSYNC:
        converge(m, w, ins, path, pc, mask, on)
        return
    if kind == COLLECTIVE:
        collective(m, w, ins, path, pc, mask, on)
        return
    if kind == INDIRECT and w.path_again[path]:
        count_again(m, pc, mask)
        add(m.counts_at + pc * ROW_OF_COUNTS + HALF_GUARDED, popcount(mask & ~on))
        note_issue(m, w, pc, mask, on)
    else:
        count_issue(m, w, pc, mask, on)
    if m.undefined_image_at:
        follow(address_of(m), address_of(w), address_of(ins), pc, mask, on)
    if kind == BRANCH:
        branch(m, w, ins, path, pc, mask, on)
        w.yields |= waits_in_vain(ins, mask, on)
    elif kind == NATIVE_BRANCH:
        going = going_lanes(w, ins, mask, on)
        note_convergence(m, w, ins, pc, mask if ins.imm == 1 else on)
        if ins.guard2 >= 0:
            add(m.counts_at + pc * ROW_OF_COUNTS + HALF_GUARDED, popcount(on & ~going))
        branch(m, w, ins, path, pc, mask, going)
    elif kind == INDIRECT:
        native_return(m, w, ins, path, pc, mask, on)
    elif kind == YIELD:
        yield_turn(m, w, path, pc)
    elif kind == EXIT:
        if ins.native:
            going = going_lanes(w, ins, mask, on)
            add(m.counts_at + pc * ROW_OF_COUNTS + HALF_GUARDED, popcount(on & ~going))
            on = event_at(m.event_at).on = going
        if on:
            w.exit_pc = pc
        if m.its:
            splits.exit_lanes(w, path, on)
        else:
            control.exit_lanes(w, on)
    elif on and not (ins.op == CLUSTER_WAIT and on & w.cluster_arrived == 0):  # the phase is not over
        barrier.arrive(m, w, ins, path, pc, on)
    else:
        move(m, w, path, pc + 1, 0)
