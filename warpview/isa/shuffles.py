"""Tell from which lane each lane of a shuffle reads."""

from __future__ import annotations

from warpview.isa.ops import ShflMode

IDX, UP, DOWN, BFLY = range(4)


def shuffle_source(mode: ShflMode, lane: int, operand: int, width: int) -> int | None:
    """Return the lane whose value a lane receives; None where that lies outside its segment, so that it keeps its own.

    ``operand`` is the lane (IDX), delta (UP, DOWN) or lane mask (BFLY); ``width``, a power of two up to 32, is the
    size of the segments.
    """
    first = lane & ~(width - 1)
    last = first + width - 1
    if mode == ShflMode.IDX:
        return first | (operand & (width - 1))
    if mode == ShflMode.UP:
        source = lane - operand
        return source if source >= first else None
    source = lane + operand if mode == ShflMode.DOWN else lane ^ operand
    # A butterfly may reach into a lower segment, but not beyond its own.
    return source if source <= last else None


def native_shuffle_source(mode: int, lane: int, operand: int, clamp: int) -> int | None:
    """Return the lane that a shuffle reads, None where it lies beyond: by the PTX ISA's definition of shfl.

    ``mode`` is the place of IDX, UP, DOWN or BFLY; ``clamp`` has the segment mask from bit 8 on.
    """
    segment, low = clamp >> 8 & 31, lane & (clamp >> 8 & 31)
    limit = low | (clamp & 31 & ~segment)
    if mode == UP:
        return lane - operand if lane - operand >= limit else None
    source = {IDX: low | (operand & ~segment & 31), DOWN: lane + operand, BFLY: lane ^ operand}[mode]
    return source if source <= limit else None
