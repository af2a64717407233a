"""Write the body of a function in place of its call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from warpview.diagnostics import Span
from warpview.frontend import syntax as s
from warpview.frontend.lower.context import CallFrame
from warpview.frontend.lower.copies import named
from warpview.frontend.lower.part import LoweringPart
from warpview.frontend.lower.procedures import CallsItself
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import constructors_of
from warpview.frontend.semantic.constructors import constructor_body
from warpview.frontend.semantic.inheritance import base_offset
from warpview.frontend.semantic.scopes import Scope, function_of
from warpview.frontend.semantic.values import FunctionObject, Lvalue, Value
from warpview.frontend.syntax.walk import is_auto, is_deduced, only_return, refers_to_const, returns_in

if TYPE_CHECKING:
    from warpview.frontend.lower.lowering import Lowering

MAX_INLINING = 48
MAX_RECURSIVE_CALLS = 1000  # of one kernel, each of which is written out
MOST_MADE_OF_LAMBDA = 8
Argument = Lvalue | Value | s.InitList
# One of two objects and one of several functions are chosen when the parameter is known.
Given = Argument | s.Conditional | s.Name | s.Unary


class Inliner(LoweringPart):
    def __init__(self, low: Lowering) -> None:
        super().__init__(low)
        self.recursive_calls = 0

    def inline(
        self, declaration: s.FunctionDeclaration, scope: Scope, arguments: list[Argument], node: s.Call,
        this: Lvalue | None,
    ) -> Value | Lvalue:  # fmt: skip
        """Return the body of a function in place of its call."""
        if declaration.is_kernel:
            fail("a kernel cannot be called from the device", node.span)
        if declaration.body is None:
            fail(f"'{declaration.name}' is declared but never defined", node.span)
        key = (declaration, scope.parent, *(self.low.semantics.types.key_of(v) for v in scope.names.values()))
        constants = tuple(map(_constant, arguments))
        before = [frame.constants for frame in self.context.frames if frame.key == key]
        if declaration in self.low.procedures.chosen:
            return self.low.procedures.call(declaration, scope, arguments, node, this, key)
        if declaration in self.low.procedures.found or (
            before and self._calls_itself(declaration, before[-1], constants)
        ):
            return self.low.procedures.unwritten(declaration, scope, node, this)
        inner = Scope(scope, this=this, is_parameters=True)
        with self.calling(node, declaration.name):
            self.context.parameter_names = self.low.semantics.mutations.changed_in(declaration.body)
            self._bind_parameters(declaration.parameters, arguments, inner, node.span)
            body, struct = declaration.body, None if this is None else t.plain(this.type)
            if isinstance(struct, t.Struct) and declaration in constructors_of(struct):
                body = constructor_body(struct.info, declaration)
            result: t.CType | None = None
            if not is_deduced(declaration.result):
                with self.context.scoped(inner):
                    result = self.low.semantics.types.resolve(declaration.result)
            refers = isinstance(declaration.result, s.ReferenceType)
            frame = CallFrame(declaration, declaration.name, result, None, refers=refers, constants=constants, key=key)
            given = self._body(body, inner, frame)
        if isinstance(given, Lvalue) and isinstance(result, t.Reference) and result.rvalue:
            given = replace(given, expiring=True)
        return self.low.destructors.temporary(_given(given, result)) if isinstance(given, Value) else given

    def _calls_itself(
        self, function: s.FunctionDeclaration, before: tuple[object, ...], constants: tuple[object, ...]
    ) -> bool:  # fmt: skip
        """Return whether a call within the function is a recursion: it may come to an end here where an argument is a
        constant, and another than the last time. Raises CallsItself where that has gone on for long."""
        self.recursive_calls += 1
        is_deep = len(self.context.frames) > MAX_INLINING or self.recursive_calls > MAX_RECURSIVE_CALLS
        if is_deep:
            raise CallsItself(function)
        return all(now is None or now == last for now, last in zip(constants, before, strict=False))

    def call_lambda(self, function: FunctionObject, given: Sequence[Given], node: s.Call) -> Value | Lvalue:
        operands = self.low.calls.operands(given, node)
        syntax, scope = self.low.semantics.overloads.called_lambda(function, node.callee, operands)
        arguments = self.low.calls.settled(given, syntax.parameters, scope)
        declaration = function_of(syntax)
        if declaration in self.low.procedures.chosen:
            called = Value(t.Closure(syntax), object=function)
            return self.low.procedures.call(declaration, scope, arguments, node, None, (syntax,), called)
        # A lambda that was made several times, with other captures, may call itself.
        if sum(f.key == (syntax,) for f in self.context.frames) >= MOST_MADE_OF_LAMBDA:
            return self.low.procedures.unwritten(declaration, scope, node)
        if len(arguments) > len(syntax.parameters):
            fail(f"{syntax.name!r} takes {len(syntax.parameters)} arguments, {len(arguments)} given", node.span)
        inner = Scope(scope, is_parameters=True)
        with self.calling(node, syntax.name):
            self.context.parameter_names = self.low.semantics.mutations.changed_in(syntax.body)
            self._bind_parameters(syntax.parameters, arguments, inner, node.span)
            result = None
            if syntax.result is not None and not is_deduced(syntax.result):
                with self.context.scoped(inner):
                    result = self.low.semantics.types.resolve(syntax.result)
            refers = isinstance(syntax.result, s.ReferenceType)
            frame = CallFrame(syntax, syntax.name, result, None, refers=refers, key=(syntax,))
            value = self._body(syntax.body, inner, frame)
        return self.low.destructors.temporary(value) if isinstance(value, Value) else value

    @contextmanager
    def calling(self, node: s.Call, name: str) -> Iterator[None]:
        """Let what is written within be a part of the function that a call means."""
        if len(self.context.frames) > MAX_INLINING:
            fail(f"the calls that lead to '{name}' are nested too deeply", node.span)
        path, jumps, discarded = self.context.path, self.context.jumps, self.context.discarded
        changed = self.context.parameter_names
        self.context.path, self.context.jumps, self.context.discarded = (*path, node), [], None
        try:
            yield
        finally:
            self.context.path, self.context.jumps, self.context.discarded = path, jumps, discarded
            self.context.parameter_names = changed

    def _bind_parameters(
        self, parameters: list[s.Parameter], arguments: list[Argument], scope: Scope, span: Span
    ) -> None:
        for position, parameter in enumerate(parameters):
            with self.context.scoped(scope):
                if position < len(arguments):
                    argument = arguments[position]
                elif parameter.default is not None:
                    argument = self.low.calls.arguments([parameter.default])[0]
                else:
                    fail(f"an argument for '{parameter.name}' is missing", span)
                type = self.parameter_type(parameter, argument)
                if not isinstance(argument, s.InitList):
                    symbol: Lvalue | Value = self._parameter(parameter, type, argument, span)
            if isinstance(argument, s.InitList):  # its names are the caller's
                symbol = self._parameter(parameter, type, argument, span)
            if parameter.name:
                scope.declare(parameter.name, symbol, type)

    def _parameter(self, parameter: s.Parameter, type: t.CType, argument: Argument, span: Span) -> Lvalue | Value:
        """Return the object or value of a parameter in the body: the argument itself, or a variable of its own."""
        if isinstance(argument, s.InitList):
            value = self.low.construction.construct(
                s.Construct(argument.span, s.PlainType(span, t.plain(type)), [argument], True)
            )
            place = self.low.variables.declare_value(parameter, parameter.name, t.plain(type), value, span)
            return self.low.destructors.parameter(place)
        target = t.plain(type.to if isinstance(type, t.Reference) else type)
        is_converted = isinstance(target, t.Struct)  # to an object that a constructor makes of the lambda
        points = isinstance(target, t.Pointer) and isinstance(target.to, t.FunctionSignature)
        if isinstance(argument, Value) and argument.object is not None and not (points or is_converted):
            is_same = isinstance(type, t.Reference)
            return named(argument if is_same else self.low.copies.copied_lambda(argument, parameter))
        if isinstance(t.plain(argument.type), t.Group):
            return argument
        if isinstance(type, t.Reference):
            argument = self.low.calls.given_by_object(self.low.lvalues.referable(argument, type, span), type, span)
            offset = base_offset(argument.type, type.to)
            if isinstance(argument, Lvalue) and offset is not None:
                return Lvalue(argument.address.plus(offset), type.to)
            if isinstance(argument, Lvalue) and (t.same(argument.type, type.to) or isinstance(type.to, t.Void)):
                return Lvalue(argument.address, type.to)
            value = self.low.conversions.convert(self.low.copies.copied(argument, type.to, span), type.to, span)
            if isinstance(t.plain(type.to), t.Struct) and value.address is not None:
                return Lvalue(value.address, type.to)
            return self.low.variables.declare_value(parameter, parameter.name, type.to, value, span)
        value = self.convert_argument(self.low.copies.copied(argument, type, span), type, span)
        place = self.low.variables.declare_value(parameter, parameter.name, type, value, parameter.span)
        return self.low.destructors.parameter(place)

    def convert_argument(self, value: Value, type: t.CType, span: Span) -> Value:
        return self.low.conversions.convert(value, type, span)

    def parameter_type(self, parameter: s.Parameter, argument: Argument) -> t.CType:
        """Return the type of a parameter: arrays are pointers; 'auto' is that of the argument."""
        syntax = parameter.type
        if is_auto(syntax):
            if isinstance(argument, s.InitList):
                fail("the type of this argument cannot be deduced", argument.span)
            plain = t.plain(argument.type)
            decayed = t.Pointer(plain.of) if isinstance(plain, t.Array) else plain
            if isinstance(argument.type, t.Array) or not refers_to_const(syntax):
                return t.Reference(argument.type) if isinstance(syntax, s.ReferenceType) else decayed
            return t.Reference(replace(argument.type, const=True))
        type = self.low.semantics.types.resolve(syntax)
        return t.decayed(type) if isinstance(type, (t.Array, t.FunctionSignature)) else type

    def _body(self, body: s.Compound, scope: Scope, frame: CallFrame) -> Value | Lvalue:
        """Write a function's body; its returns lead to what follows."""
        frame.direct = only_return(body)
        names = self.low.semantics.mutations.changed_in(body)
        frame.assigned, frame.assigned_parts = names.whole, names.parts
        frame.variables = len(self.low.destructors.variables)
        if frame.direct is None and returns_in(body):
            frame.done = self.context.builder.new_block("return")
        self.context.frames.append(frame)
        try:
            with self.context.scoped(scope):
                self.low.statements.statement(body)
        finally:
            self.context.frames.pop()
        if frame.done is not None:
            self.context.builder.place(frame.done)
        if frame.value is not None:
            return frame.value
        if frame.place is not None:
            value = self.low.memory.load(frame.place, body.end)
            refers = isinstance(frame.result, t.Reference)
            return self.low.lvalues.dereferenced(value, body.end) if refers else value
        if frame.result is not None and not isinstance(frame.result, t.Void) and not isinstance(body, s.Lambda):
            if not returns_in(body):
                self.context.warn(frame.without_value(body.end))
            return self.low.memory.load(self.low.objects.temporary(frame.result, body), body.end)
        return Value(t.VOID)


def _given(value: Value, result: t.CType | None) -> Value:
    """Return the result of a function: no longer the variable that it returns, and const where the function says so."""
    is_const = isinstance(result, t.Struct) and result.const
    return replace(value, type=replace(value.type, const=is_const), is_lvalue=False)


def _constant(argument: Argument) -> int | float | None:
    """Return the number that an argument is at compile time; None where it is not known, or no number."""
    if isinstance(argument, Lvalue):
        part = None if argument.address.cell is None else argument.address.cell.leaves.get(argument.address.offset)
        return None if part is None or part.bound is None else part.bound.constant
    return argument.constant if isinstance(argument, Value) else None
