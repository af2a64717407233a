"""Lower the instructions of PTX on numbers of 16 bits, halves and bfloat16, alone or in pairs: their registers hold
patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpview.frontend.ir import Value, const
from warpview.frontend.ptx.syntax import HALVES, TYPES, PtxInstruction, PtxOperand
from warpview.frontend.ptx.table import TO_INTEGRAL
from warpview.isa.modes import Approximation, Cmp, Half, HalfFn
from warpview.isa.ops import Op
from warpview.isa.types import Type

if TYPE_CHECKING:
    from warpview.frontend.ptx.lowering import PtxCall

ON_PATTERNS = frozenset({"mov", "ld", "ldu", "st", "selp"})  # what these do needs no number
PAIRS = frozenset({"f16x2", "bf16x2"})
_OPERANDS = {"add": 2, "sub": 2, "mul": 2, "min": 2, "max": 2, "fma": 3, "neg": 1, "abs": 1}
_APPROXIMATE = frozenset({"tanh", "ex2"})
_SIGN = 0x8000
_EXPONENT_OF_BF16 = 0x7F80
_EXACT, _STICKY_BITS = 1 << 53, 12  # the integers up to it are doubles
_INFINITY_OF_F16, _BEYOND_F16 = 0x7C00, 65536.0


def has_halves(ins: PtxInstruction) -> bool:
    """Return whether an instruction computes with numbers of 16 bits."""
    return ins.opcode not in ON_PATTERNS and not HALVES.isdisjoint(ins.modifiers)


def number(low: PtxCall, ins: PtxInstruction, operand: PtxOperand) -> Value:
    """Return the F32 that a source holds the pattern of."""
    return numbers(low, ins, operand)[0]


def numbers(low: PtxCall, ins: PtxInstruction, operand: PtxOperand) -> list[Value]:
    """Return the F32 that a source holds the pattern of, or the two of a pair, the lower first."""
    name = next(m for m in reversed(ins.modifiers) if m in HALVES)
    format_ = name.removesuffix("x2")
    if name == format_:
        patterns: list[Value] = [low.read(operand, Type.U16)]
    else:
        pair = low.read(operand, Type.U32)
        upper = low.emit(Op.SHR, Type.U32, pair, const(Type.U32, 16))
        patterns = [low.emit(Op.MOV, Type.U16, word) for word in (pair, upper)]
    return [low.emit(Op.CVT16, Type.F32, each, stype=Type.U16, mod=_half(format_, "rn")) for each in patterns]


def convert(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower cvt to a number of 16 bits, or from one."""
    names = [m for m in ins.modifiers if m in TYPES]
    roundings = [m for m in ins.modifiers if m not in TYPES]
    if names[0] in PAIRS and len(names) == 2 and len(ins.operands) == 3:
        _convert_pair(low, ins, names, roundings)
        return
    if len(names) != 2 or len(roundings) > 1 or any(m in PAIRS for m in names):
        low.refuse(f"'{ins.name}'")
    (to_name, of_name), (to, of), how = names, ins.types, (roundings or [""])[0]
    if of_name in HALVES:
        value, of = number(low, ins, ins.operands[1]), Type.F32
        if how in TO_INTEGRAL:
            value, how = low.emit(Op.MATH1, Type.F32, value, mod=TO_INTEGRAL[how]), ""
    else:
        value = low.read(ins.operands[1], of)
        if not of.is_float:
            if of.is_wide and to_name == "bf16":  # no f16 is so large that a double does not hold it
                value = _sticky(low, value, of)
            value, of = low.emit(Op.CVT, Type.F64, value, stype=of), Type.F64
    if to_name in HALVES:
        if not of.is_float or how not in ("", "rn", "rz", "rm", "rp"):
            low.refuse(f"'{ins.name}'")
        low.write(ins.operands[0], low.emit(Op.CVT16, Type.U16, value, stype=of, mod=_half(to_name, how or "rn")))
        return
    if how:
        low.refuse(f"'{ins.name}'")
    result = value if to == Type.F32 else low.emit(Op.CVT, to, value, stype=of)
    if to.bytes < 4:
        low.write_extended(ins.operands[0], result, to)
    else:
        low.write(ins.operands[0], result)


def _convert_pair(low: PtxCall, ins: PtxInstruction, names: list[str], roundings: list[str]) -> None:
    """Lower cvt of two floats to a pair of numbers of 16 bits, the first to the upper half; .relu makes those that
    are not above zero 0, and NaN stays."""
    (to, of), how = names, next((m for m in roundings if m != "relu"), "")
    if of != "f32" or how not in ("rn", "rz") or not {how, "relu"}.issuperset(roundings):
        low.refuse(f"'{ins.name}'")
    values = [low.read(operand, Type.F32) for operand in ins.operands[1:]]
    if "relu" in roundings:
        below = [low.emit(Op.SETP, Type.F32, value, const(Type.F32, 0.0), mod=Cmp.LE) for value in values]
        values = [
            low.emit(Op.SELP, Type.F32, const(Type.F32, 0.0), value, lane)
            for value, lane in zip(values, below, strict=True)
        ]
    mode = _half(to.removesuffix("x2"), how)
    upper, lower = (low.emit(Op.CVT16, Type.U16, value, stype=Type.F32, mod=mode) for value in values)
    raised = low.emit(Op.SHL, Type.U32, upper, const(Type.U32, 16))
    low.write(ins.operands[0], low.emit(Op.OR, Type.U32, raised, lower))


