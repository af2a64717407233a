"""Types of expressions and conversions that are written like calls; expected values are
worked out by hand and agree with NVRTC 13.0."""

from __future__ import annotations

import numpy as np
import pytest
from support.kernels import compute

I = np.arange(32)  # noqa: E741

DECLARATIONS = """
struct Number {
    int x, y;
    __device__ Number(int a, int b) : x(a), y(b) {}
    __device__ explicit operator bool() const { return x != 0; }
    __device__ operator int() const { return x * 7 + y; }
};
struct Half {
    int x;
    __device__ explicit operator bool() const { return x != 0; }
    __device__ operator float() const { return x * 0.5f; }
};
struct Byte {
    int x;
    __device__ operator unsigned char() const { return x; }
    __device__ operator double() const { return x * 2; }
};
#if 'a' == 97 and not defined(LETTER)
#define LETTER 97
#endif
constexpr __host__ __device__ int triangle(int n) { int s = 0; for (int k = 1; k <= n; ++k) s += k; return s; }
"""

CASES = {
    "bool a = i & 1, b = i & 2; auto f = a | b; f |= 4; out[i] = f + sizeof(a ^ b) * 10;": 44 + ((I & 3) != 0),
    "bool a = i & 1, b = i & 2; a |= b; a &= i < 30; out[i] = ((a ^ b) & !b ? 1 : 0) + (i < 3 & i > 0) * 10;": (
        np.where(((I & 1) != 0) & ((I & 2) == 0) & (I < 30), 1, 0) + np.where((I > 0) & (I < 3), 10, 0)
    ),
    "int a[2] = {1, i}; auto x = true ? 1 : (a[1] ? a[1] : 4ll); auto y = 1 ? a[0] : 4.0; out[i] = sizeof(x) + y;": 9,
    "int m = i; if (int(m * 0.5f) % 2) out[i] = 1; else if (unsigned(m) < 4u) out[i] = 2;": (
        np.where((I // 2) % 2 == 1, 1, np.where(I < 4, 2, 0))
    ),
    "int *p = &i; switch (int(*p) & 1) { case 0: out[i] = (float(*p) + 1) * 2; break; default: out[i] = -1; }": (
        np.where(I & 1, -1, 2 * I + 2)
    ),
    "int a[2] = {i, 2}; int (*p)[2] = &a; int (&r)[2] = a; float(*q) = nullptr; out[i] = (*p)[1] + r[0] + !q;": I + 3,
    "short s = i - 3; unsigned h = 1; h = h * 31u + s; out[i] = h;": 28 + I,
    "unsigned char s = i; long long h = 1; h = h * 3 + s; int k = 2; k = k * 2 + (char)i; out[i] = h + k;": 7 + 2 * I,
    "unsigned a = ~0u; out[i] = __ballot_sync(a, 0.5f) + __any_sync(a, 1ll << 40) + __all_sync(a, i);": 0,
    "out[i] = __syncthreads_count(0.5f) + __syncthreads_or(1ull << 33) * 2 + __syncthreads_and(1.5f) * 4;": 4,
    "out[i] = sizeof(__shfl_sync(0xffffffffu, (short)3, 0)) + sizeof(__shfl_sync(0xffffffffu, true, 0)) * 10;": 44,
    "out[i] = sizeof(min(i, 3u)) + sizeof(llrint(2.0)) * 10 + sizeof(lround(2.5f)) * 100;": 884,
    "Number v(0, 2); out[i] = (unsigned)v + (bool)v * 10 + (v ? 100 : 0) + static_cast<short>(v) * 1000;": 2002,
    "Number v(0, 2); int a = v; float b = v; bool c(v); out[i] = a + b * 10 + c * 100 + (v * 3) * 1000;": 6022,
    "Half h{5}; out[i] = (unsigned)h + (bool)h * 10 + h * 4.f * 100;": 2 + 10 + 1000,
    "Byte b{300}; out[i] = (double)b + (unsigned char)b;": 600 + 44,
    "{ constexpr int t = triangle(3); int z[t] = {t}; out[i] = z[0]; } { int t = i; t += 2; out[i] += t; }": 8 + I,
    "int w = 43; for (; int t = w & 15; w >>= 1) { out[i] += t; if (w == 5) continue; if (w < 3) break; }": 33,
    "int w = 43; while (int t = w & 15) { out[i] += t; w >>= 1; if (w == 5) continue; if (w < 3) break; }": 31,
    "if (i == 1 and not (i > 2) or i bitand 4) out[i] = compl i xor LETTER;": (
        np.where((I == 1) | ((I & 4) != 0), ~I ^ 97, 0)
    ),
}  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), CASES.items(), ids=list(CASES))
def test_expressions_have_the_types_of_cpp(body: str, expected: object) -> None:
    np.testing.assert_array_equal(
        compute(body, DECLARATIONS), np.broadcast_to(np.asarray(expected, dtype=np.int32), 32)
    )
