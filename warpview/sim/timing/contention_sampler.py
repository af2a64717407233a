"""Run some blocks only to see which units of memory they address; see contention.py."""

from __future__ import annotations

import numpy as np

from warpview.devices import Device
from warpview.isa.program import Program
from warpview.sim.jit import machine_code
from warpview.sim.jit.machine import LaunchContext, Machine
from warpview.sim.jit.state import Status
from warpview.sim.launch import Launch, Options
from warpview.sim.memory import DeviceMemory
from warpview.sim.raw_counts import Raw
from warpview.sim.timing.contention import ENOUGH_INSTRUCTIONS, UnitTraffic, sampling_options


def sampling_machine(
    program: Program, device: Device, launch: Launch, memory: DeviceMemory, options: Options
) -> Machine:  # fmt: skip
    """Return a machine that runs single blocks of a launch in a copy of its memory."""
    machine_code.load()
    return Machine(LaunchContext.of(program, device, launch, memory.copy(), sampling_options(options)))


class ContentionSampler:
    """Run some blocks on a machine with a copy of memory. It is made at its first use: most devices have no need of
    it."""

    def __init__(
        self, program: Program, device: Device, launch: Launch, memory: DeviceMemory, options: Options
    ) -> None:
        self._given = (program, device, launch, memory, options)
        self._machine: Machine | None = None

    def traffic(self, blocks: range) -> UnitTraffic:
        """Run the blocks and return what they have for each unit. Ends early where a block is aborted, or where enough
        was seen."""
        machine = self._machine = self._machine or sampling_machine(*self._given)
        traffic, run = UnitTraffic.none(len(machine.counts), machine.common.device), machine_code.entry("run_blocks")
        for name, table in traffic._asdict().items():
            machine.record[name], machine.record[f"{name}_at"] = table.shape[1], table.ctypes.data
        for block in blocks:
            if machine.counts[:, Raw.EXECUTED].sum() >= ENOUGH_INSTRUCTIONS:
                break
            one = np.array([block], dtype=np.int64)
            if run(machine.address, one.ctypes.data, 1) != Status.RAN:
                break
        return traffic
