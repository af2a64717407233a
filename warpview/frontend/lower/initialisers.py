"""Lower objects that get their values from lists in braces."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from warpview.diagnostics import Span
from warpview.frontend import syntax as s
from warpview.frontend.lower.part import LoweringPart
from warpview.frontend.passes.promote import check_local_memory
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import constructors_of, struct_of
from warpview.frontend.semantic.checks import fail_not_referable
from warpview.frontend.semantic.inheritance import base_offset
from warpview.frontend.semantic.initial_lists import listed_array
from warpview.frontend.semantic.layout import (
    PartKey,
    default_parts,
    leaf_types,
    list_parts,
    listed_parts,
    valueless_parts,
)
from warpview.frontend.semantic.scopes import Scope
from warpview.frontend.semantic.type_resolution import scope_of
from warpview.frontend.semantic.values import NULL, Lvalue, Value, number


class Initialisers(LoweringPart):
    def initialise(self, place: Lvalue, initialiser: s.Expression, span: Span) -> None:
        """Give an object its value from a list (missing items are 0) or an expression."""
        type = t.plain(place.type)
        if isinstance(type, t.ReferenceMember):
            self.refer(place, initialiser, span)
            return
        is_single = isinstance(type, t.Closure) or isinstance(place.type, t.BitMember)
        if is_single and isinstance(initialiser, s.InitList) and len(initialiser.items) == 1:
            initialiser = initialiser.items[0][1]
        if isinstance(initialiser, s.StringLiteral) and isinstance(type, t.Array):
            items: list[tuple[str, s.Expression]] = [("", s.Literal(span, c, t.CHAR)) for c in initialiser.characters]
            initialiser = s.InitList(span, items)
        if not isinstance(initialiser, s.InitList):
            value = self.low.copies.initial_value(initialiser, type)
            value = self.low.conversions.convert(value, type, initialiser.span)
            self.low.memory.store(place, self.low.destructors.adopt(value), span)
            return
        if constructors_of(type):
            construct = s.Construct(span, s.PlainType(span, type), [initialiser], braces=True)
            self.low.memory.store(place, self.low.destructors.adopt(self.low.construction.construct(construct)), span)
            return
        if (array := listed_array(type, initialiser, self.low.semantics.typer.type_of)) is not None:
            self._list(place, array, initialiser)
            return
        if place.is_local:
            check_local_memory(type.size, span)  # at once, not after each of its elements got a value
        given: set[PartKey] = set()
        for (name, offset, part), item in listed_parts(type, initialiser, self.low.semantics.typer.type_of):
            self.initialise(Lvalue(place.address.plus(offset), part), item, item.span)
            given.add((name, offset))
        self.value_initialise(place, span, given)

    def _list(self, place: Lvalue, array: t.Array, items: s.InitList) -> None:
        """Let a list refer to an array of its items."""
        elements = self.low.objects.temporary(array, items)
        for (_, item), (_, offset, part) in zip(items.items, list_parts(array), strict=True):
            self.initialise(Lvalue(elements.address.plus(offset), part), item, item.span)
        values = Value(t.Pointer(array.of), address=elements.address), number(t.ULONG, array.length or 0)
        for (_, offset, part), value in zip(list_parts(t.plain(place.type)), values, strict=True):
            self.low.memory.store(Lvalue(place.address.plus(offset), part), replace(value, type=part), items.span)

    def refer(self, member: Lvalue, initialiser: s.Expression, span: Span) -> None:
        """Let a member that is a reference refer to the object that an expression names."""
        if isinstance(initialiser, s.InitList) and len(initialiser.items) == 1:
            initialiser = initialiser.items[0][1]
        type = t.plain(member.type)
        assert isinstance(type, t.ReferenceMember)
        place = self.low.lvalues.place(initialiser)
        offset = base_offset(place.type, type.to)
        if offset is None and not t.same(place.type, type.to):
            fail_not_referable(place.type, type, span)
        self.low.memory.store(member, Value(type, address=place.address.plus(offset or 0)), span)

    def default_construct(self, place: Lvalue, span: Span) -> None:
        """Call the default constructor of a struct, or else give its members the values of its definition; of an array
        do so for each element."""
        info = struct_of(place.type)
        if info is None or not info.is_constructed:
            return
        if isinstance(type := t.plain(place.type), t.Array):
            for _, offset, element in list_parts(type):
                self.default_construct(Lvalue(place.address.plus(offset), element), span)
            return
        own = constructors_of(place.type)
        constructors = [c for c in own if all(p.default or isinstance(p.type, s.PackType) for p in c.parameters)]
        if own and not constructors:
            fail(f"'{t.plain(place.type)}' has no constructor that takes nothing", span)
        if constructors:
            node = s.Call(span, s.Name(span, constructors[0].name), [])
            self.low.calls.call_candidates(constructors, None, node, [], place)
        else:
            self.default_members(place, span)

    def default_members(self, place: Lvalue, span: Span, position: int | None = None) -> None:
        """Construct the base classes and members of a struct, or the one at a position, as its definition says."""
        for part, value in default_parts(place, span, position):
            if value is None:
                self.default_construct(part, span)
            else:
                self._default_value(place, part, value)
        if position is None:
            self.low.virtual_calls.set_class(place, span)

    def value_initialise(self, place: Lvalue, span: Span, given: Collection[PartKey] = ()) -> None:
        """Initialise the parts of an object that a list has no values for; with none ``given``, the whole object."""
        for part, declared in valueless_parts(place, span, given):
            if declared is not None:
                self._default_value(declared[0], part, declared[1])
            elif constructors_of(part.type):
                self.zero_before_default(part, span)
                self.default_construct(part, span)
            else:
                self.zero(part, span)
        if not constructors_of(place.type):
            self.low.virtual_calls.set_class(place, span)

    def zero_before_default(self, place: Lvalue, span: Span) -> None:
        """Make an object zero where an empty list initialises it and its constructor is that of the compiler (C++17,
        11.6)."""
        if any(constructor.is_defaulted for constructor in constructors_of(place.type)):
            self.zero(place, span)

    def _default_value(self, whole: Lvalue, member: Lvalue, value: s.Expression) -> None:
        """Give a member the value of its declaration, which may name other members of the same object."""
        if isinstance(value, s.Literal):
            self.initialise(member, value, value.span)
            return
        with self.context.scoped(Scope(scope_of(whole.type), this=whole)):
            self.initialise(member, value, value.span)

    def zero(self, place: Lvalue, span: Span) -> None:
        if isinstance(place.type, t.BitMember):  # others may lie in the same integer
            self.low.memory.store(place, number(t.INT, 0), span)
            return
        for offset, part in leaf_types(place.type):
            scalar = t.arithmetic(part)
            value = number(scalar, 0) if scalar is not None else Value(part, address=NULL)
            self.low.memory.store(
                Lvalue(place.address.plus(offset), part), Value(part, value.operand, value.address), span
            )
