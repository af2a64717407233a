"""What an operation gives for constant operands, exactly as the simulated hardware would compute it."""

from __future__ import annotations

import operator
from collections.abc import Callable

import numpy as np

from warpview.frontend.ir import Const, Instr, const
from warpview.isa.ops import OPS, Cmp, Op
from warpview.isa.program import operand_type
from warpview.isa.types import Type

Number = int | float


def evaluate(instr: Instr) -> Const | None:
    """The result of an instruction whose sources are all constants; None where it is not worked out here."""
    if len(instr.dsts) != 1 or not instr.srcs or not all(isinstance(v, Const) for v in instr.srcs):
        return None
    raw = [v for v in instr.srcs if isinstance(v, Const)]
    if instr.op == Op.MOV:
        return retype(raw[0], instr.type)
    if instr.op == Op.SELP:
        return retype(raw[0] if raw[2].bits else raw[1], instr.type)
    values = [Const(type, c.bits).value for c, type in zip(raw, instr.src_types, strict=True)]
    result_type = operand_type(OPS[instr.op].dst, instr.type, instr.stype, instr.space)
    if instr.op == Op.CVT:
        return _convert(values[0], instr.stype, instr.type)
    if instr.op == Op.SETP:
        return const(Type.PRED, compare(Cmp(instr.mod), values[0], values[1]))
    if instr.type.is_float:
        return _float(instr.op, instr.type, values)
    function = _INTEGER.get(instr.op)
    if function is None:
        return None
    result = function([int(v) for v in values], 8 * instr.type.bytes if instr.type != Type.PRED else 1)
    return None if result is None else const(result_type, result)


def retype(value: Const, type: Type) -> Const:
    """The constant that a register of this type holds after a MOV of ``value``."""
    return const(type, value.bits) if type.bytes < 4 else Const(type, value.bits)


def compare(cmp: Cmp, a: Number, b: Number) -> bool:
    """Ordered, but NE holds for NaN, as Python's operators have it too."""
    return bool(_COMPARE[cmp](a, b))


_COMPARE: dict[Cmp, Callable[[Number, Number], bool]] = {
    Cmp.EQ: operator.eq,
    Cmp.NE: operator.ne,
    Cmp.LT: operator.lt,
    Cmp.LE: operator.le,
    Cmp.GT: operator.gt,
    Cmp.GE: operator.ge,
}


def _convert(value: Number, of: Type, to: Type) -> Const | None:
    if to == Type.PRED:
        return None
    if of.is_float and not to.is_float:
        if to.bytes < 4 or value != value:
            return None  # left to the simulator
        low, high = _range(to)
        return const(to, int(min(max(value, low), high)) if abs(value) < 2**65 else (high if value > 0 else low))
    if to == Type.F32 and not of.is_float and abs(value) > 2**53:
        return None  # would be rounded twice on the way through double
    if to.is_float and value != value:
        return None
    return const(to, value)


def _range(type: Type) -> tuple[int, int]:
    bits = 8 * type.bytes
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if type.is_signed else (0, (1 << bits) - 1)


def _float(op: Op, type: Type, values: list[Number]) -> Const | None:
    """One IEEE operation in the type's own precision; NaN results are left to the simulator."""
    function = _FLOAT.get(op)
    if function is None:
        return None
    scalar = np.float32 if type == Type.F32 else np.float64
    with np.errstate(all="ignore"):
        result = function(*(scalar(v) for v in values))
    return None if np.isnan(result) else const(type, float(result))


_FLOAT: dict[Op, Callable[..., np.floating]] = {
    Op.ADD: operator.add,
    Op.SUB: operator.sub,
    Op.MUL: operator.mul,
    Op.DIV: operator.truediv,
    Op.NEG: operator.neg,
    Op.ABS: abs,
    Op.SQRT: np.sqrt,
}


def divide(a: int, b: int, bits: int) -> int:
    """Integer quotient towards zero; all ones by zero."""
    if b == 0:
        return (1 << bits) - 1
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def remainder(a: int, b: int) -> int:
    """Integer remainder with the dividend's sign; all ones by zero."""
    return -1 if b == 0 else abs(a) % abs(b) * (-1 if a < 0 else 1)


def _shift_left(a: int, count: int, bits: int) -> int:
    return a << count if count < bits else 0


def _shift_right(a: int, count: int, bits: int) -> int:
    return a >> min(count, bits)


def _unsigned(a: int, bits: int) -> int:
    return a & ((1 << bits) - 1)


# Each takes the operands as numbers and the width in bits; the result wraps afterwards.
_INTEGER: dict[Op, Callable[[list[int], int], int | None]] = {
    Op.ADD: lambda v, _: v[0] + v[1],
    Op.SUB: lambda v, _: v[0] - v[1],
    Op.MUL: lambda v, _: v[0] * v[1],
    Op.MULHI: lambda v, bits: v[0] * v[1] >> bits,
    Op.MULWIDE: lambda v, _: v[0] * v[1],
    Op.MAD: lambda v, _: v[0] * v[1] + v[2],
    Op.MADWIDE: lambda v, _: v[0] * v[1] + v[2],
    Op.DIV: lambda v, bits: divide(v[0], v[1], bits),
    Op.REM: lambda v, _: remainder(v[0], v[1]),
    Op.MIN: lambda v, _: min(v),
    Op.MAX: lambda v, _: max(v),
    Op.NEG: lambda v, _: -v[0],
    Op.ABS: lambda v, _: abs(v[0]),
    Op.AND: lambda v, _: v[0] & v[1],
    Op.OR: lambda v, _: v[0] | v[1],
    Op.XOR: lambda v, _: v[0] ^ v[1],
    Op.NOT: lambda v, bits: 1 - v[0] if bits == 1 else ~v[0],
    Op.SHL: lambda v, bits: _shift_left(v[0], v[1], bits),
    Op.SHR: lambda v, bits: _shift_right(v[0], v[1], bits),
    Op.POPC: lambda v, bits: _unsigned(v[0], bits).bit_count(),
    Op.CLZ: lambda v, bits: bits - _unsigned(v[0], bits).bit_length(),
    Op.FFS: lambda v, bits: (v[0] & -v[0]).bit_length() if v[0] else 0,
    Op.BREV: lambda v, bits: int(f"{_unsigned(v[0], bits):0{bits}b}"[::-1], 2),
}
