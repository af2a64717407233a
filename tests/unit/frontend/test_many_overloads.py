"""A call looks at the functions whose parameters have the types of its arguments before it looks at others."""

from __future__ import annotations

import pytest
from support.calls import calls_in
from support.kernels import compute, program_of


def overloads(count: int) -> str:
    functions = (f"struct S{k} {{ int v; }};\n__device__ int f(S{k} s) {{ return s.v; }}\n" for k in range(count))
    calls = (f"    o[{k}] = f(S{k}{{{k}}});\n" for k in range(count))
    return "".join(functions) + "__global__ void k(int *o) {\n" + "".join(calls) + "}\n"


@pytest.mark.parametrize("module", ["semantic.implicit_conversions", "semantic.type_resolution", "syntax.walk"])
def test_the_work_of_calling_each_of_many_overloads_grows_as_their_number(module: str) -> None:
    few, many = (
        calls_in(lambda n=n: program_of(overloads(n)), f"warpview.frontend.{module}").total() for n in (20, 40)
    )
    assert 0 < many < 2.5 * few


@pytest.mark.parametrize(
    ("functions", "call", "result"),
    [
        ("int f(int &x) { return 1; } $ int f(double x) { return 2; }", "f(5)", 2),
        ("int f(int &x) { return 1; } $ int f(double x) { return 2; }", "f(i)", 1),
        ("int f(const int *p) { return 1; } $ int f(int *p) { return 2; } $ int f(void *p) { return 3; }", "f(&i)", 2),
        ("int f(int x, int y = 7) { return y; } $ int f(long x) { return 2; }", "f(i)", 7),
        ("int f(int (&x)[2]) { return 1; } $ int f(long x) { return 2; }", "f(a)", 1),
        ("int f(long x) { return 1; } $ template <class T> $ int f(T x) { return 2; }", "f(i)", 2),
        ("int f(int x) { return 1; } $ template <class T> $ int f(T x) { return 2; }", "f(i)", 1),
        ("int f(int x) { return 1; } $ int f(int x, ...) { return 2; }", "f(i)", 1),
    ],
)
def test_the_best_function_is_called_whether_or_not_one_fits_exactly(functions: str, call: str, result: int) -> None:
    text = functions.replace("template <class T> $", "template <class T> __device__").replace("$", "__device__")
    assert (
        compute(
            f"int a[2] = {{1, 2}}; out[i] = {call} + a[0] - 1;",
            f"__device__ {text}".replace("__device__ template", "template"),
        )[0]
        == result
    )
