"""Move attributes from behind a struct's brace to before its name, where NVRTC heeds them as nvcc does in both places.

Behind the brace NVRTC ignores ``packed`` and ``aligned``: the members would lie elsewhere in its machine code than
where the caller of the kernel puts them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate

from warpview.diagnostics import SourceText
from warpview.frontend.preprocess.tokens import Token, tokenize

_ATTRIBUTES = ("__attribute__", "__align__")
_HEADS = ("struct", "class", "union")
_MACRO = re.compile(rf"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+(?:{'|'.join(_ATTRIBUTES)})\b", re.MULTILINE)


def with_attributes_in_front(text: str) -> str:
    """Return a text of CUDA C++ with the attributes of each struct before its name; every line stays where it is."""
    if not any(name in text for name in _ATTRIBUTES):
        return text
    lines = text.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    tokens = tokenize(SourceText("", text))
    changes = []
    for head, first, last in _structs_with_attributes(tokens, frozenset(_MACRO.findall(text))):
        begin, end = (starts[t.span.line - 1] + t.span.column - 1 for t in (first, last))
        end += last.span.length
        moved = text[begin:end]
        front = starts[head.span.line - 1] + head.span.column - 1 + head.span.length
        changes += [(front, front, " " + " ".join(moved.split())), (begin, end, re.sub(r"[^\n]", " ", moved))]
    for begin, end, instead in sorted(changes, reverse=True):
        text = text[:begin] + instead + text[end:]
    return text


def _structs_with_attributes(tokens: Sequence[Token], macros: frozenset[str]) -> Iterator[tuple[Token, Token, Token]]:
    """Yield the word ``struct`` of each that has attributes behind its brace, with the first and last token of them."""
    head: Token | None = None  # of a struct whose brace has not opened yet
    open_heads: list[Token | None] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.text in _HEADS and tokens[at - 1].text != "enum":
            head = token
        elif token.text in (*_ATTRIBUTES, "alignas", "__declspec") and tokens[at + 1].text == "(":
            at = _closing(tokens, at + 1)
        elif token.text in ("(", ";", "="):
            head = None
        elif token.text == "{":
            open_heads.append(head)
            head = None
        elif token.text == "}" and open_heads:
            opened, behind = open_heads.pop(), _behind(tokens, at, macros)
            if opened is not None and behind > at:
                yield opened, tokens[at + 1], tokens[behind]
            at = behind
        at += 1


def _behind(tokens: Sequence[Token], at: int, macros: frozenset[str]) -> int:
    """Return the number of the last token of the attributes behind a brace, or the brace's own."""
    while True:
        name = tokens[at + 1].text if at + 1 < len(tokens) else ""
        if name in macros:
            at += 1
        elif name in _ATTRIBUTES and tokens[at + 2].text == "(":
            at = _closing(tokens, at + 2)
        else:
            return at


def _closing(tokens: Sequence[Token], at: int) -> int:
    """Return the number of the token that closes the bracket opened at a token, or of the last one."""
    depth = 0
    for number in range(at, len(tokens)):
        depth += {"(": 1, ")": -1}.get(tokens[number].text, 0)
        if not depth:
            return number
    return len(tokens) - 1
