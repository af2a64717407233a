"""Lower the functions of which our headers make up half precision: one instruction each, on patterns of 16 bits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpview.frontend import syntax as s
from warpview.frontend.lower.builtins.support import Handler, as_type, evaluate
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.values import Value
from warpview.isa.ops import OPS, Half, HalfFn, Op

if TYPE_CHECKING:
    from warpview.frontend.lower.lowering import Lowering

_REALS = {"float": t.FLOAT, "double": t.DOUBLE}
# __wv_f16_to_float and its like: name -> (from, to, format); to 16 bits with the rounding, as __wv_float_to_f16_rn.
CONVERSIONS: dict[str, tuple[t.Scalar, t.Scalar, Half]] = {
    f"__wv_{half.format}_to_{name}": (t.USHORT, real, half)
    for half in (Half.F16_RN, Half.BF16_RN)
    for name, real in _REALS.items()
} | {
    f"__wv_{name}_to_{half.format}_{half.rounding}": (real, t.USHORT, half)
    for half in Half
    for name, real in _REALS.items()
}
FUNCTIONS = {f"__wv_{fn.name.lower()}": fn for fn in HalfFn}  # such as __wv_add_f16
# Sums and products that may become one operation, of a number by itself or in a pair, as __wv_add_f16_low.
_LANES = {"alone": 0, "low": 1, "high": 2}
JOINED = {f"{name}_{lane}": (fn, _LANES[lane]) for name, fn in FUNCTIONS.items() for lane in _LANES
          if fn < HalfFn.MIN_F16}  # fmt: skip


def _conversion(low: Lowering, call: s.Call, name: str) -> Value:
    source, to, half = CONVERSIONS[name]
    operand = as_type(low, evaluate(low, call, 1)[0], source, call.span)
    return Value(to, low.context.emit(Op.CVT16, to.isa, operand, stype=source.isa, mod=half))


def _function(low: Lowering, call: s.Call, name: str) -> Value:
    fn = FUNCTIONS[name]
    op = Op.FMA16 if fn >= HalfFn.FMA_F16 else Op.OP16
    operands = [as_type(low, v, t.USHORT, call.span) for v in evaluate(low, call, len(OPS[op].srcs))]
    return Value(t.USHORT, low.context.emit(op, t.USHORT.isa, *operands, mod=fn))


def _joined_function(low: Lowering, call: s.Call, name: str) -> Value:
    fn, lane = JOINED[name]
    a, b = (as_type(low, v, t.USHORT, call.span) for v in evaluate(low, call, 2))
    fma = low.context.fma
    return Value(t.USHORT, low.context.emit(Op.OP16, t.USHORT.isa, a, b, mod=fn, contracts=fma, lane=lane))


TABLE: dict[str, Handler] = {
    **dict.fromkeys(CONVERSIONS, _conversion),
    **dict.fromkeys(FUNCTIONS, _function),
    **dict.fromkeys(JOINED, _joined_function),
}
