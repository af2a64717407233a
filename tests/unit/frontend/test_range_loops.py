"""Range-based loops over objects with ``begin()`` and ``end()``, and operators of structs within structs or functions;
expected values are worked out by hand and agree with NVRTC 13.0."""

from __future__ import annotations

import numpy as np
import pytest
from support.kernels import compute

I = np.arange(32)  # noqa: E741

DECLARATIONS = """
template <typename T> struct Stack {
    T data[3];
    int top = 0;
    __device__ T *begin() { return data; }
    __device__ T *end() { return data + top; }
    __device__ void push(T value) { data[top++] = value; }
};
struct Holder { Stack<float> stack; };
struct Pair {
    int d[2];
    __device__ const int *begin() const { return d; }
    __device__ const int *end() const { return d + 2; }
};
struct Strided {
    int low, high, step;
    struct Iterator {
        int k, step;
        __device__ int operator*() const { return k; }
        __device__ Iterator &operator++() { k += step; return *this; }
        __device__ bool operator!=(Iterator other) const { return k < other.k; }
    };
    __device__ Iterator begin() const { return {low, step}; }
    __device__ Iterator end() const { return {high, step}; }
};
__device__ Strided grid_stride(int n) { return {(int)threadIdx.x, n, (int)blockDim.x}; }
"""

CASES = {
    "Stack<int> v; v.push(i); v.push(3); for (int x : v) out[i] += x; for (auto &x : v) x *= 2;"
    " for (const auto &x : v) { if (x == 6) break; out[i] += x * 1000; }": I + 3 + np.where(I == 3, 0, 2000 * I),
    "Holder h; h.stack.push(1.5f); h.stack.push(i); float s = 0; for (float x : h.stack) s += x;"
    " Stack<int> w[2]; w[1].push(4); for (int x : w[1]) s += x * 100; out[i] = s;": I + 401,
    "const Pair w{{4, i}}; for (int x : w) for (int y : w) out[i] += x * y;": (I + 4) ** 2,
    "for (int k : grid_stride(100)) out[i] += k;": np.array([sum(range(lane, 100, 32)) for lane in range(32)]),
    "Strided r{0, i, 1}; for (auto k : r) { if (k == 2) continue; out[i] += k; }": (
        I * (I - 1) // 2 - np.where(I > 2, 2, 0)
    ),
    "struct Local { int k; __device__ Local operator+(Local o) const { return {k + o.k}; } }; Local a{1}, b{i};"
    " out[i] = (a + b).k;": I + 1,
}  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), CASES.items(), ids=list(CASES))
def test_loops_over_objects_are_those_of_cpp(body: str, expected: object) -> None:
    np.testing.assert_array_equal(compute(body, DECLARATIONS), np.broadcast_to(np.asarray(expected), 32))
