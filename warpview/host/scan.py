"""Split a source file into tokens with their places as offsets, for rewriting the file as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from warpview.diagnostics import SourceText
from warpview.frontend.preprocess.operators import BRACKETS, OPENINGS, closing
from warpview.frontend.preprocess.tokens import TokenKind, tokenize


@dataclass(frozen=True, slots=True)
class Word:
    """Represent a token: its text, and where it begins and ends in the file."""

    text: str
    start: int
    end: int
    is_name: bool
    starts_line: bool


@dataclass(frozen=True)
class TokenSection:
    """Group words that are read together: those between directives, or those of one directive."""

    words: Sequence[Word]
    is_directive: bool


def words_of(source: SourceText) -> list[Word]:
    """Return the tokens of a file before preprocessing, without comments. Raises CompileError for an unclosed
    comment."""
    starts = [0]
    for line in source.text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    found = []
    for token in tokenize(source):
        if token.kind is not TokenKind.END:
            start = starts[token.span.line - 1] + token.span.column - 1
            is_name = token.kind is TokenKind.NAME
            found.append(Word(token.text, start, start + len(token.text), is_name, token.starts_line))
    return found


def sections_of(words: Sequence[Word]) -> list[TokenSection]:
    """Return the code of a file as one section, and every directive as one of its own."""
    code: list[Word] = []
    directives: list[TokenSection] = []
    current: list[Word] | None = None
    for word in words:
        if word.starts_line:
            current = [] if word.text == "#" else None
            if current is not None:
                directives.append(TokenSection(current, True))
        (code if current is None else current).append(word)
    return [TokenSection(code, False), *directives]


def opening(words: Sequence[Word], close: int) -> int:
    """Return the index of the bracket that the one at ``close`` closes; 0 where there is none."""
    depth = 0
    for k in range(close, -1, -1):
        depth += (words[k].text in OPENINGS) - (words[k].text in BRACKETS)
        if depth == 0:
            return k
    return 0


def closing_angle(words: Sequence[Word], start: int) -> int:
    """Return the index of the word that closes the '<' at ``start`` ('>>' closes two); the last index where none
    does."""
    depth = 0
    k = start
    while k < len(words):
        text = words[k].text
        if text in BRACKETS:
            k = closing(words, k)
        depth += (text == "<") - (text == ">") - 2 * (text == ">>")
        if depth <= 0 and text in ("<", ">", ">>"):
            return k
        k += 1
    return len(words) - 1


def opening_angle(words: Sequence[Word], close: int) -> int:
    """Return the index of the '<' that the '>' at ``close`` closes; -1 where there is none."""
    depth = 0
    k = close
    while k >= 0:
        text = words[k].text
        if text in OPENINGS:
            k = opening(words, k)
        elif text in (";", "{", "}"):
            return -1
        depth += (text == ">") + 2 * (text == ">>") - (text == "<")
        if depth == 0:
            return k
        k -= 1
    return -1


def split(words: Sequence[Word], separator: str = ",") -> Iterator[Sequence[Word]]:
    """Yield the parts between separators that stand in no brackets; those in '<...>' of a type count as brackets."""
    depth = begin = 0
    for k, word in enumerate(words):
        depth += (word.text in BRACKETS) - (word.text in OPENINGS)
        depth += (word.text == "<") - (word.text == ">") - 2 * (word.text == ">>")
        if word.text == separator and depth <= 0:
            yield words[begin:k]
            begin = k + 1
    if begin < len(words):
        yield words[begin:]
