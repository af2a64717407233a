"""Represent a decoded instruction: operands, modifiers and the assembler's advice to the scheduler, with their text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Literal

from warpview.sass import fields as f
from warpview.sass.opcode import Opcode
from warpview.sass.special import SPECIAL_REGISTERS

REDUCING = 2  # the mode of BAR.RED
TOGETHER = 1  # the kind of BRA.U
ALL_COMPONENTS = 0xF  # of a texture fetch


class OperandKind(StrEnum):
    """Name the kinds of operands, with the letter of their registers in assembly."""

    REGISTER = "R"
    UNIFORM = "UR"
    PREDICATE = "P"
    UNIFORM_PREDICATE = "UP"
    BARRIER = "B"
    IMMEDIATE = "imm"
    CONSTANT = "c"  # index: bank << 16 | offset in bytes
    ADDRESS = "address"
    SPECIAL = "SR"
    TARGET = "label"  # index: a byte address in the section


@dataclass(frozen=True)
class SassOperand:
    """Describe an operand. ``index`` is a register's number, an immediate's bits, a target's address, ...

    ``span`` is the number of 32-bit registers; an ADDRESS has its register in ``index``, the uniform register in
    ``uniform`` (None without), the offset in ``offset`` and whether the register is a pair in ``span``. ``swizzle``
    says which half of a register an operation on pairs of halves takes for both; ``scale`` by which power of two, 1 or
    4 to 16, the register of an ADDRESS is multiplied. An ADDRESS of 64 bits with ``extended`` adds a single register
    to a pair of uniform ones. A CONSTANT at a computed place has its bank << 16 in ``index``, the signed offset in
    ``offset``, and in ``uniform`` the number of the register that is added, which is of the kind ``indexed_by``.
    """

    kind: OperandKind
    index: int
    span: int = 1
    negated: bool = False
    absolute: bool = False
    uniform: int | None = None
    offset: int = 0
    swizzle: int = f.BOTH_HALVES
    scale: int = 1
    extended: bool = False
    indexed_by: Literal[OperandKind.REGISTER, OperandKind.UNIFORM] = OperandKind.REGISTER

    @property
    def has_wide_address(self) -> bool:
        """Say whether an ADDRESS has 64 bits."""
        return self.span == 2 or self.extended

    @property
    def computed_bank(self) -> int | None:
        """Return the bank of a CONSTANT at a computed place; None for every other operand."""
        is_computed = self.kind == OperandKind.CONSTANT and self.uniform is not None
        return self.index >> 16 if is_computed else None

    @property
    def is_zero(self) -> bool:
        """Return whether the operand is RZ or URZ."""
        return (self.index == f.RZ and self.kind is OperandKind.REGISTER) or (
            self.index == f.URZ and self.kind is OperandKind.UNIFORM
        )

    @property
    def is_true(self) -> bool:
        """Return whether the operand is PT or UPT, negated or not."""
        return self.index == f.PT and self.kind in (OperandKind.PREDICATE, OperandKind.UNIFORM_PREDICATE)

    @property
    def holds_always(self) -> bool:
        """Return whether the operand is PT or UPT and not negated."""
        return self.is_true and not self.negated


@dataclass(frozen=True)
class Control:
    """Hold the assembler's advice to the scheduler.

    ``stall`` cycles pass until the warp issues again; ``writes`` and ``reads`` are the scoreboards that the
    instruction sets until its result is there, and its operands are read, None where it sets none; ``waits`` are the
    scoreboards that it waits for, a bit each. The registers in ``reused`` are kept for later instructions, which do
    not read them again.
    """

    stall: int
    yields: bool
    writes: int | None
    reads: int | None
    waits: int
    reused: tuple[int, ...] = ()


# Meanings whose predicate is written although it always, or never, holds: it says which of two values is taken.
TELLING_PREDICATES = frozenset({"fmnmx", "imnmx", "hmnmx2", "viaddmnmx", "vimnmx3", "plop3"})


@dataclass(frozen=True)
class SassOperation:
    """Describe a decoded instruction. ``operands`` by the letters of the table; ``modifiers`` by name."""

    row: Opcode
    code: int
    address: int
    guard: SassOperand
    operands: Mapping[str, SassOperand]
    modifiers: Mapping[str, int]
    control: Control

    @cached_property
    def mnemonic(self) -> str:
        """Return the opcode with its modifiers, as NVIDIA's assembly writes it."""
        return self.row.name + "".join(self._suffixes())

    @property
    def _reduces(self) -> bool:
        """Return whether a BAR reduces a predicate; others have none."""
        return self.modifiers["mode"] == REDUCING

    @property
    def goes_together(self) -> bool:
        """Return whether this is a branch that all lanes take if one does (BRA.U.ANY)."""
        return self.modifiers.get("kind") == TOGETHER and bool(self.modifiers.get("any"))

    @property
    def _is_fetch(self) -> bool:
        """Return whether this is a fetch from a texture, whose shape and components are written last."""
        return self.row.meaning == "texture" and "mask" in self.modifiers

    def _is_hidden(self, letter: str) -> bool:
        """Return whether an operand of BAR is not written: the number of all threads, the predicate of no reduction."""
        if self.row.name != "BAR":
            return False
        count = self.operands["N"]
        if letter == "N":
            return count.kind == OperandKind.IMMEDIATE and count.index == 0
        return letter == "p" and not self._reduces

    def _suffixes(self) -> Iterator[str]:
        for modifier in self.row.modifiers:
            if (modifier.name == "reduce" and not self._reduces) or (modifier.name == "shape" and self._is_fetch):
                continue
            if modifier.name == "any" and not self.goes_together:
                continue
            yield modifier.texts[self.modifiers[modifier.name]] or ""

    @cached_property
    def text(self) -> str:
        """Return the instruction as NVIDIA's assembly writes it, without predicates that are always true."""
        guard = "" if self.guard.holds_always else f"@{operand_text(self.guard)} "
        return f"{guard}{self.mnemonic} {', '.join(self._shown())}".rstrip()

    def _shown(self) -> Iterator[str]:
        """Yield the operands that are written; the table of a LOP3 and the shift of a LEA are modifiers here."""
        meaning, modifiers = self.row.meaning, self.modifiers
        for letter, operand in self.operands.items():
            is_low_lea = meaning == "lea" and letter == "c" and not modifiers["hi"]  # which has no third source
            is_true = operand.is_true and not (meaning in TELLING_PREDICATES and letter in "pqr")
            has_none = letter == "b" and operand.is_zero and self._is_fetch
            is_copy = letter in "ab" and meaning == "f2fp" and letter not in self.row.operands
            if not (is_true or self._is_hidden(letter) or is_low_lea or has_none or is_copy):
                is_place = self.row.name.startswith("UBLK") and letter in "ab"
                text = operand_text(operand) + ".SIGN" * (meaning == "plop3signs" and letter in "abc")
                if meaning == "scatter" and letter == "a":  # the place, and the barrier
                    yield f"[{text}.64]"
                else:
                    yield f"[{text}]" if is_place else text
            if letter == "c" and meaning in ("lop3", "lea"):
                yield f"0x{modifiers['lut' if meaning == 'lop3' else 'shift']:x}"
        if meaning == "plop3signs":
            yield from (f"0x{modifiers[name]:x}" for name in ("lut", "second"))
        if self._is_fetch:
            shapes = [m.texts for m in self.row.modifiers if m.name == "shape"]
            yield from ((texts[modifiers["shape"]] or "").removeprefix(".") for texts in shapes)
            if modifiers["mask"] != ALL_COMPONENTS:
                yield f"0x{modifiers['mask']:x}"


