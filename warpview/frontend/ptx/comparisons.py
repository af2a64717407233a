"""Lower the comparisons of PTX: setp, which gives predicates, and set, which gives numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpview.frontend.ir import Value, const
from warpview.frontend.ptx import halves, table
from warpview.frontend.ptx.rounding import flushed
from warpview.frontend.ptx.syntax import HALVES, TYPES, PtxInstruction, operation_type
from warpview.isa.modes import Cmp
from warpview.isa.ops import Op
from warpview.isa.types import Type

if TYPE_CHECKING:
    from warpview.frontend.ptx.lowering import PtxCall

_COMBINATIONS = {"and": Op.AND, "or": Op.OR, "xor": Op.XOR}
_ONES = {"f32": 0x3F800000, "f16": 0x3C00, "bf16": 0x3F80, "u16": 0xFFFF, "s16": 0xFFFF}


def compare(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower setp, whose second result is the complement, or the comparison of the upper numbers of pairs."""
    target = ins.operands[0]
    targets = target.parts if target.kind == "pair" else (target,)
    found = _found(low, ins)
    if len(found) == 1 and len(targets) == 2:
        found.append(low.emit(Op.NOT, Type.PRED, found[0]))
    for part, value in zip(targets, found, strict=True):
        if part.text != "_":
            low.write(part, _combined(low, ins, value))


def choose(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower set: where the comparison holds, the result is 1 as a float, or all ones as an integer."""
    formats = [m for m in ins.modifiers if m in TYPES]
    found = [_combined(low, ins, value) for value in _found(low, ins)]
    of_pairs = (formats[-1], "u32", "s32")
    if len(formats) != 2 or (formats[0] not in of_pairs if len(found) == 2 else formats[0].endswith("x2")):
        low.refuse(f"'{ins.name}'")
    one = _ONES.get(formats[0].removesuffix("x2"), 0xFFFFFFFF if len(found) == 1 else 0xFFFF)
    zero = const(Type.U32, 0)
    words = [low.emit(Op.SELP, Type.U32, const(Type.U32, one << 16 * k), zero, p) for k, p in enumerate(found)]
    low.write(ins.operands[0], words[0] if len(words) == 1 else low.emit(Op.OR, Type.U32, *words))


def _found(low: PtxCall, ins: PtxInstruction) -> list[Value]:
    """Return the comparison of the sources as a predicate, of pairs one of the lower and one of the upper numbers."""
    name, operands = ins.modifiers[0], ins.operands[1:3]
    if [m for m in ins.modifiers if m in TYPES][-1] in HALVES:
        sources = zip(*(halves.numbers(low, ins, operand) for operand in operands), strict=True)
        return [_compared(low, ins, name, Type.F32, a, b) for a, b in sources]
    type_ = ins.types[-1]
    a, b = (flushed(low, ins, low.read(operand, type_)) for operand in operands)
    return [_compared(low, ins, name, type_, a, b)]


def _combined(low: PtxCall, ins: PtxInstruction, value: Value) -> Value:
    """Return a comparison combined with the predicate that an instruction names, if it does."""
    combine = next((m for m in ins.modifiers if m in _COMBINATIONS), "")
    if not combine:
        return value
    return low.emit(_COMBINATIONS[combine], Type.PRED, value, low.read(ins.operands[3], Type.PRED))


def _compared(low: PtxCall, ins: PtxInstruction, name: str, type_: Type, a: Value, b: Value) -> Value:
    """Return a comparison as a predicate."""

    def holds(cmp: Cmp, x: Value = a, y: Value = b) -> Value:
        return low.emit(Op.SETP, operation_type(type_), x, y, mod=cmp)

    if not type_.is_float:
        unsigned = {"lo", "ls", "hi", "hs"}
        if name not in table.COMPARISONS or (name in unsigned and type_.is_signed):
            low.refuse(f"'{ins.name}'")
        return holds(table.COMPARISONS[name])
    if name in table.OPPOSITES:
        return low.emit(Op.NOT, Type.PRED, holds(table.OPPOSITES[name]))
    if name == "neu":
        return holds(Cmp.NE)
    if name in ("ne", "equ"):
        differs = low.emit(Op.OR, Type.PRED, holds(Cmp.LT), holds(Cmp.GT))
        return differs if name == "ne" else low.emit(Op.NOT, Type.PRED, differs)
    if name in ("num", "nan"):
        numbers = low.emit(Op.AND, Type.PRED, holds(Cmp.EQ, a, a), holds(Cmp.EQ, b, b))
        return numbers if name == "num" else low.emit(Op.NOT, Type.PRED, numbers)
    if name not in table.ORDERED:
        low.refuse(f"'{ins.name}'")
    return holds(table.COMPARISONS[name])
