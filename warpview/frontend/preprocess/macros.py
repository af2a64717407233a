"""Expand macros: definitions, invocation, substitution with # and ##."""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from warpview.diagnostics import SourceText, Span
from warpview.frontend.interruption import checkpoint
from warpview.frontend.preprocess.tokens import Token, TokenKind, fail, tokenize

MAX_EXPANSIONS = 50_000  # tokens produced by macros in one file; more is a macro that doubles itself


@dataclass(frozen=True)
class Macro:
    """Represent a macro; ``parameters`` is None for an object-like one; ``rest`` is how the body calls the arguments
    that ``...`` takes (``args...`` gives them a name, as GNU's compilers have it)."""

    name: str
    body: tuple[Token, ...]
    parameters: tuple[str, ...] | None = None
    variadic: bool = False
    rest: str = "__VA_ARGS__"

    @cached_property
    def index(self) -> dict[str, int]:
        """Return parameter name -> position, the variable part last."""
        names = (*(self.parameters or ()), *((self.rest,) if self.variadic else ()))
        return {name: i for i, name in enumerate(names)}

    def is_variable_part(self, name: str) -> bool:
        """Return whether a word of the body stands for the arguments that ``...`` takes."""
        return self.variadic and self.index.get(name) == len(self.parameters or ())


def macro_from_text(name: str, value: object) -> Macro:
    """Return a macro given from outside (``-D name=value``)."""
    text = {True: "1", False: "0"}.get(value, str(value)) if isinstance(value, bool) else str(value)
    return Macro(name, tuple(tokenize(SourceText(f"<define {name}>", text))[:-1]))


def parse_macro(line: list[Token]) -> Macro:
    """Return the macro of ``#define`` whose tokens after the directive are ``line``."""
    name, rest = line[0], line[1:]
    if name.kind is not TokenKind.NAME:
        fail(f"#define needs a name, not {name}", name.span)
    if not rest or rest[0].text != "(" or rest[0].spaced:
        return Macro(name.text, tuple(rest))
    parameters: list[str] = []
    variadic, variable_part = False, "__VA_ARGS__"
    position = 1
    while position < len(rest) and rest[position].text != ")":
        token = rest[position]
        if token.text == "...":
            variadic = True
            if rest[position - 1].kind is TokenKind.NAME:
                variable_part = parameters.pop()
        elif token.kind is TokenKind.NAME:
            parameters.append(token.text)
        elif token.text != ",":
            fail(f"{token} is not allowed in the parameter list of a macro", token.span)
        position += 1
    if position == len(rest):
        fail(f"the parameter list of macro '{name.text}' is never closed", name.span)
    return Macro(name.text, tuple(rest[position + 1 :]), tuple(parameters), variadic, variable_part)


class Expander:
    """Replace macros in a stream of tokens. Replaced tokens carry the place of the invocation."""

    def __init__(self, macros: Mapping[str, Macro]) -> None:
        self.macros = macros
        self.expansions = 0

    def expand(self, tokens: list[Token]) -> list[Token]:
        """Return all of ``tokens`` with macros replaced."""
        queue = deque(tokens)
        done: list[Token] = []
        while queue:
            checkpoint()
            token = queue.popleft()
            macro = self.macros.get(token.text) if token.kind is TokenKind.NAME else None
            if token.text in _PLACES and token.kind is TokenKind.NAME:
                done.append(_PLACES[token.text](token))
                continue
            if macro is None or token.text in token.hidden:
                done.append(token)
                continue
            arguments: list[list[Token]] = []
            if macro.parameters is not None:
                if not queue or queue[0].text != "(":
                    done.append(token)
                    continue
                arguments = self._arguments(macro, token, queue)
            produced = self._substitute(macro, token, arguments)
            self.expansions += len(produced) + 1
            if self.expansions > MAX_EXPANSIONS:
                fail(f"macro '{macro.name}' expands to more than {MAX_EXPANSIONS} tokens", token.span)
            queue.extendleft(reversed(produced))
        return done

    def is_open(self, tokens: Sequence[Token]) -> bool:
        """Return whether the tokens end among the arguments of an invocation."""
        depth = 0
        for token, following in pairwise(tokens):
            if depth:
                depth += (following.text == "(") - (following.text == ")")
            elif following.text == "(" and (macro := self.macros.get(token.text)):
                depth = int(macro.parameters is not None)
        return depth > 0

    def _arguments(self, macro: Macro, name: Token, queue: deque[Token]) -> list[list[Token]]:
        """Return the arguments of an invocation; takes them off ``queue`` with their parentheses."""
        assert macro.parameters is not None
        queue.popleft()
        fixed = len(macro.parameters)
        arguments: list[list[Token]] = [[]]
        depth = 0
        while True:
            if not queue or queue[0].kind is TokenKind.END:
                fail(f"the arguments of macro '{macro.name}' are never closed", name.span, "a ')' is missing")
            token = queue.popleft()
            if token.text == ")" and depth == 0:
                break
            depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
            if token.text == "," and depth == 0 and not (macro.variadic and len(arguments) > fixed):
                arguments.append([])
            else:
                arguments[-1].append(token)
        if arguments == [[]] and fixed == 0:
            arguments = []
        if macro.variadic and len(arguments) == fixed:
            arguments.append([])
        if len(arguments) != fixed + macro.variadic:
            fail(f"macro '{macro.name}' takes {fixed} arguments, {len(arguments)} given", name.span)
        return arguments

    def _substitute(self, macro: Macro, name: Token, arguments: list[list[Token]]) -> list[Token]:
        """Return the macro's body with its parameters replaced, placed at ``name``."""
        hidden = name.hidden | {macro.name}
        result: list[Token] = []
        expanded: dict[int, list[Token]] = {}
        body, position = _with_options(macro, arguments), 0
        while position < len(body):
            token = body[position]
            following = body[position + 1] if position + 1 < len(body) else None
            if token.text == "#" and macro.parameters is not None and following and following.text in macro.index:
                result.append(_stringized(arguments[macro.index[following.text]], name))
                position += 2
                continue
            if token.text == "##" and result and following:
                right = arguments[macro.index[following.text]] if following.text in macro.index else [following]
                if result[-1].text == "," and macro.is_variable_part(following.text):
                    result = result + right if right else result[:-1]  # GNU's comma goes with what follows
                else:
                    result = _pasted(result, right, name)
                position += 2
                continue
            which = macro.index.get(token.text)
            if which is None:
                result.append(_at(token, name.span))
            elif following and following.text == "##":
                result += arguments[which] or [Token(TokenKind.PUNCT, "", name.span)]
            else:
                if which not in expanded:
                    expanded[which] = self.expand(list(arguments[which]))
                result += expanded[which]
            position += 1
        result = [_hiding(token, hidden) for token in result if token.text]
        if result:
            result[0] = replace(result[0], starts_line=name.starts_line, spaced=name.spaced)
        return result


