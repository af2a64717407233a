"""Lower the fast forms of functions of floats, to the approximations of the hardware that NVIDIA's compiler takes.

The sequences, and the constants bit for bit, are those of NVRTC 13.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend.lower.builtins.support import Handler, as_type, evaluate
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.values import Value
from warpview.isa.modes import Approximation
from warpview.isa.ops import Op
from warpview.isa.types import Type

if TYPE_CHECKING:
    from warpview.frontend.lower.lowering import Lowering

# Of floats, functions without underscores that are approximate, too.
APPROXIMATE_FLOATS = {"exp2": Approximation.EX2, "rsqrt": Approximation.RSQRT}
_DIRECT = {
    "__sinf": Approximation.SIN, "__cosf": Approximation.COS, "__tanhf": Approximation.TANH,
    "__log2f": Approximation.LG2,
}  # fmt: skip
# Patterns of what exponents and binary logarithms are multiplied by: log2 of the base, and the inverse of that.
_EXPONENTIALS = {"__expf": 0x3FB8AA3B, "__exp10f": 0x40549A78}
_LOGARITHMS = {"__logf": 0x3F317218, "__log10f": 0x3E9A209B}


def approximated(low: Lowering, function: Approximation, *operands: ir.Value) -> ir.Value:
    op = Op.APPROX1 if len(operands) == 1 else Op.APPROX2
    return low.context.emit(op, Type.F32, *operands, mod=function)


def _product(low: Lowering, a: ir.Value, b: ir.Value) -> ir.Value:
    """Return a product that a sum may take."""
    return low.context.emit(Op.MUL, Type.F32, a, b, contracts=low.context.fma)


def _quotient(low: Lowering, a: ir.Value, b: ir.Value) -> ir.Value:
    """Return an approximate quotient, whose last product a sum may take."""
    return low.context.emit(Op.APPROX2, Type.F32, a, b, mod=Approximation.DIV, contracts=low.context.fma)


def _fast(low: Lowering, call: s.Call, name: str) -> Value:
    first, *others = [as_type(low, v, t.FLOAT, call.span) for v in evaluate(low, call, 2 if name in _OF_TWO else 1)]
    return Value(t.FLOAT, _computed(low, name, first, *others))


def _computed(low: Lowering, name: str, x: ir.Value, *others: ir.Value) -> ir.Value:
    if name in _DIRECT:
        return approximated(low, _DIRECT[name], x)
    if name in _EXPONENTIALS:
        exponent = _product(low, x, ir.Const(Type.F32, _EXPONENTIALS[name]))
        return approximated(low, Approximation.EX2, exponent)
    if name in _LOGARITHMS:
        return _product(low, approximated(low, Approximation.LG2, x), ir.Const(Type.F32, _LOGARITHMS[name]))
    if name == "__powf":
        exponent = _product(low, others[0], approximated(low, Approximation.LG2, x))
        return approximated(low, Approximation.EX2, exponent)
    if name == "__tanf":
        parts = (approximated(low, function, x) for function in (Approximation.SIN, Approximation.COS))
        return _quotient(low, *parts)
    return _quotient(low, x, *others)


_OF_TWO = ("__powf", "__fdividef")
TABLE: dict[str, Handler] = dict.fromkeys((*_DIRECT, *_EXPONENTIALS, *_LOGARITHMS, *_OF_TWO, "__tanf"), _fast)
