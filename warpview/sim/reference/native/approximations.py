"""Execute MUFU, by ``isa.approximations``; of the tangent and of 16 bits the nearest number to the exact result.

Subnormal operands and results are zeros but for the tangent, with .FTZ or without, and angles are in turns.
"""

from __future__ import annotations

from warpview.isa import approximations
from warpview.isa.approximations import RCP64H, RSQ64H, TANH
from warpview.isa.exact_floats import BF16, F16, F32, NAN, decode, encode, flushed
from warpview.sim.reference.native.lane import Lane
from warpview.sim.reference.native.real_numbers import half_bits


def mufu(x: Lane) -> None:
    function, format_ = x.modifier("function"), x.modifier("format")
    if function in (RCP64H, RSQ64H):
        x.give(approximations.upper_word(function, x.float_bits("b")))
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
