"""Parse ``new`` and ``delete``: calls of the functions of ``device_heap.h``, and objects constructed where they say."""

from __future__ import annotations

from warpview.diagnostics import Span
from warpview.frontend import syntax as s
from warpview.frontend.parse.rules import Rules
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t


class AllocationRules(Rules):
    def allocation(self) -> s.Expression:
        """Parse new [(place)] type [values], new [(place)] type[count] [values], delete pointer or delete[] pointer."""
        token = self.cursor.advance()
        if token.text == "delete":
            if self.cursor.accept("["):
                self.cursor.expect("]", "after 'delete['")
                return self._call(token.span, "warpview_delete_array", None, self.rules.expressions.unary())
            return self._call(token.span, "warpview_delete", None, self.rules.expressions.unary())
        place = self.rules.expressions.arguments() if self.cursor.at("(") else []
        type = self._type()
        if self.cursor.accept("["):
            return self._array(token.span, type, place)
        memory = place[0] if place else self._call(token.span, "warpview_malloc", None, s.SizeOf(token.span, type))
        return s.ConstructAt(token.span, memory, type, self._values(token.span, type))

    def _type(self) -> s.TypeSyntax:
        """Parse the type of the object, which may be a pointer."""
        place = self.cursor.token
        found = self.rules.types.specifiers().type
        if found is None:
            self.rules.statements.refuse_unknown_type(parameter=True)  # nothing else can stand here
            self.cursor.unexpected("the type of the new object")
        while self.cursor.accept("*"):
            found = s.PointerType(place.span, found)
        return found

    def _array(self, span: Span, type: s.TypeSyntax, place: list[s.Expression]) -> s.Expression:
        """Parse [count] and the values behind it, which may be () or {}: objects in new memory or at a place."""
        written = None if self.cursor.at("]") else self.rules.expressions.expression()
        self.cursor.expect("]", "after the number of elements")
        has_values = self.cursor.at("{", "(")
        values = self.rules.expressions.init_list().items if self.cursor.at("{") else []
        if self.cursor.accept("("):
            self.cursor.expect(")", "after the array, which takes no values in parentheses")
        if written is None and not values:
            fail("the number of elements is missing", span)
        count = written or s.Literal(span, len(values), t.ULONG)
        where = "place" if place else "new"
        if not values:
            function = f"warpview_{where}_{'zeros' if has_values else 'array'}"
            return self._call(span, function, type, *place[:1], count)
        made: s.Expression
        if isinstance(count, s.Literal) and count.value == len(values):
            made = self._call(span, f"warpview_{where}_room", type, *place[:1], count)
        else:
            given = s.Literal(span, len(values), t.ULONG)
            made = self._call(span, f"warpview_{where}_rest", type, *place[:1], count, given)
        for position, (_, value) in enumerate(values):
            element = s.Construct(value.span, type, [value], braces=isinstance(value, s.InitList))
            memory = s.Binary(value.span, "+", made, s.Literal(value.span, int(position > 0), t.ULONG))
            made = s.ConstructAt(value.span, memory, type, element)
        return s.Binary(span, "-", made, s.Literal(span, len(values) - 1, t.ULONG))

    def _values(self, span: Span, type: s.TypeSyntax) -> s.Construct | None:
        if self.cursor.at("{"):
            return s.Construct(span, type, [self.rules.expressions.init_list()], braces=True)
        return (
            s.Construct(span, type, self.rules.expressions.arguments(), braces=False) if self.cursor.at("(") else None
        )

    def _call(self, span: Span, function: str, type: s.TypeSyntax | None, *arguments: s.Expression) -> s.Expression:
        name = s.Name(span, function, None if type is None else [type], None, "", self.rules.seen)
        return s.Call(span, name, [*arguments])
