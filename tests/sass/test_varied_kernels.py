"""Kernels of many kinds, of one block of 64 threads, give numpy's results for every generation of machine code."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from support.tiers import leaving_out

import warpview as wv
from warpview.sass import nvrtc

sys.path.insert(0, str(Path(__file__).parent))
from engines import Case, differences

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
DEVICES = ("rtx2080", "a100", "rtx4090", "h200", "b200", "rtx5090")
N = 64
T = np.arange(N)
FLOATS = (T * 0.37 - 5).astype(np.float32)
WORDS = (T * 2654435761 & 0xFFFFFFFF).astype(np.uint32)
SIGNED = WORDS.view(np.int32)
HALVES = (T - 20).astype(np.float32)  # whole numbers, whose squares are halves, too


class Kernel(NamedTuple):
    """A kernel k(const T *x, T *out), what it reads, and what it must write."""

    source: str
    x: np.ndarray
    expected: np.ndarray


def _in_warps(values: np.ndarray) -> np.ndarray:
    return values.reshape(2, 32)


def _fused() -> np.ndarray:
    half = FLOATS.astype(np.float16).astype(np.float64)
    return (half * half + half).astype(np.float16).astype(np.float32) + np.float32(1.5 * 1.5 + 1.5)


def _roots_of_halves() -> np.ndarray:
    half = np.abs(FLOATS).astype(np.float16)
    return np.sqrt(half.astype(np.float32)).astype(np.float16).astype(np.float32) + np.rint(half).astype(np.float32)


def _wide_division() -> np.ndarray:
    x = (T - 20) * 1234567890123
    return x // 7 + (x < 0) * (x % 7 != 0) + np.minimum(x, 5) * 3


def _sums_of_bytes(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    first, second = (np.ascontiguousarray(words).view(np.int8).astype(np.int32) for words in (a, b))
    return (first * second).reshape(N, 4).sum(1, dtype=np.int32)


def _sums_over_the_stack() -> np.ndarray:
    sums = np.zeros(N, np.int32)
    for lane in T:
        kept = SIGNED[(lane + np.arange((SIGNED[lane] & 7) + 1)) % N] & 255
        for k in kept:
            sums[lane] = 3 * sums[lane] + kept[k % len(kept)]
    return sums


KERNELS = {
    "halves with a constant": Kernel(
        """#include <cuda_fp16.h>
        __global__ void k(const float *x, float *out) {
            half2 a = __floats2half2_rn(x[threadIdx.x], 1.5f), r = __hfma2(a, a, a);
            out[threadIdx.x] = __low2float(r) + __high2float(r);
        }""", FLOATS, _fused()),
    "copies of 16 bytes in stages": Kernel(
        """#include <cuda_pipeline.h>
        __global__ void k(const float4 *x, float *out) {
            __shared__ float4 stage[4][16];
            int t = threadIdx.x;
            if (t < 16)
                for (int j = 0; j < 4; j++) {
                    __pipeline_memcpy_async(&stage[j][t], &x[(t + j) % 16], 16);
                    __pipeline_commit();
                }
            __pipeline_wait_prior(0);
            __syncthreads();
            float4 v = stage[t / 16][t % 16];
            out[t] = v.x + v.w;
        }""", FLOATS, (FLOATS[0::4] + FLOATS[3::4])[(T % 16 + T // 16) % 16]),
    "copies of 8 bytes": Kernel(
        """#include <cuda_pipeline.h>
        __global__ void k(const float2 *x, float *out) {
            __shared__ float2 s[32];
            if (threadIdx.x < 32) __pipeline_memcpy_async(&s[threadIdx.x], &x[threadIdx.x], 8);
            __pipeline_commit();
            __pipeline_wait_prior(0);
            __syncthreads();
            out[threadIdx.x] = s[threadIdx.x / 2].x * s[31 - threadIdx.x / 2].y;
        }""", FLOATS, FLOATS[T // 2 * 2] * FLOATS[63 - T // 2 * 2]),
    "a copy by a group": Kernel(
        """#include <cooperative_groups/memcpy_async.h>
        namespace cg = cooperative_groups;
        __global__ void k(const float *x, float *out) {
            __shared__ float s[64];
            auto block = cg::this_thread_block();
            cg::memcpy_async(block, s, x, sizeof s);
            cg::wait(block);
            out[threadIdx.x] = s[63 - threadIdx.x];
        }""", FLOATS, FLOATS[::-1]),
    "a copy with fewer bytes than it writes": Kernel(
        """#include <cuda_pipeline.h>
        __global__ void k(const int4 *x, int4 *out) {
            __shared__ int4 s[16];
            int t = threadIdx.x;
            if (t < 16) __pipeline_memcpy_async(&s[t], &x[t], 16, t % 4 * 4);
            __pipeline_commit();
            __pipeline_wait_prior(0);
            __syncthreads();
            if (t < 16) out[t] = s[t];
        }""", SIGNED, np.where(T % 4 < 4 - T // 4 % 4, SIGNED, 0)),
    "a product of halves, less another, as a float": Kernel(
        """#include <cuda_fp16.h>
        __global__ void k(const float *x, float *out) {
            half a = __float2half(x[threadIdx.x]), b = __hadd(a, __float2half(1.f));
            out[threadIdx.x] = __half2float(__hsub(__hmul(b, a), a));
        }""", HALVES, (HALVES * HALVES).astype(np.float32)),
    "limits of 64 bits by a constant": Kernel(
        """__global__ void k(const long long *x, long long *out) {
            long long a = x[threadIdx.x];
            out[threadIdx.x] = a / 7 + min(a, 5ll) * 3;
        }""", (T - 20) * 1234567890123, _wide_division()),
    "a reduction by a group": Kernel(
        """#include <cooperative_groups/reduce.h>
        namespace cg = cooperative_groups;
        __global__ void k(const int *x, int *out) {
            auto tile = cg::tiled_partition<16>(cg::this_thread_block());
            out[threadIdx.x] = cg::reduce(tile, x[threadIdx.x], cg::plus<int>());
        }""", SIGNED, np.repeat(SIGNED.reshape(4, 16).sum(1, dtype=np.int32), 16)),
    "a scan by a group": Kernel(
        """#include <cooperative_groups/scan.h>
        namespace cg = cooperative_groups;
        __global__ void k(const int *x, int *out) {
            out[threadIdx.x] = cg::inclusive_scan(cg::tiled_partition<32>(cg::this_thread_block()), x[threadIdx.x]);
        }""", SIGNED, _in_warps(SIGNED).cumsum(1, dtype=np.int32).ravel()),
    "products of bytes": Kernel(
        """__global__ void k(const int *x, int *out) {
            out[threadIdx.x] = __dp4a(x[threadIdx.x], x[63 - threadIdx.x], 5);
        }""", SIGNED, _sums_of_bytes(SIGNED, SIGNED[::-1]) + np.int32(5)),
    "calls of one another": Kernel(
        """__device__ __noinline__ int odd(int);
        __device__ __noinline__ int even(int n) { return n == 0 ? 1 : odd(n - 1); }
        __device__ __noinline__ int odd(int n) { return n == 0 ? 0 : even(n - 1); }
        __global__ void k(const int *x, int *out) { out[threadIdx.x] = even(x[threadIdx.x] & 31); }""",
        SIGNED, (1 - (SIGNED & 1)).astype(np.int32)),
    "halves added in shared memory": Kernel(
        """#include <cuda_fp16.h>
        __global__ void k(const int *x, int *out) {
            __shared__ half2 sum;
            if (threadIdx.x == 0)
                sum = __float2half2_rn(0);
            __syncthreads();
            atomicAdd(&sum, __halves2half2(__int2half_rn(1), __int2half_rn(x[threadIdx.x] & 1)));
            __syncthreads();
            out[threadIdx.x] = 1000 * (int)__low2float(sum) + (int)__high2float(sum);
        }""", SIGNED, np.full(N, 1000 * N + (SIGNED & 1).sum(), np.int32)),
    "roots of halves": Kernel(
        """#include <cuda_fp16.h>
        __global__ void k(const float *x, float *out) {
            half a = __float2half(fabsf(x[threadIdx.x]));
            out[threadIdx.x] = __half2float(hsqrt(a)) + __half2float(hrint(a));
        }""", FLOATS, _roots_of_halves()),
    "integers packed into bytes": Kernel(
        """__global__ void k(const int *x, int *out) {
            int r, a = x[threadIdx.x] >> 20, b = x[threadIdx.x] >> 24;
            asm("cvt.pack.sat.s8.s32.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(threadIdx.x));
            out[threadIdx.x] = r;
        }""", SIGNED, (T << 16 | (np.clip(SIGNED >> 20, -128, 127) & 255) << 8
                       | (SIGNED >> 24 & 255)).astype(np.int32)),
    "as much of the stack as is asked for": Kernel(
        """__global__ void k(const int *x, int *out) {
            int n = (x[threadIdx.x] & 7) + 1, sum = 0, *a;
            asm volatile("alloca.u64 %0, %1;\\ncvta.local.u64 %0, %0;" : "=l"(a) : "l"(4ull * n));
            for (int i = 0; i < n; i++)
                a[i] = x[threadIdx.x + i & 63] & 255;
            for (int i = 0; i < n; i++)
                sum = 3 * sum + a[a[i] % n];
            out[threadIdx.x] = sum;
        }""", SIGNED, _sums_over_the_stack()),
    "a sorted block": Kernel(
        """#include <cub/block/block_radix_sort.cuh>
        __global__ void k(const unsigned *x, unsigned *out) {
            typedef cub::BlockRadixSort<unsigned, 64, 1> Sort;
            __shared__ typename Sort::TempStorage storage;
            unsigned key[1] = {x[threadIdx.x]};
            Sort(storage).Sort(key);
            out[threadIdx.x] = key[0];
        }""", WORDS, np.sort(WORDS)),
    "a reference to an atomic": Kernel(
        """#include <cuda/atomic>
        __global__ void k(const int *x, int *out) {
            cuda::atomic_ref<int, cuda::thread_scope_device> sum(out[1]), most(out[0]);
            sum.fetch_add(2, cuda::memory_order_relaxed);
            most.fetch_max(x[threadIdx.x]);
        }""", SIGNED, np.r_[SIGNED.max(), 2 * N, np.zeros(N - 2)].astype(np.int32)),
}  # fmt: skip


# Copies that arrive at a barrier: an atomic before sm_90, and another encoding from sm_100 on. A barrier of sm_75 is
# code of its own, with stores to generic addresses in uniform registers.
PIPELINE = """#include <cuda/pipeline>
#include <cooperative_groups.h>
__global__ void k(const int *x, int *out) {
    __shared__ int s[64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto pipeline = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
    pipeline.producer_acquire();
    cuda::memcpy_async(&s[threadIdx.x], &x[threadIdx.x], sizeof(int), pipeline);
    pipeline.producer_commit();
    pipeline.consumer_wait();
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
    pipeline.consumer_release();
}"""


# Those that are left out have the instructions of the a100, and of the b200.
@pytest.mark.parametrize(
    "device", leaving_out(["rtx2080", "a100", "rtx3090", "rtx4090", "h200", "b200", "rtx5090"],
                          ["rtx3090", "rtx4090", "rtx5090"])
)  # fmt: skip
def test_a_pipeline_of_a_block_copies(device: str) -> None:
    program = wv.compile(PIPELINE, compiler="nvrtc", device=device)
    run = wv.simulate(program, 1, N, [SIGNED.copy(), np.zeros(N, np.int32)], device=device)
    np.testing.assert_array_equal(run.buffers["out"], SIGNED[::-1])
    assert not run.findings


UNIFORM_GENERIC = """__global__ void k(const int *x, int *out) {
    __shared__ int s[64];
    volatile int *place = x ? s + 8 : out + 8;
    s[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        place[5] = x[3];
        place[6] = 77;
    }
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x] + place[5] * 2 + place[6];
}"""


@pytest.mark.parametrize("device", ["rtx2080", "a100", "h200"])
def test_offsets_of_generic_addresses_in_uniform_registers(device: str) -> None:
    program = wv.compile(UNIFORM_GENERIC, compiler="nvrtc", device=device)
    run = wv.simulate(program, 1, N, [SIGNED.copy(), np.zeros(N, np.int32)], device=device)
    expected = np.full(N, 2 * SIGNED[3] + 77, np.int32)
    expected[13:15] += [SIGNED[3], 77]
    np.testing.assert_array_equal(run.buffers["out"], expected)
    assert not run.findings


@pytest.mark.sample(8)
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", KERNELS)
def test_results_equal_numpys(name: str, device: str) -> None:
    kernel = KERNELS[name]
    program = wv.compile(kernel.source, compiler="nvrtc", device=device)
    run = wv.simulate(program, 1, N, [kernel.x.copy(), np.zeros_like(kernel.expected)], device=device)
    np.testing.assert_array_equal(run.buffers["out"], kernel.expected)
    assert not run.findings


@pytest.mark.parametrize(
    ("name", "device"),
    # each is a pair that was decoded wrongly once
    [
        ("halves with a constant", "rtx2080"),
        ("copies of 16 bytes in stages", "b200"),
        ("a copy by a group", "rtx5090"),
        ("a product of halves, less another, as a float", "rtx2080"),
    ],
)
def test_the_engines_agree(name: str, device: str) -> None:
    source, x, expected = KERNELS[name]
    program = wv.compile(source, compiler="nvrtc", device=device)
    run = wv.simulate(program, 1, N, [x.copy(), np.zeros_like(expected)], device=device)
    np.testing.assert_array_equal(run.buffers["out"], expected)
    assert not differences(Case("k", program, 1, N, [x, np.zeros_like(expected)]))


BESIDE_OTHERS = """__global__ void k(const int *x, int *out) {
    asm volatile("griddepcontrol.launch_dependents;");
    asm volatile("griddepcontrol.wait;");
    out[threadIdx.x] = x[threadIdx.x];
}"""


@pytest.mark.parametrize("device", ["h200", "b200", "rtx5090"])
def test_a_launch_that_would_let_others_begin_runs_alone(device: str) -> None:
    program = wv.compile(BESIDE_OTHERS, compiler="nvrtc", device=device)
    run = wv.simulate(program, 1, N, [SIGNED.copy(), np.zeros(N, np.int32)], device=device)
    np.testing.assert_array_equal(run.buffers["out"], SIGNED)
    assert not run.findings


SEMAPHORE = """#include <cuda/semaphore>
#include <new>
__global__ void k(const int *x, int *out) {
    __shared__ cuda::binary_semaphore<cuda::thread_scope_block> s;
    __shared__ int n;
    if (threadIdx.x == 0) {
        new (&s) cuda::binary_semaphore<cuda::thread_scope_block>(1);
        n = 0;
    }
    __syncthreads();
    s.acquire();
    n = n + (x[threadIdx.x] & 3);
    s.release();
    __syncthreads();
    out[threadIdx.x] = n;
}"""


@pytest.mark.parametrize(("threads", "ends"), [(1, True), (2, False), (32, False), (33, False), (64, False)])
def test_a_semaphore_that_the_lanes_of_a_warp_acquire_never_ends_on_an_h200(threads: int, ends: bool) -> None:
    """The same five launches on an H200 (CUDA 13.0): one thread ends, the others hang until they are killed."""
    program = wv.compile(SEMAPHORE, compiler="nvrtc", device="h200")
    arguments = [np.arange(N, dtype=np.int32), np.zeros(N, np.int32)]
    run = wv.simulate(program, 1, threads, arguments, device="h200", step_budget=20_000)
    assert [str(finding.kind) for finding in run.findings] == [] if ends else ["endless loop"]
