"""Tell which of two function templates is the more specialised (C++17, 17.5.6.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpview.diagnostics import CompileError
from warpview.frontend import syntax as s
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.deduction import Found, deduced
from warpview.frontend.semantic.scopes import Scope, TemplateArgument, as_symbol
from warpview.frontend.semantic.values import number

if TYPE_CHECKING:
    from warpview.frontend.semantic.analysis import Semantics

_UNIQUE = 1_000_003  # stands for a template parameter that is a value


def is_more_specialised(
    semantics: Semantics, one: s.FunctionDeclaration, other: s.FunctionDeclaration, parameters: int
) -> bool:
    """Return whether the first ``parameters`` of a template take only arguments that those of another one take, and
    not the other way round."""
    forwards = _takes(semantics, other, one, parameters)
    backwards = _takes(semantics, one, other, parameters)
    if forwards != backwards:
        return forwards
    return forwards and _references(one, parameters) > _references(other, parameters)


def _takes(
    semantics: Semantics, general: s.FunctionDeclaration, special: s.FunctionDeclaration, parameters: int
) -> bool:
    """Return whether a template takes whatever another one takes: types of which nothing else is known."""
    homes = semantics.names.namespaces
    own, given = Scope(homes.home(special)), Scope(homes.home(general))
    try:
        for position, parameter in enumerate(special.template or []):
            own.names[parameter.name] = as_symbol(_unique(parameter, position))
        with semantics.names.scoped(own):
            types = [_bare(semantics.types.resolve(p.type)) for p in special.parameters[:parameters]]
        patterns = [_without_reference(p.type) for p in general.parameters[:parameters]]
        with semantics.names.scoped(given):
            names = [p.name for p in general.template or []]
            found: Found = deduced(patterns, types, frozenset(names), semantics.names.find_type)
            given.names |= {name: as_symbol(value) for name, value in found.items()}
            return all(
                t.identity(_bare(semantics.types.resolve(pattern))) == t.identity(type)
                for pattern, type in zip(patterns, types, strict=True)
            )
    except CompileError:
        return False


def most_specialised(
    semantics: Semantics, found: list[tuple[s.StructType, Scope]], home: Scope
) -> tuple[s.StructType, Scope]:  # fmt: skip
    """Return the partial specialisation of a struct template that takes the fewest template arguments, of several that
    fit; the first one where none is more specialised than the others (C++17, 17.5.5.2)."""
    best, *others = found
    for other in others:
        if _orders_before(semantics, other[0], best[0], home):
            best = other
    return best


def _orders_before(semantics: Semantics, one: s.StructType, other: s.StructType, home: Scope) -> bool:
    """Return whether a partial specialisation is more specialised than another one, or else more constrained."""
    forwards, backwards = _covers(semantics, other, one, home), _covers(semantics, one, other, home)
    if forwards != backwards:
        return forwards
    mine, others = ([c for p in struct.template or () for c in p.constraints] for struct in (one, other))
    return forwards and semantics.concepts.contains(mine, others, home)


def _covers(semantics: Semantics, general: s.StructType, special: s.StructType, home: Scope) -> bool:
    """Return whether a partial specialisation fits all template arguments that another one fits."""
    own, given, types = Scope(home), Scope(home), semantics.types
    written = general.specialises or []
    try:
        for position, parameter in enumerate(special.template or []):
            own.names[parameter.name] = as_symbol(_unique(parameter, position))
        with semantics.names.scoped(own):
            actual: list[object] = [as_symbol(value) for value in types.template_values(special.specialises or [])]
        found = types.matched(written, actual, general.template or [], home) or {}
        given.names |= {name: as_symbol(value) for name, value in found.items()}
        with semantics.names.scoped(given):
            again = [types.key_of(as_symbol(value)) for value in types.template_values(written)]
        return again == [*map(types.key_of, actual)]
    except CompileError:
        return False


def _unique(parameter: s.TemplateParameter, position: int) -> TemplateArgument:
    if parameter.is_template or parameter.pack:
        fail("templates with such parameters are not ordered", parameter.span)
    return t.Struct(t.StructInfo(parameter.name)) if parameter.type is None else number(t.INT, _UNIQUE + position)


def _bare(type: t.CType) -> t.CType:
    return type if isinstance(type, t.Array) else t.plain(type)


def _without_reference(syntax: s.TypeSyntax) -> s.TypeSyntax:
    syntax = syntax.to if isinstance(syntax, s.ReferenceType) else syntax
    return syntax.of if isinstance(syntax, s.QualifiedType) else syntax


def _references(function: s.FunctionDeclaration, parameters: int) -> int:
    """Return how special the references among parameters are: T& more than T&&, const T& more than T&."""
    references = [p.type for p in function.parameters[:parameters] if isinstance(p.type, s.ReferenceType)]
    lvalues = [reference.to for reference in references if not reference.rvalue]
    return sum(1 + int(isinstance(to, s.QualifiedType) and to.const) for to in lvalues)
