"""Compute the part of the L2 that belongs to a multiprocessor which is simulated alone.

All multiprocessors together read each sector of an allocation from memory once, as long as the L2 holds it. So each
brings in its share of the allocation; what it misses beyond that, another one brought in: at the same time where all
run the same instructions over the same data, before where an instruction is first executed when the share is in.
Stores stay in the L2 until
they fill the part of it that may differ from memory.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from warpview.devices import Device
from warpview.sim.memory import DeviceMemory
from warpview.sim.rules.coalescing import SECTOR
from warpview.sim.timing import NEVER


def shares_of(device: Device, memory: DeviceMemory, n_blocks: int, part: float = 1.0) -> NDArray[np.int64]:
    """Return for each allocation its first sector, the one behind its last, and how many of them a multiprocessor
    brings in, of which a ``part`` falls to the blocks that are run; and the cycle from which on it has brought them in,
    NEVER at first: int64[allocations, 4]."""
    busy = max(1, min(n_blocks, device.multiprocessors))
    bases, ends = memory.bounds()
    first, end = bases // SECTOR, -(-ends // SECTOR)
    brought = np.ceil(part * -(-(end - first) // busy)).astype(np.int64)
    shares = [first, end, brought, np.full(len(first), NEVER)]
    return np.ascontiguousarray(np.stack(shares, axis=1), dtype=np.int64)


def stores_held(device: Device, n_blocks: int, part: float = 1.0) -> int:
    """Return how many sectors a multiprocessor stores before the L2 has to write some to memory; where only a ``part``
    of its blocks is run, these have the same part of the room."""
    busy = max(1, min(n_blocks, device.multiprocessors))
    return int(part * device.l2.bytes * device.l2_dirty_part / SECTOR / busy) if device.l2 is not None else 0
