"""Split CUDA C into tokens, each with its place in the text that the user wrote."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum
from typing import NoReturn

from warpview.diagnostics import CompileError, Diagnostic, Refusal, SourceText, Span
from warpview.frontend.interruption import checkpoint


class TokenKind(Enum):
    NAME = "name"
    NUMBER = "number"
    CHAR = "character"
    STRING = "string"
    PUNCT = "punctuation"
    PRAGMA = "pragma"
    BAD = "stray character"
    END = "end of file"


@dataclass(frozen=True, slots=True)
class Token:
    """Represent a token: ``starts_line`` and ``spaced`` say what white space came before; ``hidden`` names macros not
    to expand again."""

    kind: TokenKind
    text: str
    span: Span
    starts_line: bool = False
    spaced: bool = False
    hidden: frozenset[str] = field(default=frozenset(), repr=False)

    def __str__(self) -> str:
        return "the end of the file" if self.kind is TokenKind.END else f"'{self.text}'"


# Longest first. '>>' and '>=' may be split again where they close a template argument list.
PUNCTUATORS = (
    "<<<", "...", "<<=", ">>=", "->*", "<=>",
    "##", "<<", ">>", "->", "++", "--", "&&", "||", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "&=",
    "|=", "^=", "::", ".*",
    *"+-*/%&|^~!<>=?:;,.(){}[]#",
)  # fmt: skip

_PATTERN = re.compile(
    r"""
    (?P<newline>\n)
  | (?P<space>(?:[ \t\r\f\v]|\\\r?\n)+)
  | (?P<comment>//(?:[^\n\\]|\\(?:\r?\n)?)*|/\*.*?\*/)
  | (?P<unclosed>/\*)
  | (?P<raw>(?:u8|[uUL])?R"(?P<tag>[^()\\\s"]{0,16})\(.*?\)(?P=tag)")
  | (?P<string>(?:u8|[uUL])?"(?:[^"\\\n]|\\(?:.|\n))*")
  | (?P<char>(?:u8|[uUL])?'(?:[^'\\\n]|\\(?:.|\n))*')
  | (?P<number>\.?[0-9](?:[eEpP][+-]|'(?=[0-9a-zA-Z])|[0-9a-zA-Z_.])*)
  | (?P<name>[A-Za-z_$][A-Za-z0-9_$]*)
  | (?P<punct>"""
    + "|".join(re.escape(p) for p in PUNCTUATORS)
    + r""")
  | (?P<bad>.)
    """,
    re.VERBOSE | re.DOTALL,
)

_KINDS = {
    "raw": TokenKind.STRING,
    "string": TokenKind.STRING,
    "char": TokenKind.CHAR,
    "number": TokenKind.NUMBER,
    "name": TokenKind.NAME,
    "punct": TokenKind.PUNCT,
    "bad": TokenKind.BAD,
}


# The words that C++ has for operators (C++17, 5.5).
_OPERATOR_WORDS = {
    "and": "&&", "or": "||", "not": "!", "bitand": "&", "bitor": "|", "xor": "^", "compl": "~",
    "and_eq": "&=", "or_eq": "|=", "xor_eq": "^=", "not_eq": "!=",
}  # fmt: skip


def fail(message: str, span: Span | None, hint: str = "") -> NoReturn:
    """Stop compiling with one sentence about one place."""
    raise CompileError([Diagnostic(message, span, hint=hint)])


def refuse(message: str, span: Span | None, refusal: Refusal = Refusal.FRONT_END) -> NoReturn:
    """Stop compiling at a construct of CUDA that is not supported."""
    raise CompileError([Diagnostic(message, span, refusal=refusal)])


def tokenize(source: SourceText) -> list[Token]:
    """Return the tokens of a text without comments, before preprocessing, closed by an END token."""
    tokens: list[Token] = []
    line, line_start = 1, 0
    begin = 1 if source.text.startswith("\ufeff") else 0  # a byte-order mark says how the file is encoded, no more
    starts_line, spaced = True, False
    for match in _PATTERN.finditer(source.text, begin):
        checkpoint()
        group, text = match.lastgroup, match.group()
        if group == "tag":  # the innermost named group of a raw string
            group = "raw"
        span = Span(source, line, match.start() - line_start + 1, max(1, len(text.split("\n", 1)[0])))
        if group in ("newline", "space", "comment"):
            starts_line = starts_line or group == "newline"
            spaced = True
        elif group == "unclosed":
            fail("this comment is never closed", span, "close it with */")
        else:
            assert group is not None
            operator = _OPERATOR_WORDS.get(text)
            kind = TokenKind.PUNCT if operator else _KINDS[group]
            tokens.append(Token(kind, operator or text, span, starts_line, spaced))
            starts_line = spaced = False
        newlines = text.count("\n")
        if newlines:
            line += newlines
            line_start = match.start() + text.rindex("\n") + 1
    end = Span(source, line, len(source.text) - line_start + 1)
    return [*tokens, Token(TokenKind.END, "", end, True, True)]
