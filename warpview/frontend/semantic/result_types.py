"""Find the types of calls: the return type for arguments of given types, declared or deduced from the body."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpview.diagnostics import Span
from warpview.frontend import syntax as s
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.operands import TypedOperand
from warpview.frontend.semantic.scopes import LazyType, Scope
from warpview.frontend.semantic.values import Address, FunctionObject, Lvalue, Value
from warpview.frontend.syntax.walk import is_deduced

if TYPE_CHECKING:
    from warpview.frontend.semantic.typing import Typer

MAX_DEPTH = 48  # functions whose result is deduced within one another


class ResultTypes:
    """Find the result types of functions and lambdas; parameters are declared with the types of the arguments."""

    def __init__(self, typer: Typer) -> None:
        self.typer = typer
        self.semantics = typer.semantics
        self.names = typer.names
        self._depth = 0

    def of_call(
        self, declarations: list[s.FunctionDeclaration], callee: s.Name | None, span: Span,
        arguments: list[TypedOperand | s.InitList], this: t.CType | None,
    ) -> TypedOperand:  # fmt: skip
        """Return the result of the function that a call means."""
        chosen = self.semantics.overloads.choose(declarations, callee, span, arguments, this)
        declaration = chosen.declaration
        this_object = chosen.on(typed_object(this)) if this is not None else None
        inner = Scope(chosen.scope, this=this_object, is_parameters=True)
        types = [t.VOID if isinstance(a, s.InitList) else a.type for a in arguments]
        self._declare_parameters(declaration.parameters, types, inner, arguments)
        return self._returned(declaration.result, declaration.body, inner, span)

    def of_lambda(
        self, function: FunctionObject, callee: s.Expression | None, arguments: list[TypedOperand]
    ) -> TypedOperand:
        """Return the result of a call of a lambda, which may be named as ``callee`` says."""
        syntax, scope = self.semantics.overloads.called_lambda(function, callee, arguments)
        types = [argument.type for argument in arguments]
        inner = Scope(scope, is_parameters=True)
        for name, _, value in syntax.captures:
            if value is not None:
                inner.names[name] = typed_object(self.typer.operand(value).type)
        self._declare_parameters(syntax.parameters, types, inner)
        return self._returned(syntax.result, syntax.body, inner, syntax.span)

    def of_body(self, declaration: s.FunctionDeclaration, scope: Scope) -> t.CType:
        """Return the result type that the body of a function tells, whose parameters the scope has."""
        result = self._returned(declaration.result, declaration.body, scope, declaration.span)
        return t.Reference(result.type) if result.is_lvalue else result.type

    def _declare_parameters(
        self, parameters: list[s.Parameter], types: list[t.CType], scope: Scope,
        arguments: list[TypedOperand | s.InitList] | None = None,
    ) -> None:  # fmt: skip
        with self.names.scoped(scope):
            for position, parameter in enumerate(parameters):
                argument = arguments[position] if arguments and position < len(arguments) else None
                given = types[position] if position < len(types) else t.VOID
                type = self.typer.parameter_type(parameter, given)
                is_converted = isinstance(t.plain(type.to if isinstance(type, t.Reference) else type), t.Struct)
                if isinstance(argument, TypedOperand) and argument.object is not None and not is_converted:
                    scope.names[parameter.name] = Value(argument.type, object=argument.object)
                    continue
                scope.declare(parameter.name, typed_object(type), type)

    def _returned(self, result: s.TypeSyntax | None, body: s.Compound | None, scope: Scope, span: Span) -> TypedOperand:
        """Return the result of a function as declared, or as its first return says."""
        with self.names.scoped(scope):
            if result is not None and not is_deduced(result):
                return result_operand(self.semantics.types.resolve(result))
            self._depth += 1
            try:
                if self._depth > MAX_DEPTH:
                    fail("the calls are nested too deeply", span)
                found = (self._first_return(body) if body is not None else None) or t.VOID
                refers = isinstance(result, s.ReferenceType)
                return TypedOperand(found if refers else t.decayed(found), is_lvalue=refers)
            finally:
                self._depth -= 1

    def _first_return(self, node: s.Statement | None) -> t.CType | None:
        """Return the type of the first value that a statement returns; its declarations are typed on the way."""
        match node:
            case s.Compound(body=body):
                with self.names.scoped():
                    return next((found for x in body if (found := self._first_return(x)) is not None), None)
            case s.Declaration(variables=variables):
                for variable in variables:
                    self._declare(variable)
            case s.TypeDeclaration(name=name):
                self.names.scope.names[name] = LazyType(node, self.names.scope)
            case s.Use():
                self.names.use(node)
            case s.Return(value=value):
                return None if value is None or isinstance(value, s.InitList) else self.typer.operand(value).type
            case s.If(initialiser=start, then=then, other=other):
                with self.names.scoped():
                    self._first_return(start)
                    if node.is_constexpr and isinstance(node.condition, s.Expression):
                        holds = self.semantics.evaluator.branch_taken(node.condition)
                        return self._first_return(then if holds else other)
                    if isinstance(node.condition, s.Declaration):
                        self._first_return(node.condition)
                    return self._first_return(then) or self._first_return(other)
            case s.For(initialiser=start, body=body):
                with self.names.scoped():
                    return self._first_return(start) or self._first_return(body)
            case s.While(body=body) | s.DoWhile(body=body) | s.Switch(body=body) | s.Case(body=body):
                return self._first_return(body)
            case s.Label(body=body):
                return self._first_return(body)
        return None

    def _declare(self, variable: s.DeclaredVariable) -> None:
        if isinstance(variable.initialiser, s.Lambda) and is_deduced(variable.type):
            operand = self.typer.operand(variable.initialiser)
            self.names.scope.names[variable.name] = Value(operand.type, object=operand.object)
            return
        type = self.typer.variable_type(variable)
        self.names.scope.declare(variable.name, typed_object(type), type)


def result_operand(type: t.CType) -> TypedOperand:
    """Return the operand that stands for a call of a function with this result type."""
    return TypedOperand(type.to, is_lvalue=not type.rvalue) if isinstance(type, t.Reference) else TypedOperand(type)


def typed_object(type: t.CType) -> Lvalue:
    """Return an object of which only the type is known."""
    return Lvalue(Address(), type.to if isinstance(type, t.Reference) else type)
