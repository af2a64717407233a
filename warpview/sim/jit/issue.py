"""Issue a warp instruction, in the way that both engines share."""

from __future__ import annotations

from warpview.isa.modes import Clock
from warpview.isa.native import EXCLUSIVE
from warpview.isa.ops import Op
from warpview.isa.program import NONE
from warpview.sim.jit import barrier, checks, clusters, livelock, splits, turns
from warpview.sim.jit.access_log import log_fence
from warpview.sim.jit.arithmetic import arithmetic, narrow
from warpview.sim.jit.compile import jit, unit
from warpview.sim.jit.decode import OpKind
from warpview.sim.jit.integer_traps import check_integers
from warpview.sim.jit.lanes import fill_32, fill_64
from warpview.sim.jit.math_functions import math_function
from warpview.sim.jit.memory import memory
from warpview.sim.jit.native import native_action, native_vector
from warpview.sim.jit.native_control import BSYNC
from warpview.sim.jit.path_control import (
    COLLECTIVE,
    EXIT,
    YIELD,
    controlled,
    count_bsync,
    count_issue,
    count_parting,
    count_taken,
    first_together,
    member_mask,
    move,
    waits_in_vain,
)
from warpview.sim.jit.printing import print_lanes
from warpview.sim.jit.raw import address_of, lowest, popcount
from warpview.sim.jit.records import instruction_at, machine_at, warp_at
from warpview.sim.jit.state import INSTRUCTION, Status
from warpview.sim.jit.suspension import stays
from warpview.sim.jit.undefined import follow, follow_memory
from warpview.sim.launch import FindingKind

INSTRUCTION_BYTES = INSTRUCTION.itemsize
ARITHMETIC, MEMORY, MATH, NATIVE_VECTOR, NATIVE_ACTION, OTHER, BRANCH = (
    int(kind)
    for kind in (
        OpKind.ARITHMETIC, OpKind.MEMORY, OpKind.MATH, OpKind.NATIVE_VECTOR, OpKind.NATIVE_ACTION, OpKind.OTHER,
        OpKind.BRANCH,
    )
)  # fmt: skip
NANOSECONDS = int(Clock.NANOSECONDS)
ACTIVEMASK, CLOCK, PRINTF, TRAP = int(Op.ACTIVEMASK), int(Op.CLOCK), int(Op.PRINTF), int(Op.TRAP)
CLUSTER_ARRIVE = int(Op.CLUSTER_ARRIVE)
WARPSYNC, MEMBAR, NOP = int(Op.WARPSYNC), int(Op.MEMBAR), int(Op.NOP)
ASSERTION = int(FindingKind.ASSERTION)
RAN, WAITING, DONE = int(Status.RAN), int(Status.WAITING), int(Status.DONE)
ABORTED = int(Status.ABORTED)


@jit
def other(m, w, ins, pc, on):
    """Execute an operation that is neither arithmetic nor memory and does not change the paths."""
    row = w.registers_at + ins.dst
    if ins.op == ACTIVEMASK:
        fill_32(row, on, on)
    elif ins.op == CLOCK:
        value = w.issued - 1 if m.cycle < 0 else m.cycle
        if ins.mod == NANOSECONDS:
            value = value * 1000000 // m.clock_khz
            w.yields = 1
        if ins.is_wide:
            fill_64(row, value, on)
        else:
            fill_32(row, value, on)
    elif ins.op == PRINTF:
        if ins.native:
            fill_32(row, ins.n_values, on)
        print_lanes(m, w, ins, pc, on)
    elif ins.op == NOP:
        w.yields |= ins.extra
    elif ins.op == MEMBAR:
        log_fence(m, pc, w, on)
    elif ins.op == CLUSTER_ARRIVE:
        clusters.arrive(m, w, pc, on)
    elif ins.op == TRAP and on:
        checks.report(m, ASSERTION, pc, w, lowest(on), 0, 0, popcount(on))
        m.stopped = 1


# ------------------------------------------------------------------------------------------------ warps


@jit
def running_path(m, w):
    """Return the path that issues next, NONE if none can run."""
    if not m.its:
        return NONE if w.at_barrier else w.n_paths - 1
    path = w.current if w.current != NONE else turns.choose(w)
    if path != NONE:
        part_by_members(m, w, path)
    return path


