"""Take the bytes of bulk loads through the L2 and DRAM, and tell their barriers when they are there."""

from __future__ import annotations

from warpview.sim.reference.accesses import BlockMemory
from warpview.sim.reference.bulk_load import BulkLoad
from warpview.sim.reference.memory_pipe import MemoryPipe
from warpview.sim.reference.sm_caches import SmCaches
from warpview.sim.rules.bulk import SECTORS_A_PART, slot_of
from warpview.sim.rules.coalescing import SECTOR
from warpview.sim.timing.model import Timing


class BulkLoads:
    """Time the bulk loads of a multiprocessor, one after the other; a load goes in parts of a kilobyte."""

    def __init__(self, timing: Timing, caches: SmCaches, memory: MemoryPipe) -> None:
        self._timing, self._caches, self._memory = timing, caches, memory
        self._free = 0

    def pass_load(self, memory: BlockMemory, pc: int, cycle: int, scheduler: int, warp: int, started: int) -> None:
        """Note when the bytes of the load are there that a warp of a block has issued just now, if it has, at the
        barriers that are told of them; ``warp`` is its number in the grid."""
        load, memory.bulk_load = memory.bulk_load, None
        if load is None or not self._timing.bulk_cycles or not load.size:
            return
        ready = self._arrival(load, pc, cycle, scheduler, warp, started)
        for home, barrier in load.told:
            if home.arrivals is not None:
                home.arrivals[slot_of(barrier)] = barrier, ready

    def _arrival(self, load: BulkLoad, pc: int, cycle: int, scheduler: int, warp: int, started: int) -> int:
        begin, ready, bytes_a_cycle = max(cycle, self._free), 0, self._timing.bulk_bytes
        self._free = begin + max(self._timing.bulk_interval, load.size // bytes_a_cycle)
        sectors = range(load.start // SECTOR, (load.start + load.size - 1) // SECTOR + 1)
        for first in range(0, len(sectors), SECTORS_A_PART):
            part = sectors[first : first + SECTORS_A_PART]
            served = self._caches.fetch_part(part, warp, started, pc, cycle, scheduler)
            filled = self._memory.pass_part(cycle, begin + first * SECTOR // bytes_a_cycle, pc, served)
            self._caches.note_filled(filled)
            ready = max(ready, filled)
        return ready
