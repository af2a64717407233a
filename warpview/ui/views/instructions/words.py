"""Describe one instruction in a sentence: its effect, with its own operands."""

from __future__ import annotations

import re

from warpview.isa.native import NativeInstruction
from warpview.isa.ops import Approximation, Cmp, Op
from warpview.isa.program import NONE, Instruction
from warpview.isa.types import Space, Type
from warpview.ui.drawing.values import RELATIONS
from warpview.ui.views.instructions.native_words import equation

_TYPES = {
    Type.PRED: "predicate", Type.U8: "unsigned byte", Type.S8: "byte", Type.U16: "unsigned 16-bit integer",
    Type.S16: "16-bit integer", Type.U32: "unsigned integer", Type.S32: "integer", Type.U64: "unsigned 64-bit integer",
    Type.S64: "64-bit integer", Type.F32: "float", Type.F64: "double",
}  # fmt: skip
_NAMES_A_PLACE = frozenset({"bra", "ret", "bssy", "call"})  # whose operand is an address of the code
_TEXT = re.compile(r"(?:@(?P<no>!?)(?P<guard>\S+) )?(?P<mnemonic>\S+) ?(?P<operands>.*)")
_OPERAND = re.compile(r"\{[^}]*\}|\[[^\]]*\]|[^,\s]+")


def sentence(instruction: Instruction, text: str) -> str:
    """Return a sentence on an instruction, listed as ``text``; with the operation's meaning if it is rare."""
    if instruction.native is not None:
        return native_sentence(instruction.native)
    found = _TEXT.fullmatch(text)
    assert found is not None
    guard = f"{found['guard']} {'does not hold' if found['no'] else 'holds'}" if found["guard"] else ""
    operands = _OPERAND.findall(found["operands"])
    if instruction.op is Op.BRA:
        return _branch(instruction, guard, operands[0])
    return (f"Only in lanes where {guard}: " if guard else "") + _done(instruction, operands)


def _done(instruction: Instruction, operands: list[str]) -> str:
    info = instruction.info
    pattern = info.sentence
    if not pattern or f"{{{len(operands)}}}" in pattern:
        return f"{info.mnemonic}: {info.meaning}"
    relation = RELATIONS[Cmp(instruction.mod)] if instruction.op is Op.SETP else ""
    if info.modes is Approximation:
        pattern = pattern.replace("{how}", Approximation(instruction.mod).words)
    how = info.modes(instruction.mod).name.lower() if info.modes is not None else ""
    space = "constant" if instruction.space is Space.CONST else Space(instruction.space).name.lower()
    return pattern.format(*operands, type=_TYPES[instruction.type], relation=relation, space=space, how=how)


def _branch(instruction: Instruction, guard: str, target: str) -> str:
    if not guard:
        return f"All lanes continue at {target}"
    words = f"Lanes where {guard} continue at {target}, the others with the next instruction"
    if instruction.reconvergence != NONE:
        words += f"; they reconverge at instruction {instruction.reconvergence}"
    return words


def native_sentence(native: NativeInstruction) -> str:
    """Return a sentence on a machine instruction, with its operands, and its control field: the cycles until the warp
    may issue its next instruction, the barriers that it sets, and those that it waits for."""
    control = [f"stall count {native.stall}" + (", yield" if native.yields else "")]
    if native.write_barrier is not None:
        control.append(f"barrier {native.write_barrier} is set when the result is available")
    if native.read_barrier is not None:
        control.append(f"barrier {native.read_barrier} is set when the sources have been read")
    waits = [str(number) for number in range(6) if native.waits >> number & 1]
    if waits:
        control.append(f"waits for barrier{'s' if len(waits) > 1 else ''} {', '.join(waits)}")
    if native.reused:
        registers = ", ".join(f"R{number}" for number in native.reused)
        control.append(f"keeps {registers} for the next instruction (reuse)")
    return f"{native_effect(native)}; {'; '.join(control)}"


def native_effect(native: NativeInstruction) -> str:
    """Return what a machine instruction does, to which operands, in which lanes: "Only in lanes where P1 does not hold:
    LDS loads from shared memory: R2 from [R5]"."""
    found = _TEXT.fullmatch(native.text)
    assert found is not None
    operands = _OPERAND.findall(found["operands"])
    results, sources = operands[: len(native.results)], operands[len(native.results) :]
    words = equation(native, results, sources)
    if words:
        return f"{_guard(found)}{native.mnemonic} {native.explanation}: {words}"
    words = ", ".join(results)
    if native.meaning in _NAMES_A_PLACE:
        pass  # the listing has its label
    elif native.meaning == "memory" and not results and len(sources) > 1:
        words = f"{', '.join(sources[1:])} to {sources[0]}"
    elif sources:
        words += f"{' from ' if results else ''}{', '.join(sources)}"
    return f"{_guard(found)}{native.mnemonic} {native.explanation}" + (f": {words}" if words else "")


def _guard(found: re.Match[str]) -> str:
    """Return in which lanes an instruction is carried out, where it has a guard."""
    if not found["guard"]:
        return ""
    return f"Only in lanes where {found['guard']} {'does not hold' if found['no'] else 'holds'}: "
