"""Look at the blocks of a whole launch for what all estimates of its time have in common.

Blocks are executed in a copy of memory: what they do depends on no cost of the timing model. Which multiprocessor ends
last and how blocks contend for memory is found once for each number of resident blocks.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

from warpview.devices import Device
from warpview.isa.program import Program
from warpview.sim.estimate.block_work import BlockWork, slowest_blocks
from warpview.sim.estimate.grid_barriers import WrittenOut, with_word, write_out
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

    @cached_property
    def written_out(self) -> tuple[WrittenOut, GridSample]:
        """Return the program and the launch with barriers of the grid written out, and the sample of their blocks."""
        program, device, launch, memory, options = self._given
        parts = write_out(program, launch, memory)
        return parts, GridSample(parts.program, device, parts.launch, with_word(memory), options)

    def _contention(self, resident: int) -> Contention:
        program, device, launch, *_ = self._given
        return contention_of(program, device, launch, resident, ContentionSampler(*self._given).traffic)
