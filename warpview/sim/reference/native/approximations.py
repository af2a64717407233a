"""Execute MUFU, by ``isa.approximations``; of the tangent and of 16 bits the nearest number to the exact result.

Subnormal operands and results are zeros, with .FTZ or without, and angles are in turns.
"""

from __future__ import annotations

import numpy as np

from warpview.isa import approximations
from warpview.isa.approximations import RCP64H, RSQ64H, TANH
from warpview.isa.exact_floats import BF16, F16, F32, NAN, decode, encode, flushed
from warpview.sim.reference.native.lane import Lane
from warpview.sim.reference.native.real_numbers import half_bits

CANONICAL_NAN, NO_NUMBER = 0x7FFFFFFF, 0x7FF00000


def mufu(x: Lane) -> None:
    function, format_ = x.modifier("function"), x.modifier("format")
    if function in (RCP64H, RSQ64H):
        _upper_word(x, function)
    elif not format_:
        x.give(approximations.mufu(function, x.float_bits("b")))
    elif function == TANH:
        x.give(approximations.tangent(F16 if format_ == 1 else BF16, half_bits(x)))
    else:
        _half_power(x)


def _half_power(x: Lane) -> None:
    """Give the power of two of 16 bits: that of 32 bits, cut off once more."""
    format_ = F16 if x.modifier("format") == 1 else BF16
    number = decode(F32, flushed(F32, encode(F32, decode(format_, half_bits(x)))))
    bits = approximations.cut_off(NAN if number.is_nan else approximations.power(number), format_)
    x.give(flushed(BF16, bits) if format_ is BF16 else bits)


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
