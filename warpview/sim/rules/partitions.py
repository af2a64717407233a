"""Memory partitions of G80 and GT200, across which addresses are striped: when all accesses meet in one ("camping").

The blocks that are on the device at once run in step, more or less: what matters is how the addresses that one
instruction has in all of them spread over the partitions (G. Ruetsch, P. Micikevicius, "Optimizing Matrix Transpose in
CUDA"). Later devices hash the address, and traffic is even.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from warpview.devices import Device

STRIPE = 256  # bytes
WAVES_LOOKED_AT = 3


def partition_of(address: int, device: Device) -> int | None:
    """The partition that holds an address; None where the device hashes addresses (CC 2.0 and later)."""
    return address // STRIPE % device.memory_partitions if device.memory_partitions else None


def sampled_waves(n_blocks: int, at_once: int) -> list[range]:
    """Some of the waves of ``at_once`` blocks in which a launch runs: blocks are handed out by their number."""
    starts = range(0, n_blocks, at_once)
    chosen = sorted({round(k) for k in np.linspace(0, len(starts) - 1, min(WAVES_LOOKED_AT, len(starts)))})
    return [range(starts[k], min(n_blocks, starts[k] + at_once)) for k in chosen]


def camping(waves: Sequence[NDArray[np.int64]], busy: Sequence[float]) -> NDArray[np.float64]:
    """float64[instructions]: how much longer memory takes for an instruction's accesses than for evenly spread ones.

    ``waves`` are int64[instructions, partitions], the accesses of each wave by partition, ``busy`` the part (0 to 1) of
    the device's multiprocessors that has a block of the wave. The busiest partition decides; where few multiprocessors
    ask, each has a larger share of a partition's bandwidth.
    """
    weighted = np.zeros(len(waves[0]))
    accesses = np.zeros(len(waves[0]), dtype=np.int64)
    for loads, part in zip(waves, busy, strict=True):
        weighted += np.maximum(loads.sum(axis=1), loads.max(axis=1) * loads.shape[1] * part)
        accesses += loads.sum(axis=1)
    return np.divide(weighted, accesses, out=np.ones(len(weighted)), where=accesses > 0)
