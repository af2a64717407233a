"""Answer questions about a syntax tree that need no types."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from warpview.frontend import syntax as s
from warpview.frontend.interruption import checkpoint
from warpview.frontend.syntax.facts import remembered

NOT_AUTOMATIC = frozenset(
    {"static", "extern", "__shared__", "__constant__", "__device__"}
)  # storage of other variables
_PLACES = frozenset({"span", "seen", "order"})  # what tells where a node stands
_FIELDS: dict[type, tuple[str, ...]] = {}


def _field_names(node: s.Node) -> tuple[str, ...]:
    kind = type(node)
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(f.name for f in fields(node) if f.name not in _PLACES)
    return _FIELDS[kind]


def children(node: s.Node) -> list[s.Node]:
    """Return the nodes directly below one."""
    found: list[s.Node] = []
    for name in _field_names(node):
        _collect(getattr(node, name), found)
    return found


def _collect(value: object, found: list[s.Node]) -> None:
    """Add the nodes that a field of a node holds, itself or in lists."""
    if isinstance(value, s.Node):
        found.append(value)
    elif isinstance(value, (list, tuple)):
        for item in value:
            _collect(item, found)


def same_syntax(a: object, b: object) -> bool:
    """Return whether two nodes, or lists of nodes, say the same, wherever they stand."""
    if isinstance(a, s.Node) and isinstance(b, s.Node):
        names = _field_names(a) if type(a) is type(b) else None
        return names is not None and all(same_syntax(getattr(a, name), getattr(b, name)) for name in names)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(same_syntax, a, b))
    return a == b


def walk(node: s.Node, into_lambdas: bool = True) -> Iterator[s.Node]:
    """Yield a node and everything below it."""
    stack = [node]
    while stack:
        checkpoint()
        current = stack.pop()
        yield current
        if into_lambdas or not isinstance(current, s.Lambda):
            stack.extend(children(current))


def last_line(node: s.Statement) -> int:
    """Return the last source line of a statement."""
    match node:
        case s.Compound(end=end):
            return end.line
        case s.For(body=body) | s.While(body=body):
            return last_line(body)
        case s.If(then=then, other=other):
            return last_line(other or then)
        case _:
            return max(part.span.line for part in walk(node))


@remembered
def returns_in(body: s.Node) -> tuple[s.Return, ...]:
    """Return the return statements of a function, without those of lambdas in it."""
    return tuple(n for n in walk(body, into_lambdas=False) if isinstance(n, s.Return))


@remembered
def own_objects(function: s.FunctionDeclaration | s.Lambda) -> frozenset[str]:
    """Return the names that mean nothing but parameters and variables of a function that are objects of its own: no
    references, nothing static or shared."""
    assert function.body is not None
    variables = [n for n in walk(function.body, into_lambdas=False) if isinstance(n, s.DeclaredVariable)]
    types = [(p.name, p.type) for p in function.parameters] + [(v.name, v.type) for v in variables]
    others = {v.name for v in variables if not v.storage.isdisjoint(NOT_AUTOMATIC)}
    others |= {name for name, type in types if isinstance(type, s.ReferenceType)}
    return frozenset(name for name, _ in types) - others


def declares_memory(node: s.Node) -> bool:
    """Return whether a variable is declared below a node that is no object of a function's own."""
    return any(isinstance(n, s.DeclaredVariable) and not n.storage.isdisjoint(NOT_AUTOMATIC) for n in walk(node))


def is_declaration(statement: s.Statement) -> bool:
    """Return whether a statement declares variables or a type, one or several."""
    several = isinstance(statement, s.Compound) and not statement.is_block
    return several or isinstance(statement, (s.Declaration, s.TypeDeclaration))


@remembered
def result_object(function: s.FunctionDeclaration | s.Lambda) -> str | None:
    """Return the name of the variable that every return of a function gives back, so that it can be the result itself;
    None where they give back different things, or a parameter."""
    assert function.body is not None
    returned = {n.value.name if isinstance(n.value, s.Name) else "" for n in returns_in(function.body)}
    name = returned.pop() if len(returned) == 1 else ""
    return name if name in own_objects(function) - {p.name for p in function.parameters} else None


def only_return(body: s.Compound) -> s.Return | None:
    """Return the return of a function that has but one, as its last statement."""
    last = body.body[-1] if body.body else None
    returns = returns_in(body)
    return last if isinstance(last, s.Return) and len(returns) == 1 else None


@remembered
def may_be_constant(e: s.Node) -> bool:
    """Return whether it is worth trying to evaluate ``e`` at compile time: a member may be a constant of its type,
    whatever the object."""
    if isinstance(e, (s.Assign, s.Postfix, s.Call, s.LaunchByKernel, s.Index, s.Lambda)):
        return False
    return isinstance(e, s.Member) or all(may_be_constant(n) for n in children(e))


@remembered
def has_effects(e: s.Expression) -> bool:
    """Return whether evaluating ``e`` may change a variable."""
    return any(
        isinstance(n, (s.Assign, s.Postfix, s.Call, s.LaunchByKernel))
        or (isinstance(n, s.Unary) and n.operator in ("++", "--"))
        for n in walk(e)
    )


def names_in(node: s.Node) -> set[str]:
    return {n.name for n in walk(node) if isinstance(n, s.Name)}


@remembered
def free_names(function: s.Lambda) -> frozenset[str]:
    """Return the names that a lambda's body evaluates and nothing in the lambda declares."""
    declared = {p.name for p in function.parameters} | {p.name for p in function.template or ()}
    used: set[str] = set()
    stack: list[s.Node] = [function.body]
    while stack:
        node = stack.pop()
        if isinstance(node, s.SizeOf | s.DecltypeType):
            continue
        if isinstance(node, s.Lambda):
            declared |= {p.name for p in node.parameters} | {name for name, _, _ in node.captures}
        if isinstance(node, s.DeclaredVariable | s.Parameter):
            declared.add(node.name)
        if isinstance(node, s.Name) and not node.qualifier and node.scope is None:
            used.add(node.name)
        stack += children(node)
    return frozenset(used - declared)


def names_itself(variable: s.DeclaredVariable) -> bool:
    """Return whether the initialiser of a variable has its name, which means this very variable there."""
    values = [v for v in (variable.initialiser, *(variable.arguments or [])) if v is not None]
    return any(variable.name in names_in(value) for value in values)


def is_deduced(syntax: s.TypeSyntax) -> bool:
    """Return whether a type is 'auto', perhaps with const, * or & around it."""
    while isinstance(syntax, (s.QualifiedType, s.PointerType, s.ReferenceType)):
        syntax = syntax.of if isinstance(syntax, s.QualifiedType) else syntax.to
    return isinstance(syntax, s.AutoType)


def refers_to_const(syntax: s.TypeSyntax) -> bool:
    """Return whether a type is written as a reference to what is const."""
    return isinstance(syntax, s.ReferenceType) and isinstance(syntax.to, s.QualifiedType) and syntax.to.const


def is_auto(syntax: s.TypeSyntax) -> bool:
    """Return whether a type is left to be deduced: ``auto``, a reference to it, or either qualified."""
    while isinstance(syntax, (s.ReferenceType, s.QualifiedType)):
        syntax = syntax.to if isinstance(syntax, s.ReferenceType) else syntax.of
    return isinstance(syntax, s.AutoType)
