"""Lower pointers to functions: numbers, and a call by one as a choice between the functions that it may point to."""

from __future__ import annotations

from functools import partial

from warpview.diagnostics import Span
from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend.lower.inlining import Argument
from warpview.frontend.lower.part import LoweringPart
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.constant_operations import converted
from warpview.frontend.semantic.scopes import FunctionSet
from warpview.frontend.semantic.values import Address, FunctionObject, Lvalue, Value
from warpview.isa.types import Space, Type

NO_FUNCTION = "a call by a pointer that points to no function of its type"


class FunctionPointerCalls(LoweringPart):
    def pointer(self, function: FunctionObject, to: t.Pointer, span: Span) -> Value:
        """Return a pointer to a function."""
        assert isinstance(to.to, t.FunctionSignature)
        number = self.low.semantics.function_pointers.number(function, to.to, span)
        return Value(to, address=Address(Space.GENERIC, ir.const(Type.U64, number)))

    def named(self, e: s.Expression, to: t.CType | None) -> Value | None:
        """Return the pointer of a type that the name of a function means; None for other expressions."""
        to = None if to is None else t.plain(to)
        name = e.operand if isinstance(e, s.Unary) and e.operator == "&" else e
        if not isinstance(to, t.Pointer) or not isinstance(to.to, t.FunctionSignature) or not isinstance(name, s.Name):
            return None
        found = self.low.semantics.names.lookup(name)
        if not isinstance(found, FunctionSet):
            return None
        function = self.low.semantics.function_pointers.function(name, found, to.to)
        return None if function is None else self.pointer(function, to, e.span)

    def known(self, e: s.Expression, to: t.Pointer) -> Value | None:
        """Return the pointer that an expression comes to at compile time; None where it is not known."""
        evaluator = self.low.semantics.evaluator
        value = self.named(e, to) or evaluator.attempt(lambda: converted(evaluator.rvalue(e), to, e.span))
        return value if value is None or value.object is None else self.pointer(value.object, to, e.span)

    def call(self, pointer: Value, type: t.FunctionSignature, node: s.Call) -> Value | Lvalue:
        """Call what a pointer points to: directly where that is known, else by a comparison with each function."""
        arguments = self.arguments(type, node)
        functions = self.low.semantics.function_pointers.of_type(type)
        number = self.low.memory.generic_operand(pointer.address) if pointer.address is not None else None
        assert number is not None
        if isinstance(number, ir.Const) and (known := dict(functions).get(int(number.value))) is not None:
            return self.low.inliner.call_lambda(known, arguments, node)
        choices = []
        for n, f in functions:
            write = partial(self.low.inliner.call_lambda, f, arguments, node)
            choices.append(((n,), self.low.dispatch.not_again(f.syntax, f.syntax.name, write, node.span)))
        return self.low.dispatch.one_of(number, choices, type.result, node, NO_FUNCTION)

    def arguments(self, type: t.FunctionSignature, node: s.Call) -> list[Argument]:
        """Return the arguments of a call by a pointer, converted where they are passed by value."""
        if len(node.arguments) != len(type.parameters):
            fail(f"this takes {len(type.parameters)} arguments, {len(node.arguments)} given", node.span)
        arguments = self.low.calls.arguments(node.arguments)
        return [
            a
            if isinstance(a, s.InitList) or isinstance(to, t.Reference)
            else self.low.conversions.convert(self.low.expressions.loaded(a, node.span), to, node.span)
            for a, to in zip(arguments, type.parameters, strict=True)
        ]
