"""Find the headers of our own that come before a source text because of what the text uses, without an #include."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Protocol

from warpview.diagnostics import SourceText
from warpview.files import read_text
from warpview.frontend.preprocess.tokens import Token, TokenKind, tokenize

HEADERS = Path(__file__).parent.parent / "headers"
STANDARD = (
    "algorithm",
    "array",
    "bit",
    "cmath",
    "concepts",
    "expected",
    "functional",
    "initializer_list",
    "iterator",
    "limits",
    "mdspan",
    "memory",
    "numbers",
    "numeric",
    "optional",
    "span",
    "tuple",
    "type_traits",
    "utility",
    "variant",
)  # headers of C++ of which we have our own

HEAP, TEXTURES, REFERENCES = "device_heap.h", "textures.h", "texture_references.h"
LISTS = "standard/initializer_list"
LAUNCHES = "device_launches.h"
WIDE, THRUST, BESSEL = "wide_integers.h", "thrust/values.h", "bessel.h"
HEAP_VARIABLE, LAUNCHES_VARIABLE = "warpview_heap", "warpview_launches"  # of these headers
HEAP_SIZE_MACRO, STACK_SIZE_MACRO = "WARPVIEW_HEAP_BYTES", "WARPVIEW_STACK_BYTES"
STACK_BYTES = 1024  # of a thread, until cudaDeviceSetLimit says otherwise (cudaLimitStackSize)

_ALLOCATING = frozenset({"malloc", "free", "new", "delete"})
_OBJECTS = frozenset({"cudaTextureObject_t", "cudaSurfaceObject_t"})
# Integers of 128 bits, and the structs that stand for them.
_WIDE_WORDS = {"__int128": "wv_int128", "__int128_t": "wv_int128", "__uint128_t": "wv_uint128"}
_SIGNS = {"signed": "wv_int128", "unsigned": "wv_uint128"}
_BESSEL_FUNCTIONS = frozenset({
    f"{name}{of}" for name in ("j0", "j1", "jn", "y0", "y1", "yn", "cyl_bessel_i0", "cyl_bessel_i1") for of in ("", "f")
})  # fmt: skip
# Names of Thrust that kernels may use.
_OF_THRUST = frozenset({
    "pair", "tuple", "make_pair", "make_tuple", "get", "tie", "plus", "minus", "multiplies", "divides", "modulus",
    "negate", "maximum", "minimum", "less", "greater", "less_equal", "greater_equal", "equal_to", "not_equal_to",
    "logical_and", "logical_or", "logical_not", "bit_and", "bit_or", "bit_xor",
})  # fmt: skip
REFERENCE_TYPES = frozenset({"texture", "surface"})
_BEFORE_DECLARATION = frozenset({";", "}", "{", "static", "extern", "__device__"})
_OF_DEVICE = frozenset({"__global__", "__device__"})
_BRACES = {"{": 1, "}": -1}
_BEHIND_NAMES = frozenset({"(", "=", "{", ";", ":", "<"})  # a name that is declared
_NESTING = {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}


def preludes_for(tokens: Sequence[Token]) -> list[str]:
    """Return the headers that a text needs: those of C++ whose names it has as ``std::name``, which other headers of
    C++ bring with them; lists that give ``auto`` variables their type; Thrust's names of the same; Bessel functions
    that are called; integers of 128 bits; the heap where it may allocate memory or give it back (not by '= delete');
    launches where a kernel launches one; textures where it names their objects or declares references.
    """
    words = {token.text for before, token in pairwise(tokens) if (before.text, token.text) != ("=", "delete")}
    found = _standard_headers(tokens) if "std" in words else []
    found += [LISTS] if "auto" in words and LISTS not in found and _deduces_list(tokens) else []
    found += [HEAP] if words & _ALLOCATING else []
    found += [THRUST] if "thrust" in words and _names_behind("thrust", tokens) & _OF_THRUST else []
    calls = (name.text for name, behind in pairwise(tokens) if behind.text == "(")
    found += [BESSEL] if not _BESSEL_FUNCTIONS.isdisjoint(calls) else []
    found += [WIDE] if words & _WIDE_WORDS.keys() else []
    found += [LAUNCHES] if "<<<" in words and _launches_on_device(tokens) else []
    if _references(tokens) or reference_aliases(tokens):
        return [*found, REFERENCES]
    return [*found, TEXTURES] if words & _OBJECTS else found


def _standard_headers(tokens: Sequence[Token]) -> list[str]:
    """Return our own headers of C++ that declare a name which stands behind ``std::`` in a text."""
    names = _names_behind("std", tokens)
    return [f"standard/{header}" for header, declared in _standard_names().items() if names & declared]


def _deduces_list(tokens: Sequence[Token]) -> bool:
    """Return whether a variable is declared as ``auto name = {``."""
    return any(
        first.text == "auto" and (third.text, fourth.text) == ("=", "{")
        for first, _, third, fourth in zip(tokens, tokens[1:], tokens[2:], tokens[3:], strict=False)
    )


def _names_behind(namespace: str, tokens: Sequence[Token]) -> set[str]:
    triples = zip(tokens, tokens[1:], tokens[2:], strict=False)
    return {third.text for first, second, third in triples if (first.text, second.text) == (namespace, "::")}


@cache
def _standard_names() -> Mapping[str, Set[str]]:
    """Return the names that each of our own headers of C++ declares in namespace std."""
    return {name: _declared(HEADERS / "standard" / name) for name in STANDARD}


def _declared(header: Path) -> set[str]:
    """Return the names that a header of C++ declares: those within one pair of braces with a definition behind them,
    and those that its macros are given first."""
    text = re.sub(r"^#(?:.*\\\n)*.*$", "", read_text(header), flags=re.MULTILINE)  # without directives
    tokens, names, depth = tokenize(SourceText(str(header), text)), set[str](), 0
    for before, token, following in zip(tokens, tokens[1:], tokens[2:], strict=False):
        depth += _BRACES.get(token.text, 0)
        is_defined = depth == 1 and following.text in _BEHIND_NAMES
        is_argument = before.text == "(" and following.text == "," and token.text.islower()
        if token.kind is TokenKind.NAME and (is_defined or (depth == 1 and is_argument)):
            names.add(token.text)
    return names


def _launches_on_device(tokens: Sequence[Token]) -> bool:
    """Return whether the body of a function for the device holds a launch."""
    is_device, depth, opened = False, 0, None  # the depth at which the body of such a function began
    for token in tokens:
        if token.text in _OF_DEVICE and opened is None:
            is_device, outside = True, depth
        elif token.text == "{" and is_device and depth == outside:
            is_device, opened = False, depth
        elif token.text == ";" and is_device and depth == outside:
            is_device = False
        elif token.text == "<<<" and opened is not None:
            return True
        depth += _NESTING.get(token.text, 0)
        if token.text == "}" and depth == opened:
            opened = None
    return False


def _references(tokens: Sequence[Token]) -> list[int]:
    """Return where texture and surface references are declared, 'texture<float, 2> image;' or by an alias of the type,
    by the index of the first word of the type."""
    aliases = reference_aliases(tokens)
    return [
        k for k, (token, following) in enumerate(pairwise(tokens))
        if (following.text == "<" if token.text in REFERENCE_TYPES else token.text in aliases and following.text != ";")
        and (k == 0 or tokens[k - 1].text in _BEFORE_DECLARATION or tokens[k - 1].span.line < token.span.line)
    ]  # fmt: skip


class _Word(Protocol):
    @property
    def text(self) -> str: ...


def reference_aliases(tokens: Sequence[_Word]) -> set[str]:
    """Return the names that ``typedef texture<float, 2> Image;`` and ``using Image = texture<float, 2>;`` declare."""
    found = set[str]()
    for k, token in enumerate(tokens):
        if token.text not in REFERENCE_TYPES or k == 0:
            continue
        if tokens[k - 1].text == "typedef":
            end = next((n for n, other in enumerate(tokens[k:], k) if other.text == ";"), k)
            found.add(tokens[end - 1].text)
        elif tokens[k - 1].text == "=" and tokens[k - 3].text == "using":
            found.add(tokens[k - 2].text)
    return found


def names_references(tokens: Sequence[_Word]) -> bool:
    """Return whether a text names the type of a texture or surface reference, and not a class of its own."""
    pairs = list(pairwise(token.text for token in tokens))
    own = {name for word, name in pairs if word in ("class", "struct")}
    return any(name in REFERENCE_TYPES - own and following == "<" for name, following in pairs)


def with_marked_references(tokens: Sequence[Token]) -> list[Token]:
    """Return a text whose references are marked as what they are, variables of the device."""
    places = set(_references(tokens))
    found: list[Token] = []
    for k, token in enumerate(tokens):
        if k in places:
            found.append(replace(token, text="__device__"))
        found.append(token)
    return found


def with_wide_integers(tokens: Sequence[Token]) -> list[Token]:
    """Return a text with the structs that stand for integers of 128 bits: ``unsigned`` before or behind the word makes
    another type of it."""
    found: list[Token] = []
    for token in tokens:
        before = found[-1] if found else None
        if token.text in _WIDE_WORDS:
            sign = found.pop().text if before is not None and before.text in _SIGNS else ""
            found.append(replace(token, text=_SIGNS.get(sign, _WIDE_WORDS[token.text])))
        elif token.text in _SIGNS and before is not None and before.text in _SIGNS.values():
            found[-1] = replace(before, text=_SIGNS[token.text])
        else:
            found.append(token)
    return found
