"""Lower objects made from values: ``T(a, b)`` and ``T{a, b}``."""

from __future__ import annotations

from dataclasses import replace

from warpview.diagnostics import Span
from warpview.frontend import syntax as s
from warpview.frontend.lower.part import LoweringPart
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import initial_lists
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import constructors_of, converting_constructors
from warpview.frontend.semantic.inheritance import base_offset
from warpview.frontend.semantic.overload_resolution import NoMatch
from warpview.frontend.semantic.values import Lvalue, Value, number


class Construction(LoweringPart):
    def made_by(
        self, constructors: list[s.FunctionDeclaration], type: t.Struct, argument: Lvalue | Value, span: Span
    ) -> Value:
        """Return a struct that the best of its constructors makes from one argument."""
        call = s.Call(span, s.Name(span, type.info.name), [])
        place = self.low.objects.temporary(type, call)
        self.low.calls.call_candidates(constructors, None, call, [argument], place)
        return self.low.memory.load(place, span)

    def from_value(self, value: Lvalue | Value, type: t.Struct, span: Span) -> Value | None:
        """Return a struct that a value of another type converts to; None where no constructor makes it."""
        if constructors := converting_constructors(type):
            return self.low.destructors.temporary(self.made_by(constructors, type, value, span))
        if isinstance(value, Lvalue):
            return None
        call = s.Call(span, s.Name(span, type.info.name), [])
        if type.info.name != "dim3" or t.arithmetic(value.type) is None:
            return None
        with self.low.objects.value_in_parts(type, call) as place:
            self.low.memory.store(
                Lvalue(place.address, t.UINT), self.low.conversions.convert(value, t.UINT, span), span
            )
            self.low.initialisers.value_initialise(place, span, [("x", 0)])
        return self.low.memory.load(place, span)

    def construct(self, node: s.Construct) -> Value:
        """Lower T(values) and T{values}."""
        return self.low.destructors.temporary(self._constructed(node))

    def _constructed(self, node: s.Construct) -> Value:
        type = t.plain(self.low.semantics.class_deduction.type_of(node.type, node.arguments))
        this = self.context.scope.find_this()
        if this is None or base_offset(this.type, type) is None:  # else it is the base class of an object
            self.low.semantics.classes.check_complete(type, node.span)
        arguments = node.arguments
        if node.braces and len(arguments) == 1 and isinstance(arguments[0], s.InitList):
            if isinstance(type, (t.Struct, t.Array)) and not constructors_of(type):
                with self.low.objects.value_in_parts(type, node) as place:
                    self.low.initialisers.initialise(place, arguments[0], node.span)
                return self.low.memory.load(place, node.span)
            arguments = initial_lists.arguments(constructors_of(type), arguments[0])
        if not isinstance(type, t.Struct):
            return self._construct_scalar(type, arguments, node.span)
        if constructors := constructors_of(type):
            is_one = len(arguments) == 1 and not isinstance(arguments[0], s.InitList)
            if is_one and self._converts_itself(arguments[0], type):
                value = self.low.expressions.rvalue(arguments[0])
                return self.low.conversions.convert(value, type, node.span, explicit=True)
            if not (is_one and self._is_of(arguments[0], type)):
                self.low.semantics.names.check_accessible(type, type.info.bare_name, node.span)
                place = self.low.objects.temporary(type, node)
                if not arguments:
                    self.low.initialisers.zero_before_default(place, node.span)
                call = s.Call(node.span, s.Name(node.span, type.info.name), arguments)
                given = self.low.calls.given(arguments)
                candidates = initial_lists.chosen(constructors, arguments)
                try:
                    self.low.calls.call_candidates(candidates, None, call, given, place)
                except NoMatch:
                    if node.braces or len(arguments) != 1 or not isinstance(arguments[0], s.InitList):
                        raise
                    return self._constructed(replace(node, braces=True))  # what is copied is made of the list
                return self.low.memory.load(place, node.span)
        syntax = type.info.syntax
        copies = len(arguments) == 1 and self._is_of(arguments[0], type)
        if isinstance(syntax, s.StructType) and syntax.name in syntax.host_methods and not copies:
            self.low.calls.refuse_host_constructor(type, node.span)
        return self._construct_struct(type, arguments, node)

    def construct_at(self, node: s.ConstructAt) -> Value:
        """Construct an object at the address that an expression gives, and return a pointer to it."""
        span = node.span
        at = s.Cast(span, "c", s.PointerType(span, node.type), node.place)
        place = self.low.lvalues.place(s.Unary(span, "*", at))
        type = t.plain(place.type)
        self.low.semantics.classes.check_complete(type, span)
        constructors = constructors_of(type)
        if node.values is None:
            self.low.initialisers.default_construct(place, span)
        elif constructors and not node.values.braces:
            call = s.Call(span, s.Name(span, constructors[0].name), node.values.arguments)
            self.low.calls.call_candidates(constructors, None, call, self.low.calls.given(node.values.arguments), place)
        else:
            value = self.low.conversions.convert(self.construct(node.values), type, span)
            self.low.memory.store(place, self.low.destructors.adopt(value), span)
        return Value(t.Pointer(place.type), address=place.address)

    def _converts_itself(self, e: s.Expression, type: t.Struct) -> bool:
        """Return whether an expression is a struct with a function that converts it to another one."""
        source = self.low.semantics.typer.argument(e).type
        return any(t.same(result, type) for _, result in self.low.semantics.own_conversions.conversions_of(source))

    def _is_of(self, e: s.Expression, type: t.Struct) -> bool:
        """Return whether an expression is already a struct of this type, or of one derived from it."""
        if isinstance(e, s.InitList):
            return False
        return base_offset(self.low.semantics.typer.argument(e).type, type) is not None

    def _construct_scalar(self, type: t.CType, arguments: list[s.Expression], span: Span) -> Value:
        if len(arguments) > 1:
            fail(f"'{type}' takes one value, {len(arguments)} given", span)
        if not arguments:
            scalar = t.arithmetic(type)
            return (
                number(scalar, 0) if scalar is not None else self.low.conversions.convert(number(t.INT, 0), type, span)
            )
        pointer = self.low.function_pointers.named(arguments[0], type)
        value = self.low.expressions.rvalue(arguments[0]) if pointer is None else pointer
        return self.low.conversions.convert(value, type, span, explicit=True)

    def _construct_struct(self, type: t.Struct, arguments: list[s.Expression], node: s.Construct) -> Value:
        """Return a struct from the values of its members."""
        span = node.span
        if len(arguments) == 1 and isinstance(arguments[0], s.InitList):
            return self._constructed(s.Construct(span, s.PlainType(span, type), arguments, braces=True))
        if len(arguments) == 1:
            value = self.low.copies.initial_value(arguments[0], type)
            if isinstance(t.plain(value.type), t.Struct):
                return self.low.conversions.convert(value, type, span, explicit=True)
        with self.low.objects.value_in_parts(type, node) as place:
            self.low.initialisers.initialise(place, s.InitList(span, [("", argument) for argument in arguments]), span)
        return self.low.memory.load(place, span)
