"""Answer questions about a syntax tree that need no types."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import lru_cache

from warpview.frontend import syntax as s
from warpview.frontend.interruption import checkpoint

_FIELDS: dict[type, tuple[str, ...]] = {}


def _field_names(node: s.Node) -> tuple[str, ...]:
    kind = type(node)
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(f.name for f in fields(node) if f.name != "span")
    return _FIELDS[kind]


def children(node: s.Node) -> Iterator[s.Node]:
    """Yield the nodes directly below one."""
    for name in _field_names(node):
        yield from _nodes(getattr(node, name))


def _nodes(value: object) -> Iterator[s.Node]:
    if isinstance(value, s.Node):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _nodes(item)


def walk(node: s.Node, into_lambdas: bool = True) -> Iterator[s.Node]:
    """Yield a node and everything below it."""
    stack = [node]
    while stack:
        checkpoint()
        current = stack.pop()
        yield current
        if into_lambdas or not isinstance(current, s.Lambda):
            stack.extend(children(current))


@lru_cache(maxsize=4096)
def returns_in(body: s.Node) -> tuple[s.Return, ...]:
    """Return the return statements of a function, without those of lambdas in it."""
    return tuple(n for n in walk(body, into_lambdas=False) if isinstance(n, s.Return))


def only_return(body: s.Compound) -> s.Return | None:
    """Return the return of a function that has but one, as its last statement."""
    last = body.body[-1] if body.body else None
    returns = returns_in(body)
    return last if isinstance(last, s.Return) and len(returns) == 1 else None


@lru_cache(maxsize=8192)
def may_be_constant(e: s.Expression) -> bool:
    """Return whether it is worth trying to evaluate ``e`` at compile time."""
    return not any(isinstance(n, (s.Assign, s.Postfix, s.Call, s.Index, s.Lambda)) for n in walk(e))


@lru_cache(maxsize=8192)
def has_effects(e: s.Expression) -> bool:
    """Return whether evaluating ``e`` may change a variable."""
    return any(
        isinstance(n, (s.Assign, s.Postfix, s.Call)) or (isinstance(n, s.Unary) and n.operator in ("++", "--"))
        for n in walk(e)
    )


def names_in(node: s.Node) -> set[str]:
    return {n.name for n in walk(node) if isinstance(n, s.Name)}


def is_deduced(syntax: s.TypeSyntax) -> bool:
    """Return whether a type is 'auto', perhaps with const, * or & around it."""
    while isinstance(syntax, (s.QualifiedType, s.PointerType, s.ReferenceType)):
        syntax = syntax.of if isinstance(syntax, s.QualifiedType) else syntax.to
    return isinstance(syntax, s.AutoType)
