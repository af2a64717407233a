"""Format Python values by C's printf formats, as far as a kernel's printf knows them."""

from __future__ import annotations

import re

from warpview.isa.print_format import CONVERSION

_UNNEEDED_ZEROS = re.compile(r"\.?0+(?=p)")  # at the end of the digits of a hexadecimal number


def format_print(template: str, values: tuple[int | float | str, ...]) -> str:
    """Fill the values into the conversions of ``template``; '?' stands for a value that is missing or no string."""
    remaining = iter(values)

    def convert(match: re.Match[str]) -> str:
        flags, width, precision, _, kind = match.groups()
        if kind == "%":
            return "%"
        value = next(remaining, None)
        if value is None or (kind == "s" and not isinstance(value, str)):
            return "?"
        return _one(f"%{flags}{width}{precision or ''}", kind, value)

    return CONVERSION.sub(convert, template)


def _one(prefix: str, kind: str, value: int | float | str) -> str:
    if kind == "s":
        return (prefix + "s") % value
    if kind == "c":
        return (prefix + "c") % (int(value) & 0xFF)
    if kind == "p":
        return f"{int(value):#x}"
    if kind in "aA":
        return _UNNEEDED_ZEROS.sub("", float(value).hex())
    if kind in "fFeEgG":
        return (prefix + kind) % float(value)
    number = int(value)
    if kind in "uxXo" and number < 0:
        number &= 0xFFFFFFFF if number >= -(1 << 31) else 0xFFFFFFFFFFFFFFFF
    return (prefix + ("d" if kind == "u" else kind)) % number
