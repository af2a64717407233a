"""Hold what counters know of the instructions that they sum over, an array for each trait."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpview.cached_by_identity import cached_by_identity
from warpview.isa.ops import Op
from warpview.isa.program import NONE, Instruction, Program


class InstructionTraits(NamedTuple):
    """Hold the traits of ``n`` instructions, each along the first axis of its array."""

    ops: NDArray[np.int32]
    spaces: NDArray[np.int32]
    guards: NDArray[np.int32]
    work: NDArray[np.int64]  # arithmetic, as ``Program.work``
    copies: NDArray[np.bool_]  # loads that store to shared memory what they have loaded
    matrices: NDArray[np.bool_]  # accesses to matrices in shared memory (LDSM, STSM)
    fetches: NDArray[np.int8]  # what texture instructions do, by ``textures.Fetch``, NONE for the others
    bulks: NDArray[np.int8]  # what bulk copies do, by ``native.Bulk``, NONE for the others

    def of_rows(self, rows: NDArray[np.int64]) -> InstructionTraits:
        """Return the traits of some of the instructions."""
        return InstructionTraits(*(trait[rows] for trait in _arrays(self)))

    @classmethod
    def joined(cls, parts: Iterable[InstructionTraits]) -> InstructionTraits:
        """Return the traits of the instructions of several programs, one after the other."""
        return cls(*map(np.concatenate, zip(*map(_arrays, parts), strict=True)))


def _arrays(traits: InstructionTraits) -> tuple[NDArray[Any], ...]:
    return tuple(traits)


@cached_by_identity
def traits_of(program: Program) -> InstructionTraits:
    """Return the traits of all instructions of a program."""
    code = program.code
    # Nsight Compute counts every branch of machine code, our compiler's jumps it would never see.
    guards = code.guard if program.native is None else np.where(code.op == Op.BRA, 0, code.guard)
    return InstructionTraits(
        code.op, code.space, guards, program.work,
        np.array([_is_copy(i) for i in program.instructions], dtype=np.bool_),
        np.array([_moves_matrices(i) for i in program.instructions], dtype=np.bool_),
        np.array([_fetch(i) for i in program.instructions], dtype=np.int8),
        np.array([_bulk(i) for i in program.instructions], dtype=np.int8),
    )  # fmt: skip


def _is_copy(instruction: Instruction) -> bool:
    return instruction.native is not None and instruction.native.copy_target is not None


def _moves_matrices(instruction: Instruction) -> bool:
    return instruction.native is not None and instruction.native.matrices > 0


def _fetch(instruction: Instruction) -> int:
    is_native = instruction.native is not None and instruction.native.meaning == "texture"
    return instruction.imm & 0xFF if is_native or instruction.op == Op.TEX else NONE


def _bulk(instruction: Instruction) -> int:
    bulk = instruction.native.bulk if instruction.native is not None else None
    return NONE if bulk is None else bulk.kind
