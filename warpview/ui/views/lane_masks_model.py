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


def is_mask(program: Program, row: int, kind: Type) -> bool:
    """Return whether a register of 32 bits holds a set of lanes; of machine code, which uses one for many things, only
    the instruction says so."""
    return kind in (Type.U32, Type.S32) and row in _rows(program)


@cached_by_identity
def _rows(program: Program) -> frozenset[int]:
    """Return the registers that a collective takes its lanes from, those that one writes, and what is made of them."""
    if program.native is not None:
        return frozenset()
    found = {
        i.srcs[at] for i in program.instructions
        if (at := MASK_OPERANDS.get(i.op)) is not None and at < len(i.srcs) and i.srcs[at] != NONE
    }  # fmt: skip
    found |= {i.dst for i in program.instructions if i.dst != NONE and makes_mask(i)}
    made = [i for i in program.instructions if i.op in _COMBINING and i.dst_type in (Type.U32, Type.S32)]
    while more := {i.dst for i in made if i.dst not in found and found.intersection(i.srcs)}:
        found |= more
    return frozenset(found)


def mask_words(value: int) -> str:
    """Write a set of lanes that all lanes hold: '0xffff: lanes 0–15'."""
    lanes = "all 32 lanes" if value == FULL else "no lane" if not value else f"lanes {ranges(value)}"
    return f"0x{value:x}: {lanes.replace('lanes', 'lane') if value.bit_count() == 1 else lanes}"
