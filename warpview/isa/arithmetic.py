"""Compute every arithmetic operation for one lane, from the register patterns of the operands to that of the result.

Sums, products, quotients and square roots of F32 are formed in double precision and rounded to single: with 53 bits
against 24 that second rounding is harmless (S. Figueroa, "When is Double Rounding Innocuous?", 1995), so each is
correct. FMA is exact and rounded once.

A row of the instruction table names one of the functions below, which give for the types and the ``mod`` of an
instruction the function from patterns to the pattern of the result.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from functools import partial

from warpview.isa import math_functions
from warpview.isa.exact_floats import F32, narrowed_nan, widened_nan
from warpview.isa.modes import Cmp, FunnelMode, MathFn, Rounding
from warpview.isa.types import Type
from warpview.isa.values import (
    FORMATS,
    NAN32,
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
Meaning = Callable[[Type, Type, int], Bits]  # from type, stype and mod of an instruction

SIGN = {Type.F32: 1 << 31, Type.F64: 1 << 63}


# ------------------------------------------------------------------------------------------------ kinds of meaning


def on_patterns(make: Callable[[Type], Bits]) -> Meaning:
    """Return the meaning of an operation on the pattern itself; the result is wrapped to an 8- or 16-bit type."""

    def meaning(type_: Type, stype: Type, mod: int) -> Bits:
        function = make(type_)
        if type_.bytes >= 4 or type_ == Type.PRED:
            return function
        return lambda *sources: wrap(type_, function(*sources))

    return meaning


def on_numbers(integer: Callable[..., Number], real: Callable[..., Number] | None = None) -> Meaning:
    """Return the meaning of an operation on the numbers behind the patterns, all of one type: exact for integers,
    which wrap afterwards; ``real`` for floats, if that is another function."""

    def meaning(type_: Type, stype: Type, mod: int) -> Bits:
        return _as_bits(type_, real if real and type_.is_float else integer)

    return meaning


def on_typed_numbers(make: Callable[[Type], Callable[..., Number]]) -> Meaning:
    """Return the meaning of an operation on numbers that depends on their type."""
    return lambda type_, stype, mod: _as_bits(type_, make(type_))


def on_wide_numbers(function: Callable[..., int]) -> Meaning:
    """Return the meaning of an operation whose third source and result are twice as wide as its ``type``, and need no
    sign to be added."""

    def meaning(type_: Type, stype: Type, mod: int) -> Bits:
        decode = decoder(type_)
        return lambda a, b, *c: function(decode(a), decode(b), *c) & 0xFFFFFFFFFFFFFFFF

    return meaning


def _as_bits(type_: Type, function: Callable[..., Number]) -> Bits:
    decode, encode = decoder(type_), encoder(type_)
    return lambda *sources: encode(function(*map(decode, sources)))


# ------------------------------------------------------------------------------------------------ patterns


def complement(type_: Type) -> Bits:
    """Return the bitwise complement; of a predicate the other one."""
    if type_ == Type.PRED:
        return lambda a: 1 - a
    return lambda a: wrap(type_, ~a)


def negate(type_: Type) -> Bits:
    """Return the negative; of a float only the sign bit changes, but see ``_keeping_nan``."""
    if type_.is_float:
        return _keeping_nan(type_, lambda a: a ^ SIGN[type_])
    return lambda a: wrap(type_, -a)


def absolute(type_: Type) -> Bits:
    """Return the absolute value; of a float only the sign bit changes, but see ``_keeping_nan``."""
    if type_.is_float:
        return _keeping_nan(type_, lambda a: a & ~SIGN[type_])
    decode = decoder(type_)
    return lambda a: wrap(type_, abs(int(decode(a))))


def _keeping_nan(type_: Type, of_numbers: Bits) -> Bits:
    """Return the function of all patterns: a NaN of F32 becomes the one pattern of the hardware, as by the sum with -0
    that NVIDIA's compiler makes of a changed sign."""
    decode = decoder(type_)
    return of_numbers if type_ != Type.F32 else lambda a: NAN32 if math.isnan(decode(a)) else of_numbers(a)


