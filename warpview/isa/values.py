"""Convert between the bit patterns of registers and the numbers that they stand for.

A register holds 32 or 64 bits. ``decode`` gives the number behind a pattern as a Python int or float (a float holds
every f32 and f64 exactly); ``encode`` gives the pattern of a number, wrapped (integers) or rounded to nearest even
(floats) to the type.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from warpview.isa.types import Type

Number = int | float

# What arithmetic gives for "not a number": the patterns that NVIDIA's units produce.
NAN32 = 0x7FFFFFFF
NAN64 = 0xFFF8000000000000
INFINITY = float("inf")
NAN = float("nan")

_F32 = struct.Struct("<f")
_F64 = struct.Struct("<d")
_U32 = struct.Struct("<I")
_U64 = struct.Struct("<Q")


@cache
def width(type_: Type) -> int:
    """Return the bits of a value of the type in memory; 1 for a predicate."""
    return 1 if type_ == Type.PRED else type_.bytes * 8


@cache
def mask(type_: Type) -> int:
    """Return all bits of a value of the type."""
    return (1 << width(type_)) - 1


@cache
def register_mask(type_: Type) -> int:
    """Return all bits of the register that holds a value of the type."""
    return 0xFFFFFFFFFFFFFFFF if type_.is_wide else 0xFFFFFFFF


def signed(bits: int, n: int) -> int:
    """Return the low ``n`` bits as a two's complement number."""
    bits &= (1 << n) - 1
    return bits - (1 << n) if bits >> (n - 1) else bits


def wrap(type_: Type, value: int) -> int:
    """Return the register pattern of an integer wrapped to the type: narrow types are extended to 32 bits."""
    if type_.is_signed:
        return signed(value, width(type_)) & register_mask(type_)
    return value & mask(type_)


def flushed32(bits: int) -> int:
    """Return the pattern of an f32; of a subnormal one that of zero with its sign."""
    return bits if bits & 0x7F800000 else bits & 1 << 31


def float_from_bits32(bits: int) -> float:
    value: float = _F32.unpack(_U32.pack(bits))[0]
    return value


def float_from_bits64(bits: int) -> float:
    value: float = _F64.unpack(_U64.pack(bits))[0]
    return value


def bits32_from_float(value: float) -> int:
    """Return the f32 nearest to an f64, ties to even; canonical NaN."""
    if value != value:
        return NAN32
    try:
        bits: int = _U32.unpack(_F32.pack(value))[0]
    except OverflowError:
        return 0x7F800000 if value > 0 else 0xFF800000
    return bits


def bits64_from_float(value: float) -> int:
    if value != value:
        return NAN64
    bits: int = _U64.unpack(_F64.pack(value))[0]
    return bits


def decoder(type_: Type) -> Callable[[int], Number]:
    """Return the function from a register pattern to the number it stands for."""
    if type_ == Type.F32:
        return float_from_bits32
    if type_ == Type.F64:
        return float_from_bits64
    if type_.is_signed:
        n = 64 if type_.is_wide else 32
        return lambda bits: bits - (1 << n) if bits >> (n - 1) else bits
    return lambda bits: bits


def encoder(type_: Type) -> Callable[[Number], int]:
    """Return the function from a number to its register pattern."""
    if type_ == Type.F32:
        return lambda value: bits32_from_float(float(value))
    if type_ == Type.F64:
        return lambda value: bits64_from_float(float(value))
    low = mask(type_)
    if not type_.is_signed:
        return lambda value: int(value) & low
    sign, register = 1 << (width(type_) - 1), register_mask(type_)
    return lambda value: ((int(value) & low ^ sign) - sign) & register


def decode(type_: Type, bits: int) -> Number:
    return decoder(type_)(bits)


def encode(type_: Type, value: Number) -> int:
    return encoder(type_)(value)


# ------------------------------------------------------------------------------------------------ exact rounding


class Precision(NamedTuple):
    """Describe a floating-point format: the digits of its significand, exponents of its least and its largest digit."""

    digits: int
    least: int
    largest: int


FORMATS = {Type.F32: Precision(24, -149, 127), Type.F64: Precision(53, -1074, 1023)}
# From a quotient to the whole number that it is rounded to, half to even where it is to be the nearest one.
ROUNDINGS: dict[str, Callable[[Fraction], int]] = {
    "rn": round,
    "rm": math.floor,
    "rp": math.ceil,
    "rz": math.trunc,
}


def round_exact(format_: Precision, value: Fraction | int, rounding: str = "rn") -> float:
    """Return a rational number rounded once to a format, with subnormals and overflow to infinity or, where that is
    not the direction of the rounding, to the largest number."""
    digits, least, largest = format_
    if value == 0:
        return 0.0
    sign, magnitude = (-1.0 if value < 0 else 1.0), abs(Fraction(value))
    # exponent = floor(log2(magnitude)), from the bit lengths and then put right
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if magnitude < Fraction(2) ** exponent:
        exponent -= 1
    unit = max(exponent - digits + 1, least)
    n = abs(ROUNDINGS[rounding](Fraction(value) / Fraction(2) ** unit))
    if n >> digits:
        n, unit = n >> 1, unit + 1  # rounded up to the next power of two: the low bit is 0
    if n.bit_length() + unit - 1 > largest:
        if rounding == "rz" or rounding == ("rp" if value < 0 else "rm"):
            return sign * ((1 << digits) - 1) * 2.0 ** (largest - digits + 1)
        return sign * INFINITY
    return sign * float(Fraction(n) * Fraction(2) ** unit)


def fma(format_: Precision, a: float, b: float, c: float, *, rounding: str = "rn") -> float:
    """Return a * b + c rounded once to a format."""
    if not all(abs(x) < INFINITY for x in (a, b, c)):
        # With an infinity or NaN among them no rounding takes place; a finite product must not overflow to one.
        finite_product = abs(a) < INFINITY and abs(b) < INFINITY
        return c if finite_product else a * b + c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact == 0:
        # The sign of an exact zero: that of the terms if they agree, else plus, or minus where it is rounded down.
        # (Products of tiny numbers underflow in f64, so a term that is not zero cancels the other.)
        product_is_zero = a == 0 or b == 0
        zeros = (math.copysign(1.0, a) * math.copysign(1.0, b), math.copysign(1.0, c)) if product_is_zero else (1, -1)
        if zeros[0] == zeros[1]:
            return 0.0 * zeros[0]
        return -0.0 if rounding == "rm" else 0.0
    return round_exact(format_, exact, rounding)


def int_to_float(type_: Type, value: int) -> float:
    """Return an integer rounded once to F32 or F64."""
    return round_exact(FORMATS[type_], value) if abs(value) >= 1 << 53 else float(value)


def float_to_int(type_: Type, source: Type, value: float) -> int:
    """Return a float truncated toward zero and saturated to the register of an integer type.

    NaN gives 0 from F32 to 32 bits, else only the highest bit (PTX ISA 9.0, cvt). Narrow types saturate at 32 bits and
    are wrapped by the caller, as nvcc compiles ``(char)f``: cvt.rzi.s32, st.u8.
    """
    n = 64 if type_.is_wide else 32
    low, high = (-(1 << (n - 1)), (1 << (n - 1)) - 1) if type_.is_signed else (0, (1 << n) - 1)
    if value != value:
        return 0 if source == Type.F32 and n == 32 else 1 << (n - 1)
    if value <= low:
        return low
    return high if value >= high else int(value)
