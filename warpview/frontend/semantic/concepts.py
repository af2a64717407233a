"""Tell whether constraints hold, and which of two declarations is the more constrained (C++20, 13.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from warpview.diagnostics import CompileError, Span
from warpview.frontend import syntax as s
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.result_types import typed_object
from warpview.frontend.semantic.scopes import FunctionSet, Scope
from warpview.frontend.syntax.walk import walk

if TYPE_CHECKING:
    from warpview.frontend.semantic.analysis import Semantics


class UnclearConstraint(CompileError):
    """Report a constraint that cannot be evaluated: no other function may be called instead."""


class Concepts:
    """Evaluate the constraints of functions and the requirements of ``requires`` for given template arguments."""

    def __init__(self, semantics: Semantics) -> None:
        self.semantics = semantics
        self.names = semantics.names

    def check(self, constraints: Sequence[s.Expression], scope: Scope, span: Span) -> None:
        """Fail unless constraints hold for the template arguments in a scope."""
        with self.names.scoped(scope):
            if not all(map(self._holds, constraints)):
                fail("its constraints are not satisfied", span)

    def _holds(self, constraint: s.Expression) -> bool:
        """Return whether a constraint holds in the current scope; one that means nothing there does not."""
        if isinstance(constraint, s.Binary) and constraint.operator in ("&&", "||"):
            left = self._holds(constraint.left)
            is_decided = left == (constraint.operator == "||")
            return left if is_decided else self._holds(constraint.right)
        try:
            return bool(self.semantics.evaluator.integer(constraint, "a constraint"))
        except CompileError as error:
            self._check_is_of_arguments(error, constraint)
            return False

    def are_met(self, e: s.Requires) -> bool:
        """Return whether all requirements of an expression are met in the current scope."""
        with self.names.scoped(Scope(self.names.scope, is_parameters=True)):
            try:
                for parameter in e.parameters:
                    type = self.semantics.types.resolve(parameter.type)
                    self.names.scope.declare(parameter.name, typed_object(type), type)
                return all(map(self._is_met, e.requirements))
            except CompileError as error:
                self._check_is_of_arguments(error, e)
                return False

    def _check_is_of_arguments(self, error: CompileError, constraint: s.Expression) -> None:
        """Raise UnclearConstraint unless the error is due to the template arguments: where something is unsupported, or
        a name is unknown, it is not."""
        names = (node for node in walk(constraint) if isinstance(node, s.Name) and not node.qualifier)
        if error.is_unsupported or not all(map(self._is_known, names)):
            raise UnclearConstraint(error.diagnostics) from None

    def _is_known(self, name: s.Name) -> bool:
        if name.scope is not None or name.name in self.names.builtin_functions:
            return True
        try:
            return self.names.lookup(name) is not None
        except CompileError:
            return False

    def _is_met(self, requirement: s.Requirement) -> bool:
        """Return whether a requirement is met. Raises CompileError where what it names is not valid."""
        if requirement.type is not None:
            self.semantics.types.resolve(requirement.type)
        if requirement.condition is not None:
            return self._holds(requirement.condition)
        if requirement.expression is None:
            return True
        found = self.semantics.typer.checked_operand(requirement.expression)
        if requirement.concept is None:
            return True
        type = t.Reference(found.type) if found.is_lvalue else found.type
        return self._holds(s.applied(requirement.concept, s.PlainType(requirement.span, type)))

    def is_more_constrained(self, one: s.FunctionDeclaration, other: s.FunctionDeclaration) -> bool:
        """Return whether the constraints of one function contain those of another one, and others."""
        homes = self.names.namespaces
        return self._atoms_of(one.all_constraints, homes.home(one)) > self._atoms_of(
            other.all_constraints, homes.home(other)
        )

    def contains(self, one: Sequence[s.Expression], other: Sequence[s.Expression], scope: Scope) -> bool:
        """Return whether constraints as written in a scope contain others, and more."""
        return self._atoms_of(one, scope) > self._atoms_of(other, scope)

    def _atoms_of(self, constraints: Sequence[s.Expression], scope: Scope) -> frozenset[s.Expression]:
        with self.names.scoped(scope):
            return frozenset(atom for constraint in constraints for atom in self._atoms(constraint))

    def _atoms(self, constraint: s.Expression) -> Iterator[s.Expression]:
        """Yield the constraints that are joined in one by ``&&``, those within concepts, too."""
        if isinstance(constraint, s.Binary) and constraint.operator == "&&":
            yield from self._atoms(constraint.left)
            yield from self._atoms(constraint.right)
            return
        named = constraint.callee if isinstance(constraint, s.Call) else None
        found = self.names.lookup(named) if isinstance(named, s.Name) else None
        body = found.declarations[0].body if isinstance(found, FunctionSet) else None
        meant = body.body[0] if body is not None and len(body.body) == 1 else None
        if isinstance(meant, s.Return) and meant.value is not None:
            yield from self._atoms(meant.value)
        else:
            yield constraint
