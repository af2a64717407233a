"""Find the headers of our own that come before a source text because of what the text uses, without an #include."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from warpview.frontend.preprocess.tokens import Token

HEAP, TEXTURES, REFERENCES = "device_heap.h", "textures.h", "texture_references.h"
LAUNCHES = "device_launches.h"
HEAP_VARIABLE, LAUNCHES_VARIABLE = "warpview_heap", "warpview_launches"  # of these headers
HEAP_SIZE_MACRO, STACK_SIZE_MACRO = "WARPVIEW_HEAP_BYTES", "WARPVIEW_STACK_BYTES"
STACK_BYTES = 1024  # of a thread, until cudaDeviceSetLimit says otherwise (cudaLimitStackSize)

_ALLOCATING = frozenset({"malloc", "free", "new", "delete"})
_OBJECTS = frozenset({"cudaTextureObject_t", "cudaSurfaceObject_t"})
_REFERENCE_TYPES = frozenset({"texture", "surface"})
_BEFORE_DECLARATION = frozenset({";", "}", "{", "static", "extern", "__device__"})
_OF_DEVICE = frozenset({"__global__", "__device__"})
_NESTING = {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}


def preludes_for(tokens: Sequence[Token]) -> list[str]:
    """Return the headers that a text needs: the heap where it may allocate memory or give it back (not by '= delete'),
    launches where a kernel launches one, textures where it names their objects or declares references."""
    words = {token.text for before, token in pairwise(tokens) if (before.text, token.text) != ("=", "delete")}
    found = [HEAP] if words & _ALLOCATING else []
    found += [LAUNCHES] if "<<<" in words and _launches_on_device(tokens) else []
    if _references(tokens):
        return [*found, REFERENCES]
    return [*found, TEXTURES] if words & _OBJECTS else found


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
    """Return where texture and surface references are declared, 'texture<float, 2> image;', by the index of the first
    word of the type."""
    return [
        k for k, (token, following) in enumerate(pairwise(tokens))
        if token.text in _REFERENCE_TYPES and following.text == "<"
        and (k == 0 or tokens[k - 1].text in _BEFORE_DECLARATION or tokens[k - 1].span.line < token.span.line)
    ]  # fmt: skip


def with_marked_references(tokens: Sequence[Token]) -> list[Token]:
    """Return a text whose references are marked as what they are, variables of the device."""
    places = set(_references(tokens))
    found: list[Token] = []
    for k, token in enumerate(tokens):
        if k in places:
            found.append(replace(token, text="__device__"))
        found.append(token)
    return found
