"""Read and round pairs of 16-bit floats, halves and bfloat16, of NVIDIA's machine code.

Operations go by way of doubles, which hold their exact results or, where they do not, these rounded to odd; so one
rounding to 16 bits follows and gives the correct bits.
"""

from __future__ import annotations

from warpview.sim.jit.floating import FLOATS
from warpview.sim.jit.integer import DOUBLES
from warpview.sim.jit.lanes import V32, V64, constant

RN, RM, RP, RZ = range(4)
NAN_16, NAN_8 = 0x7FFF, 0x7F
E4M3, E5M2 = 2, 3  # formats of 8 bits, beside halves and bfloat16
# Bits of the significand, the least exponent, and the largest number: of halves, bfloat16, E4M3 and E5M2.
FORMATS = ((11, -14, 65504.0), (8, -126, 3.3895313892515355e38), (4, -6, 448.0), (3, -14, 57344.0))
TWO_TO_112 = 2.0**112
LEAST_HALF = (127 - 14) << 23  # that is not subnormal, as a float
BEYOND_16_BITS = 1023 + 200  # the exponent of a double that neither format reaches


def from_bits(b, bits, is_bf16: int):
    """Return floats from 16-bit patterns in the low bits of a vector of words."""
    if is_bf16:
        return b.bitcast(b.shl(bits, constant(V32, 16)), FLOATS)
    sign = b.shl(b.and_(bits, constant(V32, 0x8000)), constant(V32, 16))
    size = b.shl(b.and_(bits, constant(V32, 0x7FFF)), constant(V32, 13))
    scaled = b.bitcast(b.fmul(b.bitcast(size, FLOATS), constant(FLOATS, TWO_TO_112)), V32)
    special = b.icmp_unsigned(">=", size, constant(V32, 0x7C00 << 13))
    scaled = b.select(special, b.or_(size, constant(V32, 0x7F800000)), scaled)
    return b.bitcast(b.or_(scaled, sign), FLOATS)


def halves(x, letter: str, is_bf16: int):
    """Return the (lower, upper) floats of a source; two bits of ``extra`` choose which half stands for each."""
    b = x.b
    position = 4 + 2 * "abc".index(letter)
    word, extra = x.word(letter), x.number("extra")
    found = []
    for k in range(2):
        bit = b.and_(b.lshr(extra, constant(V32, position + k)), constant(V32, 1))
        shifted = b.lshr(word, b.shl(bit, constant(V32, 4)))
        found.append(from_bits(b, b.and_(shifted, constant(V32, 0xFFFF)), is_bf16))
    return found


def bits_of_halves(x, letter: str):
    """Return the two patterns of 16 bits that a source stands for, without its modifiers."""
    b, word, extra = x.b, x.plain(letter), x.number("extra")
    found = []
    for k in range(2):
        bit = b.and_(b.lshr(extra, constant(V32, 4 + 2 * "abc".index(letter) + k)), constant(V32, 1))
        found.append(b.and_(b.lshr(word, b.shl(bit, constant(V32, 4))), constant(V32, 0xFFFF)))
    return b.or_(found[0], b.shl(found[1], constant(V32, 16)))


def flushed(b, value):
    """Return floats that are halves, of subnormal ones zeros with their signs."""
    bits = b.bitcast(value, V32)
    is_small = b.icmp_unsigned("<", b.and_(bits, constant(V32, 0x7FFFFFFF)), constant(V32, LEAST_HALF))
    return b.bitcast(b.select(is_small, b.and_(bits, constant(V32, -0x80000000)), bits), FLOATS)


