"""Follow ``#pragma pack``: the greatest alignment that members of the structs behind it have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from warpview.frontend.parse.words import TAG_WORDS
from warpview.frontend.preprocess.tokens import Token, TokenKind, fail

_ALIGNMENTS = ("1", "2", "4", "8", "16")


@dataclass(frozen=True, slots=True)
class PackedTag(Token):
    """Represent the word ``struct``, ``class`` or ``union`` where members are aligned to ``packing`` bytes at most."""

    packing: int = 0


def with_packing(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens without ``#pragma pack``, and with a PackedTag for each struct that it concerns.

    Raises CompileError where one takes no such argument.
    """
    if not any(_begins(token) for token in tokens):
        return list(tokens)
    found: list[Token] = []
    packing, outer = 0, list[int]()
    position = 0
    while position < len(tokens):
        token = tokens[position]
        position += 1
        if _begins(token):
            words = _arguments(tokens, position)
            position += len(words)
            packing = _next(token, [word.text for word in words if word.text not in "(),"], packing, outer)
        elif packing and token.text in TAG_WORDS:
            found.append(PackedTag(token.kind, token.text, token.span, packing=packing))
        else:
            found.append(token)
    return found


def _begins(token: Token) -> bool:
    return token.kind is TokenKind.PRAGMA and token.text == "pack"


def _arguments(tokens: Sequence[Token], start: int) -> Sequence[Token]:
    """Return the parenthesis behind the pragma, which has no other in it."""
    if tokens[start].text != "(":
        return ()
    end = next((k for k in range(start, len(tokens)) if tokens[k].text == ")"), len(tokens) - 1)
    return tokens[start : end + 1]


def _next(pragma: Token, words: list[str], packing: int, outer: list[int]) -> int:
    """Return the packing behind ``pack(n)``, ``pack(push[, n])``, ``pack(pop)`` or ``pack()``; 0 is that of types."""
    number = next((word for word in words if word.isdecimal()), None)
    if number is not None and number not in _ALIGNMENTS:
        fail("#pragma pack takes 1, 2, 4, 8 or 16", pragma.span)
    if "push" in words:
        outer.append(packing)
    elif "pop" in words:
        return outer.pop() if outer else 0
    elif number is None:
        return 0
    return packing if number is None else int(number)