def shift_left(type_: Type) -> Bits:
    """Return the left shift; 0 for a count of the width or more."""
    n = width(type_)
    return lambda a, count: wrap(type_, a << count) if count < n else 0


def shift_right(type_: Type) -> Bits:
    """Return the right shift, arithmetic for signed types."""
    decode = decoder(type_)
    return lambda a, n: wrap(type_, int(decode(a)) >> n)


def count_ones(type_: Type) -> Bits:
    """Return the number of set bits."""
    return lambda a: (a & mask(type_)).bit_count()


def count_leading_zeros(type_: Type) -> Bits:
    """Return the number of zeros above the highest set bit."""
    return lambda a: width(type_) - (a & mask(type_)).bit_length()


def find_first_set(type_: Type) -> Bits:
    """Return 1 + the index of the lowest set bit; 0 if there is none."""
    return lambda a: (a & -a).bit_length()


def reverse(type_: Type) -> Bits:
    """Return the bits in reverse order."""
    n = width(type_)
    return lambda a: wrap(type_, int(f"{a & mask(type_):0{n}b}"[::-1], 2))


def permute_bytes(type_: Type) -> Bits:
    """Permute bytes as PTX prmt in default mode: each nibble of the selector picks a byte of b:a, or its sign
    eight times."""

    def permute(a: int, b: int, selector: int) -> int:
        pair, result = a | b << 32, 0
        for k in range(4):
            choice = selector >> (4 * k) & 0xF
            byte = pair >> (8 * (choice & 7)) & 0xFF
            if choice & 8:
                byte = 0xFF if byte & 0x80 else 0
            result |= byte << (8 * k)
        return result

    return permute


def _funnel_left(low: int, high: int, shift: int) -> int:
    return ((high << 32 | low) << shift >> 32) & 0xFFFFFFFF


def _funnel_right(low: int, high: int, shift: int) -> int:
    return ((high << 32 | low) >> shift) & 0xFFFFFFFF


_FUNNEL: dict[FunnelMode, Bits] = {
    FunnelMode.LEFT_WRAP: lambda low, high, n: _funnel_left(low, high, n & 31),
    FunnelMode.RIGHT_WRAP: lambda low, high, n: _funnel_right(low, high, n & 31),
    FunnelMode.LEFT_CLAMP: lambda low, high, n: _funnel_left(low, high, min(n, 32)),
    FunnelMode.RIGHT_CLAMP: lambda low, high, n: _funnel_right(low, high, min(n, 32)),
}


def funnel_shift(type_: Type, stype: Type, mod: int) -> Bits:
    """Return the funnel shift; ``mod`` is a FunnelMode."""
    return _FUNNEL[FunnelMode(mod)]


# ------------------------------------------------------------------------------------------------ integers


def quotient(a: int, b: int) -> int:
    """Return the integer quotient towards zero; all ones by zero."""
    if b == 0:
        return -1
    magnitude = abs(a) // abs(b)
    return magnitude if (a < 0) == (b < 0) else -magnitude


def remainder(a: int, b: int) -> int:
    """Return the integer remainder with the dividend's sign; all ones by zero."""
    if b == 0:
        return -1
    magnitude = abs(a) % abs(b)
    return -magnitude if a < 0 else magnitude


def multiply_add(a: int, b: int, c: int = 0) -> int:
    """Return a * b + c."""
    return a * b + c


def high_product(type_: Type) -> Callable[..., int]:
    """Return the high half of the product."""
    return lambda a, b: (a * b) >> width(type_)


def multiply_add_24(type_: Type) -> Callable[..., int]:
    """Return the product of the low 24 bits, sign-extended for signed types, plus a third number."""

    def low(a: int) -> int:
        return signed(a, 24) if type_.is_signed else a & 0xFFFFFF

    return lambda a, b, c=0: low(a) * low(b) + c


