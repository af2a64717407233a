"""Find declarations of one name that differ: the second one in a namespace, or those of several namespaces, whose names
are not told apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator
from itertools import combinations

from warpview.frontend import syntax as s
from warpview.frontend.syntax.walk import same_syntax

Named = s.FunctionDeclaration | s.DeclaredVariable | s.TypeDeclaration


def mark_doubles(unit: s.TranslationUnit) -> None:
    """Set ``double`` of declarations that are not the only ones of their name to what is wrong with them.

    Functions with other parameters, templates with other results, declarations without a definition, specialisations
    and declarations that say the same are no doubles. A declaration that nothing uses may stay one.
    """
    by_name: dict[Hashable, list[Named]] = defaultdict(list)
    for declaration in _defining(unit):
        by_name[declaration.name].append(declaration)
    for declarations in by_name.values():
        for a, b in combinations(declarations, 2):
            if _collide(a, b):
                a.double = b.double = _complaint(a, unit.namespaces.get(a, ""), unit.namespaces.get(b, ""))


def _defining(unit: s.TranslationUnit) -> Iterator[Named]:
    yield from (f for f in unit.functions if f.body is not None and f.specialises is None)
    yield from (v for v in unit.variables if "extern" not in v.storage)
    for declaration in unit.types:
        type = declaration.type
        if not isinstance(type, s.StructType) or (type.is_defined and type.specialises is None):
            yield declaration


def _collide(a: Named, b: Named) -> bool:
    """Return whether two declarations of one name cannot both be meant by it."""
    if isinstance(a, s.FunctionDeclaration) and isinstance(b, s.FunctionDeclaration):
        signatures = [(f.template, f.result if f.template else None, [p.type for p in f.parameters]) for f in (a, b)]
        return same_syntax(*signatures) and not same_syntax(a.body, b.body)
    return type(a) is type(b) and not same_syntax(a, b)


def _complaint(declaration: Named, first: str, second: str) -> str:
    if first == second:
        return f"'{declaration.name}' is defined twice"
    owners = " and ".join(f"'{path.removesuffix('::')}'" if path else "the file's own" for path in (first, second))
    return f"'{declaration.name}' of two namespaces, {owners}, is not supported: such names are not told apart"
