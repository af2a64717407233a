"""Format Python values by C's printf formats, as far as a kernel's printf knows them."""

from __future__ import annotations

import re

from warpview.isa.print_format import CONVERSION, MAX_WIDTH, WIDTH_OF_ARGUMENT

_NO_DIGITS = re.compile(r"\.0*$")  # a precision of zero: C prints nothing of the number 0
_SHORT_BITS = {"hh": 8, "h": 16}
_UNNEEDED_ZEROS = re.compile(r"\.?0+(?=p)")  # at the end of the digits of a hexadecimal number


def format_print(template: str, values: tuple[int | float | str, ...]) -> str:
    """Fill the values into the conversions of ``template``; '?' stands for a value that is missing or no string."""
    remaining = iter(values)

    def convert(match: re.Match[str]) -> str:
        flags, width, precision, length, kind = match.groups()
        if kind == "%":
            return "%"
        if width == WIDTH_OF_ARGUMENT:
            width = _width(next(remaining, 0))
        value = next(remaining, None)
        if value is None or (kind == "s" and not isinstance(value, str)):
            return "?"
        if length in _SHORT_BITS and kind in "diouxX":
            value = _shortened(int(value), _SHORT_BITS[length], kind in "di")
        return _one(f"%{flags}{width}{precision or ''}", kind, value)

    return CONVERSION.sub(convert, template)


def _width(given: int | float | str) -> str:
    """Return a width from an argument as a format has it: one below zero is to the left, and none is unreasonable."""
    width = max(-MAX_WIDTH, min(MAX_WIDTH, int(given)))
    return f"-{-width}" if width < 0 else f"{width or ''}"


def _shortened(number: int, bits: int, is_signed: bool) -> int:
    """Return the lowest bits of a number."""
    low = number & (1 << bits) - 1
    return low - (1 << bits) if is_signed and low >> bits - 1 else low


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
    if number == 0 and _NO_DIGITS.search(prefix):
        return _NO_DIGITS.sub("s", prefix) % ""
    if kind in "uxXo" and number < 0:
        number &= 0xFFFFFFFF if number >= -(1 << 31) else 0xFFFFFFFFFFFFFFFF
    return (prefix + ("d" if kind == "u" else kind)) % number
