"""Tell widths of the arithmetic types of C++ on a GPU, and the types of sums and conversions."""

from __future__ import annotations

INTEGERS = (
    "bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long long",
    "unsigned long long",
)  # fmt: skip
FLOATS = ("float", "double")
TYPES = (*INTEGERS, *FLOATS)
BITS = dict(zip(TYPES, (1, 8, 8, 8, 16, 16, 32, 32, 64, 64, 32, 64), strict=True))
SIGNED = {"char", "signed char", "short", "int", "long long"}
WIDE = ("int", "unsigned", "long long", "unsigned long long", *FLOATS)


def is_float(type: str) -> bool:
    return type in FLOATS


def promoted(type: str) -> str:
    """Return the type of ``+x``."""
    return type if type in WIDE else "int"


def common(a: str, b: str) -> str:
    """Return the type of ``x + y``: the usual arithmetic conversions."""
    a, b = promoted(a), promoted(b)
    for wanted in ("double", "float"):
        if wanted in (a, b):
            return wanted
    if BITS[a] != BITS[b]:
        return a if BITS[a] > BITS[b] else b
    return b if a in SIGNED else a


def can_overflow(type: str) -> bool:
    """Return whether arithmetic in this type is undefined beyond its range."""
    return promoted(type) in SIGNED and BITS[type] >= 32
