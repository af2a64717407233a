"""Compute with constants: conversions, operators and the functions of CUDA that constants are made with."""

from __future__ import annotations

from dataclasses import replace

from warpview.diagnostics import Span
from warpview.frontend import ir
from warpview.frontend.preprocess.operators import COMPARISONS
from warpview.frontend.preprocess.tokens import fail, refuse
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.checks import fail_not_applicable, fail_not_convertible
from warpview.frontend.semantic.constants import compare, convert_number, fold
from warpview.frontend.semantic.inheritance import base_offset
from warpview.frontend.semantic.values import NULL, Value, number


class NotConstant(Exception):
    """The value is only known at run time."""


def converted(value: Value, to: t.CType, span: Span) -> Value:
    """Convert a constant to a type; fail where there is no such conversion."""
    to = t.plain(to)
    if isinstance(to, t.MemberPointer):
        return to_member_pointer(value, to, span)
    if isinstance(member := t.plain(value.type), t.MemberPointer) and t.same(to, t.BOOL):
        return number(t.BOOL, integer_of(value) != member.null)
    source, target = t.arithmetic(value.type), t.arithmetic(to)
    if value.constant is not None and source is not None and target is not None:
        return replace(number(target, convert_number(value.constant, target)), type=to)
    if isinstance(to, t.Pointer):
        if value.constant == 0:
            return Value(to, address=NULL)
        if value.address is not None:
            return replace(value, type=to)
        if value.object is not None and isinstance(to.to, t.FunctionSignature):
            return value
    is_truth = target is not None and target.is_bool and isinstance(t.decayed(value.type), t.Pointer)
    if is_truth and value.address is not None and value.address.cell is not None:
        return number(t.BOOL, 1)
    if t.same(value.type, to):
        return value
    fail(f"a value of type '{value.type}' cannot become '{to}' here", span)


def to_member_pointer(value: Value, to: t.MemberPointer, span: Span) -> Value:
    """Convert a value, constant or not, to a pointer to a member: null, one of its type or one to a member of a base
    class."""
    source = t.plain(value.type)
    is_null = isinstance(source, t.NullPointerType) or (value.address is not None and value.address.is_null)
    if is_null or (value.constant == 0 and t.same(source, t.INT)):
        return Value(to, ir.const(t.LONG.isa, to.null))
    if isinstance(source, t.MemberPointer) and source.owner and to.owner and source.to and to.to:
        offset = base_offset(to.owner, source.owner)
        if offset is not None and (source.to == to.to or replace(source.to, const=True) == to.to):
            if offset == 0 or to.is_of_function or value.constant == to.null:
                return replace(value, type=to)
            if value.constant is not None:
                return Value(to, ir.const(t.LONG.isa, integer_of(value) + offset))
            refuse(f"'{source}' is converted to '{to}' only where it is a constant", span)
    fail_not_convertible(t.with_article(source), to, span)


def truth(value: Value, span: Span) -> bool:
    """Return whether a constant counts as true."""
    return bool(converted(value, t.BOOL, span).constant)


def scalar_of(value: Value) -> tuple[int | float, t.Scalar]:
    """Return a constant number and its type."""
    scalar = t.arithmetic(value.type)
    if value.constant is None or scalar is None:
        raise NotConstant
    return value.constant, scalar


def integer_of(value: Value) -> int:
    """Return a constant integer."""
    if not isinstance(value.constant, int):
        raise NotConstant
    return value.constant


def unary_operation(op: str, value: Value, span: Span) -> Value:
    """Return ``op value`` for one of ``! - ~ +``."""
    if op == "!":
        return number(t.BOOL, not truth(value, span))
    x, scalar = scalar_of(value)
    type = t.promoted(scalar)
    if op == "-":
        return number(type, -x if type.is_float else t.wrap(-int(x), type))
    if op == "~" and not type.is_float:
        return number(type, t.wrap(~int(x), type))
    if op == "+":
        return number(type, convert_number(x, type))
    raise NotConstant


def binary_operation(op: str, left: Value, right: Value, span: Span) -> Value:
    """Return ``left op right`` of two constants."""
    pointer = t.plain(left.type)
    if isinstance(pointer, t.Pointer) and left.address is not None and left.address.cell is not None:
        return _pointer_operation(op, left, right, pointer)
    if op == "<=>":
        raise NotConstant
    left, right = alike_members(op, left, right, span)
    (x, a), (y, b) = scalar_of(left), scalar_of(right)
    if op in ("<<", ">>"):
        type = t.promoted(a)
        result = fold(op, convert_number(x, type), y, type)
    elif op in COMPARISONS:
        common = t.usual(a, b)
        return number(t.BOOL, compare(op, convert_number(x, common), convert_number(y, common)))
    else:
        type = t.usual(a, b)
        result = fold(op, convert_number(x, type), convert_number(y, type), type)
    if result is None:
        if op in ("/", "%") and y == 0:
            fail("this divides by zero", span)
        raise NotConstant
    return number(type, result)


def alike_members(op: str, left: Value, right: Value, span: Span) -> tuple[Value, Value]:
    """Return the operands of an operator, of which one may be null where the other one is a pointer to a member."""
    a, b = t.plain(left.type), t.plain(right.type)
    member = a if isinstance(a, t.MemberPointer) else b
    if isinstance(member, t.MemberPointer) and op not in ("==", "!="):
        fail_not_applicable(op, t.with_article(member), span)
    if isinstance(a, t.MemberPointer) and a != b:
        return left, to_member_pointer(right, a, span)
    if isinstance(b, t.MemberPointer) and a != b:
        return to_member_pointer(left, b, span), right
    return left, right


def _pointer_operation(op: str, left: Value, right: Value, type: t.Pointer) -> Value:
    assert left.address is not None
    if op in ("+", "-") and right.constant is not None:
        count = integer_of(right) * (1 if op == "+" else -1)
        return Value(type, address=left.address.plus(count * type.to.size))
    if right.address is None or right.address.cell is not left.address.cell:
        raise NotConstant
    if op == "-":
        return number(t.LONG, (left.address.offset - right.address.offset) // type.to.size)
    if op not in COMPARISONS:
        raise NotConstant
    return number(t.BOOL, compare(op, left.address.offset, right.address.offset))


def reinterpreted(value: Value, type: t.CType) -> Value:
    """Return a constant integer that is read as another integer type of the same size."""
    scalar = t.arithmetic(type)
    if scalar is None or value.constant is None or isinstance(value.constant, float) or scalar.is_float:
        raise NotConstant
    return number(scalar, t.wrap(value.constant, scalar))


def builtin_value(name: str, values: list[Value], span: Span) -> Value:
    """Return the result of one of the functions of CUDA that constants are made with; refuse any other."""
    if name in ("min", "max") and len(values) == 2:
        (x, a), (y, b) = map(scalar_of, values)
        type = t.usual(a, b)
        chosen = (min if name == "min" else max)(convert_number(x, type), convert_number(y, type))
        return number(type, chosen)
    if name == "abs" and len(values) == 1:
        x, scalar = scalar_of(values[0])
        return number(t.promoted(scalar), abs(x))
    if name in t.BIT_CASTS and len(values) == 1:
        source, to = t.BIT_CASTS[name]
        operand = converted(values[0], source, span).scalar_operand
        assert isinstance(operand, ir.Const)
        return Value(to, ir.same_bits(operand, to.register))
    raise NotConstant
