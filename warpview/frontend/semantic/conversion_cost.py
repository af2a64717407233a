"""Rank how well an argument fits a parameter."""

from __future__ import annotations

from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import base_offset
from warpview.frontend.semantic.operands import TypedOperand


def cost(argument: TypedOperand, parameter: t.CType) -> float:
    """Return 0 for an exact match, 1 for a promotion, 2 for a conversion; fail where there is no conversion."""
    source = t.plain(argument.type)
    target = t.plain(parameter)
    if isinstance(source, t.Group) and isinstance(target, t.Group):
        if target.kind != "any" and source != target:
            _no(source, target)
        return 0.2 if target.kind == "any" else 0.0
    if isinstance(parameter, t.Reference):
        target = parameter.to
        if t.same(source, target):
            writes_const = argument.type.const and not target.const
            in_place = argument.is_lvalue or isinstance(source, (t.Struct, t.Pointer)) or parameter.rvalue
            if writes_const or not (in_place or target.const) or (parameter.rvalue and argument.is_lvalue):
                _no(source, parameter)
            return 0.0 if argument.type.const == target.const else 0.1
        if base_offset(source, target) is not None and (target.const or not argument.type.const):
            return 1.5
        if not target.const and not parameter.rvalue:
            _no(source, parameter)
        return 0.5 + _by_value(source, t.plain(target), argument)
    return _by_value(source, t.plain(parameter), argument)


def _by_value(source: t.CType, target: t.CType, argument: TypedOperand) -> float:
    if isinstance(source, t.Array):
        source = t.Pointer(source.of)
    if isinstance(target, t.Array):
        target = t.Pointer(target.of)
    if isinstance(source, t.Pointer) and isinstance(target, t.Pointer):
        return _pointers(source, target, argument)
    if t.same(source, target):
        return 0.0
    if base_offset(source, target) is not None:
        return 1.5
    a, b = t.arithmetic(source), t.arithmetic(target)
    if a is not None and b is not None:
        if isinstance(target, t.Enum):
            _no(source, target)
        if (not a.is_float and b == t.promoted(a) and a != b) or (a == t.FLOAT and b == t.DOUBLE):
            return 1.0
        return 2.0
    if isinstance(target, t.Pointer) and argument.is_null:
        return 2.0
    if isinstance(source, t.Pointer) and b is not None and b.is_bool:
        return 3.0
    if isinstance(target, (t.Closure, t.Group)) or isinstance(source, (t.Closure, t.Group)):
        _no(source, target)
    if isinstance(target, t.Struct) and a is not None and target.info.name == "dim3":
        return 2.0
    _no(source, target)
    return 0.0


def _pointers(source: t.Pointer, target: t.Pointer, argument: TypedOperand) -> float:
    is_null = argument.is_null
    if source.to.const and not target.to.const and not is_null:
        _no(source, target)
    if t.same(source.to, target.to):
        return 0.0 if source.to.const == target.to.const else 0.1
    if base_offset(source.to, target.to) is not None:
        return 1.5
    if isinstance(target.to, t.Void) or is_null:
        return 2.0
    _no(source, target)
    return 0.0


def _no(source: t.CType, target: t.CType) -> None:
    fail(f"a '{source}' does not convert to '{target}'", None)
