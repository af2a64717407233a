"""Lower integer intrinsics, and casts between numbers and bit patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpview.frontend import features, ir
from warpview.frontend import syntax as s
from warpview.frontend.lower.builtins.support import Handler, as_type, evaluate, require
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.values import Value
from warpview.isa.ops import OPS, FunnelMode, MathFn, Op
from warpview.isa.types import Type

if TYPE_CHECKING:
    from warpview.frontend.lower.lowering import Lowering
    from warpview.frontend.semantic.typing import Typer

# name -> (operation, type of the operands, type of the result)
ROWS: dict[str, tuple[Op, t.Scalar, t.Scalar]] = {
    "__popc": (Op.POPC, t.UINT, t.INT), "__popcll": (Op.POPC, t.ULONGLONG, t.INT),
    "__clz": (Op.CLZ, t.UINT, t.INT), "__clzll": (Op.CLZ, t.ULONGLONG, t.INT),
    "__ffs": (Op.FFS, t.UINT, t.INT), "__ffsll": (Op.FFS, t.ULONGLONG, t.INT),
    "__brev": (Op.BREV, t.UINT, t.UINT), "__brevll": (Op.BREV, t.ULONGLONG, t.ULONGLONG),
    "__mul24": (Op.MUL24, t.INT, t.INT), "__umul24": (Op.MUL24, t.UINT, t.UINT),
    "__mulhi": (Op.MULHI, t.INT, t.INT), "__umulhi": (Op.MULHI, t.UINT, t.UINT),
    "__mul64hi": (Op.MULHI, t.LONGLONG, t.LONGLONG), "__umul64hi": (Op.MULHI, t.ULONGLONG, t.ULONGLONG),
    "__sad": (Op.SAD, t.INT, t.UINT), "__usad": (Op.SAD, t.UINT, t.UINT),
}  # fmt: skip
SELECTED = 0x7777  # bits of the selector of __byte_perm
FUNNELS = {
    "__funnelshift_l": FunnelMode.LEFT_WRAP, "__funnelshift_r": FunnelMode.RIGHT_WRAP,
    "__funnelshift_lc": FunnelMode.LEFT_CLAMP, "__funnelshift_rc": FunnelMode.RIGHT_CLAMP,
}  # fmt: skip
_NUMBERS = {"float": t.FLOAT, "double": t.DOUBLE, "int": t.INT, "uint": t.UINT, "ll": t.LONGLONG, "ull": t.ULONGLONG}
_ROUNDINGS = {"rn": MathFn.RINT, "rz": None, "rd": MathFn.FLOOR, "ru": MathFn.CEIL}
# __float2int_rn and its like: name -> (from, to, rounding function of a float source).
CONVERSIONS: dict[str, tuple[t.Scalar, t.Scalar, MathFn | None]] = {
    f"__{a}2{b}_{r}": (source, to, fn if source.is_float and not to.is_float else None)
    for a, source in _NUMBERS.items()
    for b, to in _NUMBERS.items()
    for r, fn in _ROUNDINGS.items()
    if a != b and (source.is_float or to.is_float) and (not to.is_float or r == "rn")
} | {"__int2double_rn": (t.INT, t.DOUBLE, None), "__uint2double_rn": (t.UINT, t.DOUBLE, None)}
ROUND_TO_LONG = {
    "lrint": (MathFn.RINT, t.LONG), "llrint": (MathFn.RINT, t.LONGLONG),
    "lround": (MathFn.ROUND, t.LONG), "llround": (MathFn.ROUND, t.LONGLONG),
}  # fmt: skip


def _row(low: Lowering, call: s.Call, name: str) -> Value:
    op, type, result = ROWS[name]
    values = evaluate(low, call, len(OPS[op].srcs))
    operands = [as_type(low, v, type, call.span) for v in values]
    return Value(result, low.context.emit(op, type.isa, *operands))


def _permuted(low: Lowering, call: s.Call, name: str) -> Value:
    """Lower __byte_perm, which takes three bits of each of the selector's four digits (CUDA Math API); PRMT has a mode
    of its own for the fourth bit."""
    *words, selector = (as_type(low, v, t.UINT, call.span) for v in evaluate(low, call, 3))
    if not isinstance(selector, ir.Const) or selector.bits & ~SELECTED:
        selector = low.context.emit(Op.AND, Type.U32, selector, ir.const(Type.U32, SELECTED))
    return Value(t.UINT, low.context.emit(Op.PRMT, Type.U32, *words, selector))


def _funnel(low: Lowering, call: s.Call, name: str) -> Value:
    operands = [as_type(low, v, t.UINT, call.span) for v in evaluate(low, call, 3)]
    return Value(t.UINT, low.context.emit(Op.SHF, Type.U32, *operands, mod=FUNNELS[name]))


def dot_type(name: str, call: s.Call, typer: Typer) -> t.Scalar:
    """Return the type of the operands and the result of ``__dp4a``, which is overloaded for int and unsigned."""
    given = [t.arithmetic(typer.type_of(argument)) for argument in call.arguments[:2]]
    return t.INT if all(type is not None and t.promoted(type).is_signed for type in given) else t.UINT


def _dot(low: Lowering, call: s.Call, name: str) -> Value:
    require(low, features.DOT_PRODUCTS)
    type = dot_type(name, call, low.semantics.typer)
    operands = [as_type(low, v, type, call.span) for v in evaluate(low, call, 3)]
    return Value(type, low.context.emit(Op.DP4A, type.isa, *operands))


def _bits(low: Lowering, call: s.Call, name: str) -> Value:
    source, to = t.BIT_CASTS[name]
    (value,) = evaluate(low, call, 1)
    return low.conversions.reinterpret(low.conversions.convert(value, source, call.span), to)


def _conversion(low: Lowering, call: s.Call, name: str) -> Value:
    source, to, rounding = CONVERSIONS[name]
    value = low.conversions.convert(evaluate(low, call, 1)[0], source, call.span)
    if rounding is not None:
        value = Value(source, low.context.emit(Op.MATH1, source.isa, value.scalar_operand, mod=rounding))
    return low.conversions.convert(value, to, call.span)


def _round_to_long(low: Lowering, call: s.Call, name: str) -> Value:
    (value,) = evaluate(low, call, 1)
    type = t.FLOAT if name.endswith("f") else t.DOUBLE
    rounding, whole = ROUND_TO_LONG[name.removesuffix("f")]
    operand = low.context.emit(Op.MATH1, type.isa, as_type(low, value, type, call.span), mod=rounding)
    return low.conversions.convert(Value(type, operand), whole, call.span)


def _average(low: Lowering, call: s.Call, name: str) -> Value:
    """Lower __hadd and __rhadd: the average without overflow, rounded down or up."""
    type = t.UINT if name.startswith("__u") else t.INT
    a, b = (as_type(low, v, type, call.span) for v in evaluate(low, call, 2))
    up = "rhadd" in name
    common = low.context.emit(Op.OR if up else Op.AND, type.isa, a, b)
    half = low.context.emit(Op.SHR, type.isa, low.context.emit(Op.XOR, type.isa, a, b), ir.const(Type.U32, 1))
    return Value(type, low.context.emit(Op.SUB if up else Op.ADD, type.isa, common, half))


def _halves(low: Lowering, call: s.Call, name: str) -> Value:
    """Lower __double2hiint, __double2loint: a half of a double's bits."""
    (value,) = evaluate(low, call, 1)
    bits = low.conversions.reinterpret(low.conversions.convert(value, t.DOUBLE, call.span), t.ULONGLONG).scalar_operand
    if "hi" in name:
        bits = low.context.emit(Op.SHR, Type.U64, bits, ir.const(Type.U32, 32))
    return low.conversions.convert(Value(t.ULONGLONG, bits), t.INT, call.span)


