"""Parse ``new`` and ``delete``: calls of the functions of ``device_heap.h``, and objects constructed where they say."""

from __future__ import annotations

from warpview.diagnostics import Span
from warpview.frontend import syntax as s
from warpview.frontend.parse.rules import Rules


class AllocationRules(Rules):
    def allocation(self) -> s.Expression:
        """Parse new [(place)] type [values], new type[count] [()], delete pointer or delete[] pointer."""
        token = self.cursor.advance()
        if token.text == "delete":
            if self.cursor.accept("["):
                self.cursor.expect("]", "after 'delete['")
                return self._call(token.span, "warpview_delete_array", None, self.rules.expressions.unary())
            return self._call(token.span, "warpview_delete", None, self.rules.expressions.unary())
        place = self.rules.expressions.arguments() if self.cursor.at("(") else []
        type = self._type()
        if self.cursor.accept("["):
            count = self.rules.expressions.expression()
            self.cursor.expect("]", "after the number of elements")
            return self._call(token.span, f"warpview_new_{self._initial()}", type, count)
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

    def _initial(self) -> str:
        """Parse [() or {}] behind an array; return what its elements begin as."""
        opening = self.cursor.accept("(", "{")
        if opening is None:
            return "array"
        self.cursor.expect(")" if opening.text == "(" else "}", "after the array, which takes no values")
        return "zeros"

    def _values(self, span: Span, type: s.TypeSyntax) -> s.Construct | None:
        if self.cursor.at("{"):
            return s.Construct(span, type, [self.rules.expressions.init_list()], braces=True)
        return (
            s.Construct(span, type, self.rules.expressions.arguments(), braces=False) if self.cursor.at("(") else None
        )

    def _call(self, span: Span, function: str, type: s.TypeSyntax | None, argument: s.Expression) -> s.Expression:
        name = s.Name(span, function, None if type is None else [type], None, "", self.rules.seen)
        return s.Call(span, name, [argument])
