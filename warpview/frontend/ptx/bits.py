"""Lower the instructions of PTX that choose, shift or combine bits and bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpview.frontend import features
from warpview.frontend.ir import Const, Value, const
from warpview.frontend.ptx.syntax import TYPES, PtxInstruction, operation_type
from warpview.isa.modes import Cmp
from warpview.isa.ops import Op
from warpview.isa.types import Type

if TYPE_CHECKING:
    from warpview.frontend.ptx.lowering import PtxCall


def extract_field(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower bfe: two shifts where position and length are constants; else as the PTX ISA defines it, by shifts whose
    counts are limited."""
    type_ = ins.types[-1]
    bits = 8 * type_.bytes
    value, start, length = low.read(ins.operands[1], type_), *_field(low, ins, 2)
    if isinstance(start, Const) and isinstance(length, Const) and 0 < length.bits <= bits - start.bits:
        up = low.emit(Op.SHL, type_, value, const(Type.U32, bits - start.bits - length.bits))
        low.write(ins.operands[0], low.emit(Op.SHR, type_, up, const(Type.U32, bits - length.bits)))
        return
    lowest = low.emit(Op.SHR, type_, value, start)
    if type_.is_signed:  # the sign is the highest bit of the field, or of the value where the field ends beyond it
        limited = low.emit(Op.MIN, Type.U32, length, const(Type.U32, bits))
        above = low.emit(Op.SUB, Type.U32, const(Type.U32, bits), limited)
        result = low.emit(Op.SHR, type_, low.emit(Op.SHL, type_, lowest, above), above)
    else:
        result = low.emit(Op.AND, type_, lowest, _ones(low, type_, length))
    low.write(ins.operands[0], result)


