"""Emit arithmetic on 64 bits a lane with the even lanes apart from the odd ones: both stay where they are in their
registers, so that joining two words and taking one out again moves nothing between the parts of a vector."""

from __future__ import annotations

from typing import Any, NamedTuple

from llvmlite import ir

from warpview.sim.jit.lanes import I32, I64, LANES, V32

HALF = ir.VectorType(I64, LANES // 2)
LOWER, WORD = ir.Constant(HALF, [0xFFFFFFFF] * (LANES // 2)), ir.Constant(HALF, [32] * (LANES // 2))
UPPER = ir.Constant(HALF, [-1 << 32] * (LANES // 2))
IN_TURN = ir.Constant(V32, [k // 2 + LANES // 2 * (k % 2) for k in range(LANES)])  # an even lane, then an odd one


class Wide(NamedTuple):
    """Hold values of 64 bits: of the even lanes, and of the odd ones."""

    even: Any
    odd: Any

    def apply(self, operation, *others: Wide) -> Wide:
        """Return what an operation makes of the two halves."""
        return Wide(*(operation(*values) for values in zip(self, *others, strict=True)))


def everywhere(b, value) -> Wide:
    """Return an int64 in all lanes."""
    one = b.insert_element(ir.Constant(HALF, ir.Undefined), value, ir.Constant(I32, 0))
    places = ir.Constant(ir.VectorType(I32, LANES // 2), [0] * (LANES // 2))
    half = b.shuffle_vector(one, ir.Constant(HALF, ir.Undefined), places)
    return Wide(half, half)


def widened(b, words, signed: bool = False) -> Wide:
    """Return words as 64 bits."""
    pairs = b.bitcast(words, HALF)
    if signed:
        return Wide(b.ashr(b.shl(pairs, WORD), WORD), b.ashr(pairs, WORD))
    return Wide(b.and_(pairs, LOWER), b.lshr(pairs, WORD))


def joined(b, low, high) -> Wide:
    """Return high:low."""
    low, high = b.bitcast(low, HALF), b.bitcast(high, HALF)
    even = b.or_(b.and_(low, LOWER), b.shl(high, WORD))
    return Wide(even, b.or_(b.lshr(low, WORD), b.and_(high, UPPER)))


def lower_words(b, value: Wide):
    return b.bitcast(b.or_(b.and_(value.even, LOWER), b.shl(value.odd, WORD)), V32)


def upper_words(b, value: Wide):
    return b.bitcast(b.or_(b.lshr(value.even, WORD), b.and_(value.odd, UPPER)), V32)


def lanes_of(b, bits: Wide):
    """Return the int32 mask of the lanes whose bit is set."""
    return b.bitcast(b.shuffle_vector(bits.even, bits.odd, IN_TURN), I32)
