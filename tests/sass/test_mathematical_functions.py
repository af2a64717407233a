"""Mathematical functions as C++ files call them: the global ones and those of ``std``, after ``using namespace std``,
of floats, doubles, integers and mixed types, by the rules of [cmath.syn]."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

import warpview as wv
from tests.support.compilers import COMPILERS

_IN_MATH = """acos asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 fabs floor lgamma log log10 log1p
    log2 sin sinh sqrt tan tanh trunc"""
ONE: dict[str, Callable[[float], float]] = {name: getattr(math, name) for name in _IN_MATH.split()} | {
    "tgamma": math.gamma, "rint": round, "nearbyint": round, "round": lambda x: math.floor(x + 0.5),
    "acosh": lambda x: math.acosh(x) if x >= 1 else math.nan, "logb": lambda x: math.frexp(x)[1] - 1.0,
}  # fmt: skip
TWO: dict[str, Callable[[float, float], float]] = {
    "atan2": math.atan2, "copysign": math.copysign, "fmax": max, "fmin": min, "fmod": math.fmod, "hypot": math.hypot,
    "nextafter": math.nextafter, "pow": math.pow, "remainder": math.remainder,
    "fdim": lambda x, y: max(x - y, 0.0),
}  # fmt: skip
HEADS = ("", "#include <cmath>\nusing namespace std;\n", "#include <cmath>\n#include <complex>\nusing namespace std;\n",
         "#include <functional>\n#include <array>\nusing namespace std;\n")  # fmt: skip
X, Y = 0.7, 2.5


def results(head: str, expressions: list[str], compiler: str) -> list[float]:
    """Return the values of expressions of ``x`` and ``y`` (floats), ``dx`` and ``dy`` (doubles) and ``i`` (1)."""
    body = "".join(f"o[{k}] = {expression};\n" for k, expression in enumerate(expressions))
    source = f"{head}__global__ void k(double *o, double dx, double dy, int i) {{ float x = dx, y = dy; {body} }}\n"
    program = wv.compile(source, kernel="k", compiler=compiler)
    run = wv.simulate(program, 1, 1, [np.zeros(len(expressions)), X, Y, 1])
    return list(map(float, run.buffers["o"]))


OF_ONE_TYPE = [f"10 * sizeof({name}(x)) + sizeof({name}(dx))" for name in ONE]
OF_ONE_TYPE += [f"10 * sizeof({name}(x, y)) + sizeof({name}(dx, dy))" for name in TWO]
MIXED = [f"10 * sizeof({name}(i)) + sizeof({name}((unsigned char)1))" for name in ONE]
MIXED += [f"10 * sizeof({name}(x, dy)) + sizeof({name}(i, x))" for name in TWO]
MIXED += ["sqrt(i * 2) + pow(i + 1, 3) + fmax(i, 2.5f) + atan2(x, i)"]


@cache
def of_types(head: str, compiler: str) -> list[float]:
    """Return the values of both lists of calls, for which a head is read once: it takes up to a second."""
    return results(head, OF_ONE_TYPE + MIXED, compiler)


@pytest.mark.parametrize("head", HEADS, ids=["no header", "cmath", "complex", "array"])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_every_function_is_called_without_ambiguity(head: str, compiler: str) -> None:
    """The type of the result is that of the arguments: float of floats, double of all else."""
    assert of_types(head, compiler)[: len(OF_ONE_TYPE)] == [48.0] * len(OF_ONE_TYPE)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_functions_of_floats(compiler: str) -> None:
    calls = [f"{name}(x)" for name in ONE] + [f"{name}(x, y)" for name in TWO]
    expected = [function(X) for function in ONE.values()] + [function(X, Y) for function in TWO.values()]
    assert results(HEADS[1], calls, compiler) == pytest.approx(expected, rel=1e-6, nan_ok=True)


@pytest.mark.parametrize("head", HEADS, ids=["no header", "cmath", "complex", "array"])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_integers_and_mixed_arguments_count_as_double(head: str, compiler: str) -> None:
    expected = [88.0] * (len(MIXED) - 1) + [math.sqrt(2) + 8 + 2.5 + math.atan2(np.float32(X), 1)]
    assert of_types(head, compiler)[len(OF_ONE_TYPE) :] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_std_has_the_functions_of_cuda(compiler: str) -> None:
    calls = [f"std::{name}(dx)" for name in ONE] + [f"std::{name}(dx, dy)" for name in TWO]
    expected = [function(X) for function in ONE.values()] + [function(X, Y) for function in TWO.values()]
    assert results("#include <cmath>\n", calls, compiler) == pytest.approx(expected, rel=1e-12, nan_ok=True)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_numbers_are_classified_and_taken_apart(compiler: str) -> None:
    calls = {
        "isnan(x) + 2 * isinf(dx / 0) + 4 * isfinite(x) + 8 * signbit(-dx) + 16 * isnan(sqrt(-x))": 30.0,
        "abs(-x) + abs(-dy) + abs(-3) + labs(-4l) + llabs(-5ll)": 15.2,
        "10 * sizeof(abs(x)) + sizeof(abs(-5ll))": 48.0,
        "lround(x) + llround(dy) + lrint(dx) + lroundf(y) + llrintf(x)": 9.0,
        "ldexp(x, 3) + ldexpf(x, 1) + scalbn(dx, 2) + ilogb(y)": 5.6 + 1.4 + 2.8 + 1,
        "clamp(i * 5, 2, 4) + max(i, 3) + min(dx, 0.5) + fma(dx, dy, 1.)": 4 + 3 + 0.5 + 2.75,
    }
    head = "#include <cmath>\n#include <algorithm>\nusing namespace std;\n"
    assert results(head, list(calls), compiler) == pytest.approx(list(calls.values()), rel=1e-6)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_pow_of_a_float_and_an_integer_is_double(compiler: str) -> None:
    """As nvcc 13.0 has it (sizeof on an H200); NVRTC itself has one that is float."""
    head = "#include <cmath>\nstruct Base { int x; __device__ int pow(int n) const { return x * n; } };\n"
    calls = {
        "sizeof(pow(x, 2)) + 10 * sizeof(std::pow(x, 2)) + 100 * sizeof(pow(x, y)) + 1000 * sizeof(pow(2, x))": 8488.0,
        "::pow(x, 2) - std::pow((double)x, 2.0)": 0.0,
        "Base{3}.pow(4)": 12.0,
    }
    assert results(head, list(calls), compiler) == list(calls.values())


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_wrong_call_of_pow_is_told_by_its_name(compiler: str) -> None:
    with pytest.raises(wv.CompileError, match="pow") as refused:
        wv.compile("struct S {}; __global__ void k(float *o, S s) { o[0] = pow(o[0], s); }", compiler=compiler)
    assert "warpview" not in str(refused.value)
