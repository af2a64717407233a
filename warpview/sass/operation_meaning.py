"""Find what decoded operations mean: the function of the reference and the jit that executes each, and its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from warpview.isa.native import ANY_LANE, SpecialAtomic
from warpview.isa.ops import BarRedOp
from warpview.sass import fields as f
from warpview.sass import special
from warpview.sass.matrices import pieces_of_metadata
from warpview.sass.meanings import (
    INTEGER_SUMS,
    INTERPOLATED,
    PAIR_MEANINGS,
    VARIANTS,
    WIDE_INTEGERS,
    Variant,
    variant_of,
)
from warpview.sass.operand_rows import SPECIAL_ROWS, UnsupportedOperation
from warpview.sass.operation import OperandKind, SassOperation
from warpview.sass.system_calls import SystemCall
from warpview.sass.texture_operands import texture_operation
from warpview.sass.unsupported_operands import refuse_unsupported_operands
from warpview.sass.word_reader import CONVERGED

REDUCING = 2  # mode of BAR
NO_FACTOR = 4  # of FMUL: the value of its modifier that multiplies by one
DOUBLE_BIAS, DOUBLE_DIGITS = 1023, 52
UPPER_BYTES = 6  # of the modifier "high" of F2FP
LANE_MASKS = (special.EQMASK, special.LTMASK, special.LEMASK, special.GTMASK, special.GEMASK)


@dataclass(frozen=True)
class Meaning:
    """Hold the name of a function of the reference and the jit, its variant, and the two numbers that it takes."""

    name: str
    imm: int = 0
    extra: int = 0
    variant: Variant = ()


@dataclass(frozen=True)
class PlacedCall:
    """Describe a call of the driver's, or a trap: ``index`` of its text among those of the program."""

    call: SystemCall
    index: int


def meaning_of(operation: SassOperation, calls: Mapping[int, PlacedCall]) -> Meaning:
    """Return what an operation means with its operands, which may be simpler than what its opcode means."""
    meaning = operation.row.meaning
    refuse_unsupported_operands(operation)
    if meaning == "ldc":
        return _constant_load(operation)
    if meaning == "s2r":
        return _special_register(operation)
    if meaning in ("call", "trap"):
        return Meaning(meaning, calls[operation.address].index)
    if meaning == "texture":
        return _texture(operation)
    if meaning in ("bulk", "scatter"):  # whose work on a barrier is that of an operation on its counts
        return Meaning(meaning, operation.modifiers.get("multicast", 0), int(SpecialAtomic.COUNT))
    if meaning == "lepc":
        return Meaning("mov2")
    m, operands = operation.modifiers, operation.operands
    imm, extra = m.get("lut", m.get("shift", m.get("compare", 0))), m.get("boolean", 0)
    if meaning == "mufu" and m["function"] in INTERPOLATED and not m["format"]:
        return Meaning("approximation", variant=(m["function"],))
    if meaning == "fmul" and m["factor"] != NO_FACTOR:
        return _scaled_product(operation)
    if meaning == "dsetp" and imm in (0, 15):
        return Meaning("dminmax", 0, m["boolean"], (int(imm == 15),))
    if meaning in INTEGER_SUMS and not m.get("x"):
        extra = sum(1 for k in "abc" if k in operands and operands[k].negated)
    if meaning in WIDE_INTEGERS or meaning == "imadwide":
        extra |= sum(1 << k for k, letter in enumerate("abc") if letter in operands and operands[letter].negated)
    if meaning == "plop3":
        imm, extra = operands["n"].index, operands["N"].index
    if meaning in ("hmmasp", "immasp"):
        imm = operands["Z"].index * pieces_of_metadata(meaning, m)
    if meaning == "plop3signs":
        extra = m["second"]
    if operation.row.name == "NANOSLEEP":
        extra = 1
    if meaning in ("p2r", "r2p"):
        imm, extra = operands["i"].index, m["byte"]
    if meaning in ("bmov", "bmovclear"):
        extra = 0
    if operation.row.name == "BAR" and m["mode"] == REDUCING:
        extra = 1 + reduction_of(operation)
    if meaning == "qspc":
        imm = operands["m"].offset
    if meaning == "hfma2" and not m["f32"] and _is_constant(operation):
        return Meaning("halfconstant")
    if meaning in PAIR_MEANINGS:
        extra |= _halves_taken(operation)
    if meaning == "bra":
        imm = ANY_LANE if operation.goes_together else int(m.get("kind") == CONVERGED)
        extra = int("b" in operands and operands["b"].kind == OperandKind.IMMEDIATE)
    if meaning == "lea":
        negated = [operands[k].negated for k in "ab"]
        extra = int(negated[0]) | (0 if m["x"] else sum(negated)) << 1
    if meaning == "i2f" and "byte" in m and operands["b"].kind == OperandKind.REGISTER:
        extra = m["byte"] << m["source"]  # bytes of a byte, halves of a word
    if "upper" in m and operands["b"].kind == OperandKind.REGISTER:
        extra = m["upper"]
    if meaning == "f8tohalf":
        extra = 16 if m["high"] == UPPER_BYTES else 0
    if meaning not in VARIANTS:
        raise UnsupportedOperation(operation.mnemonic)
    return Meaning(meaning, imm, extra, variant_of(operation, meaning))


