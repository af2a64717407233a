"""The bits of a 128-bit instruction word, where compute capabilities 7.0 to 9.0 keep them.

Places were read from words whose disassembly NVIDIA's nvdisasm gives; a test compares both on thousands of them.
"""

from __future__ import annotations

from typing import NamedTuple

WORD_BYTES = 16
OPCODE_BITS = 12
RZ, URZ, PT = 255, 63, 7


class Field(NamedTuple):
    """Names ``width`` bits of a word from bit ``low`` on."""

    low: int
    width: int

    def of(self, word: int) -> int:
        """Return the field of a word as an unsigned number."""
        return word >> self.low & ((1 << self.width) - 1)

    def signed(self, word: int) -> int:
        """Return the field of a word as a two's complement number."""
        value = self.of(word)
        return value - (1 << self.width) if value >> (self.width - 1) else value


class SourceFields(NamedTuple):
    """Describes a register operand: its number, and the bits that negate it and take its absolute value."""

    number: Field
    negate: Field
    absolute: Field


class PredicateFields(NamedTuple):
    """Describes a predicate operand: its number, and the bit that negates it (none for a destination)."""

    number: Field
    negate: Field | None


OPCODE = Field(0, OPCODE_BITS)
GUARD = PredicateFields(Field(12, 3), Field(15, 1))
DESTINATION = Field(16, 8)
SOURCE_24 = SourceFields(Field(24, 8), Field(72, 1), Field(73, 1))
SOURCE_32 = SourceFields(Field(32, 8), Field(63, 1), Field(62, 1))
SOURCE_64 = SourceFields(Field(64, 8), Field(75, 1), Field(74, 1))
UNIFORM_BITS = 6
IMMEDIATE = Field(32, 32)
CONSTANT_OFFSET = Field(38, 16)  # in bytes
CONSTANT_BANK = Field(54, 5)
HAS_UNIFORM = Field(91, 1)
HAS_DESCRIPTOR = Field(90, 1)
MEMORY_OFFSET = Field(40, 24)

PREDICATES = {
    "u": PredicateFields(Field(81, 3), None),
    "v": PredicateFields(Field(84, 3), None),
    "p": PredicateFields(Field(87, 3), Field(90, 1)),
    "q": PredicateFields(Field(77, 3), Field(80, 1)),
    "r": PredicateFields(Field(68, 3), Field(71, 1)),
}

# What the assembler tells the scheduler of a multiprocessor.
STALL, YIELD = Field(105, 4), Field(109, 1)
WRITE_BARRIER, READ_BARRIER, WAIT_MASK = Field(110, 3), Field(113, 3), Field(116, 6)
REUSE = Field(122, 4)
NO_BARRIER = 7
