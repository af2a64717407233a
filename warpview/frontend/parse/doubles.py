"""Find declarations of one name that differ: the second one in a namespace."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

from warpview.frontend import syntax as s
from warpview.frontend.syntax.walk import same_syntax, walk

Named = s.FunctionDeclaration | s.DeclaredVariable | s.TypeDeclaration


def mark_doubles(unit: s.TranslationUnit) -> None:
    """Set ``double`` of declarations that are not the only ones of their name to what is wrong with them.

    Functions with other parameters, templates with other results, declarations without a definition, specialisations
    and declarations that say the same are no doubles. A declaration that nothing uses may stay one.
    """
    alike: dict[tuple[str, str, tuple[object, ...]], list[Named]] = defaultdict(list)
    for declaration in _defining(unit):
        alike[unit.namespaces.get(declaration, ""), declaration.name, _outline(declaration)].append(declaration)
    for (namespace, name, _), declarations in alike.items():
        for a, b in combinations(declarations, 2):
            if _collide(a, b):
                a.double = b.double = f"'{namespace}{name}' is defined twice"
    _mark_results(unit)


def _mark_results(unit: s.TranslationUnit) -> None:
    """Set ``double`` of functions that differ in their results alone, which a call cannot tell apart."""
    alike: dict[tuple[str, str, tuple[object, ...]], list[s.FunctionDeclaration]] = defaultdict(list)
    for function in unit.functions:
        if function.template is None and isinstance(function.result, s.PlainType):
            alike[unit.namespaces.get(function, ""), function.name, _outline(function)].append(function)
    for functions in alike.values():
        for a, b in combinations(functions, 2):
            is_same = same_syntax([p.type for p in a.parameters], [p.type for p in b.parameters])
            if is_same and not same_syntax(a.result, b.result):
                message = f"'{a.name}' is declared for the same parameters with another result"
                a.double, b.double = a.double or message, b.double or message


def _defining(unit: s.TranslationUnit) -> Iterator[Named]:
    yield from (f for f in unit.functions if f.body is not None and f.specialises is None)
    yield from (v for v in unit.variables if "extern" not in v.storage)
    for declaration in unit.types:
        type = declaration.type
        if not isinstance(type, s.StructType) or (type.is_defined and type.specialises is None):
            yield declaration


def _outline(declaration: Named) -> tuple[object, ...]:
    """Return what two functions share that have the same parameters: the names of types in each of these."""
    if not isinstance(declaration, s.FunctionDeclaration):
        return ()
    return tuple(tuple(n.name for n in walk(p.type) if isinstance(n, s.NamedType)) for p in declaration.parameters)


def _collide(a: Named, b: Named) -> bool:
    """Return whether two declarations of one name cannot both be meant by it."""
    if isinstance(a, s.FunctionDeclaration) and isinstance(b, s.FunctionDeclaration):
        signatures = [
            (f.template, f.result if f.template else None, [p.type for p in f.parameters], f.constraints)
            for f in (a, b)
        ]
        return same_syntax(*signatures) and not same_syntax(a.body, b.body)
    return type(a) is type(b) and not same_syntax(a, b)
