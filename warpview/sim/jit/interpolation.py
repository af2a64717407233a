"""Emit what MUFU approximates, bit for bit: quadratic interpolation by the tables of ``isa.interpolation_tables``.

``isa/approximations.py`` is the definition. Sizes of results have 64 bits a lane, all else 32.
"""

from __future__ import annotations

from llvmlite import ir
from numba.core import cgutils

from warpview.isa import interpolation_tables as tables
from warpview.isa.approximations import COS, EX2, LG2, RCP, RSQ, SIN, SQRT
from warpview.sim.jit.integer import call
from warpview.sim.jit.lanes import I64, V32, V64, constant, gathered

_TABLES = (
    tables.RECIPROCAL, tables.INVERSE_ROOT_EVEN, tables.INVERSE_ROOT_ODD, tables.ROOT_EVEN, tables.ROOT_ODD,
    tables.POWER, tables.LOGARITHM, tables.SINE,
)  # fmt: skip
_SEGMENTS = [segment for table in _TABLES for segment in table]
# Where each table begins, in segments.
RECIPROCAL, INVERSE_ROOT, ROOT, POWER, LOGARITHM, SINE = 0, 128, 256, 384, 448, 512
SEGMENT_BITS = 6  # of the number of a segment in a table, but of that of reciprocals
NAN, INFINITY, SIGN, FRACTION = (constant(V32, bits) for bits in (0x7FFFFFFF, 0x7F800000, -0x80000000, 0x7FFFFF))
ZERO, LEADING_ONE = constant(V32, 0), constant(V32, 1 << 23)


def _is(b, value, number: int):
    return b.icmp_unsigned("==", value, constant(value.type, number))


def _is_none(b, exponent, fraction):
    return b.and_(_is(b, exponent, 255), b.icmp_unsigned("!=", fraction, ZERO))


def _coefficient(b, k: int, segment):
    """Return the k-th coefficient of each lane's segment, of 64 bits."""
    words = ir.Constant(ir.ArrayType(I64, len(_SEGMENTS)), [coefficients[k] for coefficients in _SEGMENTS])
    table = cgutils.global_constant(b, f"coefficients_{k}", words)
    return gathered(b, b.ptrtoint(table, I64), b.zext(segment, V64))


def _truncated_square(b, h):
    """Return the square of 17 bits without the products of two bits below the weight of the result's last."""
    total = ZERO
    for i in range(17):
        first = max(i + 1, 18 - i)
        product = b.shl(b.lshr(h, constant(V32, first)), constant(V32, first + i - 18))
        if i >= 10:
            product = b.add(product, constant(V32, 1 << 2 * i - 19))
        has_bit = b.ashr(b.shl(h, constant(V32, 31 - i)), constant(V32, 31))
        total = b.add(total, b.and_(product, has_bit))
    return total


def _interpolated(b, segment, h):
    """Return a function in units of 2^-18 of the last bit of its result."""
    c0, c1, c2 = (_coefficient(b, k, segment) for k in range(3))
    square = b.zext(_truncated_square(b, h), V64)
    return b.add(b.add(c0, b.mul(c1, b.zext(h, V64))), b.shl(b.mul(c2, square), constant(V64, 2)))


def _by_fraction(b, table, fraction, bits: int = 6):
    """Return a function of 23 bits, as ``_interpolated``, without the lowest bits of the result."""
    segment = b.add(table, b.lshr(fraction, constant(V32, 23 - SEGMENT_BITS)))
    value = _interpolated(b, segment, b.and_(fraction, constant(V32, 0x1FFFF)))
    return b.lshr(value, constant(V64, bits))


def _as_float(b, sign, size, exponent):
    """Return the float of size x 2^exponent, cut off after 24 bits."""
    top = b.sub(constant(V64, 63), call(b, "ctlz", size, ir.Constant(ir.IntType(1), 0)))
    beyond = b.sub(top, constant(V64, 23))
    is_short = b.icmp_signed("<", beyond, constant(V64, 0))
    raised = b.shl(size, b.select(is_short, b.neg(beyond), constant(V64, 0)))
    digits = b.trunc(b.lshr(raised, b.select(is_short, constant(V64, 0), beyond)), V32)
    exponent = b.add(exponent, b.trunc(top, V32))
    biased = b.shl(b.add(exponent, constant(V32, 127)), constant(V32, 23))
    value = b.or_(biased, b.and_(digits, FRACTION))
    value = b.select(b.icmp_signed(">", exponent, constant(V32, 127)), INFINITY, value)
    vanishes = b.or_(b.icmp_signed("<", exponent, constant(V32, -126)), _is(b, size, 0))
    return b.or_(sign, b.select(vanishes, ZERO, value))


def _shifted(b, size, shift, most: int):
    """Return a size shifted left, by at most so many bits, or right where the shift is negative."""
    left = b.select(b.icmp_signed("<", shift, constant(V32, most)), shift, constant(V32, most))
    right = b.select(b.icmp_signed(">", shift, constant(V32, -31)), b.neg(shift), constant(V32, 31))
    is_right = b.icmp_signed("<", shift, ZERO)
    return b.lshr(b.shl(size, b.select(is_right, ZERO, left)), b.select(is_right, right, ZERO))


