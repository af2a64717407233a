"""Change barriers that lie in shared memory, those of sm_90, as an H200 leaves them.

A barrier is a word of 64 bits: in bits 1 to 20 minus the threads that each phase awaits, from bit 21 on minus the bytes
that are awaited still (21 bits), from bit 43 on minus the threads (20 bits), and in bit 63 the phase. A phase is over
when neither threads nor bytes are awaited; the next one awaits as many threads as the lowest field says.
"""

from __future__ import annotations

from warpview.isa.native import BITS_OF_COUNTS, BarrierCounts

THREADS_OF_PHASE, BYTES, THREADS, PHASE = (1, 20), (21, 21), (43, 20), (63, 1)  # fields: the lowest bit and the width
_ONE = {BarrierCounts.ARRIVE_AND_EXPECT, BarrierCounts.ARRIVE_ONCE}


def _field(barrier: int, place: tuple[int, int]) -> int:
    low, width = place
    return barrier >> low & (1 << width) - 1


def _added(barrier: int, place: tuple[int, int], amount: int) -> int:
    """Return a barrier with a field that is larger by an amount, without a carry."""
    low, width = place
    mask = (1 << width) - 1
    return barrier & ~(mask << low) | (_field(barrier, place) + amount & mask) << low


def phase(barrier: int) -> int:
    return _field(barrier, PHASE)


def changed(barrier: int, operation: int, value: int) -> int:
    """Return a barrier after an operation whose register holds a value."""
    counts = BarrierCounts(operation & (1 << BITS_OF_COUNTS) - 1)
    leaves = operation >> BITS_OF_COUNTS
    arriving = 1 if counts in _ONE else value if counts == BarrierCounts.ARRIVE else 0
    done = {
        BarrierCounts.ARRIVE_AND_EXPECT: -value,
        BarrierCounts.EXPECT: -value,
        BarrierCounts.EXPECT_ONE: -1,
        BarrierCounts.COMPLETE: value,
        BarrierCounts.COMPLETE_ONE: 1,
    }.get(counts, 0)
    barrier = _added(_added(barrier, BYTES, done), THREADS, arriving)
    barrier = _added(barrier, THREADS_OF_PHASE, arriving if leaves else 0)
    if not _field(barrier, BYTES) and not _field(barrier, THREADS):
        barrier = _added(_added(barrier, PHASE, 1), THREADS, _field(barrier, THREADS_OF_PHASE))
    return barrier
