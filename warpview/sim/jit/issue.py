"""Issue a warp instruction, in the way that both engines share."""

from __future__ import annotations

from warpview.isa.ops import Op
from warpview.isa.program import NONE
from warpview.sim.jit import barrier, checks, control, splits
from warpview.sim.jit.access_log import log_fence, log_warp_sync
from warpview.sim.jit.arithmetic import arithmetic, narrow
from warpview.sim.jit.collectives import exchange
from warpview.sim.jit.compile import jit, unit
from warpview.sim.jit.decode import OpKind
from warpview.sim.jit.integer_traps import check_integers
from warpview.sim.jit.lanes import fill_32, fill_64, lanes_equal_32
from warpview.sim.jit.math_functions import math_function
from warpview.sim.jit.memory import add, memory
from warpview.sim.jit.native import native_action, native_vector
from warpview.sim.jit.native_control import BSYNC, going_lanes, leave_behind, note_convergence
from warpview.sim.jit.printing import print_lanes
from warpview.sim.jit.raw import address_of, load_u32, lowest, popcount
from warpview.sim.jit.records import event_at, instruction_at, machine_at, warp_at
from warpview.sim.jit.state import INSTRUCTION, LANES, Status
from warpview.sim.jit.undefined import follow, follow_memory
from warpview.sim.launch import FindingKind
from warpview.sim.raw_counts import N_RAW, Raw

INSTRUCTION_BYTES, ROW_OF_COUNTS = INSTRUCTION.itemsize, 8 * N_RAW
(
    ARITHMETIC,
    MEMORY,
    MATH,
    NATIVE_VECTOR,
    NATIVE_ACTION,
    OTHER,
    BRANCH,
    EXIT,
    BARRIER,
    COLLECTIVE,
    INDIRECT,
    NATIVE_BRANCH,
    YIELD,
) = (int(kind) for kind in OpKind)
ACTIVEMASK, CLOCK, PRINTF, TRAP = int(Op.ACTIVEMASK), int(Op.CLOCK), int(Op.PRINTF), int(Op.TRAP)
WARPSYNC = int(Op.WARPSYNC)
MEMBAR, MEMBER_MASK = int(Op.MEMBAR), int(FindingKind.MEMBER_MASK)
ASSERTION = int(FindingKind.ASSERTION)
OUT_OF_BOUNDS = int(FindingKind.OUT_OF_BOUNDS)
RAN, WAITING, DONE = int(Status.RAN), int(Status.WAITING), int(Status.DONE)
ABORTED = int(Status.ABORTED)
EXECUTED, LANES_COUNT, LANES_ON = 8 * Raw.EXECUTED, 8 * Raw.LANES, 8 * Raw.LANES_ON
TAKEN, DIVERGENT = 8 * Raw.TAKEN, 8 * Raw.DIVERGENT
REISSUED, REISSUED_LANES, HALF_GUARDED = 8 * Raw.REISSUED, 8 * Raw.REISSUED_LANES, 8 * Raw.HALF_GUARDED


@jit
def count_issue(m, w, pc, mask, on):
    """Count one issue of an instruction by a path."""
    row = m.counts_at + pc * ROW_OF_COUNTS
    add(row + EXECUTED, 1)
    add(row + LANES_COUNT, popcount(mask))
    add(row + LANES_ON, popcount(on))
    w.issued += 1
    e = event_at(m.event_at)
    e.pc, e.mask, e.on, e.taken = pc, mask, on, 0


# ------------------------------------------------------------------------------------------------ single lanes


@jit
def other(m, w, ins, pc, on):
    """Execute an operation that is neither arithmetic nor memory and does not change the paths."""
    row = w.registers_at + ins.dst
    if ins.op == ACTIVEMASK:
        fill_32(row, on, on)
    elif ins.op == CLOCK:
        value = w.issued - 1 if m.cycle < 0 else m.cycle
        if ins.is_wide:
            fill_64(row, value, on)
        else:
            fill_32(row, value, on)
    elif ins.op == PRINTF:
        if ins.native:
            fill_32(row, ins.n_values, on)
        print_lanes(m, w, ins, pc, on)
    elif ins.op == MEMBAR:
        log_fence(m, pc, w, on)
    elif ins.op == TRAP and on:
        checks.report(m, ASSERTION, pc, w, lowest(on), 0, 0, popcount(on))
        m.stopped = 1


