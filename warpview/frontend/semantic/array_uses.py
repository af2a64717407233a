"""Find the loops to unroll so that a local array can live in registers, from a function's syntax.

Registers cannot be indexed at run time. An array lives in them if every index is known at compile time, once the
loops of constant bounds are unrolled whose variables it is indexed by. An array that is indexed by anything else lives
in local memory anyway, and its loops stay loops.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from warpview.frontend import syntax as s
from warpview.frontend.semantic.mutation import Mutations
from warpview.frontend.syntax.walk import children, walk

Known = Callable[[str], bool]  # whether a name from outside the function is known at compile time


@dataclass
class ArrayUses:
    """Describe how a function indexes its arrays: by name, those indexed at run time; by loop, the arrays it would
    resolve."""

    indexed_at_run_time: set[str] = field(default_factory=set)
    resolved_by: dict[s.For, set[str]] = field(default_factory=dict)

    def arrays_resolved_by(self, loop: s.For) -> set[str]:
        """Return the names of the arrays that unrolling ``loop`` lets live in registers."""
        return self.resolved_by.get(loop, set()) - self.indexed_at_run_time


def array_uses(body: s.Statement, mutations: Mutations, known: Known) -> ArrayUses:
    """Return how ``body`` indexes arrays; ``known`` is asked about names that it does not declare."""
    finder = _Finder(mutations.changed_in(body).whole, mutations, known)
    finder.visit(body, {})
    return finder.uses


def loop_variables(loop: s.For, mutations: Mutations) -> set[str]:
    """Return the variables of a loop that may be unrolled: set at its start and changed by its step alone; else
    none."""
    if loop.condition is None or loop.step is None or loop.pragma == "nounroll":
        return set()
    match loop.initialiser:
        case s.Declaration(variables=variables) if all(v.initialiser is not None for v in variables):
            names = {v.name for v in variables}
        case s.ExpressionStatement(expression=s.Assign(operator="", target=s.Name(name=name))):
            names = {name}
        case _:
            return set()
    changed = mutations.changed_in(loop.body)
    return set() if names & (changed.whole | changed.parts) else names


@dataclass
class _Loop:
    """Describe a loop around the visited node, with the names that its variables decide."""

    node: s.For
    names: set[str]


class _Finder:
    """Walk a function with what is known of each name: True where its value is known once loops are unrolled."""

    def __init__(self, changed: frozenset[str], mutations: Mutations, known: Known) -> None:
        self.changed = changed
        self.mutations = mutations
        self.known = known
        self.loops: list[_Loop] = []
        self.uses = ArrayUses()

    def visit(self, node: s.Node, names: dict[str, bool]) -> None:
        match node:
            case s.For():
                self._for(node, dict(names))
            case s.Compound():
                inner = dict(names)
                for statement in node.body:
                    self.visit(statement, inner)
            case s.Declaration():
                for variable in node.variables:
                    self.visit(variable, names)
                    self._declare(variable, names)
            case s.Index():
                self._index(node, names)
                for below in children(node):
                    self.visit(below, names)
            case _:
                for below in children(node):
                    self.visit(below, names)

    def _declare(self, variable: s.DeclaredVariable, names: dict[str, bool]) -> None:
        value = variable.initialiser
        fixed = variable.name not in self.changed and value is not None and self._is_known(value, names)
        names[variable.name] = fixed
        if fixed and value is not None:
            for loop in self.loops:
                if _mentions(value, loop.names):
                    loop.names.add(variable.name)

    def _for(self, node: s.For, names: dict[str, bool]) -> None:
        variables = loop_variables(node, self.mutations)
        if node.initialiser is not None:
            self.visit(node.initialiser, names)
        start = node.initialiser
        values = [v.initialiser for v in start.variables] if isinstance(start, s.Declaration) else []
        if isinstance(start, s.ExpressionStatement) and isinstance(start.expression, s.Assign):
            values = [start.expression.value]
        within = {**names, **dict.fromkeys(variables, True)}
        bounds = [e for e in (*values, node.condition, _change(node.step)) if e is not None]
        known = all(self._is_known(e, within) for e in bounds)
        inner = {**names, **dict.fromkeys(variables, known)}
        if known and variables:
            for loop in self.loops:
                if any(_mentions(e, loop.names) for e in bounds):
                    loop.names |= variables
            self.loops.append(_Loop(node, set(variables)))
        self.visit(node.body, inner)
        if known and variables:
            self.loops.pop()

    def _index(self, node: s.Index, names: dict[str, bool]) -> None:
        base: s.Expression = node
        while isinstance(base, (s.Index, s.Member)):
            base = base.base
        if not isinstance(base, s.Name):
            return
        if not self._is_known(node.index, names):
            self.uses.indexed_at_run_time.add(base.name)
            return
        for loop in self.loops:
            if _mentions(node.index, loop.names):
                self.uses.resolved_by.setdefault(loop.node, set()).add(base.name)

    def _is_known(self, e: s.Node, names: dict[str, bool]) -> bool:
        """Return whether the value of an expression is known at compile time once the loops around it are unrolled."""
        match e:
            case s.Name(name=name):
                return names[name] if name in names else self.known(name)
            case s.Member(name=name):
                return self.mutations.is_static_constant(name)
            case s.Call() | s.Assign() | s.Postfix() | s.Lambda():
                return False
            case s.Index() | s.This() | s.BoundPart():
                return False
            case s.Unary(operator="*" | "&" | "++" | "--"):
                return False
        return all(self._is_known(below, names) for below in children(e))


def _change(step: s.Expression | None) -> s.Expression | None:
    """Return the amount by which a loop's step changes its variable, where that is written out."""
    return step.value if isinstance(step, s.Assign) else None


def _mentions(e: s.Expression, names: set[str]) -> bool:
    return any(isinstance(node, s.Name) and node.name in names for node in walk(e))
