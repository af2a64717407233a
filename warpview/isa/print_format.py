"""Read the formats of C's printf: their conversions, and the types of the arguments that these take.

A width may come from an argument, ``%*d``; a precision may not: CUDA's documentation has no ``%.*f``, and an H200
prints other things than C for it.
"""

from __future__ import annotations

import re

from warpview.isa.types import Type

# flags, width, precision, length modifier, conversion
CONVERSION = re.compile(r"%([-+ #0]*)(\*|\d*)(\.\d*)?(hh|h|ll|l|z|t|j)?([diouxXcsfFeEgGpaA%])")
WIDTH_OF_ARGUMENT = "*"
MAX_WIDTH = 4096  # characters of one conversion
NULL_STRING = "(null)"  # what %s prints of a null pointer, on an H200 and in the C library of GNU
_TAKES_PRECISION = re.compile(r"%[-+ #0]*(\*|\d*)\.\*")
_NUMBER = re.compile(r"%[^a-zA-Z%]*?(\d{1,9})")
_WIDE = frozenset({"l", "ll", "z", "t", "j"})


def check_format(template: str) -> None:
    """Raise ValueError, with the reason, where a format is none that kernels can print here."""
    if _TAKES_PRECISION.search(template):
        raise ValueError("printf with a precision from its arguments (CUDA documents none)")
    if any(int(number) > MAX_WIDTH for number in _NUMBER.findall(template)):
        raise ValueError(f"printf with a width of more than {MAX_WIDTH} characters")


def string_places(template: str) -> frozenset[int]:
    """Return the places, from 0, of the arguments that are strings."""
    return frozenset(place for place, (kind, _) in enumerate(_arguments(template)) if kind == "s")


def argument_types(template: str) -> tuple[Type, ...]:
    """Return the type of each argument, after C's promotions."""
    return tuple(_type(kind, length) for kind, length in _arguments(template))


def _arguments(template: str) -> list[tuple[str, str | None]]:
    """Return the conversion and the length modifier of each argument; one that is a width is an ``int``."""
    found: list[tuple[str, str | None]] = []
    for _, width, _, length, kind in CONVERSION.findall(template):
        if kind != "%":
            found += [("d", None)] if width == WIDTH_OF_ARGUMENT else []
            found.append((kind, length))
    return found


def _type(kind: str, length: str | None) -> Type:
    if kind in "sp":
        return Type.U64
    if kind in "fFeEgGaA":
        return Type.F64
    if kind in "di":
        return Type.S64 if length in _WIDE else Type.S32
    return Type.U64 if length in _WIDE else Type.U32
