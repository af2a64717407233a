"""Parse the declarators of pointers, ``*`` and ``Struct::*`` with their qualifiers, and those in brackets."""

from __future__ import annotations

from warpview.diagnostics import Span
from warpview.frontend import syntax as s
from warpview.frontend.parse.rules import Rules
from warpview.frontend.parse.words import CONST_WORDS, RESTRICT_WORDS, VOLATILE_WORDS
from warpview.frontend.preprocess.tokens import TokenKind
from warpview.frontend.semantic import types as t


class PointerRules(Rules):
    def to_member_length(self, distance: int = 0) -> int:
        """Return the number of tokens of ``Struct::*`` that stand at a distance; 0 where none do."""
        length = distance + (self.cursor.ahead(distance).text == "::")
        while self.cursor.ahead(length).kind is TokenKind.NAME:
            length = self.cursor.behind_arguments(length + 1)
            if self.cursor.ahead(length).text != "::":
                break
            length += 1
            if self.cursor.ahead(length).text == "*":
                return length + 1 - distance
        return 0

    def to_member(self, to: s.TypeSyntax) -> s.TypeSyntax:
        """Parse ``Struct::*`` with its qualifiers."""
        owner = self.rules.types.named_type()
        span = self.cursor.expect("::", "before '*'").span
        self.cursor.advance()
        return self._qualified(s.MemberPointerType(span, owner, to), span)

    def in_brackets(self, base: s.TypeSyntax) -> tuple[s.TypeSyntax, str, Span]:
        """Parse ``(*p)[4]``: what stands inside the parentheses applies after the suffix. Of a function, ``(&f(int
        k))[4]``, the suffix is taken out, so that the parameters come next."""
        self.cursor.expect("(", "here")
        start = self.cursor.position
        placeholder = s.PlainType(self.cursor.token.span, t.INT)
        _, name, _ = self.rules.types.declarator(placeholder)
        is_function = bool(name) and self.cursor.at("(")
        if is_function:
            self.cursor.skip_balanced()
            while self.cursor.accept("const", "noexcept", "&", "&&"):
                pass
        close = self.cursor.position
        self.cursor.expect(")", "to close the declarator")
        type = self.rules.types.declarator_suffix(base, in_brackets=True)
        end = self.cursor.position
        self.cursor.position = start
        result = self.rules.types.declarator(type)
        if is_function:
            self.cursor.rewrite(close, end, [])
        else:
            self.cursor.position = end
        return result

    def pointer(self, to: s.TypeSyntax, span: Span) -> s.TypeSyntax:
        """Parse the qualifiers of a pointer behind its '*'."""
        return self._qualified(s.PointerType(span, to), span)

    def _qualified(self, pointer: s.TypeSyntax, span: Span) -> s.TypeSyntax:
        """Parse the qualifiers behind the '*' of a pointer."""
        while True:
            text = self.cursor.token.text
            if text in RESTRICT_WORDS:
                target = pointer.of if isinstance(pointer, s.QualifiedType) else pointer
                if isinstance(target, s.PointerType):
                    target.restrict = True
            elif text in CONST_WORDS or text in VOLATILE_WORDS:
                pointer = s.QualifiedType(span, pointer, text in CONST_WORDS, text in VOLATILE_WORDS)
            else:
                return pointer
            self.cursor.advance()
