"""Keep the position in a list of tokens, and the names by which the parser tells types from values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NoReturn

from warpview.diagnostics import Span
from warpview.frontend.interruption import checkpoint
from warpview.frontend.parse.name_tables import NameTables
from warpview.frontend.parse.words import STORAGE_WORDS, TAG_WORDS
from warpview.frontend.preprocess.operators import ANGLE_DEPTH, BRACKETS, CLOSING_ANGLES, OPENINGS
from warpview.frontend.preprocess.tokens import Token, TokenKind, fail
from warpview.frontend.unsupported import refuse_type

MAX_NESTING = 200

TYPE = "type"
TYPE_TEMPLATE = "type template"
FUNCTION_TEMPLATE = "function template"
VARIABLE_TEMPLATE = "variable template"
VALUE = "value"
# Words that a parenthesis with arguments follows, anywhere among the specifiers of a declaration.
ATTRIBUTES = frozenset(("__launch_bounds__", "__cluster_dims__", "__align__", "alignas", "__attribute__", "__declspec"))
# What a parenthesis within a type follows: a word, or a sign in template arguments.
_BEFORE_TYPE_BRACKETS = frozenset(("decltype", "sizeof", "alignof", "<", ",", "(", "+", "-", "*", "/", "!", "&&", "||"))
# What a declaration begins with behind constraints.
_BEHIND_CONSTRAINTS = STORAGE_WORDS | TAG_WORDS | {"using"}
_BEFORE_REQUIREMENTS = (["requires"], ["="], ["&&"], ["||"], ["!"], ["("])


def fail_too_deep(span: Span) -> NoReturn:
    """Stop at code that is nested more deeply than the compiler can follow."""
    fail("this is nested too deeply", span)


class Cursor:
    """Keep a position among tokens, and what is known of names at it."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.position = 0
        self.rewritten = 0  # how often tokens were replaced by others
        self._replaced: list[tuple[int, int, list[Token]]] = []  # where, how many there are now, and what was there
        self.nesting = 0
        self.angle_closes = False  # inside template arguments, where a bare '>' ends the expression
        self.names = NameTables({})

    # -------------------------------------------------------------------------------------- tokens
    @property
    def token(self) -> Token:
        return self.tokens[self.position]

    def ahead(self, distance: int = 1) -> Token:
        return self.tokens[min(self.position + distance, len(self.tokens) - 1)]

    def at(self, *texts: str) -> bool:
        token = self.tokens[self.position]
        return token.text in texts and token.kind in (TokenKind.PUNCT, TokenKind.NAME)

    def advance(self) -> Token:
        checkpoint()
        token = self.token
        if token.kind is not TokenKind.END:
            self.position += 1
        return token

    def accept(self, *texts: str) -> Token | None:
        return self.advance() if self.at(*texts) else None

    def expect(self, text: str, where: str) -> Token:
        """Return the token ``text``, or an error that points behind the last token read."""
        if self.at(text):
            return self.advance()
        if text in (";", ")", "]", "}", ">") and self.position > 0:
            last = self.tokens[self.position - 1].span
            after = Span(last.source, last.line, last.column + last.length)
            self.unexpected(f"'{text}' {where}", after)
        self.unexpected(f"'{text}' {where}")

    def name(self, what: str) -> Token:
        if self.token.kind is not TokenKind.NAME:
            self.unexpected(what)
        return self.advance()

    def release(self) -> None:
        """Let go of the tokens of a file that has been read: what is known of its names stays."""
        self.tokens, self.position = self.tokens[-1:], 0
        self._replaced.clear()

    def rewrite(self, start: int, end: int, tokens: list[Token]) -> None:
        """Put other tokens in the place of those from ``start`` up to ``end``."""
        self._replaced.append((start, len(tokens), self.tokens[start:end]))
        self.tokens[start:end] = tokens
        self.rewritten += 1

    def mark(self) -> tuple[int, int]:
        """Return what ``go_back`` takes to come back here."""
        return self.position, len(self._replaced)

    def go_back(self, mark: tuple[int, int]) -> None:
        """Go back to a ``mark``, with the tokens as they were: a '>>' that closed two lists is one token again."""
        self.position, count = mark
        while len(self._replaced) > count:
            start, length, before = self._replaced.pop()
            self.tokens[start : start + length] = before
            self.rewritten += 1

    def closing_angle(self) -> None:
        """Take one '>', splitting '>>' where it closes two template argument lists."""
        token = self.token
        if token.kind is TokenKind.PUNCT and token.text in (">>", ">=", ">>="):
            span = token.span
            rest = Span(span.source, span.line, span.column + 1, max(1, span.length - 1))
            self.rewrite(self.position, self.position + 1, [Token(TokenKind.PUNCT, token.text[1:], rest)])
            return
        self.expect(">", "to close the template arguments")

    def at_closing_angle(self) -> bool:
        return self.token.kind is TokenKind.PUNCT and self.token.text in CLOSING_ANGLES

    def behind_arguments(self, length: int) -> int:
        """Return the number of tokens with the template arguments, if any, that follow so many tokens."""
        if self.ahead(length).text != "<":
            return length
        angles = brackets = 0
        while self.ahead(length).text not in ("", ";"):
            text = self.ahead(length).text
            brackets += (text in BRACKETS) - (text in OPENINGS)
            angles += 0 if brackets else ANGLE_DEPTH.get(text, 0)
            length += 1
            if not angles:
                break
        return length

    def behind_bracket(self, distance: int) -> int:
        """Return the distance of the token behind the bracket that closes the one at a distance."""
        depth = 0
        while self.ahead(distance).text:
            depth += (self.ahead(distance).text in BRACKETS) - (self.ahead(distance).text in OPENINGS)
            distance += 1
            if not depth:
                break
        return distance

    def unexpected(self, what: str, span: Span | None = None) -> NoReturn:
        fail(f"expected {what}, found {self.token}", span or self.token.span)

    def at_closing_brace(self, opened: str, span: Span) -> bool:
        """Return whether what was ``opened`` by a brace ends here; fail where the file ends before it does."""
        if self.token.kind is TokenKind.END:
            fail(f"{opened} is never closed", span, "a '}' is missing")
        return self.at("}")

    def deeper(self) -> None:
        """Count one level of nesting; a level that is too deep is refused rather than overflowing the stack."""
        self.nesting += 1
        if self.nesting > MAX_NESTING:
            fail_too_deep(self.token.span)

    def skip_balanced(self) -> None:
        """Skip a bracketed group that starts here, whatever it holds."""
        first, stack = self.token, list[str]()
        while self.token.kind is not TokenKind.END:
            token = self.advance()
            if token.kind is TokenKind.PUNCT and token.text in BRACKETS:
                stack.append(BRACKETS[token.text])
            elif stack and token.kind is TokenKind.PUNCT and token.text == stack[-1]:
                stack.pop()
            if not stack:
                return
        fail(f"this '{first.text}' is never closed", first.span)

    def in_brackets(self, end: str) -> bool:
        """Return whether brackets stand around all that is left before an ``end``."""
        start = self.position
        if self.at("("):
            self.skip_balanced()
        found = self.position > start and self.at(end)
        self.position = start
        return found

    # --------------------------------------------------------------------------------------- names
    def declare(self, name: str, kind: str) -> None:
        self.names.declare(name, kind)

    def kind_of(self, name: str) -> str | None:
        return self.names.kind_of(name)

    def refuse_type(self, token: Token) -> None:
        """Stop at the name of a type that is not supported, unless something declared here has that name."""
        if self.kind_of(token.text) is None and self.names.table(token.text) is None:
            refuse_type(token)