# ------------------------------------------------------------------------------------------------ control


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
    """Part the lanes at a divergent branch of machine code: the lanes that fall through go on first; where they meet
    the others again, the program says."""
    w.path_mask[path], w.path_pc[path] = mask & ~on, pc + 1
    splits.new_split(w, target, on, NONE)


@jit
def branch(m, w, ins, path, pc, mask, on):
    if on:
        count_taken(m, pc, on)
    if on == 0:
        move(m, w, path, pc + 1, 0)
    elif on == mask:
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
def native_return(m, w, ins, path, pc, mask, on):
    """Execute a return: lanes with different return addresses part; those that go where the lowest lane goes do so
    first."""
    base = w.registers_at + ins.a
    first = load_u32(base + 4 * lowest(on)) if on else 0
    together = on & lanes_equal_32(base, first)
    if together:
        count_taken(m, pc, together)
    target = ins.target + first // 16
    if target < 0 or target >= m.n_code:
        checks.report(m, OUT_OF_BOUNDS, pc, w, lowest(on), first, 0, popcount(on))
        m.stopped = 1
        target = pc
    if on == 0:
        move(m, w, path, pc + 1, 0)
    elif together == mask:
        move(m, w, path, target, target <= pc)
    else:
        # The others stay here, and return in their turn.
        w.path_mask[path] = mask & ~together
        splits.new_split(w, target, together, NONE)
        splits.pass_turn(w, lowest(together))


@jit
def member_mask(w, ins, on):
    """Return the lanes that the member masks of a collective name; of a convergence barrier, which has one, the mask of
    the lowest lane."""
    row, members, lanes = w.registers_at + ins.members, 0, on
    if ins.native and ins.variant == BSYNC:
        return load_u32(row + 4 * lowest(on)) | splits.EXCUSES_YIELDED if on else 0
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
    if m.its and ins.native:
        if ins.variant == BSYNC:
            leave_behind(w, ins.members, member_mask(w, ins, on), all_on)
        elif popcount(group) > 1:
            add(m.counts_at + pc * ROW_OF_COUNTS + REISSUED, 1)
            add(m.counts_at + pc * ROW_OF_COUNTS + REISSUED_LANES, popcount(all_on))
    if all_on and ins.op != WARPSYNC:
        exchange(address_of(m), address_of(w), address_of(ins), pc, all_on)
    e = event_at(m.event_at)
    e.mask, e.on = all_mask, all_on
    if m.its:
        splits.advance_together(w, path, group)
    else:
        move(m, w, path, pc + 1, 0)


@jit
def controlled(m, w, ins, path, pc, mask, on):
    """Execute an instruction that changes the paths of the warp."""
    kind = ins.kind
    if kind == COLLECTIVE:
        collective(m, w, ins, path, pc, mask, on)
        return
    count_issue(m, w, pc, mask, on)
    if m.undefined_image_at:
        follow(address_of(m), address_of(w), address_of(ins), pc, mask, on)
    if kind == BRANCH:
        branch(m, w, ins, path, pc, mask, on)
    elif kind == NATIVE_BRANCH:
        going = going_lanes(w, ins, mask, on)
        note_convergence(m, w, ins, pc, mask if ins.imm == 1 else on)
        if ins.guard2 >= 0:
            add(m.counts_at + pc * ROW_OF_COUNTS + HALF_GUARDED, popcount(on & ~going))
        branch(m, w, ins, path, pc, mask, going)
    elif kind == INDIRECT:
        native_return(m, w, ins, path, pc, mask, on)
    elif kind == YIELD:
        w.yielded |= mask
        move(m, w, path, pc + 1, 1)
    elif kind == EXIT:
        if ins.native:
            going = going_lanes(w, ins, mask, on)
            add(m.counts_at + pc * ROW_OF_COUNTS + HALF_GUARDED, popcount(on & ~going))
            on = going
        if on:
            w.exit_pc = pc
        if m.its:
            splits.exit_lanes(w, path, on)
        else:
            control.exit_lanes(w, on)
    elif on:
        barrier.arrive(m, w, ins, path, pc, on)
    else:
        move(m, w, path, pc + 1, 0)


# ------------------------------------------------------------------------------------------------ warps


@jit
def running_path(m, w):
    """Return the path that issues next, NONE if none can run."""
    if not m.its:
        return NONE if w.at_barrier else w.n_paths - 1
    path = w.current if w.current != NONE else splits.choose(w)
    if path != NONE:
        part_by_members(m, w, path)
    return path