def under_signs(b, pairs, signs):
    """Return pairs of 16 bits with the signs of others; those that are no number have 0x7FFF and keep it."""
    found = constant(V32, 0)
    for shift in (0, 16):
        half = b.and_(b.lshr(pairs, constant(V32, shift)), constant(V32, 0xFFFF))
        sign = b.and_(b.lshr(signs, constant(V32, shift)), constant(V32, 0x8000))
        with_sign = b.or_(b.and_(half, constant(V32, 0x7FFF)), sign)
        is_none = b.icmp_unsigned("==", half, constant(V32, NAN_16))
        found = b.or_(found, b.shl(b.select(is_none, half, with_sign), constant(V32, shift)))
    return found


def wide(b, value):
    return b.fpext(value, DOUBLES)


def to_odd(b, total, error):
    """Return total + error rounded to odd: the last bit tells that something was lost."""
    bits = b.bitcast(total, V64)
    zero = constant(DOUBLES, 0.0)
    lost = b.fcmp_ordered("one", error, zero)
    even = b.icmp_unsigned("==", b.and_(bits, constant(V64, 1)), constant(V64, 0))
    away = b.icmp_unsigned("==", b.fcmp_ordered(">", error, zero), b.fcmp_ordered(">", total, zero))
    moved = b.add(bits, b.select(away, constant(V64, 1), constant(V64, -1)))
    return b.bitcast(b.select(b.and_(lost, even), moved, bits), DOUBLES)


def sum_of(b, x, y):
    """Return x + y of doubles, rounded to odd."""
    total = b.fadd(x, y)
    part = b.fsub(total, x)
    error = b.fadd(b.fsub(x, b.fsub(total, part)), b.fsub(y, part))
    return to_odd(b, total, error)


def rounded(x, value, format_: int, mode: int = RN):
    """Return the patterns of doubles in a format of 16 or 8 bits, rounded once; those of 8 bits are limited to the
    largest number."""
    b = x.b
    digits, least, most = FORMATS[format_]
    size = x.call("fabs", value)
    # Adding and subtracting a number whose last digit weighs what the result's does rounds to it.
    exponent = b.and_(b.bitcast(size, V64), constant(V64, 0x7FF << 52))
    lowest = constant(V64, (1023 + least) << 52)
    exponent = b.select(b.icmp_unsigned("<", exponent, lowest), lowest, exponent)
    # Numbers beyond the format's need no digits; without a limit the sum of the largest doubles would be infinite.
    highest = constant(V64, BEYOND_16_BITS << 52)
    exponent = b.select(b.icmp_unsigned(">", exponent, highest), highest, exponent)
    magic = b.bitcast(b.add(exponent, constant(V64, (53 - digits) << 52)), DOUBLES)
    nearest = b.fsub(b.fadd(size, magic), magic)
    if mode != RN:
        nearest = _directed(x, size, nearest, exponent, value, digits, mode)
    infinite = constant(DOUBLES, float("inf"))
    beyond = b.fcmp_ordered(">", nearest, constant(DOUBLES, most))
    if format_ in (E4M3, E5M2):
        limit = constant(DOUBLES, most)
    elif mode == RN:
        limit = infinite
    else:
        negative = b.icmp_signed("<", b.bitcast(value, V64), constant(V64, 0))
        whole = b.fcmp_ordered("==", size, infinite)
        goes_up = {RZ: whole, RP: b.or_(whole, b.not_(negative)), RM: b.or_(whole, negative)}[mode]
        limit = b.select(goes_up, infinite, constant(DOUBLES, most))
    nearest = b.select(beyond, limit, nearest)
    return _narrowed(x, nearest, value, format_) if format_ in (E4M3, E5M2) else _pattern(x, nearest, value, format_)


def _narrowed(x, size, value, format_: int):
    """Return the patterns of 8 bits: the first of those of halves, which for E4M3 are divided by 256."""
    b = x.b
    scale, dropped = (1 / 256, 7) if format_ == E4M3 else (1.0, 8)
    bits = _pattern(x, b.fmul(size, constant(DOUBLES, scale)), x.call("fabs", value), 0)
    bits = b.lshr(bits, constant(V32, dropped))
    sign = b.trunc(b.lshr(b.bitcast(value, V64), constant(V64, 56)), V32)
    bits = b.or_(bits, b.and_(sign, constant(V32, 0x80)))
    return b.select(b.fcmp_unordered("uno", value, value), constant(V32, NAN_8), bits)


