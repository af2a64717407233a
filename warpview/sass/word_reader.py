"""Read the operands of 128-bit words by the letters of the opcode table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from warpview.isa.ops import MEMORY_OPS
from warpview.isa.types import GLOBAL_SPACES
from warpview.sass import fields as f
from warpview.sass.encoding import Encoding
from warpview.sass.matrices import matrix_spans
from warpview.sass.meanings import PAIR_MEANINGS, WIDE_INTEGERS
from warpview.sass.modifiers import registers_of_type
from warpview.sass.opcode import B_CONSTANT, B_IMMEDIATE, B_UNIFORM, C_CONSTANT, C_IMMEDIATE, C_UNIFORM, Opcode
from warpview.sass.operation import OperandKind, SassOperand
from warpview.sass.special import REFUSED_REGISTERS, SPECIAL_REGISTERS
from warpview.sass.texture_operands import texture_span
from warpview.sass.unknown_bits import HAS_ABSOLUTE, SIGNED_SOURCES, is_uniform, may_be_negated

# Of a generic address: all before compute capability 8.0, those of st.shared::cluster later.
ST_WITHOUT_DESCRIPTOR = 0x385
ULDC_AT_FIXED_PLACE = 0xAB9
BAR_NUMBER_IN_REGISTER, BAR_COUNT_IN_REGISTER = 0x51D, 0x91D
BAR_PACKED = 0x31D  # number and count in one register
SCALES = (1, 4, 8, 16)  # of the register of an address
WIDE_MASK = (1 << 64) - 1
DEPENDS_ON_LANES, CONVERGED = (2, 3), 3  # kinds of branches: .DIV and .CONV
COMPLEMENT = 0x40  # of their uniform register
MIXED = frozenset({"R2UR", "REDUX", "CREDUX", "BRA.U"})  # to uniform registers, with a guard that is a lane's own


class UnknownInstruction(Exception):
    """A word is not in the table; the message names its opcode or its modifier."""


@dataclass(frozen=True)
class WordReader:
    """Read the operands of one word."""

    word: int
    row: Opcode
    modifiers: Mapping[str, int]
    encoding: Encoding

    @property
    def form(self) -> int:
        return f.OPCODE.of(self.word) >> 9

    def guard(self) -> SassOperand:
        number = f.GUARD.number.of(self.word)
        assert f.GUARD.negate is not None
        first = self.row.operands[0] if self.row.operands else ""
        kind = (
            OperandKind.UNIFORM_PREDICATE if is_uniform(first) and self.row.name not in MIXED else OperandKind.PREDICATE
        )
        return SassOperand(kind, number, negated=bool(f.GUARD.negate.of(self.word)))

    def operand(self, letter: str) -> SassOperand | None:
        """Return the operand behind a letter of the table; None where this word has none there."""
        uniform = is_uniform(letter)
        name = letter[1:] if uniform else letter
        base, span = name.rstrip("0123456789w"), self._span(name)
        if base in f.PREDICATES:
            return self._predicate(base, uniform)
        match base:
            case "J":
                return self._selected(uniform)
            case "d":
                return self._register(f.DESTINATION, span, uniform)
            case "a":
                return self._source(f.SOURCE_24, span, uniform)
            case "b" | "c" if self.row.is_arithmetic:
                return self._by_form(base, span, uniform)
            case "b":
                if self.row.meaning in ("texture", "bulk"):
                    return self._register(f.SOURCE_32.number, span, uniform)
                if self.row.op.name == "BRA":
                    return self._branch_register()
                is_apart = self.row.name == "WARPSYNC" and self.encoding.warpsync_reads_source_24
                return self._source(f.SOURCE_24 if is_apart else f.SOURCE_32, span, uniform)
            case "s":
                apart = f.OPCODE.of(self.word) == ST_WITHOUT_DESCRIPTOR
                return self._register(f.SOURCE_64.number if apart else f.SOURCE_32.number, span, uniform)
            case "t" | "c" | "e":
                return self._register(f.SOURCE_64.number, span, uniform)
        return self._special(base)

    def _span(self, name: str) -> int:
        """Return how many registers an operand spans."""
        if name[-1].isdigit():
            return int(name[-1])
        if not name.endswith("w"):
            return 1
        return self._variable_span(name[0])

    def _variable_span(self, letter: str) -> int:
        """Return the span of an operand whose width a modifier says."""
        m = self.modifiers
        if self.row.meaning == "texture":
            return texture_span(self.row.name, m, letter)
        if (spans := matrix_spans(self.row.meaning, m)) is not None:
            return spans["dabc".index(letter)]
        if "matrices" in m:
            return 1 << m["matrices"]
        if self.row.meaning in ("f2i", "i2f", "f2f"):
            return 2 if m["to" if letter == "d" else "source"] == 3 else 1
        if self.row.name in ("CS2R", "CS2UR"):
            return 1 + m["size"]
        if self.row.name == "MATCH":
            return 1 + m["size"]
        if "type" in m:
            texts = next(x.texts for x in self.row.modifiers if x.name == "type")
            return registers_of_type(texts[m["type"]] or "")
        return {5: 2, 6: 4}.get(m.get("size", 4), 1)

    def _register(self, field: f.BitField, span: int, uniform: bool) -> SassOperand:
        number = field.of(self.word)
        if uniform:
            return SassOperand(OperandKind.UNIFORM, self._uniform(number), span)
        return SassOperand(OperandKind.REGISTER, number, span)

    def _uniform(self, number: int) -> int:
        """Return the number of a uniform register."""
        number &= self.encoding.zero_uniform
        return f.URZ if number == self.encoding.zero_uniform else number

    def _source(self, source: f.SourceFields, span: int, uniform: bool) -> SassOperand:
        if self.row.meaning in PAIR_MEANINGS:
            return self._pair_of_halves(source)
        number = source.number.of(self.word)
        negated = may_be_negated(self.row, source) and bool(source.negate.of(self.word))
        absolute = self.row.meaning in HAS_ABSOLUTE and bool(source.absolute.of(self.word))
        kind = OperandKind.UNIFORM if uniform else OperandKind.REGISTER
        return SassOperand(kind, self._uniform(number) if uniform else number, span, negated, absolute)

    def _pair_of_halves(self, source: f.SourceFields, uniform: bool = False) -> SassOperand:
        """Return a register of an operation on pairs of halves."""
        swizzle = self._swizzle(source)
        if source is f.SOURCE_64:
            source = f.SOURCE_64_OF_HALVES
        number, negated = source.number.of(self.word), bool(source.negate.of(self.word))
        kind = OperandKind.UNIFORM if uniform else OperandKind.REGISTER
        if uniform:
            number = self._uniform(number)
        return SassOperand(kind, number, negated=negated, absolute=bool(source.absolute.of(self.word)), swizzle=swizzle)

    def _swizzle(self, source: f.SourceFields) -> int:
        """Return which halves of a source are taken."""
        swizzles = {f.SOURCE_24: f.SWIZZLE_24, f.SOURCE_32: f.SWIZZLE_32, f.SOURCE_64: f.SWIZZLE_64}
        swizzle = swizzles[source].of(self.word)
        if swizzle == f.NO_SWIZZLE:
            raise UnknownInstruction(f"{self.row.name} with another choice of halves")
        if source is f.SOURCE_32 and swizzle == f.BOTH_HALVES and self.modifiers.get("turned"):
            return f.TURNED
        return swizzle

    def _has_signs(self) -> bool:
        """Return whether bits 72 and 75 negate; other opcodes keep modifiers there."""
        return self.row.meaning in SIGNED_SOURCES

    def _by_form(self, letter: str, span: int, uniform: bool) -> SassOperand:
        """Return b or c of an arithmetic opcode."""
        c_apart = self.form in (C_IMMEDIATE, C_CONSTANT, C_UNIFORM)
        at_32 = (letter == "c") == c_apart if self.row.has_third_source else True
        if not at_32:
            return self._source(f.SOURCE_64, span, uniform)
        if self.form in (B_IMMEDIATE, C_IMMEDIATE):
            return SassOperand(OperandKind.IMMEDIATE, self._immediate(span), span)
        negated, absolute = bool(f.SOURCE_32.negate.of(self.word)), bool(f.SOURCE_32.absolute.of(self.word))
        if self.row.meaning in PAIR_MEANINGS and self.form not in (B_CONSTANT, C_CONSTANT):
            return self._pair_of_halves(f.SOURCE_32, uniform or self.form in (B_UNIFORM, C_UNIFORM))
        # Whatever these bits mean to other opcodes, it is not known.
        if (negated and not self._has_signs()) or (absolute and self.row.meaning not in HAS_ABSOLUTE):
            raise UnknownInstruction(f"{self.row.name} with a modified operand")
        absolute = absolute and self.row.meaning in HAS_ABSOLUTE
        if self.form in (B_CONSTANT, C_CONSTANT):
            if f.CONSTANT_BY_HANDLE.of(self.word):
                raise UnknownInstruction(f"{self.row.name} with a constant bank by a handle")
            index = f.CONSTANT_BANK.of(self.word) << 16 | f.CONSTANT_OFFSET.of(self.word)
            swizzle = self._swizzle(f.SOURCE_32) if self.row.meaning in PAIR_MEANINGS else f.BOTH_HALVES
            return SassOperand(OperandKind.CONSTANT, index, span, negated, absolute, swizzle=swizzle)
        number = f.SOURCE_32.number.of(self.word)
        if uniform or self.form in (B_UNIFORM, C_UNIFORM):
            return SassOperand(OperandKind.UNIFORM, self._uniform(number), span, negated, absolute)
        return SassOperand(OperandKind.REGISTER, number, span, negated, absolute)

    def _immediate(self, span: int) -> int:
        """Return an immediate: of two words the upper one of a double, or an integer with its sign."""
        if span == 1:
            return f.IMMEDIATE.of(self.word)
        if self.row.meaning in WIDE_INTEGERS:
            return f.IMMEDIATE.signed(self.word) & WIDE_MASK
        return f.IMMEDIATE.of(self.word) << 32

    def _selected(self, uniform: bool) -> SassOperand:
        """Return the second source of SEL.64."""
        if self.form == C_IMMEDIATE:
            return SassOperand(OperandKind.IMMEDIATE, f.IMMEDIATE_33.signed(self.word) & WIDE_MASK, 2)
        return self._source(f.SOURCE_32, 2, uniform)

    def _predicate(self, letter: str, uniform: bool) -> SassOperand:
        place = f.PREDICATES[letter]
        negated = place.negate is not None and bool(place.negate.of(self.word))
        # A predicate operation takes uniform predicates too, where bit 67 says so.
        if letter == "r" and self.row.meaning == "plop3" and self.word >> 67 & 1:
            uniform = True
        kind = OperandKind.UNIFORM_PREDICATE if uniform else OperandKind.PREDICATE
        return SassOperand(kind, place.number.of(self.word), negated=negated)

    def _branch_register(self) -> SassOperand | None:
        """Return the lanes that a BRA.DIV or BRA.CONV compares with."""
        if self.modifiers.get("kind", 0) not in DEPENDS_ON_LANES:
            return None
        if self.encoding.branches_take_living_lanes and not f.HAS_UNIFORM.of(self.word):
            return SassOperand(OperandKind.IMMEDIATE, f.ALL_LANES)  # the living ones
        number, may_be = f.SOURCE_24.number.of(self.word), self.encoding.branch_masks_may_be_inverted
        negated = may_be and bool(self.word >> 24 & COMPLEMENT)
        return SassOperand(OperandKind.UNIFORM, self._uniform(number), negated=negated)

    def _special(self, base: str) -> SassOperand | None:
        word = self.word
        match base:
            case "m":
                return self._address()
            case "y":
                offset = f.COPY_TARGET_OFFSET.signed(word)
                return SassOperand(OperandKind.ADDRESS, f.DESTINATION.of(word), offset=offset)
            case "x":
                return self._constant_place()
            case "S":
                number = f.BitField(72, 8).of(word)
                if number not in SPECIAL_REGISTERS:
                    raise UnknownInstruction(f"special register {REFUSED_REGISTERS.get(number, number)}")
                return SassOperand(OperandKind.SPECIAL, number)
            case "I":
                return SassOperand(OperandKind.IMMEDIATE, f.IMMEDIATE_64.of(word), 2)
            case "i":
                if self.row.name == "WARPSYNC.ALL" and self.encoding.warpsync_reads_source_24:
                    return None
                return SassOperand(OperandKind.IMMEDIATE, f.IMMEDIATE.of(word))
            case "z":
                return SassOperand(OperandKind.REGISTER, f.METADATA.of(word))
            case "Z":
                return SassOperand(OperandKind.IMMEDIATE, f.METADATA_LANE.of(word))
            case "o":
                return self._texture()
            case "B":
                return SassOperand(OperandKind.BARRIER, f.BitField(16, 4).of(word))
            case "Bs":
                return SassOperand(OperandKind.BARRIER, f.BitField(24, 4).of(word))
            case "Bd":
                return SassOperand(OperandKind.BARRIER, f.BitField(24, 4).of(word))
            case "L":
                return self._target()
            case "n" | "N":
                return self._small(base)
        raise AssertionError(f"{self.row.name}: no operand {base}")

    def _target(self) -> SassOperand:
        """Return the target of a branch, relative to its own place: a word has it relative to the next one, in bytes
        (BSSY) or in units of four."""
        field = f.BitField(34, 48)
        if self.row.name == "BSSY":
            offset = 4 * f.BitField(34, 30).signed(self.word)
        elif self.encoding.splits_branch_offsets:  # the low bits of the offset lie apart
            offset = 4 * (field.signed(self.word) << 8 | f.DESTINATION.of(self.word))
        else:
            offset = 4 * field.signed(self.word)
        return SassOperand(OperandKind.TARGET, f.WORD_BYTES + offset)

    def _address(self) -> SassOperand:
        word = self.word
        uniform, is_global = None, self.row.space in GLOBAL_SPACES
        if f.HAS_UNIFORM.of(word):
            low = 32 if self.row.op.name == "LD" or self.row.op not in MEMORY_OPS else 64
            uniform = self._uniform(f.BitField(low, 8).of(word))
            described = self.encoding.has_descriptors and is_global and self._has_descriptor()
            if described or uniform == f.URZ:
                uniform = None  # it holds a descriptor of the memory, not an address
        number = f.SOURCE_24.number.of(word)
        if self.row.name == "SYNCS.EXCH.64":
            uniform, number = self._uniform(number), f.RZ
        if self.row.name == "LDGSTS":
            if not f.HAS_DESCRIPTOR_OF["LD"][0].of(word):
                raise UnknownInstruction("LDGSTS with a uniform address")
            offset, uniform = f.COPY_SOURCE_OFFSET.signed(word), None
        elif self._has_long_offset():
            offset = f.IMMEDIATE.signed(word)
        else:
            is_atomic = self.row.op.name == "ATOM" and "tw" not in self.row.operands
            is_short = self.encoding.has_short_atomic_offsets and is_atomic and is_global
            offset = (f.ATOMIC_OFFSET if is_short else f.MEMORY_OFFSET).signed(word)
        wide = (is_global or self.row.name == "QSPC") and bool(self.modifiers.get("e"))
        # A flag says of the register beside a uniform one that it is a pair.
        may_be_single = self.row.op.name in ("LD", "ST") and self.row.name != "LDGSTS"
        single = may_be_single and f.HAS_UNIFORM.of(word) and not f.HAS_PAIR_BESIDE_UNIFORM.of(word)
        return SassOperand(
            OperandKind.ADDRESS, number, 2 if wide and not single else 1, uniform=uniform,
            extended=bool(wide and single), offset=offset,
            scale=SCALES[self.modifiers.get("scale", 0)] if self.row.op in MEMORY_OPS else 1,
        )  # fmt: skip

    def _has_long_offset(self) -> bool:
        """Return whether the offset of an access has 32 bits: by generic addresses, without a uniform register."""
        has_one = self.row.name == "LD" or f.OPCODE.of(self.word) == ST_WITHOUT_DESCRIPTOR
        return has_one and not f.HAS_UNIFORM.of(self.word)

    def _has_descriptor(self) -> int:
        """Return whether the uniform register of an access to global memory holds a descriptor of the memory."""
        late = self.encoding.late_descriptor_bits
        if late and self.row.op.name == "ATOM" and "sum" in self.modifiers:
            return f.HAS_DESCRIPTOR_OF_LATE_FLOATS.of(self.word)
        return f.HAS_DESCRIPTOR_OF[self.row.op.name][late].of(self.word)

    def _constant_place(self) -> SassOperand:
        """Return the place in constant memory that a load reads."""
        word, is_late = self.word, self.row.name == "LDCU"
        offset = f.CONSTANT_OFFSET_OF_LDCU if is_late else f.CONSTANT_OFFSET
        bank, span = f.CONSTANT_BANK.of(word) << 16, self._span("xw")
        register = f.SOURCE_24.number.of(word)
        kind: Literal[OperandKind.REGISTER, OperandKind.UNIFORM] = OperandKind.REGISTER
        is_fixed = register == f.RZ
        if is_late or self.row.name == "ULDC":
            register, kind = self._uniform(register), OperandKind.UNIFORM
            is_fixed = register == f.URZ or f.OPCODE.of(word) == ULDC_AT_FIXED_PLACE
        if is_fixed:
            return SassOperand(OperandKind.CONSTANT, bank | offset.of(word), span)
        return SassOperand(
            OperandKind.CONSTANT, bank, span, uniform=register, offset=offset.signed(word), indexed_by=kind
        )

    def _texture(self) -> SassOperand:
        """Return what holds the descriptor's address: a constant, or a uniform register."""
        if self.encoding.textures_in_registers:
            return SassOperand(OperandKind.UNIFORM, self._uniform(f.TEXTURE_REGISTER.of(self.word)))
        offset = f.WORD_OF_CONSTANT * f.TEXTURE_WORD.of(self.word)
        return SassOperand(OperandKind.CONSTANT, f.CONSTANT_BANK.of(self.word) << 16 | offset)

    def _small(self, base: str) -> SassOperand:
        """Return a shuffle's lane or clamp, or a barrier's number."""
        word, code = self.word, f.OPCODE.of(self.word)
        if self.row.name == "SHFL":
            if base == "n":
                constant = code in (0x989, 0xF89)
                return (
                    SassOperand(OperandKind.IMMEDIATE, f.BitField(53, 5).of(word))
                    if constant
                    else SassOperand(OperandKind.REGISTER, f.SOURCE_32.number.of(word))
                )
            constant = code in (0x589, 0xF89)
            return (
                SassOperand(OperandKind.IMMEDIATE, f.BitField(40, 13).of(word))
                if constant
                else SassOperand(OperandKind.REGISTER, f.SOURCE_64.number.of(word))
            )
        if self.row.name == "BAR":
            if code in (BAR_PACKED, BAR_NUMBER_IN_REGISTER if base == "n" else BAR_COUNT_IN_REGISTER):
                return SassOperand(OperandKind.REGISTER, f.SOURCE_32.number.of(word))
            field = f.BARRIER_NUMBER if base == "n" else f.BARRIER_COUNT
            return SassOperand(OperandKind.IMMEDIATE, field.of(word))
        lut = self.modifiers["lut"] << 3 | self.modifiers["lutlow"]
        return SassOperand(OperandKind.IMMEDIATE, lut if base == "n" else self.modifiers["second"])
