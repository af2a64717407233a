"""The arithmetic unit: one intrinsic with a case for every operation and type.

The cases are made from the tables of ``integer`` and ``floating``. Types that have the same bits share a case: an
*action* is (operation, type, source type, mod) with the types reduced; decoded instructions hold its number.
"""

from __future__ import annotations

from typing import NamedTuple

from llvmlite import ir

from warpview.isa.ops import OPS, Cmp, FunnelMode, Op
from warpview.isa.types import Type
from warpview.sim.jit import floating, integer
from warpview.sim.jit.lanes import I32, I64, V32, lane_intrinsic, load_row, splat, store_where

WORDS = (Type.U32, Type.S32, Type.U64, Type.S64)
NARROW = (Type.U8, Type.S8, Type.U16, Type.S16)
FLOATS = (Type.F32, Type.F64)


class Action(NamedTuple):
    op: Op
    type: Type
    stype: Type
    mod: int


def widened(type_: Type) -> Type:
    """The 32-bit type in which values of an 8- or 16-bit type, or predicates, are computed."""
    if type_ in NARROW:
        return Type.S32 if type_.is_signed else Type.U32
    return Type.U32 if type_ == Type.PRED else type_


def unsigned(type_: Type) -> Type:
    """The unsigned integer type of the same register."""
    return Type.U64 if type_.is_wide else Type.U32


def action(op: Op, type_: Type, stype: Type, mod: int) -> Action:
    """The case that carries out an instruction."""
    if op == Op.CVT:
        to = type_ if type_ == Type.PRED else widened(type_)
        return Action(op, to, widened(stype), 0)
    if op == Op.SETP:
        return Action(op, widened(type_), Type.PRED, mod)
    if op == Op.SHFL_FUNNEL:
        return Action(op, Type.U32, Type.PRED, mod)
    if op == Op.PRMT or (op in (Op.MOV, Op.SELP) and not type_.is_wide):
        return Action(op, Type.U32, Type.PRED, 0)
    if op in integer.BY_WIDTH or (op == Op.NOT and type_ == Type.PRED):
        return Action(op, type_, Type.PRED, 0)
    if op in integer.SIGNLESS and not (type_.is_float and op in floating.FLOAT):
        return Action(op, unsigned(type_), Type.PRED, 0)
    return Action(op, widened(type_), Type.PRED, 0)


def _all_actions() -> list[Action]:
    none, by_width = Type.PRED, (*NARROW, *WORDS)
    words = ((op, t) for op in integer.SIGNLESS for t in (Type.U32, Type.U64))
    signed = ((op, t) for op in integer.SIGNED for t in WORDS)
    only_32 = ((op, t) for op in integer.ONLY_32 for t in (Type.U32, Type.S32))
    widths = ((op, t) for op in integer.BY_WIDTH for t in by_width)
    floats = ((op, t) for op in floating.FLOAT for t in FLOATS)
    plain = [*words, *signed, *only_32, *widths, *floats, (Op.NOT, Type.PRED), (Op.PRMT, Type.U32)]
    result = [Action(op, t, none, 0) for op, t in plain]
    result += [Action(Op.SETP, t, none, cmp) for t in (*WORDS, *FLOATS) for cmp in Cmp]
    result += [Action(Op.SHFL_FUNNEL, Type.U32, none, mode) for mode in FunnelMode]
    result += [Action(Op.CVT, t, s, 0) for t in (*WORDS, *FLOATS, Type.PRED) for s in (*WORDS, *FLOATS)]
    return result


ACTIONS = _all_actions()
NUMBERS = {a: n for n, a in enumerate(ACTIONS)}


def _operand_type(act: Action, letter: str) -> Type:
    if letter == "w":
        return Type.U64
    return {"t": act.type, "s": act.stype, "p": Type.U32, "u": Type.U32}[letter]


def _result(builder, act: Action, operands):
    """The value of an action, of its operands as vectors."""
    if act.op == Op.CVT:
        return floating.convert(builder, act.type, act.stype, *operands)
    if act.op == Op.SETP:
        return floating.compare(builder, act.type, act.mod, *operands)
    if act.op == Op.SHFL_FUNNEL:
        return integer.funnel_shift(builder, act.mod, *operands)
    if act.op == Op.PRMT:
        return integer.permute(builder, act.type, *operands)
    if act.type.is_float:
        return floating.FLOAT[act.op](builder, act.type, *operands)
    for table in (integer.SIGNLESS, integer.SIGNED, integer.ONLY_32, integer.BY_WIDTH):
        if act.op in table:
            return table[act.op](builder, act.type, *operands)
    raise KeyError(act)


def _emit_case(builder, act: Action, dst, sources, mask) -> None:
    letters = OPS[act.op].srcs
    operands = []
    for letter, address in zip(letters, sources, strict=False):
        vector = floating.vector_of(_operand_type(act, letter))
        operands.append(load_row(builder, address, vector))
    store_where(builder, _result(builder, act, operands), dst, mask)


@lane_intrinsic(6)
def arithmetic(builder, number, dst, a, b, c, mask):
    """Carry out an action: the row at ``dst`` from those at ``a``, ``b`` and ``c``, in the lanes of the mask."""
    done = builder.append_basic_block("done")
    choice = builder.switch(number, done)
    for n, act in enumerate(ACTIONS):
        block = builder.append_basic_block(f"{act.op.name}_{act.type.name}")
        choice.add_case(ir.Constant(I64, n), block)
        builder.position_at_end(block)
        _emit_case(builder, act, dst, (a, b, c), mask)
        builder.branch(done)
    builder.position_at_end(done)


@lane_intrinsic(4)
def narrow(builder, row, n_bits, is_signed, mask):
    """Wrap the lanes of a mask to the low ``n_bits`` (8 or 16) and extend them again."""
    shift = splat(builder, builder.sub(ir.Constant(I32, 32), builder.trunc(n_bits, I32)), V32)
    raised = builder.shl(load_row(builder, row, V32), shift)
    signed = builder.icmp_signed("!=", is_signed, ir.Constant(I64, 0))
    wrapped = builder.select(signed, builder.ashr(raised, shift), builder.lshr(raised, shift))
    store_where(builder, wrapped, row, mask)
