"""Evaluate the expression of ``#if``: 64-bit integers, ``defined``, unknown names are 0."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from warpview.frontend.preprocess.literals import character_literal, integer_literal
from warpview.frontend.preprocess.macros import Expander, Macro
from warpview.frontend.preprocess.operators import COMPARISONS
from warpview.frontend.preprocess.tokens import Token, TokenKind, fail

_MEANINGS: tuple[dict[str, Callable[[int, int], int]], ...] = (
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
_TRUTHS = COMPARISONS | {"||", "&&"}  # their results are signed, whatever they compare
_SHIFTS = ("<<", ">>")  # their results have the type of what is shifted
_MAX_DEPTH = 100
HAS_INCLUDE = "__has_include"
HasFile = Callable[[list[Token]], bool]


def condition_holds(
    directive: Token, line: list[Token], macros: Mapping[str, Macro], expander: Expander, has_file: HasFile
) -> bool:
    """Return whether the condition ``line`` of an ``#if`` or ``#elif`` is not zero. ``has_file`` says whether an
    ``#include`` of some tokens finds a file."""
    tokens = expander.expand(_without_questions(line, macros, has_file))
    if not tokens:
        fail(f"#{directive.text} needs a condition", directive.span)
    condition = _Condition(tokens, directive)
    result = condition.conditional(0)
    if condition.tokens:
        fail(f"{condition.tokens[0]} is not expected here", condition.tokens[0].span)
    if result.is_undefined:
        fail("division by zero", directive.span)
    return result.value != 0


def _without_questions(line: list[Token], macros: Mapping[str, Macro], has_file: HasFile) -> list[Token]:
    """Return ``line`` with ``defined X``, ``defined(X)`` and ``__has_include(...)`` replaced by 1 or 0."""
    result: list[Token] = []
    position = 0
    while position < len(line):
        token = line[position]
        if token.text == "defined":
            answer, position = _defined(line, position, macros)
        elif token.text == HAS_INCLUDE and (end := _closing(line, position)):
            answer, position = has_file(line[position + 2 : end]), end + 1
        else:
            result.append(token)
            position += 1
            continue
        result.append(Token(TokenKind.NUMBER, str(int(answer)), token.span))
    return result


def _defined(line: list[Token], position: int, macros: Mapping[str, Macro]) -> tuple[bool, int]:
    """Return whether the name behind ``defined`` is that of a macro, and the position behind it."""
    texts = [t.text for t in line[position + 1 : position + 4]]
    if len(texts) == 3 and texts[0] == "(" and texts[2] == ")":
        name, position = texts[1], position + 4
    elif texts and texts[0] != "(":
        name, position = texts[0], position + 2
    else:
        fail("'defined' needs a name", line[position].span)
    return is_defined(name, macros), position


def is_defined(name: str, macros: Mapping[str, Macro]) -> bool:
    """Return whether ``#ifdef`` of a name holds."""
    return name in macros or name == HAS_INCLUDE


def _closing(line: list[Token], position: int) -> int | None:
    """Return the position of the ')' behind a name and its '('; None where there is none."""
    texts = [t.text for t in line[position:]]
    return position + texts.index(")") if texts[1:2] == ["("] and ")" in texts else None


def _quotient(a: int, b: int) -> int:
    if b == 0:
        return 0  # as good as any: the result is undefined, unless it is that of a part that is not evaluated
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


@dataclass(frozen=True)
class _Number:
    """Hold an integer of 64 bits, signed or not; ``is_undefined`` where a division by zero leads to it."""

    value: int
    is_unsigned: bool = False
    is_undefined: bool = False

    def as_type(self, is_unsigned: bool) -> _Number:
        value = self.value % 2**64
        return _Number(value if is_unsigned or value < 2**63 else value - 2**64, is_unsigned, self.is_undefined)


def _result(operator: str, meaning: Callable[[int, int], int], a: _Number, b: _Number) -> _Number:
    """Return the result of an operator: where one operand is unsigned, both are (C++17, 8.3)."""
    is_unsigned = a.is_unsigned or (b.is_unsigned and operator not in _SHIFTS)
    if operator in ("||", "&&"):
        is_decided = bool(a.value) == (operator == "||")
        return _Number(meaning(a.value, b.value), is_undefined=a.is_undefined or (b.is_undefined and not is_decided))
    is_undefined = a.is_undefined or b.is_undefined or (operator in ("/", "%") and b.value == 0)
    left, right = a.as_type(is_unsigned), b if operator in _SHIFTS else b.as_type(is_unsigned)
    result = _Number(meaning(left.value, right.value), is_undefined=is_undefined)
    return result.as_type(is_unsigned and operator not in _TRUTHS)


class _Condition:
    def __init__(self, tokens: list[Token], directive: Token) -> None:
        self.tokens = deque(tokens)
        self.directive = directive

    def take(self, *texts: str) -> Token | None:
        return self.tokens.popleft() if self.tokens and self.tokens[0].text in texts else None

    def _check_depth(self, depth: int) -> None:
        if depth > _MAX_DEPTH:
            fail("this condition is nested too deeply", self.directive.span)

    def conditional(self, depth: int) -> _Number:
        self._check_depth(depth)
        condition = self.binary(0, depth)
        if not self.take("?"):
            return condition
        first = self.conditional(depth + 1)
        if not self.take(":"):
            fail("':' is missing", self.directive.span)
        second = self.conditional(depth + 1)
        chosen = (first if condition.value else second).as_type(first.is_unsigned or second.is_unsigned)
        return replace(chosen, is_undefined=chosen.is_undefined or condition.is_undefined)

    def binary(self, level: int, depth: int) -> _Number:
        if level == len(_MEANINGS):
            return self.unary(depth)
        value = self.binary(level + 1, depth)
        while operator := self.take(*_MEANINGS[level]):
            value = _result(operator.text, _MEANINGS[level][operator.text], value, self.binary(level + 1, depth))
        return value

    def unary(self, depth: int) -> _Number:
        self._check_depth(depth)
        if operator := self.take("!", "-", "+", "~"):
            operand = self.unary(depth + 1)
            if operator.text == "!":
                return _Number(int(not operand.value), is_undefined=operand.is_undefined)
            value = {"-": -operand.value, "+": operand.value, "~": ~operand.value}[operator.text]
            return _Number(value, is_undefined=operand.is_undefined).as_type(operand.is_unsigned)
        if self.take("("):
            result = self.conditional(depth + 1)
            if not self.take(")"):
                fail("')' is missing", self.directive.span)
            return result
        return self.primary()

    def primary(self) -> _Number:
        if not self.tokens:
            fail("this condition ends too early", self.directive.span)
        token = self.tokens.popleft()
        if token.kind is TokenKind.NUMBER:
            integer = integer_literal(token)
            return _Number(integer.value, not integer.type.is_signed)
        if token.kind is TokenKind.CHAR:
            return _Number(character_literal(token)[0])
        if token.kind is TokenKind.NAME:
            if self.take("("):  # __has_cpp_attribute(...) and its like: an unknown question is answered with no
                while self.tokens and not self.take(")"):
                    self.tokens.popleft()
            return _Number(int(token.text == "true"))
        fail(f"{token} is not allowed in a preprocessor condition", token.span)
