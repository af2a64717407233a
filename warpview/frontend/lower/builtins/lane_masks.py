"""Compute with masks of lanes: the lane of a rank, the lanes of a group by rank."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpview.frontend import ir
from warpview.isa.ops import Cmp, Op
from warpview.isa.types import Type

if TYPE_CHECKING:
    from warpview.frontend.lower.lowering import Lowering

STEPS = 5  # halvings of 32 lanes


def word(value: int) -> ir.Const:
    """Return an unsigned constant of 32 bits."""
    return ir.const(Type.U32, value)


def lane_of_rank(low: Lowering, mask: ir.Value, rank: ir.Value) -> ir.Value:
    """Return the lane of the bit of ``mask`` that has ``rank`` set bits below it, by halving: where the lower half of
    what is left has too few, the bit lies in the upper half. For a rank beyond the last the lane is not in ``mask``."""
    emit = low.context.emit
    if rank == word(0):  # as many zeros as lie below the lowest bit
        lowest = emit(Op.AND, Type.U32, mask, emit(Op.SUB, Type.U32, word(0), mask))
        return emit(Op.POPC, Type.U32, emit(Op.SUB, Type.U32, lowest, word(1)))
    lane: ir.Value = word(0)
    for step in reversed(range(STEPS)):
        half = 1 << step
        lower = emit(Op.AND, Type.U32, emit(Op.SHR, Type.U32, mask, lane), word((1 << half) - 1))
        count = emit(Op.POPC, Type.U32, lower)
        above = emit(Op.SETP, Type.U32, rank, count, mod=Cmp.GE)
        rank = emit(Op.SUB, Type.U32, rank, emit(Op.SELP, Type.U32, count, word(0), above))
        lane = emit(Op.ADD, Type.U32, lane, emit(Op.SELP, Type.U32, word(half), word(0), above))
    return lane


def packed(low: Lowering, lanes: ir.Value, mask: ir.Value) -> ir.Value:
    """Return ``lanes`` by rank: the bits of ``lanes`` at the set bits of ``mask``, moved together to the lowest places.

    The method is that of "compress" in Warren, Hacker's Delight, section 7-4: in each of five steps the bits move by a
    power of two that have an odd number of gaps of that size below them.
    """
    emit = low.context.emit
    kept: ir.Value = emit(Op.AND, Type.U32, lanes, mask)
    gaps: ir.Value = emit(Op.SHL, Type.U32, emit(Op.XOR, Type.U32, mask, word(0xFFFFFFFF)), word(1))
    for step in range(STEPS):
        odd: ir.Value = gaps
        for distance in range(STEPS):
            odd = emit(Op.XOR, Type.U32, odd, emit(Op.SHL, Type.U32, odd, word(1 << distance)))
        moving = emit(Op.AND, Type.U32, odd, mask)
        mask, kept = (_moved(low, value, moving, 1 << step) for value in (mask, kept))
        gaps = emit(Op.AND, Type.U32, gaps, emit(Op.XOR, Type.U32, odd, word(0xFFFFFFFF)))
    return kept


def _moved(low: Lowering, value: ir.Value, moving: ir.Value, distance: int) -> ir.Value:
    """Return a value of which the bits that move lie ``distance`` lower."""
    emit = low.context.emit
    bits = emit(Op.AND, Type.U32, value, moving)
    staying = emit(Op.XOR, Type.U32, value, bits)
    return emit(Op.OR, Type.U32, staying, emit(Op.SHR, Type.U32, bits, word(distance)))
