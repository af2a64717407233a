"""Write out the barriers of the whole grid in code as written, for estimates of its time.

A ``grid.sync()`` is one instruction there, at which blocks wait without a word of memory. NVIDIA's compiler has an
atomic and a word that a thread of each block polls (cooperative_groups.h, ``grid.sync``), and machine code is timed so:
code as written gets the same instructions, which run as any others beside the blocks of other multiprocessors.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpview.isa.modes import AtomOp, BarrierScope, Cmp, MemoryScope, Spin
from warpview.isa.ops import Op
from warpview.isa.program import NONE, Instruction, Program, Special
from warpview.isa.types import Space, Type
from warpview.sim.launch import Launch
from warpview.sim.memory import Allocation, DeviceMemory
from warpview.sim.rules.coalescing import LINE
from warpview.sim.timing.model import HASH, SPREAD

WORD = "(barrier of the grid)"
LAST_ARRIVED = 1 << 31  # the bit of the word that changes when the last block has arrived
CONSTANTS = 0, 1, 0xFFFFFFFF, LAST_ARRIVED
SCRATCH = Type.U32, Type.PRED, Type.U32, Type.U32, Type.U32  # registers that a barrier needs
ROOM = 1 << 13  # bytes of memory among which the word has a place


class WrittenOut(NamedTuple):
    """Hold a program whose barriers of the grid are written out, its launch, and which instruction of the original one
    each of its instructions is of, int64[instructions]."""

    program: Program
    launch: Launch
    origin: NDArray[np.int64]

    def of_original(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the sums for the instructions of the original program, of int64[instructions, ...]."""
        found = np.zeros((int(self.origin[-1]) + 1, *values.shape[1:]), dtype=np.int64)
        np.add.at(found, self.origin, values)
        return found


