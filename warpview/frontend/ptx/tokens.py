"""Split PTX into tokens, and read them one after the other."""

from __future__ import annotations

import re
from typing import NoReturn

from warpview.diagnostics import CompileError, Diagnostic, Refusal, SourceText, Span

_TOKEN = re.compile(
    r"""(?P<space>[ \t\r]+|//[^\n]*|/\*.*?\*/)|(?P<line>\n)|(?P<string>"[^"\n]*")
    |(?P<number>0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}|0[xX][0-9a-fA-F]+U?
        |\d+\.\d*(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\d+U?)
    |(?P<word>%?[$_.A-Za-z](?:[\w$.]|::)*|%\d+[\w.]*)|(?P<mark>[{}()\[\],;:+<>=@!|-])|(?P<bad>.)""",
    re.VERBOSE | re.DOTALL,
)


class PtxToken:
    """Hold a token: its kind, its text, its line and column."""

    __slots__ = ("column", "kind", "line", "text")

    def __init__(self, kind: str, text: str, line: int, column: int) -> None:
        self.kind, self.text, self.line, self.column = kind, text, line, column


def _tokens(source: SourceText) -> list[PtxToken]:
    found, line, start = [], 1, 0
    for match in _TOKEN.finditer(source.text):
        kind = match.lastgroup or "bad"
        if kind == "line":
            line, start = line + 1, match.end()
        elif kind == "space":
            breaks = match[0].count("\n")
            if breaks:
                line, start = line + breaks, match.start() + match[0].rindex("\n") + 1
        else:
            found.append(PtxToken(kind, match[0], line, match.start() - start + 1))
    found.append(PtxToken("end", "", line, 1))
    return found


class PtxTokens:
    """Read the tokens of a source."""

    def __init__(self, source: SourceText) -> None:
        self.source = source
        self.tokens, self.at = _tokens(source), 0

    @property
    def token(self) -> PtxToken:
        return self.tokens[self.at]

    def advance(self) -> PtxToken:
        token = self.token
        self.at = min(self.at + 1, len(self.tokens) - 1)
        return token

    def accept(self, text: str) -> bool:
        if self.token.text != text or self.token.kind in ("string", "end"):
            return False
        self.advance()
        return True

    def expect(self, text: str) -> PtxToken:
        if self.token.text != text:
            self.fail(f"'{text}' is expected, not '{self.token.text or 'the end of the file'}'")
        return self.advance()

    def span(self, token: PtxToken | None = None) -> Span:
        token = token or self.token
        return Span(self.source, token.line, token.column, max(1, len(token.text)))

    def fail(self, message: str, span: Span | None = None, refusal: Refusal | None = None) -> NoReturn:
        raise CompileError([Diagnostic(message, span or self.span(), refusal=refusal)])

    def skip_line(self) -> None:
        line = self.token.line
        while self.token.line == line and self.token.kind != "end":
            self.advance()

    def number(self) -> int:
        negative = self.accept("-")
        token = self.advance()
        if token.kind != "number":
            self.fail(f"a number is expected, not '{token.text}'", self.span(token))
        text = token.text.rstrip("U")
        try:
            value = int(text, 8) if text.isdigit() and text.startswith("0") else int(text, 0)
        except ValueError:
            self.fail(f"'{text[:40]}' is not a number", self.span(token))
        return -value if negative else value
