"""Find the allocations that a kernel may store to, by the parameters that its store addresses are computed from.

Loads of memory that nobody stores to cannot race, so that the race check need not note them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from warpview.isa.ops import ATOMIC_OPS, MEMORY_OPS, Op
from warpview.isa.program import NONE, Program
from warpview.isa.types import GLOBAL_SPACES
from warpview.sim.checks.intervals import successors
from warpview.sim.launch import Launch
from warpview.sim.memory import DeviceMemory

STORES = ATOMIC_OPS | {Op.ST}


class _Origins:
    """Find the uniform rows that the values of 64-bit rows are computed from, followed back through the program. Where
    a pointer comes from memory its origin is -1."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._before: list[list[int]] = [[] for _ in range(len(program.instructions) + 1)]
        for pc in range(len(program.instructions)):
            for following in successors(program, pc):
                self._before[following].append(pc)

    def of(self, pc: int, row: int) -> set[int]:
        """Return the origins of a row as the instruction at ``pc`` reads it."""
        found: set[int] = set()
        seen: set[tuple[int, int]] = set()
        waiting = [(pc, row)]
        while waiting:
            at, wanted = waiting.pop()
            if wanted < self._program.first_virtual64:
                found.add(wanted)
                continue
            for before in self._before[at]:
                if (before, wanted) not in seen:
                    seen.add((before, wanted))
                    waiting += self._step(before, wanted, found)
        return found

    def _step(self, pc: int, row: int, found: set[int]) -> list[tuple[int, int]]:
        """Return the rows that a row's value comes from when the instruction at ``pc`` has been executed."""
        instruction = self._program.instructions[pc]
        type_ = instruction.dst_type
        vec = instruction.vec if instruction.op in MEMORY_OPS else 1
        if type_ is None or not type_.is_wide or not instruction.dst <= row < instruction.dst + vec:
            return [(pc, row)]
        kept = [] if instruction.guard == NONE else [(pc, row)]
        if instruction.op in MEMORY_OPS:
            found.add(-1)
            return kept
        sources = zip(instruction.srcs, instruction.src_types, strict=True)
        return [*kept, *((pc, source) for source, type_ in sources if type_.is_wide)]


def stored_allocations(program: Program, launch: Launch, memory: DeviceMemory) -> NDArray[np.bool_]:
    """Return bool[allocations]: whether the kernel may store to each, if its addresses stay within the buffers that
    they begin in."""
    stores = [(pc, i) for pc, i in enumerate(program.instructions) if i.op in STORES and i.space in GLOBAL_SPACES]
    origins, rows = _Origins(program), set[int]()
    for pc, store in stores:
        rows |= origins.of(pc, store.srcs[0]) or {-1}
    if -1 in rows:
        return np.ones(len(memory.allocations), dtype=np.bool_)
    bases = [int(launch.uniform64[row]) for row in rows]
    stored = [any(a.base <= base <= a.end for base in bases) for a in memory.allocations]
    return np.array(stored, dtype=np.bool_)
