"""Lower what PTX rounds down, up or towards zero to F64. All of it comes from products and sums with a direction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpview.frontend.ir import Value, const
from warpview.frontend.ptx.rounding import QUOTIENTS
from warpview.isa.modes import Cmp, MathFn, Rounding
from warpview.isa.ops import Op
from warpview.isa.types import Type

if TYPE_CHECKING:
    from warpview.frontend.ptx.lowering import PtxCall

LARGEST = 1.7976931348623157e308
_TINY = 2.0**-1000  # whose square decides a direction alone


def rounded_double_sum(low: PtxCall, opcode: str, mode: str, sources: list[Value]) -> Value:
    """Return a sum, a difference, a product or a product and sum of F64, rounded in a direction."""
    one = const(Type.F64, 1.0)
    if opcode == "add":
        return _fma(low, mode, sources[0], one, sources[1])
    if opcode == "sub":
        return _fma(low, mode, sources[0], one, low.emit(Op.NEG, Type.F64, sources[1]))
    if opcode == "mul":  # plus the zero that leaves a zero its sign
        return _fma(low, mode, *sources, const(Type.F64, 0.0 if mode == "rm" else -0.0))
    return _fma(low, mode, *sources)


def rounded_double_quotient(low: PtxCall, opcode: str, mode: str, sources: list[Value]) -> Value:
    """Return a quotient, a reciprocal or a square root of F64, rounded in a direction.

    What the nearest F64 leaves of the dividend, or of the radicand, says on which side the exact value lies: its sign
    is that of its values rounded up and down, one of which is not zero however small it is.
    """
    zero = const(Type.F64, 0.0)
    if opcode == "rcp":
        sources = [const(Type.F64, 1.0), *sources]
    nearest = low.emit(QUOTIENTS["div" if opcode == "rcp" else opcode], Type.F64, *sources)
    divisor = sources[1] if len(sources) == 2 else nearest
    negated = low.emit(Op.NEG, Type.F64, nearest)
    sides = [_fma(low, way, negated, divisor, sources[0]) for way in ("rp", "rm")]
    above = low.emit(Op.SETP, Type.F64, sides[0], zero, mod=Cmp.GT)
    below = low.emit(Op.SETP, Type.F64, sides[1], zero, mod=Cmp.LT)
    tiny, other = const(Type.F64, _TINY), const(Type.F64, -_TINY)
    side = low.emit(Op.SELP, Type.F64, tiny, other, above)
    side = low.emit(Op.MATH2, Type.F64, tiny, _product_of_signs(low, side, divisor), mod=MathFn.COPYSIGN)
    moved = _fma(low, mode, side, tiny, nearest)
    result = low.emit(Op.SELP, Type.F64, moved, nearest, low.emit(Op.OR, Type.PRED, above, below))
    if opcode == "sqrt":
        return result
    return low.emit(Op.SELP, Type.F64, _overflown(low, mode, nearest), result, _overflows(low, nearest, sources))


def _product_of_signs(low: PtxCall, a: Value, b: Value) -> Value:
    """Return an F64 that has the sign of a * b."""
    bits = low.emit(Op.XOR, Type.U64, *(low.emit(Op.MOV, Type.U64, x) for x in (a, b)))
    return low.emit(Op.MOV, Type.F64, bits)


def _overflows(low: PtxCall, nearest: Value, sources: list[Value]) -> Value:
    """Return whether a quotient is infinite of numbers that are not, and no division by zero."""

    def compared(value: Value, relation: Cmp) -> Value:
        return low.emit(Op.SETP, Type.F64, low.emit(Op.ABS, Type.F64, value), const(Type.F64, LARGEST), mod=relation)

    divides = low.emit(Op.SETP, Type.F64, sources[1], const(Type.F64, 0.0), mod=Cmp.NE)
    finite_and_infinite = low.emit(Op.AND, Type.PRED, compared(sources[0], Cmp.LE), compared(nearest, Cmp.GT))
    return low.emit(Op.AND, Type.PRED, divides, finite_and_infinite)


def _overflown(low: PtxCall, mode: str, nearest: Value) -> Value:
    """Return what a finite number beyond the largest F64, of the sign of ``nearest``, is rounded to."""
    largest = low.emit(Op.MATH2, Type.F64, const(Type.F64, LARGEST), nearest, mod=MathFn.COPYSIGN)
    return _fma(low, mode, largest, const(Type.F64, 2.0), largest)


def rounded_integer(low: PtxCall, mode: str, value: Value, of: Type) -> Value:
    """Return an integer of 64 bits, U64 or S64, as an F64, rounded in a direction."""
    return _fma(low, mode, *_halves(low, value, of))


def exact_integer(low: PtxCall, value: Value, of: Type) -> tuple[Value, Value]:
    """Return two F64 whose sum an integer of 64 bits is."""
    upper, power, lower = _halves(low, value, of)
    return low.emit(Op.MUL, Type.F64, upper, power), lower


def _halves(low: PtxCall, value: Value, of: Type) -> tuple[Value, Value, Value]:
    """Return the upper half of an integer of 64 bits, with its sign, 2^32, and the lower half, as F64."""
    half = Type.S32 if of.is_signed else Type.U32
    upper = low.emit(Op.CVT, half, low.emit(Op.SHR, of, value, const(Type.U32, 32)), stype=of)
    lower = low.emit(Op.CVT, Type.U32, value, stype=of)
    numbers = [low.emit(Op.CVT, Type.F64, upper, stype=half), low.emit(Op.CVT, Type.F64, lower, stype=Type.U32)]
    return numbers[0], const(Type.F64, 2.0**32), numbers[1]


def _fma(low: PtxCall, mode: str, *sources: Value) -> Value:
    return low.emit(Op.FMA, Type.F64, *sources, mod=Rounding[mode.upper()])
