"""Tell which bits of an arithmetic instruction its opcode has a use for, so that others are refused where they are set.

A bit that nobody reads may change what an instruction computes: a word with one is no word of the table.
"""

from __future__ import annotations

from functools import cache

from warpview.sass import fields as f
from warpview.sass.meanings import FLOAT_MEANINGS, INTEGER_SUMS, PAIR_MEANINGS
from warpview.sass.opcode import Opcode

STANDS_FOR = {"h": "p", "I": "b", "J": "b"}  # letters that only say where else the bits are
HAS_ABSOLUTE = FLOAT_MEANINGS | PAIR_MEANINGS
SIGNED_SOURCES = HAS_ABSOLUTE | INTEGER_SUMS | {"imadwide", "imadhi", "lea", "flo", "iaddwide", "iadd3wide"}
MODIFIER_BITS, NEGATED_Q = ((1 << 15) - 1) << 72, 80


@cache
def is_uniform(letter: str) -> bool:
    """Return whether a word of the table's operands stands for a uniform register or predicate."""
    return len(letter.rstrip("0123456789w")) == 2 and letter[0] == "u"


@cache
def base_letter(letter: str) -> str:
    """Return the letter of an operand, without its span and whether it is uniform."""
    name = letter.rstrip("0123456789w")
    name = name[1:] if is_uniform(letter) else name
    return STANDS_FOR.get(name, name)


def unknown_bit(word: int, row: Opcode) -> int | None:
    """Return the lowest bit among those of the modifiers of a word that is set though its row has no use for it.

    Predicates that a row does not have may be 7, which is PT.
    """
    idle = word & _idle_bits(row)
    for place in (f.PREDICATES["q"].number, f.PREDICATES["u"].number, f.PREDICATES["v"].number):
        if place.of(idle) == f.PT:
            idle &= ~(f.PT << place.low)
    if idle == 1 << NEGATED_Q:  # a predicate that is never true, with a number of its own
        idle = 0
    return (idle & -idle).bit_length() - 1 if idle else None


@cache
def _idle_bits(row: Opcode) -> int:
    """Return the bits from 72 to 86 that an arithmetic opcode has no use for; none of other opcodes."""
    if not row.is_arithmetic:
        return 0
    fields = [modifier.field for modifier in row.modifiers]
    letters = {base_letter(word) for word in row.operands}
    for letter in letters & f.PREDICATES.keys():
        place = f.PREDICATES[letter]
        fields += [place.number] if place.negate is None else [place.number, place.negate]
    sources = [f.SOURCE_24] * ("a" in letters) + [f.SOURCE_64] * ("c" in letters)
    for source in sources:
        if row.meaning in PAIR_MEANINGS:
            fields += [f.SWIZZLE_24, f.SWIZZLE_64, *f.SOURCE_24[1:], *f.SOURCE_64_OF_HALVES[1:]]
        elif may_be_negated(row, source):
            fields.append(source.negate)
        if row.meaning in HAS_ABSOLUTE:
            fields.append(source.absolute)
    used = 0
    for field in fields:
        used |= ((1 << field.width) - 1) << field.low
    return MODIFIER_BITS & ~used


def may_be_negated(row: Opcode, source: f.SourceFields) -> bool:
    """Return whether a source has a sign; some opcodes keep a modifier in its place."""
    if source is f.SOURCE_32:
        return True
    # Of VIADDMNMX bit 72 says that the integers are signed.
    elsewhere = "viaddmnmx" if source is f.SOURCE_24 else "lea"
    return row.meaning in SIGNED_SOURCES and row.meaning != elsewhere
