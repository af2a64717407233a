"""Emit arithmetic on numbers of 16 bits, halves and bfloat16, that stand in the low bits of words."""

from __future__ import annotations

from warpview.isa.ops import HalfFn, Op
from warpview.isa.types import Type
from warpview.sim.jit.floating import FLOAT, canonical
from warpview.sim.jit.integer import Vectors
from warpview.sim.jit.native_half import from_bits, rounded, sum_of, wide

_EXTREMES = {HalfFn.MIN_F16: Op.MIN, HalfFn.MAX_F16: Op.MAX}


def convert(b, to: Type, source: Type, mod: int, a):
    """Convert words to floats, or floats to words; ``mod`` is a Half."""
    is_bf16, rounding = divmod(mod, 4)
    if to.is_float:
        value = from_bits(b, a, is_bf16)
        if to.is_wide:
            return wide(b, value)
        return value if is_bf16 else canonical(b, value)
    return rounded(Vectors(b), a if source.is_wide else wide(b, a), is_bf16, rounding)


def function(b, mod: int, *operands):
    """Return a function of words, rounded once; ``mod`` is a HalfFn."""
    is_bf16 = int(HalfFn(mod).is_bf16)
    numbers = [wide(b, from_bits(b, a, is_bf16)) for a in operands]
    return rounded(Vectors(b), _exact(b, HalfFn(mod & ~1), *numbers), is_bf16)


def _exact(b, of: HalfFn, x, y, z=None):
    """Return the result in doubles, rounded to odd where they do not hold it."""
    if of in _EXTREMES:
        return FLOAT[_EXTREMES[of]](b, Type.F64, x, y)
    if of == HalfFn.ADD_F16:
        return sum_of(b, x, y)
    if of == HalfFn.SUB_F16:
        return sum_of(b, x, b.fneg(y))
    product = b.fmul(x, y)
    return product if z is None else sum_of(b, product, z)
