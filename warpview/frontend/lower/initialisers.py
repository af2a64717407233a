"""Lower objects that get their values from lists in braces."""

from __future__ import annotations

from warpview.diagnostics import Span
from warpview.frontend import syntax as s
from warpview.frontend.lower.part import LoweringPart
from warpview.frontend.passes.promote import check_local_memory
from warpview.frontend.semantic import checks
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import constructors_of
from warpview.frontend.semantic.layout import fully_braced, leaf_types, list_parts
from warpview.frontend.semantic.scopes import Scope
from warpview.frontend.semantic.type_resolution import scope_of
from warpview.frontend.semantic.values import NULL, Lvalue, Value, number


class Initialisers(LoweringPart):
    def initialise(self, place: Lvalue, initialiser: s.Expression, span: Span) -> None:
        """Give an object its value from a list (missing items are 0) or an expression."""
        type = t.plain(place.type)
        if isinstance(initialiser, s.StringLiteral) and isinstance(type, t.Array):
            text = [*initialiser.value.encode(), 0]
            items = [("", s.Literal(span, c, t.CHAR)) for c in text]
            initialiser = s.InitList(span, list(items))
        if not isinstance(initialiser, s.InitList):
            value = self.low.copies.initial_value(initialiser, type)
            self.low.memory.store(place, self.low.conversions.convert(value, type, initialiser.span), span)
            return
        if place.is_local:
            check_local_memory(type.size, span)  # at once, not after each of its elements got a value
        initialiser = fully_braced(type, initialiser, self.low.semantics.typer.type_of)
        parts = list_parts(type, initialiser)
        names = [name for name, _, _ in parts]
        position = 0
        if len(initialiser.items) > len(parts):
            checks.fail_too_many_values(type, initialiser.items[len(parts)][1].span)
        done: set[int] = set()
        for name, item in initialiser.items:
            if name:
                if name not in names:
                    checks.fail_no_member(type, name, item.span)
                position = names.index(name)
            self.initialise(Lvalue(place.address.plus(parts[position][1]), parts[position][2]), item, item.span)
            done.add(position)
            position += 1
        for index, (name, offset, part) in enumerate(parts):
            if index not in done and not (isinstance(type, t.Struct) and type.info.is_union):
                self._initialise_missing(place, Lvalue(place.address.plus(offset), part), name, span)

    def default_construct(self, place: Lvalue, span: Span) -> None:
        """Call the default constructor of a struct, or else give its members the values of its definition."""
        struct = t.plain(place.type)
        if isinstance(struct, t.Struct) and not struct.info.is_constructed:
            return
        constructors = [c for c in constructors_of(place.type) if all(p.default for p in c.parameters)]
        if constructors:
            node = s.Call(span, s.Name(span, constructors[0].name), [])
            self.low.calls.call_candidates(constructors, None, node, [], place)
        else:
            self.default_members(place, span)

    def default_members(self, place: Lvalue, span: Span, skipped: frozenset[str] = frozenset()) -> None:
        """Construct the base classes and members of a struct that are not ``skipped``, as its definition says."""
        struct = t.plain(place.type)
        syntax = struct.info.syntax if isinstance(struct, t.Struct) else None
        if not isinstance(struct, t.Struct) or not isinstance(syntax, s.StructType) or syntax.name in skipped:
            return
        for base in struct.info.bases:
            assert isinstance(base.type, t.Struct)
            if base.type.info.name not in skipped:
                self.default_construct(Lvalue(place.address.plus(base.offset), base.type), span)
        for field in syntax.fields:
            found = struct.field(field.name)
            if found is None or field.name in skipped:
                continue
            member = Lvalue(place.address.plus(found.offset), found.type)
            if field.default is not None:
                self._default_value(place, struct, member, field.default)
            elif isinstance(t.plain(found.type), t.Struct) and not struct.info.is_union:
                self.default_construct(member, span)

    def _initialise_missing(self, whole: Lvalue, part: Lvalue, name: str, span: Span) -> None:
        """Initialise a part that a list has no value for: by its own initialiser, or with zero."""
        struct = t.plain(whole.type)
        syntax = struct.info.syntax if isinstance(struct, t.Struct) else None
        default = None
        if isinstance(syntax, s.StructType):
            default = next((f.default for f in syntax.fields if f.name == name), None)
        if default is None:
            self.zero(part, span)
        else:
            assert isinstance(struct, t.Struct)
            self._default_value(whole, struct, part, default)

    def _default_value(self, whole: Lvalue, struct: t.Struct, member: Lvalue, default: s.Expression) -> None:
        """Give a member the value of its definition, which may name other members."""
        with self.context.scoped(Scope(scope_of(struct), this=whole)):
            self.initialise(member, default, default.span)

    def zero(self, place: Lvalue, span: Span) -> None:
        for offset, part in leaf_types(place.type):
            scalar = t.arithmetic(part)
            value = number(scalar, 0) if scalar is not None else Value(part, address=NULL)
            self.low.memory.store(
                Lvalue(place.address.plus(offset), part), Value(part, value.operand, value.address), span
            )
