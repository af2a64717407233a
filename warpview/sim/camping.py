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
from warpview.sim.launch import Launch, Options
from warpview.sim.rules.partitions import Camping, camping, sampled_waves

ENOUGH_INSTRUCTIONS = 4_000_000  # warp instructions of the blocks looked at, after which no further one is run
LoadsOf = Callable[[range], NDArray[np.int64]]


def camping_of(program: Program, device: Device, launch: Launch, resident: int, loads_of: LoadsOf) -> Camping:
    """How much memory is slowed down; 1 throughout on devices that hash addresses.

    ``resident`` blocks are on a multiprocessor; ``loads_of`` gives int64[instructions, partitions], what some blocks
    move in each partition (``share_of_lane`` for each lane).
    """
    if not device.memory_partitions:
        return Camping(np.ones(len(program.instructions)), None)
    waves = sampled_waves(launch.n_blocks, resident * device.multiprocessors)
    busy = [min(1.0, len(wave) / device.multiprocessors) for wave in waves]
    return camping([loads_of(wave) for wave in waves], busy)


def share_of_lane(sectors: int, lanes: int) -> int:
    """What an access of ``lanes`` lanes moves for one of them, in 1/1024 sectors."""
    return 1024 * sectors // lanes


def sampling_options(options: Options) -> Options:
    """How the blocks are run: without checks, and none for ever."""
    return replace(options, check=False, step_budget=min(options.step_budget, ENOUGH_INSTRUCTIONS))
