"""Tell what a list in braces becomes that initialises a ``std::initializer_list`` (C++17, 11.6.4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from warpview.frontend import syntax as s
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t

_NAME = "initializer_list"


def listed_array(type: t.CType, e: s.Expression, type_of: Callable[[s.Expression], t.CType]) -> t.Array | None:
    """Return the array that the items of a list become where an object of a type is initialised by it; None where the
    type is no list, or the list holds one that is copied."""
    struct = t.plain(type)
    if not isinstance(struct, t.Struct) or struct.info.name != f"std::{_NAME}" or not isinstance(e, s.InitList):
        return None
    items = [item for _, item in e.items]
    if len(items) == 1 and not isinstance(items[0], s.InitList) and t.same(type_of(items[0]), struct):
        return None
    pointer = struct.info.fields[0].type
    assert isinstance(pointer, t.Pointer)
    return t.Array(t.plain(pointer.to), len(items))


def arguments(constructors: list[s.FunctionDeclaration], e: s.InitList) -> list[s.Expression]:
    """Return what ``T{items}`` passes to a constructor: the list where one takes it, else its items."""
    items = [item for _, item in e.items]
    return [e] if items and any(map(_takes_list, constructors)) else items


def chosen(constructors: list[s.FunctionDeclaration], passed: list[s.Expression]) -> list[s.FunctionDeclaration]:
    """Return the constructors to choose from: those that take a list where one is passed."""
    is_list = len(passed) == 1 and isinstance(passed[0], s.InitList)
    return (is_list and list(filter(_takes_list, constructors))) or constructors


def deducing(type: s.TypeSyntax, e: s.InitList, type_of: Callable[[s.Expression], t.CType]) -> s.TypeSyntax | None:
    """Return the type of the parameter that a list is passed to with the type and number of its items; None where the
    parameter is neither a list nor a reference to an array."""
    if isinstance(type, s.ReferenceType) and isinstance(type.to, s.ArrayType):
        return _deduced_array(type.to, e, type_of)
    named = _list_type(type)
    if named is None or not e.items or isinstance(e.items[0][1], s.InitList):
        return None
    return replace(named, arguments=[s.PlainType(e.span, t.decayed(type_of(e.items[0][1])))])


def _deduced_array(array: s.ArrayType, e: s.InitList, type_of: Callable[[s.Expression], t.CType]) -> s.ArrayType | None:
    """Return the type of an array that has the items of a list (C++17, 17.8.2.1); None for a list of nothing, or of
    lists where its elements are no arrays."""
    first = e.items[0][1] if e.items else None
    of: s.TypeSyntax | None = None
    if isinstance(first, s.InitList) and isinstance(array.of, s.ArrayType):
        of = _deduced_array(array.of, first, type_of)
    elif first is not None and not isinstance(first, s.InitList):
        of = s.PlainType(e.span, t.decayed(type_of(first)))
    return None if of is None else s.ArrayType(e.span, of, s.Literal(e.span, len(e.items), t.INT))


def deduced(e: s.InitList, type_of: Callable[[s.Expression], t.CType]) -> s.NamedType:
    """Return the type of ``auto x = {items}``. Raises CompileError where the items have several types."""
    types = [t.decayed(type_of(item)) for _, item in e.items if not isinstance(item, s.InitList)]
    if len(types) != len(e.items) or not types or not all(t.same(type, types[0]) for type in types):
        fail("the type of 'auto' cannot be deduced from these values", e.span)
    return s.NamedType(e.span, _NAME, [s.PlainType(e.span, types[0])], None, "std::")


def _takes_list(function: s.FunctionDeclaration) -> bool:
    parameters = function.parameters
    is_first = bool(parameters) and _list_type(parameters[0].type) is not None
    return is_first and all(parameter.default is not None for parameter in parameters[1:])


def _list_type(type: s.TypeSyntax) -> s.NamedType | None:
    while isinstance(type, (s.ReferenceType, s.QualifiedType)):
        type = type.to if isinstance(type, s.ReferenceType) else type.of
    return type if isinstance(type, s.NamedType) and type.name == _NAME else None