def _sticky(low: PtxCall, value: Value, of: Type) -> Value:
    """Return an integer of 64 bits that a double holds and that rounds to the same bfloat16: of one beyond 2^53 the 12
    lowest bits become one, which says whether any was set."""
    upper = low.emit(Op.AND, of, value, const(of, -1 << _STICKY_BITS))
    is_even = low.emit(Op.SETP, of, value, upper, mod=Cmp.EQ)
    odd = low.emit(Op.OR, of, upper, const(of, 1 << _STICKY_BITS - 1))
    distance = low.emit(Op.ADD, Type.U64, value, const(Type.U64, _EXACT)) if of == Type.S64 else value
    limit = 2 * _EXACT if of == Type.S64 else _EXACT
    is_held = low.emit(Op.SETP, Type.U64, distance, const(Type.U64, limit), mod=Cmp.LE)
    keeps = low.emit(Op.OR, Type.PRED, is_held, is_even)
    return low.emit(Op.SELP, of, value, odd, keeps)


def compute(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower arithmetic on numbers of 16 bits, of pairs each by itself."""
    name = next(m for m in ins.modifiers if m in HALVES)
    count, known = _OPERANDS.get(ins.opcode), {"rn", name}
    if ins.opcode in _APPROXIMATE:
        count, known = (
            1,
            {"approx", "ftz", name},
        )  # subnormal results of halves are those of the pattern, also with .ftz
    if count is None or len(ins.operands) != count + 1 or not known.issuperset(ins.modifiers):
        low.refuse(f"'{ins.name}'")
    format_ = name.removesuffix("x2")
    if name == format_:
        sources = [low.read(operand, Type.U16) for operand in ins.operands[1:]]
        low.write(ins.operands[0], _computed(low, ins, format_, sources))
        return
    pairs = [low.read(operand, Type.U32) for operand in ins.operands[1:]]
    lower = _computed(low, ins, format_, [low.emit(Op.MOV, Type.U16, pair) for pair in pairs], lane=1)
    shifted = [low.emit(Op.SHR, Type.U32, pair, const(Type.U32, 16)) for pair in pairs]
    upper = _computed(low, ins, format_, [low.emit(Op.MOV, Type.U16, pair) for pair in shifted], lane=2)
    raised = low.emit(Op.SHL, Type.U32, upper, const(Type.U32, 16))
    low.write(ins.operands[0], low.emit(Op.OR, Type.U32, raised, lower))


def _computed(low: PtxCall, ins: PtxInstruction, format_: str, sources: list[Value], lane: int = 0) -> Value:
    """Return one number, of a pair that of a ``lane``. A product or sum without a rounding may be joined with another
    operation (PTX ISA, 9.7.4)."""
    opcode = ins.opcode
    if opcode == "neg":
        return low.emit(Op.XOR, Type.U32, sources[0], const(Type.U32, _SIGN))
    if opcode == "abs":
        return low.emit(Op.AND, Type.U32, sources[0], const(Type.U32, _SIGN - 1))
    if opcode in _APPROXIMATE:
        return _approximated(low, opcode, format_, sources[0])
    function = HalfFn[f"{opcode}_{format_}".upper()]
    if opcode == "fma":
        return low.emit(Op.FMA16, Type.U16, *sources, mod=function)
    contracts = opcode in ("add", "sub", "mul") and "rn" not in ins.modifiers
    return low.emit(Op.OP16, Type.U16, *sources, mod=function, contracts=contracts, lane=lane)


def _approximated(low: PtxCall, opcode: str, format_: str, pattern: Value) -> Value:
    """Return what MUFU gives for each pattern: the approximation for F32, the tangent rounded to nearest, powers of two
    towards zero. The tangent keeps what is subnormal; powers of bfloat16 that are subnormal are 0."""
    value = low.emit(Op.CVT16, Type.F32, pattern, stype=Type.U16, mod=_half(format_, "rn"))
    if opcode == "tanh":
        tangent = low.emit(Op.APPROX1, Type.F32, value, mod=Approximation.TANH)
        result = low.emit(Op.CVT16, Type.U16, tangent, stype=Type.F32, mod=_half(format_, "rn"))
        exponent = low.emit(Op.AND, Type.U32, pattern, const(Type.U32, _EXPONENT_OF_BF16))
        keeps = low.emit(Op.SETP, Type.U32, exponent, const(Type.U32, 0), mod=Cmp.EQ)
        return low.emit(Op.SELP, Type.U32, pattern, result, keeps) if format_ == "bf16" else result
    function = Approximation.EX2 if format_ == "f16" else Approximation.EX2_FTZ
    power = low.emit(Op.APPROX1, Type.F32, value, mod=function)
    result = low.emit(Op.CVT16, Type.U16, power, stype=Type.F32, mod=_half(format_, "rz"))
    if format_ == "bf16":
        return result
    is_large = low.emit(Op.SETP, Type.F32, power, const(Type.F32, _BEYOND_F16), mod=Cmp.GE)
    return low.emit(Op.SELP, Type.U32, const(Type.U32, _INFINITY_OF_F16), result, is_large)


def _half(format_: str, rounding: str) -> Half:
    return Half[f"{format_}_{rounding}".upper()]