def dot_product_of_bytes(type_: Type) -> Callable[..., int]:
    """Return the products of the four bytes of two words, which are signed as the type is, plus a third number."""

    def bytes_of(a: int) -> list[int]:
        parts = [a >> 8 * k & 0xFF for k in range(4)]
        return [signed(part, 8) for part in parts] if type_.is_signed else parts

    return lambda a, b, c: sum(map(operator.mul, bytes_of(a), bytes_of(b))) + c


def absolute_difference_add(a: int, b: int, c: int) -> int:
    """Return abs(a - b) + c."""
    return abs(a - b) + c


# ------------------------------------------------------------------------------------------------ floats


def minimum(a: float, b: float) -> float:
    """Return the smaller number; of a NaN and a number the number; -0 below +0."""
    if a != a or b != b:
        return b if a != a else a
    if a == b:
        return a if math.copysign(1.0, a) < 0 else b
    return min(a, b)


def maximum(a: float, b: float) -> float:
    """Return the larger number; of a NaN and a number the number; +0 above -0."""
    return -minimum(-a, -b)


def fused_multiply_add(type_: Type, stype: Type, mod: int) -> Bits:
    """Return a * b + c rounded once; ``mod`` is a Rounding."""
    return _as_bits(type_, partial(fma, FORMATS[type_], rounding=Rounding(mod).name.lower()))


def reciprocal(a: float) -> float:
    """Return 1 / a."""
    return math_functions.divide(1.0, a)


def reciprocal_root(a: float) -> float:
    """Return 1 / sqrt(a)."""
    return math_functions.divide(1.0, math_functions.sqrt(a))


def unary_function(type_: Type, stype: Type, mod: int) -> Bits:
    """Return a function of one argument; ``mod`` is a MathFn."""
    return _as_bits(type_, math_functions.UNARY[MathFn(mod)])


def binary_function(type_: Type, stype: Type, mod: int) -> Bits:
    """Return a function of two arguments; ``mod`` is a MathFn."""
    if mod == MathFn.COPYSIGN:  # of the bits, so that it also holds for NaN
        sign = SIGN[type_]
        return lambda a, b: (a & ~sign) | (b & sign)
    return _as_bits(type_, math_functions.BINARY[MathFn(mod)])


# ------------------------------------------------------------------------------------------------ two types

# Ordered, but NE holds for NaN, as Python's operators have it too.
COMPARISONS: dict[Cmp, Callable[[Number, Number], bool]] = {
    Cmp.EQ: operator.eq,
    Cmp.NE: operator.ne,
    Cmp.LT: operator.lt,
    Cmp.LE: operator.le,
    Cmp.GT: operator.gt,
    Cmp.GE: operator.ge,
}


def compare(type_: Type, stype: Type, mod: int) -> Bits:
    """Return a comparison of numbers of ``type_``; ``mod`` is a Cmp."""
    decode, holds = decoder(type_), COMPARISONS[Cmp(mod)]
    return lambda a, b: int(holds(decode(a), decode(b)))


def _kept_nan(to: Type, source: Type) -> Bits:
    """Return the conversion of what is not a number, which keeps its digits where the result has room for them."""
    if to == source:
        return lambda a: a
    return widened_nan if to.is_wide else partial(narrowed_nan, F32)


def convert(to: Type, source: Type, mod: int) -> Bits:
    """Return a conversion from ``source`` (the stype); float to integer truncates and saturates."""
    decode, encode = decoder(source), encoder(to)
    if to == Type.PRED:
        return lambda a: int(decode(a) != 0)
    if to.is_float and source.is_float:
        kept = _kept_nan(to, source)
        return lambda a: kept(a) if math.isnan(value := decode(a)) else encode(value)
    if to.is_float:
        return lambda a: encode(int_to_float(to, int(decode(a))))
    if source.is_float:
        return lambda a: wrap(to, float_to_int(to, source, decode(a)))
    return lambda a: wrap(to, int(decode(a)))
