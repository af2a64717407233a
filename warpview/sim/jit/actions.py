"""Number the cases of the arithmetic unit: decoding chooses one, and ``arithmetic`` emits the code of each.

Types that have the same bits share a case: an *action* is (operation, type, source type, mod) with the types reduced.
"""

from __future__ import annotations

from typing import NamedTuple

from warpview.isa.modes import Rounding
from warpview.isa.ops import OPS, Cmp, FunnelMode, Half, HalfFn, Op
from warpview.isa.types import Type

WORDS = (Type.U32, Type.S32, Type.U64, Type.S64)
NARROW = (Type.U8, Type.S8, Type.U16, Type.S16)
FLOATS = (Type.F32, Type.F64)

# Of integers: where the sign makes no difference to the bits of the result,
SIGNLESS = (
    Op.MOV, Op.SELP, Op.ADD, Op.SUB, Op.MUL, Op.MAD, Op.NEG, Op.AND, Op.OR, Op.XOR, Op.NOT, Op.SHL, Op.FFS,
)  # fmt: skip
SIGNED = (Op.DIV, Op.REM, Op.MIN, Op.MAX, Op.ABS, Op.SHR)  # where it does,
ONLY_32 = tuple(op for op, info in OPS.items() if info.types == "w")  # of the 32-bit types alone,
BY_WIDTH = (Op.MULHI, Op.POPC, Op.CLZ, Op.BREV, Op.SAD)  # and where the width of the type itself matters.
FLOAT = (
    Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.FMA, Op.NEG, Op.ABS, Op.MIN, Op.MAX, Op.SQRT, Op.RCP, Op.RSQRT,
)  # fmt: skip


class NativeAction(NamedTuple):
    op: Op
    type: Type
    stype: Type
    mod: int


def widened(type_: Type) -> Type:
    """Return the 32-bit type in which values of an 8- or 16-bit type, or predicates, are computed."""
    if type_ in NARROW:
        return Type.S32 if type_.is_signed else Type.U32
    return Type.U32 if type_ == Type.PRED else type_


def unsigned(type_: Type) -> Type:
    """Return the unsigned integer type of the same register."""
    return Type.U64 if type_.is_wide else Type.U32


def action(op: Op, type_: Type, stype: Type, mod: int) -> NativeAction:
    """Return the case that executes an instruction."""
    if op == Op.CVT:
        to = type_ if type_ == Type.PRED else widened(type_)
        return NativeAction(op, to, widened(stype), 0)
    if op == Op.CVT16:
        return NativeAction(op, widened(type_), widened(stype), mod)
    if op in (Op.SETP, Op.OP16, Op.FMA16, Op.FMA):
        return NativeAction(op, widened(type_), Type.PRED, mod)
    if op == Op.SHF:
        return NativeAction(op, Type.U32, Type.PRED, mod)
    if op == Op.PRMT or (op in (Op.MOV, Op.SELP) and not type_.is_wide):
        return NativeAction(op, Type.U32, Type.PRED, 0)
    if op in BY_WIDTH or (op == Op.NOT and type_ == Type.PRED):
        return NativeAction(op, type_, Type.PRED, 0)
    if op in SIGNLESS and not (type_.is_float and op in FLOAT):
        return NativeAction(op, unsigned(type_), Type.PRED, 0)
    return NativeAction(op, widened(type_), Type.PRED, 0)


def _all_actions() -> list[NativeAction]:
    none, by_width = Type.PRED, (*NARROW, *WORDS)
    words = ((op, t) for op in SIGNLESS for t in (Type.U32, Type.U64))
    signed = ((op, t) for op in SIGNED for t in WORDS)
    only_32 = ((op, t) for op in ONLY_32 for t in (Type.U32, Type.S32))
    widths = ((op, t) for op in BY_WIDTH for t in by_width)
    floats = ((op, t) for op in FLOAT for t in FLOATS)
    plain = [*words, *signed, *only_32, *widths, *floats, (Op.NOT, Type.PRED), (Op.PRMT, Type.U32)]
    result = [NativeAction(op, t, none, 0) for op, t in plain]
    result += [NativeAction(Op.SETP, t, none, cmp) for t in (*WORDS, *FLOATS) for cmp in Cmp]
    result += [NativeAction(Op.FMA, Type.F64, none, rounding) for rounding in Rounding if rounding]
    result += [NativeAction(Op.SHF, Type.U32, none, mode) for mode in FunnelMode]
    result += [NativeAction(Op.CVT, t, s, 0) for t in (*WORDS, *FLOATS, Type.PRED) for s in (*WORDS, *FLOATS)]
    result += [
        NativeAction(Op.CVT16, *pair, half) for f in FLOATS for pair in ((f, Type.U32), (Type.U32, f)) for half in Half
    ]
    result += [NativeAction(Op.FMA16 if fn >= HalfFn.FMA_F16 else Op.OP16, Type.U32, none, fn) for fn in HalfFn]
    return result


ACTIONS = _all_actions()
NUMBERS = {a: n for n, a in enumerate(ACTIONS)}
