"""Share code among the built-in functions: evaluating arguments, checking types, requirements on the device."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from warpview.diagnostics import Span
from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend.features import Feature
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.values import Address, Lvalue, Value
from warpview.isa.types import Space

if TYPE_CHECKING:
    from warpview.frontend.lower.lowering import Lowering

Handler = Callable[["Lowering", s.Call, str], "Value | Lvalue"]
FULL_MASK = 0xFFFFFFFF


def name_of(call: s.Call) -> str:
    """Return the function's name as written, for messages."""
    callee = call.callee
    return callee.name if isinstance(callee, (s.Name, s.Member)) else "function"


def check_count(call: s.Call, least: int, most: int | None = None) -> None:
    given, most = len(call.arguments), least if most is None else most
    if not least <= given <= most:
        wanted = f"{least}" if least == most else f"{least} to {most}"
        fail(f"'{name_of(call)}' takes {wanted} arguments, {given} given", call.span)


def evaluate(low: Lowering, call: s.Call, least: int, most: int | None = None) -> list[Value]:
    """Return the arguments' values."""
    check_count(call, least, most)
    return [low.expressions.rvalue(a) for a in call.arguments]


def as_type(low: Lowering, value: Value, type: t.Scalar, span: object) -> ir.Value:
    """Return a value converted to an arithmetic type, as an operand."""
    return low.conversions.convert(value, type, span).scalar_operand  # type: ignore[arg-type]


def predicate(low: Lowering, value: Value, span: Span) -> Value:
    """Return an argument of a vote as bool: its parameter is an int, so 0.5 and 1LL << 32 are 0 (CUDA C++ Programming
    Guide, warp vote functions)."""
    scalar = t.arithmetic(value.type)
    if scalar is not None and (scalar.is_float or scalar.size > t.INT.size):
        value = low.conversions.convert(value, t.INT, span)
    return low.conversions.truth(value, span)


def scalar_of(value: Value, call: s.Call) -> t.Scalar:
    scalar = t.arithmetic(value.type)
    if scalar is None:
        fail(f"'{name_of(call)}' needs a number, not '{value.type}'", call.span)
    return scalar


def pointee(value: Value, call: s.Call) -> tuple[Address, t.CType]:
    """Return the address that a pointer argument holds, and the type that it points at; a null pointer is one of
    global memory."""
    type = pointed_type(value.type, call)
    assert value.address is not None
    return replace(value.address, space=Space.GLOBAL) if value.address.is_null else value.address, type


def pointed_type(type: t.CType, call: s.Call) -> t.CType:
    """Return the type that a pointer argument points to."""
    pointer = t.decayed(type)
    if not isinstance(pointer, t.Pointer):
        fail(f"'{name_of(call)}' needs a pointer, not '{type}'", call.span)
    return pointer.to


def require(low: Lowering, feature: Feature) -> None:
    """Require a device that has a feature."""
    if feature.since > low.context.function.minimum_capability:
        low.context.function.minimum_capability = feature.since
        low.context.function.capability_reason = feature.name


def forwarded_type(call: s.Call, resolve: Callable[[s.TypeSyntax], t.CType]) -> t.CType:
    """Return the type that a call of std::forward is given in angle brackets."""
    arguments = call.callee.arguments if isinstance(call.callee, s.Name) else None
    if not arguments or not isinstance(arguments[0], s.TypeSyntax):
        fail("std::forward needs the type of what it forwards in <...>", call.span)
    return resolve(arguments[0])