def _reciprocal(b, sign, exponent, fraction):
    segment = b.add(b.lshr(fraction, constant(V32, 16)), constant(V32, RECIPROCAL))
    h = b.shl(b.and_(fraction, constant(V32, 0xFFFF)), constant(V32, 1))
    size = b.lshr(_interpolated(b, segment, h), constant(V64, 6))
    value = _as_float(b, sign, size, b.sub(constant(V32, 91), exponent))
    value = b.select(_is(b, exponent, 0), b.or_(sign, INFINITY), value)
    value = b.select(_is(b, exponent, 255), sign, value)
    return b.select(_is_none(b, exponent, fraction), NAN, value)


def _root(b, sign, exponent, fraction, inverse: bool):
    """Return a square root, or the inverse of one."""
    power = b.sub(exponent, constant(V32, 127))
    odd = b.and_(power, constant(V32, 1))
    half = b.ashr(b.sub(power, odd), constant(V32, 1))
    first = constant(V32, INVERSE_ROOT if inverse else ROOT)
    size = _by_fraction(b, b.add(first, b.shl(odd, constant(V32, SEGMENT_BITS))), fraction)
    if inverse:
        is_power_of_4 = _is(b, b.or_(odd, fraction), 0)
        size = b.select(is_power_of_4, constant(V64, 1), size)
        below = b.select(is_power_of_4, ZERO, constant(V32, 36))
        value = _as_float(b, ZERO, size, b.neg(b.add(half, below)))
    else:
        value = _as_float(b, ZERO, size, b.sub(half, constant(V32, 35)))
    value = b.select(_is(b, exponent, 255), ZERO if inverse else INFINITY, value)
    value = b.select(b.or_(_is_none(b, exponent, fraction), b.icmp_unsigned("!=", sign, ZERO)), NAN, value)
    return b.select(_is(b, exponent, 0), b.or_(sign, INFINITY if inverse else ZERO), value)


def _power(b, sign, exponent, fraction):
    """Return 2^x. The fraction of a negative number, unless it is zero, is its complement."""
    size = b.select(_is(b, exponent, 0), ZERO, b.or_(fraction, LEADING_ONE))
    value = _shifted(b, size, b.sub(exponent, constant(V32, 127)), 7)
    is_whole = _is(b, b.and_(value, FRACTION), 0)
    is_negative = b.icmp_unsigned("!=", sign, ZERO)
    value = b.select(is_negative, b.select(is_whole, b.neg(value), b.not_(value)), value)
    size = _by_fraction(b, constant(V32, POWER), b.and_(value, FRACTION))
    result = _as_float(b, ZERO, size, b.sub(b.ashr(value, constant(V32, 23)), constant(V32, 35)))
    is_far = b.icmp_unsigned(">=", exponent, constant(V32, 135))
    result = b.select(is_far, b.select(is_negative, ZERO, INFINITY), result)
    return b.select(_is_none(b, exponent, fraction), NAN, result)


def _logarithm(b, sign, exponent, fraction):
    whole = b.shl(b.sext(b.sub(exponent, constant(V32, 127)), V64), constant(V64, 36))
    value = b.add(whole, _by_fraction(b, constant(V32, LOGARITHM), fraction))
    below = b.ashr(value, constant(V64, 63))
    result = _as_float(b, b.and_(b.trunc(below, V32), SIGN), b.xor(value, below), constant(V32, -36))
    result = b.select(b.and_(_is(b, exponent, 127), _is(b, fraction, 0)), ZERO, result)
    result = b.select(_is(b, exponent, 255), INFINITY, result)
    result = b.select(b.or_(_is_none(b, exponent, fraction), b.icmp_unsigned("!=", sign, ZERO)), NAN, result)
    return b.select(_is(b, exponent, 0), b.or_(SIGN, INFINITY), result)


def _wave(b, sign, exponent, fraction, is_cosine: bool):
    """Return the sine or cosine of a number of turns."""
    shift = b.sub(exponent, constant(V32, 125))  # quarter turns have 23 bits behind the point
    value = _shifted(b, b.or_(fraction, LEADING_ONE), shift, 25)  # beyond, all bits below whole turns are zero
    value = b.select(_is(b, exponent, 0), ZERO, value)
    quarter, place = b.lshr(value, constant(V32, 23)), b.and_(value, FRACTION)
    if is_cosine:
        quarter, sign = b.add(quarter, constant(V32, 1)), ZERO
    is_odd = b.icmp_unsigned("!=", b.and_(quarter, constant(V32, 1)), ZERO)
    place = b.select(is_odd, b.xor(place, FRACTION), place)
    sign = b.xor(sign, b.and_(b.shl(quarter, constant(V32, 30)), SIGN))
    size = _by_fraction(b, constant(V32, SINE), place, 4)
    return b.select(_is(b, exponent, 255), NAN, _as_float(b, sign, size, constant(V32, -38)))


_FUNCTIONS = {
    RCP: _reciprocal,
    RSQ: lambda *operand: _root(*operand, True),
    SQRT: lambda *operand: _root(*operand, False),
    EX2: _power,
    LG2: _logarithm,
    SIN: lambda *operand: _wave(*operand, False),
    COS: lambda *operand: _wave(*operand, True),
}


def interpolated(b, function: int, bits):
    """Return what a function of MUFU gives for the patterns of floats."""
    exponent = b.and_(b.lshr(bits, constant(V32, 23)), constant(V32, 0xFF))
    return _FUNCTIONS[function](b, b.and_(bits, SIGN), exponent, b.and_(bits, FRACTION))
