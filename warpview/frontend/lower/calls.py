"""Lower calls: choose the function that is meant, and write its body in place of the call."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NoReturn

from warpview.diagnostics import CompileError, Span
from warpview.frontend import syntax as s
from warpview.frontend.lower.inlining import Argument, Given
from warpview.frontend.lower.part import LoweringPart
from warpview.frontend.lower.provided import KNOWN_FUNCTIONS
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import DESTRUCTOR, callable_on, methods_of
from warpview.frontend.semantic.checks import fail_host_function, fail_not_callable
from warpview.frontend.semantic.inheritance import base_offset
from warpview.frontend.semantic.operands import TypedOperand
from warpview.frontend.semantic.overload_resolution import Chosen, NoMatch
from warpview.frontend.semantic.scopes import FunctionSet, Scope
from warpview.frontend.semantic.values import Lvalue, Value
from warpview.frontend.syntax.expressions import in_pairs
from warpview.frontend.syntax.walk import is_auto

_OF_CHOICE = s.Conditional | s.Member | s.Index  # what may be one of two objects, or a part of one


class Calls(LoweringPart):
    # --------------------------------------------------------------------------------------------- calls
    def call(self, node: s.Call) -> Value | Lvalue:
        callee = node.callee
        if isinstance(callee, s.Member):
            return self._method_call(node, callee)
        if isinstance(callee, s.PointedMember) and self.low.member_pointers.is_function(callee):
            return self.low.member_pointers.call(callee, node)
        if not isinstance(callee, s.Name):
            return self._call_value(self.low.lvalues.changed_object(callee), node)
        if (method := self.low.semantics.names.own_methods(callee)) is not None:
            this = self.context.scope.find_this()
            return self.call_candidates(method, callee, node, self.given(node.arguments), this)
        typer = self.low.semantics.typer
        found = self.low.semantics.names.functions_called(
            callee, self.low.lvalues.lookup(callee), lambda: typer.arguments(node.arguments)
        )
        if isinstance(found, (Value, Lvalue)):
            return self._call_value(found, node)
        if isinstance(found, FunctionSet):
            return self._call_function(found, callee, node)
        result = self.low.builtins.builtin(callee.name, in_pairs(node))
        if result is not None:
            return result
        self.low.semantics.names.fail_no_function(callee, found)

    def arguments(self, expressions: list[s.Expression]) -> list[Argument]:
        """Return the arguments, evaluated as far as possible without knowing what they are passed to."""
        return [e if isinstance(e, s.InitList) else self.low.expressions.lvalue(e) for e in expressions]

    def given(self, expressions: list[s.Expression]) -> list[Given]:
        """Return the arguments of a call. One of two objects is left as written, as the parameter says whether its
        place or its value is needed, and so is a name of several functions."""
        typer, pointers = self.low.semantics.typer, self.low.semantics.function_pointers
        given: list[Given] = []
        for e in expressions:
            if isinstance(e, s.Conditional):
                is_open = typer.operand(e).is_lvalue
                given += [e] if is_open else self.arguments([e])
            elif isinstance(e, (s.Name, s.Unary)) and pointers.unsettled(e) is not None:
                given.append(e)
            else:
                given += self.arguments([e])
        return given

    def settled(self, given: Sequence[Given], parameters: list[s.Parameter], scope: Scope) -> list[Argument]:
        """Return the arguments of a call whose parameters are known, in the scope of their template arguments."""
        found: list[Argument] = []
        for position, argument in enumerate(given):
            if isinstance(argument, (s.Name, s.Unary)):
                found.append(self._settled_function(argument, parameters[position], scope))
            elif not isinstance(argument, s.Conditional):
                found.append(argument)
            elif position < len(parameters) and self._may_change(parameters[position], scope):
                found.append(self.low.expressions.conditional_place(argument))
            else:
                found.append(self.low.expressions.lvalue(argument))
        return found

    def _settled_function(self, e: s.Expression, parameter: s.Parameter, scope: Scope) -> Value:
        """Return the one of several functions that a parameter takes."""
        pointers = self.low.semantics.function_pointers
        name = pointers.unsettled(e)
        assert name is not None
        with self.context.scoped(scope):
            type = self.low.semantics.types.resolve(parameter.type)
        operand = pointers.settled(name, type)
        return Value(operand.type, object=operand.object)

    def _may_change(self, parameter: s.Parameter, scope: Scope) -> bool:
        """Return whether a function may change what is passed for a parameter."""
        if is_auto(parameter.type) or not isinstance(parameter.type, s.ReferenceType):
            return isinstance(parameter.type, s.ReferenceType)
        with self.context.scoped(scope):
            type = self.low.semantics.types.resolve(parameter.type)
        return not (isinstance(type, t.Reference) and (type.to.const or type.rvalue))

    def _call_value(self, callee: Value | Lvalue, node: s.Call) -> Value | Lvalue:
        """Return a call of a lambda, or of a struct with operator()."""
        callee = self.low.lvalues.referred(callee, node.span)
        function = callee.object if isinstance(callee, Value) else None
        if function is not None:
            return self.low.inliner.call_lambda(function, self.given(node.arguments), node)
        type = t.plain(callee.type)
        if isinstance(type, t.FunctionSignature):  # what a pointer points to
            return self.low.function_pointers.call(Value(t.Pointer(type), address=callee.address), type, node)
        if isinstance(type, t.Pointer) and isinstance(type.to, t.FunctionSignature):
            return self.low.function_pointers.call(self.low.expressions.loaded(callee, node.span), type.to, node)
        if isinstance(type, t.Struct) and (methods := methods_of(type, "operator()")):
            this = _object(callee)
            return self.call_candidates(methods, None, node, self.given(node.arguments), this)
        fail_not_callable(callee.type, node.span)

    def _call_function(self, functions: FunctionSet, callee: s.Name, node: s.Call) -> Value | Lvalue:
        arguments = self.given(node.arguments)
        try:
            return self.call_candidates(functions.declarations, callee, node, arguments, None, functions.owner)
        except NoMatch as error:
            # A file may overload a function of CUDA for other types.
            if (
                callee.name in KNOWN_FUNCTIONS
                and (result := self.low.builtins.builtin(callee.name, in_pairs(node))) is not None
            ):
                return result
            raise CompileError(error.diagnostics) from None

    def _method_call(self, node: s.Call, member: s.Member) -> Value | Lvalue:
        base = self.low.lvalues.pointed_object(member) if member.arrow else self._object_called(member)
        type = t.plain(base.type)
        if member.name == DESTRUCTOR:
            self.low.virtual_calls.destroy(_object(base), node)
            return Value(t.VOID)
        if isinstance(type, t.Group):
            value = base if isinstance(base, Value) else self.low.memory.load(base, member.span)
            return self.low.builtins.group_method(type, value, node, member)
        if isinstance(type, t.Closure) and member.name == "operator()":
            return self._call_value(base, node)
        if not isinstance(type, t.Struct):
            fail(f"'{base.type}' has no functions", member.span)
        methods = methods_of(type, member.name)
        if not methods:
            if type.field(member.name):
                return self._call_value(self.low.lvalues.member(member), node)
            syntax = type.info.syntax
            if isinstance(syntax, s.StructType) and member.name in syntax.host_methods:
                fail_host_function(f"'{member.name}'", member.span)
            fail(f"'{type}' has no function '{member.name}'", member.span)
        self.low.semantics.names.check_accessible(type, member.name, member.span)
        if any(method.reference for method in methods):
            is_lvalue = member.arrow or self.low.semantics.typer.operand(member.base).is_lvalue
            methods = callable_on(methods, is_lvalue, member.span)
        arguments = self.given(node.arguments)
        callee = s.Name(member.span, member.name, member.arguments, qualifier="::" if member.is_qualified else "")
        return self.call_candidates(methods, callee, node, arguments, self.changeable(_object(base), methods))

    def _object_called(self, member: s.Member) -> Value | Lvalue:
        """Return the object of a call: of one of two that a function may change its place, else its value."""
        type = self.low.semantics.typer.type_of(member.base) if isinstance(member.base, _OF_CHOICE) else t.VOID
        if any(not method.is_const for method in methods_of(type, member.name)):
            return self.low.lvalues.changed_object(member.base)
        return self.low.expressions.lvalue(member.base)

    def operator_function(self, op: str, operands: list[s.Expression], span: Span) -> Value | Lvalue | None:
        """Call the operator that the file defines for these operands; None where it defines none."""
        found = self.low.semantics.typer.operator_function(op, operands, span)
        if found is None:
            return None
        candidates, _ = found
        node = s.Call(span, s.Name(span, f"operator{op}"), operands)
        values = self.given(operands)
        if not candidates.are_methods:
            return self.call_candidates(candidates.declarations, None, node, values, None, candidates.owner)
        first = values[0]
        if isinstance(first, s.Conditional):
            first = self.low.expressions.conditional_place(first)
        assert isinstance(first, (Value, Lvalue))
        this = self.changeable(_object(first), candidates.declarations)
        return self.call_candidates(candidates.declarations, None, node, values[1:], this)

    def address_operator(self, e: s.Unary) -> Value | Lvalue | None:
        """Call the operator that the file defines for ``&object``; None where it defines none or a member is named."""
        if self.low.semantics.member_pointers.named(e) is not None:
            return None
        return self.operator_function("&", [e.operand], e.span)

    def changeable(self, this: Lvalue, methods: list[s.FunctionDeclaration]) -> Lvalue:
        """Return the object of a call; a copy in memory of what is a name for values, where a function may change
        it."""
        cell = this.address.cell
        if cell is None or cell.folding or all(method.is_const for method in methods):
            return this
        return Lvalue(self.low.objects.in_memory(this.address), this.type)

    def refuse_host_constructor(self, struct: t.Struct, span: Span) -> NoReturn:
        fail_host_function(f"the constructor of '{struct}'", span)

    def user_conversion(self, value: Value, to: t.CType, span: Span, explicit: bool = False) -> Value | None:
        """Return a struct converted by a function of its own, if it has one that ``OwnConversions`` chooses."""
        operand = TypedOperand(value.type, value.is_lvalue)
        found = self.low.semantics.own_conversions.function_for(operand, to, span, explicit)
        if value.address is None or found is None:
            return None
        method, arguments = found
        result = self.call_conversion(method, Lvalue(value.address, value.type), span, arguments)
        return self.low.conversions.convert(self.low.expressions.loaded(result, span), to, span)

    def given_by_object(self, found: Value | Lvalue, to: t.Reference, span: Span) -> Value | Lvalue:
        """Return what a reference refers to: an object itself, or what a function of it gives of another type."""
        if not isinstance(t.plain(found.type), t.Struct) or found.address is None:
            return found
        if base_offset(found.type, to.to) is not None or isinstance(t.plain(to.to), t.Void):
            return found
        conversion = self.low.semantics.own_conversions.function_for(TypedOperand.of(found), to, span)
        if conversion is None:
            return found
        return self.call_conversion(conversion[0], Lvalue(found.address, found.type), span, conversion[1])

    def call_conversion(
        self, method: s.FunctionDeclaration, this: Lvalue, span: Span,
        arguments: list[s.TypeSyntax | s.Expression] | None = None,
    ) -> Value | Lvalue:  # fmt: skip
        """Convert an object by a function of its own."""
        callee = s.Name(span, s.CONVERSION, arguments)
        return self.call_candidates([method], callee, s.Call(span, callee, []), [], this)

    # ------------------------------------------------------------------------------------ which function
    def call_candidates(
        self, declarations: list[s.FunctionDeclaration], callee: s.Name | None, node: s.Call,
        given: Sequence[Given], this: Lvalue | None, owner: t.CType | None = None,
    ) -> Value | Lvalue:  # fmt: skip
        """Call the candidate that fits the arguments best; ``owner`` is the struct of static functions."""
        operands = self.operands(given, node)
        chosen = self.low.semantics.overloads.choose(
            declarations, callee, node.span, operands, owner if this is None else this.type
        )
        arguments = self.settled(given, chosen.declaration.parameters, chosen.scope)
        is_qualified = callee is not None and bool(callee.scope or callee.qualifier)
        if this is not None and not is_qualified:
            dispatched = self.low.virtual_calls.call(chosen, arguments, node, this)
            if dispatched is not None:
                return dispatched
        value = self._constant_result(chosen, node) if this is None else None
        return value or self.low.inliner.inline(chosen.declaration, chosen.scope, arguments, node, chosen.on(this))

    def operands(self, given: Sequence[Given], node: s.Call) -> list[TypedOperand | s.InitList]:
        """Return what overload resolution knows of the arguments of a call: what was written of each says whether it is
        a variable and whether it is a null pointer constant, and not what it comes to."""
        written: Sequence[s.Expression | None] = node.arguments[len(node.arguments) - len(given) :]
        if len(written) != len(given):
            written = [None] * len(given)
        return [a if isinstance(a, s.InitList) else self._operand(a, e) for a, e in zip(given, written, strict=True)]

    def _operand(self, argument: Value | Lvalue | s.Expression, e: s.Expression | None) -> TypedOperand:
        typer = self.low.semantics.typer
        if isinstance(argument, s.Expression):
            return typer.argument(argument)
        found = TypedOperand.of(argument)
        if e is None:
            return found
        with suppress(CompileError):  # it has no type until it is evaluated
            known = typer.operand(e)
            return replace(found, is_lvalue=known.is_lvalue, is_null=known.is_null)
        return found

    def _constant_result(self, chosen: Chosen, node: s.Call) -> Value | None:
        """Return the result of a function that is meant to be evaluated at compile time, if it is a constant."""
        declaration = chosen.declaration
        is_recursive_template = bool(declaration.template or declaration.specialises) and not declaration.parameters
        if "constexpr" not in declaration.specifiers and not is_recursive_template:
            return None
        evaluator = self.low.semantics.evaluator
        value = evaluator.attempt(
            lambda: evaluator.objects.loaded(evaluator.calls.called(chosen, node.arguments, node.span))
        )
        return value if value is not None and value.constant is not None else None


def _object(struct: Value | Lvalue) -> Lvalue:
    """Return the object that a struct is, or the place of its value."""
    if isinstance(struct, Lvalue):
        return struct
    assert struct.address is not None
    return Lvalue(struct.address, struct.type)
