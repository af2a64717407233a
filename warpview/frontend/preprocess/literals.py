"""Read the values of numbers, characters and strings as they are written."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np

from warpview.frontend.preprocess.tokens import Token, TokenKind, fail, refuse
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
    USHORT,
    Scalar,
)

_INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)([uUlLzZ]*)\Z")
_DECIMAL = re.compile(r"((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)([fFlL]?)\Z")
_HEX_FLOAT = re.compile(r"(0[xX][0-9a-fA-F]*\.?[0-9a-fA-F]*[pP][+-]?[0-9]+)([fFlL]?)\Z")
_ESCAPES = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "\\": 92, "'": 39, '"': 34, "?": 63, "e": 27}
_UNIVERSAL = re.compile(r"u[0-9a-fA-F]{4}|U00(?:0[0-9a-fA-F]|10)[0-9a-fA-F]{4}")
_HEX_ESCAPE = re.compile(r"\\x[0-9a-fA-F]{1,8}")
_WIDE = {"L": INT, "u": USHORT, "U": UINT}  # the integers that wchar_t, char16_t and char32_t are
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
    found = match or hexadecimal
    if not found or len(text) > 400:
        fail(f"{token} is not a number", token.span)
    type = FLOAT if found.group(2).lower() == "f" else DOUBLE
    try:
        value = float.fromhex(found.group(1)) if hexadecimal else float(found.group(1))
    except (ValueError, OverflowError):
        value = math.inf
    with np.errstate(over="ignore"):
        kept = float(np.float32(value)) if type == FLOAT else value
    if math.isinf(kept) or (kept == 0 and _has_digits(found.group(1))):
        fail(f"{token} is not a number that fits a {type}", token.span)
    return value, type


def _has_digits(number: str) -> bool:
    """Return whether a constant is written with another digit than 0 in front of its exponent."""
    is_hexadecimal = number[:2].lower() == "0x"
    mantissa = re.split("[pP]", number[2:])[0] if is_hexadecimal else re.split("[eE]", number)[0]
    return mantissa.strip("0.") != ""


def literal_operator(suffix: str) -> str:
    """Return the name of the operator that a literal with a suffix of the user's calls."""
    return f'operator""{suffix}'


def character_literal(token: Token) -> tuple[int, Scalar]:
    """Return the code of a character and its type."""
    prefix, _, text = token.text[:-1].partition("'")
    wide = _WIDE.get(prefix)
    if wide is not None:
        return _wide_character(text, wide, token), wide
    decoded = _unescape(text, token)
    if not 1 <= len(decoded) <= INT.size:
        fail(f"{token} is not one character, nor up to four that make up an int", token.span)
    if len(decoded) > 1:
        return int.from_bytes(decoded, "big", signed=len(decoded) == INT.size), INT
    code = decoded[0]
    return code - 256 if code > 127 else code, CHAR


def _wide_character(text: str, type: Scalar, token: Token) -> int:
    numeric = _HEX_ESCAPE.fullmatch(text)
    if numeric:
        code = int(numeric.group()[2:], 16)
    else:
        characters = bytes(_unescape(text, token)).decode("utf-8", "surrogateescape")
        code = ord(characters) if len(characters) == 1 else -1
    if not 0 <= code < 1 << 8 * type.size:
        fail(f"{token} is not one character of {type.size * 8} bits", token.span)
    return code - (1 << 32) if type.is_signed and code >= 1 << 31 else code


def string_literal(token: Token) -> str:
    """Return the characters of a string (each one byte of UTF-8)."""
    assert token.kind is TokenKind.STRING
    text = token.text
    if text[0] in "LU" or (text[0] == "u" and not text.startswith("u8")):
        refuse("strings of wide characters are not supported", token.span)
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
        elif universal := _UNIVERSAL.match(text, position):
            result += chr(int(universal.group()[1:], 16)).encode("utf-8", "replace")
            position = universal.end()
        elif position < len(text) and text[position] in _ESCAPES:
            result.append(_ESCAPES[text[position]])
            position += 1
        elif position < len(text) and text[position] == "\n":
            position += 1
        else:
            fail(f"unknown escape in {token}", token.span)
    return result
