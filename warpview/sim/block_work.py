"""Find the multiprocessor whose blocks have most to do, where all blocks of a launch run at once.

Such a launch takes as long as its slowest multiprocessor. In a longer one those that have less to do get more blocks,
and one stands for all.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from warpview.devices import Device
from warpview.isa.program import Program
from warpview.sim.contention import ENOUGH_INSTRUCTIONS
from warpview.sim.contention_sampler import sampling_machine
from warpview.sim.jit import machine_code
from warpview.sim.jit.machine import Machine
from warpview.sim.jit.state import Status
from warpview.sim.launch import Launch, Options
from warpview.sim.memory import DeviceMemory
from warpview.sim.raw_counts import Raw

LOOKED_AT = 5  # blocks, from all over the launch
ALIKE = 0.05  # part by which the work of blocks differs that are taken to do the same

WorkOf = Callable[[int], int]


class BlockWork:
    """Count the warp instructions of single blocks, which are run in a copy of memory."""

    def __init__(
        self, program: Program, device: Device, launch: Launch, memory: DeviceMemory, options: Options
    ) -> None:
        self._given = (program, device, launch, memory, options)
        self._machine: Machine | None = None

    def of(self, block: int) -> int:
        """Return the instructions of a block; 0 where it was aborted, or where enough have been counted."""
        machine = self._machine = self._machine or sampling_machine(*self._given)
        before = int(machine.counts[:, Raw.EXECUTED].sum())
        if before >= ENOUGH_INSTRUCTIONS:
            return 0
        one = np.array([block], dtype=np.int64)
        if machine_code.entry("run_blocks")(machine.address, one.ctypes.data, 1) != Status.RAN:
            return 0
        return int(machine.counts[:, Raw.EXECUTED].sum()) - before


def busiest_multiprocessor(work_of: WorkOf, device: Device, n_blocks: int, resident: int) -> int:
    """Return the multiprocessor that has most to do: 0 where blocks do the same, or where not all run at once."""
    if n_blocks == 1 or n_blocks > resident * device.multiprocessors:
        return 0
    places = sorted({round(k) for k in np.linspace(0, n_blocks - 1, LOOKED_AT)})
    known = {block: work_of(block) for block in places}
    if min(known.values()) >= (1 - ALIKE) * max(known.values()):
        return 0
    work = [known[block] if block in known else work_of(block) for block in range(n_blocks)]
    if 0 in work:
        return 0
    return int(
        np.argmax([sum(work[k :: device.multiprocessors]) for k in range(min(n_blocks, device.multiprocessors))])
    )
