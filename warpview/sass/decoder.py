"""Decode 128-bit words to operations: their opcode, their modifiers and their operands."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from warpview.sass import fields as f
from warpview.sass.encoding import Encoding, encoding_of
from warpview.sass.opcode import Opcode
from warpview.sass.operation import Control, SassOperand, SassOperation
from warpview.sass.refused_opcodes import REFUSED
from warpview.sass.table import BY_CODE
from warpview.sass.unknown_bits import base_letter, unknown_bit
from warpview.sass.word_reader import UnknownInstruction, WordReader


@lru_cache(maxsize=8)  # a file's text is made of the same operations as its program
def decoded(code: bytes, architecture: int) -> tuple[SassOperation | str, ...]:
    """Decode the words of a kernel; what is wrong with one that the table does not have is there in its place."""

    def operation(address: int) -> SassOperation | str:
        try:
            return decode(int.from_bytes(code[address : address + f.WORD_BYTES], "little"), address, architecture)
        except UnknownInstruction as error:
            return str(error)

    return tuple(map(operation, range(0, len(code) - f.WORD_BYTES + 1, f.WORD_BYTES)))


def decode(word: int, address: int, architecture: int) -> SassOperation:
    """Decode a word at a byte address of its section.

    Raise ``UnknownInstruction`` where the table has no such word.
    """
    parts = _parts(word & f.WITHOUT_CONTROL, architecture)
    operands = parts.operands
    if (target := operands.get("L")) is not None:
        operands = {**operands, "L": replace(target, index=target.index + address)}
    return SassOperation(parts.row, f.OPCODE.of(word), address, parts.guard, operands, parts.modifiers, _control(word))


class _Parts(NamedTuple):
    """Hold what a word says wherever it stands: the target of a branch is relative to it."""

    row: Opcode
    guard: SassOperand
    operands: dict[str, SassOperand]
    modifiers: dict[str, int]


@lru_cache(maxsize=4096)  # loops that are written out repeat words thousands of times
def _parts(word: int, architecture: int) -> _Parts:
    """Read a word without what it tells the scheduler."""
    encoding = encoding_of(architecture)
    row, modifiers = _row_of(word, f.OPCODE.of(word), architecture, encoding)
    reader = WordReader(word, row, modifiers, encoding)
    read = {base_letter(letter): reader.operand(letter) for letter in row.operands}
    operands = {letter: operand for letter, operand in read.items() if operand is not None}
    if row.meaning == "f2fp":
        for letter, other in ("ab", "ba"):  # one float for both halves
            if letter not in operands:
                operands[letter] = operands[other]
    return _Parts(row, reader.guard(), operands, modifiers)


def _row_of(word: int, code: int, architecture: int, encoding: Encoding) -> tuple[Opcode, dict[str, int]]:
    """Return the row of a word, and its modifiers."""
    problem = REFUSED.get(code, f"opcode 0x{code:03x}")
    for row in BY_CODE.get(code, ()):
        if architecture not in row.architectures:
            continue
        modifiers = {modifier.name: modifier.field.of(word) for modifier in row.modifiers}
        if "order" in modifiers:
            modifiers["order"] = encoding.access_orders[modifiers["order"]]
        unknown = next((m for m in row.modifiers if (m.texts[modifiers[m.name] :] or [None])[0] is None), None)
        if unknown is None and (bit := unknown_bit(word, row)) is not None:
            problem = f"{row.name} with bit {bit} set"
        elif unknown is None:
            return row, modifiers
        else:
            problem = f"{row.name} with {unknown.name} {modifiers[unknown.name]}"
    raise UnknownInstruction(problem)


def _control(word: int) -> Control:
    def barrier(field: f.BitField) -> int | None:
        number = field.of(word)
        return None if number == f.NO_BARRIER else number

    return Control(
        stall=f.STALL.of(word),
        yields=not f.YIELD.of(word),
        writes=barrier(f.WRITE_BARRIER),
        reads=barrier(f.READ_BARRIER),
        waits=f.WAIT_MASK.of(word),
        reused=tuple(register.of(word) for flag, register in f.KEPT if flag.of(word)),
    )
