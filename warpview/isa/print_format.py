"""Read the formats of C's printf: their conversions, and the types of the arguments that these take."""

from __future__ import annotations

import re

from warpview.isa.types import Type

# flags, width, precision, length modifier, conversion
CONVERSION = re.compile(r"%([-+ #0]*)(\d*)(\.\d+)?(hh|h|ll|l|z|t|j)?([diouxXcsfFeEgGpaA%])")
_TAKES_WIDTH = re.compile(r"%[-+ #0]*(\*|\d*\.\*)")
NULL_STRING = "(null)"  # what %s prints of a null pointer, on an H200 and in the C library of GNU
_WIDE = frozenset({"l", "ll", "z", "t", "j"})


def string_places(template: str) -> frozenset[int]:
    """Return the places, from 0, of the arguments that are strings."""
    kinds = [match[5] for match in CONVERSION.finditer(template) if match[5] != "%"]
    return frozenset(place for place, kind in enumerate(kinds) if kind == "s")


def argument_types(template: str) -> tuple[Type, ...] | None:
    """Return the type of each argument, after C's promotions; None where an argument gives a width or a precision."""
    if _TAKES_WIDTH.search(template):
        return None
    types = []
    for match in CONVERSION.finditer(template):
        length, kind = match[4], match[5]
        if kind in "sp":
            types.append(Type.U64)
        elif kind in "fFeEgGaA":
            types.append(Type.F64)
        elif kind in "di":
            types.append(Type.S64 if length in _WIDE else Type.S32)
        elif kind != "%":
            types.append(Type.U64 if length in _WIDE else Type.U32)
    return tuple(types)
