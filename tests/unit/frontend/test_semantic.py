"""Types are found without writing code, and constants by evaluating: functions, loops, arrays and structs of C++."""

from __future__ import annotations

import numpy as np
import pytest
from support.kernels import compute, program_of

from warpview.diagnostics import CompileError
from warpview.frontend.lower.builtins.results import FUNCTIONS_WITH_RESULT
from warpview.frontend.lower.provided import KNOWN_FUNCTIONS
from warpview.frontend.semantic import evaluation

I = np.arange(32)  # noqa: E741

FILE = """
template <class A, class B> struct same { enum { value = 0 }; };
template <class A> struct same<A, A> { enum { value = 1 }; };
struct Vec { float x, y; __device__ float dot(const Vec &o) const { return x * o.x + y * o.y; } };
__device__ Vec operator+(const Vec &a, const Vec &b) { Vec r = {a.x + b.x, a.y + b.y}; return r; }
__device__ double twice(double x) { return 2 * x; }
__device__ int twice(int x) { return 2 * x; }
template <class T> __device__ auto half(T x) { T y = x / 2; if (y > 3) { return y; } return y + T(1); }
__device__ int &first(int *p) { return p[0]; }
"""


def compiles(statements: str, file: str = "") -> None:
    head = "__global__ void kernel(int *out, float *f, int n)"
    program_of(f"{FILE}{file}\n{head} {{ int i = 0; {statements} }}", "kernel")


class TestTypes:
    @pytest.mark.parametrize(
        ("expression", "type"),
        [
            ("i + 1.0f", "float"), ("i * 2u", "unsigned"), ("(char)1 + (char)2", "int"), ("n ? i : 2.5", "double"),
            ("f + i", "float *"), ("&f[3] - f", "long"), ("!f", "bool"), ("i << 2ll", "int"), ("sizeof(i)", "size_t"),
            ("twice(1)", "int"), ("twice(1.0)", "double"), ("half(3u)", "unsigned"), ("half(1.5f)", "float"),
            ("Vec().dot(Vec())", "float"), ("(Vec() + Vec()).x", "float"), ("+first(out)", "int"), ("i, 2.5", "double"),
            ("threadIdx.x", "unsigned"), ("__popc(n)", "int"), ("__shfl_sync(~0u, 1.5f, 0)", "float"),
            ("atomicAdd(f, 1.0f)", "float"), ("min(1ll, 2ll)", "long long"), ("sqrt(2.0f)", "float"),
            ("sqrt(2)", "double"), ("sinf(1)", "float"), ("make_int2(1, 2).y", "int"),
            ("__float_as_int(1.0f)", "int"), ("clock64()", "long long"),
            ("[](int x) { return x * 0.5f; }(3)", "float"), ("[=](auto x) { return x; }(3u)", "unsigned"),
            ("__ballot_sync(~0u, n)", "unsigned"), ("__ldg(f)", "float"), ("abs(-3)", "int"), ("fmaxf(1, 2)", "float"),
        ],
    )  # fmt: skip
    def test_decltype(self, expression: str, type: str) -> None:
        compiles(f"typedef decltype({expression}) found; typedef {type} wanted;"
                 "static_assert(same<found, wanted>::value, \"\"); wanted x; out[0] = sizeof(x);")  # fmt: skip

    def test_sizeof_evaluates_nothing(self) -> None:
        program = program_of("__global__ void k(int *out) { out[0] = sizeof(out[atomicAdd(out, 1)]); }")
        assert [str(i.op.name) for i in program.instructions] == ["ST", "EXIT"]

    def test_the_size_of_nested_structs_takes_no_time(self) -> None:
        nest = "struct S0 { int x; };" + "".join(f"struct S{i + 1} {{ S{i} a, b; }};" for i in range(40))
        compiles("S40 s; out[0] = sizeof(s) >> 40;", nest)
        compiles("S9 s{}, same = s; S9 moved = static_cast<S9 &&>(s); out[0] = moved.a.a.a.a.a.a.a.a.a.x;", nest)

    def test_every_function_of_cuda_has_a_result(self) -> None:
        assert {name for name in KNOWN_FUNCTIONS if not name.startswith("make_")} <= FUNCTIONS_WITH_RESULT


