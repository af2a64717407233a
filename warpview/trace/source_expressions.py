"""Find the source expression to which an instruction belongs, from the token at its place in the text.

Instructions carry the place of one token: the operator, the bracket of a subscript, or a name. The expression around
it follows from the precedence of C's operators (C11, 6.5); declarations and types are not looked at, which is enough
for words, and what is not understood gives no expression.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache

from warpview.diagnostics import SourceText, Span
from warpview.frontend.preprocess.operators import ASSIGNMENTS, BRACKETS, OPENINGS, PRECEDENCE

_TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.])*"
    r"|<<=|>>=|->|\+\+|--|&&|\|\||::|[-+*/%&|^<>=!]=|<<|>>|\S",
    re.DOTALL,
)
# Binary operators by how tightly they bind, with the assignments and '?' below them.
_PRECEDENCE = {**dict.fromkeys(ASSIGNMENTS, -1), "?": 0, ":": 0, **PRECEDENCE}
_STEPS = frozenset({"++", "--"})
_HEADERS = frozenset({"if", "for", "while", "switch"})
_ENDS = frozenset({";", ",", "{", "}", "return", "else", "do", "case"})


@dataclass(frozen=True)
class SourceExpression:
    """Describe an expression in the source. ``operator`` is the token of the instruction, '' where that is no
    operator.

    ``element`` is the array element in whose subscript the expression stands, ``row`` the part of it up to that
    subscript (``a[ty]`` of ``a[ty][k]``), ``array`` what is indexed (``a``); all are empty outside subscripts.
    ``assigned`` says that the expression is all that is assigned.
    """

    text: str
    operator: str = ""
    left: str = ""
    right: str = ""
    element: str = ""
    row: str = ""
    array: str = ""
    assigned: bool = False

    @property
    def is_assignment(self) -> bool:
        return self.operator in ASSIGNMENTS

    @property
    def is_step(self) -> bool:
        """Return whether the expression increments or decrements."""
        return self.operator in _STEPS


def expression_at(span: Span) -> SourceExpression | None:
    """Return the smallest expression to which the token at a place belongs; None where there is none."""
    return _tokens_of(span.source).expression(span.line, span.column)


@lru_cache(maxsize=16)
def _tokens_of(source: SourceText) -> _Tokens:
    return _Tokens(source.text)


class _Tokens:
    """Hold the tokens of a text without its comments, and find ways between them by index."""

    def __init__(self, text: str) -> None:
        found = [m for m in _TOKEN.finditer(text) if not m[0].startswith(("//", "/*"))]
        self._text = text
        self._texts = [m[0] for m in found]
        self._starts = [m.start() for m in found]
        self._lines = [0, *(m.end() for m in re.finditer(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]", text))]

    def expression(self, line: int, column: int) -> SourceExpression | None:
        at = self._index(line, column)
        if at is None:
            return None
        first, last, operator = self._extent(at)
        enclosing = self._enclosing_subscript(first)
        element = row = array = ""
        if enclosing is not None:
            start, end = self._chain_start(enclosing - 1), self._matching(enclosing)
            row, element = self._slice(start, end), self._slice(start, self._chain_end(end))
            array = self._slice(start, self._first_subscript(start) - 1)
        before = self._texts[first - 1] if first else ""
        after = self._texts[last + 1] if last + 1 < len(self._texts) else ""
        return SourceExpression(
            self._slice(first, last),
            operator,
            self._slice(first, at - 1) if first < at else "",
            self._slice(at + 1, last) if at < last else "",
            element,
            row,
            array,
            before in ASSIGNMENTS and after in (";", ",", ")"),
        )

    def _index(self, line: int, column: int) -> int | None:
        if not 1 <= line <= len(self._lines):
            return None
        offset = self._lines[line - 1] + column - 1
        at = bisect_right(self._starts, offset) - 1
        return at if at >= 0 and self._starts[at] == offset else None

    def _slice(self, first: int, last: int) -> str:
        """Return the text from one token to another, on one line."""
        if not 0 <= first <= last < len(self._texts):
            return ""
        return " ".join(self._text[self._starts[first] : self._starts[last] + len(self._texts[last])].split())

    # ---- extents

    def _extent(self, at: int) -> tuple[int, int, str]:
        """Return the first and last token of the expression of a token, and the token if it is an operator."""
        token = self._texts[at]
        if token in _STEPS:
            if self._ends_operand(at - 1):
                return self._chain_start(at - 1), at, token
            return at, self._operand_end(at + 1), token
        if token == "[":
            return self._chain_start(at - 1), self._chain_end(self._matching(at)), token
        if token in _PRECEDENCE and self._ends_operand(at - 1):
            level = _PRECEDENCE[token]
            return self._left_end(at, level), self._right_end(at, level), token
        if token in _PRECEDENCE or token in ("!", "~"):  # a prefix
            return at, self._operand_end(at + 1), token
        return self._chain_start(at), self._chain_end(at), ""

    def _left_end(self, at: int, level: int) -> int:
        """Return the first token of the left operand of an operator."""
        first = at
        while first > 0:
            token = self._texts[first - 1]
            if token in BRACKETS or token in _ENDS or token == "}" or self._ends_header(first - 1):
                break
            if token in OPENINGS:
                first = self._matching(first - 1)
                continue
            binary = token in _PRECEDENCE and self._ends_operand(first - 2)
            if binary and (_PRECEDENCE[token] < level or level < 0):
                break
            first -= 1
        return self._after_declaration(first, at)

    def _after_declaration(self, first: int, at: int) -> int:
        """Leave the type out of a declaration: of ``int i = 0`` the name stays."""
        if self._texts[at] != "=":
            return first
        while first + 1 < at and self._is_name(first) and (self._is_name(first + 1) or self._texts[first + 1] == "*"):
            first += 2 if self._texts[first + 1] == "*" else 1
        return first

    def _right_end(self, at: int, level: int) -> int:
        """Return the last token of the right operand of an operator."""
        last = at
        while last + 1 < len(self._texts):
            token = self._texts[last + 1]
            if token in BRACKETS and token != "{":
                last = self._matching(last + 1)
                continue
            if token in OPENINGS or token in _ENDS or token == "{":
                break
            binary = token in _PRECEDENCE and self._ends_operand(last)
            if binary and level > 0 and _PRECEDENCE[token] <= level:
                break
            last += 1
        return last

    def _operand_end(self, at: int) -> int:
        while at < len(self._texts) - 1 and not (self._is_name(at) or self._is_number(at) or self._texts[at] == "("):
            at += 1
        at = min(at, len(self._texts) - 1)
        return self._chain_end(self._matching(at) if self._texts[at] == "(" else at)

    def _chain_start(self, at: int) -> int:
        """Return the first token of a name with subscripts, members and calls that ends here."""
        while at > 0:
            token = self._texts[at]
            if token in ("]", ")"):
                at = self._matching(at)
                if not self._ends_operand(at - 1):  # a parenthesis, not a call
                    return at
                at -= 1
            elif self._texts[at - 1] in (".", "->", "::"):
                at -= 2
            else:
                return at
        return max(at, 0)

    def _chain_end(self, at: int) -> int:
        """Return the last token of a name with subscripts, members and calls of which this is a part."""
        while at + 1 < len(self._texts):
            token = self._texts[at + 1]
            if token == "[" or (token == "(" and self._is_name(at)):
                at = self._matching(at + 1)
            elif token in (".", "->", "::"):
                at += 2
            else:
                break
        return min(at, len(self._texts) - 1)

    def _first_subscript(self, start: int) -> int:
        return next(k for k in range(start, len(self._texts)) if self._texts[k] == "[")

    def _enclosing_subscript(self, first: int) -> int | None:
        """Return the bracket of the innermost subscript around an expression."""
        at = first - 1
        while at >= 0:
            token = self._texts[at]
            if token in OPENINGS:
                at = self._matching(at)
            elif token == "[":
                return at if self._ends_operand(at - 1) else None
            elif token in (";", "{"):
                return None
            at -= 1
        return None

    def _matching(self, at: int) -> int:
        """Return the bracket that belongs to this one; the end of the text where none does."""
        token = self._texts[at]
        step, other = (1, BRACKETS[token]) if token in BRACKETS else (-1, OPENINGS[token])
        depth, k = 0, at
        while 0 <= k < len(self._texts):
            depth += (self._texts[k] == token) - (self._texts[k] == other)
            if depth == 0:
                return k
            k += step
        return len(self._texts) - 1 if step > 0 else 0

    # ---- tokens

    def _ends_operand(self, at: int) -> bool:
        if at < 0:
            return False
        if self._texts[at] == ")":
            return not self._ends_header(at)
        return self._is_name(at) or self._is_number(at) or self._texts[at] in ("]", *_STEPS)

    def _ends_header(self, at: int) -> bool:
        """Return whether a token is the parenthesis after the condition of an ``if`` or a loop."""
        if self._texts[at] != ")":
            return False
        before = self._matching(at) - 1
        return before >= 0 and self._texts[before] in _HEADERS

    def _is_name(self, at: int) -> bool:
        token = self._texts[at]
        return (token[0].isalpha() or token[0] == "_") and token not in _ENDS

    def _is_number(self, at: int) -> bool:
        return self._texts[at].lstrip(".")[:1].isdigit() or self._texts[at][0] in "\"'"