def without_attributes(texts: list[str]) -> list[str]:
    """Return the tokens of a declaration without its attributes and their arguments."""
    kept: list[str] = []
    depth, inside = 0, False
    for text in texts:
        inside = inside or text in ATTRIBUTES
        depth += (text == "(") - (text == ")") if inside else 0
        if not inside:
            kept.append(text)
        inside = inside and (depth > 0 or text != ")")
    return kept


def closing_angle(texts: list[str], opening: int) -> int:
    """Return the position of the angle bracket that closes the one at ``opening``."""
    depth = 0
    for position in range(opening, len(texts)):
        depth += ANGLE_DEPTH.get(texts[position], 0)
        if depth <= 0:
            return position
    return len(texts) - 1


def opening_angle(texts: list[str], closing: int) -> int:
    """Return the position of the angle bracket that opens the one at ``closing``."""
    depth = 0
    for position in range(closing, -1, -1):
        depth -= ANGLE_DEPTH.get(texts[position], 0)
        if depth <= 0:
            return position
    return 0


def behind_template(texts: list[str]) -> list[str]:
    """Return the tokens of a declaration without the parameters of its templates and the constraints on them."""
    while texts[:2] == ["template", "<"]:
        texts = texts[closing_angle(texts, 1) + 1 :]
        if texts[:1] == ["requires"]:
            texts = texts[next((k for k, text in enumerate(texts) if text in _BEHIND_CONSTRAINTS), 0) :]
    return texts


def places_outside_types(head: Sequence[str]) -> list[int]:
    """Return where a member has brackets of parameters, an equals sign or the word operator; brackets within the length
    of an array, in template arguments or of ``decltype`` are part of a type."""
    found, depth = list[int](), 0
    for place, (before, text) in enumerate(pairwise(["", *head])):
        opens_type = text == "[" or (text == "(" and (before in _BEFORE_TYPE_BRACKETS or depth > 0))
        if text in ("(", "=", "operator") and not opens_type and depth == 0:
            found.append(place)
        depth += opens_type - (depth > 0 and text in ("]", ")"))
    return found


def opens_requirements(texts: list[str]) -> bool:
    """Return whether a brace behind these tokens opens the list of ``requires (parameters) { ... }``, which stands
    behind an operator or another 'requires', rather than a body behind the clause ``requires (constraint)``."""
    end = len(texts)
    if texts[-1:] == [")"]:
        depth = 0
        while end:
            end -= 1
            depth += (texts[end] == ")") - (texts[end] == "(")
            if depth == 0:
                break
    return texts[end - 1 : end] == ["requires"] and texts[end - 2 : end - 1] in _BEFORE_REQUIREMENTS