def _scaled_product(operation: SassOperation) -> Meaning:
    """Return the meaning of an FMUL whose product is multiplied by a power of two."""
    m = operation.modifiers
    if m["round"]:
        raise UnsupportedOperation(operation.mnemonic)
    bits = (DOUBLE_BIAS + m["factor"] - NO_FACTOR) << DOUBLE_DIGITS
    return Meaning("fmulscaled", bits, 0, (m["ftz"], m["sat"]))


def _texture(operation: SassOperation) -> Meaning:
    """Return the meaning of a texture instruction: ``imm`` says what it does."""
    return Meaning("texture", texture_operation(operation).number)


def _constant_load(operation: SassOperation) -> Meaning:
    """Return the meaning of a constant load: a copy from a fixed place, an access from a computed one."""
    place, size = operation.operands["x"], operation.modifiers["size"]
    if operation.modifiers.get("mode"):
        raise UnsupportedOperation(f"{operation.mnemonic} with another mode")
    if place.uniform is not None:
        if place.index >> 16 not in (0, 2, 3):
            raise UnsupportedOperation(f"{operation.mnemonic} at a computed place of bank {place.index >> 16}")
        return Meaning("memory")
    if size < 4:
        return Meaning("narrow", 8 * (place.index & 3), 0, (size,))
    return Meaning({1: "mov", 2: "mov2", 4: "mov4"}[place.span])


def _special_register(operation: SassOperation) -> Meaning:
    number = operation.operands["S"].index
    if number in SPECIAL_ROWS or number in (
        special.SHARED_WINDOW_HIGH,
        special.CGA_SIZE,
        special.ZERO,
        *special.OF_LAUNCH,
    ):
        return Meaning("mov2" if operation.operands["d"].span == 2 else "mov")
    if number in LANE_MASKS:
        return Meaning("lanemask", variant=(LANE_MASKS.index(number),))
    if number in special.CLOCKS:
        shift, is_timer = 32 if number in special.UPPER_WORDS else 0, int(number in special.TIMERS)
        return Meaning("clock", shift, is_timer, (operation.operands["d"].span - 1,))
    raise UnsupportedOperation(f"special register {special.SPECIAL_REGISTERS[number]}")


def reduction_of(operation: SassOperation) -> BarRedOp:
    return (BarRedOp.POPC, BarRedOp.AND, BarRedOp.OR)[operation.modifiers["reduce"]]


def _is_constant(operation: SassOperation) -> bool:
    """Return whether an HFMA2 gives a constant: zero times zero plus an immediate."""
    operands = operation.operands
    return operands["a"].is_zero and operands["b"].is_zero and operands["c"].kind == OperandKind.IMMEDIATE


def _halves_taken(operation: SassOperation) -> int:
    """Return bits from 4 on, two for each source: whether its upper half stands for the lower, and for the upper."""
    taken = 0
    for k, letter in enumerate("abc"):
        if letter in operation.operands:
            taken |= {f.BOTH_HALVES: 2, f.TURNED: 1, f.LOWER_HALF: 0, f.UPPER_HALF: 3}[
                operation.operands[letter].swizzle
            ] << 4 + 2 * k
    return taken
