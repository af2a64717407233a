"""List the operators and brackets of C that several readers of source text ask for (C11, 6.4.6 and 6.5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

BRACKETS = {"(": ")", "[": "]", "{": "}"}  # the closing bracket of each opening one
OPENINGS = {closing: opening for opening, closing in BRACKETS.items()}
ANGLE_DEPTH = {
    "<": 1,
    ">": -1,
    ">>": -2,
}  # by how many lists of template arguments a token is deeper than the one before
CLOSING_ANGLES = (">", ">>", ">=", ">>=")  # tokens that begin with the end of such a list

ASSIGNMENTS = frozenset(("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="))
COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))
# Binary operators by how tightly they bind.
PRECEDENCE = {
    "||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7, "<=>": 8,
    "<<": 9, ">>": 9, "+": 10, "-": 10, "*": 11, "/": 11, "%": 11,
}  # fmt: skip


class HasText(Protocol):
    """Describe what has a text: a token, or a word of a text."""

    @property
    def text(self) -> str: ...


def closing(tokens: Sequence[HasText], opening: int) -> int:
    """Return the index of the bracket that closes the one at ``opening``; the last index where none does."""
    depth = 0
    for k in range(opening, len(tokens)):
        depth += (tokens[k].text in BRACKETS) - (tokens[k].text in OPENINGS)
        if depth == 0:
            return k
    return len(tokens) - 1
