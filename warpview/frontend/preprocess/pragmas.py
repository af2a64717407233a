"""Pass on what ``#pragma`` and ``_Pragma`` say about loops, and about the alignment of members."""

from __future__ import annotations

import ast

from warpview.diagnostics import SourceText
from warpview.frontend.preprocess.macros import Expander
from warpview.frontend.preprocess.tokens import Token, TokenKind, fail, tokenize

OPERATOR = "_Pragma"


def pragma(place: Token, words: list[Token], expander: Expander) -> list[Token]:
    """Return what the parser is given of a pragma: one PRAGMA token for one that unrolls a loop or keeps it from that,
    followed by its argument in parentheses; the same for one that packs structs; nothing for any other."""
    if not words or words[0].text not in ("unroll", "nounroll", "pack"):
        return []
    return [Token(TokenKind.PRAGMA, words[0].text, place.span, True, True), *_argument(words, expander)]


def _argument(words: list[Token], expander: Expander) -> list[Token]:
    argument = expander.expand(words[1:])
    place = words[0].span
    if argument and argument[0].text != "(":
        opening = Token(TokenKind.PUNCT, "(", place)
        return [opening, *argument, Token(TokenKind.PUNCT, ")", place)]
    return argument


def with_operators(tokens: list[Token], expander: Expander) -> list[Token]:
    """Return expanded tokens with each ``_Pragma("words")`` as the pragma that it stands for."""
    if not any(token.text == OPERATOR for token in tokens):
        return tokens
    result: list[Token] = []
    position = 0
    while position < len(tokens):
        token = tokens[position]
        if token.text != OPERATOR or token.kind is not TokenKind.NAME:
            result.append(token)
            position += 1
            continue
        opening, text, closing = (t.text for t in (tokens[position + 1 : position + 4] + [token] * 3)[:3])
        if (opening, text[:1], closing) != ("(", '"', ")"):
            fail("_Pragma takes a string in parentheses", token.span)
        words = tokenize(SourceText("<pragma>", ast.literal_eval(text)))[:-1]
        result += pragma(token, [Token(t.kind, t.text, token.span) for t in words], expander)
        position += 4
    return result
