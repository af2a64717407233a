"""Find the registers that hold sets of lanes, one bit a lane, and tell such a set in words. Qt-free."""

from __future__ import annotations

from warpview.cached_by_identity import cached_by_identity
from warpview.isa.disassembly import MASK_OPERANDS
from warpview.isa.modes import VoteMode
from warpview.isa.ops import Op
from warpview.isa.program import NONE, Instruction, Program
from warpview.isa.types import Type
from warpview.ui.drawing.values import ranges

FULL = 0xFFFFFFFF
_COMBINING = frozenset({Op.MOV, Op.AND, Op.OR, Op.XOR, Op.NOT})  # of masks they make masks


def makes_mask(instruction: Instruction) -> bool:
    """Return whether the result is a set of lanes, whatever the operands are."""
    ballot = instruction.op is Op.VOTE and instruction.mod == VoteMode.BALLOT
    return ballot or instruction.op in (Op.MATCH, Op.ACTIVEMASK)


def takes_mask(instruction: Instruction, operand: int) -> bool:
    """Return whether an operand is the set of lanes of a collective."""
    return MASK_OPERANDS.get(instruction.op) == operand


def is_mask(program: Program, row: int, kind: Type, by: Instruction | None = None) -> bool:
    """Return whether a register of 32 bits holds a set of lanes, wherever it is written, or as written by ``by``.

    One of machine code is used for many things: only the instruction says.
    """
    if kind not in (Type.U32, Type.S32):
        return False
    return row in _rows(program) or (by is not None and by.dst == row and makes_mask(by))


@cached_by_identity
def _rows(program: Program) -> frozenset[int]:
    """Return the registers into which nothing but sets of lanes is written, and what is made of such sets."""
    if program.native is not None:
        return frozenset()
    writers: dict[int, list[Instruction]] = {}
    for instruction in program.instructions:
        if instruction.dst != NONE and instruction.dst_type is not None and not instruction.dst_type.is_wide:
            writers.setdefault(instruction.dst, []).append(instruction)
    found = {row for row, made in writers.items() if all(makes_mask(i) or i.op in _COMBINING for i in made)}
    while wrong := {row for row in found if not all(makes_mask(i) or found.intersection(i.srcs) for i in writers[row])}:
        found -= wrong
    return frozenset(found)


def mask_words(value: int) -> str:
    """Write a set of lanes that all lanes hold: '0xffff: lanes 0–15'."""
    lanes = "all 32 lanes" if value == FULL else "no lane" if not value else f"lanes {ranges(value)}"
    return f"0x{value:x}: {lanes.replace('lanes', 'lane') if value.bit_count() == 1 else lanes}"
