"""Compute the part of the L2 that belongs to a multiprocessor which is simulated alone.

All multiprocessors together read each sector of an allocation from memory once, as long as the L2 holds it. So each
brings in its share of the allocation; what it misses beyond that, another one brought in. Stores stay in the L2 until
they fill the part of it that may differ from memory.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from warpview.devices import Device
from warpview.sim.memory import DeviceMemory
from warpview.sim.rules.coalescing import SECTOR


def shares_of(device: Device, memory: DeviceMemory, n_blocks: int) -> NDArray[np.int64]:
    """Return for each allocation its first sector, the one behind its last, and how many of them a multiprocessor
    brings in: int64[allocations, 3]."""
    busy = max(1, min(n_blocks, device.multiprocessors))
    bases, ends = memory.bounds()
    first, end = bases // SECTOR, -(-ends // SECTOR)
    return np.ascontiguousarray(np.stack([first, end, -(-(end - first) // busy)], axis=1), dtype=np.int64)


def stores_held(device: Device, n_blocks: int) -> int:
    """Return how many sectors a multiprocessor stores before the L2 has to write some to memory."""
    busy = max(1, min(n_blocks, device.multiprocessors))
    return int(device.l2.bytes * device.l2_dirty_part / SECTOR / busy) if device.l2 is not None else 0
