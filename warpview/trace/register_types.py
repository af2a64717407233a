"""Tell how to read the registers of machine code, which have no types: as the instructions do that write or read them.

A register that is only copied, loaded or stored has the type of the nearest instruction that computes with it, in the
order of the code; where there is none, that of the kernel's arrays, if all have one, or else it is read as an integer.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from warpview.cached_by_identity import cached_by_identity
from warpview.isa.native import NativeInstruction
from warpview.isa.ops import MEMORY_OPS
from warpview.isa.program import NONE, Instruction, Program
from warpview.isa.types import Space, Type

REACH = 400  # instructions that are looked at, before and after
COPIES_FOLLOWED = 4
_FLOATS = frozenset(
    {"fadd", "fmul", "fmulscaled", "ffma", "fmnmx", "fsetp", "fset", "fchk", "ufadd", "approximation"}
)  # fmt: skip
_DOUBLES = frozenset({"dadd", "dmul", "dfma", "dsetp", "dminmax"})
_WIDE_INTEGERS = frozenset({"imadwide", "iaddwide", "iadd3wide", "selwide", "isetpwide"})
_COPIES = frozenset({"mov", "mov2", "mov4", "sel", "fsel", "shfl", "r2ur", "halfconstant", "memory", "fset"})
_SIGNED_AT = {"isetp": 0, "isetpwide": 0, "imadwide": 0, "imadhi": 0, "i2f": 1}  # where a variant tells signs
_CONVERTED_FLOATS = {2: Type.F32, 3: Type.F64}  # as the hardware numbers the formats of F2F, F2I, I2F and FRND


class RegisterTypes:
    """Find the types of the registers of one program of machine code."""

    def __init__(self, program: Program) -> None:
        self._instructions, self._element = program.instructions, _element_type(program)
        self._found = lru_cache(maxsize=4096)(self._find)

    def of(self, pc: int, row: int, is_result: bool) -> Type:
        """Return the type of the value that an instruction reads from the register ``row`` or writes to it. One of 64
        bits begins there and ends in the row after."""
        return self._found(pc, row, is_result)

    def _find(self, pc: int, row: int, is_result: bool) -> Type:
        instruction = self._instructions[pc]
        found = _written(instruction, row) if is_result else _read(instruction, row)
        if found is None and is_result:
            found = self._later(pc, row, 0) or self._source_of_copy(pc, row)
        elif found is None:
            found = self._earlier(pc, row, 0) or self._later(pc, row, 0)
        if found is None and instruction.op in MEMORY_OPS:
            found = self._element
        return found or Type.S32

    def _source_of_copy(self, pc: int, row: int) -> Type | None:
        source = _copied_from(self._instructions[pc], row)
        return None if source is None else self._earlier(pc, source, 0)

    def _later(self, pc: int, row: int, copies: int) -> Type | None:
        """Return the type with which the value that ``row`` has after ``pc`` is read."""
        for k, instruction in self._natives(range(pc + 1, min(pc + REACH, len(self._instructions)))):
            found = _read(instruction, row)
            if found is not None:
                return found
            to = _copied_to(instruction, row)
            if to is not None and copies < COPIES_FOLLOWED:
                found = self._later(k, to, copies + 1)
                if found is not None:
                    return found
            if row in _native(instruction).writes and instruction.guard == NONE:
                return None
        return None

    def _earlier(self, pc: int, row: int, copies: int) -> Type | None:
        """Return the type with which the value that ``row`` has before ``pc`` was written."""
        for k, instruction in self._natives(range(pc - 1, max(-1, pc - REACH), -1)):
            if row not in _native(instruction).writes:
                continue
            found = _written(instruction, row)
            if found is None and instruction.op in MEMORY_OPS:
                return self._later(k, row, copies)
            source = _copied_from(instruction, row)
            if found is None and source is not None and copies < COPIES_FOLLOWED:
                return self._earlier(k, source, copies + 1)
            return found
        return None

    def _natives(self, where: range) -> Iterator[tuple[int, Instruction]]:
        return ((k, self._instructions[k]) for k in where if self._instructions[k].native is not None)


@cached_by_identity
def register_types(program: Program) -> RegisterTypes:
    """Return the types of the registers of a program of machine code."""
    return RegisterTypes(program)


def _element_type(program: Program) -> Type | None:
    """Return the 32-bit type that the elements of all arrays of the kernel have; None where they differ."""
    elements = {param.element for param in program.params if param.is_pointer}
    elements |= {variable.type for variable in program.variables if variable.space in (Space.SHARED, Space.CONST)}
    only = elements.pop() if len(elements) == 1 else None
    return only if only is not None and only.bytes == 4 else None


def _native(instruction: Instruction) -> NativeInstruction:
    assert instruction.native is not None
    return instruction.native


def _is_copy(native: NativeInstruction) -> bool:
    """Return whether an instruction only moves values; ``IMAD.MOV`` multiplies zero by zero and adds."""
    return native.meaning in _COPIES or (native.meaning == "imad" and " RZ, RZ, " in native.text.partition(",")[2])


def _written(instruction: Instruction, row: int) -> Type | None:
    """Return the type of what an instruction computes into ``row``; None where it tells none."""
    native = _native(instruction)
    results = {first + k: rows for first, rows in native.results.values() for k in range(rows)}
    if row not in results or _is_copy(native):
        return None
    if native.meaning in _FLOATS:
        return Type.F32
    if native.meaning in _DOUBLES:
        return Type.F64
    if native.meaning in _WIDE_INTEGERS:
        return _integer(native, True)
    if native.meaning in ("i2f", "f2f", "frnd"):
        return _CONVERTED_FLOATS.get(int(native.variant[0]))
    if native.meaning == "f2i":
        wide, signed = native.variant[0] == 3, native.variant[1]
        return (Type.S64 if wide else Type.S32) if signed else (Type.U64 if wide else Type.U32)
    return _integer(native, False) if results[row] == 1 else None


def _integer(native: NativeInstruction, is_wide: bool) -> Type:
    """Return the type of the integers of an instruction; signed where it does not matter."""
    at = _SIGNED_AT.get(native.meaning)
    if at is None or native.variant[at]:
        return Type.S64 if is_wide else Type.S32
    return Type.U64 if is_wide else Type.U32


def _read(instruction: Instruction, row: int) -> Type | None:
    """Return the type with which an instruction reads ``row``; None where it tells none, or does not read it."""
    native = _native(instruction)
    if row not in native.reads:
        return None
    if instruction.op in MEMORY_OPS:
        return _read_as_address(instruction, native, row)
    source = next((s for s in native.sources.values() if s.row <= row < s.row + s.span), None)
    if source is None or _is_copy(native):
        return None
    if source.span == 2:
        if native.meaning in _DOUBLES or native.meaning in ("f2f", "f2i", "frnd"):
            return Type.F64
        return _integer(native, True) if native.meaning in (*_WIDE_INTEGERS, "i2f") else None
    if native.meaning in (*_FLOATS, "f2f", "f2i", "frnd"):
        return Type.F32
    return _integer(native, False) if source.span == 1 else None


def _read_as_address(instruction: Instruction, native: NativeInstruction, row: int) -> Type | None:
    span = 2 if native.wide_address else 1
    for first in (instruction.srcs[0], native.uniform_row):
        if first != NONE and first <= row < first + span:
            return Type.U64 if native.wide_address else Type.U32
    return None


def _copied_to(instruction: Instruction, row: int) -> int | None:
    """Return the register that an instruction copies ``row`` to; None where it is no copy."""
    native = _native(instruction)
    if instruction.op in MEMORY_OPS or not _is_copy(native) or "d" not in native.results:
        return None
    source = next((s for s in native.sources.values() if s.row <= row < s.row + s.span), None)
    return None if source is None else native.results["d"][0] + row - source.row


def _copied_from(instruction: Instruction, row: int) -> int | None:
    """Return the register whose value an instruction copies to ``row``; None where it is no copy."""
    native = _native(instruction)
    if instruction.op in MEMORY_OPS or not _is_copy(native) or "d" not in native.results:
        return None
    registers = [s for s in native.sources.values() if any(r in native.reads for r in (s.row,))]
    return registers[-1].row + row - native.results["d"][0] if registers else None
