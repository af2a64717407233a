"""Keep the registers of a warp that executes NVIDIA's machine code, and read and write operands of its instructions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warpview.isa.bank_places import OF_SPECIAL_REGISTERS
from warpview.isa.exact_floats import F32, Exact, FloatFormat, decode, flushed
from warpview.isa.native import BARRIERS
from warpview.isa.program import Program
from warpview.isa.types import FULL, SHARED_WINDOW, Type
from warpview.sass import fields as f
from warpview.sass import special
from warpview.sass.operation import OperandKind, SassOperand, SassOperation
from warpview.sass.rows import PREDICATE_COUNT
from warpview.sim.arguments.constant_banks import constant_banks
from warpview.sim.launch import Launch, coordinates
from warpview.sim.reference.registers import LANES, lanes_of

GENERAL_REGISTERS, UNIFORM_REGISTERS = 256, 256
WORD_MASK, SIGN = 0xFFFFFFFF, 0x80000000


class NativeRegisters:
    """Hold the registers of one warp.

    ``general[register][lane]``, ``uniform[register]``, ``predicates[predicate][lane]`` (0 or 1),
    ``uniform_predicates[predicate]``, ``barriers[barrier]`` (the members),
    ``restored[barrier]`` (whether BMOV has set it and nobody has gone on since), and ``result[lane]`` of the last
    reduction at a block barrier. ``banks`` are the constant banks by number.
    """

    def __init__(self, program: Program, launch: Launch, block: int, warp: int, multiprocessors: int) -> None:
        assert program.native is not None
        self.general = [[0] * LANES for _ in range(GENERAL_REGISTERS)]
        self.uniform = [0] * UNIFORM_REGISTERS
        self.predicates = [[0] * LANES for _ in range(PREDICATE_COUNT)]
        self.uniform_predicates = [0] * PREDICATE_COUNT
        self.barriers = [0] * BARRIERS
        self.restored = [False] * BARRIERS
        self.result = [0] * LANES
        self.banks = constant_banks(program, program.native, launch)
        self._special = _special_registers(launch, block, warp, multiprocessors)
        self._layout = program.native, program.rows32, program.rows64, launch

    def special(self, number: int, lane: int) -> int:
        """Return what a special register holds, other than a clock."""
        if number in special.OF_LAUNCH:
            at = 4 * special.OF_LAUNCH.index(number)
            return int.from_bytes(self.banks[OF_SPECIAL_REGISTERS][at : at + 4], "little")
        return self._special[number][lane]

    def holding(self, predicate: SassOperand, mask: int) -> int:
        """Return the lanes of ``mask`` where a predicate holds, or its negation where the operand is negated."""
        if predicate.is_true:
            return 0 if predicate.negated else mask
        if predicate.kind == OperandKind.UNIFORM_PREDICATE:
            return mask if bool(self.uniform_predicates[predicate.index]) != predicate.negated else 0
        held, sought = self.predicates[predicate.index], int(not predicate.negated)
        return sum(1 << lane for lane in lanes_of(mask) if held[lane] == sought)

    def row(self, type_: Type, row: int) -> list[int]:
        """Return the 32 lanes of a row as the program numbers them: a constant of the launch, or a register."""
        native, _, _, launch = self._layout
        if row < len(launch.uniform32):
            return [int(launch.uniform32[row])] * LANES
        return self._named(next(name for name, place in native.registers.items() if place == row))

    def arrays(self) -> tuple[NDArray[np.uint32], NDArray[np.uint64]]:
        """Return the registers as the rows of the program have them: uint32[rows32, 32] and uint64[rows64, 32]."""
        native, rows32, rows64, launch = self._layout
        words, pairs = np.zeros((rows32, LANES), np.uint32), np.zeros((rows64, LANES), np.uint64)
        words[: len(launch.uniform32)] = launch.uniform32[:, None]
        pairs[: len(launch.uniform64)] = launch.uniform64[:, None]
        for name, row in native.registers.items():
            words[row] = self._named(name)
        return words, pairs

    def _named(self, name: str) -> list[int]:
        kind, number = name.rstrip("0123456789"), int(name.lstrip("URPB"))
        match kind:
            case "R":
                return self.general[number]
            case "UR":
                return [self.uniform[number]] * LANES
            case "P":
                return self.predicates[number]
            case "UP":
                return [self.uniform_predicates[number]] * LANES
        return [self.barriers[number]] * LANES


def _special_registers(launch: Launch, block: int, warp: int, multiprocessors: int) -> Mapping[int, list[int]]:
    width, height, _ = launch.block
    threads = range(warp * LANES, (warp + 1) * LANES)
    x, y, z = coordinates(block, launch.grid)
    own = [1 << lane for lane in range(LANES)]
    return {
        special.LANEID: list(range(LANES)),
        special.TID_X: [t % width for t in threads],
        special.TID_Y: [t // width % height for t in threads],
        special.TID_Z: [t // (width * height) for t in threads],
        special.CTAID_X: [x] * LANES,
        special.CTAID_Y: [y] * LANES,
        special.CTAID_Z: [z] * LANES,
        special.CGA_CTA_ID: [launch.rank(block)] * LANES,
        special.VIRTUAL_SMID: [block % multiprocessors] * LANES,
        special.SHARED_WINDOW_HIGH: [SHARED_WINDOW >> 32] * LANES,
        special.VIRTUAL_ID: [warp << special.WARP_BIT] * LANES,
        special.CGA_SIZE: [0] * LANES,
        special.ZERO: [0] * LANES,
        special.STACK_LIMIT: [0] * LANES,
        special.EQMASK: own,
        special.LTMASK: [bit - 1 for bit in own],
        special.LEMASK: [2 * bit - 1 for bit in own],
        special.GTMASK: [FULL & ~(2 * bit - 1) for bit in own],
        special.GEMASK: [FULL & ~(bit - 1) for bit in own],
    }


@dataclass(slots=True)  # not frozen, which takes four times as long to make: one is made for each lane that executes
class Lane:
    """Give an instruction's function the operands of one lane. Letters are those of the table of opcodes."""

    registers: NativeRegisters
    operation: SassOperation
    lane: int  # the next one where an instruction is executed lane by lane

    # ---------------------------------------------------------------------------------------- sources

    def modifier(self, name: str) -> int:
        """Return a modifier of the instruction; 0 where its opcode has none of that name."""
        return self.operation.modifiers.get(name, 0)

    def operand(self, letter: str) -> SassOperand:
        return self.operation.operands[letter]

    def word(self, letter: str, k: int = 0) -> int:
        """Return the k-th 32-bit word of a source, without its modifiers."""
        return self.word_of(self.operand(letter), k)

    def word_of(self, operand: SassOperand, k: int = 0) -> int:
        """Return the k-th word of an operand."""
        if operand.is_zero:
            return 0
        match operand.kind:
            case OperandKind.REGISTER:
                return self.registers.general[operand.index + k][self.lane]
            case OperandKind.UNIFORM:
                return self.registers.uniform[operand.index + k]
            case OperandKind.IMMEDIATE:
                return operand.index >> 32 * k & WORD_MASK
            case OperandKind.BARRIER:
                return self.registers.barriers[operand.index]
        assert operand.kind == OperandKind.CONSTANT
        bank, place = self.registers.banks[operand.index >> 16], (operand.index & 0xFFFF) + 4 * k
        return int.from_bytes(bank[place : place + 4], "little")

    def pair(self, letter: str) -> int:
        """Return a source of 64 bits, without its modifiers."""
        return self.word(letter) | self.word(letter, 1) << 32

    def term(self, letter: str, complements: bool = False) -> int:
        """Return a source of a sum, whose negative is its complement plus one; without the one where a carry comes
        in its place. The result may have 33 bits: what is added decides the carry."""
        value = self.word(letter)
        if not self.operand(letter).negated:
            return value
        return (~value & WORD_MASK) + (not complements)

    def signed(self, letter: str, is_signed: bool | int = True) -> int:
        """Return a source as an integer with or without sign."""
        value = self.word(letter)
        return value - (1 << 32) if is_signed and value & SIGN else value

    def float_bits(self, letter: str, ftz: int = 0) -> int:
        """Return the pattern of a 32-bit float, after its absolute value and its sign."""
        bits = self._signs(letter, self.word(letter), SIGN)
        return flushed(F32, bits) if ftz else bits

    def double_bits(self, letter: str) -> int:
        return self._signs(letter, self.pair(letter), 1 << 63)

    def _signs(self, letter: str, bits: int, sign: int) -> int:
        operand = self.operand(letter)
        if operand.absolute:
            bits &= ~sign
        return bits ^ sign if operand.negated else bits

    def halves(self, letter: str, format_: FloatFormat) -> tuple[Exact, Exact]:
        """Return the two halves of a source, the lower first, after its choice of halves and its signs."""
        parts = self._parts(letter)
        low, high = (decode(format_, self._signs(letter, part, 0x8000)) for part in parts)
        return low, high

    def half_signs(self, letters: str) -> list[int]:
        """Return the signs of the products of the halves that registers have, the lower first, in bit 15."""
        signs = [0, 0]
        for letter in letters:
            signs = [sign ^ part & 0x8000 for sign, part in zip(signs, self._parts(letter), strict=True)]
        return signs

    def _parts(self, letter: str) -> list[int]:
        """Return the patterns of the halves of a source, after its choice of them."""
        operand, word = self.operand(letter), self.word(letter)
        parts = [word & 0xFFFF, word >> 16]
        if operand.swizzle == f.LOWER_HALF:
            parts[1] = parts[0]
        elif operand.swizzle == f.UPPER_HALF:
            parts[0] = parts[1]
        elif operand.swizzle == f.TURNED:
            parts = [parts[1] ^ 0x8000, parts[0]]
        return parts

    def address(self, letter: str) -> int:
        """Return the sum of the register, the uniform register and the offset of an address."""
        operand = self.operand(letter)
        wide = operand.has_wide_address
        total = operand.offset
        if operand.index != f.RZ:
            general = self.registers.general
            high = general[operand.index + 1][self.lane] if operand.span == 2 else 0
            total += general[operand.index][self.lane] * operand.scale + (high << 32)
        if operand.uniform is not None and operand.uniform != f.URZ:
            uniform = self.registers.uniform
            total += uniform[operand.uniform] + (uniform[operand.uniform + 1] << 32 if wide else 0)
        return total & ((1 << 64) - 1 if wide else WORD_MASK)

    def predicate(self, letter: str) -> bool:
        return self.holds(self.operand(letter))

    def holds(self, operand: SassOperand) -> bool:
        """Return whether a predicate holds, or its negation where the operand is negated."""
        if operand.is_true:
            return not operand.negated
        if operand.kind == OperandKind.UNIFORM_PREDICATE:
            return bool(self.registers.uniform_predicates[operand.index]) != operand.negated
        return bool(self.registers.predicates[operand.index][self.lane]) != operand.negated

    # ---------------------------------------------------------------------------------------- results

    def give(self, value: int, letter: str = "d", k: int = 0) -> None:
        """Write the k-th word of a result."""
        operand = self.operand(letter)
        if operand.is_zero:
            return
        if operand.kind == OperandKind.UNIFORM:
            self.registers.uniform[operand.index + k] = value & WORD_MASK
        else:
            self.registers.general[operand.index + k][self.lane] = value & WORD_MASK

    def give_pair(self, value: int) -> None:
        """Write a result of 64 bits."""
        self.give(value)
        self.give(value >> 32, k=1)

    def give_predicate(self, letter: str, held: bool) -> None:
        """Write a destination predicate, unless it is PT."""
        operand = self.operation.operands.get(letter)
        if operand is None or operand.is_true:
            return
        if operand.kind == OperandKind.UNIFORM_PREDICATE:
            self.registers.uniform_predicates[operand.index] = int(held)
        else:
            self.registers.predicates[operand.index][self.lane] = int(held)
