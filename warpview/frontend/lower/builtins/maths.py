"""Lower the maths library and its fast forms."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend.lower.builtins.approximate import APPROXIMATE_FLOATS, approximated
from warpview.frontend.lower.builtins.overloads import (
    ABSOLUTE,
    PAIRS,
    SCALED_TYPES,
    Parameters,
    as_numbers,
    floats,
    numbers,
)
from warpview.frontend.lower.builtins.support import Handler, as_type, evaluate, pointee, scalar_of
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.values import Lvalue, Value, number
from warpview.isa.ops import Approximation, Cmp, MathFn, Op
from warpview.isa.types import Type

if TYPE_CHECKING:
    from warpview.diagnostics import Span
    from warpview.frontend.lower.lowering import Lowering

# Functions of one and two arguments: base name -> meaning. 'sinf' is float, 'sin' is float or double by its argument.
ONE = {
    "sin": MathFn.SIN, "cos": MathFn.COS, "tan": MathFn.TAN, "asin": MathFn.ASIN, "acos": MathFn.ACOS,
    "atan": MathFn.ATAN, "sinh": MathFn.SINH, "cosh": MathFn.COSH, "tanh": MathFn.TANH, "exp": MathFn.EXP,
    "exp2": MathFn.EXP2, "exp10": MathFn.EXP10, "expm1": MathFn.EXPM1, "log": MathFn.LOG, "log2": MathFn.LOG2,
    "log10": MathFn.LOG10, "log1p": MathFn.LOG1P, "cbrt": MathFn.CBRT, "erf": MathFn.ERF, "erfc": MathFn.ERFC,
    "floor": MathFn.FLOOR, "ceil": MathFn.CEIL, "trunc": MathFn.TRUNC, "round": MathFn.ROUND, "rint": MathFn.RINT,
    "nearbyint": MathFn.RINT, "tgamma": MathFn.TGAMMA, "lgamma": MathFn.LGAMMA,
}  # fmt: skip
TWO = {
    "pow": MathFn.POW, "atan2": MathFn.ATAN2, "fmod": MathFn.FMOD, "hypot": MathFn.HYPOT,
    "copysign": MathFn.COPYSIGN, "fdim": MathFn.FDIM, "remainder": MathFn.REMAINDER,
}  # fmt: skip
# Functions that are operations of their own: name -> (operation, number of arguments).
OPERATIONS = {
    "sqrt": (Op.SQRT, 1), "fabs": (Op.ABS, 1), "fmin": (Op.MIN, 2), "fmax": (Op.MAX, 2),
    "fma": (Op.FMA, 3),
}  # fmt: skip
# Intrinsics with a fixed type: name -> (operation, type).
ROUNDED = {
    "__fadd_rn": (Op.ADD, t.FLOAT), "__fsub_rn": (Op.SUB, t.FLOAT), "__fmul_rn": (Op.MUL, t.FLOAT),
    "__fdiv_rn": (Op.DIV, t.FLOAT), "__fsqrt_rn": (Op.SQRT, t.FLOAT),
    "__frsqrt_rn": (Op.RSQRT, t.FLOAT), "__frcp_rn": (Op.RCP, t.FLOAT), "__fmaf_rn": (Op.FMA, t.FLOAT),
    "__fmaf_ieee_rn": (Op.FMA, t.FLOAT),
    "__dadd_rn": (Op.ADD, t.DOUBLE), "__dsub_rn": (Op.SUB, t.DOUBLE), "__dmul_rn": (Op.MUL, t.DOUBLE),
    "__ddiv_rn": (Op.DIV, t.DOUBLE), "__dsqrt_rn": (Op.SQRT, t.DOUBLE), "__drcp_rn": (Op.RCP, t.DOUBLE),
    "__fma_rn": (Op.FMA, t.DOUBLE),
}  # fmt: skip
_OPERANDS = {Op.SQRT: 1, Op.RSQRT: 1, Op.RCP: 1, Op.FMA: 3}


def _float_type(name: str, values: list[Value], call: s.Call) -> t.Scalar:
    """Return float for 'sinf' and for float arguments of 'sin'; integers count as double."""
    if name.endswith("f") and name[:-1] in _BASES:
        return t.FLOAT
    scalars = [scalar_of(v, call) for v in values]
    return t.FLOAT if all(x == t.FLOAT or t.plain(x) == t.FLOAT for x in scalars) else t.DOUBLE


def overloads(name: str, count: int) -> list[Parameters]:
    """Return the parameters of the functions of a name that take so many numbers, which are floats or doubles."""
    found = SCALED_TYPES if name.removesuffix("f") in SCALED else floats(count)
    return found[:1] if name.endswith("f") and name[:-1] in {*_BASES, *SCALED} else found


def _base(name: str) -> str:
    return name[:-1] if name.endswith("f") and name[:-1] in _BASES else name


def _one(low: Lowering, call: s.Call, name: str) -> Value:
    values = numbers(low, call, 1, overloads(name, 1))
    type = _float_type(name, values, call)
    operand, base = as_type(low, values[0], type, call.span), _base(name)
    if type == t.FLOAT and base in APPROXIMATE_FLOATS:
        return Value(type, approximated(low, APPROXIMATE_FLOATS[base], operand))
    if base == "rsqrt":
        return Value(type, low.context.emit(Op.RSQRT, type.isa, operand))
    return Value(type, low.context.emit(Op.MATH1, type.isa, operand, mod=ONE[base]))


def two(low: Lowering, call: s.Call, name: str) -> Value:
    values = numbers(low, call, 2, overloads(name, 2))
    type = _float_type(name, values, call)
    operands = [as_type(low, v, type, call.span) for v in values]
    return Value(type, low.context.emit(Op.MATH2, type.isa, *operands, mod=TWO[_base(name)]))


def _operation(low: Lowering, call: s.Call, name: str) -> Value:
    op, count = OPERATIONS[_base(name)]
    values = numbers(low, call, count, overloads(name, count))
    type = _float_type(name, values, call)
    return Value(type, low.context.emit(op, type.isa, *[as_type(low, v, type, call.span) for v in values]))


def _rounded(low: Lowering, call: s.Call, name: str) -> Value:
    op, type = ROUNDED[name]
    operands = [as_type(low, v, type, call.span) for v in evaluate(low, call, _OPERANDS.get(op, 2))]
    return Value(type, low.context.emit(op, type.isa, *operands))


def _minimum(low: Lowering, call: s.Call, name: str) -> Value:
    """Lower min and max of any numbers, in their common type."""
    op = Op.MIN if "min" in name else Op.MAX
    first, second = evaluate(low, call, 2)
    forced = {"umin": t.UINT, "umax": t.UINT, "llmin": t.LONGLONG, "llmax": t.LONGLONG, "ullmin": t.ULONGLONG,
              "ullmax": t.ULONGLONG}.get(name)  # fmt: skip
    explicit = call.callee.arguments if isinstance(call.callee, s.Name) else None
    if explicit and isinstance(explicit[0], s.TypeSyntax):
        forced = t.arithmetic(low.semantics.types.resolve(explicit[0]))
    if forced is None:
        first, second = as_numbers(low, call, [first, second], PAIRS)
    type = forced or least_type(scalar_of(first, call), scalar_of(second, call), call)
    a, b = low.conversions.convert(first, type, call.span), low.conversions.convert(second, type, call.span)
    if a.constant is not None and b.constant is not None:
        return number(type, (min if op == Op.MIN else max)(a.constant, b.constant))
    return Value(type, low.context.emit(op, type.isa, a.scalar_operand, b.scalar_operand))


def least_type(a: t.Scalar, b: t.Scalar, call: s.Call) -> t.Scalar:
    """Return the type in which min and max compare two numbers. CUDA declares them for each pair of types of one kind
    that differ in their sign at most, and for float with double. Raises CompileError where several of these take the
    numbers equally well (C++17, 16.3.3)."""
    costs = {pair: (_step(a, pair[0]), _step(b, pair[1])) for pair in PAIRS}
    least = min(cost[0] for cost in costs.values()), min(cost[1] for cost in costs.values())
    best = next((pair for pair, cost in costs.items() if cost == least), None)
    if best is None:
        of = call.callee.name if isinstance(call.callee, s.Name) else "min"
        fail(f"the call of '{of}' is ambiguous for '{a}' and '{b}'", call.span, "cast one to the type of the other")
    return t.usual(*best)


def _step(given: t.Scalar, wanted: t.Scalar) -> int:
    """Return the rank of the conversion between two types: none, a promotion, any other."""
    is_promoted = wanted == (t.DOUBLE if given == t.FLOAT else t.promoted(given))
    return 0 if given == wanted else 1 if is_promoted else 2


def _absolute(low: Lowering, call: s.Call, name: str) -> Value:
    fixed = {"labs": t.LONG, "llabs": t.LONGLONG}.get(name)
    (value,) = numbers(low, call, 1, ABSOLUTE if fixed is None else [(fixed,)])
    type = fixed or t.promoted(scalar_of(value, call))
    if not (type.is_float or type.is_signed):
        return low.conversions.convert(value, type, call.span)
    return Value(type, low.context.emit(Op.ABS, type.isa, as_type(low, value, type, call.span)))


def _classify(low: Lowering, call: s.Call, name: str) -> Value:
    """Lower isnan, isinf, isfinite, signbit."""
    (value,) = numbers(low, call, 1, floats(1))
    type = scalar_of(value, call)
    type = type if type.is_float else t.DOUBLE
    x = as_type(low, value, type, call.span)
    name = name.strip("_")
    if name.startswith("isnan"):
        return Value(t.BOOL, low.context.emit(Op.SETP, type.isa, x, x, mod=Cmp.NE))
    if name.startswith("signbit"):
        bits = low.conversions.reinterpret(Value(type, x), t.INT if type.size == 4 else t.LONG)
        isa = bits.scalar_operand.type
        return Value(t.BOOL, low.context.emit(Op.SETP, isa, bits.scalar_operand, ir.const(isa, 0), mod=Cmp.LT))
    magnitude = low.context.emit(Op.ABS, type.isa, x)
    infinity = ir.const(type.isa, float("inf"))
    return Value(
        t.BOOL, low.context.emit(Op.SETP, type.isa, magnitude, infinity, mod=Cmp.EQ if "inf" in name else Cmp.LT)
    )


def _sincos(low: Lowering, call: s.Call, name: str) -> Value:
    angle, sine, cosine = evaluate(low, call, 3)
    type = t.FLOAT if "f" in name else t.DOUBLE
    x = as_type(low, angle, type, call.span)
    if "pi" in name:
        results = _sines_of_half_turns(low, x, type, call.span)
    elif name.startswith("__"):
        results = [approximated(low, function, x) for function in (Approximation.SIN, Approximation.COS)]
    else:
        results = [low.context.emit(Op.MATH1, type.isa, x, mod=function) for function in (MathFn.SIN, MathFn.COS)]
    for pointer, result in zip((sine, cosine), results, strict=True):
        address, _ = pointee(pointer, call)
        low.memory.store(Lvalue(address, type), Value(type, result), call.span)
    return Value(t.VOID)


def _times_pi(low: Lowering, call: s.Call, name: str) -> Value:
    (value,) = evaluate(low, call, 1)
    type = t.FLOAT if name.endswith("f") else t.DOUBLE
    sine, cosine = _sines_of_half_turns(low, as_type(low, value, type, call.span), type, call.span)
    return Value(type, sine if name.startswith("sin") else cosine)


def _sines_of_half_turns(low: Lowering, x: ir.Value, type: t.Scalar, span: Span) -> list[ir.Value]:
    """Return sine and cosine of pi x, worked out from the nearest quarter of a turn, where both are exact."""
    emit, isa = low.context.emit, type.isa
    quarters = emit(Op.MATH1, isa, emit(Op.MUL, isa, x, ir.const(isa, 2.0)), mod=MathFn.RINT)
    turns = emit(Op.MATH1, isa, emit(Op.MUL, isa, quarters, ir.const(isa, 0.25)), mod=MathFn.FLOOR)
    last = Value(type, emit(Op.FMA, isa, turns, ir.const(isa, -4.0), quarters))
    quarter = low.conversions.convert(last, t.INT, span).scalar_operand
    angle = emit(Op.MUL, isa, emit(Op.FMA, isa, quarters, ir.const(isa, -0.5), x), ir.const(isa, math.pi))
    sine, cosine = (emit(Op.MATH1, isa, angle, mod=function) for function in (MathFn.SIN, MathFn.COS))

    def has(bit: int, number: ir.Value) -> ir.Value:
        masked = emit(Op.AND, Type.S32, number, ir.const(Type.S32, bit))
        return emit(Op.SETP, Type.S32, masked, ir.const(Type.S32, 0), mod=Cmp.NE)

    results = []
    for first, second, further in ((sine, cosine, 0), (cosine, sine, 1)):
        value = emit(Op.SELP, isa, second, first, has(1, quarter))
        is_negative = has(2, emit(Op.ADD, Type.S32, quarter, ir.const(Type.S32, further)))
        results.append(emit(Op.SELP, isa, emit(Op.NEG, isa, value), value, is_negative))
    is_whole = emit(Op.SETP, isa, emit(Op.MATH1, isa, x, mod=MathFn.TRUNC), x, mod=Cmp.EQ)
    zero = emit(Op.MUL, isa, x, ir.const(isa, 0.0))  # with the sign of x; no number for infinities
    is_even = emit(Op.SETP, isa, emit(Op.ABS, isa, x), ir.const(isa, 2.0**53 if isa.is_wide else 2.0**24), mod=Cmp.GE)
    cosine = emit(Op.ADD, isa, emit(Op.SELP, isa, ir.const(isa, 1.0), results[1], is_even), zero)
    return [emit(Op.SELP, isa, zero, results[0], is_whole), cosine]


def _saturate(low: Lowering, call: s.Call, name: str) -> Value:
    (value,) = evaluate(low, call, 1)
    x = low.context.emit(Op.MAX, Type.F32, as_type(low, value, t.FLOAT, call.span), ir.const(Type.F32, 0.0))
    return Value(t.FLOAT, low.context.emit(Op.MIN, Type.F32, x, ir.const(Type.F32, 1.0)))


def _scaled(low: Lowering, call: s.Call, name: str) -> Value:
    """Lower ldexp and scalbn: x * 2^n."""
    value, exponent = numbers(low, call, 2, overloads(name, 2))
    type = t.FLOAT if name.endswith("f") else scalar_of(value, call)
    type = type if type.is_float else t.DOUBLE
    product, rest = as_type(low, value, t.DOUBLE, call.span), as_type(low, exponent, t.INT, call.span)
    for _ in range(2 if type == t.DOUBLE else 0):  # a double may be multiplied by more than the largest power of two
        step = _selected(low, rest, (LARGEST, LARGEST), (LEAST, LEAST + 53))
        product = _times_power(low, product, step)
        rest = low.context.emit(Op.SUB, Type.S32, rest, step)
    rest = low.context.emit(Op.MIN, Type.S32, rest, ir.const(Type.S32, LARGEST))
    rest = low.context.emit(Op.MAX, Type.S32, rest, ir.const(Type.S32, LEAST))
    return low.conversions.convert(Value(t.DOUBLE, _times_power(low, product, rest)), type, call.span)


LARGEST, LEAST = 1023, -1022  # exponents of normal doubles


def _selected(low: Lowering, number: ir.Value, above: tuple[int, int], below: tuple[int, int]) -> ir.Value:
    """Return a value for numbers above a limit, another one for those below a second limit, else 0."""
    result: ir.Value = ir.const(Type.S32, 0)
    for (limit, value), comparison in ((above, Cmp.GT), (below, Cmp.LT)):
        holds = low.context.emit(Op.SETP, Type.S32, number, ir.const(Type.S32, limit), mod=comparison)
        result = low.context.emit(Op.SELP, Type.S32, ir.const(Type.S32, value), result, holds)
    return result


def _times_power(low: Lowering, value: ir.Value, exponent: ir.Value) -> ir.Value:
    wide = as_type(low, Value(t.INT, exponent), t.DOUBLE, None)
    return low.context.emit(Op.MUL, Type.F64, value, low.context.emit(Op.MATH1, Type.F64, wide, mod=MathFn.EXP2))


CLASSES = ("isnan", "isinf", "isfinite", "signbit", "__isnanf", "__isinff", "__finitef")
SINCOS = ("sincos", "sincosf", "__sincosf", "sincospif", "sincospi")
SCALED = ("ldexp", "ldexpf", "scalbn", "scalbnf")
_BASES = {*ONE, *TWO, *OPERATIONS, *APPROXIMATE_FLOATS}

TABLE: dict[str, Handler] = {
    **{n: _one for base in (*ONE, *APPROXIMATE_FLOATS) for n in (base, base + "f")},
    **{n: two for base in TWO for n in (base, base + "f")},
    **{n: _operation for base in OPERATIONS for n in (base, base + "f")},
    **dict.fromkeys(ROUNDED, _rounded),
    **dict.fromkeys(("min", "max", "umin", "umax", "llmin", "llmax", "ullmin", "ullmax"), _minimum),
    **dict.fromkeys(("abs", "labs", "llabs"), _absolute),
    **dict.fromkeys(CLASSES, _classify),
    **dict.fromkeys(SINCOS, _sincos),
    **dict.fromkeys(("sinpif", "sinpi", "cospif", "cospi"), _times_pi),
    **dict.fromkeys(SCALED, _scaled),
    "__saturatef": _saturate,
}