def _directed(x, size, nearest, exponent, value, digits, mode):
    """Return the neighbour of the nearest number that a rounding mode asks for, of magnitudes."""
    b = x.b
    step = b.bitcast(b.sub(exponent, constant(V64, (digits - 1) << 52)), DOUBLES)
    negative = b.icmp_signed("<", b.bitcast(value, V64), constant(V64, 0))
    # Truncated: the nearest one, or a step below it.
    down = b.select(b.fcmp_ordered(">", nearest, size), b.fsub(nearest, step), nearest)
    if mode == RZ:
        return down
    up = b.select(b.fcmp_ordered("<", down, size), b.fadd(down, step), down)
    grows = negative if mode == RM else b.not_(negative)
    return b.select(grows, up, down)


def _pattern(x, size, value, is_bf16: int):
    """Return the patterns of magnitudes that 16 bits hold exactly, with the sign of the value; NaN is 0x7FFF."""
    b = x.b
    single = b.fptrunc(size, FLOATS)
    if is_bf16:
        bits = b.lshr(b.bitcast(single, V32), constant(V32, 16))
    else:
        scaled = b.bitcast(b.fmul(single, constant(FLOATS, 1 / TWO_TO_112)), V32)
        bits = b.lshr(scaled, constant(V32, 13))
        infinite = b.fcmp_ordered("==", single, constant(FLOATS, float("inf")))
        bits = b.select(infinite, constant(V32, 0x7C00), bits)
    sign = b.trunc(b.lshr(b.bitcast(value, V64), constant(V64, 48)), V32)
    bits = b.or_(bits, b.and_(sign, constant(V32, 0x8000)))
    return b.select(b.fcmp_unordered("uno", value, value), constant(V32, NAN_16), bits)


def limited(x, value, sat: int, relu: int):
    """Return doubles limited to 0 to 1, where a NaN becomes 0; or to positive ones."""
    b, zero, one = x.b, constant(DOUBLES, 0.0), constant(DOUBLES, 1.0)
    if sat:
        value = b.select(b.fcmp_ordered(">", value, zero), value, zero)
        value = b.select(b.fcmp_ordered("<", value, one), value, one)
    if relu:
        value = b.select(b.fcmp_ordered("<=", value, zero), zero, value)
    return value


def pair_of(x, values, is_bf16: int, mode: int = RN):
    """Return two vectors of doubles as pairs of 16 bits."""
    low, high = (rounded(x, value, is_bf16, mode) for value in values)
    return x.b.or_(low, x.b.shl(high, constant(V32, 16)))


def give_pair(x, values, is_bf16: int, sat: int = 0, relu: int = 0, mode: int = RN) -> None:
    """Write two vectors of doubles as a pair of 16 bits."""
    x.give(pair_of(x, [limited(x, value, sat, relu) for value in values], is_bf16, mode))


def source_float(x, source: int):
    """Return the floats of a source of 16 bits, in the half that ``extra`` says; ``source`` 4 is bfloat16."""
    b = x.b
    shift = b.shl(b.and_(x.number("extra"), constant(V32, 1)), constant(V32, 4))
    bits = b.and_(b.lshr(x.plain("b"), shift), constant(V32, 0xFFFF))
    value = b.bitcast(from_bits(b, bits, source == 4), V32)
    return b.bitcast(b.xor(b.and_(value, x.number("b_keep")), x.number("b_flip")), FLOATS)


def give_half(x, value, is_bf16: int, mode: int = RN) -> None:
    """Write doubles as 16 bits, the upper half zero."""
    x.give(rounded(x, value, is_bf16, mode))
