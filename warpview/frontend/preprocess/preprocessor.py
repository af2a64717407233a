"""Preprocess a source text: directives, conditional sections, files beside the source."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from warpview.diagnostics import Diagnostic, SourceText, Span
from warpview.files import read_text
from warpview.frontend.interruption import MAX_SOURCE_BYTES
from warpview.frontend.preprocess.condition import condition_holds, is_defined
from warpview.frontend.preprocess.macros import Expander, Macro, macro_from_text, parse_macro
from warpview.frontend.preprocess.own_headers import own_header_of
from warpview.frontend.preprocess.pragmas import pragma, with_operators
from warpview.frontend.preprocess.preludes import (
    HEADERS,
    HEAP_SIZE_MACRO,
    REFERENCES,
    WIDE,
    preludes_for,
    with_marked_references,
    with_wide_integers,
)
from warpview.frontend.preprocess.system_headers import comes_with_the_compiler, is_system_header
from warpview.frontend.preprocess.tokens import Token, TokenKind, fail, tokenize

MAX_INCLUDE_DEPTH = 32
_HEADERS_PREFIX = f"{HEADERS}{os.sep}"
# What nvcc and the headers of its runtime define for code of host and device.
NVCC_MACROS = {
    "__CUDACC__": "1",
    "__NVCC__": "1",
    "__CUDACC_VER_MAJOR__": "13",
    "__CUDACC_VER_MINOR__": "0",
    "__CUDACC_VER_BUILD__": "88",
    "CUDART_VERSION": "13000",
    "CUDA_VERSION": "13000",
}
# What nvcc itself defines for device code, as far as kernels look at it.
COMPILER_MACROS = {
    **NVCC_MACROS,
    "__LP64__": "1",
    "_LP64": "1",
    "__CUDA_ARCH__": "900",
    "__cplusplus": "201703L",
    "NULL": "0",
    "__INT_MAX__": "2147483647",
    "__FLT_MAX__": "3.402823466e+38f",
    "__FLT_MIN__": "1.175494351e-38f",
    "__FLT_EPSILON__": "1.192092896e-07f",
    "__DBL_MAX__": "1.7976931348623158e+308",
}
OFFSET_MACRO = "offsetof(type, member) ((size_t)&((type *)0)->member)"  # of <stddef.h>
# What the headers of C define.
LIBRARY_MACROS = {
    "INT_MAX": "2147483647",
    "INT_MIN": "(-2147483647-1)",
    "UINT_MAX": "4294967295u",
    "LONG_MAX": "9223372036854775807L",
    "LONG_MIN": "(-9223372036854775807L-1)",
    "ULONG_MAX": "18446744073709551615UL",
    "LLONG_MAX": "9223372036854775807LL",
    "LLONG_MIN": "(-9223372036854775807LL-1)",
    "ULLONG_MAX": "18446744073709551615ULL",
    "CHAR_BIT": "8",
    "CHAR_MAX": "127",
    "CHAR_MIN": "(-128)",
    "UCHAR_MAX": "255",
    "SHRT_MAX": "32767",
    "SHRT_MIN": "(-32768)",
    "USHRT_MAX": "65535",
    "FLT_MAX": "3.402823466e+38f",
    "FLT_MIN": "1.175494351e-38f",
    "FLT_EPSILON": "1.192092896e-07f",
    "DBL_MAX": "1.7976931348623158e+308",
    "DBL_MIN": "2.2250738585072014e-308",
    "DBL_EPSILON": "2.2204460492503131e-016",
    "INFINITY": "__int_as_float(0x7f800000)",
    "NAN": "__int_as_float(0x7fffffff)",
    "HUGE_VALF": "__int_as_float(0x7f800000)",
    "M_PI": "3.14159265358979323846",
    "M_PI_2": "1.57079632679489661923",
    "M_PI_4": "0.785398163397448309616",
    "M_E": "2.7182818284590452354",
    "M_SQRT2": "1.41421356237309504880",
    "RAND_MAX": "2147483647",
    "INT32_MAX": "2147483647",
    "INT32_MIN": "(-2147483647-1)",
    "UINT32_MAX": "4294967295u",
    "INT64_MAX": "9223372036854775807L",
    "INT64_MIN": "(-9223372036854775807L-1)",
    "UINT64_MAX": "18446744073709551615UL",
    "SIZE_MAX": "18446744073709551615UL",
}
# What math_constants.h defines.
CUDART_MACROS = {
    "CUDART_INF_F": "__int_as_float(0x7f800000)",
    "CUDART_NAN_F": "__int_as_float(0x7fffffff)",
    "CUDART_PI_F": "3.141592654f",
    "CUDART_PI": "3.1415926535897931e+0",
}


@dataclass
class ConditionalSection:
    """Track one ``#if`` with its branches: ``active`` now, ``taken`` once a branch was, ``outer`` that around it."""

    opened: Span
    outer: bool
    active: bool
    taken: bool
    has_else: bool = False

    @property
    def live(self) -> bool:
        """Return whether the text of the branch under way is compiled."""
        return self.outer and self.active


