"""Choose among the functions that CUDA overloads for several types of numbers, where an object is an argument that
converts itself to a number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from warpview.diagnostics import CompileError
from warpview.frontend import syntax as s
from warpview.frontend.lower.builtins.support import evaluate, name_of
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.implicit_conversions import ImplicitConversion
from warpview.frontend.semantic.operands import TypedOperand
from warpview.frontend.semantic.overload_resolution import order_of
from warpview.frontend.semantic.values import Value

if TYPE_CHECKING:
    from warpview.frontend.lower.lowering import Lowering
    from warpview.frontend.semantic.analysis import Semantics

Parameters = tuple[t.Scalar, ...]
# Types that min and max take in any combination (cuda/math_functions.hpp).
COMPARED = ((t.INT, t.UINT), (t.LONG, t.ULONG), (t.LONGLONG, t.ULONGLONG), (t.FLOAT, t.DOUBLE))
PAIRS: list[Parameters] = [(a, b) for kind in COMPARED for a in kind for b in kind]
ABSOLUTE: list[Parameters] = [(t.INT,), (t.LONG,), (t.LONGLONG,), (t.FLOAT,), (t.DOUBLE,)]
SCALED_TYPES: list[Parameters] = [(t.FLOAT, t.INT), (t.DOUBLE, t.INT)]


def floats(count: int) -> list[Parameters]:
    """Return the parameters of a function of so many numbers that is there for floats and for doubles."""
    return [(t.FLOAT,) * count, (t.DOUBLE,) * count]


def parameters(semantics: Semantics, call: s.Call, overloads: Sequence[Parameters]) -> Parameters | None:
    """Return the types that the function takes which a call with objects as arguments means; None where no argument is
    an object. Raises CompileError where none takes them, or several do equally well (C++17, 16.3.3)."""
    operands = [semantics.typer.operand(argument) for argument in call.arguments]
    if not any(isinstance(t.plain(operand.type), t.Struct) for operand in operands):
        return None
    found = {types: taken for types in overloads if (taken := _conversions(semantics, operands, types)) is not None}
    shown = ", ".join(str(t.plain(operand.type)) for operand in operands)
    if not found:
        fail(f"'{name_of(call)}' needs numbers, not ({shown})", call.span)
    for types, taken in found.items():
        orders = [order_of(taken, other) for other in found.values() if other is not taken]
        if all(order is not None and order < 0 for order in orders) and not any(c.is_ambiguous for c in taken):
            return types
    fail(f"the call of '{name_of(call)}' is ambiguous: several functions take ({shown})", call.span)


def _conversions(
    semantics: Semantics, operands: Sequence[TypedOperand], types: Parameters
) -> list[ImplicitConversion] | None:  # fmt: skip
    """Return how operands become what a function takes; None where one of them does not."""
    if len(operands) != len(types):
        return None
    try:
        return [semantics.user_conversions.conversion(*pair) for pair in zip(operands, types, strict=True)]
    except CompileError:
        return None


def numbers(low: Lowering, call: s.Call, count: int, overloads: Sequence[Parameters]) -> list[Value]:
    """Return the arguments' values, objects as the numbers that they convert themselves to."""
    return as_numbers(low, call, evaluate(low, call, count), overloads)


def as_numbers(low: Lowering, call: s.Call, values: list[Value], overloads: Sequence[Parameters]) -> list[Value]:
    """Return values of arguments with objects as the numbers that they convert themselves to."""
    types = parameters(low.semantics, call, overloads)
    if types is None:
        return values
    return [low.conversions.convert(value, type, call.span) for value, type in zip(values, types, strict=True)]
