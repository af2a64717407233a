"""Compute with numbers of 16 bits, halves and bfloat16, whose patterns are those of U16: exactly, then rounded once."""

from __future__ import annotations

import struct
from fractions import Fraction

from warpview.isa import arithmetic
from warpview.isa.modes import Half, HalfFn
from warpview.isa.types import Type
from warpview.isa.values import (
    INFINITY,
    Precision,
    bits32_from_float,
    decoder,
    encoder,
    float_from_bits32,
    fma,
    round_exact,
)

NAN16 = 0x7FFF
F16, BF16 = Precision(11, -24, 15), Precision(8, -133, 127)


def decode(is_bf16: bool, bits: int) -> float:
    """Return the number behind a pattern of 16 bits."""
    if is_bf16:
        return float_from_bits32(bits << 16)
    value: float = struct.unpack("<e", struct.pack("<H", bits))[0]
    return value


def encode(is_bf16: bool, value: float) -> int:
    """Return the pattern of a number that the format holds exactly."""
    if value != value:
        return NAN16
    if is_bf16:
        return bits32_from_float(value) >> 16
    bits: int = struct.unpack("<H", struct.pack("<e", value))[0]
    return bits


def convert(to: Type, source: Type, mod: int) -> arithmetic.Bits:
    """Return a conversion to 16 bits, rounded as ``mod`` says (a Half), or from them, which is exact."""
    is_bf16, rounding = mod >= Half.BF16_RN, Half(mod).rounding
    if to.is_float:
        widened = encoder(to)
        if to == Type.F32 and is_bf16:
            return lambda a: a << 16  # also what is not a number
        return lambda a: widened(decode(is_bf16, a))
    number = decoder(source)

    def narrowed(a: int) -> int:
        value = float(number(a))
        if value != 0 and abs(value) < INFINITY:
            value = round_exact(BF16 if is_bf16 else F16, Fraction(value), rounding)
        return encode(is_bf16, value)

    return narrowed


def binary_function(type_: Type, stype: Type, mod: int) -> arithmetic.Bits:
    """Return a function of two arguments; ``mod`` is a HalfFn."""
    function = HalfFn(mod)
    is_bf16, format_ = function.is_bf16, BF16 if function.is_bf16 else F16
    compute = {
        HalfFn.ADD_F16: lambda a, b: fma(format_, a, 1.0, b),
        HalfFn.SUB_F16: lambda a, b: fma(format_, b, -1.0, a),
        HalfFn.MUL_F16: lambda a, b: fma(format_, a, b, -0.0),
        HalfFn.MIN_F16: arithmetic.minimum,
        HalfFn.MAX_F16: arithmetic.maximum,
    }[HalfFn(mod & ~1)]
    return lambda a, b: encode(is_bf16, compute(decode(is_bf16, a), decode(is_bf16, b)))


def multiply_add(type_: Type, stype: Type, mod: int) -> arithmetic.Bits:
    """Return the product plus a third number; ``mod`` is a HalfFn."""
    is_bf16 = HalfFn(mod).is_bf16
    format_ = BF16 if is_bf16 else F16
    return lambda a, b, c: encode(is_bf16, fma(format_, *(decode(is_bf16, x) for x in (a, b, c))))
