"""Parse attributes of declarations: CUDA's, those of C++ and those of GNU C."""

from __future__ import annotations

from dataclasses import dataclass, field

from warpview.diagnostics import Span
from warpview.frontend import syntax as s
from warpview.frontend.parse.expressions import greatest
from warpview.frontend.parse.rules import Rules
from warpview.frontend.preprocess.tokens import Token, TokenKind, refuse
from warpview.frontend.semantic import types as t

LARGEST_ALIGNMENT = 16  # that of any type: what ``aligned`` without a number means


@dataclass
class Specifiers:
    """Hold the words before a declarator."""

    span: Span
    storage: set[str] = field(default_factory=set)
    type: s.TypeSyntax | None = None
    align: s.Expression | None = None
    packing: int = 0  # the greatest alignment of members, 0 where there is none
    launch_bounds: list[s.Expression] = field(default_factory=list)
    cluster_dims: list[s.Expression] = field(default_factory=list)
    explicit_if: s.Expression | None = None
    defined: s.TypeDeclaration | None = None  # a struct or enum defined on the way
    concept: s.Name | None = None  # of ``concept auto``


class AttributeRules(Rules):
    def attribute(self, found: Specifiers) -> None:
        """Parse one attribute, and its arguments."""
        name = self.cursor.advance()
        if name.text == "[":
            self._of_standard()
        elif name.text == "__attribute__":
            self._of_gnu(found)
        elif name.text == "__declspec":
            self.cursor.skip_balanced()
        else:
            self._of_cuda(name, found)

    def behind(self, before: Specifiers | None = None) -> Specifiers:
        """Parse attributes behind what is declared; return their alignment and packing, else those ``before``."""
        found = Specifiers(self.cursor.token.span)
        if before is not None:
            found.align, found.packing = before.align, before.packing
        while self.cursor.at("__attribute__"):
            self.attribute(found)
        return found

    def _of_standard(self) -> None:
        """Skip [[name, name(arguments), ...]]."""
        self.cursor.position -= 1
        start = self.cursor.position
        self.cursor.skip_balanced()
        for token in self.cursor.tokens[start : self.cursor.position]:
            if token.text == "no_unique_address":
                refuse("members that share their address with others are not supported", token.span)

    def _of_cuda(self, name: Token, found: Specifiers) -> None:
        self.cursor.expect("(", f"after {name.text}")
        of_kernel = name.text in ("__launch_bounds__", "__cluster_dims__")
        is_type = not of_kernel and self.rules.types.at_type()
        first = self.rules.types.type_name() if is_type else self.rules.expressions.assignment()
        is_pack = isinstance(first, s.PackType)
        first = first.of if isinstance(first, s.PackType) else first
        values = [first if isinstance(first, s.Expression) else s.SizeOf(name.span, first, "alignof")]
        while self.cursor.accept(","):
            values.append(self.rules.expressions.assignment())
        is_pack |= bool(self.cursor.accept("..."))
        self.cursor.expect(")", f"to close {name.text}")
        if of_kernel:
            setattr(found, name.text.strip("_"), values)
        else:
            found.align = greatest(values[0]) if is_pack else values[0]
            self._give_to_struct(found)

    def _of_gnu(self, found: Specifiers) -> None:
        """Parse ((name, name(arguments), ...))."""
        self.cursor.expect("(", "after __attribute__")
        self.cursor.expect("(", "after __attribute__(")
        while not self.cursor.at(")"):
            name = self.cursor.advance()
            if name.kind is TokenKind.NAME and name.text.strip("_") == "packed":
                found.packing = 1
            elif name.kind is TokenKind.NAME and name.text.strip("_") == "aligned":
                found.align = self._alignment(name)
            elif self.cursor.at("("):
                self.cursor.skip_balanced()
        self.cursor.expect(")", "to close the attributes")
        self.cursor.expect(")", "to close __attribute__")
        self._give_to_struct(found)

    @staticmethod
    def _give_to_struct(found: Specifiers) -> None:
        """Give attributes behind a struct that is defined there to the struct."""
        struct = found.defined.type if found.defined is not None else None
        if isinstance(struct, s.StructType):
            struct.packing, found.packing = found.packing or struct.packing, 0
            struct.align, found.align = found.align or struct.align, None

    def _alignment(self, name: Token) -> s.Expression:
        if not self.cursor.accept("("):
            return s.Literal(name.span, LARGEST_ALIGNMENT, t.INT)
        value = self.rules.expressions.assignment()
        self.cursor.expect(")", f"to close {name.text}")
        return value