@jit
def part_by_members(m, w, path):
    """Part the lanes of a path at a WARPSYNC that only the lanes of one member mask pass together (.EXCLUSIVE,
    .COLLECTIVE): the path keeps those that go first, chosen as at an indirect branch."""
    ins, mask = instruction_at(m.code_at + w.path_pc[path] * INSTRUCTION_BYTES), w.path_mask[path]
    if ins.op != WARPSYNC or ins.native == 0 or ins.variant == BSYNC or ins.extra == 0:
        return
    together = first_together(w.registers_at + ins.members, mask, mask)
    if together != mask:
        turns.put_off(w, w.path_pc[path], mask & ~together, NONE)
        w.path_mask[path] = together
        count_parting(m, w.path_pc[path], mask & ~together, ins.extra == EXCLUSIVE)


@jit
def path_continues(m, w, ins, mask, on):
    """Return whether the path simply goes on after an instruction: also after a branch on which its lanes agree, unless
    another path could take its turn, and at an exit that none of them takes."""
    if ins.kind <= OTHER or (ins.kind == EXIT and on == 0):
        return True
    return ins.kind == BRANCH and (on == 0 or on == mask) and (not m.its or w.n_paths == 1)


@unit(4)
def run_straight(machine, warp, path, limit):
    """Issue instructions of a path up to ``limit``, or until one may change the paths; returns how many are left of
    the limit."""
    m, w = machine_at(machine), warp_at(warp)
    pc, mask, rpc, base = w.path_pc[path], w.path_mask[path], w.path_rpc[path], w.registers_at
    while limit > 0 and w.issued < w.look_at:
        ins = instruction_at(m.code_at + pc * INSTRUCTION_BYTES)
        kind = ins.kind
        on = barrier.guarded(w, ins, mask)
        if not path_continues(m, w, ins, mask, on):
            break
        if kind == MEMORY and stays(m, w, ins, mask, on):
            w.yields = 1
            break
        count_issue(m, w, pc, mask, on)
        if m.undefined_image_at:
            follow(machine, warp, address_of(ins), pc, mask, on)
        pc += 1
        if on == 0:
            w.yields |= waits_in_vain(ins, mask, on)
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
            w.yields |= waits_in_vain(ins, mask, on)
            pc = ins.target
        elif kind == MATH:
            math_function(address_of(ins), base, on)
        elif kind == NATIVE_ACTION:
            native_action(machine, warp, address_of(ins), pc - 1, on)
        else:
            other(m, w, ins, pc - 1, on)
        limit -= 1
        if pc == rpc or m.stopped or w.yields:
            break
    if pc != w.path_pc[path]:
        move(m, w, path, pc, 0)
    return limit


@jit
def must_wait(m, w, ins, path, on):
    """Put a path to wait whose collective lacks lanes; returns whether it does."""
    if ins.kind != COLLECTIVE or on == 0 or not m.its:
        return False
    if ins.native and ins.variant == BSYNC:
        if turns.may_pass(w, path, ins.members):
            return False
        count_bsync(m, w, path, w.path_pc[path], on)
        turns.wait_at(w, path, ins.members)
        return True
    members = member_mask(w, ins, on)
    if splits.may_execute(w, path, members):
        return False
    splits.park(w, path, members)
    return True


@unit(3)
def issue(machine, warp, limit):
    """Issue up to ``limit`` instructions of a warp; returns a Status. ``issued`` of the warp tells how many it were."""
    m, w = machine_at(machine), warp_at(warp)
    w.yields = 0
    while limit > 0 and not w.yields:
        path = running_path(m, w)
        if path == NONE:
            return WAITING if w.live else DONE
        pc, mask = w.path_pc[path], w.path_mask[path]
        ins = instruction_at(m.code_at + pc * INSTRUCTION_BYTES)
        on = barrier.guarded(w, ins, mask)
        if must_wait(m, w, ins, path, on):
            continue
        if w.issued >= w.look_at and (w.issued >= m.budget or livelock.never_ends(m, w)):
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
            if ins.kind == YIELD:
                w.yields = 1
                return RAN
    return RAN
