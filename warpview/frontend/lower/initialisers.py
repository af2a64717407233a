"""Lower objects that get their values from lists in braces."""

from __future__ import annotations

from warpview.diagnostics import Span
from warpview.frontend import syntax as s
from warpview.frontend.lower.part import LoweringPart
from warpview.frontend.passes.promote import MAX_LOCAL
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.layout import leaf_types
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
            value = self.low.expressions.rvalue(initialiser)
            if isinstance(type, t.Struct) and value.address is None:
                fail(f"a value of type '{value.type}' cannot become '{type}'", initialiser.span)
            self.low.memory.store(place, self.low.conversions.convert(value, type, initialiser.span), span)
            return
        if place.is_local and type.size > MAX_LOCAL:  # at once, not after each of its elements got a value
            fail("this needs more local memory than a thread can have", span)
        parts = list(_list_parts(type))
        names = [name for name, _, _ in parts]
        position = 0
        if len(initialiser.items) > len(parts):
            fail(f"too many values for '{type}'", initialiser.items[len(parts)][1].span)
        done: set[int] = set()
        for name, item in initialiser.items:
            if name:
                if name not in names:
                    fail(f"'{type}' has no member '{name}'", item.span)
                position = names.index(name)
            self.initialise(Lvalue(place.address.plus(parts[position][1]), parts[position][2]), item, item.span)
            done.add(position)
            position += 1
        for index, (_, offset, part) in enumerate(parts):
            if index not in done and not (isinstance(type, t.Struct) and type.info.is_union):
                self._initialise_missing(Lvalue(place.address.plus(offset), part), type, index, span)

    def default_fields(self, place: Lvalue) -> None:
        """Give members the values that the struct's definition gives them."""
        struct = t.plain(place.type)
        syntax = struct.info.syntax if isinstance(struct, t.Struct) else None
        for field in syntax.fields if isinstance(syntax, s.StructType) else ():
            found = struct.field(field.name) if isinstance(struct, t.Struct) else None
            if field.default is not None and found is not None:
                self.initialise(Lvalue(place.address.plus(found.offset), found.type), field.default, field.span)

    def _initialise_missing(self, place: Lvalue, type: t.CType, index: int, span: Span) -> None:
        """Initialise a member that a list has no value for: by its own initialiser, or with zero."""
        syntax = type.info.syntax if isinstance(type, t.Struct) else None
        default = None
        if isinstance(type, t.Struct) and isinstance(syntax, s.StructType):
            name = type.info.fields[index].name
            default = next((f.default for f in syntax.fields if f.name == name), None)
        if default is not None:
            self.initialise(place, default, span)
        else:
            self.zero(place, span)

    def zero(self, place: Lvalue, span: Span) -> None:
        for offset, part in leaf_types(place.type):
            scalar = t.arithmetic(part)
            value = number(scalar, 0) if scalar is not None else Value(part, address=NULL)
            self.low.memory.store(
                Lvalue(place.address.plus(offset), part), Value(part, value.operand, value.address), span
            )


def _list_parts(type: t.CType) -> list[tuple[str, int, t.CType]]:
    """Return the parts that the items of a list initialise: (member name, offset, type)."""
    if isinstance(type, t.Array):
        return [("", i * type.of.size, type.of) for i in range(type.length or 0)]
    if isinstance(type, t.Struct):
        return [(f.name, f.offset, f.type) for f in type.info.fields]
    return [("", 0, type)]
