"""Compute the part of the L2 that belongs to a multiprocessor which is simulated alone.

All multiprocessors together read each sector of an allocation from memory once, as long as the L2 holds it. So each
brings in its share of the allocation; what it misses beyond that, another one brought in: at the same time where all
run the same instructions over the same data, before where an instruction is first executed when the share is in. After
the first wave of blocks it has brought in no more than its share of what all can have reached: of the sectors between
the first and the last that it has missed, and as many behind as from one of its blocks to the next, or of as large a
part of all as that of its blocks which have started. It stores to its share of an allocation first, and another one to
the rest. Stores stay in the L2 until they fill the part of it that may differ from memory.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpview.devices import Device
from warpview.sim.memory import DeviceMemory
from warpview.sim.rules.coalescing import SECTOR
from warpview.sim.timing.model import NEVER


class StoresHeld(NamedTuple):
    """Hold how many sectors a multiprocessor stores before the L2 has to write some to memory: of stores ``alone``;
    of ``mixed`` sectors, read or stored, of which the stored ones count; and, where they are stored in ``part``, those
    of whole lines."""

    alone: int
    mixed: int
    part: int


def shares_of(device: Device, memory: DeviceMemory, n_busy: int, part: float = 1.0) -> NDArray[np.int64]:
    """Return for each allocation its first sector, the one behind its last, and how many of them a multiprocessor
    brings in, of which a ``part`` falls to the blocks that are run; and the cycle from which on it has brought them in,
    NEVER at first; and how many it is the first to store to; and the first and the last sector that it has missed; and
    how many it brings in altogether: int64[allocations, 8]."""
    busy = max(1, min(n_busy, device.multiprocessors))
    bases, ends = memory.bounds()
    first, end = bases // SECTOR, -(-ends // SECTOR)
    brought = np.ceil(part * -(-(end - first) // busy)).astype(np.int64)
    shares = [first, end, brought, np.full(len(first), NEVER), brought, end, first, brought]
    return np.ascontiguousarray(np.stack(shares, axis=1), dtype=np.int64)


def stores_held(device: Device, n_busy: int, part: float = 1.0) -> StoresHeld:
    """Return what a multiprocessor stores before the L2 has to write some to memory; where only a ``part`` of its
    blocks is run, these have the same part of the room."""
    if device.l2 is None:
        return StoresHeld(0, 0, 0)
    whole = part * device.l2.bytes / SECTOR / max(1, min(n_busy, device.multiprocessors))
    parts = (device.l2_dirty_part, device.l2_recent_part, device.l2_partial_part)
    return StoresHeld(*(int(whole * each) for each in parts))
