"""Compute what MUFU approximates, bit for bit: quadratic interpolation by the tables of ``sass.interpolation_tables``.

The reference's ``native/approximations.py`` is the definition.
"""

from __future__ import annotations

import numpy as np

from warpview.sass import interpolation_tables as tables
from warpview.sass.meanings import COS, EX2, LG2, RCP, RSQ, SQRT
from warpview.sim.jit.compile import jit
from warpview.sim.jit.raw import load_u32, lowest, store_32

_TABLES = (
    tables.RECIPROCAL, tables.INVERSE_ROOT_EVEN, tables.INVERSE_ROOT_ODD, tables.ROOT_EVEN, tables.ROOT_ODD,
    tables.POWER, tables.LOGARITHM, tables.SINE,
)  # fmt: skip
COEFFICIENTS = np.array([segment for table in _TABLES for segment in table], dtype=np.int64).ravel()
# Where each table begins, in segments.
RECIPROCAL, INVERSE_ROOT, ROOT, POWER, LOGARITHM, SINE = 0, 128, 256, 384, 448, 512
SEGMENTS = 64  # of a table, but of that of reciprocals
NAN, INFINITY, SIGN, FRACTION = 0x7FFFFFFF, 0x7F800000, 0x80000000, 0x7FFFFF


@jit
def truncated_square(h):
    total = 0
    for i in range(17):
        if h >> i & 1:
            first = max(i + 1, 18 - i)
            total += (h >> first << first) << (i + 1)
            if i >= 10:
                total += 1 << (2 * i)
    return total >> 19


@jit
def interpolated(segment, h):
    """Return a function in units of 2^-18 of the last bit of its result."""
    at = 3 * segment
    return COEFFICIENTS[at] + COEFFICIENTS[at + 1] * h + (COEFFICIENTS[at + 2] * truncated_square(h) << 2)


@jit
def by_fraction(table, fraction):
    return interpolated(table + (fraction >> 17), fraction & 0x1FFFF)


@jit
def as_float(sign, size, exponent):
    """Return the float of size x 2^exponent, cut off after 24 bits."""
    if size == 0:
        return sign
    top = 0
    while size >> (top + 1):
        top += 1
    exponent += top
    if exponent < -126:
        return sign
    if exponent > 127:
        return sign | INFINITY
    fraction = size >> (top - 23) if top >= 23 else size << (23 - top)
    return sign | (exponent + 127) << 23 | fraction & FRACTION


@jit
def fixed_point(exponent, fraction, bits):
    """Return a float without its sign times 2^bits, cut off; exponents are below 64."""
    shift = exponent - 150 + bits
    size = fraction | 1 << 23
    if shift >= 0:
        return size << min(shift, 38)
    return size >> min(-shift, 40)


@jit
def reciprocal(sign, exponent, fraction):
    if exponent == 255:
        return NAN if fraction else sign
    if exponent == 0:
        return sign | INFINITY
    value = interpolated(RECIPROCAL + (fraction >> 16), (fraction & 0xFFFF) << 1)
    return as_float(sign, value >> 6, 91 - exponent)


@jit
def roots(sign, exponent, fraction, inverse):
    """Return a square root, or the inverse of one."""
    if exponent == 0:
        return sign | INFINITY if inverse else sign
    if sign or (exponent == 255 and fraction):
        return NAN
    if exponent == 255:
        return 0 if inverse else INFINITY
    odd = (exponent - 127) & 1
    half = (exponent - 127 - odd) >> 1
    if inverse:
        if odd == 0 and fraction == 0:
            return as_float(0, 1, -half)
        return as_float(0, by_fraction(INVERSE_ROOT + SEGMENTS * odd, fraction) >> 6, -36 - half)
    return as_float(0, by_fraction(ROOT + SEGMENTS * odd, fraction) >> 6, half - 35)


@jit
def power(sign, exponent, fraction):
    """Return 2^x. The fraction of a negative number, unless it is zero, is its complement."""
    if exponent == 255 and fraction:
        return NAN
    if exponent >= 135:
        return 0 if sign else INFINITY
    value = fixed_point(exponent, fraction, 23) if exponent else 0
    if sign:
        value = ~value if value & FRACTION else -value
    return as_float(0, by_fraction(POWER, value & FRACTION) >> 6, (value >> 23) - 35)


@jit
def logarithm(sign, exponent, fraction):
    if exponent == 0:
        return SIGN | INFINITY
    if sign or (exponent == 255 and fraction):
        return NAN
    if exponent == 255:
        return INFINITY
    if exponent == 127 and fraction == 0:
        return 0
    value = ((exponent - 127) << 36) + (by_fraction(LOGARITHM, fraction) >> 6)
    return as_float(SIGN, ~value, -36) if value < 0 else as_float(0, value, -36)


@jit
def wave(sign, exponent, fraction, is_cosine):
    """Return the sine or cosine of a number of turns."""
    if exponent == 255:
        return NAN
    shift = exponent - 125  # quarter turns have 23 bits behind the point
    value = 0
    if shift > -24 and exponent:
        size = fraction | 1 << 23
        value = (size << shift if shift < 26 else 0) if shift >= 0 else size >> -shift
    quarter, place = value >> 23 & 3, value & FRACTION
    if is_cosine:
        quarter, sign = (quarter + 1) & 3, 0
    if quarter & 1:
        place ^= FRACTION
    if quarter >> 1:
        sign ^= SIGN
    return as_float(sign, by_fraction(SINE, place) >> 4, -38)


@jit
def approximated(function, bits):
    sign, exponent, fraction = bits & SIGN, bits >> 23 & 0xFF, bits & FRACTION
    if function == RCP:
        return reciprocal(sign, exponent, fraction)
    if function in (RSQ, SQRT):
        return roots(sign, exponent, fraction, function == RSQ)
    if function == EX2:
        return power(sign, exponent, fraction)
    if function == LG2:
        return logarithm(sign, exponent, fraction)
    return wave(sign, exponent, fraction, function == COS)


@jit
def approximate(w, ins, on):
    """Execute MUFU of floats in the lanes that take part."""
    source, result = w.registers_at + ins.b, w.registers_at + ins.dst
    while on:
        lane = lowest(on)
        bits = load_u32(source + 4 * lane) & ins.b_keep ^ ins.b_flip
        store_32(result + 4 * lane, approximated(ins.variant, bits))
        on &= on - 1
