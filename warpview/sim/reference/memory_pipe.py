"""Time accesses in the shared pipe and the memory queue of a multiprocessor, by the numbers of sim/timing.py."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from warpview.isa.ops import Op
from warpview.isa.program import Program
from warpview.isa.types import Space
from warpview.sim.events import MemoryBusy
from warpview.sim.raw_counts import Raw
from warpview.sim.reference.sm_caches import Served
from warpview.sim.timing import FRACTION, LOAD_WINDOW, MEMORY_QUEUE, MOST_LOAD, SECTOR_BYTES, SHARED_QUEUE, Timing

TRANSACTIONS = (Raw.TRANSACTIONS_32, Raw.TRANSACTIONS_64, Raw.TRANSACTIONS_96, Raw.TRANSACTIONS_128)


class MemoryPipe:
    """Compute when accesses are served. ``shared_free`` is when the shared pipe takes the next one, ``memory_free``
    when the queue to L2 and DRAM does, in 1 / FRACTION cycles."""

    def __init__(self, program: Program, timing: Timing) -> None:
        self.timing = timing
        self._is_store = [instruction.op == Op.ST for instruction in program.instructions]
        self.shared_free = 0
        self.memory_free = 0
        self.dram_sectors = 0
        self.busy = dict.fromkeys(MemoryBusy._fields, 0)
        # How busy memory was in the last window, in 1 / FRACTION; the end of this window, and the work noted in it.
        self.load = self.window_end = self.window_work = 0

    def gate(self, pc: int) -> int:
        """Return from when on the queues that an instruction needs take it."""
        gate = 0
        if self.timing.queues[pc] & SHARED_QUEUE:
            gate = self.shared_free - self.timing.shared_backlog
        if self.timing.queues[pc] & MEMORY_QUEUE:
            gate = max(gate, self.memory_free // FRACTION - self.timing.memory_backlog)
            if self.timing.line_busy:
                gate = max(gate, self.shared_free - self.timing.shared_backlog)
        return gate

    def access(self, cycle: int, pc: int, added: NDArray[np.int64], served: Served) -> tuple[int, int]:
        """Send an access through the shared pipe and the memory queue; returns when its result is there, and when its
        sources have been read."""
        timing, result, start = self.timing, cycle, cycle
        wavefronts, ideal = int(added[Raw.WAVEFRONTS]), int(added[Raw.IDEAL_WAVEFRONTS])
        if wavefronts:
            constant = timing.space[pc] == Space.CONST
            again, passes = wavefronts - ideal, timing.shared_slot * (-(-ideal // timing.ideal_passes) - 1)
            start = max(cycle, self.shared_free)
            busy = again * (timing.constant_pass if constant else timing.wavefront_busy)
            self.shared_free = start + timing.shared_slot + passes + busy
            self.busy["shared"] += timing.shared_slot + passes + busy
            further = again * (timing.constant_pass if constant else timing.wavefront) + passes
            result = start + further + (timing.constant_latency if constant else timing.shared_latency)
        transactions = int(added[list(TRANSACTIONS)].sum())
        if transactions:
            start = max(cycle, self.shared_free)
            if timing.coalesced:
                served, transactions = _coalesced(served, transactions, int(added[Raw.BYTES_REQUESTED]))
            by_lines = served.lines and timing.line_busy
            busy = max(timing.shared_slot, served.lines * timing.line_busy if by_lines else transactions)
            self.shared_free = start + busy
            self.busy["l1"] += busy
            self.dram_sectors += served.dram
            for_dram, sector = served.dram * int(timing.sector_cost[pc]), int(timing.l2_cost[pc])
            is_store = self._is_store[pc]
            if is_store and added[Raw.BYTES_REQUESTED] < SECTOR_BYTES * served.from_l2:
                sector = max(sector, timing.partial_cost)
            for_l2, for_atomics = served.from_l2 * sector, int(added[Raw.SECTORS]) * int(timing.pass_cost[pc])
            cost = max(for_dram, for_l2) + for_atomics
            self.busy["l2"] += for_l2
            self.busy["dram"] += for_dram
            self.busy["atomics"] += for_atomics
            if timing.dram_queue:
                self._note_load(cycle, for_dram)
            served_at = start + busy - timing.shared_slot
            if cost:
                self.memory_free = max(start * FRACTION, self.memory_free) + cost
                served_at = max(served_at, -(-self.memory_free // FRACTION))
            result = max(result, served_at + self._latency(served))
        return result, start + timing.reads_sources

    def _note_load(self, cycle: int, work: int) -> None:
        """Count what an access takes of memory's time, by windows."""
        if cycle >= self.window_end:
            idle = cycle >= self.window_end + LOAD_WINDOW
            self.load = 0 if idle else min(self.window_work // LOAD_WINDOW, MOST_LOAD)
            self.window_end, self.window_work = cycle + LOAD_WINDOW, 0
        self.window_work += work

    def _latency(self, served: Served) -> int:
        """Return the latency of the last memory or cache that an access needs."""
        if served.far:
            return self.timing.global_latency + self.timing.dram_queue * self.load // (FRACTION - self.load)
        return self.timing.l2_latency if served.from_l2 else self.timing.l1_latency


def _coalesced(served: Served, transactions: int, requested: int) -> tuple[Served, int]:
    """Return lines, sectors and transactions of an access to as many bytes in a row."""
    sectors = -(-requested // SECTOR_BYTES)
    lines = min(served.lines, -(-sectors // 4))
    fewer = served._replace(lines=lines, from_l2=min(served.from_l2, sectors), dram=min(served.dram, sectors))
    return fewer, min(transactions, sectors)
