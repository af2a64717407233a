"""Variables that are static in a function: in memory, one for each instance of the function."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from tests.support.compilers import COMPILERS

SOURCE = """
template <int N> __device__ int next(int by) { static int n = N; return atomicAdd(&n, by); }
struct Counter { __device__ int count() const { static int calls; return atomicAdd(&calls, 1); } };
__global__ void k(int *out, const int *in) {
    static __device__ const float weights[2] = {1.5f, 2.5f};
    static __constant__ int bits[2] = {7, 9};
    int t = threadIdx.x;
    out[t] = next<100>(1) + next<1000>(0);
    out[32 + t] = weights[in[t] & 1] * bits[in[t] & 1];
    Counter a, b;
    if (t == 0) out[64] = a.count() + b.count() + b.count();
}
"""


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_static_variable_has_one_place_for_all_threads(compiler: str) -> None:
    program = wv.compile(SOURCE, compiler=compiler)
    run = wv.simulate(program, 1, 32, [np.zeros(65, np.int32), np.arange(32, dtype=np.int32)])
    out = run.buffers["out"]
    assert sorted(out[:32]) == list(range(1100, 1132))
    assert list(out[32:64]) == [10, 22] * 16
    assert out[64] == 0 + 1 + 2


def test_only_static_variables_may_be_marked_in_a_function() -> None:
    with pytest.raises(wv.CompileError, match="can only be declared outside functions"):
        wv.compile("__global__ void k(int *o) { __device__ int n; o[0] = n; }")
    with pytest.raises(wv.CompileError, match="can only be declared outside functions"):
        wv.compile("__global__ void k(int *o) { static __managed__ int n; o[0] = n; }")
