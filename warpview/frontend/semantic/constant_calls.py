"""Evaluate calls at compile time: choice of the function, binding of arguments, execution."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpview.diagnostics import Span
from warpview.frontend import syntax as s
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import constructors_of, methods_of
from warpview.frontend.semantic.constant_operations import NotConstant, builtin_value, converted
from warpview.frontend.semantic.constant_statements import ConstantStatements, StatementOutcome
from warpview.frontend.semantic.constructors import constructor_body
from warpview.frontend.semantic.inheritance import base_offset
from warpview.frontend.semantic.overload_resolution import Chosen, NoMatch
from warpview.frontend.semantic.scopes import FunctionSet, LazyType, LazyVariable, Scope, TypeSymbol
from warpview.frontend.semantic.values import Lvalue, Value, number
from warpview.frontend.syntax.expressions import in_pairs
from warpview.frontend.syntax.walk import is_deduced

if TYPE_CHECKING:
    from warpview.frontend.semantic.evaluation import Evaluator

MAX_DEPTH = 512  # calls within calls


class ConstantCalls:
    """Evaluate calls of functions, methods, constructors and lambdas."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.semantics = evaluator.semantics
        self.names = evaluator.names
        self.statements = ConstantStatements(evaluator)
        self._results: dict[object, Lvalue | Value] = {}  # of functions without arguments
        # By the identity of a call's arguments, which the value keeps alive, and the function that contains it.
        self._choices: dict[object, tuple[list[s.Expression], Chosen]] = {}
        self._instance: object = None  # the function being executed, with its template arguments
        self._body: Scope | None = None  # of that function; None while a lambda is executed
        self._depth = 0

    def call(self, e: s.Call) -> Lvalue | Value:
        """Evaluate a call to the object or value that it returns."""
        callee = e.callee
        if isinstance(callee, s.Member):
            evaluate = self.evaluator.target if callee.arrow else self.evaluator.lvalue
            owner = evaluate(callee.base)
            if owner.address is None:
                raise NotConstant
            named = s.Name(callee.span, callee.name, callee.arguments)
            methods = methods_of(owner.type, callee.name)
            return self.invoke(methods, named, e.arguments, e.span, Lvalue(owner.address, owner.type))
        if not isinstance(callee, s.Name):
            return self._call_object(self.evaluator.rvalue(callee), e)
        this = self.names.scope.find_this()
        if this is not None and (own := self.names.own_methods(callee)):
            return self.invoke(own, callee, e.arguments, e.span, this)
        typer = self.semantics.typer
        found = self.names.functions_called(callee, self.names.lookup(callee), lambda: typer.arguments(e.arguments))
        if isinstance(found, FunctionSet):
            try:
                return self.invoke(found.declarations, callee, e.arguments, e.span, None, found.owner)
            except NoMatch:  # a file may overload a function of CUDA for other types
                if callee.name not in self.names.builtin_functions:
                    raise
        if isinstance(found, (Lvalue, Value)):
            return self._call_object(self.evaluator.objects.loaded(found), e)
        if isinstance(found, LazyVariable):
            return self._call_object(self.evaluator.objects.loaded(self.evaluator.global_constant(found)), e)
        if isinstance(found, (TypeSymbol, LazyType)):
            raise NotConstant
        if callee.name == "__builtin_is_constant_evaluated":
            return number(t.BOOL, self.evaluator.is_manifest)
        return builtin_value(callee.name, [self.evaluator.rvalue(a) for a in in_pairs(e).arguments], e.span)

    def _call_object(self, value: Value, e: s.Call) -> Lvalue | Value:
        if methods := methods_of(value.type, "operator()"):
            this = None if value.address is None else Lvalue(value.address, value.type)
            return self.invoke(methods, None, e.arguments, e.span, this)
        function = value.object
        if function is None or function.syntax.captures or function.syntax.by_reference:
            raise NotConstant
        operands = self.semantics.typer.arguments(e.arguments)
        syntax, scope = self.semantics.overloads.called_lambda(function, e.callee, operands)
        inner = Scope(scope, is_parameters=True)
        self._bind(syntax.parameters, e.arguments, inner, e.span)
        body, self._body = self._body, None  # the types of its parameters may differ from call to call
        try:
            return self._run(syntax.body, inner, syntax.result, e.span)
        finally:
            self._body = body

    def invoke(
        self, declarations: list[s.FunctionDeclaration], callee: s.Name | None, arguments: list[s.Expression],
        span: Span, this: Lvalue | None, owner: t.CType | None = None,
    ) -> Lvalue | Value:  # fmt: skip
        """Return the result of the best of several overloads; ``this`` is the object of a method, ``owner`` the struct
        of a static one."""
        # What is evaluated elsewhere, as the signature of a candidate, knows template arguments of its own.
        is_in_body = self._body is not None and self.names.scope.is_within(self._body)
        key = (id(arguments), self._instance)
        if is_in_body and key in self._choices:
            return self.called(self._choices[key][1], arguments, span, this)
        operands = self.semantics.typer.arguments(arguments)
        chosen = self.semantics.overloads.choose(
            declarations, callee, span, operands, owner if this is None else this.type
        )
        if is_in_body:
            self._choices[key] = (arguments, chosen)
        return self.called(chosen, arguments, span, this)

    def called(
        self, chosen: Chosen, arguments: list[s.Expression], span: Span, this: Lvalue | None = None
    ) -> Lvalue | Value:  # fmt: skip
        """Return the result of a function. One without arguments is executed once for its template arguments."""
        declaration = chosen.declaration
        if declaration.body is None or declaration.is_kernel:
            raise NotConstant
        given = map(self.semantics.types.key_of, chosen.scope.names.values())
        key = (declaration, self.evaluator.is_manifest, chosen.scope.parent, *given)
        is_fixed = not declaration.parameters and this is None
        if is_fixed and key in self._results:
            return self._results[key]
        inner = Scope(chosen.scope, this=chosen.on(this), is_parameters=True)
        self._bind(declaration.parameters, arguments, inner, span)
        before = self._instance, self._body
        self._instance, self._body = key, inner
        try:
            body, struct = declaration.body, None if this is None else t.plain(this.type)
            if isinstance(struct, t.Struct) and declaration in constructors_of(struct):
                body = constructor_body(struct.info, declaration)
            result = self._run(body, inner, declaration.result, span)
        finally:
            self._instance, self._body = before
        if is_fixed:
            self._results[key] = result
        return result

    def _bind(self, parameters: list[s.Parameter], arguments: list[s.Expression], scope: Scope, span: Span) -> None:
        """Evaluate arguments in the current scope and declare the parameters with them."""
        for position, parameter in enumerate(parameters):
            argument = arguments[position] if position < len(arguments) else parameter.default
            if argument is None:
                raise NotConstant
            found = self.evaluator.lvalue(argument) if not isinstance(argument, s.InitList) else argument
            if isinstance(found, s.InitList):
                with self.names.scoped(scope):
                    type = self.semantics.types.resolve(parameter.type)
                    place = self.evaluator.objects.new_object(parameter.name, type)
                    self.evaluator.objects.initialise(place, found)
                    scope.names[parameter.name] = place
                continue
            with self.names.scoped(scope):
                type = self.semantics.typer.parameter_type(parameter, found.type)
            found = self.evaluator.objects.made(argument, found.type, type) or found
            scope.declare(parameter.name, self._parameter(parameter, type, found, span), type)

    def _parameter(self, parameter: s.Parameter, type: t.CType, found: Lvalue | Value, span: Span) -> Lvalue | Value:
        if isinstance(found, Value) and found.object is not None:
            return found
        if isinstance(type, t.Reference):
            if isinstance(found, Lvalue):
                return Lvalue(found.address.plus(base_offset(found.type, type.to) or 0), type.to)
            type = type.to
        return self.evaluator.objects.holding(parameter.name, type, self.evaluator.objects.loaded(found), span)

    def _run(self, body: s.Compound, scope: Scope, result: s.TypeSyntax | None, span: Span) -> Lvalue | Value:
        """Execute a function's body and return its value."""
        self._depth += 1
        try:
            if self._depth > MAX_DEPTH:
                fail("the calls are nested too deeply to be evaluated at compile time", span)
            with self.names.scoped(scope):
                flow, value = self.statements.run(body, result)
                if flow != StatementOutcome.RETURN or value is None:
                    return Value(t.VOID)
                if isinstance(value, Lvalue) or result is None or is_deduced(result):
                    return value
                type = self.semantics.types.resolve(result)
                type = type.to if isinstance(type, t.Reference) else type
                if isinstance(t.plain(type), t.Struct):
                    return value
                return converted(self.evaluator.numbered(value, span, type), type, span)
        finally:
            self._depth -= 1
