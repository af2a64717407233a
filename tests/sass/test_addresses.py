"""Addresses in machine code: a single register beside a pair of uniform ones, and the stack of recursive functions."""

from __future__ import annotations

import numpy as np
import pytest
from sass.test_generic_atomics import outcomes

import warpview as wv
from warpview.sass import nvrtc

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
THREADS = 32

TABLE = """
__device__ const char table[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
__device__ char kept[64];
__global__ void k(int *out) {
    unsigned t = threadIdx.x;
    kept[t * 3 & 31] = t;
    __syncwarp();
    out[t] = table[(t * 7 & 255) >> 2] + table[t + 5] * 256 + kept[t] * 65536;
}
"""
RECURSIVE = """
__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__device__ int depth(int n) { int a[4] = {n, 1, 2, 3}; return n == 0 ? a[n & 3] : depth(n - 1) + a[n & 3]; }
__global__ void k(int *out) { out[threadIdx.x] = fib(threadIdx.x % 8) + depth(threadIdx.x % 5) * 100; }
"""


def expected_of_table() -> list[int]:
    letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    kept = {t * 3 & 31: t for t in range(THREADS)}
    return [letters[(t * 7 & 255) >> 2] + letters[t + 5] * 256 + kept[t] * 65536 for t in range(THREADS)]


def expected_of_recursion() -> list[int]:
    def fib(n: int) -> int:
        return n if n < 2 else fib(n - 1) + fib(n - 2)

    def depth(n: int) -> int:
        return 0 if n == 0 else depth(n - 1) + (n, 1, 2, 3)[n & 3]

    return [fib(t % 8) + depth(t % 5) * 100 for t in range(THREADS)]


@pytest.mark.parametrize("device", ["rtx2080", "h200", "b200"])
@pytest.mark.parametrize(("source", "expected"), [(TABLE, expected_of_table()), (RECURSIVE, expected_of_recursion())])
def test_both_engines_compute_what_the_source_says(source: str, expected: list[int], device: str) -> None:
    program = wv.compile(source, kernel="k", compiler="nvrtc", device=device)
    for (out,) in outcomes(program, device, [np.zeros(THREADS, np.int32)]):
        assert out.tolist() == expected


def test_a_stack_that_overflows_is_found() -> None:
    source = (
        "__device__ int f(int n) { return n ? f(n - 1) * n + 1 : 0; } __global__ void k(int *out) { *out = f(*out); }"
    )
    program = wv.compile(source, compiler="nvrtc", device="h200")
    result = wv.simulate(program, 1, 1, [np.array([100_000], np.int32)], device="h200")
    assert result.findings[0].kind == "out of bounds"
    assert "local memory" in result.findings[0].message


# Stores by addresses of shared::cluster have another form, in which the offset has 32 bits.
STORES = """
#include <cooperative_groups.h>
__global__ void __cluster_dims__(2) k(unsigned *out) {
    __shared__ unsigned words[512];
    auto cluster = cooperative_groups::this_cluster();
    unsigned own = (unsigned)__cvta_generic_to_shared(words + threadIdx.x), there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(own), "r"(1 - cluster.block_rank()));
    cluster.sync();
    for (int k = 0; k < 4; k++)
        asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there + 512 * k), "r"(100 * blockIdx.x + k) : "memory");
    cluster.sync();
    for (int k = 0; k < 4; k++)
        out[(blockIdx.x * 4 + k) * 32 + threadIdx.x] = words[128 * k + threadIdx.x];
}
"""


@pytest.mark.parametrize("device", ["h200", "b200"])
def test_stores_to_another_block_have_long_offsets(device: str) -> None:
    program = wv.compile(STORES, kernel="k", compiler="nvrtc", device=device)
    run = wv.simulate(program, grid=2, block=32, args=[np.zeros(256, np.uint32)], device=device)
    assert run.findings == ()
    expected = [100 * (1 - block) + k for block in range(2) for k in range(4)]
    assert run.buffers["out"].reshape(8, 32).tolist() == [[value] * 32 for value in expected]
