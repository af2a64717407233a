"""Estimate how the blocks of the whole device, of which one multiprocessor is simulated, contend for memory's units.

So some waves of blocks are run beforehand, on a copy of memory and for nothing but their addresses. Each engine does
that in its own way, in a ``TrafficOf``; what follows from it is said in ``rules/partition_imbalance.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpview.devices import Device
from warpview.isa.ops import ATOMIC_OPS, Op
from warpview.isa.program import Program
from warpview.isa.types import GLOBAL_SPACES
from warpview.sim.launch import Launch, Options
from warpview.sim.rules.partition_imbalance import LINES_OF_SLICE, partition_imbalance, same_line, sampled_waves

ENOUGH_INSTRUCTIONS = 4_000_000  # warp instructions of the blocks looked at, after which no further one is run


class UnitTraffic(NamedTuple):
    """Count the traffic of some blocks at the units of memory, in 1/1024 sectors: loads and stores int64[instructions,
    partitions], no columns where addresses are hashed; atomics int64[instructions, slices times LINES_OF_SLICE]."""

    partitions: NDArray[np.int64]
    slices: NDArray[np.int64]

    @classmethod
    def none(cls, n_instructions: int, device: Device) -> UnitTraffic:
        """Return no traffic, to be added to."""
        return cls(
            np.zeros((n_instructions, device.memory_partitions), dtype=np.int64),
            np.zeros((n_instructions, device.atomic_units * LINES_OF_SLICE), dtype=np.int64),
        )


TrafficOf = Callable[[range], UnitTraffic]


class Contention(NamedTuple):
    """Hold by instruction, float64[instructions]: ``camping``, how much longer memory takes for its sectors than for
    some that spread evenly over the partitions, and ``pass_cycles``, how long a multiprocessor's share of the atomic
    units takes for a pass of it (0 for what is no atomic). ``mean_camping`` of all sectors, None where addresses are
    hashed. ``same_line`` says how often another atomic at its line is carried out right before one (0 to 1)."""

    camping: NDArray[np.float64]
    pass_cycles: NDArray[np.float64]
    mean_camping: float | None
    same_line: NDArray[np.float64]


def contention_of(program: Program, device: Device, launch: Launch, resident: int, traffic_of: TrafficOf) -> Contention:
    """Estimate how the blocks of the device contend for the units of memory. ``resident`` blocks are on a
    multiprocessor; ``traffic_of`` gives what some blocks have for memory's units."""
    n = len(program.instructions)
    atomics = np.array([i.op in ATOMIC_OPS and i.space in GLOBAL_SPACES for i in program.instructions])
    if not device.memory_partitions and not atomics.any():
        return Contention(np.ones(n), np.zeros(n), None, np.zeros(n))
    waves = sampled_waves(launch.n_blocks, resident * device.multiprocessors)
    busy = [min(1.0, len(wave) / device.multiprocessors) for wave in waves]
    traffic = [traffic_of(wave) for wave in waves]
    even = device.atomic_pass_cycles * device.multiprocessors / device.atomic_units
    lines = [wave.slices[atomics].reshape(-1, device.atomic_units, LINES_OF_SLICE) for wave in traffic]
    pass_cycles, again = np.zeros(n), np.zeros(n)
    if atomics.any():
        slices = [wave.sum(axis=2) for wave in lines]
        pass_cycles[atomics] = even * partition_imbalance(slices, busy).by_instruction
        again[atomics] = same_line(lines)
    if not device.memory_partitions:
        return Contention(np.ones(n), pass_cycles, None, again)
    camping = partition_imbalance([wave.partitions for wave in traffic], busy, _ways_of_stores(program, device))
    return Contention(camping.by_instruction, pass_cycles, camping.mean, again)


def _ways_of_stores(program: Program, device: Device) -> NDArray[np.float64]:
    """Return how long what an instruction sends takes on its way into a memory partition, in times of what the
    partition's memory takes for it: the way of stores is narrow."""
    store_gbps = device.memory_partitions * device.partition_store_bytes * device.core_mhz / 1e3
    sends = np.array([i.op == Op.ST or i.op in ATOMIC_OPS for i in program.instructions])
    return sends * (device.dram_gbps * device.dram_write_efficiency / store_gbps if store_gbps else 0.0)


def share_of_lane(sectors: int, lanes: int) -> int:
    """Return what an access of ``lanes`` lanes moves for one of them, in 1/1024 sectors."""
    return 1024 * sectors // lanes


def sampling_options(options: Options) -> Options:
    """Return the options of the sampled blocks: without checks, and with a step budget that ends loops without an
    end."""
    return replace(options, check=False, step_budget=min(options.step_budget, ENOUGH_INSTRUCTIONS))
