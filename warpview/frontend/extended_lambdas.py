"""Find the lambdas that host code passes to kernels, ``[=] __device__ (int i) { ... }``, and write each as a struct.

A kernel that takes a lambda is a template of its type, which has no name: as nvcc does, host and device are given a
struct with a name in its place, whose members are what the lambda captures. Its template arguments are their types,
which only the host's compiler knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from warpview.diagnostics import SourceText, Span
from warpview.frontend.preprocess.operators import BRACKETS, OPENINGS, closing
from warpview.frontend.preprocess.tokens import Token, TokenKind, tokenize

MARKS = frozenset({"__device__", "__host__"})
_NO_TYPES = frozenset({"return", "else", "case", "goto", "delete", "do", "new", "throw", "sizeof"})
_BEHIND_NAME = frozenset({"=", ";", ",", ")", "[", "(", "{", ":"})


@dataclass(frozen=True)
class ExtendedLambda:
    """Hold a lambda by its tokens: its place among those of the file, what it captures, each with the expression that
    it is initialised with, and its parts."""

    first: int
    last: int
    declaration: int  # the first token of the function that it stands in
    captures: tuple[tuple[str, Sequence[Token]], ...]
    parameters: Sequence[Token]
    result: Sequence[Token]
    body: Sequence[Token]
    is_mutable: bool
    name: str

    @property
    def head(self) -> str:
        """Return the struct up to its function's parameters."""
        types = ", ".join(f"typename WvType{k}" for k in range(len(self.captures)))
        members = " ".join(f"WvType{k} {name};" for k, (name, _) in enumerate(self.captures))
        template = f"template <{types}> " if types else ""
        return f"{template}struct {self.name} {{ {members} __device__ auto operator()"

    @property
    def qualifiers(self) -> str:
        return "" if self.is_mutable else "const"


def code_tokens(text: str) -> list[Token]:
    """Return the tokens of a file before preprocessing, without directives."""
    found, in_directive = [], False
    for token in tokenize(SourceText("", text)):
        if token.starts_line:
            in_directive = token.text == "#"
        if not in_directive and token.kind is not TokenKind.END:
            found.append(token)
    return found


def extended_lambdas(tokens: Sequence[Token], macros: frozenset[str] = frozenset()) -> list[ExtendedLambda]:
    """Return the lambdas for the device that launches are passed, or functions of the file with launches in them,
    directly or by the name of a variable. Names of ``macros`` are not captured."""
    starts = [k for k, token in enumerate(tokens) if token.text == "<<<"]
    if not starts:
        return []
    begins = _function_begins(tokens)
    launchers = {_function(tokens, begins[k], k) for k in starts} | set(_launching_lambdas(tokens, starts))
    calls = [k + 1 for k, token in enumerate(tokens[:-1]) if token.text in launchers and tokens[k + 1].text == "("]
    ranges = [_arguments(tokens, k) for k in starts] + [(k, closing(tokens, k)) for k in calls]
    launched = {k for found in ranges if found is not None for k in range(*found)}
    passed = {tokens[k].text for k in launched if tokens[k].kind is TokenKind.NAME}
    found = []
    for k, token in enumerate(tokens):
        if token.text != "[" or (k and (tokens[k - 1].kind is TokenKind.NAME or tokens[k - 1].text in ("]", ")"))):
            continue
        named = tokens[k - 2].text if k > 1 and tokens[k - 1].text == "=" else ""
        if named in passed or k in launched:
            read = _lambda(tokens, k, begins[k], macros)
            found += [] if read is None else [read]
    return found


def _arguments(tokens: Sequence[Token], at: int) -> tuple[int, int] | None:
    """Return the range of the arguments of the launch whose ``<<<`` is ``at`` a place."""
    depth = 0
    for k in range(at + 1, len(tokens) - 1):
        text = tokens[k].text
        depth += (text in BRACKETS) - (text in OPENINGS)
        if depth == 0 and text == ">" and tokens[k - 1].text == ">>" and tokens[k + 1].text == "(":
            return k + 1, closing(tokens, k + 1)
        if depth < 0 or text == ";":
            return None
    return None


def _function(tokens: Sequence[Token], start: int, at: int) -> str:
    """Return the name of the function that begins at ``start`` and holds a place."""
    opening = next((k for k in range(start + 1, at) if tokens[k].text == "("), start)
    return tokens[opening - 1].text if opening > start else ""


def _launching_lambdas(tokens: Sequence[Token], starts: Sequence[int]) -> Iterator[str]:
    """Yield the name of each variable that holds a lambda of the host with a launch in it."""
    for k in range(2, len(tokens)):
        if tokens[k].text != "[" or tokens[k - 1].text != "=" or tokens[k - 2].kind is not TokenKind.NAME:
            continue
        body = next((n for n in range(closing(tokens, k), len(tokens)) if tokens[n].text in ("{", ";")), k)
        if tokens[body].text == "{" and any(body < start < closing(tokens, body) for start in starts):
            yield tokens[k - 2].text