def operand_text(operand: SassOperand) -> str:
    """Return an operand as NVIDIA's assembly writes it."""
    k, n = operand.kind, operand.index
    if k in (OperandKind.PREDICATE, OperandKind.UNIFORM_PREDICATE):
        return ("!" if operand.negated else "") + k + ("T" if n == f.PT else str(n))
    if k in (OperandKind.IMMEDIATE, OperandKind.TARGET):
        return f"0x{n:x}"
    if k == OperandKind.SPECIAL:
        return SPECIAL_REGISTERS[n]
    if k == OperandKind.ADDRESS:
        return _address_text(operand)
    if k == OperandKind.CONSTANT:
        index = "" if operand.uniform is None else f"{operand.indexed_by}{operand.uniform}+"
        text = f"c[0x{n >> 16:x}][{index}{_signed_hex(operand.offset if index else n & 0xFFFF)}]"
    elif operand.is_zero:
        text = "RZ" if k == OperandKind.REGISTER else "URZ"
    else:
        text = f"{k}{n}"
    if operand.absolute:
        text = f"|{text}|"
    text += {f.LOWER_HALF: ".H0_H0", f.UPPER_HALF: ".H1_H1", f.TURNED: ".H0_NH1"}.get(operand.swizzle, "")
    return f"-{text}" if operand.negated else text


def _signed_hex(number: int) -> str:
    return f"{'-' if number < 0 else ''}0x{abs(number):x}"


def _address_text(operand: SassOperand) -> str:
    parts = []
    scale = "" if operand.scale == 1 else f".X{operand.scale}"
    if operand.index != f.RZ:
        parts.append(f"R{operand.index}" + (".64" if operand.span == 2 else ".U32" if operand.extended else "") + scale)
    if operand.uniform is not None:
        parts.append(f"UR{operand.uniform}")
    if operand.offset or not parts:
        parts.append(_signed_hex(operand.offset))
    return f"[{'+'.join(parts)}]"
