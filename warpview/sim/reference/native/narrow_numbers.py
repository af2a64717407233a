"""Define conversions to and from narrow formats of NVIDIA's machine code in a lane: 8 bits, TF32, limited integers."""

from __future__ import annotations

from warpview.isa.exact_floats import BF16, F16, F32, TF32, Exact, FloatFormat, Kind, Mode, decode, encode
from warpview.isa.exact_floats import to_integer as rounded_integer
from warpview.sim.reference.native.lane import Lane

E4M3, E5M2 = FloatFormat(4, 3, 0x7F), FloatFormat(5, 2, 0x7F)
E4M3_MOST, E5M2_MOST = 0x7E, 0x7B
E4M3_TOP = 256  # from here on numbers have the exponent that in other formats says infinity
TF32_DROPPED = 13

UPPER_BYTES = 6  # of the modifier "high" of F2FP


def encode_byte(is_e4m3: int, number: Exact) -> int:
    """Return the pattern of a number in a format of 8 bits, rounded once and limited to the largest number."""
    format_, most = (E4M3, E4M3_MOST) if is_e4m3 else (E5M2, E5M2_MOST)
    if number.is_nan:
        return format_.nan
    sign = format_.sign_bit if number.negative else 0
    if number.kind == Kind.INFINITE:
        return sign | most
    size = number._replace(negative=False)
    if is_e4m3 and number.size and number.size.bit_length() + number.exponent > E4M3_TOP.bit_length() - 1:
        bits = encode(format_, size._replace(exponent=size.exponent - 1)) + (1 << format_.stored)
    else:
        bits = encode(format_, size)
    return sign | min(bits, most)


def decode_byte(is_e4m3: int, bits: int) -> Exact:
    """Return the number behind a pattern of 8 bits. E4M3 has no infinity, and one pattern that is no number."""
    if is_e4m3 and bits & E4M3.infinity == E4M3.infinity and bits & E4M3.nan != E4M3.nan:
        number = decode(E4M3, bits - (1 << E4M3.stored))
        return number._replace(exponent=number.exponent + 1)
    return decode(E4M3 if is_e4m3 else E5M2, bits)


def _limited(x: Lane, number: Exact) -> Exact:
    """Return a number after .RELU: no negative one."""
    return Exact(False, 0, 0) if x.modifier("relu") and number.negative and not number.is_nan else number


def _float(x: Lane, letter: str) -> Exact:
    return _limited(x, decode(F32, x.float_bits(letter)))


def f2fpmerge(x: Lane) -> None:
    """Convert a float to the lower half; the upper one is that of c."""
    bits = encode((F16, BF16)[x.modifier("to")], _float(x, "b"), Mode(x.modifier("round")))
    x.give(x.word("c") & 0xFFFF0000 | bits)


def f2tf32(x: Lane) -> None:
    bits = encode(TF32, _float(x, "b"), Mode(x.modifier("round")))
    x.give(bits << TF32_DROPPED)


def f2f8(x: Lane) -> None:
    """Convert two floats to bytes, a to the upper one; the upper half is the lower one of c."""
    low, high = (encode_byte(x.modifier("to"), _float(x, letter)) for letter in "ba")
    x.give(x.word("c") << 16 | high << 8 | low)


def f2f8half(x: Lane) -> None:
    """Convert a pair of halves to bytes; the upper half is the lower one of c."""
    word = x.word("b")
    low, high = (encode_byte(x.modifier("to"), _limited(x, decode(F16, bits))) for bits in (word & 0xFFFF, word >> 16))
    x.give(x.word("c") << 16 | high << 8 | low)


def f8tohalf(x: Lane) -> None:
    """Convert the two lower bytes, or with .H1 the two upper ones, to a pair of halves."""
    word = x.word("b") >> (16 if x.modifier("high") == UPPER_BYTES else 0)
    low, high = (
        encode(F16, _limited(x, decode_byte(x.modifier("kind"), bits))) for bits in (word & 0xFF, word >> 8 & 0xFF)
    )
    x.give(high << 16 | low)


# ------------------------------------------------------------------------------------------------ limited integers


LIMITED_BITS = (8, 16, 2, 4)


def _clipped(kind: int, value: int) -> int:
    """Return an integer limited to 8, 16, 2 or 4 bits, by ``kind >> 1``, with a sign where ``kind`` is odd."""
    width, is_signed = LIMITED_BITS[kind >> 1], kind & 1
    least, most = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if is_signed else (0, (1 << width) - 1)
    return min(max(value, least), most)


def i2i(x: Lane) -> None:
    x.give(_clipped(x.modifier("to"), x.signed("b")))


def i2ip(x: Lane) -> None:
    """Limit two integers and pack them, a above b and c above both."""
    kind = x.modifier("to")
    width = LIMITED_BITS[kind >> 1]
    high, low = (_clipped(kind, x.signed(letter)) & ((1 << width) - 1) for letter in "ab")
    above = 0 if width == 16 else x.word("c") << 2 * width
    x.give(above | high << width | low)


def f2ip(x: Lane) -> None:
    """Convert two floats to bytes without a sign, a above b; the upper half is the lower one of c."""
    high, low = (_byte(decode(F32, x.float_bits(letter)), Mode(x.modifier("round"))) for letter in "ab")
    x.give(x.word("c") << 16 | high << 8 | low)


def _byte(number: Exact, mode: Mode) -> int:
    if number.is_nan:
        return 0
    if number.kind:
        return 0 if number.negative else 0xFF
    return _clipped(0, rounded_integer(number, mode))