def insert_field(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower bfi: masks and shifts."""
    type_ = ins.types[-1]
    inserted, target = low.read(ins.operands[1], type_), low.read(ins.operands[2], type_)
    start, length = _field(low, ins, 3)
    mask = low.emit(Op.SHL, type_, _ones(low, type_, length), start)
    inner = low.emit(Op.AND, type_, low.emit(Op.SHL, type_, inserted, start), mask)
    outer = low.emit(Op.AND, type_, target, low.emit(Op.NOT, type_, mask))
    low.write(ins.operands[0], low.emit(Op.OR, type_, inner, outer))


def _field(low: PtxCall, ins: PtxInstruction, first: int) -> tuple[Value, Value]:
    """Return position and length of a field: the low byte of two operands."""
    low_byte = const(Type.U32, 0xFF)
    start, length = (low.read(operand, Type.U32) for operand in ins.operands[first : first + 2])
    if isinstance(start, Const) and isinstance(length, Const):
        return const(Type.U32, start.bits & 0xFF), const(Type.U32, length.bits & 0xFF)
    return low.emit(Op.AND, Type.U32, start, low_byte), low.emit(Op.AND, Type.U32, length, low_byte)


def _ones(low: PtxCall, type_: Type, count: Value) -> Value:
    """Return a value whose lowest ``count`` bits are ones; all of them from the type's width on."""
    if isinstance(count, Const):
        return const(type_, (1 << count.bits) - 1)
    power = low.emit(Op.SHL, type_, const(type_, 1), count)
    return low.emit(Op.SUB, type_, power, const(type_, 1))


def make_mask(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower bmsk: as many ones as the second source says, from the bit on that the first one says; with clamp none
    above the highest bit, with wrap both numbers count modulo 32."""
    start, length = (low.read(operand, Type.U32) for operand in ins.operands[1:3])
    if "wrap" in ins.modifiers:
        start, length = (low.emit(Op.AND, Type.U32, value, const(Type.U32, 31)) for value in (start, length))
    low.write(ins.operands[0], low.emit(Op.SHL, Type.U32, _ones(low, Type.U32, length), start))


def find_highest(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower bfind: the place of the highest one, of negative numbers that of the highest zero, or how far it is from
    the top; -1 where there is none."""
    type_ = ins.types[-1]
    value = low.read(ins.operands[1], type_)
    if type_.is_signed:
        value = low.emit(Op.XOR, type_, value, low.emit(Op.SHR, type_, value, const(Type.U32, 8 * type_.bytes - 1)))
    zeros = low.emit(Op.CLZ, type_, value)
    if "shiftamt" in ins.modifiers:
        is_zero = low.emit(Op.SETP, type_, value, const(type_, 0), mod=Cmp.EQ)
        result = low.emit(Op.SELP, Type.U32, const(Type.U32, -1), zeros, is_zero)
    else:
        result = low.emit(Op.SUB, Type.U32, const(Type.U32, 8 * type_.bytes - 1), zeros)
    low.write(ins.operands[0], result)


# The selectors of prmt's modes by the two lowest bits of the third source: of each byte of the result the byte of the
# two sources, the lowest first (PTX ISA, prmt).
PERMUTATIONS = {
    "f4e": (0x3210, 0x4321, 0x5432, 0x6543), "b4e": (0x5670, 0x6701, 0x7012, 0x0123),
    "rc8": (0x0000, 0x1111, 0x2222, 0x3333), "ecl": (0x3210, 0x3211, 0x3222, 0x3333),
    "ecr": (0x0000, 0x1110, 0x2210, 0x3210), "rc16": (0x1010, 0x3232, 0x1010, 0x3232),
}  # fmt: skip


def permute(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower prmt: with a mode its selector is one of four."""
    if ins.modifiers[0] != "b32" or not PERMUTATIONS.keys() >= set(ins.modifiers[1:]):
        low.refuse(f"'{ins.name}'")
    *sources, selector = (low.read(operand, Type.U32) for operand in ins.operands[1:])
    for mode in ins.modifiers[1:]:
        low_bits = low.emit(Op.AND, Type.U32, selector, const(Type.U32, 3))
        selector = const(Type.U32, PERMUTATIONS[mode][0])
        for number, chosen in enumerate(PERMUTATIONS[mode][1:], 1):
            is_it = low.emit(Op.SETP, Type.U32, low_bits, const(Type.U32, number), mod=Cmp.EQ)
            selector = low.emit(Op.SELP, Type.U32, const(Type.U32, chosen), selector, is_it)
    low.write(ins.operands[0], low.emit(Op.PRMT, Type.U32, *sources, selector))


def invert_logically(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower cnot: 1 where the source is 0, else 0."""
    type_ = ins.types[-1]
    is_zero = low.emit(Op.SETP, type_, low.read(ins.operands[1], type_), const(type_, 0), mod=Cmp.EQ)
    result = operation_type(type_)
    low.write(ins.operands[0], low.emit(Op.SELP, result, const(result, 1), const(result, 0), is_zero))


def extend_sign(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower szext: the lowest bits of a word, as many as the second source says, widened as the type says; with wrap
    their number counts modulo 32, with clamp it is 32 at most."""
    type_ = ins.types[-1]
    value, count = low.read(ins.operands[1], type_), low.read(ins.operands[2], Type.U32)
    if "wrap" in ins.modifiers:
        count = low.emit(Op.AND, Type.U32, count, const(Type.U32, 31))
    else:
        count = low.emit(Op.MIN, Type.U32, count, const(Type.U32, 32))
    above = low.emit(Op.SUB, Type.U32, const(Type.U32, 32), count)
    low.write(ins.operands[0], low.emit(Op.SHR, type_, low.emit(Op.SHL, type_, value, above), above))


def funnel_shift(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower shf."""
    direction, mode = ins.modifiers[0], ins.modifiers[1]
    sources = [low.read(operand, Type.U32) for operand in ins.operands[1:]]
    mod = {"l": 0, "r": 1}[direction] + {"wrap": 0, "clamp": 2}[mode]
    low.write(ins.operands[0], low.emit(Op.SHF, Type.U32, *sources, mod=mod))


def combine_three(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower lop3: the minterms of its table, or those of the complement where these are fewer."""
    if ins.modifiers != ("b32",):
        low.refuse(f"'{ins.name}'")
    low.require(features.LOGIC_OF_THREE)
    sources = [low.read(operand, Type.U32) for operand in ins.operands[1:4]]
    table = ins.operands[4].value & 0xFF
    inverts = table.bit_count() > 4
    minterms = [k for k in range(8) if (table >> k & 1) != inverts]
    result: Value = const(Type.U32, 0)
    for k in minterms:
        term: Value = const(Type.U32, 0xFFFFFFFF)
        for place, source in enumerate(sources):
            factor = source if k >> (2 - place) & 1 else low.emit(Op.NOT, Type.U32, source)
            term = low.emit(Op.AND, Type.U32, term, factor)
        result = low.emit(Op.OR, Type.U32, result, term)
    low.write(ins.operands[0], low.emit(Op.NOT, Type.U32, result) if inverts else result)


def dot_product(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower dp4a and dp2a: products of the bytes of the second operand, summed up."""
    low.require(features.DOT_PRODUCTS)
    of_a, of_b = (TYPES[m] for m in ins.modifiers if m in ("u32", "s32"))
    a, b = low.read(ins.operands[1], of_a), low.read(ins.operands[2], of_b)
    total: Value = low.read(ins.operands[3], Type.U32)
    is_bytes = ins.opcode == "dp4a"
    if is_bytes and of_a == of_b:
        low.write(ins.operands[0], low.emit(Op.DP4A, of_a, a, b, total))
        return
    first = 16 if "hi" in ins.modifiers else 0
    for k in range(4 if is_bytes else 2):
        left = _part(low, of_a, a, 8 * k, 8) if is_bytes else _part(low, of_a, a, 16 * k, 16)
        right = _part(low, of_b, b, first + 8 * k, 8)
        total = low.emit(Op.MAD, Type.U32, left, right, total)
    low.write(ins.operands[0], total)


def _part(low: PtxCall, type_: Type, value: Value, start: int, length: int) -> Value:
    """Return some bits of a value, widened as its type says."""
    up = low.emit(Op.SHL, type_, value, const(Type.U32, 32 - start - length))
    return low.emit(Op.SHR, type_, up, const(Type.U32, 32 - length))
