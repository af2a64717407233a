"""Format Python values by C's printf formats, as far as a kernel's printf knows them."""

from __future__ import annotations

import re

# flags, width, precision, length modifier (ignored), conversion
_CONVERSION = re.compile(r"%([-+ #0]*)(\d*)(\.\d+)?(?:hh|h|ll|l|z|t|j)?([diouxXcsfFeEgGpaA%])")


def format_print(template: str, values: tuple[int | float | str, ...]) -> str:
    """Fill the values into the conversions of ``template``; a missing value is shown as '?'."""
    remaining = iter(values)

    def convert(match: re.Match[str]) -> str:
        flags, width, precision, kind = match.groups()
        if kind == "%":
            return "%"
        value = next(remaining, None)
        if value is None:
            return "?"
        return _one(f"%{flags}{width}{precision or ''}", kind, value)

    return _CONVERSION.sub(convert, template)


def _one(prefix: str, kind: str, value: int | float | str) -> str:
    if kind == "s":
        return (prefix + "s") % value
    if kind == "c":
        return (prefix + "c") % (int(value) & 0xFF)
    if kind == "p":
        return f"{int(value):#x}"
    if kind in "aA":
        return float(value).hex()
    if kind in "fFeEgG":
        return (prefix + kind) % float(value)
    number = int(value)
    if kind in "uxXo" and number < 0:
        number &= 0xFFFFFFFF if number >= -(1 << 31) else 0xFFFFFFFFFFFFFFFF
    return (prefix + ("d" if kind == "u" else kind)) % number
