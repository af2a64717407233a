"""Find the explicit specialisation of a function template or constant that stands for chosen template arguments.

A specialisation is no candidate of overload resolution: it takes the place of the template that it specialises, once
that is chosen (C++17, 17.7.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from warpview.diagnostics import CompileError
from warpview.frontend import syntax as s
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.deduction import Found, deduced
from warpview.frontend.semantic.partial_ordering import is_more_specialised
from warpview.frontend.semantic.scopes import Scope, as_symbol

if TYPE_CHECKING:
    from warpview.frontend.semantic.analysis import Semantics


def specialisation(
    semantics: Semantics, declarations: list[s.FunctionDeclaration], chosen: s.FunctionDeclaration, scope: Scope
) -> tuple[s.FunctionDeclaration, Scope] | None:
    """Return the specialisation, among the functions of one name, of a template whose arguments ``scope`` holds, with
    the scope of its own template parameters; None where there is none."""
    if chosen.template is None or scope.parent is None:
        return None
    special = [d for d in declarations if d.is_specialisation]
    special.sort(key=lambda d: (d.body is None, len(d.template or [])))
    primary = [d for d in declarations if d.template is not None and not d.is_specialisation]
    for other in special:
        try:
            inner = _matching(semantics, other, chosen, scope)
        except CompileError:
            continue
        if inner is not None and _belongs(semantics, other, chosen, primary, scope.parent):
            return other, _with_defaults(other, inner, chosen, scope)
    return None


def with_own_members(
    semantics: Semantics, template: s.TypeDeclaration, syntax: s.StructType, arguments: Sequence[object], outside: Scope
) -> s.StructType:  # fmt: skip
    """Return a struct template with the functions that it has for these arguments alone (C++17, 17.7.3); ``outside`` is
    the scope around it."""
    methods = list(syntax.methods)
    for special in syntax.specialised_members:
        bound = Scope(outside)
        with semantics.names.scoped(outside):
            given = semantics.types.template_values(special.arguments)
            semantics.types.bind_template(template.template or [], given, bound, special.span, syntax.name)
        keys = [[semantics.types.key_of(value) for value in values] for values in (bound.names.values(), arguments)]
        if keys[0] == keys[1]:
            methods = [m for m in methods if not _takes_the_place(special.function, m)] + [special.function]
    return replace(syntax, methods=methods) if methods != syntax.methods else syntax


def _takes_the_place(function: s.FunctionDeclaration, of: s.FunctionDeclaration) -> bool:
    """Return whether a function stands for another one of the same struct; a specialisation of a template stands beside
    it."""
    types, others = ([parameter.type for parameter in one.parameters] for one in (function, of))
    is_alike = len(types) == len(others) and len(function.template or ()) == len(of.template or ())
    return function.name == of.name and not function.is_specialisation and is_alike


def _with_defaults(
    other: s.FunctionDeclaration, inner: Scope, chosen: s.FunctionDeclaration, scope: Scope
) -> Scope:  # fmt: skip
    """Give a specialisation the default arguments of its template; return its scope, in which their names are known."""
    if not any(parameter.default for parameter in chosen.parameters):
        return inner
    for parameter, known in zip(other.parameters, chosen.parameters, strict=True):
        parameter.default = known.default
    whole = Scope(scope)
    whole.names |= inner.names
    return whole


def _matching(
    semantics: Semantics, other: s.FunctionDeclaration, chosen: s.FunctionDeclaration, scope: Scope
) -> Scope | None:
    """Return the scope of a specialisation's template parameters where it is one for these arguments, or None."""
    types, parent = semantics.types, scope.parent
    assert parent is not None
    inner = Scope(parent)
    if other.specialises is not None:
        actual: list[object] = list(scope.names.values())
        parameters = other.template or []
        found = types.matched(other.specialises, actual, parameters, parent)
        if found is None or any(p.name not in found for p in parameters):
            return None
        types.bind_template(parameters, [found[p.name] for p in parameters], inner, other.span, other.name)
        with semantics.names.scoped(inner):
            given = [types.key_of(as_symbol(value)) for value in types.template_values(other.specialises)]
        if given != [types.key_of(value) for value in actual[: len(given)]]:
            return None
    same = len(other.parameters) == len(chosen.parameters)
    return inner if same and _parameters(semantics, other, inner) == _parameters(semantics, chosen, scope) else None


def _parameters(semantics: Semantics, function: s.FunctionDeclaration, scope: Scope) -> list[t.CType]:
    """Return what tells the types of a function's parameters from those of another function."""
    with semantics.names.scoped(scope):
        return _signature([semantics.types.resolve(p.type) for p in function.parameters])


def _signature(types: list[t.CType]) -> list[t.CType]:
    return [t.identity(type if isinstance(type, t.Reference) else t.plain(type)) for type in types]


def _belongs(
    semantics: Semantics, other: s.FunctionDeclaration, chosen: s.FunctionDeclaration,
    primary: list[s.FunctionDeclaration], parent: Scope,
) -> bool:  # fmt: skip
    """Return whether the chosen template is the most specialised of those that a specialisation can be one of, among
    the templates declared before it."""
    count = len(other.parameters)
    known = [d for d in primary if d.order <= other.specialised_at and _yields(semantics, d, other, parent)]
    return not any(is_more_specialised(semantics, d, chosen, count) for d in known) and (
        not known or not all(is_more_specialised(semantics, chosen, d, count) for d in known)
    )


def _yields(semantics: Semantics, template: s.FunctionDeclaration, other: s.FunctionDeclaration, parent: Scope) -> bool:
    """Return whether a template with deduced arguments has the parameters of a specialisation."""
    if len(template.parameters) != len(other.parameters):
        return False
    names = frozenset(p.name for p in template.template or ())
    try:
        with semantics.names.scoped(Scope(parent)) as scope:
            types = [semantics.types.resolve(p.type) for p in other.parameters]
            patterns = [p.type for p in template.parameters]
            found: Found = deduced(patterns, types, names, semantics.names.find_type)
            scope.names |= {name: as_symbol(value) for name, value in found.items()}
        return _parameters(semantics, template, scope) == _signature(types)
    except CompileError:
        return False
