"""Let the blocks of other multiprocessors change memory while an estimate runs one of them.

What an atomic finds there may decide what a block does next: into a table that the others fill as well, a key goes
after more tries. So where a program reads the results of atomics of global memory, the others are executed as the
profile engine does, those whose turn has come when the followed ones have got as far.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from warpview.isa.ops import ATOMIC_OPS, Op
from warpview.isa.program import NONE, Instruction, Program
from warpview.isa.types import GLOBAL_SPACES
from warpview.sim.jit import machine_code
from warpview.sim.jit.machine import Machine
from warpview.sim.jit.state import Status
from warpview.sim.raw_counts import Raw

ENOUGH_EXECUTED = 16_000_000  # warp instructions of the other blocks, after which no further one is
CHUNK = 1 << 11  # instructions of the followed blocks between two looks at them


def depends_on_others(program: Program) -> bool:
    """Return whether a program reads what atomics of global memory find."""
    return any(_reads_result(instruction) for instruction in program.instructions)


def _reads_result(instruction: Instruction) -> bool:
    is_global = instruction.op in ATOMIC_OPS and instruction.space in GLOBAL_SPACES
    return is_global and instruction.op != Op.RED and instruction.dst != NONE


class OtherBlocks:
    """Execute the blocks that other multiprocessors run, on a ``machine`` with the memory of the launch."""

    def __init__(self, machine: Machine, n_blocks: int, own: NDArray[np.int64], at_a_time: int) -> None:
        self._machine, self._half = machine, min(at_a_time, n_blocks) // 2
        self._left = np.setdiff1d(np.arange(n_blocks, dtype=np.int64), own)

    def follow(self, newest: int) -> None:
        """Execute the blocks that have had their turn when block ``newest`` has started: half of those that run."""
        count = int(np.searchsorted(self._left, max(newest - self._half, self._half)))
        due, self._left = np.ascontiguousarray(self._left[:count]), self._left[count:]
        if not len(due):
            return
        ran = machine_code.entry("run_blocks")(self._machine.address, due.ctypes.data, len(due))
        if ran != Status.RAN or self._machine.counts[:, Raw.EXECUTED].sum() > ENOUGH_EXECUTED:
            self._left = self._left[:0]
