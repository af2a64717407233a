"""Count the sectors that a bulk copy moves between an SM and the L2, as Nsight Compute does on an H200.

A copy goes in parts, cut where a line of 128 bytes of shared memory ends; each takes the sectors of global memory that
it touches (tests/sass/data/bulk_h200.json.gz: 91 launches). Reductions go so, too, and copies to another block.
"""

from __future__ import annotations

from warpview.sim.rules.coalescing import LINE, SECTOR

SLOTS = 32  # of barriers
SECTORS_A_PART = 32  # of a load that ask the L2 together, a kilobyte


def sectors_of_copy(shared: int, other: int, size: int) -> int:
    """Return the sectors of a copy of ``size`` bytes between a place in shared memory and another one. The jit compiles
    this text."""
    sectors, done = 0, 0
    while done < size:
        part, first = min(size - done, LINE - (shared + done) % LINE), other + done
        sectors += (first + part - 1) // SECTOR - first // SECTOR + 1
        done += part
    return sectors


def slot_of(barrier: int) -> int:
    """Return where it is noted when bytes arrive that a barrier is told of. The jit compiles this text."""
    return barrier >> 3 & SLOTS - 1
