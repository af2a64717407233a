"""Let the blocks of other multiprocessors change memory while an estimate runs one of them.

What an atomic finds there may decide what a block does next: into a table that the others fill as well, a key goes
after more tries. So where a program reads the results of atomics of global memory, the others are executed as the
profile engine does, those whose turn has come when the followed ones have got as far.

A compare-and-swap fails where others have changed the word since it was read. So where all blocks of such a program run
at once, the others are executed a few instructions at a time, at the pace of the followed ones.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from warpview.isa.ops import ATOMIC_OPS, AtomOp, Op
from warpview.isa.program import NONE, Instruction, Program
from warpview.isa.types import GLOBAL_SPACES
from warpview.sim.jit import machine_code
from warpview.sim.jit.machine import LaunchContext, Machine
from warpview.sim.jit.state import Status
from warpview.sim.raw_counts import Raw

ENOUGH_EXECUTED = 16_000_000  # warp instructions of the other blocks, after which no further one is
CHUNK = 1 << 11  # instructions of the followed blocks between two looks at them
STEP = 4  # instructions of a warp between two looks, where blocks keep pace


def depends_on_others(program: Program) -> bool:
    """Return whether a program reads what atomics of global memory find."""
    return any(_reads_result(instruction) for instruction in program.instructions)


def _reads_result(instruction: Instruction) -> bool:
    is_global = instruction.op in ATOMIC_OPS and instruction.space in GLOBAL_SPACES
    return is_global and instruction.op != Op.RED and instruction.dst != NONE


def swaps(program: Program) -> bool:
    """Return whether a program compares and swaps in global memory."""
    return any(_reads_result(i) and i.mod == AtomOp.CAS for i in program.instructions)


def other_blocks(context: LaunchContext, own: NDArray[np.int64], at_a_time: int) -> OtherBlocks | BlocksAtOnce:
    """Return how the blocks that are not followed are executed; the device runs ``at_a_time`` of the launch."""
    n_blocks = context.launch.n_blocks
    others = np.setdiff1d(np.arange(n_blocks, dtype=np.int64), own)
    if swaps(context.program) and n_blocks <= at_a_time and len(others):
        return BlocksAtOnce(Machine(context, len(others)), others)
    return OtherBlocks(Machine(context), others, min(at_a_time, n_blocks))


class OtherBlocks:
    """Execute the blocks that other multiprocessors run, on a ``machine`` with the memory of the launch."""

    def __init__(self, machine: Machine, others: NDArray[np.int64], at_a_time: int) -> None:
        self._machine, self._half, self._left = machine, at_a_time // 2, others

    def chunk(self, warps: int) -> int:
        """Return how many instructions of the followed blocks, of which ``warps`` live, pass until the next look."""
        return CHUNK

    def follow(self, newest: int, issued: int, warps: int) -> None:
        """Execute the blocks that have had their turn when block ``newest`` has started: half of those that run."""
        count = int(np.searchsorted(self._left, max(newest - self._half, self._half)))
        due, self._left = np.ascontiguousarray(self._left[:count]), self._left[count:]
        if not len(due):
            return
        ran = machine_code.entry("run_blocks")(self._machine.address, due.ctypes.data, len(due))
        if ran != Status.RAN or self._machine.counts[:, Raw.EXECUTED].sum() > ENOUGH_EXECUTED:
            self._left = self._left[:0]


class BlocksAtOnce:
    """Execute the blocks of the other multiprocessors on a ``machine`` that has a slot for each: as far as the mean
    warp of the followed blocks has got, or a step further. Which are ahead changes from look to look, so that each
    block is before some others and behind some, as on a device."""

    def __init__(self, machine: Machine, others: NDArray[np.int64]) -> None:
        self._machine, self._count = machine, len(others)
        for slot, block in enumerate(others):
            address = machine.blocks.ctypes.data + slot * machine.blocks.itemsize
            machine_code.entry("start_block")(machine.address, address, int(block))
        self._issued, self._reached, self._random = 0, 0.0, np.random.default_rng(0)

    def chunk(self, warps: int) -> int:
        """Return how many instructions of the followed blocks, of which ``warps`` live, pass until the next look."""
        return STEP * max(1, warps)

    def follow(self, newest: int, issued: int, warps: int) -> None:
        """Execute the blocks as far as the followed ones have got, which have ``issued`` so many instructions."""
        self._reached += (issued - self._issued) / max(1, warps)
        self._issued = issued
        until = int(self._reached) + STEP * self._random.integers(2, size=self._count)
        machine_code.entry("keep_pace")(self._machine.address, until.ctypes.data, self._count)
        if self._machine.counts[:, Raw.EXECUTED].sum() > ENOUGH_EXECUTED:
            self._count = 0
