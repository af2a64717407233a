"""Execute statements at compile time: the bodies of functions that constants need."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto
from typing import TYPE_CHECKING

from warpview.frontend import syntax as s
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.checks import check_assertion, this_object
from warpview.frontend.semantic.constant_operations import NotConstant
from warpview.frontend.semantic.scopes import LazyType
from warpview.frontend.semantic.values import Lvalue, Value
from warpview.frontend.syntax.walk import is_deduced, names_itself, walk

if TYPE_CHECKING:
    from warpview.frontend.semantic.evaluation import Evaluator


class StatementOutcome(Enum):
    """Control continues in one of these ways after a statement."""

    NEXT = auto()
    BREAK = auto()
    CONTINUE = auto()
    RETURN = auto()


class ConstantStatements:
    """Execute statements in the current scope."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.names = evaluator.names
        self._result: Lvalue | Value | None = None
        self._result_type: s.TypeSyntax | None = None

    def run(self, body: s.Compound, result: s.TypeSyntax | None) -> tuple[StatementOutcome, Lvalue | Value | None]:
        """Execute the body of a function with a type of ``result``; return where control went and what was returned, if
        anything: the object itself where the type is a reference."""
        before = self._result, self._result_type
        self._result, self._result_type = None, result
        try:
            return self._execute(body), self._result
        finally:
            self._result, self._result_type = before

    def _execute(self, node: s.Statement) -> StatementOutcome:
        self.evaluator.count_step(node.span)
        match node:
            case s.Compound(body=body):
                with self.names.scoped():
                    for statement in body:
                        flow = self._execute(statement)
                        if flow != StatementOutcome.NEXT:
                            return flow
            case s.Declaration(variables=variables):
                for variable in variables:
                    type = self.evaluator.semantics.typer.variable_type(variable)
                    if names_itself(variable):
                        raise NotConstant
                    self.names.scope.declare(variable.name, self.evaluator.objects.declared(variable, type), type)
            case s.TypeDeclaration(name=name):
                self.names.scope.names[name] = LazyType(node, self.names.scope)
            case s.DefaultPart(position=position):
                self.evaluator.objects.default_members(this_object(self.names.scope, node.span), node.span, position)
            case s.Use():
                self.names.use(node)
            case s.ExpressionStatement(expression=expression):
                self.evaluator.lvalue(expression)
            case s.If():
                return self._if(node)
            case s.For() | s.While() | s.DoWhile():
                return self._loop(node)
            case s.Switch():
                return self._switch(node)
            case s.Case(body=body):
                return self._execute(body)
            case s.Return(value=value):
                self._result = None if value is None else self._returned(value)
                return StatementOutcome.RETURN
            case s.Break():
                return StatementOutcome.BREAK
            case s.Continue():
                return StatementOutcome.CONTINUE
            case s.StaticAssert(condition=condition):
                check_assertion(node, self.evaluator.number(condition))
            case s.Empty():
                pass
            case _:
                raise NotConstant
        return StatementOutcome.NEXT

    def _returned(self, value: s.Expression) -> Lvalue | Value:
        if isinstance(self._result_type, s.ReferenceType):
            return self.evaluator.lvalue(value)
        if not isinstance(value, s.InitList):
            return self._returned_as_declared(value)
        if self._result_type is None or is_deduced(self._result_type):
            raise NotConstant
        return self.evaluator.objects.construct(s.Construct(value.span, self._result_type, [value], braces=True))

    def _returned_as_declared(self, value: s.Expression) -> Value:
        """Return a value, or the object that a constructor makes of it for a function that returns one."""
        if self._result_type is None or is_deduced(self._result_type):
            return self.evaluator.rvalue(value)
        type = self.evaluator.semantics.types.resolve(self._result_type)
        given = self.evaluator.semantics.typer.type_of(value)
        return self.evaluator.objects.made(value, given, type) or self.evaluator.rvalue(value)

    def _if(self, node: s.If) -> StatementOutcome:
        with self.names.scoped():
            if node.initialiser is not None:
                self._execute(node.initialiser)
            if not isinstance(node.condition, s.Expression):
                raise NotConstant
            holds = self.evaluator.truth(node.condition)
            chosen = node.then if holds else node.other
            return StatementOutcome.NEXT if chosen is None else self._execute(chosen)

    def _loop(self, node: s.For | s.While | s.DoWhile) -> StatementOutcome:
        with self.names.scoped():
            if isinstance(node, s.For) and node.initialiser is not None:
                self._execute(node.initialiser)
            condition = node.condition
            entered = isinstance(node, s.DoWhile)
            while entered or condition is None or self.evaluator.truth(condition):
                entered = False
                flow = self._execute(node.body)
                if flow == StatementOutcome.BREAK:
                    break
                if flow == StatementOutcome.RETURN:
                    return flow
                if isinstance(node, s.For) and node.step is not None:
                    self.evaluator.lvalue(node.step)
        return StatementOutcome.NEXT

    def _switch(self, node: s.Switch) -> StatementOutcome:
        """Execute a switch, whose labels stand in its own block."""
        if not isinstance(node.body, s.Compound):
            raise NotConstant
        semantics = self.evaluator.semantics
        type = semantics.own_conversions.number_type(semantics.typer.operand(node.condition).type)
        value = self.evaluator.numbered(self.evaluator.rvalue(node.condition), node.span).constant
        if type is None or not isinstance(value, int):
            raise NotConstant
        wanted, statements = t.wrap(value, t.promoted(type)), node.body.body
        labels = [(k, label) for k, statement in enumerate(statements) for label in _labels(statement)]
        here = [k for k, label in labels if label.value is not None and self._case(label.value, type) == wanted]
        start = next(iter(here or [k for k, label in labels if label.value is None]), len(statements))
        with self.names.scoped():
            for statement in statements[start:]:
                flow = self._execute(statement)
                if flow != StatementOutcome.NEXT:
                    return StatementOutcome.NEXT if flow == StatementOutcome.BREAK else flow
        return StatementOutcome.NEXT

    def _case(self, value: s.Expression, type: t.Scalar) -> int:
        return t.wrap(self.evaluator.integer(value, "the value of a case"), t.promoted(type))


def _labels(statement: s.Statement) -> Iterator[s.Case]:
    """Yield the labels of a statement of a switch. Raises NotConstant where one stands further within."""
    while isinstance(statement, s.Case):
        yield statement
        statement = statement.body
    nodes = list(walk(statement))
    if any(isinstance(n, s.Case) for n in nodes) and not any(isinstance(n, s.Switch) for n in nodes):
        raise NotConstant