def _lambda(
    tokens: Sequence[Token], first: int, declaration: int, macros: frozenset[str]
) -> ExtendedLambda | None:  # fmt: skip
    """Return the lambda that begins at a '[', in the function that begins at ``declaration``; None where it is not for
    the device, or captures by reference."""
    listed = closing(tokens, first)
    k, marks = listed + 1, set[str]()
    while k < len(tokens) and tokens[k].text in MARKS:
        marks.add(tokens[k].text)
        k += 1
    if "__device__" not in marks:
        return None
    parameters: Sequence[Token] = []
    if tokens[k].text == "(":
        end = closing(tokens, k)
        parameters, k = tokens[k + 1 : end], end + 1
    is_mutable = tokens[k].text == "mutable"
    k += is_mutable
    result: Sequence[Token] = []
    if tokens[k].text == "->":
        start = k + 1
        while tokens[k].text != "{":
            k += 1
        result = tokens[start:k]
    if tokens[k].text != "{":
        return None
    last = closing(tokens, k)
    body = tokens[k : last + 1]
    captures = _captures(tokens[first + 1 : listed], tokens[declaration:first], [*parameters, *body], macros)
    if captures is None:
        return None
    place = tokens[first].span
    name = f"wv_lambda_{place.line}_{place.column}"
    return ExtendedLambda(first, last, declaration, captures, parameters, result, body, is_mutable, name)


def _function_begins(tokens: Sequence[Token]) -> list[int]:
    """Return for each place where the function that holds it begins."""
    begins, start, depth = [], 0, 0
    for k, token in enumerate(tokens):
        begins.append(start)
        text = token.text
        if text == "{" and not (depth == 0 and _opens_namespace(tokens, k)):
            depth += 1
        elif text == "}" and depth:
            depth -= 1
        if depth == 0 and (text in (";", "}") or (text == "{" and _opens_namespace(tokens, k))):
            start = k + 1
    return begins


def _opens_namespace(tokens: Sequence[Token], at: int) -> bool:
    before = [token.text for token in tokens[max(0, at - 2) : at]]
    return "namespace" in before or before == ["extern", '"C"']


def _captures(
    listed: Sequence[Token], before: Sequence[Token], inside: Sequence[Token], macros: frozenset[str]
) -> tuple[tuple[str, Sequence[Token]], ...] | None:
    """Return what a lambda captures; None where that is by reference, or the object of a function."""
    found: dict[str, Sequence[Token]] = {}
    for part in _split(listed):
        texts = [token.text for token in part]
        if "&" in texts[:1] or "this" in texts or "*" in texts[:1]:
            return None
        if texts == ["="]:
            found |= {name: [] for name in _used(inside, before, macros)}
        elif texts:
            found[texts[0]] = part[2:] if texts[1:2] == ["="] else []
    return tuple(found.items())


def _split(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    depth, start = 0, 0
    for k, token in enumerate(tokens):
        depth += (token.text in BRACKETS) - (token.text in OPENINGS)
        if depth == 0 and token.text == ",":
            yield tokens[start:k]
            start = k + 1
    yield tokens[start:]


def _used(inside: Sequence[Token], before: Sequence[Token], macros: frozenset[str]) -> Iterator[str]:
    """Yield the names that a lambda uses of variables that are declared before it."""
    own, outside = _declared(inside), _declared(before)
    for k, token in enumerate(inside):
        is_member = k > 0 and inside[k - 1].text in (".", "->", "::")
        if token.kind is TokenKind.NAME and not is_member and token.text in outside - own - macros:
            yield token.text


def _declared(tokens: Sequence[Token]) -> set[str]:
    """Return the names that stand where a declaration has the name of a variable."""
    found = set()
    for k in range(1, len(tokens)):
        token, last = tokens[k], tokens[k - 1]
        behind = tokens[k + 1].text if k + 1 < len(tokens) else ";"
        is_typed = last.text in ("*", "&", ">", ",") or (last.kind is TokenKind.NAME and last.text not in _NO_TYPES)
        if token.kind is TokenKind.NAME and is_typed and behind in _BEHIND_NAME:
            found.add(token.text)
    return found


def structs(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens of the structs that stand for a file's extended lambdas, for our own parser. Those of a lambda
    keep their places."""
    found: list[Token] = []
    for one in extended_lambdas(tokens):
        place = tokens[one.first].span

        found += [*_made(f"{one.head}(", place), *one.parameters, *_made(f") {one.qualifiers}", place)]
        found += [*(_made("->", place) if one.result else []), *one.result, *one.body, *_made("};", place)]
    return found


def _made(text: str, place: Span) -> list[Token]:
    return [replace(token, span=place) for token in code_tokens(text)]


def struct_texts(text: str, macros: frozenset[str]) -> str:
    """Return the structs that stand for a file's extended lambdas as text, for another compiler."""
    tokens = code_tokens(text)
    starts = [0]
    for content in text.split("\n"):
        starts.append(starts[-1] + len(content) + 1)
    found = []
    for one in extended_lambdas(tokens, macros):
        result = f" -> {written(text, starts, one.result)}" if one.result else ""
        declared = f"{one.head}({written(text, starts, one.parameters)}) {one.qualifiers}{result}"
        line = tokens[one.first].span.line
        found.append(f"\n#line {line}\n{declared} {written(text, starts, one.body)} }};")
    return "".join(found)


def written(text: str, starts: Sequence[int], part: Sequence[Token]) -> str:
    """Return tokens as they are written."""
    return text[offset_of(starts, part[0]) : offset_of(starts, part[-1]) + len(part[-1].text)] if part else ""


def offset_of(starts: Sequence[int], token: Token) -> int:
    """Return where a token begins in a text whose lines begin at ``starts``."""
    return starts[token.span.line - 1] + token.span.column - 1


def macros_of(text: str) -> frozenset[str]:
    """Return the names that a file defines as macros."""
    tokens = tokenize(SourceText("", text))
    return frozenset(
        name.text
        for hash_, define, name in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if (hash_.text, define.text) == ("#", "define")
    )
