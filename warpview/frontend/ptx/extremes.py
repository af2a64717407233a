"""Lower the forms of min and max that have more than two numbers of a type: with .NaN, .xorsign.abs or .relu, and of
pairs of 16 bits, which add has as well."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpview.frontend import features
from warpview.frontend.ir import Value, const
from warpview.frontend.ptx.rounding import flushed
from warpview.frontend.ptx.syntax import PtxInstruction
from warpview.isa.modes import Cmp
from warpview.isa.ops import Op
from warpview.isa.types import Type

if TYPE_CHECKING:
    from warpview.frontend.ptx.lowering import PtxCall

_OPS = {"min": Op.MIN, "max": Op.MAX, "add": Op.ADD}
_PAIRS = {"s16x2": Type.S32, "u16x2": Type.U32}
_FORMS = frozenset({"NaN", "xorsign", "relu"})
_QUIET, _SIGN = 0x7FFFFFFF, 1 << 31


def are_special(ins: PtxInstruction) -> bool:
    """Return whether an instruction is one of these forms."""
    is_pair = not _PAIRS.keys().isdisjoint(ins.modifiers)
    return ins.opcode in _OPS and (is_pair or (ins.opcode != "add" and not _FORMS.isdisjoint(ins.modifiers)))


def choose(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower an instruction of these forms."""
    pair = next((m for m in ins.modifiers if m in _PAIRS), "")
    if pair:
        low.require(features.PAIRS_OF_INTEGERS)
        low.write(ins.operands[0], _of_pairs(low, ins, _PAIRS[pair], *_sources(low, ins, Type.U32)))
    elif ins.types == (Type.S32,):
        low.require(features.PAIRS_OF_INTEGERS)
        low.write(ins.operands[0], _of_words(low, ins, Type.S32, *_sources(low, ins, Type.S32)))
    elif ins.types == (Type.F32,):
        low.require(features.FLOAT_EXTREMES)
        low.write(ins.operands[0], _of_floats(low, ins, *(flushed(low, ins, x) for x in _sources(low, ins, Type.F32))))
    else:
        low.refuse(f"'{ins.name}'")


def _sources(low: PtxCall, ins: PtxInstruction, type_: Type) -> tuple[Value, Value]:
    if len(ins.operands) != 3:
        low.refuse(f"'{ins.name}' with {len(ins.operands)} operands")
    return low.read(ins.operands[1], type_), low.read(ins.operands[2], type_)


def _of_words(low: PtxCall, ins: PtxInstruction, type_: Type, a: Value, b: Value) -> Value:
    found = low.emit(_OPS[ins.opcode], type_, a, b)
    return low.emit(Op.MAX, type_, found, const(type_, 0)) if "relu" in ins.modifiers else found


def _of_pairs(low: PtxCall, ins: PtxInstruction, type_: Type, a: Value, b: Value) -> Value:
    """Return the results of the upper and the lower halves of two words, each computed in the upper half of a word."""
    sixteen, upper = const(Type.U32, 16), const(Type.U32, 0xFFFF0000)
    above = [low.emit(Op.AND, Type.U32, word, upper) for word in (a, b)]
    below = [low.emit(Op.SHL, Type.U32, word, sixteen) for word in (a, b)]
    high, lower = (_of_words(low, ins, type_, *words) for words in (above, below))
    return low.emit(Op.OR, Type.U32, high, low.emit(Op.SHR, Type.U32, lower, sixteen))


def _of_floats(low: PtxCall, ins: PtxInstruction, a: Value, b: Value) -> Value:
    """Return the least or greatest of two floats: with .xorsign.abs that of their sizes, and the sign of their product;
    with .NaN a quiet NaN where one of them is none."""
    compared = [low.emit(Op.ABS, Type.F32, x) for x in (a, b)] if "xorsign" in ins.modifiers else [a, b]
    found: Value = low.emit(_OPS[ins.opcode], Type.F32, *compared)
    if "xorsign" in ins.modifiers:
        bits = [low.emit(Op.MOV, Type.U32, x) for x in (a, b, found)]
        sign = low.emit(Op.AND, Type.U32, low.emit(Op.XOR, Type.U32, *bits[:2]), const(Type.U32, _SIGN))
        found = low.emit(Op.MOV, Type.F32, low.emit(Op.XOR, Type.U32, bits[2], sign))
    if "NaN" in ins.modifiers:
        are_numbers = [low.emit(Op.SETP, Type.F32, x, x, mod=Cmp.EQ) for x in (a, b)]
        both = low.emit(Op.AND, Type.PRED, *are_numbers)
        quiet = low.emit(Op.MOV, Type.F32, const(Type.U32, _QUIET))
        found = low.emit(Op.SELP, Type.F32, found, quiet, both)
    return found
