"""Find the allocations that a kernel may store to, by the parameters that its store addresses are computed from.

In machine code a pointer is two words of constant memory, and an address two registers that are followed one by one.
Indices are not followed: what they are multiplied with and added to is the pointer.

Loads of memory that nobody stores to cannot race, so that the race check need not note them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from warpview.isa.native import NativeInstruction
from warpview.isa.ops import ATOMIC_OPS, MEMORY_OPS, Op
from warpview.isa.program import NONE, Program
from warpview.isa.types import GLOBAL_SPACES
from warpview.sim.checks.intervals import successors
from warpview.sim.launch import Launch
from warpview.sim.memory import DeviceMemory

STORES = ATOMIC_OPS | {Op.ST}
ADDED = {"imadwide": "c", "lea": "b"}  # the source of machine code to which a scaled index is added
MOST_STEPS = 200_000  # after which any allocation may be stored to


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
        if type_ is None or not type_.is_wide or row not in instruction.result_rows:
            return [(pc, row)]
        kept = [] if instruction.guard == NONE else [(pc, row)]
        if instruction.op in MEMORY_OPS:
            found.add(-1)
            return kept
        sources = zip(instruction.srcs, instruction.src_types, strict=True)
        return [*kept, *((pc, source) for source, type_ in sources if type_.is_wide)]


def _bases(program: Program, launch: Launch) -> list[int] | None:
    """Return the pointers that addresses of stores are computed from; None where one is not known.

    The address of a variable of a whole program stands in the instruction, and what is computed begins with zero.
    """
    stores = [(pc, i) for pc, i in enumerate(program.instructions) if i.op in STORES and i.space in GLOBAL_SPACES]
    origins, found = _Origins(program), list[int]()
    for pc, store in stores:
        rows = origins.of(pc, store.srcs[0]) or {-1}
        if -1 in rows:
            return None
        found += [int(launch.uniform64[row]) or store.imm for row in rows]
    return found


def _bases_in_machine_code(program: Program, launch: Launch) -> list[int] | None:
    """Return what ``_bases`` does: the 64-bit numbers in constant memory that addresses of stores are computed from."""
    assert program.native is not None
    rows = _constants_in_stores(program)
    if rows is None:
        return None
    words = {(word.bank, word.offset): int(launch.uniform32[word.row]) for word in program.native.words}
    low = [(word.bank, word.offset) for word in program.native.words if word.row in rows and word.offset % 8 == 0]
    return [words[bank, at] | words[bank, at + 4] << 32 for bank, at in low if (bank, at + 4) in words]


def _constants_in_stores(program: Program) -> set[int] | None:
    """Return the rows of constants that addresses of stores are computed from; None where one comes from memory or
    cannot be followed."""
    before: list[list[int]] = [[] for _ in range(len(program.instructions) + 1)]
    waiting: list[tuple[int, int]] = []
    for pc, i in enumerate(program.instructions):
        assert i.native is not None
        for following in successors(program, pc):
            before[following].append(pc)
        if i.op in STORES and i.space in GLOBAL_SPACES:
            is_pair = i.native.wide_address and not i.native.extended_address
            rows = [i.srcs[0], i.srcs[0] + 1] if is_pair else [i.srcs[0]]
            rows += [i.native.uniform_row, i.native.uniform_row + 1] if i.native.uniform_row != NONE else []
            waiting += [(pc, row) for row in rows]
    found, seen = set[int](), set[tuple[int, int]]()
    while waiting:
        at, row = waiting.pop()
        if row < program.first_virtual32:
            found.add(row)
            continue
        for pc in before[at]:
            if (pc, row) in seen:
                continue
            seen.add((pc, row))
            i = program.instructions[pc]
            assert i.native is not None
            is_written = row in i.native.writes
            if (is_written and i.op in MEMORY_OPS) or len(seen) > MOST_STEPS:
                return None
            if not is_written or i.guard != NONE:
                waiting.append((pc, row))
            if is_written:
                waiting += [(pc, source) for source in _parts(program, i.native)]
    return found


def _parts(program: Program, native: NativeInstruction) -> list[int]:
    """Return the rows that may be a part of a pointer which an instruction computes: not predicates, nor the index that
    is multiplied and added to a pointer."""
    added = ADDED.get(native.meaning)
    sources = list(native.sources.values())
    is_scaled = native.meaning != "lea" or native.imm > 0
    if added is not None and is_scaled and native.sources[added].row not in program.constants32:
        sources = [native.sources[added]]
    return [source.row + k for source in sources for k in range(source.span)]


def stored_allocations(program: Program, launch: Launch, memory: DeviceMemory) -> NDArray[np.bool_]:
    """Return bool[allocations]: whether the kernel may store to each, if its addresses stay within the buffers that
    they begin in."""
    bases = _bases(program, launch) if program.native is None else _bases_in_machine_code(program, launch)
    if bases is None:
        return np.ones(len(memory.allocations), dtype=np.bool_)
    stored = [any(a.base <= base <= a.end for base in bases) for a in memory.allocations]
    return np.array(stored, dtype=np.bool_)
