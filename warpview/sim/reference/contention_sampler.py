"""Run some blocks only to see which units of memory they address: the readable counterpart of the jitted sampler."""

from __future__ import annotations

import numpy as np

from warpview.devices import Device
from warpview.isa.program import Program
from warpview.sim.launch import Launch, Options
from warpview.sim.memory import DeviceMemory
from warpview.sim.raw_counts import N_RAW, Raw
from warpview.sim.reference.block import ThreadBlock
from warpview.sim.reference.memory import FindingLog, GlobalSegment
from warpview.sim.timing.contention import ENOUGH_INSTRUCTIONS, UnitTraffic, sampling_options


class ReferenceContentionSampler:
    """Run the blocks in a copy of memory."""

    def __init__(
        self, program: Program, device: Device, launch: Launch, memory: DeviceMemory, options: Options
    ) -> None:
        self._program, self._device, self._launch = program, device, launch
        self._options, self._segment = sampling_options(options), GlobalSegment(memory.copy())
        self._counts = np.zeros((len(program.instructions), N_RAW), dtype=np.int64)

    def traffic(self, blocks: range) -> UnitTraffic:
        """Run the blocks and return what they have for each unit. Ends early where a block is aborted, or where enough
        was seen."""
        traffic = UnitTraffic.none(len(self._counts), self._device)
        for index in blocks:
            if self._counts[:, Raw.EXECUTED].sum() >= ENOUGH_INSTRUCTIONS:
                break
            block = ThreadBlock(
                self._program, self._device, self._launch, self._options, index, self._segment, self._counts,
                FindingLog(), traffic,
            )  # fmt: skip
            if not block.run() or block.waits_for_cluster:
                break
        return traffic
