"""Emit conversions to and from narrow formats of NVIDIA's machine code: 8 bits, TF32, limited integers.

Functions are named as in ``sass.meanings``.
"""

from __future__ import annotations

from warpview.sim.jit.floating import FLOATS
from warpview.sim.jit.integer import DOUBLES
from warpview.sim.jit.lanes import V32, constant
from warpview.sim.jit.native_conversions import to_whole
from warpview.sim.jit.native_half import (
    E4M3,
    E5M2,
    from_bits,
    limited,
    rounded,
    wide,
)

TF32_DROPPED, TF32_NAN = 13, 0x7FFFE000
E4M3_SCALE = 256.0  # by which its numbers exceed those of halves with the same bits


def _float(x, letter):
    return wide(x.b, x.float(letter))


def _merged(x, high, low, width):
    """Write two fields below the bits of c, which are shifted up, if there is place for them."""
    b = x.b
    joined = b.or_(b.shl(high, constant(V32, width)), low)
    x.give(joined if width == 16 else b.or_(joined, b.shl(x.plain("c"), constant(V32, 2 * width))))


def f2fpmerge(x, is_bf16, relu, round_):
    b = x.b
    low = rounded(x, limited(x, _float(x, "b"), 0, relu), is_bf16, round_)
    x.give(b.or_(b.and_(x.plain("c"), constant(V32, -0x10000)), low))


def f2tf32(x, relu, round_):
    """Round patterns: the digits that are dropped carry into those that are kept."""
    b, bits = x.b, x.word("b")
    is_nan = b.fcmp_unordered("uno", x.float("b"), x.float("b"))
    if not round_:
        last = b.and_(b.lshr(bits, constant(V32, TF32_DROPPED)), constant(V32, 1))
        bits = b.add(bits, b.add(last, constant(V32, (1 << (TF32_DROPPED - 1)) - 1)))
    kept = b.and_(bits, constant(V32, -(1 << TF32_DROPPED)))
    if relu:
        kept = b.select(b.icmp_signed("<", x.word("b"), constant(V32, 0)), constant(V32, 0), kept)
    x.give(b.select(is_nan, constant(V32, TF32_NAN), kept))


def f2f8(x, is_e4m3, relu):
    format_ = E4M3 if is_e4m3 else E5M2
    high, low = (rounded(x, limited(x, _float(x, letter), 0, relu), format_) for letter in "ab")
    _merged(x, high, low, 8)


def f2f8half(x, is_e4m3, relu):
    b, word = x.b, x.plain("b")
    format_ = E4M3 if is_e4m3 else E5M2
    parts = (b.lshr(word, constant(V32, 16)), b.and_(word, constant(V32, 0xFFFF)))
    high, low = (rounded(x, limited(x, wide(b, from_bits(b, part, 0)), 0, relu), format_) for part in parts)
    _merged(x, high, low, 8)


def f8tohalf(x, is_e4m3, relu):
    b, word = x.b, x.b.lshr(x.plain("b"), x.number("extra"))
    found = []
    for shift in (8, 0):
        byte = b.and_(b.lshr(word, constant(V32, shift)), constant(V32, 0xFF))
        value = b.fmul(_of_e4m3(b, byte), constant(FLOATS, E4M3_SCALE)) if is_e4m3 else _of_e5m2(b, byte)
        found.append(rounded(x, limited(x, wide(b, value), 0, relu), 0))
    x.give(b.or_(b.shl(found[0], constant(V32, 16)), found[1]))


def _of_e5m2(b, byte):
    return from_bits(b, b.shl(byte, constant(V32, 8)), 0)


def _of_e4m3(b, byte):
    """Return floats, still too small by E4M3_SCALE; the highest pattern is no number."""
    size = b.and_(byte, constant(V32, 0x7F))
    sign = b.shl(b.and_(byte, constant(V32, 0x80)), constant(V32, 8))
    bits = b.or_(sign, b.shl(size, constant(V32, 7)))
    is_nan = b.icmp_unsigned("==", size, constant(V32, 0x7F))
    return from_bits(b, b.select(is_nan, constant(V32, 0x7FFF), bits), 0)


# ------------------------------------------------------------------------------------------------ limited integers


LIMITED_BITS = (8, 16, 2, 4)


def _clipped(x, kind, value):
    """Return integers limited to 8, 16, 2 or 4 bits, by ``kind >> 1``, with a sign where ``kind`` is odd."""
    b, width = x.b, LIMITED_BITS[kind >> 1]
    least, most = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if kind & 1 else (0, (1 << width) - 1)
    value = b.select(b.icmp_signed("<", value, constant(V32, least)), constant(V32, least), value)
    return b.select(b.icmp_signed(">", value, constant(V32, most)), constant(V32, most), value)


def i2i(x, kind):
    x.give(_clipped(x, kind, x.word("b")))


def i2ip(x, kind):
    width = LIMITED_BITS[kind >> 1]
    parts = (x.b.and_(_clipped(x, kind, x.word(k)), constant(V32, (1 << width) - 1)) for k in "ab")
    _merged(x, *parts, width)


def f2ip(x, round_):
    b, found = x.b, []
    for letter in "ab":
        whole = to_whole(x, _float(x, letter), round_)
        whole = b.select(b.fcmp_ordered(">", whole, constant(DOUBLES, 0.0)), whole, constant(DOUBLES, 0.0))
        whole = b.select(b.fcmp_ordered("<", whole, constant(DOUBLES, 255.0)), whole, constant(DOUBLES, 255.0))
        found.append(b.fptosi(whole, V32))
    _merged(x, *found, 8)
