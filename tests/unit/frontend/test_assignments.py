"""Objects that ``=``, ``+=``, ``++`` and ``--`` name, found once; expected values are worked out by hand and agree with
NVRTC 13.0."""

from __future__ import annotations

import numpy as np
import pytest
from support.kernels import compute

I = np.arange(32)  # noqa: E741
ODD = (I & 1) == 1

DECLARATIONS = """
__device__ int next(int &k) { return k++; }
struct Steps {
    int x;
    __device__ int operator++() { x += 2; return 77; }
    __device__ int operator--(int) { return x--; }
};
struct Chain {
    int x;
    __device__ Chain &operator++() { x += 2; return *this; }
};
struct Pair { int x, y; };
"""

CASES = {
    "int a[3] = {1, 1, 1}; int v = --a[a[1]]; out[i] = v + 10 * a[0] + 100 * a[1];": 10,
    "int a[4] = {1, 5, 9, 3}, k = 1; int v = ++a[next(k)]; out[i] = v + 100 * k + 1000 * a[2];": 9206,
    "int a[4] = {1, 5, 9, 3}, *p = a; int v = ++*p++; out[i] = v + 100 * (p - a) + 1000 * a[1];": 5102,
    "int a[4] = {1, 5, 9, 3}, *p = a; int v = -- *++p; out[i] = v + 100 * (p - a) + 1000 * a[2];": 9104,
    "Steps c{3}; int v = ++c; int w = c--; out[i] = v + 100 * c.x + 10000 * w;": 50477,
    "Chain c{3}; Chain &d = ++++c; d.x++; ++(++c).x; out[i] = c.x;": 11,
    "int a = i; int v = (++a) * 2; int &r = ++a; r += 5; out[i] = v + 1000 * a;": 2 * (I + 1) + 1000 * (I + 7),
    "unsigned char a = 255; int v = ++a; int w = a--; int z = --a; out[i] = v + w * 1000 + z * 100000 + a;": 25400254,
    "int a[3] = {0, 1, 2}; a[a[a[2]]++]++; out[i] = a[0] + 10 * a[1] + 100 * a[2];": 410,
    "int a[3] = {1, 2, 0}, *p = a; int v = (*p++ = 5) + 1; out[i] = v * 100 + a[0] + 10 * (p - a);": 615,
    "signed char a = 1, b = 2; int v = ((i & 1 ? a : b) = 300); out[i] = v + a * 1000 + b * 100000;": (
        44 + np.where(ODD, 44_000 + 200_000, 1000 + 4_400_000)
    ),
    "signed char a = 1, b = 2; int v = ((i & 1 ? a : b) += 126); out[i] = v + a * 1000 + b * 100000;": (
        np.where(ODD, 127 + 127_000 + 200_000, -128 + 1000 - 12_800_000)
    ),
    "int a = 1, b = 2; ((i & 1 ? a : b) += 5) *= 2; out[i] = a + b * 100;": np.where(ODD, 212, 1401),
    "int a = 1, b = 2; int &r = ((i & 1 ? a : b) = 5); r++; out[i] = a + b * 100;": np.where(ODD, 206, 601),
    "int a = 1, b = 2; ++(i & 1 ? a : b); int v = --(i & 2 ? a : b); out[i] = v + a * 10 + b * 100;": (
        np.array([212, 121, 300, 211])[I & 3]
    ),
    "Pair a{1, 2}, b{3, 4}; (i & 1 ? a : b) = {5, 6}; out[i] = a.x + 10 * a.y + 100 * b.x + 1000 * b.y;": (
        np.where(ODD, 4365, 6521)
    ),
}


@pytest.mark.parametrize("statements", CASES)
def test_an_object_is_found_once(statements: str) -> None:
    assert compute(statements, DECLARATIONS).tolist() == np.broadcast_to(CASES[statements], 32).tolist()
