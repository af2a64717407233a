"""Find what decoded operations mean: the function of the reference and the jit that executes each, and its numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
    if meaning in ("call", "trap"):
        return Meaning(meaning, calls[operation.address].index)
    if meaning in _WITH_OPERANDS and (found := _WITH_OPERANDS[meaning](operation)) is not None:
        return found
    if meaning not in VARIANTS:
        raise UnsupportedOperation(operation.mnemonic)
    imm, extra = _NUMBER.get(meaning, _number)(operation), _second_number(operation)
    return Meaning(meaning, imm, extra, variant_of(operation, meaning))


# ------------------------------------------------------------------------------------------------ the numbers


def _number(operation: SassOperation) -> int:
    m = operation.modifiers
    return m.get("lut", m.get("shift", m.get("compare", 0)))


def _second_number(operation: SassOperation) -> int:
    """Return the second number of an operation: some bits say what is negated, or which half of a register is taken."""
    meaning, m, operands = operation.row.meaning, operation.modifiers, operation.operands
    if operation.row.name == "NANOSLEEP":
        return 1
    if operation.row.name == "BAR" and m["mode"] == REDUCING:
        return 1 + reduction_of(operation)
    if "upper" in m and operands["b"].kind == OperandKind.REGISTER:
        return m["upper"]
    if meaning in _SECOND_NUMBER:
        return _SECOND_NUMBER[meaning](operation)
    number, negated = m.get("boolean", 0), [k for k in "abc" if k in operands and operands[k].negated]
    if meaning in INTEGER_SUMS and not m.get("x"):
        number = len(negated)
    if meaning in WIDE_INTEGERS or meaning == "imadwide":
        number |= sum(1 << "abc".index(letter) for letter in negated)
    return number | _halves_taken(operation) if meaning in PAIR_MEANINGS else number


def _which_lanes(operation: SassOperation) -> int:
    """Return which lanes a branch asks for."""
    return ANY_LANE if operation.goes_together else int(operation.modifiers.get("kind") == CONVERGED)


def _names_lanes(operation: SassOperation) -> int:
    """Return whether a branch names the lanes that take it."""
    return int("b" in operation.operands and operation.operands["b"].kind == OperandKind.IMMEDIATE)


def _negated_parts(operation: SassOperation) -> int:
    """Return what LEA negates: its first source in bit 0, in the others how many where no carry comes in."""
    negated = [operation.operands[k].negated for k in "ab"]
    return int(negated[0]) | (0 if operation.modifiers["x"] else sum(negated)) << 1


def _part_taken(operation: SassOperation) -> int:
    """Return which byte of a register a conversion takes; the halves of a word are numbered likewise."""
    m = operation.modifiers
    is_part = "byte" in m and operation.operands["b"].kind == OperandKind.REGISTER
    return m["byte"] << m["source"] if is_part else m.get("boolean", 0)


def _lane_of_metadata(operation: SassOperation) -> int:
    return operation.operands["Z"].index * pieces_of_metadata(operation.row.meaning, operation.modifiers)


_NUMBER: dict[str, Callable[[SassOperation], int]] = {
    "plop3": lambda operation: operation.operands["n"].index,
    "hmmasp": _lane_of_metadata,
    "immasp": _lane_of_metadata,
    "p2r": lambda operation: operation.operands["i"].index,
    "r2p": lambda operation: operation.operands["i"].index,
    "qspc": lambda operation: operation.operands["m"].offset,
    "bra": _which_lanes,
}
_SECOND_NUMBER: dict[str, Callable[[SassOperation], int]] = {
    "plop3": lambda operation: operation.operands["N"].index,
    "plop3signs": lambda operation: operation.modifiers["second"],
    "p2r": lambda operation: operation.modifiers["byte"],
    "r2p": lambda operation: operation.modifiers["byte"],
    "bmov": lambda operation: 0,
    "bmovclear": lambda operation: 0,
    "bra": _names_lanes,
    "lea": _negated_parts,
    "i2f": _part_taken,
    "f8tohalf": lambda operation: 16 if operation.modifiers["high"] == UPPER_BYTES else 0,
}


# ------------------------------------------------------------------------------------------------ simpler meanings


def _scaled_product(operation: SassOperation) -> Meaning | None:
    """Return the meaning of an FMUL whose product is multiplied by a power of two; None for another one."""
    m = operation.modifiers
    if m["factor"] == NO_FACTOR:
        return None
    if m["round"]:
        raise UnsupportedOperation(operation.mnemonic)
    bits = (DOUBLE_BIAS + m["factor"] - NO_FACTOR) << DOUBLE_DIGITS
    return Meaning("fmulscaled", bits, 0, (m["ftz"], m["sat"]))


def _approximation(operation: SassOperation) -> Meaning | None:
    """Return the meaning of a MUFU that interpolates; None for another one."""
    m = operation.modifiers
    interpolates = m["function"] in INTERPOLATED and not m["format"]
    return Meaning("approximation", variant=(m["function"],)) if interpolates else None


def _lower_or_higher(operation: SassOperation) -> Meaning | None:
    """Return the meaning of a DSETP that chooses a minimum or maximum; None for a comparison."""
    chooses = _number(operation)
    return Meaning("dminmax", 0, operation.modifiers["boolean"], (int(chooses == 15),)) if chooses in (0, 15) else None


def _constant_halves(operation: SassOperation) -> Meaning | None:
    """Return the meaning of an HFMA2 that gives a constant, as zero times zero plus an immediate; None for another."""
    operands = operation.operands
    is_constant = operands["a"].is_zero and operands["b"].is_zero and operands["c"].kind == OperandKind.IMMEDIATE
    return Meaning("halfconstant") if is_constant and not operation.modifiers["f32"] else None


def _counted_on_barrier(operation: SassOperation) -> Meaning:
    """Return the meaning of a copy whose work on a barrier is that of an operation on its counts."""
    return Meaning(operation.row.meaning, operation.modifiers.get("multicast", 0), int(SpecialAtomic.COUNT))


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
    if number == special.VIRTUAL_ID:
        return Meaning("warpid", special.WARP_BIT)
    if number in SPECIAL_ROWS or number in (
        special.SHARED_WINDOW_HIGH,
        special.CGA_SIZE,
        special.ZERO,
        special.STACK_LIMIT,
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


def _halves_taken(operation: SassOperation) -> int:
    """Return bits from 4 on, two for each source: whether its upper half stands for the lower, and for the upper."""
    taken = 0
    for k, letter in enumerate("abc"):
        if letter in operation.operands:
            taken |= {f.BOTH_HALVES: 2, f.TURNED: 1, f.LOWER_HALF: 0, f.UPPER_HALF: 3}[
                operation.operands[letter].swizzle
            ] << 4 + 2 * k
    return taken


# The meanings that depend on the operands, or None where the operands leave that of the opcode.
_WITH_OPERANDS: dict[str, Callable[[SassOperation], Meaning | None]] = {
    "ldc": _constant_load,
    "s2r": _special_register,
    "texture": _texture,
    "bulk": _counted_on_barrier,
    "scatter": _counted_on_barrier,
    "lepc": lambda operation: Meaning("mov2"),
    "mufu": _approximation,
    "fmul": _scaled_product,
    "dsetp": _lower_or_higher,
    "hfma2": _constant_halves,
}
