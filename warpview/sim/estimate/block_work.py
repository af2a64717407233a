"""Find the multiprocessor that is the last to end, and its blocks, where the blocks of a launch differ in what they do.

A launch takes as long as its slowest multiprocessor. One that has less to do gets more blocks; what is left then is the
last blocks that run.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from heapq import heapify, heappop, heappush

import numpy as np

from warpview.devices import Device
from warpview.isa.program import Program
from warpview.sim.jit import machine_code
from warpview.sim.jit.machine import Machine
from warpview.sim.jit.state import Status
from warpview.sim.launch import Launch, Options
from warpview.sim.memory import DeviceMemory
from warpview.sim.raw_counts import Raw
from warpview.sim.timing.contention_sampler import sampling_machine

LOOKED_AT = 12  # blocks, from all over the launch
APART = 0.6180339887498949  # part of the launch from one of them to the next, beyond its end from the start again
ALIKE = 0.05  # part by which the work of blocks differs that are taken to do the same, or that of multiprocessors
ENOUGH_COUNTED = 16_000_000  # warp instructions of the blocks counted, after which no further one is
SLACK = 1.2  # by which the instructions of all blocks may be more than those looked at say

WorkOf = Callable[[int], int | None]


class BlockWork:
    """Count the warp instructions of single blocks, which are run in a copy of memory."""

    def __init__(
        self, program: Program, device: Device, launch: Launch, memory: DeviceMemory, options: Options
    ) -> None:
        self._given = (program, device, launch, memory, options)
        self._machine: Machine | None = None
        self._counted = 0  # instructions of all blocks so far

    def of(self, block: int) -> int | None:
        """Return the instructions of a block; 0 where it was aborted, None where enough have been counted."""
        machine = self._machine = self._machine or sampling_machine(*self._given)
        before = self._counted
        if before >= ENOUGH_COUNTED:
            return None
        one = np.array([block], dtype=np.int64)
        status = machine_code.entry("run_blocks")(machine.address, one.ctypes.data, 1)
        self._counted = int(machine.counts[:, Raw.EXECUTED].sum())
        return self._counted - before if status == Status.RAN else 0


def slowest_blocks(work_of: WorkOf, device: Device, n_blocks: int, resident: int) -> list[int]:
    """Return the blocks of the multiprocessor that ends last; none where blocks do the same, or where it
    ends with the first one and the mean of all."""
    places = sorted({int(k * APART % 1 * n_blocks) for k in range(LOOKED_AT)})
    known = {block: work_of(block) for block in places}
    seen = [work for work in known.values() if work]
    if len(seen) < 2 or min(seen) >= (1 - ALIKE) * max(seen):
        return []
    # Of many blocks some are counted, and those between them are taken to lie between.
    left = ENOUGH_COUNTED - sum(seen)
    step = max(1, math.ceil(SLACK * float(np.mean(seen)) * n_blocks / max(left, 1)))
    counted = sorted({*known, *range(0, n_blocks, step)}) if left > 0 else []
    work = {block: known[block] if block in known else work_of(block) for block in _from_all_over(counted)}
    found = {block: done for block, done in sorted(work.items()) if done is not None}
    if not found or 0 in found.values():
        return []
    every = np.interp(range(n_blocks), list(found), list(found.values()))
    blocks, ends = dealt(every.tolist(), device.multiprocessors, resident)
    last = int(np.argmax(ends))
    return blocks[last] if ends[last] > (1 + ALIKE) * min(ends[0], float(np.mean(ends))) else []


def _from_all_over(blocks: list[int]) -> list[int]:
    """Return blocks in an order in which any number of the first ones are from all over the launch, should no more be
    counted."""
    return [block for _, block in sorted((k * APART % 1, block) for k, block in enumerate(blocks))]


def dealt(work: list[float], multiprocessors: int, resident: int) -> tuple[list[list[int]], list[float]]:
    """Return the blocks that each multiprocessor gets, and when it ends, if all do as much in a unit of time, for each
    of their blocks the same."""
    blocks: list[list[int]] = [[] for _ in range(multiprocessors)]
    # Of each block present, what its multiprocessor will have done for every block when that one ends.
    present: list[list[float]] = [[] for _ in range(multiprocessors)]
    done, ends, following = [0.0] * multiprocessors, [0.0] * multiprocessors, 0

    def start(place: int) -> None:
        nonlocal following
        if following < len(work):
            heappush(present[place], done[place] + work[following])
            blocks[place].append(following)
            following += 1

    for _ in range(resident):
        for place in range(multiprocessors):
            start(place)
    due = [(each[0] * len(each), place) for place, each in enumerate(present) if each]
    heapify(due)
    while due:
        ends_at, place = heappop(due)
        done[place], ends[place] = heappop(present[place]), ends_at
        start(place)
        if each := present[place]:
            heappush(due, (ends_at + (each[0] - done[place]) * len(each), place))
    return blocks, ends
