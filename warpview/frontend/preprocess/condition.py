"""Evaluate the expression of ``#if``: 64-bit integers, ``defined``, unknown names are 0."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping

from warpview.frontend.preprocess.literals import character_literal, integer_literal
from warpview.frontend.preprocess.macros import Expander, Macro
from warpview.frontend.preprocess.tokens import Token, TokenKind, fail

_LEVELS: tuple[dict[str, Callable[[int, int], int]], ...] = (
    {"||": lambda a, b: int(bool(a) or bool(b))},
    {"&&": lambda a, b: int(bool(a) and bool(b))},
    {"|": lambda a, b: a | b},
    {"^": lambda a, b: a ^ b},
    {"&": lambda a, b: a & b},
    {"==": lambda a, b: int(a == b), "!=": lambda a, b: int(a != b)},
    {
        "<": lambda a, b: int(a < b),
        "<=": lambda a, b: int(a <= b),
        ">": lambda a, b: int(a > b),
        ">=": lambda a, b: int(a >= b),
    },
    {"<<": lambda a, b: a << (b & 63), ">>": lambda a, b: a >> (b & 63)},
    {"+": lambda a, b: a + b, "-": lambda a, b: a - b},
    {"*": lambda a, b: a * b, "/": lambda a, b: _quotient(a, b), "%": lambda a, b: a - b * _quotient(a, b)},
)
_MAX_DEPTH = 100


def condition_holds(directive: Token, line: list[Token], macros: Mapping[str, Macro], expander: Expander) -> bool:
    """Return whether the condition ``line`` of an ``#if`` or ``#elif`` is not zero."""
    tokens = expander.expand(_without_defined(line, macros))
    if not tokens:
        fail(f"#{directive.text} needs a condition", directive.span)
    condition = _Condition(tokens, directive)
    value = condition.conditional(0)
    if condition.tokens:
        fail(f"{condition.tokens[0]} is not expected here", condition.tokens[0].span)
    return value != 0


def _without_defined(line: list[Token], macros: Mapping[str, Macro]) -> list[Token]:
    """Return ``line`` with ``defined X`` and ``defined(X)`` replaced by 1 or 0."""
    result: list[Token] = []
    position = 0
    while position < len(line):
        token = line[position]
        if token.text != "defined":
            result.append(token)
            position += 1
            continue
        texts = [t.text for t in line[position + 1 : position + 4]]
        if len(texts) == 3 and texts[0] == "(" and texts[2] == ")":
            name, position = texts[1], position + 4
        elif texts and texts[0] != "(":
            name, position = texts[0], position + 2
        else:
            fail("'defined' needs a name", token.span)
        result.append(Token(TokenKind.NUMBER, "1" if name in macros else "0", token.span))
    return result


def _quotient(a: int, b: int) -> int:
    if b == 0:
        return 0  # in a part that is not evaluated; a true division by zero is caught where it is used
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


class _Condition:
    def __init__(self, tokens: list[Token], directive: Token) -> None:
        self.tokens = deque(tokens)
        self.directive = directive

    def take(self, *texts: str) -> Token | None:
        return self.tokens.popleft() if self.tokens and self.tokens[0].text in texts else None

    def _check_depth(self, depth: int) -> None:
        if depth > _MAX_DEPTH:
            fail("this condition is nested too deeply", self.directive.span)

    def conditional(self, depth: int) -> int:
        self._check_depth(depth)
        condition = self.binary(0, depth)
        if not self.take("?"):
            return condition
        first = self.conditional(depth + 1)
        if not self.take(":"):
            fail("':' is missing", self.directive.span)
        second = self.conditional(depth + 1)
        return first if condition else second

    def binary(self, level: int, depth: int) -> int:
        if level == len(_LEVELS):
            return self.unary(depth)
        value = self.binary(level + 1, depth)
        while operator := self.take(*_LEVELS[level]):
            value = _LEVELS[level][operator.text](value, self.binary(level + 1, depth))
            value = (value + 2**63) % 2**64 - 2**63
        return value

    def unary(self, depth: int) -> int:
        self._check_depth(depth)
        if operator := self.take("!", "-", "+", "~"):
            value = self.unary(depth + 1)
            return {"!": int(not value), "-": -value, "+": value, "~": ~value}[operator.text]
        if self.take("("):
            value = self.conditional(depth + 1)
            if not self.take(")"):
                fail("')' is missing", self.directive.span)
            return value
        return self.primary()

    def primary(self) -> int:
        if not self.tokens:
            fail("this condition ends too early", self.directive.span)
        token = self.tokens.popleft()
        if token.kind is TokenKind.NUMBER:
            return integer_literal(token).value
        if token.kind is TokenKind.CHAR:
            return character_literal(token)[0]
        if token.kind is TokenKind.NAME:
            if self.take("("):  # __has_include(...) and its like: an unknown question is answered with no
                while self.tokens and not self.take(")"):
                    self.tokens.popleft()
            return int(token.text == "true")
        fail(f"{token} is not allowed in a preprocessor condition", token.span)
