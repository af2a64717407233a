"""Tell which conversions in a list in braces lose values (C++17, 11.6.4)."""

from __future__ import annotations

from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.constants import convert_number


def narrows(source: t.CType, target: t.CType, constant: float | None) -> bool:
    """Return whether an arithmetic type has values that another has not, or the constant that is converted is one of
    them; False for other types."""
    a, b = t.arithmetic(source), t.arithmetic(target)
    if a is None or b is None or t.same(a, b):
        return False
    if a.is_float and not b.is_float:
        return True
    if constant is not None:
        return bool(not b.is_float and convert_number(constant, b) != constant)
    if a.is_float or b.is_float:
        return not a.is_float or a.rank > b.rank
    fits = a.size < b.size if b.is_signed != a.is_signed else a.size <= b.size
    return b.is_bool or not fits or (a.is_signed and not b.is_signed)