def is_own_header(source: SourceText) -> bool:
    """Return whether a text is one of the headers that come with warpview."""
    return source.name.startswith(_HEADERS_PREFIX)


@dataclass(frozen=True)
class Preprocessed:
    """Hold a text after preprocessing: its ``tokens``, END last, each with its place in the user's text, and
    warnings. ``is_alone`` where no file of the user's, found or missing, has a part in it."""

    tokens: list[Token]
    warnings: tuple[Diagnostic, ...]
    is_alone: bool


def preprocess(
    source: SourceText, defines: Mapping[str, object] | None = None, include_dir: Path | None = None
) -> Preprocessed:
    """Preprocess ``source``; files named in quotes are looked for in ``include_dir``. Code that needs a prelude
    is preprocessed again behind it, which none of its macros changes."""
    given = {name: macro_from_text(name, value) for name, value in (defines or {}).items()}
    result = _preprocessed(source, given, include_dir, [])
    preludes = preludes_for(result.tokens)
    return _preprocessed(source, given, include_dir, preludes) if preludes else result


def _preprocessed(
    source: SourceText, given: Mapping[str, Macro], include_dir: Path | None, preludes: Sequence[str]
) -> Preprocessed:
    preprocessor = Preprocessor()
    preprocessor.macros.update(_known_macros())
    if HEAP_SIZE_MACRO in given:
        preprocessor.macros[HEAP_SIZE_MACRO] = given[HEAP_SIZE_MACRO]
    before = [token for header in preludes for token in preprocessor.prelude(header)]
    preprocessor.macros.update(given)
    tokens = tokenize(source)
    result = preprocessor.run(tokens, include_dir, depth=0)
    code = with_marked_references(result) if REFERENCES in preludes else result
    code = with_wide_integers(code) if WIDE in preludes else code
    return Preprocessed([*before, *code, tokens[-1]], tuple(preprocessor.warnings), preprocessor.is_alone)


@dataclass(frozen=True)
class _ReadHeader:
    """Hold what a header of our own became: the macros and the headers read once, before and after it, and its
    tokens."""

    macros: Mapping[str, Macro]
    once: Set[Path]
    tokens: list[Token]
    macros_after: Mapping[str, Macro]
    once_after: Set[Path]
    expansions: int


_read_headers: dict[Path, _ReadHeader] = {}


@cache
def _known_macros() -> Mapping[str, Macro]:
    """Return what the compiler and the headers that are built in define."""
    known = {**COMPILER_MACROS, **LIBRARY_MACROS, **CUDART_MACROS}
    offset = parse_macro(tokenize(SourceText("<stddef.h>", OFFSET_MACRO))[:-1])
    return {offset.name: offset, **{name: macro_from_text(name, value) for name, value in known.items()}}


