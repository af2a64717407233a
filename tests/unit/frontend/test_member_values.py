"""Values that a struct's definition gives its members, wherever an object starts without values of its own; expected
values are worked out by hand and agree with NVRTC 13.0."""

from __future__ import annotations

import numpy as np
import pytest
from support.kernels import compute

DECLARATIONS = """
struct A { int a = 1; int b[2] = {3, 4}; int c = 9; };
struct B { A in; int d = 2; };
struct Pair { A x[2]; };
struct Derived : A { int e = 7; };
struct Deep : B { int y = 6; };
struct Empty {};
struct AfterEmpty : Empty { int q = 5; };
struct Made { int a, b; int z = 4; constexpr __host__ __device__ Made(int x = 6) : a(x * 2), b(7) {} };
struct Holds { Made k; int w; };
struct Built { Made a[2]; B b[2]; int n[3] = {1, 2}; __device__ Built() : b{} { n[2] += 4; } };
struct Dependent { int n = 3; int m = n * 2; int k = f(); __device__ int f() { return m + 1; } };
template <typename T, int N> struct Sums {
    T v[N] = {};
    int count = 0;
    __device__ void add(T x) { v[count++ % N] += x; }
};
union Either { int a; float f = 2.5f; };
struct Anonymous { Either u; int k = 1; union { int p; float q; }; };
__constant__ A in_constant;
__device__ A in_global;
__device__ B listed = {};
__device__ B three[3] = {{{8}}};
__constant__ Made made_default;
__constant__ Made made = Made(3);
__device__ Made in_brackets(4);
__device__ Made in_braces{5};
__device__ Made two[2] = {1, Made(2)};
__device__ int first(A a = A()) { return a.a; }
__device__ int third(B b = {}) { return b.in.b[0]; }
__device__ A nothing() { return {}; }
"""

CASES = {
    "A p = A(), q{}, r; out[i] = p.a + q.b[1] * 10 + r.c * 100;": 941,
    "B p = B(), q{}, r, s = {}; out[i] = p.in.a + q.in.b[1] * 10 + r.d * 100 + s.in.a * 1000;": 1241,
    "B p = {{2}}, q = {{2, {8}}, 4}; out[i] = p.in.a + p.in.b[1] * 10 + q.in.b[0] * 100 + q.in.b[1] * 7 + q.d;": 846,
    "Pair p, q{}; out[i] = p.x[1].a + p.x[0].b[1] * 10 + q.x[1].a * 100;": 141,
    "Derived p, q{}, r = Derived(), s = {{5}}; out[i] = p.a + q.a * 10 + r.e * 100 + s.a * 1000 + s.e * 10000;": 75711,
    "A p[2], q[2] = {}, r[2] = {{5}}; out[i] = p[1].a + q[1].b[1] * 10 + r[0].a * 100 + r[1].a * 1000;": 1541,
    "out[i] = A().a + A{}.b[1] * 10 + A{4}.a * 100 + B().in.c * 1000;": 9441,
    "out[i] = first() + 10 * third() + 100 * first({}) + 1000 * third({{7, {8}}}) + 10000 * nothing().b[0];": 38131,
    "auto f = [](A a) { return a.b[1]; }; out[i] = f({}) + 10 * f(A()) + 100 * f(A{3});": 444,
    "out[i] = in_constant.a + 10 * in_global.b[1] + 100 * listed.in.b[0] + 1000 * three[0].in.a"
    " + 10000 * three[2].d;": 28341,
    "out[i] = made_default.a + made.a * 100 + in_brackets.a * 1000 + in_braces.a * 10000 + two[1].a + two[0].z;": (
        12 + 600 + 8000 + 100000 + 4 + 4
    ),
    "AfterEmpty f, g{}, h = AfterEmpty(), k{{}}; out[i] = f.q + g.q * 10 + h.q * 100 + k.q * 1000;": 5555,
    "Holds v{}, w = {3, 4}, x = {{5}}, y; out[i] = v.k.a + w.k.a * 100 + x.k.b * 1000 + y.k.a * 10000 + w.w;": 127616,
    "constexpr Made k(3); constexpr Made l = Made(5); constexpr Holds v{}; static_assert(k.z == 4, \"\");"
    " out[i] = k.a + l.z * 10 + v.k.a * 100;": 1246,
    "Made k[3], l[2] = {}, m[3] = {1, 2}; out[i] = k[2].a + l[1].z * 100 + m[2].a * 1000 + m[0].a * 100000;": 212412,
    "Built w; out[i] = w.a[1].b + 10 * w.b[1].in.c + 100 * w.n[2] + 1000 * w.n[1];": 2497,
    "Dependent q, r{}, s{5}; out[i] = q.k + r.m * 10 + s.m * 100 + s.k * 10000;": 111067,
    "Sums<float, 4> a; Sums<int, 2> b{}; for (int k = 0; k < 6; k++) { a.add(k); b.add(k); }"
    " out[i] = a.v[1] + 10 * b.v[1] + 100 * a.count;": 696,
    "Deep h, g{}, k{{{2}}}, l = {{{2}, 5}, 7}; out[i] = h.y + h.in.a * 10 + g.in.b[0] * 100 + k.in.a * 1000"
    " + k.y * 10000 + l.d * 100000 + l.y * 1000000;": 7562316,
    "Either u, v{}; Anonymous z, w{}, x = {{4}, 3, {7}}; out[i] = u.f * 2 + v.f * 4 + z.u.f * 100 + w.u.f * 1000"
    " + z.k + w.k + x.p * 10000 + x.k * 100000;": 5 + 10 + 250 + 2500 + 2 + 70000 + 300000,
    "dim3 d, e(3), f{4, 5}, h = dim3(); constexpr dim3 g(2); out[i] = d.x + d.z + e.y * 10 + f.z * 100 + g.z * 1000"
    " + h.y * 10000 + f.y * 100000;": 511112,
}  # fmt: skip


@pytest.mark.parametrize("statements", CASES)
def test_members_have_the_values_of_their_definition(statements: str) -> None:
    assert np.array_equal(compute(statements, DECLARATIONS), np.full(32, CASES[statements]))
