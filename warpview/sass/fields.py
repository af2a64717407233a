"""Locate the fields of a 128-bit instruction word, as compute capabilities 7.0 to 12.0 have them.

Places were read from words whose disassembly NVIDIA's nvdisasm gives; a test compares both on thousands of them.
"""

from __future__ import annotations

from typing import NamedTuple

WORD_BYTES = 16
OPCODE_BITS = 12
RZ, URZ, PT = 255, 255, 7
ALL_LANES = 0xFFFFFFFF


class BitField(NamedTuple):
    """Name ``width`` bits of a word from bit ``low`` on."""

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
    """Describe a register operand: its number, and the bits that negate it and take its absolute value."""

    number: BitField
    negate: BitField
    absolute: BitField


class PredicateFields(NamedTuple):
    """Describe a predicate operand: its number, and the bit that negates it (none for a destination)."""

    number: BitField
    negate: BitField | None


OPCODE = BitField(0, OPCODE_BITS)
GUARD = PredicateFields(BitField(12, 3), BitField(15, 1))
DESTINATION = BitField(16, 8)
SOURCE_24 = SourceFields(BitField(24, 8), BitField(72, 1), BitField(73, 1))
SOURCE_32 = SourceFields(BitField(32, 8), BitField(63, 1), BitField(62, 1))
SOURCE_64 = SourceFields(BitField(64, 8), BitField(75, 1), BitField(74, 1))
# Of opcodes on pairs of halves, the last source has its modifiers elsewhere; and each which half it takes for both.
SOURCE_64_OF_HALVES = SourceFields(BitField(64, 8), BitField(84, 1), BitField(83, 1))
SWIZZLE_24, SWIZZLE_32, SWIZZLE_64 = BitField(74, 2), BitField(60, 2), BitField(81, 2)
BOTH_HALVES, NO_SWIZZLE, LOWER_HALF, UPPER_HALF = range(4)
TURNED = 4  # the upper half, negated, below the lower one: a bit of HFMA2 says that of its second source
IMMEDIATE = BitField(32, 32)
IMMEDIATE_33 = BitField(32, 33)  # of SEL.64
IMMEDIATE_64 = BitField(24, 64)
CONSTANT_OFFSET = BitField(38, 16)  # in bytes
CONSTANT_OFFSET_OF_LDCU = BitField(37, 17)
CONSTANT_BANK = BitField(54, 5)
CONSTANT_BY_HANDLE = BitField(91, 1)  # of an arithmetic operand: a uniform register names the bank
HAS_UNIFORM = BitField(91, 1)
HAS_PAIR_BESIDE_UNIFORM = BitField(90, 1)
# By the class of the opcode, until compute capability 9.0 and since 10.0.
HAS_DESCRIPTOR_OF = {
    "LD": (BitField(76, 1), BitField(76, 1)), "ST": (BitField(76, 1), BitField(76, 1)),
    "ATOM": (BitField(71, 1), BitField(76, 1)), "RED": (BitField(71, 1), BitField(81, 1)),
}  # fmt: skip
HAS_DESCRIPTOR_OF_LATE_FLOATS = BitField(90, 1)  # of ATOM and ATOMG on floats since 10.0
MEMORY_OFFSET, ATOMIC_OFFSET = BitField(40, 24), BitField(40, 23)  # the latter from 10.0 on
TEXTURE_REGISTER, TEXTURE_WORD, WORD_OF_CONSTANT = BitField(40, 8), BitField(40, 14), 4
BARRIER_NUMBER, BARRIER_COUNT = BitField(54, 4), BitField(42, 12)  # of BAR
METADATA, METADATA_LANE = BitField(40, 8), BitField(48, 2)  # of sparse matrices
COPY_SOURCE_OFFSET, COPY_TARGET_OFFSET = BitField(32, 12), BitField(44, 20)  # of LDGSTS

PREDICATES = {
    "u": PredicateFields(BitField(81, 3), None),
    "v": PredicateFields(BitField(84, 3), None),
    "p": PredicateFields(BitField(87, 3), BitField(90, 1)),
    "q": PredicateFields(BitField(77, 3), BitField(80, 1)),
    "h": PredicateFields(BitField(24, 3), BitField(27, 1)),
    "r": PredicateFields(BitField(68, 3), BitField(71, 1)),
}

# What the assembler tells the scheduler of a multiprocessor.
STALL, YIELD = BitField(105, 4), BitField(109, 1)
WITHOUT_CONTROL = (1 << STALL.low) - 1  # the bits of a word below those
# A register that is kept for the next instruction: its flag, and its number.
KEPT = (
    (BitField(122, 1), BitField(24, 8)),
    (BitField(123, 1), BitField(32, 8)),
    (BitField(124, 1), BitField(64, 8)),
)
WRITE_BARRIER, READ_BARRIER, WAIT_MASK = BitField(110, 3), BitField(113, 3), BitField(116, 6)
REUSE = BitField(122, 4)
NO_BARRIER = 7
