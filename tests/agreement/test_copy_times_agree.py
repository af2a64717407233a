"""The multiprocessors agree on how long warps wait for asynchronous copies, by groups and by barriers, and these copies
go on beside the work that does not need them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from support.compilers import COMPILERS

import warpview as wv
from warpview.devices import load_device
from warpview.sim.arguments.binding import bind
from warpview.sim.engine_sm import run_sm
from warpview.sim.history.events import SmOptions, SmResult
from warpview.sim.launch import Options
from warpview.sim.reference.machine_sm import run_sm_reference

SOURCE = """
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
__device__ float work(const float *tile, float sum) {
    for (int j = 0; j < 4; j++) sum = sum * 0.5f + tile[(threadIdx.x + j) & 63];
    return sum;
}
__global__ void groups(const float *in, float *out, int n) {
    __shared__ float tile[4][64];
    float sum = 0;
    for (int k = 0; k < n + AHEAD; k++) {
        if (k < n) __pipeline_memcpy_async(&tile[k & 3][threadIdx.x], in + 4096 * k + threadIdx.x, 4);
        __pipeline_commit();
        __pipeline_wait_prior(AHEAD);
        __syncthreads();
        if (k >= AHEAD) sum = work(tile[(k - AHEAD) & 3], sum);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
__global__ void barriers(const float *in, float *out, int n) {
    __shared__ barrier full[4];
    __shared__ float tile[4][64];
    auto block = cg::this_thread_block();
    if (threadIdx.x < 4) init(&full[threadIdx.x], 64);
    block.sync();
    float sum = 0;
    for (int k = 0; k < n + AHEAD; k++) {
        if (k < n) cuda::memcpy_async(&tile[k & 3][threadIdx.x], in + 4096 * k + threadIdx.x, 4, full[k & 3]);
        if (k >= AHEAD) {
            full[(k - AHEAD) & 3].arrive_and_wait();
            sum = work(tile[(k - AHEAD) & 3], sum);
            block.sync();
        }
    }
    out[threadIdx.x] = sum;
}
"""
ROUNDS = 6


def results(kernel: str, compiler: str, ahead: int, *engines: Callable[..., Any]) -> list[SmResult]:
    program = wv.compile(SOURCE, kernel, defines={"AHEAD": ahead}, compiler=compiler, device="h200")
    device = replace(load_device("h200"), multiprocessors=1)
    found = []
    for run in engines:
        values = np.linspace(-1, 1, 4096 * ROUNDS).astype(np.float32)
        bound = bind(program, (1, 1, 1), (64, 1, 1), [values, np.zeros(64, np.float32), ROUNDS], 0)
        found.append(run(program, device, bound.launch, bound.memory, Options(check=False), SmOptions()).result)
    return found


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("kernel", ["groups", "barriers"])
def test_copies_that_are_two_rounds_ahead_hide_their_latency(kernel: str, compiler: str) -> None:
    jitted, reference = results(kernel, compiler, 2, run_sm, run_sm_reference)
    assert jitted.cycles == reference.cycles
    assert np.array_equal(jitted.stalls, reference.stalls)
    (at_once,) = results(kernel, compiler, 0, run_sm)
    assert jitted.cycles < 0.7 * at_once.cycles
