"""Read the values of numbers, characters and strings as they are written."""

from __future__ import annotations

import re
from dataclasses import dataclass

from warpview.frontend.preprocess.tokens import Token, TokenKind, fail
from warpview.frontend.semantic.types import (
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    LONGLONG,
    UINT,
    ULONG,
    ULONGLONG,
    Scalar,
)

_INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)([uUlLzZ]*)\Z")
_DECIMAL = re.compile(r"((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)([fFlL]?)\Z")
_HEX_FLOAT = re.compile(r"(0[xX][0-9a-fA-F]*\.?[0-9a-fA-F]*[pP][+-]?[0-9]+)([fFlL]?)\Z")
_ESCAPES = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "\\": 92, "'": 39, '"': 34, "?": 63, "e": 27}
_SUFFIXES: dict[str, tuple[Scalar, ...]] = {
    "": (INT, LONG, LONGLONG),
    "u": (UINT, ULONG, ULONGLONG),
    "l": (LONG, LONGLONG),
    "ul": (ULONG, ULONGLONG),
    "ll": (LONGLONG,),
    "ull": (ULONGLONG,),
    "z": (LONG,),
    "uz": (ULONG,),
}


@dataclass(frozen=True)
class Integer:
    value: int
    type: Scalar


def integer_literal(token: Token) -> Integer:
    """Return an integer constant and its type: the first of those its suffix allows that holds the value."""
    text = token.text.replace("'", "")
    match = _INTEGER.match(text)
    if not match:
        fail(f"{token} is not an integer constant", token.span)
    digits, suffix = match.group(1).lower(), match.group(2).lower()
    suffix = suffix if suffix in _SUFFIXES else suffix[::-1] if suffix in ("lu", "zu") else suffix
    suffix = "ull" if suffix == "llu" else suffix
    if suffix not in _SUFFIXES:
        fail(f"'{match.group(2)}' is not a suffix of an integer", token.span)
    value = _digits(digits, token)
    candidates = _SUFFIXES[suffix]
    if not digits.isdigit() or (digits.startswith("0") and len(digits) > 1):  # hex, octal, binary may be unsigned
        candidates = tuple(t for pair in zip(candidates, _unsigned(candidates), strict=True) for t in pair)
    for type in candidates:
        if value < 1 << (8 * type.size - type.is_signed):
            return Integer(value, type)
    if value < 1 << 64:
        return Integer(value, ULONGLONG)
    fail(f"{token} does not fit any integer type", token.span)


def _unsigned(types: tuple[Scalar, ...]) -> tuple[Scalar, ...]:
    return tuple({INT: UINT, LONG: ULONG, LONGLONG: ULONGLONG}.get(t, t) for t in types)


def _digits(digits: str, token: Token) -> int:
    if len(digits) > 100:
        fail("this number is too long", token.span)
    try:
        if digits.startswith("0") and digits.isdigit():
            return int(digits, 8)
        return int(digits, 0)
    except ValueError:
        fail(f"{token} is not a number", token.span)


def number_literal(token: Token) -> tuple[int | float, Scalar]:
    """Return a number and its type. A float constant is still exact to double; it is rounded where it is used."""
    text = token.text.replace("'", "")
    if _INTEGER.match(text):
        integer = integer_literal(token)
        return integer.value, integer.type
    match = _DECIMAL.match(text)
    hexadecimal = _HEX_FLOAT.match(text)
    if not (match or hexadecimal) or len(text) > 400:
        fail(f"{token} is not a number", token.span)
    try:
        value = float.fromhex(hexadecimal.group(1)) if hexadecimal else float(match.group(1)) if match else 0.0
    except (ValueError, OverflowError):
        fail(f"{token} is not a number that fits a double", token.span)
    suffix = (hexadecimal or match).group(2).lower()  # type: ignore[union-attr]
    return value, FLOAT if suffix == "f" else DOUBLE


def literal_operator(suffix: str) -> str:
    """Return the name of the operator that a literal with a suffix of the user's calls."""
    return f'operator""{suffix}'


def character_literal(token: Token) -> tuple[int, Scalar]:
    text = token.text[token.text.index("'") + 1 : -1]
    decoded = _unescape(text, token)
    if not 1 <= len(decoded) <= INT.size:
        fail(f"{token} is not one character, nor up to four that make up an int", token.span)
    if len(decoded) > 1:
        return int.from_bytes(decoded, "big", signed=len(decoded) == INT.size), INT
    code = decoded[0]
    return code - 256 if code > 127 else code, CHAR


def string_literal(token: Token) -> str:
    """Return the characters of a string (each one byte of UTF-8)."""
    assert token.kind is TokenKind.STRING
    text = token.text
    if "R" in text[: text.index('"')]:
        return text[text.index("(") + 1 : text.rindex(")")]
    return bytes(_unescape(text[text.index('"') + 1 : -1], token)).decode("utf-8", "surrogateescape")


def _unescape(text: str, token: Token) -> list[int]:
    result: list[int] = []
    position = 0
    while position < len(text):
        if text[position] != "\\":
            result += text[position].encode("utf-8", "replace")
            position += 1
            continue
        position += 1
        numeric = re.compile(r"x[0-9a-fA-F]{1,2}|[0-7]{1,3}").match(text, position)
        if numeric:
            digits = numeric.group()
            result.append((int(digits[1:], 16) if digits[0] == "x" else int(digits, 8)) & 255)
            position = numeric.end()
        elif position < len(text) and text[position] in _ESCAPES:
            result.append(_ESCAPES[text[position]])
            position += 1
        elif position < len(text) and text[position] == "\n":
            position += 1
        else:
            fail(f"unknown escape in {token}", token.span)
    return result