def with_word(memory: DeviceMemory) -> DeviceMemory:
    """Return a copy of a memory that has the word of the barrier behind all else."""
    data = np.concatenate([memory.data, np.zeros(ROOM, np.uint8)])
    written = None if memory.written is None else np.concatenate([memory.written, np.ones(ROOM // 4, np.bool_)])
    word = Allocation(WORD, _place(memory), 4, True)
    return DeviceMemory.over(data, written, [*memory.allocations, word])


def write_out(program: Program, launch: Launch, memory: DeviceMemory) -> WrittenOut:
    """Write out the barriers of a program; ``memory`` is that of the launch, to which the word is added."""
    rows = _Rows(program)
    moved = [rows.moved(instruction) for instruction in program.instructions]
    lengths = [len(_PARTS) if _is_of_grid(i) else 1 for i in moved]
    start = np.concatenate([[0], np.cumsum(lengths)])
    code: list[Instruction] = []
    for instruction in moved:
        if _is_of_grid(instruction):
            code += rows.parts(instruction, len(code))
            continue
        target, meet = (
            NONE if old == NONE else int(start[old]) for old in (instruction.target, instruction.reconvergence)
        )
        code.append(replace(instruction, target=target, reconvergence=meet))
    values = np.array(CONSTANTS, np.uint32)
    word = np.array([_place(memory)], np.uint64)
    return WrittenOut(
        rows.program(tuple(code)),
        replace(
            launch,
            uniform32=np.concatenate([launch.uniform32[: program.first_virtual32], values]),
            uniform64=np.concatenate([launch.uniform64[: program.first_virtual64], word]),
        ),
        np.repeat(np.arange(len(moved), dtype=np.int64), lengths),
    )


def _place(memory: DeviceMemory) -> int:
    """Return where the word lies: behind the buffers, in a line that is as late as lines are in the middle of all."""
    first = len(memory.data) // LINE + 1
    late = (line for line in range(first + 1, first + ROOM // LINE - 2) if _eighth(line) == SPREAD // 2 - 1)
    return LINE * next(late)


def _eighth(line: int) -> int:
    """Return which eighth of all lines a line is of by how late it is."""
    return (line * HASH & 0xFFFFFFFF) * SPREAD >> 32


def _is_of_grid(instruction: Instruction) -> bool:
    return instruction.op == Op.BAR_SYNC and instruction.mod == BarrierScope.GRID


class _Rows:
    """Make room in the register files of a program: for constants behind the uniform rows, and for registers."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._first32, self._first64 = program.first_virtual32, program.first_virtual64
        names = "zero", "one", "minus_one", "last_arrived"
        self._named = {name: self._first32 + k for k, name in enumerate(names)}
        behind = program.rows32 + len(CONSTANTS)
        self._named |= {name: behind + k for k, name in enumerate(("any", "holds", "added", "old", "value"))}
        self._named |= {special.name.lower(): int(special) for special in Special} | {"word": self._first64}

    def program(self, code: tuple[Instruction, ...]) -> Program:
        """Return the program with other instructions, of which some poll a word for the whole grid."""
        program, more = self._program, len(CONSTANTS)
        types32, types64 = program.row_types32, program.row_types64
        return replace(
            program,
            instructions=code,
            constants32={**program.constants32, **{self._first32 + k: bits for k, bits in enumerate(CONSTANTS)}},
            first_virtual32=self._first32 + more,
            first_virtual64=self._first64 + 1,
            rows32=program.rows32 + more + len(SCRATCH),
            rows64=program.rows64 + 1,
            row_types32=(*types32[: self._first32], *(Type.U32,) * more, *types32[self._first32 :], *SCRATCH),
            row_types64=(*types64[: self._first64], Type.U64, *types64[self._first64 :]),
            polls_grid=True,
        )

    def moved(self, instruction: Instruction) -> Instruction:
        """Return an instruction with the rows that its registers have then."""
        i = instruction
        sources = zip(i.srcs, i.src_types, strict=True)
        return replace(
            i,
            dst=i.dst if i.dst_type is None else self._row(i.dst, i.dst_type),
            srcs=tuple(self._row(row, kind) for row, kind in sources),
            guard=self._row(i.guard, Type.PRED),
            extra=tuple((self._row(row, kind), kind) for row, kind in i.extra),
        )

    def _row(self, row: int, kind: Type) -> int:
        if kind.is_wide:
            return row + 1 if row >= self._first64 else row
        return row + len(CONSTANTS) if row >= self._first32 else row

    def parts(self, barrier: Instruction, first: int) -> Iterator[Instruction]:
        """Yield the instructions of a barrier, from place ``first`` on."""
        for op, kind, dst, sources, more in _PARTS:
            fields: dict[str, Any] = {
                "mod": 0,
                **more,
                **{name: first + more[name] for name in _PLACES if name in more},
            }
            if op == Op.BRA:
                fields["guard"] = self._named["holds"]
            rows = tuple(self._named[name] for name in sources.split())
            yield replace(barrier, op=op, type=kind, dst=self._named[dst] if dst else NONE, srcs=rows, **fields)


_Fields = dict[str, Any]
_U32, _AT = Type.U32, {"space": Space.GLOBAL}
_DEVICE, _BLOCK = {"mod": MemoryScope.DEVICE}, {"mod": BarrierScope.BLOCK}
_POLL, _END = 14, 19
_PLACES = "target", "reconvergence"
_PARTS: tuple[tuple[Op, Type, str, str, _Fields], ...] = (
    (Op.BAR_SYNC, _U32, "", "", _BLOCK),
    (Op.OR, _U32, "any", "tid_x tid_y", {}),
    (Op.OR, _U32, "any", "any tid_z", {}),
    (Op.SETP, _U32, "holds", "any zero", {"mod": Cmp.NE}),
    (Op.BRA, _U32, "", "", {"target": _END, "reconvergence": _END}),
    # The first block adds what is missing from the highest bit, when all others have added 1.
    (Op.OR, _U32, "any", "ctaid_x ctaid_y", {}),
    (Op.OR, _U32, "any", "any ctaid_z", {}),
    (Op.SETP, _U32, "holds", "any zero", {"mod": Cmp.EQ}),
    (Op.MUL, _U32, "added", "nctaid_x nctaid_y", {}),
    (Op.MAD, _U32, "added", "added nctaid_z minus_one", {}),
    (Op.SUB, _U32, "added", "last_arrived added", {}),
    (Op.SELP, _U32, "added", "added one holds", {}),
    (Op.MEMBAR, _U32, "", "", _DEVICE),
    (Op.ATOM, _U32, "old", "word added", {**_AT, "mod": AtomOp.ADD}),
    (Op.LD, _U32, "value", "word", {**_AT, "cached": False}),
    (Op.XOR, _U32, "value", "value old", {}),
    (Op.SETP, Type.S32, "holds", "value zero", {"mod": Cmp.GE}),
    (Op.BRA, _U32, "", "", {"target": _POLL, "reconvergence": _POLL + 4, "spins": Spin.STAYS_BY_BRANCH}),
    (Op.MEMBAR, _U32, "", "", _DEVICE),
    (Op.BAR_SYNC, _U32, "", "", _BLOCK),
)  # fmt: skip
