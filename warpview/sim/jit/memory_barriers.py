"""Change barriers that lie in shared memory, those of sm_90; their fields are those of the reference's module."""

from __future__ import annotations

from warpview.isa.native import BITS_OF_COUNTS, BarrierCounts, SpecialAtomic
from warpview.sim.jit.compile import jit
from warpview.sim.jit.raw import load_i64, load_u32, lowest, store_32, store_64
from warpview.sim.jit.state import ROW32

THREADS_OF_PHASE, BYTES, THREADS, PHASE = 1, 21, 43, 63  # the lowest bits of the fields
MOST_THREADS, MOST_BYTES = (1 << 20) - 1, (1 << 21) - 1
CHECK, COUNT = int(SpecialAtomic.CHECK), int(SpecialAtomic.COUNT)
ARRIVE_AND_EXPECT, ARRIVE_ONCE, EXPECT_ONE, EXPECT, COMPLETE, ARRIVE, COMPLETE_ONE = (int(k) for k in BarrierCounts)


@jit
def added(barrier, low, mask, amount):
    """Return a barrier with a field that is larger by an amount, without a carry."""
    return barrier & ~(mask << low) | ((barrier >> low & mask) + amount & mask) << low


@jit
def changed(barrier, operation, value):
    """Return a barrier after an operation whose register holds a value."""
    counts, leaves = operation & (1 << BITS_OF_COUNTS) - 1, operation >> BITS_OF_COUNTS
    arriving = 1 if counts <= ARRIVE_ONCE else value if counts == ARRIVE else 0
    done = 0
    if counts in (ARRIVE_AND_EXPECT, EXPECT):
        done = -value
    elif counts == EXPECT_ONE:
        done = -1
    elif counts == COMPLETE:
        done = value
    elif counts == COMPLETE_ONE:
        done = 1
    barrier = added(added(barrier, BYTES, MOST_BYTES, done), THREADS, MOST_THREADS, arriving)
    if leaves:
        barrier = added(barrier, THREADS_OF_PHASE, MOST_THREADS, arriving)
    if barrier >> BYTES & MOST_BYTES == 0 and barrier >> THREADS & MOST_THREADS == 0:
        awaited = barrier >> THREADS_OF_PHASE & MOST_THREADS
        barrier = added(barrier, THREADS, MOST_THREADS, awaited) ^ 1 << PHASE
    return barrier


@jit
def execute(w, ins, base, a, lanes):
    """Ask for the phase of the barrier of each lane, or change its counts, or set it; return whether this changes
    memory."""
    differing = 0
    while lanes:
        lane = lowest(lanes)
        address, operand = base + load_i64(a + 8 * lane), w.registers_at + 4 * lane
        old, value = load_i64(address), load_u32(operand + ins.b)
        if ins.extra == CHECK:
            is_over = (old >> PHASE & 1) ^ value >> 31
            if ins.u >= 0:
                store_32(operand + ins.u, is_over)
            w.yields |= 1 - is_over
        elif ins.extra == COUNT:
            store_64(address, changed(old, ins.mod, value))
            if ins.dst >= 0:
                store_32(operand + ins.dst + ROW32, old >> 32)
        else:
            store_64(address, value | load_u32(operand + ins.b + ROW32) << 32)
        differing |= old ^ load_i64(address)
        lanes &= lanes - 1
    return differing != 0