class TestConstants:
    @pytest.mark.parametrize(
        ("file", "expression", "value"),
        [
            ("constexpr int f(int n) { int s = 0; for (int k = 0; k <= n; ++k) { if (k % 2) continue; s += k; }"
             "return s; }", "f(10)", 30),
            ("constexpr int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }", "f(12)", 144),
            ("constexpr int f(int n) { int a[8] = {1, 2}; for (int k = 2; k < 8; ++k) a[k] = a[k - 1] + a[k - 2];"
             "return a[n]; }", "f(7)", 34),
            ("struct P { int x, y; constexpr P(int a, int b) : x(a), y(b) {}"
             "constexpr int sum() const { return x + y; } };"
             "constexpr P p(3, 4);", "p.sum() * p.x", 21),
            ("template <int N> constexpr int f() { return N * f<N - 1>(); }"
             "template <> constexpr int f<0>() { return 1; }", "f<5>()", 120),
            ("template <int N> __device__ int f() { return f<N - 1>() + f<N - 2>(); }"
             "template <> __device__ int f<0>() { return 0; } template <> __device__ int f<1>() { return 1; }",
             "f<25>()", 75025),
            ("constexpr int t[3][2] = {{1, 2}, {3, 4}, {5, 6}};", "t[2][1] + t[1][0]", 9),
            ("constexpr int bits(unsigned n) { int s = 0; while (n) { s += n & 1; n >>= 1; } return s; }",
             "bits(0xff0fu)", 12),
            ("constexpr int f(int n) { do { n /= 2; } while (n > 3); return n; }", "f(100)", 3),
            ("constexpr void grow(int &x) { x += 5; } constexpr int f() { int x = 1; grow(x); grow(x); return x; }",
             "f()", 11),
            ("enum { A = 3, B = A * 2 };", "max(A, B) - (int)(7.9f / 2) + (1 ? 2 : 0) + (A < B && !0)", 6),
        ],
    )  # fmt: skip
    def test_they_are_array_lengths_and_values(self, file: str, expression: str, value: int) -> None:
        marked = file.replace("constexpr int", "__device__ constexpr int")
        marked = marked.replace("constexpr void", "__device__ constexpr void")
        assert compute(f"__shared__ char room[{expression}]; out[i] = sizeof(room);", marked)[0] == value
        assert compute(f"constexpr int x = {expression}; out[i] = x;", marked)[0] == value

    def test_a_local_constant_array_is_known(self) -> None:
        np.testing.assert_array_equal(
            compute("constexpr int a[3] = {4, 5, 6}; int b[a[1]]; b[4] = i; out[i] = b[a[0]] + a[2];"), I + 6
        )

    @pytest.mark.parametrize(
        ("file", "statement", "message"),
        [
            ("constexpr int g(int n) { return n < 2 ? n : g(n - 1) + g(n - 2); }", "constexpr int x = g(40);", "steps"),
            ("constexpr int g(int n) { while (true) n++; return n; }", "constexpr int x = g(1);", "steps"),
            ("constexpr int g(int n) { return g(n + 1); }", "constexpr int x = g(1);", "nested too deeply"),
            ("", "constexpr int x = n;", "the value of 'x' must be known at compile time"),
            ("", "int a[n];", "the length of an array must be known at compile time"),
            ("", "int a[nothing];", "unknown name 'nothing'"),
            ("", "int a[1 / 0];", "divides by zero"),
        ],
    )
    def test_what_is_none_is_said(
        self, monkeypatch: pytest.MonkeyPatch, file: str, statement: str, message: str
    ) -> None:
        monkeypatch.setattr(evaluation, "MAX_STEPS", 20_000)
        with pytest.raises(CompileError, match=message):
            compiles(statement, file)
