"""Rank how well an argument fits a parameter (C++17, 16.3.3)."""

from __future__ import annotations

from dataclasses import replace

from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.checks import fail_needs_value
from warpview.frontend.semantic.inheritance import inheritance_depth
from warpview.frontend.semantic.operands import TypedOperand

# What conversions cost: any of a rank is better than any of the next one, and one step tells two of a rank apart.
EXACT = 0
PROMOTION = 1000
CONVERSION = 2000
_TO_VOID = CONVERSION + 500
_TO_BOOL = CONVERSION + 900
USER_CONVERSION = 10_000
ELLIPSIS = 1_000_000
_ANY_GROUP = 200
_LAMBDA_IN_PLACE = 4  # a lambda may have no place that a reference can name: any other parameter is better


def cost(argument: TypedOperand, parameter: t.CType) -> int:
    """Return the cost of passing an argument, 0 where it fits exactly; fail where there is no conversion."""
    source = t.plain(argument.type)
    target = t.plain(parameter)
    if isinstance(source, t.Group) and isinstance(target, t.Group):
        if target.kind != "any" and source != target:
            _no(source, target)
        return _ANY_GROUP if target.kind == "any" else EXACT
    if isinstance(parameter, t.Reference):
        return _bound(source, parameter, argument)
    if t.same(source, target) and not isinstance(
        source, t.Pointer
    ):  # as good as a reference to const, of which none is better than the other
        return _bound(source, t.Reference(replace(target, const=True)), argument)
    return _by_value(source, target, argument)


def _bound(source: t.CType, parameter: t.Reference, argument: TypedOperand) -> int:
    """Return the cost of binding a reference: one that adds no const, and one of its own kind to a value, is better."""
    target = parameter.to
    is_const = argument.type.to.const if isinstance(argument.type, t.Reference) else argument.type.const
    is_same = t.same(source, target)
    depth = None if is_same else inheritance_depth(source, target)
    if is_same or depth is not None:
        writes_const = is_const and not target.const
        in_place = argument.is_lvalue or isinstance(source, t.Pointer | t.Closure) or parameter.rvalue
        if parameter.rvalue and argument.is_lvalue:
            fail_needs_value(parameter, None)
        if writes_const or not (in_place or target.const):
            fail(f"'{parameter}' needs a variable{' that is not const' if writes_const else ', not a value'}", None)
        added = int(target.const and not is_const) + 2 * int(not argument.is_lvalue and not parameter.rvalue)
        if isinstance(source, t.Closure) and not target.const and not parameter.rvalue:
            added += _LAMBDA_IN_PLACE
        return added if depth is None else CONVERSION + 4 * depth + added
    if not target.const and not parameter.rvalue:
        _no(source, parameter)
    return _by_value(source, t.plain(target), argument)


def _by_value(source: t.CType, target: t.CType, argument: TypedOperand) -> int:
    if isinstance(source, t.Array):
        source = t.Pointer(source.of)
    if isinstance(target, (t.Array, t.FunctionSignature)):
        target = t.decayed(target)
    if isinstance(source, t.Pointer) and isinstance(target, t.Pointer):
        return _pointers(source, target, argument)
    if t.same(source, target):
        return EXACT
    if (depth := inheritance_depth(source, target)) is not None:
        return CONVERSION + 4 * depth
    if isinstance(source, t.MemberPointer) or isinstance(target, t.MemberPointer):
        return _member_pointers(source, target, argument)
    a, b = t.arithmetic(source), t.arithmetic(target)
    if a is not None and b is not None:
        if isinstance(target, t.Enum) or (isinstance(source, t.Enum) and source.scoped):
            _no(source, target)
        is_narrow = isinstance(source, t.Enum) or a != t.promoted(a)
        is_promoted = (not a.is_float and b == t.promoted(a) and is_narrow) or (a == t.FLOAT and b == t.DOUBLE)
        return PROMOTION if is_promoted else CONVERSION
    if isinstance(target, t.Pointer) and argument.is_null:
        return CONVERSION
    if isinstance(source, t.Pointer) and b is not None and b.is_bool:
        return _TO_BOOL
    if isinstance(target, (t.Closure, t.Group)) or isinstance(source, (t.Closure, t.Group)):
        _no(source, target)
    if isinstance(target, t.Struct) and a is not None and target.info.name == "dim3":
        return CONVERSION
    _no(source, target)
    return EXACT


def _pointers(source: t.Pointer, target: t.Pointer, argument: TypedOperand) -> int:
    is_null = argument.is_null
    if source.to.const and not target.to.const and not is_null:
        _no(source, target)
    added = int(target.to.const and not source.to.const)
    if t.same(source.to, target.to):
        return added
    if (depth := inheritance_depth(source.to, target.to)) is not None:
        return CONVERSION + 4 * depth + added
    if is_null:
        return CONVERSION
    if isinstance(target.to, t.Void):
        return _TO_VOID + added
    _no(source, target)
    return EXACT


def _member_pointers(source: t.CType, target: t.CType, argument: TypedOperand) -> int:
    if isinstance(source, t.MemberPointer) and t.same(target, t.BOOL):
        return _TO_BOOL
    if isinstance(source, t.MemberPointer) and isinstance(target, t.MemberPointer) and source.owner and target.owner:
        depth = inheritance_depth(target.owner, source.owner)
        if depth is not None and source.to == target.to:
            return CONVERSION + 4 * depth
    if not (isinstance(target, t.MemberPointer) and argument.is_null):
        _no(source, target)
    return CONVERSION


def _no(source: t.CType, target: t.CType) -> None:
    reason = f"does not convert to '{target}'"
    fail(f"{t.with_article(source)} {reason}", None)
