"""Compute with binary floating-point numbers exactly, as IEEE 754 defines them, and round once at the end.

A number is ``Exact``: a sign, a whole significand of any length and a power of two. Sums and products of such numbers
have no error, so that ``encode`` rounds what an operation of the hardware rounds: the exact result.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple


class Mode(IntEnum):
    """Name the rounding modes by the numbers that the hardware gives them."""

    NEAREST = 0  # ties to even
    DOWN = 1
    UP = 2
    TO_ZERO = 3


class Kind(IntEnum):
    FINITE = 0
    INFINITE = 1
    NAN = 2


class FloatFormat(NamedTuple):
    """Describe a format: the bits of its exponent, those of its significand that are stored, and the hardware's NaN."""

    exponent_bits: int
    stored: int
    nan: int

    @property
    def bias(self) -> int:
        return (1 << (self.exponent_bits - 1)) - 1

    @property
    def sign_bit(self) -> int:
        return 1 << (self.exponent_bits + self.stored)

    @property
    def infinity(self) -> int:
        return ((1 << self.exponent_bits) - 1) << self.stored


F32 = FloatFormat(8, 23, 0x7FFFFFFF)
F64 = FloatFormat(11, 52, 0xFFF8000000000000)
F16 = FloatFormat(5, 10, 0x7FFF)
BF16 = FloatFormat(8, 7, 0x7FFF)
TF32 = FloatFormat(8, 10, 0x3FFFF)


class Exact(NamedTuple):
    """Represent ``(-1)^negative * size * 2^exponent``, an infinity, or what is not a number."""

    negative: bool
    size: int
    exponent: int
    kind: Kind = Kind.FINITE

    @property
    def is_zero(self) -> bool:
        return self.kind == Kind.FINITE and self.size == 0

    @property
    def is_nan(self) -> bool:
        return self.kind == Kind.NAN


NAN = Exact(False, 0, 0, Kind.NAN)


def whole(value: int) -> Exact:
    """Return an integer as an exact number."""
    return Exact(value < 0, abs(value), 0)


def decode(format_: FloatFormat, bits: int) -> Exact:
    """Return the number behind a pattern."""
    negative = bool(bits & format_.sign_bit)
    field = bits >> format_.stored & ((1 << format_.exponent_bits) - 1)
    fraction = bits & ((1 << format_.stored) - 1)
    if field == (1 << format_.exponent_bits) - 1:
        return Exact(negative, 0, 0, Kind.NAN if fraction else Kind.INFINITE)
    if field:
        fraction |= 1 << format_.stored
    return Exact(negative, fraction, max(field, 1) - format_.bias - format_.stored)


def rounded(size: int, dropped: int, negative: bool, mode: Mode) -> int:
    """Return a significand without its lowest ``dropped`` bits, rounded."""
    if dropped <= 0:
        return size << -dropped
    kept, rest = size >> dropped, size & ((1 << dropped) - 1)
    if mode == Mode.NEAREST:
        half = 1 << (dropped - 1)
        return kept + (rest > half or (rest == half and kept & 1 == 1))
    goes_away = (mode == Mode.UP and not negative) or (mode == Mode.DOWN and negative)
    return kept + (goes_away and rest != 0)


def encode(format_: FloatFormat, number: Exact, mode: Mode = Mode.NEAREST) -> int:
    """Return the pattern of a number, rounded once; the hardware's pattern of what is not a number."""
    if number.is_nan:
        return format_.nan
    sign = format_.sign_bit if number.negative else 0
    if number.kind == Kind.INFINITE:
        return sign | format_.infinity
    if number.size == 0:
        return sign
    leading = number.size.bit_length() - 1 + number.exponent
    last = max(leading, 1 - format_.bias) - format_.stored  # the weight of the last bit that is kept
    size = rounded(number.size, last - number.exponent, number.negative, mode)
    if size >> (format_.stored + 1):
        size, last = size >> 1, last + 1
    if last + format_.stored > format_.bias:
        limited = mode == Mode.TO_ZERO or mode == (Mode.UP if number.negative else Mode.DOWN)
        return sign | (format_.infinity - 1 if limited else format_.infinity)
    if size >> format_.stored == 0:
        return sign | size  # subnormal
    return sign | ((last + format_.stored + format_.bias) << format_.stored) + size - (1 << format_.stored)


def add(x: Exact, y: Exact, mode: Mode = Mode.NEAREST) -> Exact:
    """Return a sum; the mode decides the sign of a zero that terms of different signs give."""
    if x.is_nan or y.is_nan:
        return NAN
    if x.kind == Kind.INFINITE or y.kind == Kind.INFINITE:
        if x.kind == y.kind and x.negative != y.negative:
            return NAN
        return x if x.kind == Kind.INFINITE else y
    exponent = min(x.exponent, y.exponent)
    total = sum((-n.size if n.negative else n.size) << (n.exponent - exponent) for n in (x, y))
    if total == 0:
        same = x.negative == y.negative
        return Exact(x.negative if same else mode == Mode.DOWN, 0, 0)
    return Exact(total < 0, abs(total), exponent)


def multiply(x: Exact, y: Exact) -> Exact:
    negative = x.negative != y.negative
    if x.is_nan or y.is_nan or (Kind.INFINITE in (x.kind, y.kind) and (x.is_zero or y.is_zero)):
        return NAN
    if Kind.INFINITE in (x.kind, y.kind):
        return Exact(negative, 0, 0, Kind.INFINITE)
    return Exact(negative, x.size * y.size, x.exponent + y.exponent)


def to_integer(number: Exact, mode: Mode) -> int:
    """Return a finite number rounded to an integer."""
    size = rounded(number.size, -number.exponent, number.negative, mode)
    return -size if number.negative else size


def compare(x: Exact, y: Exact) -> int:
    """Return which bit of a comparison's number stands for the order of two numbers: 0 less, 1 equal, 2 greater, 3
    unordered."""
    if x.is_nan or y.is_nan:
        return 3
    infinite = (x.kind == Kind.INFINITE, y.kind == Kind.INFINITE)
    if any(infinite):
        a, b = ((-n if each.negative else n) for n, each in zip(map(int, infinite), (x, y), strict=True))
    else:
        exponent = min(x.exponent, y.exponent)
        a, b = ((-n.size if n.negative else n.size) << (n.exponent - exponent) for n in (x, y))
    return 0 if a < b else 1 if a == b else 2


def flushed(format_: FloatFormat, bits: int) -> int:
    """Return a pattern with subnormal numbers replaced by zeros of their sign."""
    return bits if bits & format_.infinity else bits & format_.sign_bit


def saturated(format_: FloatFormat, bits: int) -> int:
    """Return a pattern limited to 0 to 1; what is not a number becomes 0."""
    number = decode(format_, bits)
    if number.is_nan or number.negative:
        return 0
    one = format_.bias << format_.stored
    return min(bits, one)


def narrowed_nan(format_: FloatFormat, bits: int) -> int:
    """Return a double that is not a number in a narrower format: its sign and its first digits, made quiet."""
    sign = format_.sign_bit if bits >> 63 else 0
    kept = bits >> (52 - format_.stored) & ((1 << format_.stored) - 1)
    return sign | format_.infinity | 1 << (format_.stored - 1) | kept


def widened_nan(bits: int) -> int:
    """Return a float that is not a number as a double: its sign and its digits, made quiet."""
    sign = F64.sign_bit if bits & F32.sign_bit else 0
    return sign | F64.infinity | 1 << (F64.stored - 1) | (bits & 0x7FFFFF) << 29
