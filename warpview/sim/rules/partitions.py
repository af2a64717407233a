"""Memory partitions of G80 and GT200, across which addresses are striped: when all accesses meet in one ("camping").

The blocks that are on the device at once, a wave, run in step, more or less: it takes as long as its busiest partition
takes to move its share (G. Ruetsch, P. Micikevicius, "Optimizing Matrix Transpose in CUDA"). Later devices hash the
address, and traffic is even.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

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


class Camping(NamedTuple):
    """How much longer memory takes than for accesses spread evenly: of each instruction, float64[instructions], and
    of all that is moved; None where nothing is, or where addresses are hashed."""

    by_instruction: NDArray[np.float64]
    mean: float | None


def camping(waves: Sequence[NDArray[np.int64]], busy: Sequence[float]) -> Camping:
    """How the accesses of some waves crowd.

    ``waves`` are int64[instructions, partitions], what each wave moves, ``busy`` the part (0 to 1) of the device's
    multiprocessors that has a block of the wave: where few ask, each has a larger share of a partition's bandwidth.
    """
    time = np.zeros(len(waves[0]))
    moved = np.zeros(len(waves[0]), dtype=np.int64)
    for loads, part in zip(waves, busy, strict=True):
        time += loads.sum(axis=1) + _delays(loads, part)
        moved += loads.sum(axis=1)
    by_instruction = np.divide(time, moved, out=np.ones(len(time)), where=moved > 0)
    return Camping(by_instruction, float(time.sum() / moved.sum()) if moved.any() else None)


def _delays(loads: NDArray[np.int64], busy: float) -> NDArray[np.float64]:
    """What the busiest partition of a wave adds, by instruction: to each in proportion to what it would be alone.
    (Several that crowd on different partitions get in nobody's way.)"""

    def delay(of: NDArray[np.int64]) -> NDArray[np.float64]:
        late = of.max(axis=-1) * of.shape[-1] * busy - of.sum(axis=-1)
        return np.asarray(np.maximum(0.0, late))

    alone, together = delay(loads), delay(loads.sum(axis=0))
    return alone * (together / alone.sum()) if together else np.zeros(len(loads))