class Preprocessor:
    """Carry out directives and expand macros, file by file."""

    def __init__(self) -> None:
        self.macros: dict[str, Macro] = {}
        self.expander = Expander(self.macros)
        self.once: set[Path] = set()
        self.warnings: list[Diagnostic] = []
        self.is_alone = True  # no #include so far has looked for a file of the user's

    def run(self, tokens: list[Token], folder: Path | None, depth: int) -> list[Token]:
        """Preprocess one file, which lies in ``folder``; ``tokens`` ends in END, the result does not."""
        sections: list[ConditionalSection] = []
        result: list[Token] = []
        plain: list[Token] = []  # tokens since the last directive: expanded together, as invocations span lines
        position = 0
        while tokens[position].kind is not TokenKind.END:
            token = tokens[position]
            if not (token.text == "#" and token.starts_line and token.kind is TokenKind.PUNCT):
                if _is_live(sections):
                    plain.append(token)
                position += 1
                continue
            line, position = _line(tokens, position)
            if self.expander.is_open(plain):  # a directive among the arguments of an invocation
                plain += self.directive(line, sections, folder, depth)
                continue
            result += self._expanded(plain)
            plain = []
            result += self.directive(line, sections, folder, depth)
        if sections:
            fail("this conditional section is never closed", sections[-1].opened, "#endif is missing")
        return result + self._expanded(plain)

    def _expanded(self, tokens: list[Token]) -> list[Token]:
        return with_operators(self.expander.expand(tokens), self.expander)

    def directive(
        self, line: list[Token], sections: list[ConditionalSection], folder: Path | None, depth: int
    ) -> list[Token]:
        """Carry out one directive line (``line[0]`` is '#') and return the tokens that it stands for."""
        if len(line) < 2:
            return []
        name, rest = line[1], line[2:]
        if name.text in ("if", "ifdef", "ifndef", "elif", "else", "endif"):
            self.conditional(name, rest, sections, folder)
            return []
        if not _is_live(sections):
            return []
        match name.text:
            case "define":
                if not rest:
                    fail("#define needs a name", name.span)
                macro = parse_macro(rest)
                self.macros[macro.name] = macro
            case "undef":
                for token in rest[:1]:
                    self.macros.pop(token.text, None)
            case "include":
                return self.include(name, rest, folder, depth)
            case "pragma":
                return self.pragma(name, rest)
            case "error":
                fail("#error " + " ".join(t.text for t in rest), name.span)
            case "warning" | "line" | "ident":
                pass
            case _ if name.kind is not TokenKind.NUMBER:
                fail(f"unknown directive #{name.text}", name.span)
        return []

    def conditional(
        self, name: Token, rest: list[Token], sections: list[ConditionalSection], folder: Path | None
    ) -> None:
        if name.text in ("if", "ifdef", "ifndef"):
            outer = _is_live(sections)
            holds = outer and self.holds(name, rest, folder)
            sections.append(ConditionalSection(name.span, outer, holds, holds))
            return
        if not sections:
            fail(f"#{name.text} without #if", name.span)
        section = sections[-1]
        if name.text == "endif":
            sections.pop()
            return
        if section.has_else:
            fail(f"#{name.text} after #else", name.span)
        if name.text == "else":
            section.has_else = True
            section.active = section.outer and not section.taken
        else:
            section.active = section.outer and not section.taken and self.holds(name, rest, folder)
        section.taken = section.taken or section.active

    def holds(self, name: Token, rest: list[Token], folder: Path | None) -> bool:
        if name.text in ("ifdef", "ifndef"):
            if not rest:
                fail(f"#{name.text} needs a name", name.span)
            return is_defined(rest[0].text, self.macros) == (name.text == "ifdef")
        return condition_holds(name, rest, self.macros, self.expander, partial(self._has_file, folder))

    def _has_file(self, folder: Path | None, written: list[Token]) -> bool:
        """Return whether an #include of these tokens finds a file."""
        name = _name_of_file(written)
        is_beside = written[:1] != [] and written[0].kind is TokenKind.STRING and folder is not None
        self.is_alone = self.is_alone and not is_beside
        return (
            (is_beside and folder is not None and (folder / name).is_file())
            or own_header_of(name) is not None
            or comes_with_the_compiler(name)
        )

    def include(self, name: Token, rest: list[Token], folder: Path | None, depth: int) -> list[Token]:
        """Preprocess the file that an #include names: one beside the including file, or a header of our own.

        The headers of C, C++ and CUDA stand for nothing: their names are built in. A file that cannot be found gets
        a warning, because the kernel may still need nothing of it.
        """
        path = self._header(name, rest, folder)
        if path is None or path in self.once:
            return []
        if depth >= MAX_INCLUDE_DEPTH:
            fail(f"'{path.name}' includes itself without end", name.span)
        if HEADERS in path.parents:
            return self._own_header(path, depth)
        if path.stat().st_size > MAX_SOURCE_BYTES:
            fail(f"'{path.name}' is longer than {MAX_SOURCE_BYTES >> 20} million characters", name.span)
        return self._read(path, depth)

    def _read(self, path: Path, depth: int) -> list[Token]:
        return self.run(tokenize(SourceText(str(path), read_text(path))), path.parent, depth + 1)

    def prelude(self, header: str) -> list[Token]:
        """Return the tokens of a prelude; none of one that another has included."""
        path = HEADERS / header
        return [] if path in self.once else self._own_header(path, 0)

    def _own_header(self, path: Path, depth: int) -> list[Token]:
        """Preprocess a header of our own, as it was the last time where the same macros are defined."""
        known = _read_headers.get(path)
        if known is None or (known.macros, known.once) != (self.macros, self.once):
            macros, once, before = dict(self.macros), set(self.once), self.expander.expansions
            tokens = self._read(path, depth)
            expansions = self.expander.expansions - before
            _read_headers[path] = _ReadHeader(macros, once, tokens, dict(self.macros), set(self.once), expansions)
            return tokens
        self.macros.clear()
        self.macros.update(known.macros_after)
        self.once |= known.once_after
        self.expander.expansions += known.expansions
        return known.tokens

    def _header(self, directive: Token, rest: list[Token], folder: Path | None) -> Path | None:
        """Return the file that an #include means; None where there is nothing to read."""
        is_quoted = bool(rest) and rest[0].kind is TokenKind.STRING
        name = _name_of_file(rest)
        place = rest[0].span if rest else directive.span
        if is_quoted and folder is not None:
            self.is_alone = self.is_alone and folder.is_relative_to(HEADERS)
            beside = (folder / name).resolve()
            if beside.is_file():
                return beside
            if beside.exists():
                kind = "a folder" if beside.is_dir() else "no ordinary file"
                fail(f"'{name}' is {kind} and cannot be included", place)
        if ours := own_header_of(name):
            return HEADERS / ours
        if not is_system_header(name):
            hint = "names from it are unknown here" if folder is not None else "the text has no folder to look in"
            self.warnings.append(Diagnostic(f"the file '{name}' was not found", place, "warning", hint))
        return None

    def pragma(self, name: Token, rest: list[Token]) -> list[Token]:
        if rest and rest[0].text == "once":
            self.once.add(Path(name.span.source.name))
            return []
        return pragma(name, rest, self.expander)


def _name_of_file(written: list[Token]) -> str:
    return "".join(t.text for t in written).strip('<>"')


def _is_live(sections: list[ConditionalSection]) -> bool:
    """Return whether text is compiled here: a section holds its own state and that of all around it."""
    return not sections or sections[-1].live


def _line(tokens: list[Token], position: int) -> tuple[list[Token], int]:
    """Return the tokens of the line that starts at ``position``, and the position behind it."""
    end = position + 1
    while tokens[end].kind is not TokenKind.END and not tokens[end].starts_line:
        end += 1
    return tokens[position:end], end
