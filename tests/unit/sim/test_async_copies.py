"""Pipelines, barriers of libcu++ and copies by groups, as written, on devices old and new."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv

DEVICES, ENGINES = ["k40", "h200"], ["profile", "sm"]
INPUT = np.arange(512, dtype=np.int32) * 7 % 101

PRIMITIVES = """
#include <cuda_pipeline.h>
__global__ void copied(const int *in, int *out) {
    __shared__ int4 stage[2][32];
    int sum = 0;
    for (int k = 0; k < 4; k++) {
        const int4 *from = (const int4 *)in + 32 * k + threadIdx.x;
        __pipeline_memcpy_async(&stage[k % 2][threadIdx.x], from, 16, k == 3 ? 4 : 0);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        int4 v = stage[k % 2][31 - threadIdx.x];
        sum += v.x + 10 * v.y + 100 * v.z + 1000 * v.w;
    }
    out[threadIdx.x] = sum;
}"""
GROUPS = """
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
__global__ void copied(const int *in, int *out) {
    __shared__ int tile[128];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof(int) * 64);
    cg::memcpy_async(block, tile + 64, 60, in + 64, 64);
    cg::wait(block);
    out[threadIdx.x] = tile[63 - threadIdx.x] + tile[64 + threadIdx.x % 60];
}"""
PIPELINE = """
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
__global__ void copied(const int *in, int *out) {
    __shared__ int tile[2][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int sum = 0;
    for (int use = 0, fetch = 0; use < 8; use++) {
        for (; fetch < 8 && fetch < use + 2; fetch++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, tile[fetch % 2], in + 64 * fetch, cuda::aligned_size_t<4>(256), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum = 3 * sum + tile[use % 2][63 - threadIdx.x];
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}"""
ROLES = """
#include <cooperative_groups.h>
#include <cuda/pipeline>
__global__ void copied(const int *in, int *out) {
    auto block = cooperative_groups::this_thread_block();
    __shared__ int tile[2][32];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    const bool produces = threadIdx.x < 32;
    auto pipe = cuda::make_pipeline(block, &state, PRODUCERS);
    int sum = 0;
    for (int use = 0; use < 8; use++) {
        if (produces) {
            pipe.producer_acquire();
            cuda::memcpy_async(&tile[use % 2][threadIdx.x], in + 32 * use + threadIdx.x, sizeof(int), pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            sum = 3 * sum + tile[use % 2][63 - threadIdx.x];
            pipe.consumer_release();
        }
    }
    if (!produces) out[threadIdx.x - 32] = sum;
    pipe.quit();
}"""
BARRIER = """
#include <cuda/barrier>
using barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void copied(const int *in, int *out) {
    __shared__ barrier ready, filled;
    __shared__ int buffer[32];
    if (threadIdx.x == 0) { init(&ready, 64); init(&filled, 64); }
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < 6; k++) {
        if (threadIdx.x < 32) {
            ready.arrive_and_wait();
            buffer[threadIdx.x] = in[32 * k + threadIdx.x];
            filled.arrive();
        } else {
            barrier::arrival_token token = ready.arrive();
            filled.arrive_and_wait();
            sum = 3 * sum + buffer[threadIdx.x - 32];
        }
    }
    if (threadIdx.x >= 32) out[threadIdx.x - 32] = sum;
}"""


def run(source: str, threads: int, device: str, engine: str) -> list[int]:
    result = wv.simulate(wv.compile(source), 1, threads, [INPUT, np.zeros(64, np.int32)], device=device, engine=engine)
    assert result.findings == ()
    values: list[int] = result.buffers["out"].tolist()
    return values


def weighted(rows: np.ndarray) -> list[int]:
    """Return the columns of a table, each as the digits of a number to base three."""
    return (3 ** np.arange(len(rows))[::-1] @ rows).tolist()


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("engine", ENGINES)
class TestCopies:
    def test_primitives_fill_the_rest_with_zeros(self, device: str, engine: str) -> None:
        read = INPUT.reshape(4, 32, 4).copy()
        read[3, :, 3] = 0
        expected = (read @ [1, 10, 100, 1000]).sum(axis=0)[::-1]
        assert run(PRIMITIVES, 32, device, engine)[:32] == expected.tolist()

    def test_groups_copy_what_both_sides_have(self, device: str, engine: str) -> None:
        expected = INPUT[:64][::-1] + INPUT[64 + np.arange(64) % 60]
        assert run(GROUPS, 64, device, engine) == expected.tolist()

    def test_a_pipeline_passes_stages_on(self, device: str, engine: str) -> None:
        assert run(PIPELINE, 64, device, engine) == weighted(INPUT.reshape(8, 64)[:, ::-1])

    @pytest.mark.parametrize(
        "producers",
        ["produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer", "(size_t)32"],
    )
    def test_some_threads_produce_and_others_consume(self, device: str, engine: str, producers: str) -> None:
        expected = weighted(INPUT[: 8 * 32].reshape(8, 32)[:, ::-1])
        assert run(ROLES.replace("PRODUCERS", producers), 64, device, engine)[:32] == expected

    def test_barriers_order_producers_and_consumers(self, device: str, engine: str) -> None:
        assert run(BARRIER, 64, device, engine)[:32] == weighted(INPUT[: 6 * 32].reshape(6, 32))
