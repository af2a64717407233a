"""Lower what PTX has about the precision of floats beside rounding to nearest: .ftz, .rz, .rm and .rp of F32."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpview.frontend.ir import Value, const
from warpview.frontend.ptx.syntax import PtxInstruction
from warpview.isa.modes import Cmp
from warpview.isa.ops import Op
from warpview.isa.types import Type

if TYPE_CHECKING:
    from warpview.frontend.ptx.lowering import PtxCall

DIRECTED = frozenset({"rz", "rm", "rp"})
SMALLEST_NORMAL = 2.0**-126
SUMS = {"add": Op.ADD, "sub": Op.SUB, "mul": Op.MUL, "fma": Op.FMA, "mad": Op.FMA}
QUOTIENTS = {"div": Op.DIV, "rcp": Op.RCP, "sqrt": Op.SQRT}


def flushed(low: PtxCall, ins: PtxInstruction, value: Value) -> Value:
    """Return an F32 value as an instruction with .ftz takes or gives it: subnormal numbers as zeros of their sign."""
    if "ftz" not in ins.modifiers or value.type != Type.F32:
        return value
    size = low.emit(Op.ABS, Type.F32, value)
    is_subnormal = low.emit(Op.SETP, Type.F32, size, const(Type.F32, SMALLEST_NORMAL), mod=Cmp.LT)
    zero = low.emit(Op.MUL, Type.F32, value, const(Type.F32, 0.0))
    return low.emit(Op.SELP, Type.F32, zero, value, is_subnormal)


def rounded_sum(low: PtxCall, opcode: str, mode: str, sources: list[Value]) -> Value:
    """Return a sum, a difference, a product or a product and sum of F32, rounded in a direction.

    The exact value is known as the sum of two doubles (a product of two F32 is exact in F64; Knuth's TwoSum gives the
    error of the addition). Where it lies on the other side of the nearest F32, the neighbour is the result.
    """
    nearest = low.emit(SUMS[opcode], Type.F32, *sources)
    wide = [low.emit(Op.CVT, Type.F64, source, stype=Type.F32) for source in sources]
    if opcode == "sub":
        wide[1] = low.emit(Op.NEG, Type.F64, wide[1])
    if opcode not in ("add", "sub"):
        wide[:2] = [low.emit(Op.MUL, Type.F64, wide[0], wide[1])]
    if len(wide) == 1:
        return rounded(low, mode, nearest, wide[0])
    first, second = wide
    total = low.emit(Op.ADD, Type.F64, first, second)
    part = low.emit(Op.SUB, Type.F64, total, first)
    error = low.emit(
        Op.ADD, Type.F64,
        low.emit(Op.SUB, Type.F64, first, low.emit(Op.SUB, Type.F64, total, part)),
        low.emit(Op.SUB, Type.F64, second, part),
    )  # fmt: skip
    result = rounded(low, mode, nearest, total, error)
    if mode == "rm":
        result = _with_sign_of_zero(low, result, total, first, second)
    return result


def rounded_quotient(low: PtxCall, opcode: str, mode: str, sources: list[Value]) -> Value:
    """Return a quotient, a reciprocal or a square root of F32, rounded in a direction.

    What the nearest F32 leaves of the dividend, or of the radicand, is exact in F64 (a product of two F32 is, and the
    difference has no more digits); its sign tells on which side the exact value lies.
    """
    nearest = low.emit(QUOTIENTS[opcode], Type.F32, *sources)
    if opcode == "rcp":
        sources = [const(Type.F32, 1.0), *sources]
    wide = [low.emit(Op.CVT, Type.F64, source, stype=Type.F32) for source in (nearest, *sources)]
    divisor = wide[2] if len(wide) == 3 else wide[0]
    left: Value = low.emit(Op.SUB, Type.F64, wide[1], low.emit(Op.MUL, Type.F64, wide[0], divisor))
    return _moved(low, mode, nearest, wide[0], low.emit(Op.MUL, Type.F64, left, divisor))


def rounded(low: PtxCall, mode: str, nearest: Value, exact: Value, error: Value | None = None) -> Value:
    """Return the F32 that the exact value (``exact`` plus ``error``, F64) rounds to in a direction; ``nearest`` is the
    nearest one."""
    wide = low.emit(Op.CVT, Type.F64, nearest, stype=Type.F32)
    beyond: Value = low.emit(Op.SUB, Type.F64, exact, wide)  # its sign tells on which side the exact value lies
    if error is not None:
        beyond = low.emit(Op.ADD, Type.F64, beyond, error)
    return _moved(low, mode, nearest, wide, beyond)


def _moved(low: PtxCall, mode: str, nearest: Value, wide: Value, beyond: Value) -> Value:
    """Return the nearest F32, whose value as F64 is ``wide``, or its neighbour where the direction asks for it: the
    sign of ``beyond``, F64, tells on which side the exact value lies."""
    if mode == "rz":
        side = low.emit(Op.MUL, Type.F64, beyond, wide)
        closer = _bits_moved(low, nearest, const(Type.U32, -1))
        return low.emit(Op.SELP, Type.F32, closer, nearest, _is_negative(low, side))
    if mode == "rp":
        mirrored, other = low.emit(Op.NEG, Type.F32, nearest), low.emit(Op.NEG, Type.F64, beyond)
        return low.emit(Op.NEG, Type.F32, _not_above(low, mirrored, other))
    return _not_above(low, nearest, beyond)


def _not_above(low: PtxCall, nearest: Value, beyond: Value) -> Value:
    """Return the next smaller F32 where ``beyond`` is negative."""
    zero = const(Type.F32, 0.0)
    is_positive = low.emit(Op.SETP, Type.F32, nearest, zero, mod=Cmp.GT)
    step = low.emit(Op.SELP, Type.U32, const(Type.U32, -1), const(Type.U32, 1), is_positive)
    smaller = _bits_moved(low, nearest, step)
    is_zero = low.emit(Op.SETP, Type.F32, nearest, zero, mod=Cmp.EQ)
    smaller = low.emit(Op.SELP, Type.F32, const(Type.F32, -(2.0**-149)), smaller, is_zero)
    return low.emit(Op.SELP, Type.F32, smaller, nearest, _is_negative(low, beyond))


def _with_sign_of_zero(low: PtxCall, result: Value, total: Value, first: Value, second: Value) -> Value:
    """Return a sum rounded down whose zero is negative unless both terms are +0 (IEEE 754, 6.3)."""
    zero = const(Type.F64, 0.0)
    is_zero = low.emit(Op.SETP, Type.F64, total, zero, mod=Cmp.EQ)
    signs = low.emit(Op.OR, Type.U64, *(low.emit(Op.MOV, Type.U64, term) for term in (first, second)))
    has_sign = low.emit(Op.SETP, Type.S64, low.emit(Op.MOV, Type.S64, signs), const(Type.S64, 0), mod=Cmp.LT)
    both = low.emit(Op.AND, Type.PRED, is_zero, has_sign)
    return low.emit(Op.SELP, Type.F32, const(Type.F32, -0.0), result, both)


def _is_negative(low: PtxCall, value: Value) -> Value:
    return low.emit(Op.SETP, Type.F64, value, const(Type.F64, 0.0), mod=Cmp.LT)


def _bits_moved(low: PtxCall, value: Value, step: Value) -> Value:
    """Return the F32 whose pattern is that of another plus ``step``."""
    moved = low.emit(Op.ADD, Type.U32, low.emit(Op.MOV, Type.U32, value), step)
    return low.emit(Op.MOV, Type.F32, moved)