def _join(low: Lowering, call: s.Call, name: str) -> Value:
    high, low_half = evaluate(low, call, 2)
    upper = as_type(low, low.conversions.convert(high, t.UINT, call.span), t.ULONGLONG, call.span)
    lower = as_type(low, low.conversions.convert(low_half, t.UINT, call.span), t.ULONGLONG, call.span)
    shifted = low.context.emit(Op.SHL, Type.U64, upper, ir.const(Type.U32, 32))
    return low.conversions.reinterpret(Value(t.ULONGLONG, low.context.emit(Op.OR, Type.U64, shifted, lower)), t.DOUBLE)


TABLE: dict[str, Handler] = {
    **dict.fromkeys(ROWS, _row),
    "__byte_perm": _permuted,
    **dict.fromkeys(FUNNELS, _funnel),
    "__dp4a": _dot,
    **dict.fromkeys(t.BIT_CASTS, _bits),
    **dict.fromkeys(CONVERSIONS, _conversion),
    **{n: _round_to_long for base in ROUND_TO_LONG for n in (base, base + "f")},
    **dict.fromkeys(("__hadd", "__rhadd", "__uhadd", "__urhadd"), _average),
    **dict.fromkeys(("__double2hiint", "__double2loint"), _halves),
    "__hiloint2double": _join,
}
