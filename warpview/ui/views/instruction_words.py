"""One instruction as a sentence: what it does, with its own operands."""

from __future__ import annotations

import re

from warpview.isa.ops import AtomOp, Cmp, Op, ShflMode
from warpview.isa.program import NONE, Instruction
from warpview.isa.types import Space, Type

# {0}, {1}, ... are the operands as the listing shows them.
_SENTENCES: dict[Op, str] = {
    Op.MOV: "{0} becomes {1}",
    Op.CVT: "{0} becomes {1}, converted to {type}",
    Op.SELP: "{0} becomes {1} in lanes where {3} holds, {2} in the others",
    Op.ADD: "{0} becomes {1} + {2}",
    Op.SUB: "{0} becomes {1} − {2}",
    Op.MUL: "{0} becomes {1} × {2}",
    Op.MULHI: "{0} becomes the high half of {1} × {2}",
    Op.MULWIDE: "{0} becomes {1} × {2} in 64 bits",
    Op.MAD: "{0} becomes {1} × {2} + {3}",
    Op.MADWIDE: "{0} becomes {1} × {2} + {3} in 64 bits",
    Op.FMA: "{0} becomes {1} × {2} + {3}, rounded once",
    Op.DIV: "{0} becomes {1} / {2}",
    Op.REM: "{0} becomes the remainder of {1} / {2}",
    Op.MIN: "{0} becomes the smaller of {1} and {2}",
    Op.MAX: "{0} becomes the larger of {1} and {2}",
    Op.NEG: "{0} becomes −{1}",
    Op.ABS: "{0} becomes {1} without its sign",
    Op.AND: "{0} becomes {1} and {2}, bit by bit",
    Op.OR: "{0} becomes {1} or {2}, bit by bit",
    Op.XOR: "{0} becomes {1} exclusive or {2}, bit by bit",
    Op.NOT: "{0} becomes {1} with every bit turned round",
    Op.SHL: "{0} becomes {1} shifted left by {2}",
    Op.SHR: "{0} becomes {1} shifted right by {2}",
    Op.POPC: "{0} becomes the number of ones in {1}",
    Op.BREV: "{0} becomes {1} with its bits in reverse",
    Op.SQRT: "{0} becomes the square root of {1}",
    Op.RSQRT: "{0} becomes 1 / the square root of {1}",
    Op.RCP: "{0} becomes 1 / {1}",
    Op.SETP: "{0} becomes true in lanes where {1} {relation} {2}, false in the others",
    Op.LD: "{0} becomes the {type} at {1} in {space} memory",
    Op.ST: "The {type} at {0} in {space} memory becomes {1}",
    Op.ATOM: "The {type} at {1} in {space} memory changes in one go ({how} {2}); {0} becomes what it was",
    Op.RED: "The {type} at {0} in {space} memory changes in one go ({how} {1})",
    Op.SHFL: "{0} becomes {1} of another lane ({how} {2})",
    Op.EXIT: "The lanes have come to the end of the kernel",
    Op.BAR_SYNC: "The warp waits until every warp of its block is here",
}
_TYPES = {
    Type.PRED: "predicate", Type.U8: "unsigned byte", Type.S8: "byte", Type.U16: "unsigned 16-bit integer",
    Type.S16: "16-bit integer", Type.U32: "unsigned integer", Type.S32: "integer", Type.U64: "unsigned 64-bit integer",
    Type.S64: "64-bit integer", Type.F32: "float", Type.F64: "double",
}  # fmt: skip
_RELATIONS = {Cmp.EQ: "=", Cmp.NE: "≠", Cmp.LT: "<", Cmp.LE: "≤", Cmp.GT: ">", Cmp.GE: "≥"}
_MODES: dict[Op, type[AtomOp] | type[ShflMode]] = {Op.ATOM: AtomOp, Op.RED: AtomOp, Op.SHFL: ShflMode}
_TEXT = re.compile(r"(?:@(?P<no>!?)(?P<guard>\S+) )?(?P<mnemonic>\S+) ?(?P<operands>.*)")
_OPERAND = re.compile(r"\{[^}]*\}|\[[^\]]*\]|[^,\s]+")


def sentence(instruction: Instruction, text: str) -> str:
    """What an instruction does, which the listing shows as ``text``; the operation's meaning where it is a rare one."""
    found = _TEXT.fullmatch(text)
    assert found is not None
    guard = f"{found['guard']} {'does not hold' if found['no'] else 'holds'}" if found["guard"] else ""
    operands = _OPERAND.findall(found["operands"])
    if instruction.op is Op.BRA:
        return _branch(instruction, guard, operands[0])
    return (f"Only in lanes where {guard}: " if guard else "") + _done(instruction, operands)


def _done(instruction: Instruction, operands: list[str]) -> str:
    pattern = _SENTENCES.get(instruction.op, "")
    if not pattern or f"{{{len(operands)}}}" in pattern:
        return f"{instruction.info.mnemonic}: {instruction.info.meaning}"
    relation = _RELATIONS[Cmp(instruction.mod)] if instruction.op is Op.SETP else ""
    modes = _MODES.get(instruction.op)
    how = modes(instruction.mod).name.lower() if modes is not None else ""
    space = "constant" if instruction.space is Space.CONST else Space(instruction.space).name.lower()
    return pattern.format(*operands, type=_TYPES[instruction.type], relation=relation, space=space, how=how)


def _branch(instruction: Instruction, guard: str, target: str) -> str:
    if not guard:
        return f"All lanes go on at {target}"
    words = f"Lanes where {guard} go on at {target}, the others with the next instruction"
    if instruction.reconvergence != NONE:
        words += f"; they meet again at instruction {instruction.reconvergence}"
    return words
