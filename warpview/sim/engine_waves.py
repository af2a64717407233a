"""Runs blocks for nothing but the memory partitions that they address; see camping.py."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from warpview.devices import Device
from warpview.isa.program import Program
from warpview.sim.camping import ENOUGH_INSTRUCTIONS, sampling_options
from warpview.sim.jit import compile as jit
from warpview.sim.jit.machine import Machine, Shared
from warpview.sim.jit.profile import run_blocks
from warpview.sim.jit.state import Status
from warpview.sim.launch import Launch, Options
from warpview.sim.layout import Raw
from warpview.sim.memory import DeviceMemory


class Sampler:
    """A machine with a copy of memory. It is made at its first use: most devices have no need of it."""

    def __init__(
        self, program: Program, device: Device, launch: Launch, memory: DeviceMemory, options: Options
    ) -> None:
        self._given = (program, device, launch, memory, options)
        self._machine: Machine | None = None

    def loads(self, blocks: range) -> NDArray[np.int64]:
        """int64[instructions, partitions]: what the blocks move in each partition, in 1/1024 sectors. Ends early
        where a block is aborted, or where enough was seen."""
        machine = self._machine = self._machine or self._make()
        run, partitions = jit.entry(run_blocks), machine.common.device.memory_partitions
        loads = np.zeros((len(machine.counts), partitions), dtype=np.int64)
        machine.record["partitions"], machine.record["partition_loads_at"] = partitions, loads.ctypes.data
        for block in blocks:
            if machine.counts[:, Raw.EXECUTED].sum() >= ENOUGH_INSTRUCTIONS:
                break
            one = np.array([block], dtype=np.int64)
            if run(machine.address, one.ctypes.data, 1) != Status.RAN:
                break
        return loads

    def _make(self) -> Machine:
        program, device, launch, memory, options = self._given
        return Machine(Shared.of(program, device, launch, memory.copy(), sampling_options(options)))
