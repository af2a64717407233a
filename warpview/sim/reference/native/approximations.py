"""Define the functions that MUFU approximates, by the tables of ``sass.interpolation_tables``: an H200's bits.

The hyperbolic tangent, of which the table is not known, and 16-bit operands are the nearest number to the exact result:
``assets/docs/machine-code.md`` says how far they are off. Subnormal operands and results are zeros, with .FTZ or
without, and angles are in turns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from warpview.sass import interpolation_tables as tables
from warpview.sass.meanings import COS, EX2, LG2, RCP, RCP64H, RSQ, RSQ64H, SIN, SQRT, TANH
from warpview.sim.reference.exact_floats import (
    BF16,
    F16,
    F32,
    F64,
    NAN,
    Exact,
    FloatFormat,
    Kind,
    Mode,
    decode,
    encode,
    flushed,
)
from warpview.sim.reference.native.lane import Lane
from warpview.sim.reference.native.real_numbers import half_bits

CANONICAL_NAN, NO_NUMBER = 0x7FFFFFFF, 0x7FF00000
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


def _power(number: Exact) -> Exact:
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
    COS: _cosine, SIN: _sine, EX2: _power, LG2: _logarithm, RCP: _reciprocal, RSQ: _inverse_root, SQRT: _root,
}  # fmt: skip


def mufu(x: Lane) -> None:
    function = x.modifier("function")
    if function in (RCP64H, RSQ64H):
        _upper_word(x, function)
    elif function == TANH:
        _nearest_tangent(x)
    elif x.modifier("format"):
        _half_power(x)
    else:
        number = decode(F32, flushed(F32, x.float_bits("b")))
        result = NAN if number.is_nan else INTERPOLATED[function](number)
        x.give(_cut_off(result))


def _half_power(x: Lane) -> None:
    """Give the power of two of 16 bits: that of 32 bits, cut off once more."""
    format_ = F16 if x.modifier("format") == 1 else BF16
    number = decode(F32, flushed(F32, encode(F32, decode(format_, half_bits(x)))))
    result = NAN if number.is_nan else _power(number)
    bits = _cut_off(result, format_)
    x.give(flushed(BF16, bits) if format_ is BF16 else bits)


def _cut_off(number: Exact, format_: FloatFormat = F32) -> int:
    """Return the pattern that a number becomes when its further bits are left out: infinity beyond the largest, zero
    below the smallest normal float of 32 bits."""
    bits = encode(format_, number, Mode.TO_ZERO)
    if format_ is F32:
        bits = flushed(F32, bits)
    largest = format_.infinity - 1
    is_largest = bits & ~format_.sign_bit == largest
    too_large = is_largest and number.size.bit_length() + number.exponent > format_.bias + 1
    return bits + 1 if too_large else bits


def _nearest_tangent(x: Lane) -> None:
    format_: FloatFormat = (F32, F16, BF16)[x.modifier("format")]
    bits = half_bits(x) if format_ is not F32 else flushed(F32, x.float_bits("b"))
    value = _as_double(format_, bits)
    with np.errstate(all="ignore"):
        result = np.float64(np.tanh(value))
    pattern = encode(format_, decode(F64, int(result.view(np.uint64))))
    x.give(flushed(F32, pattern) if format_ is F32 else pattern)


def _as_double(format_: FloatFormat, bits: int) -> np.float64:
    pattern = np.uint64(encode(F64, decode(format_, bits)))
    return pattern.view(np.float64)


def _upper_word(x: Lane, function: int) -> None:
    """Give the upper word of the reciprocal, or that of the square root, of a double whose lower word is zero."""
    word = _without_subnormal(x.float_bits("b"))
    value = np.uint64(word << 32).view(np.float64)
    with np.errstate(all="ignore"):
        result = np.float64(1) / (value if function == RCP64H else np.sqrt(value))
    upper = _without_subnormal(int(np.float64(result).view(np.uint64)) >> 32)
    x.give(CANONICAL_NAN if np.isnan(result) else upper)


def _without_subnormal(word: int) -> int:
    """Return the upper word of a double, of a zero where the double is subnormal."""
    return word if word & NO_NUMBER else word & 0x80000000