def _with_options(macro: Macro, arguments: list[list[Token]]) -> tuple[Token, ...]:
    """Return the body of a macro with what each ``__VA_OPT__(...)`` stands for: nothing where no argument is left for
    ``...``."""
    texts = [token.text for token in macro.body]
    if not macro.variadic or "__VA_OPT__" not in texts:
        return macro.body
    start = texts.index("__VA_OPT__")
    end, depth = start + 1, 0
    while end < len(texts):
        depth += (texts[end] == "(") - (texts[end] == ")")
        if depth == 0:
            break
        end += 1
    if end >= len(texts) or end == start + 1:
        fail("'__VA_OPT__' needs its text in parentheses", macro.body[start].span)
    option = macro.body[start + 2 : end] if arguments[-1] else ()
    return _with_options(replace(macro, body=(*macro.body[:start], *option, *macro.body[end + 1 :])), arguments)


def _line(token: Token) -> Token:
    return replace(token, kind=TokenKind.NUMBER, text=str(token.span.line))


def _file(token: Token) -> Token:
    return replace(token, kind=TokenKind.STRING, text=json.dumps(token.span.source.name))


def _date(token: Token) -> Token:
    return replace(token, kind=TokenKind.STRING, text=time.strftime('"%b %e %Y"'))


def _time(token: Token) -> Token:
    return replace(token, kind=TokenKind.STRING, text=time.strftime('"%H:%M:%S"'))


# names of the place and the time where they stand
_PLACES = {"__LINE__": _line, "__FILE__": _file, "__DATE__": _date, "__TIME__": _time}


def _at(token: Token, span: Span) -> Token:
    """Return a token at another place. A library header has ten thousand of them: ``replace`` takes three times as
    long."""
    return Token(token.kind, token.text, span, token.starts_line, token.spaced, token.hidden)


def _hiding(token: Token, hidden: frozenset[str]) -> Token:
    """Return the token as a macro produced it; only names are ever looked up as macros again."""
    is_name = token.kind is TokenKind.NAME
    if not (is_name or token.starts_line):
        return token
    kept = (token.hidden | hidden if token.hidden else hidden) if is_name else token.hidden
    return Token(token.kind, token.text, token.span, False, token.spaced, kept)


def _stringized(tokens: list[Token], place: Token) -> Token:
    text = "".join((" " if t.spaced and i else "") + t.text for i, t in enumerate(tokens))
    text = text.replace("\\", "\\\\").replace('"', '\\"')
    return Token(TokenKind.STRING, f'"{text}"', place.span, False, True)


def _pasted(left: list[Token], right: list[Token], place: Token) -> list[Token]:
    """Return ``left ## right``: the last token of one and the first of the other become one. An empty argument on
    the left is a token without text (a placemarker: C++17, 19.3.3)."""
    if not right:
        return left
    joined = tokenize(SourceText("<paste>", left[-1].text + right[0].text))[:-1]
    return left[:-1] + [replace(t, span=place.span, spaced=left[-1].spaced) for t in joined] + right[1:]
