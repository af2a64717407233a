"""Define the functions that MUFU approximates, as the nearest float to the exact result.

The hardware's own results differ from these in the last bits: ``assets/docs/accuracy.md`` has the table. Subnormal
operands and results are zeros, with .FTZ or without, and angles are in turns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from warpview.sim.reference.native.floats import BF16, F16, F32, F64, FloatFormat, decode, encode, flushed
from warpview.sim.reference.native.lane import Lane
from warpview.sim.reference.native.real_numbers import half_bits

COS, SIN, EX2, LG2, RCP, RSQ, RCP64H, RSQ64H, SQRT, TANH = range(10)
CANONICAL_NAN, NO_NUMBER = 0x7FFFFFFF, 0x7FF00000


def _turns(function: Callable[[np.float64], np.float64]) -> Callable[[np.float64], np.float64]:
    return lambda x: function((x - np.floor(x)) * 6.283185307179586)


FUNCTIONS: Mapping[int, Callable[[np.float64], np.float64]] = {
    COS: _turns(np.cos),
    SIN: _turns(np.sin),
    EX2: np.exp2,
    LG2: np.log2,
    RCP: lambda x: np.float64(1) / x,
    RSQ: lambda x: np.float64(1) / np.sqrt(x),
    SQRT: np.sqrt,
    TANH: np.tanh,
}


def mufu(x: Lane) -> None:
    function = x.modifier("function")
    if function in (RCP64H, RSQ64H):
        _upper_word(x, function)
        return
    format_: FloatFormat = (F32, F16, BF16)[x.modifier("format")]
    bits = half_bits(x) if format_ is not F32 else flushed(F32, x.float_bits("b"))
    value = _as_double(format_, bits)
    with np.errstate(all="ignore"):
        result = np.float64(FUNCTIONS[function](value))
    pattern = encode(format_, decode(F64, int(result.view(np.uint64))))
    x.give(flushed(F32, pattern) if format_ is F32 else pattern)


def _as_double(format_: FloatFormat, bits: int) -> np.float64:
    pattern = np.uint64(encode(F64, decode(format_, bits)))
    return pattern.view(np.float64)


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
