"""Compute MATH1 and MATH2 in double precision; the caller rounds an F32 result once.

Python's ``math`` raises where C's returns an infinity or NaN; ``_total`` gives C's answer.
"""

from __future__ import annotations

import ctypes
import math
import os
from collections.abc import Callable

from warpview.isa.modes import MathFn
from warpview.isa.values import INFINITY, NAN

Unary = Callable[[float], float]
Binary = Callable[[float, float], float]

_C = ctypes.CDLL(None) if os.name == "posix" else ctypes.CDLL("ucrtbase")


def _c_function(name: str, n_arguments: int) -> Callable[..., float]:
    """Return a function of the C library for which Python's ``math`` has an algorithm of its own."""
    function = _C[name]
    function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double] * n_arguments

    def call(*arguments: float) -> float:
        result: float = function(*arguments)
        return result

    return call


def _total(function: Unary, overflow: Unary = lambda x: INFINITY, domain: Unary = lambda x: NAN) -> Unary:
    """Return ``function`` with C's results where Python raises: ``overflow(x)`` and ``domain(x)``."""

    def total(x: float) -> float:
        if x != x:
            return NAN
        try:
            return function(x)
        except OverflowError:
            return overflow(x)
        except ValueError:
            return domain(x)

    return total


def _with_sign(x: float) -> float:
    return math.copysign(INFINITY, x)


def _pole(at: float) -> Unary:
    """Return minus infinity at a pole, NaN elsewhere outside the domain."""
    return lambda x: -INFINITY if x == at else NAN


def _integral(function: Callable[[float], int]) -> Unary:
    """Return a rounding to an integer that keeps infinities and the sign of zero."""
    return lambda x: x if x != x or abs(x) == INFINITY else math.copysign(float(function(x)), x)


def _half_away(x: float) -> int:
    whole = math.trunc(x)
    return whole + int(math.copysign(1, x)) if abs(x - whole) >= 0.5 else whole


UNARY: dict[MathFn, Unary] = {
    MathFn.SIN: _total(math.sin),
    MathFn.COS: _total(math.cos),
    MathFn.TAN: _total(math.tan),
    MathFn.ASIN: _total(math.asin),
    MathFn.ACOS: _total(math.acos),
    MathFn.ATAN: _total(math.atan),
    MathFn.SINH: _total(math.sinh, overflow=_with_sign),
    MathFn.COSH: _total(math.cosh),
    MathFn.TANH: _total(math.tanh),
    MathFn.EXP: _total(math.exp),
    MathFn.EXP2: _total(math.exp2),
    MathFn.EXP10: _total(lambda x: math.pow(10.0, x)),
    MathFn.EXPM1: _total(math.expm1),
    MathFn.LOG: _total(math.log, domain=_pole(0.0)),
    MathFn.LOG2: _total(math.log2, domain=_pole(0.0)),
    MathFn.LOG10: _total(math.log10, domain=_pole(0.0)),
    MathFn.LOG1P: _total(math.log1p, domain=_pole(-1.0)),
    MathFn.CBRT: _total(math.cbrt),
    MathFn.ERF: _total(math.erf),
    MathFn.ERFC: _total(math.erfc),
    MathFn.FLOOR: _integral(math.floor),
    MathFn.CEIL: _integral(math.ceil),
    MathFn.TRUNC: _integral(math.trunc),
    MathFn.ROUND: _integral(_half_away),
    MathFn.RINT: _integral(round),
    MathFn.TGAMMA: _c_function("tgamma", 1),
    MathFn.LGAMMA: _c_function("lgamma", 1),
}


def _pow(x: float, y: float) -> float:
    try:
        return math.pow(x, y)
    except OverflowError:
        odd = y == math.floor(y) and math.fmod(y, 2.0) != 0
        return -INFINITY if x < 0 and odd else INFINITY
    except ValueError:
        if x == 0:  # and y < 0
            odd = y == math.floor(y) and math.fmod(y, 2.0) != 0
            return math.copysign(INFINITY, x) if odd else INFINITY
        return NAN


def _fmod(x: float, y: float) -> float:
    return NAN if x != x or y != y or abs(x) == INFINITY or y == 0 else math.fmod(x, y)


def _remainder(x: float, y: float) -> float:
    return NAN if x != x or y != y or abs(x) == INFINITY or y == 0 else math.remainder(x, y)


def _fdim(x: float, y: float) -> float:
    if x != x or y != y:
        return NAN
    return x - y if x > y else 0.0


BINARY: dict[MathFn, Binary] = {
    MathFn.POW: _pow,
    MathFn.ATAN2: math.atan2,
    MathFn.FMOD: _fmod,
    MathFn.HYPOT: _c_function("hypot", 2),
    MathFn.COPYSIGN: math.copysign,
    MathFn.FDIM: _fdim,
    MathFn.REMAINDER: _remainder,
}


def sqrt(x: float) -> float:
    """Return the square root: NaN below zero, -0 of -0."""
    return math.sqrt(x) if x >= 0 else (x if x == 0 else NAN)


def divide(x: float, y: float) -> float:
    """Divide in double precision as IEEE 754 has it."""
    if y != 0:
        return x / y
    if x == 0 or x != x:
        return NAN
    return math.copysign(INFINITY, x) * math.copysign(1.0, y)
