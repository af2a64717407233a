"""Lists of initial values without inner braces, members of base classes by name, references to one of two objects,
``operator->``, order of evaluation; expected values are worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from support.kernels import compute

I = np.arange(32)  # noqa: E741

DECLARATIONS = """
struct Point { int x, y; };
struct Segment { Point a, b; int w; };
__constant__ int flat[2][3] = {1, 2, 3, 4, 5};
__device__ const int rows[][2] = {1, 2, 3, 4, 5, 6};
__constant__ Segment segments[2] = {1, 2, 3, 4, 5, {{6, 7}, {8}}};
struct First { int a = 1, b; __device__ int who() { return 10; } };
struct Second { int c = 7; };
struct Both : First, Second {
    int a = 5;
    __device__ int who() { return 20 + First::who(); }
    __device__ int own_and_inherited() { First::a += 1; return a * 100 + First::a * 10 + Second::c; }
};
struct Holder { int m; __device__ int twice() const { return 2 * m; } };
struct Arrow { Holder *to; __device__ Holder *operator->() const { return to; } };
__device__ int area(Point corner) { int i = 1000; return corner.x * corner.y + 0 * i; }
"""

CASES = {
    "int a[2][2] = {1, 2, i}; out[i] = a[0][1] + a[1][0] * 10 + a[1][1] * 100;": 2 + 10 * I,
    "int a[][2] = {i, 2, 3, 4, 5}; out[i] = sizeof(a) + a[2][0] * 100 + a[2][1] + a[0][0] * 1000;": 524 + 1000 * I,
    "out[i] = flat[i & 1][i % 3] + rows[i % 3][1] * 10 + sizeof(rows) * 100;": (
        np.array([[1, 2, 3], [4, 5, 0]])[I & 1, I % 3] + np.array([2, 4, 6])[I % 3] * 10 + 2400
    ),
    "out[i] = segments[0].b.y * 100 + segments[0].w * 10 + segments[1].a.y + segments[1].b.x;": 400 + 50 + 7 + 8,
    "Point p[2] = {1, 2, i, 4}; Segment s = {p[0], 5, i, 7}; out[i] = p[1].x + s.a.y * 100 + s.b.y * 1000 + s.w;": (
        207 + 1001 * I
    ),
    "Segment t[] = {1, 2, 3, 4, 5, 6}; out[i] = sizeof(t) + t[1].a.x * 100;": 640,
    "struct { float4 v[2]; int k; } u = {1, 2, 3, 4, 5, 6, 7, 8, i}; out[i] = (int)u.v[1].x + u.k * 100;": 5 + 100 * I,
    "float4 w[2] = {make_float4(1, 2, 3, 4), 5, 6, 7, 8}; out[i] = (int)(w[0].w * 10 + w[1].w);": 48,
    'char s[2][4] = {"abc", "de"}; out[i] = s[1][i & 1] + sizeof("hello") * 1000 + sizeof(s);': (
        np.where(I & 1, ord("e"), ord("d")) + 6008
    ),
    "const int k[2][2] = {1, 2, 3, 4}; constexpr int q[2][2] = {5, 6, 7, 8}; out[i] = k[i & 1][1] + q[1][0] * 10;": (
        np.where(I & 1, 4, 2) + 70
    ),
    "static const int primes[] = {2, 3, 5}; int sum = 0; for (int p : primes) sum += i % p; out[i] = sum;": (
        I % 2 + I % 3 + I % 5
    ),
    "Both b; out[i] = b.own_and_inherited() + b.First::a * 1000 + b.who() * 10000 + b.First::who() * 1000000;": (
        527 + 2000 + 300000 + 10000000
    ),
    "Holder h{i}; Arrow p{&h}; p->m += 1; out[i] = p->twice() + p->m * 100;": 102 * (I + 1),
    "int x = i, y = 3; int &r = i > 5 ? x : y; r += 10; const int &c = i > 5 ? x : 7; out[i] = x + y * 9 + c * 99;": (
        np.where(I > 5, (I + 10) * 100 + 27, I + 117 + 693)
    ),
    "int a[3] = {0}; int j = 0; a[j++] = j; a[j++] += j + i; out[i] = a[0] + a[1] * 10 + a[2] * 100;": 10 * (I + 1),
    "out[i] = u8'b' + L'a' + i;": 195 + I,
    "int corner = 3; out[i] = area({i, corner}) * 100 + area({corner + 1, i});": 304 * I,  # names of the caller
}  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), CASES.items(), ids=list(CASES))
def test_values_are_those_of_cpp(body: str, expected: object) -> None:
    np.testing.assert_array_equal(compute(body, DECLARATIONS), np.broadcast_to(np.asarray(expected), 32))
