"""Which allocations a kernel may store to, by the parameters that its store addresses are computed from.

Loads of memory that nobody stores to cannot race, so that the race check need not note them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from warpview.isa.ops import ATOMIC_OPS, MEMORY_OPS, Op
from warpview.isa.program import Instruction, Program
from warpview.isa.types import Space
from warpview.sim.launch import Launch
from warpview.sim.memory import DeviceMemory

STORES = ATOMIC_OPS | {Op.ST}
ADDRESSED = (Space.GLOBAL, Space.GENERIC)


def _origins(program: Program) -> dict[int, set[int]]:
    """For each row of the 64-bit file the uniform rows that its values may be computed from, anywhere in the program.
    Where a pointer comes from memory its origin is -1."""
    origins: dict[int, set[int]] = {row: {row} for row in range(program.first_virtual64)}
    moves = [i for i in program.instructions if (t := i.dst_type) is not None and t.is_wide]
    changed = True
    while changed:
        changed = False
        for instruction in moves:
            found = {-1} if instruction.op in MEMORY_OPS else _sources(instruction, origins)
            for k in range(instruction.vec if instruction.op in MEMORY_OPS else 1):
                known = origins.setdefault(instruction.dst + k, set())
                changed = changed or not found <= known
                known |= found
    return origins


def _sources(instruction: Instruction, origins: dict[int, set[int]]) -> set[int]:
    found: set[int] = set()
    for row, type_ in zip(instruction.srcs, instruction.src_types, strict=True):
        if type_.is_wide:
            found |= origins.get(row, set())
    return found


def stored_allocations(program: Program, launch: Launch, memory: DeviceMemory) -> NDArray[np.bool_]:
    """bool[allocations]: whether the kernel may store to each, if its addresses stay within the buffers that they
    begin in."""
    stores = [i for i in program.instructions if i.op in STORES and i.space in ADDRESSED]
    origins, rows = _origins(program), set[int]()
    for store in stores:
        if not (found := origins.get(store.srcs[0], set())):
            found = {-1}
        rows |= found
    if -1 in rows:
        return np.ones(len(memory.allocations), dtype=np.bool_)
    bases = [int(launch.uniform64[row]) for row in rows]
    stored = [any(a.base <= base <= a.end for base in bases) for a in memory.allocations]
    return np.array(stored, dtype=np.bool_)
