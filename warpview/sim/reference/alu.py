"""The meaning of every arithmetic operation for one lane: register patterns in, register pattern out.

Sums, products, quotients and square roots of F32 are formed in double precision and rounded to single: with 53 bits
against 24 that second rounding is harmless (Figueroa 1995), so each is correct. FMA is exact and rounded once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

from warpview.isa.ops import Cmp, FunnelMode, MathFn, Op
from warpview.isa.types import Type
from warpview.sim.reference import math_functions
from warpview.sim.reference.values import (
    Number,
    decoder,
    encoder,
    float_to_int,
    fma,
    int_to_float,
    mask,
    signed,
    width,
    wrap,
)

Bits = Callable[..., int]

SIGN = {Type.F32: 1 << 31, Type.F64: 1 << 63}


@cache
def operation(op: Op, type_: Type, stype: Type, mod: int) -> Bits:
    """The function from source patterns to the result pattern of an operation at given types."""
    if op in BITWISE:
        return _narrowed(type_, BITWISE[op](type_))
    if op == Op.CVT:
        return _convert(type_, stype)
    if op == Op.SETP:
        return _compare(type_, Cmp(mod))
    if op == Op.MATH1:
        return _on_numbers(type_, math_functions.UNARY[MathFn(mod)])
    if op == Op.MATH2:
        return _math2(type_, MathFn(mod))
    if op == Op.PRMT:
        return _permute
    if op == Op.SHF:
        return FUNNEL[FunnelMode(mod)]
    if type_.is_float:
        if op == Op.FMA:
            return _on_numbers(type_, lambda a, b, c: fma(type_, a, b, c))
        return _on_numbers(type_, FLOAT[op])
    if op in WIDE:
        return _wide(type_, WIDE[op])
    return _on_numbers(type_, INTEGER[op](type_))


def _on_numbers(type_: Type, function: Callable[..., Number]) -> Bits:
    """A function of numbers as one of patterns, operands and result of one type."""
    decode, encode = decoder(type_), encoder(type_)
    return lambda *sources: encode(function(*(decode(s) for s in sources)))


# ------------------------------------------------------------------------------------------------ patterns


def _narrowed(type_: Type, function: Bits) -> Bits:
    """The function with its result wrapped to an 8- or 16-bit type; sources may be wider than that."""
    if type_.bytes >= 4 or type_ == Type.PRED:
        return function
    return lambda *sources: wrap(type_, function(*sources))


def _not(type_: Type) -> Bits:
    if type_ == Type.PRED:
        return lambda a: 1 - a
    return lambda a: wrap(type_, ~a)


def _negate(type_: Type) -> Bits:
    if type_.is_float:
        return lambda a: a ^ SIGN[type_]
    return lambda a: wrap(type_, -a)


def _absolute(type_: Type) -> Bits:
    if type_.is_float:
        return lambda a: a & ~SIGN[type_]
    decode = decoder(type_)
    return lambda a: wrap(type_, abs(int(decode(a))))


def _shift_right(type_: Type) -> Bits:
    decode = decoder(type_)
    return lambda a, n: wrap(type_, int(decode(a)) >> n)


def _reverse(type_: Type) -> Bits:
    n = width(type_)
    return lambda a: wrap(type_, int(f"{a & mask(type_):0{n}b}"[::-1], 2))


def _shift_left(type_: Type) -> Bits:
    n = width(type_)
    return lambda a, count: wrap(type_, a << count) if count < n else 0


# Operations on the pattern itself; a float passes through MOV and SELP with its bits as they are.
BITWISE: dict[Op, Callable[[Type], Bits]] = {
    Op.MOV: lambda type_: lambda a: a,
    Op.SELP: lambda type_: lambda a, b, p: a if p else b,
    Op.AND: lambda type_: lambda a, b: a & b,
    Op.OR: lambda type_: lambda a, b: a | b,
    Op.XOR: lambda type_: lambda a, b: a ^ b,
    Op.NOT: _not,
    Op.NEG: _negate,
    Op.ABS: _absolute,
    Op.SHL: _shift_left,
    Op.SHR: _shift_right,
    Op.POPC: lambda type_: lambda a: (a & mask(type_)).bit_count(),
    Op.CLZ: lambda type_: lambda a: width(type_) - (a & mask(type_)).bit_length(),
    Op.FFS: lambda type_: lambda a: (a & -a).bit_length(),
    Op.BREV: _reverse,
}


def _permute(a: int, b: int, selector: int) -> int:
    """PTX prmt, default mode: each nibble of the selector picks a byte of b:a, or its sign eight times."""
    pair, result = a | b << 32, 0
    for k in range(4):
        choice = selector >> (4 * k) & 0xF
        byte = pair >> (8 * (choice & 7)) & 0xFF
        if choice & 8:
            byte = 0xFF if byte & 0x80 else 0
        result |= byte << (8 * k)
    return result


def _funnel_left(low: int, high: int, shift: int) -> int:
    return ((high << 32 | low) << shift >> 32) & 0xFFFFFFFF


def _funnel_right(low: int, high: int, shift: int) -> int:
    return ((high << 32 | low) >> shift) & 0xFFFFFFFF


FUNNEL: dict[FunnelMode, Bits] = {
    FunnelMode.LEFT_WRAP: lambda low, high, n: _funnel_left(low, high, n & 31),
    FunnelMode.RIGHT_WRAP: lambda low, high, n: _funnel_right(low, high, n & 31),
    FunnelMode.LEFT_CLAMP: lambda low, high, n: _funnel_left(low, high, min(n, 32)),
    FunnelMode.RIGHT_CLAMP: lambda low, high, n: _funnel_right(low, high, min(n, 32)),
}


# ------------------------------------------------------------------------------------------------ integers


def _quotient(type_: Type) -> Callable[[int, int], int]:
    def quotient(a: int, b: int) -> int:
        if b == 0:
            return -1
        magnitude = abs(a) // abs(b)
        return magnitude if (a < 0) == (b < 0) else -magnitude

    return quotient


def _remainder(type_: Type) -> Callable[[int, int], int]:
    def remainder(a: int, b: int) -> int:
        if b == 0:
            return -1
        magnitude = abs(a) % abs(b)
        return -magnitude if a < 0 else magnitude

    return remainder


def _low24(type_: Type, a: int) -> int:
    return signed(a, 24) if type_.is_signed else a & 0xFFFFFF


# The numbers are exact; the encoder wraps the result to the type.
INTEGER: dict[Op, Callable[[Type], Callable[..., int]]] = {
    Op.ADD: lambda type_: lambda a, b: a + b,
    Op.SUB: lambda type_: lambda a, b: a - b,
    Op.MUL: lambda type_: lambda a, b: a * b,
    Op.MULHI: lambda type_: lambda a, b: (a * b) >> width(type_),
    Op.MAD: lambda type_: lambda a, b, c: a * b + c,
    Op.DIV: _quotient,
    Op.REM: _remainder,
    Op.MIN: lambda type_: min,
    Op.MAX: lambda type_: max,
    Op.MUL24: lambda type_: lambda a, b: _low24(type_, a) * _low24(type_, b),
    Op.MAD24: lambda type_: lambda a, b, c: _low24(type_, a) * _low24(type_, b) + c,
    Op.SAD: lambda type_: lambda a, b, c: abs(a - b) + c,
}

WIDE: dict[Op, Callable[..., int]] = {
    Op.MULWIDE: lambda a, b: a * b,
    Op.MADWIDE: lambda a, b, c: a * b + c,
}


def _wide(type_: Type, function: Callable[..., int]) -> Bits:
    """Two sources of ``type_``; a third source and the result are twice as wide, and need no sign to be added."""
    decode = decoder(type_)
    return lambda a, b, *c: function(decode(a), decode(b), *c) & 0xFFFFFFFFFFFFFFFF


# ------------------------------------------------------------------------------------------------ floats


def _minimum(a: float, b: float) -> float:
    if a != a or b != b:
        return b if a != a else a
    if a == b:
        return a if math.copysign(1.0, a) < 0 else b
    return min(a, b)


def _maximum(a: float, b: float) -> float:
    return -_minimum(-a, -b)


FLOAT: dict[Op, Callable[..., float]] = {
    Op.ADD: lambda a, b: a + b,
    Op.SUB: lambda a, b: a - b,
    Op.MUL: lambda a, b: a * b,
    Op.DIV: math_functions.divide,
    Op.MIN: _minimum,
    Op.MAX: _maximum,
    Op.SQRT: math_functions.sqrt,
    Op.RSQRT: lambda a: math_functions.divide(1.0, math_functions.sqrt(a)),
    Op.RCP: lambda a: math_functions.divide(1.0, a),
}


def _math2(type_: Type, function: MathFn) -> Bits:
    if function == MathFn.COPYSIGN:  # of the bits, so that it also holds for NaN
        sign = SIGN[type_]
        return lambda a, b: (a & ~sign) | (b & sign)
    return _on_numbers(type_, math_functions.BINARY[function])


COMPARE: dict[Cmp, Callable[[Number, Number], bool]] = {
    Cmp.EQ: lambda a, b: a == b,
    Cmp.NE: lambda a, b: a != b,
    Cmp.LT: lambda a, b: a < b,
    Cmp.LE: lambda a, b: a <= b,
    Cmp.GT: lambda a, b: a > b,
    Cmp.GE: lambda a, b: a >= b,
}


def _compare(type_: Type, cmp: Cmp) -> Bits:
    decode, compare = decoder(type_), COMPARE[cmp]
    return lambda a, b: int(compare(decode(a), decode(b)))


# ------------------------------------------------------------------------------------------------ conversions


def _convert(to: Type, source: Type) -> Bits:
    decode, encode = decoder(source), encoder(to)
    if to == Type.PRED:
        return lambda a: int(decode(a) != 0)
    if to.is_float and source.is_float:
        return lambda a: encode(decode(a))
    if to.is_float:
        return lambda a: encode(int_to_float(to, int(decode(a))))
    if source.is_float:
        return lambda a: wrap(to, float_to_int(to, source, decode(a)))
    return lambda a: wrap(to, int(decode(a)))
