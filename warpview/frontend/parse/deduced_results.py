"""Write the type that ``decltype(auto)`` stands for as the result of a function (C++17, 10.1.7.4)."""

from __future__ import annotations

from warpview.frontend import syntax as s
from warpview.frontend import unsupported
from warpview.frontend.semantic.types import VOID
from warpview.frontend.syntax.walk import names_in, returns_in, walk

_OBJECTS = (s.Index, s.Member, s.Unary, s.Conditional, s.Call, s.Cast, s.Assign)  # may be objects, not values


def written_result(result: s.TypeSyntax, body: s.Compound | None) -> s.TypeSyntax:
    """Return the result of a function as ``decltype`` of its first return says it; any other result as it is."""
    if not isinstance(result, s.DecltypeAutoType):
        return result
    if body is None:
        unsupported.DECLTYPE_AUTO.stop(result.span)
    first = next(iter(returns_in(body)), None)
    if first is None or first.value is None:
        return s.PlainType(result.span, VOID)
    own = {node.name for node in walk(body) if isinstance(node, s.DeclaredVariable)}
    if own.isdisjoint(names_in(first.value)):
        return s.DecltypeType(result.span, first.value, first.in_brackets)
    if isinstance(first.value, _OBJECTS) or first.in_brackets:
        unsupported.DECLTYPE_AUTO.stop(result.span)
    return s.AutoType(result.span)