@jit
def part_by_members(m, w, path):
    """Part the lanes of a path at a WARPSYNC that only the lanes of one member mask pass together (.EXCLUSIVE,
    .COLLECTIVE): the path keeps those with the mask of its lowest lane."""
    ins, mask = instruction_at(m.code_at + w.path_pc[path] * INSTRUCTION_BYTES), w.path_mask[path]
    if ins.op != WARPSYNC or ins.native == 0 or ins.variant == BSYNC or ins.extra == 0:
        return
    row = w.registers_at + ins.members
    together = mask & lanes_equal_32(row, load_u32(row + 4 * lowest(mask)))
    if together != mask:
        splits.new_split(w, w.path_pc[path], mask & ~together, w.path_barrier[path])
        w.path_mask[path] = together


@jit
def path_continues(m, w, ins, mask, on):
    """Return whether the path simply goes on after an instruction: also after a branch on which its lanes agree, unless
    another path could take its turn."""
    if ins.kind <= OTHER:
        return True
    return ins.kind == BRANCH and (on == 0 or on == mask) and (not m.its or w.n_paths == 1)


@unit(4)
def run_straight(machine, warp, path, limit):
    """Issue instructions of a path up to ``limit``, or until one may change the paths; returns how many are left of
    the limit."""
    m, w = machine_at(machine), warp_at(warp)
    pc, mask, rpc, base = w.path_pc[path], w.path_mask[path], w.path_rpc[path], w.registers_at
    while limit > 0 and w.issued < m.budget:
        ins = instruction_at(m.code_at + pc * INSTRUCTION_BYTES)
        kind = ins.kind
        on = barrier.guarded(w, ins, mask)
        if not path_continues(m, w, ins, mask, on):
            break
        count_issue(m, w, pc, mask, on)
        if m.undefined_image_at:
            follow(machine, warp, address_of(ins), pc, mask, on)
        pc += 1
        if on == 0:
            pass
        elif kind == ARITHMETIC:
            if ins.trap and m.source_checks:
                check_integers(m, w, ins, pc - 1, on)
            arithmetic(ins.action, base + ins.dst, base + ins.a, base + ins.b, base + ins.c, on)
            if ins.narrow_bits:
                narrow(base + ins.dst, ins.narrow_bits, ins.is_signed, on)
        elif kind == NATIVE_VECTOR:
            native_vector(ins, base, on)
        elif kind == MEMORY:
            memory(machine, warp, address_of(ins), pc - 1, on)
            if m.undefined_image_at:
                follow_memory(machine, warp, address_of(ins), pc - 1, on)
        elif kind == BRANCH:
            count_taken(m, pc - 1, on)
            pc = ins.target
        elif kind == MATH:
            math_function(address_of(ins), base, on)
        elif kind == NATIVE_ACTION:
            native_action(machine, warp, address_of(ins), pc - 1, on)
        else:
            other(m, w, ins, pc - 1, on)
        limit -= 1
        if pc == rpc or m.stopped:
            break
    if pc != w.path_pc[path]:
        move(m, w, path, pc, 0)
    return limit


@jit
def must_wait(m, w, ins, path, on):
    """Put a path to wait whose collective lacks lanes; returns whether it does."""
    if ins.kind != COLLECTIVE or on == 0 or not m.its:
        return False
    members = member_mask(w, ins, on)
    if splits.may_execute(w, path, members):
        return False
    splits.park(w, path, members)
    return True


@unit(3)
def issue(machine, warp, limit):
    """Issue up to ``limit`` instructions of a warp; returns a Status. ``issued`` of the warp tells how many it were."""
    m, w = machine_at(machine), warp_at(warp)
    while limit > 0:
        path = running_path(m, w)
        if path == NONE:
            return WAITING if w.live else DONE
        pc, mask = w.path_pc[path], w.path_mask[path]
        ins = instruction_at(m.code_at + pc * INSTRUCTION_BYTES)
        on = barrier.guarded(w, ins, mask)
        if must_wait(m, w, ins, path, on):
            continue
        if w.issued >= m.budget:
            barrier.report_endless(m, w, pc, mask)
            return ABORTED
        if path_continues(m, w, ins, mask, on):
            limit = run_straight(machine, warp, path, limit)
            if m.stopped:
                return ABORTED
        else:
            controlled(m, w, ins, path, pc, mask, on)
            limit -= 1
            if m.stopped:
                return ABORTED
    return RAN
