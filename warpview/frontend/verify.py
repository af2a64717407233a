"""Check the rules of the intermediate representation, before and after the passes."""

from __future__ import annotations

from warpview.frontend.interruption import checkpoint
from warpview.frontend.ir import BasicBlock, Branch, Const, Function, Instr, ParamValue, Reg, Value
from warpview.isa.matrices import PRODUCTS
from warpview.isa.ops import MEMORY_OPS, OPS, AtomOp, Op
from warpview.isa.program import operand_type
from warpview.isa.textures import TextureOperation
from warpview.isa.types import Space, Type

# What an instruction needs, by the type letters of its operation.
_NEEDS = {
    "f": "needs a float type",
    "r": "needs the type of a float of 32 bits",
    "i": "needs an integer type",
    "w": "needs a 32-bit integer type",
    "h": "needs the type of a half",
    "hf": "needs a float type or that of a half",
    "ip": "needs an integer or predicate type",
    "if": "has no predicate form",
}


class IrError(Exception):
    """The compiler has written something illegal: a fault of ours, not of the user's source."""


def verify(function: Function) -> None:
    """Raise ``IrError`` at the first thing that is not legal."""
    placed = set(function.blocks)
    if not function.blocks:
        raise IrError(f"{function.name}: no blocks")
    if len(placed) != len(function.blocks):
        raise IrError(f"{function.name}: a block is placed twice")
    for block in function.blocks:
        checkpoint()
        verify_instructions(function, block)
        _verify_end(block, placed)


def verify_instructions(function: Function, block: BasicBlock, first: int = 0) -> None:
    """Raise ``IrError`` at the first instruction of a block, from the ``first`` on, that is not legal, or at its
    branch."""
    for instr in block.instrs[first:]:
        problem = _problem(function, instr)
        if problem:
            raise IrError(f"{block.label}: {instr}: {problem} ({instr.span})")
    if isinstance(block.terminator, Branch) and block.terminator.condition.type != Type.PRED:
        raise IrError(f"{block.label}: branches on {block.terminator.condition}, not a predicate")


def _verify_end(block: BasicBlock, placed: set[BasicBlock]) -> None:
    if block.terminator is None:
        raise IrError(f"{block.label}: the block does not end")
    for target in block.successors:
        if target not in placed:
            raise IrError(f"{block.label}: goes to {target.label}, which is not placed")


def _problem(function: Function, instr: Instr) -> str:
    """Return the fault of an instruction, or '' where it has none."""
    return (
        _operation_problem(instr)
        or _count_problem(instr)
        or _type_problem(instr)
        or _space_problem(instr)
        or next((p for v in instr.reads if (p := _value_problem(function, v))), "")
    )


def _operation_problem(instr: Instr) -> str:
    if instr.op in (Op.BRA, Op.NOP):
        return "control flow belongs in terminators"
    if instr.op == Op.EXIT and instr.guard is None:
        return "only a guarded exit may stand within a block"
    types = OPS[instr.op].types
    return "" if _letters(instr.type) & set(types) else _NEEDS[types]


def _letters(type: Type) -> set[str]:
    """Return the type letters of the instruction table that stand for a type."""
    if type == Type.PRED:
        return {"p"}
    if type.is_float:
        return {"f"} if type.is_wide else {"f", "r"}
    return {"i", "w"} if type.bytes == 4 else {"i", "h"} if type == Type.U16 else {"i"}


def _count_problem(instr: Instr) -> str:
    expected = len(OPS[instr.op].srcs)
    if instr.op in (Op.ATOM, Op.RED):
        expected = 3 if instr.mod == AtomOp.CAS else 2
    if instr.op == Op.ST:
        expected += instr.vec - 1
    if instr.op == Op.MMA:
        expected = len(PRODUCTS[instr.mod].letters)
    if instr.op == Op.TEX:
        expected = 1 + TextureOperation.of(instr.imm).words
    if len(instr.srcs) != expected:
        return f"has {len(instr.srcs)} operands instead of {expected}"
    results = (instr.vec if instr.op in (Op.LD, Op.MMA, Op.TEX) else 1) if OPS[instr.op].dst else 0
    if len(instr.dsts) != results:
        return f"has {len(instr.dsts)} results instead of {results}"
    if len(set(instr.dsts)) != len(instr.dsts):
        return "writes one register twice"
    sizes = (1, 2, 3, 4) if instr.op == Op.TEX else (1, 2, 4) if instr.op in (Op.LD, Op.ST, Op.MMA) else (1,)
    if instr.vec not in sizes:
        return f"cannot be a vector of {instr.vec}"
    return "" if instr.vec * instr.type.bytes <= 16 or instr.op == Op.MMA else "moves more than 16 bytes a lane"


def _type_problem(instr: Instr) -> str:
    for value, expected in zip(instr.srcs, instr.src_types, strict=True):
        if not _readable(instr.op, value.type, expected):
            return f"{value} where {expected} is expected"
    expected = operand_type(OPS[instr.op].dst or "t", instr.type, instr.stype, instr.space)
    for dst in instr.dsts:
        if not _writable(dst.type, expected):
            return f"writes {expected} to {dst}"
    if instr.guard is not None and instr.guard.type != Type.PRED:
        return f"guard {instr.guard} is not a predicate"
    return ""


def _readable(op: Op, actual: Type, expected: Type) -> bool:
    """Signedness is a matter of the instruction; narrow registers hold a value widened to 32 bits."""
    if actual == expected:
        return True
    if Type.PRED in (actual, expected) or actual.is_wide != expected.is_wide:
        return False
    if actual.is_float or expected.is_float:
        return OPS[op].bits_only and min(actual.bytes, expected.bytes) >= 4
    # A wider register's low bits are what MOV and ST take; other narrow operations want the very type.
    return expected.bytes >= 4 or op in (Op.MOV, Op.ST)


def _writable(actual: Type, expected: Type) -> bool:
    """Results may change signedness, but only where the register has the full width."""
    if actual == expected:
        return True
    both_integers = not (actual.is_float or expected.is_float or Type.PRED in (actual, expected))
    if not both_integers or actual.is_wide != expected.is_wide:
        return False
    return actual.bytes >= 4  # a narrow value in a 32-bit register is widened as every narrow value is


def _space_problem(instr: Instr) -> str:
    if (instr.op in MEMORY_OPS) != (instr.space != Space.NONE):
        return "memory operations, and only they, name a space"
    if instr.space == Space.CONST and instr.op != Op.LD:
        return "constant space can only be read"
    if instr.op in (Op.ATOM, Op.RED) and instr.space == Space.LOCAL:
        return "no atomics in local space"
    return ""


def _value_problem(function: Function, value: Value) -> str:
    match value:
        case ParamValue(index=index) if not 0 <= index < len(function.params):
            return f"there is no parameter {index}"
        case Const(type=type, bits=bits) if bits >> (64 if type.is_wide else 32):
            return f"{value} does not fit its register"
        case Reg(id=number) if number > function.next_register:
            return f"{value} is not a register of this function"
    return ""
