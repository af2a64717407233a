"""Execute shuffles, votes, matches and warp reductions, by the definition in the reference's ``collective.py``."""

from __future__ import annotations

from warpview.isa.ops import MatchMode, Op, ReduxOp, ShflMode, VoteMode
from warpview.sim.jit.checks import report
from warpview.sim.jit.compile import jit, unit
from warpview.sim.jit.lanes import (
    copy_lanes_32,
    copy_lanes_64,
    fill_32,
    fill_64,
    lanes_equal,
    lanes_equal_32,
    nonzero,
    permute_32,
    permute_64,
)  # fmt: skip
from warpview.sim.jit.native import matrix_action
from warpview.sim.jit.raw import load_i32, load_i64, load_u32, lowest, store_64
from warpview.sim.jit.records import addresses_at, instruction_at, machine_at, physical_at, warp_at
from warpview.sim.launch import FindingKind

SHFL, VOTE, MATCH, REDUX = int(Op.SHFL), int(Op.VOTE), int(Op.MATCH), int(Op.REDUX)
MMA, MOVM = int(Op.MMA), int(Op.MOVM)
IDX, UP, DOWN = int(ShflMode.IDX), int(ShflMode.UP), int(ShflMode.DOWN)
ALL, ANY, BALLOT = int(VoteMode.ALL), int(VoteMode.ANY), int(VoteMode.BALLOT)
MATCH_ANY = int(MatchMode.ANY)
ADD, MIN, MAX, AND, OR = (int(op) for op in (ReduxOp.ADD, ReduxOp.MIN, ReduxOp.MAX, ReduxOp.AND, ReduxOp.OR))
INACTIVE_LANE = int(FindingKind.INACTIVE_LANE)
SIGN_BIT = -(1 << 63)


@jit
def shuffle_source(mode, lane, operand, width):
    """Return the lane whose value a lane receives; -1 where it keeps its own because that lies outside its segment."""
    first = lane & ~(width - 1)
    last = first + width - 1
    if mode == IDX:
        return first | operand & (width - 1)
    if mode == UP:
        source = lane - operand
        return source if source >= first else -1
    source = lane + operand if mode == DOWN else lane ^ operand
    return source if source <= last else -1


@jit
def shuffle(m, w, ins, pc, on):
    sources = addresses_at(m)
    for lane in range(32):
        store_64(sources + 8 * lane, lane)
    lanes = on
    while lanes:
        lane = lowest(lanes)
        row = w.registers_at + 4 * lane
        source = shuffle_source(ins.mod, lane, load_u32(row + ins.b), load_u32(row + ins.c))
        if source >= 0:
            source &= 31  # a width that is not a power of two must do no harm
            store_64(sources + 8 * lane, source)
            if m.check and on >> source & 1 == 0:
                report(m, INACTIVE_LANE, pc, w, lane, source, 0, 1)
        lanes &= lanes - 1
    out = physical_at(m)
    if ins.is_wide:
        permute_64(out, w.registers_at + ins.a, sources)
        copy_lanes_64(w.registers_at + ins.dst, out, on)
    else:
        permute_32(out, w.registers_at + ins.a, sources)
        copy_lanes_32(w.registers_at + ins.dst, out, on)


@jit
def vote(mode, ballot, members):
    if mode == BALLOT:
        return ballot
    if mode == ANY:
        return 1 if ballot else 0
    if mode == ALL:
        return 1 if ballot == members else 0
    return 1 if ballot == 0 or ballot == members else 0


@jit
def match(w, ins, on, members, out):
    """Match value by value, into a scratch row, for the destination may be the source."""
    row, done = w.registers_at + ins.a, on
    while done:
        lane = lowest(done)
        if ins.is_wide:
            same = lanes_equal(row, load_i64(row + 8 * lane))
        else:
            same = lanes_equal_32(row, load_u32(row + 4 * lane))
        equal = same & members
        if ins.mod != MATCH_ANY and equal != members:
            equal = 0
        fill_32(out, equal, same & on)
        done &= ~same


@jit
def redux_step(mode, a, b, unsigned_wide):
    if mode == ADD:
        return a + b
    if mode == AND:
        return a & b
    if mode == OR:
        return a | b
    if mode in (MIN, MAX):
        flip = SIGN_BIT if unsigned_wide else 0
        a_is_less = (a ^ flip) < (b ^ flip)
        return a if a_is_less == (mode == MIN) else b
    return a ^ b


@jit
def redux(w, ins, lanes):
    row = w.registers_at + ins.a
    total, first = 0, True
    while lanes:
        lane = lowest(lanes)
        if ins.is_wide:
            value = load_i64(row + 8 * lane)
        else:
            value = load_i32(row + 4 * lane) if ins.is_signed else load_u32(row + 4 * lane)
        total = value if first else redux_step(ins.mod, total, value, ins.is_wide and not ins.is_signed)
        first = False
        lanes &= lanes - 1
    return total


@jit
def among(w, ins, group, members, out):
    """Write to a scratch row what the lanes of a group get, which have one member mask: ``members`` take part."""
    if ins.op == VOTE:
        fill_32(out, vote(ins.mod, nonzero(w.registers_at + ins.a) & members, members), group)
    elif ins.op == MATCH:
        match(w, ins, group, members, out)
    elif ins.op == REDUX:
        value = redux(w, ins, members if members else group)
        if ins.is_wide:
            fill_64(out, value, group)
        else:
            fill_32(out, value, group)


@unit(5)
def exchange(machine, warp, instruction, pc, on):
    """Write what the lanes ``on`` receive from one another: lanes from those of their own member mask."""
    m, w, ins = machine_at(machine), warp_at(warp), instruction_at(instruction)
    if ins.op == SHFL:
        shuffle(m, w, ins, pc, on)
        return 0
    if ins.op == MMA or ins.op == MOVM:
        return matrix_action(machine, warp, instruction)
    masks, out, lanes = w.registers_at + ins.members, physical_at(m), on
    while lanes:
        named = load_u32(masks + 4 * lowest(lanes))
        group = lanes & lanes_equal_32(masks, named)
        among(w, ins, group, named & on, out)
        lanes &= ~group
    if ins.op == REDUX and ins.is_wide:
        copy_lanes_64(w.registers_at + ins.dst, out, on)
    else:
        copy_lanes_32(w.registers_at + ins.dst, out, on)
    return 0
