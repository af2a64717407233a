"""How much memory is slowed down where the blocks that are on a device at once meet in few memory partitions.

A multiprocessor that is simulated alone does not see it. So some waves of blocks are run beforehand, on a copy of
memory and for nothing but their addresses; each engine does that in its own way, in ``loads_of``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from warpview.devices import Device
from warpview.isa.program import Program
from warpview.isa.types import Space
from warpview.sim.launch import Launch, Options
from warpview.sim.layout import Raw
from warpview.sim.rules.partitions import camping, sampled_waves

ENOUGH_INSTRUCTIONS = 4_000_000  # warp instructions of the blocks looked at, after which no further one is run
LoadsOf = Callable[[range], NDArray[np.int64]]


def camping_by_instruction(
    program: Program, device: Device, launch: Launch, resident: int, loads_of: LoadsOf
) -> NDArray[np.float64]:
    """float64[instructions]: how much longer memory takes than for accesses spread evenly; 1 on all devices that hash
    addresses. ``resident`` blocks are on a multiprocessor; ``loads_of`` gives int64[instructions, partitions], the
    lanes of some blocks that had an address in each partition."""
    if not device.memory_partitions:
        return np.ones(len(program.instructions))
    waves = sampled_waves(launch.n_blocks, resident * device.multiprocessors)
    busy = [min(1.0, len(wave) / device.multiprocessors) for wave in waves]
    return camping([loads_of(wave) for wave in waves], busy)


def sampling_options(options: Options) -> Options:
    """How the blocks are run: without checks, and none for ever."""
    return replace(options, check=False, step_budget=min(options.step_budget, ENOUGH_INSTRUCTIONS))


def mean_camping(
    program: Program, device: Device, counts: NDArray[np.int64], by_instruction: NDArray[np.float64]
) -> float | None:
    """The mean over all sectors of global memory; None without any, or where addresses are hashed."""
    ours = [i.space in (Space.GLOBAL, Space.GENERIC) for i in program.instructions]
    sectors = counts[:, Raw.SECTORS] * np.array(ours)
    moved = sectors.sum()
    return float((sectors * by_instruction).sum() / moved) if moved and device.memory_partitions else None
