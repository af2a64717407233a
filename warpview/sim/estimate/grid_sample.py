"""Look at the blocks of a whole launch for what all estimates of its time have in common.

Blocks are executed in a copy of memory: what they do depends on no cost of the timing model. Which multiprocessor ends
last and how blocks contend for memory is found once for each number of resident blocks.
"""

from __future__ import annotations

from functools import lru_cache

from warpview.devices import Device
from warpview.isa.program import Program
from warpview.sim.estimate.block_work import BlockWork, slowest_blocks
from warpview.sim.launch import Launch, Options
from warpview.sim.memory import DeviceMemory
from warpview.sim.timing.contention import Contention, contention_of
from warpview.sim.timing.contention_sampler import ContentionSampler


class GridSample:
    """Sample the blocks of a launch; ``memory`` is that before the launch as long as there is a first look to come."""

    def __init__(
        self, program: Program, device: Device, launch: Launch, memory: DeviceMemory, options: Options
    ) -> None:
        self._given = (program, device, launch, memory, options)
        work_of = lru_cache(maxsize=None)(BlockWork(*self._given).of)
        self.slowest = lru_cache(lambda resident: slowest_blocks(work_of, device, launch.n_blocks, resident))
        self.contention = lru_cache(self._contention)

    def _contention(self, resident: int) -> Contention:
        program, device, launch, *_ = self._given
        return contention_of(program, device, launch, resident, ContentionSampler(*self._given).traffic)
