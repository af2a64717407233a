"""Define the functions that MUFU approximates, by ``interpolation_tables``: an H200's bits; and what NVIDIA's compiler
makes of them in code as written (Approximation).

The hyperbolic tangent, of which the table is not known, is the nearest number to the exact result:
``assets/docs/machine-code.md`` says how far it is off. To MUFU subnormal operands and results are zeros, and angles are
in turns. What NVRTC 13.0 puts around it for operands beyond its range was read off machine code of compute capability
9.0; it is the same for 7.5 to 12.0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from warpview.isa import interpolation_tables as tables
from warpview.isa.arithmetic import Bits
from warpview.isa.exact_floats import (
    F32,
    F64,
    NAN,
    Exact,
    FloatFormat,
    Kind,
    Mode,
    add,
    decode,
    encode,
    flushed,
    multiply,
)
from warpview.isa.modes import FLUSHES, Approximation
from warpview.isa.types import Type
from warpview.isa.values import NAN32, bits64_from_float, float_from_bits64

# Functions of MUFU, as the hardware numbers them.
COS, SIN, EX2, LG2, RCP, RSQ, RCP64H, RSQ64H, SQRT, TANH = range(10)

INFINITE = Exact(False, 0, 0, Kind.INFINITE)
ZERO = Exact(False, 0, 0)
FINEST = 18  # bits of the tables' units behind the last bit of a result
KEPT = 6  # of these that are cut off
FRACTION_BITS = 23


def _interpolated(table: tables.Segments, fraction: int) -> int:
    """Return a function of a fraction of 23 bits, in units of the table."""
    width = FRACTION_BITS - (len(table).bit_length() - 1)
    c0, c1, c2 = table[fraction >> width]
    h = (fraction & ((1 << width) - 1)) << (17 - width)
    return c0 + c1 * h + 4 * c2 * tables.truncated_square(h)


def _cut(table: tables.Segments, fraction: int) -> int:
    """Return a function in units of 2^-12 of the last bit of its result."""
    return _interpolated(table, fraction) >> KEPT


def _split(number: Exact) -> tuple[int, int]:
    """Return the exponent of a float and its fraction, as 23 bits."""
    return number.exponent + FRACTION_BITS, number.size & ((1 << FRACTION_BITS) - 1)


def _reciprocal(number: Exact) -> Exact:
    if number.is_zero:
        return INFINITE._replace(negative=number.negative)
    if number.kind == Kind.INFINITE:
        return ZERO._replace(negative=number.negative)
    exponent, fraction = _split(number)
    return Exact(number.negative, _cut(tables.RECIPROCAL, fraction), -36 - exponent)


def _inverse_root(number: Exact) -> Exact:
    """Return 1 / sqrt(x), exact where x is a power of four."""
    if number.is_zero:
        return INFINITE._replace(negative=number.negative)
    if number.negative:
        return NAN
    if number.kind == Kind.INFINITE:
        return ZERO
    exponent, fraction = _split(number)
    if exponent % 2 == 0 and fraction == 0:
        return Exact(False, 1, -exponent // 2)
    table = (tables.INVERSE_ROOT_EVEN, tables.INVERSE_ROOT_ODD)[exponent % 2]
    return Exact(False, _cut(table, fraction), -36 - exponent // 2)


def _root(number: Exact) -> Exact:
    if number.is_zero or (number.kind == Kind.INFINITE and not number.negative):
        return number
    if number.negative:
        return NAN
    exponent, fraction = _split(number)
    table = (tables.ROOT_EVEN, tables.ROOT_ODD)[exponent % 2]
    return Exact(False, _cut(table, fraction), exponent // 2 - 35)


def _fixed_point(number: Exact, bits: int) -> int:
    """Return the size of a number times 2^bits, cut off."""
    shift = number.exponent + bits
    return number.size << shift if shift >= 0 else number.size >> -shift


def power(number: Exact) -> Exact:
    """Return 2^x; of a negative x that is not whole the hardware takes the complement."""
    if number.kind == Kind.INFINITE or (number.size and number.exponent + FRACTION_BITS >= 8):
        return ZERO if number.negative else INFINITE
    value = _fixed_point(number, FRACTION_BITS)
    if number.negative:
        value = ~value if value & ((1 << FRACTION_BITS) - 1) else -value
    fraction = value & ((1 << FRACTION_BITS) - 1)
    return Exact(False, _cut(tables.POWER, fraction), (value >> FRACTION_BITS) - 35)


def _logarithm(number: Exact) -> Exact:
    """Return log2(x), the complement of a sum that is negative; exact where x is 1."""
    if number.is_zero:
        return INFINITE._replace(negative=True)
    if number.negative:
        return NAN
    if number.kind == Kind.INFINITE:
        return INFINITE
    exponent, fraction = _split(number)
    if exponent == 0 and fraction == 0:
        return ZERO
    total = (exponent << 36) + _cut(tables.LOGARITHM, fraction)
    return Exact(total < 0, ~total if total < 0 else total, -36)


def _sine(number: Exact, quarters: int = 0) -> Exact:
    """Return the sine of a number of turns, and some quarters of one; in every second quarter the fraction is its
    complement."""
    if number.kind == Kind.INFINITE:
        return NAN
    place = _fixed_point(number, FRACTION_BITS + 2)
    quarter, fraction = (place >> FRACTION_BITS) + quarters & 3, place & ((1 << FRACTION_BITS) - 1)
    if quarter & 1:
        fraction ^= (1 << FRACTION_BITS) - 1
    return Exact(number.negative != (quarter >= 2), _interpolated(tables.SINE, fraction), -24 - FINEST)


def _cosine(number: Exact) -> Exact:
    return _sine(number._replace(negative=False), quarters=1)


INTERPOLATED: Mapping[int, Callable[[Exact], Exact]] = {
    COS: _cosine, SIN: _sine, EX2: power, LG2: _logarithm, RCP: _reciprocal, RSQ: _inverse_root, SQRT: _root,
}  # fmt: skip


def cut_off(number: Exact, format_: FloatFormat = F32) -> int:
    """Return the pattern that a number becomes when its further bits are left out: infinity beyond the largest, zero
    below the smallest normal float of 32 bits."""
    bits = encode(format_, number, Mode.TO_ZERO)
    if format_ is F32:
        bits = flushed(F32, bits)
    largest = format_.infinity - 1
    is_largest = bits & ~format_.sign_bit == largest
    too_large = is_largest and number.size.bit_length() + number.exponent > format_.bias + 1
    return bits + 1 if too_large else bits


def tangent(format_: FloatFormat, bits: int) -> int:
    """Return the hyperbolic tangent of a pattern."""
    value = float_from_bits64(encode(F64, decode(format_, bits)))
    return encode(format_, decode(F64, bits64_from_float(math.tanh(value))))


def mufu(function: int, bits: int) -> int:
    """Return what MUFU gives for a float of 32 bits, both as patterns."""
    if function == TANH:
        return tangent(F32, bits)
    number = decode(F32, flushed(F32, bits))
    return cut_off(NAN if number.is_nan else INTERPOLATED[function](number))


def upper_word(function: int, word: int) -> int:
    """Return the upper word of the reciprocal, or that of the square root, of a double whose lower word is zero.

    It is interpolated as that of a float with the same fraction, and cut off at 20 bits.
    """
    number = decode(F64, flushed(F64, word << 32))
    if number.is_nan:
        return NAN32
    narrow = number._replace(size=number.size >> 29, exponent=number.exponent + 29)
    result = INTERPOLATED[RCP if function == RCP64H else RSQ](narrow)
    return NAN32 if result.is_nan else flushed(F64, encode(F64, result, Mode.TO_ZERO)) >> 32


# ------------------------------------------------------------------------------------------------ code as written

SMALLEST_NORMAL, INFINITY = 0x00800000, 0x7F800000
TURNS = 0x3E22F983  # 1 / 2 pi
HALF, QUARTER, RAISES, AFTER_ROOT, AFTER_INVERSE_ROOT = 0x3F000000, 0x3E800000, 0x4B800000, 0x39800000, 0x45800000
LEAST_POWER, GREATEST_DIVISOR = 0x42FC0000, 0x7E800000  # 126, the least that EX2 gives is 2^-126; and 2^126
MINUS_24 = 0xC1C00000  # RAISES is 2^24


def _times(a: int, b: int, mode: Mode = Mode.NEAREST) -> int:
    return encode(F32, multiply(decode(F32, a), decode(F32, b)), mode)


def _is_small(bits: int) -> bool:
    return bits & 0x7FFFFFFF < SMALLEST_NORMAL


def _is_large(bits: int) -> bool:
    return GREATEST_DIVISOR < bits & 0x7FFFFFFF <= INFINITY


def _wave(function: int) -> Bits:
    return lambda a: mufu(function, _times(a, TURNS, Mode.TO_ZERO))


def _full_power(a: int) -> int:
    if not LEAST_POWER < a - F32.sign_bit <= INFINITY:
        return mufu(EX2, a)
    root = mufu(EX2, _times(a, HALF))
    return _times(root, root)


def _full_logarithm(a: int) -> int:
    if not _is_small(a):
        return mufu(LG2, a)
    return encode(F32, add(decode(F32, mufu(LG2, _times(a, RAISES))), decode(F32, MINUS_24)))


def _full_root(function: int, after: int) -> Bits:
    return lambda a: _times(mufu(function, _times(a, RAISES)), after) if _is_small(a) else mufu(function, a)


def _full_reciprocal(a: int) -> int:
    scale = RAISES if _is_small(a) else QUARTER if _is_large(a) else 0
    return _times(mufu(RCP, _times(a, scale)), scale) if scale else mufu(RCP, a)


UNARY: Mapping[Approximation, Bits] = {
    Approximation.COS: _wave(COS),
    Approximation.SIN: _wave(SIN),
    Approximation.EX2: _full_power,
    Approximation.LG2: _full_logarithm,
    Approximation.RCP: _full_reciprocal,
    Approximation.RSQRT: _full_root(RSQ, AFTER_INVERSE_ROOT),
    Approximation.SQRT: _full_root(SQRT, AFTER_ROOT),
}


def unary_function(type_: Type, stype: Type, mod: int) -> Bits:
    """Return an approximation of one operand; ``mod`` is an Approximation."""
    full = None if mod & FLUSHES else UNARY.get(Approximation(mod))
    return full or (lambda a: mufu(mod & ~FLUSHES, a))


def quotient(type_: Type, stype: Type, mod: int) -> Bits:
    """Return the product of a dividend and the approximate reciprocal of a divisor; ``mod`` is an Approximation. Both
    are scaled first where the divisor is subnormal, in DIV_FULL also where its reciprocal would be."""
    flushes, is_full = bool(mod & FLUSHES), mod & ~FLUSHES == Approximation.DIV_FULL

    def divide(a: int, b: int) -> int:
        if flushes:
            a, b = flushed(F32, a), flushed(F32, b)
        scale = QUARTER if is_full and _is_large(b) else RAISES if _is_small(b) and not flushes else 0
        if scale:
            a, b = (_times(x, scale) for x in (a, b))
            a = flushed(F32, a) if flushes else a
        result = _times(mufu(RCP, b), a)
        return flushed(F32, result) if flushes else result

    return divide
