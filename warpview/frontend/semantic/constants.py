"""Compute at compile time, with the results that the GPU would give."""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable

from warpview.frontend.semantic.types import Scalar, wrap
from warpview.isa.types import Type

Number = int | float

_COMPARISONS: dict[str, Callable[[Number, Number], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_INTEGER: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}
_FLOAT: dict[str, Callable[[float, float], float]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}


def round_to(value: float, type: Scalar) -> float:
    """Return a float as it reads after it was stored in ``type``."""
    if type.isa != Type.F32 or math.isnan(value) or math.isinf(value):
        return value
    try:
        return float(struct.unpack("<f", struct.pack("<f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def convert_number(value: Number, to: Scalar) -> Number:
    """Return a number as the GPU converts it: floats to integers truncate and saturate, NaN gives 0 (64 bits: the
    highest)."""
    if to.is_float:
        return round_to(_to_float(value), to)
    if to.is_bool:
        return int(value != 0)
    if isinstance(value, float):
        bits = 8 * max(4, to.size)  # narrower integers are converted by way of int
        low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if to.is_signed else (0, (1 << bits) - 1)
        if math.isnan(value):
            return wrap(0 if bits == 32 else 1 << 63, to)
        value = high if value >= high else low if value <= low else math.trunc(value)
    return wrap(value, to)


def _to_float(value: Number) -> float:
    return float(value)


def compare(op: str, a: Number, b: Number) -> int:
    return int(_COMPARISONS[op](a, b))


def fold(op: str, a: Number, b: Number, type: Scalar) -> Number | None:
    """Return ``a op b`` in ``type``, to which both were converted; None where the result is better left to run time."""
    if type.is_float:
        if op == "/":
            return _quotient(float(a), float(b), type)
        return round_to(_FLOAT[op](float(a), float(b)), type) if op in _FLOAT else None
    a, b = int(a), int(b)
    if op in _INTEGER:
        return wrap(_INTEGER[op](a, b), type)
    if op in ("/", "%"):
        if b == 0:
            return None
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return wrap(quotient if op == "/" else a - b * quotient, type)
    bits = 8 * type.size
    if op == "<<":
        return wrap(a << b, type) if 0 <= b < bits else 0
    if op == ">>":
        return wrap(a >> b, type) if 0 <= b < bits else (-1 if a < 0 else 0)
    return None


def _quotient(a: float, b: float, type: Scalar) -> float | None:
    if b == 0:
        return None
    try:
        return round_to(a / b, type)
    except OverflowError:
        return None
