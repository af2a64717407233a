"""cuda::barrier in machine code: its warps poll, so that each lets the others go first; what it orders is no race."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import warpview as wv
from warpview.isa.program import Program
from warpview.sass import nvrtc

sys.path.insert(0, str(Path(__file__).parent))
from engines import Case, differences

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

N, ROUNDS = 96, 3
PASS_ON = """
#include <cuda/barrier>
using Barrier = cuda::barrier<cuda::thread_scope_block>;
extern "C" __global__ void k(const int *a, int *out, int rounds) {
    __shared__ Barrier barrier;
    __shared__ int shared[96];
    if (threadIdx.x == 0) init(&barrier, blockDim.x);
    __syncthreads();
    int value = a[threadIdx.x];
    for (int i = 0; i < rounds; i++) {
        shared[threadIdx.x] = value;
        barrier.arrive_and_wait();
        value += shared[95 - threadIdx.x] * (i + 2);
        WAIT;
    }
    out[threadIdx.x] = value;
}
"""


def passed_on(a: np.ndarray) -> np.ndarray:
    value = a.copy()
    for k in range(ROUNDS):
        value = value + value[::-1] * (k + 2)
    return value


@cache
def program(device: str, wait: str = "barrier.arrive_and_wait()") -> Program:
    return wv.compile(PASS_ON, kernel="k", defines={"WAIT": wait}, compiler="nvrtc", device=device)


@pytest.mark.parametrize("device", ["rtx2080", "a100", "h200"])
@pytest.mark.parametrize("engine", ["profile", "sm"])
def test_all_threads_wait_for_one_another(device: str, engine: str) -> None:
    a = np.arange(N, dtype=np.int32) ** 2
    run = wv.simulate(program(device), 1, N, [a, np.zeros_like(a), ROUNDS], device=device, engine=engine)
    np.testing.assert_array_equal(run.buffers["out"], passed_on(a))
    assert not run.findings


@pytest.mark.parametrize("device", ["a100", "h200"])
def test_the_reference_takes_the_same_turns(device: str) -> None:
    a = np.arange(N, dtype=np.int32)
    case = Case("barrier", program(device), 1, N, [a, np.zeros_like(a), ROUNDS])
    assert not differences(case)


@pytest.mark.parametrize("device", ["a100", "h200"])
def test_a_phase_without_a_barrier_is_a_race(device: str) -> None:
    a = np.arange(N, dtype=np.int32)
    run = wv.simulate(program(device, "(void)0"), 1, N, [a, np.zeros_like(a), ROUNDS], device=device)
    assert any(finding.kind == "race" for finding in run.findings)


DROPS = """
#include <cuda/barrier>
using Barrier = cuda::barrier<cuda::thread_scope_block>;
extern "C" __global__ void k(const int *a, int *out, int rounds) {
    __shared__ Barrier barrier;
    __shared__ int shared[96];
    if (threadIdx.x == 0) init(&barrier, blockDim.x + 2);
    shared[threadIdx.x] = 0;
    __syncthreads();
    int value = a[threadIdx.x];
    if (threadIdx.x % 7 == 5) { shared[threadIdx.x] = -value; barrier.arrive_and_drop(); return; }
    for (int i = 0; i < rounds; i++) {
        auto token = barrier.arrive(threadIdx.x == 0 ? 3 : 1);
        barrier.wait(std::move(token));
        value += shared[95 - threadIdx.x] * (i + 1);
    }
    out[threadIdx.x] = value;
}
"""


def test_threads_of_sm_90_may_leave_a_barrier_or_arrive_for_others() -> None:
    a = np.arange(N, dtype=np.int32) + 3
    program = wv.compile(DROPS, kernel="k", compiler="nvrtc", device="h200")
    run = wv.simulate(program, 1, N, [a, np.zeros_like(a), ROUNDS], device="h200")
    left = np.arange(N) % 7 == 5
    expected = np.where(left, 0, a - np.where(left, a, 0)[::-1] * sum(range(1, ROUNDS + 1)))
    np.testing.assert_array_equal(run.buffers["out"], expected)
    assert not run.findings


def test_a_barrier_at_which_too_few_arrive_ends_the_launch() -> None:
    program = wv.compile(PASS_ON.replace("blockDim.x)", "blockDim.x + 1)"), kernel="k", defines={"WAIT": "(void)0"},
                         compiler="nvrtc", device="h200")  # fmt: skip
    a = np.arange(N, dtype=np.int32)
    run = wv.simulate(program, 1, N, [a, np.zeros_like(a), ROUNDS], device="h200", step_budget=20000)
    assert [finding.kind for finding in run.findings] == ["endless loop"]


PIPELINE = """
#include <cuda/pipeline>
#include <cooperative_groups.h>
extern "C" __global__ void k(const int *a, int *out, int rounds) {
    auto block = cooperative_groups::this_thread_block();
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int shared[2][96];
    auto pipeline = cuda::make_pipeline(block, &state);
    int value = 0;
    for (int i = 0; i < rounds; i++) {
        pipeline.producer_acquire();
        cuda::memcpy_async(block, shared[i & 1], a, sizeof(int) * 96, pipeline);
        pipeline.producer_commit();
        pipeline.consumer_wait();
        value += shared[i & 1][95 - threadIdx.x] * (i + 1);
        pipeline.consumer_release();
    }
    out[threadIdx.x] = value;
}
"""


def test_copies_arrive_at_the_barriers_of_a_pipeline() -> None:
    a = np.arange(N, dtype=np.int32) + 3
    program = wv.compile(PIPELINE, kernel="k", compiler="nvrtc", device="h200")
    run = wv.simulate(program, 1, N, [a, np.zeros_like(a), ROUNDS], device="h200")
    np.testing.assert_array_equal(run.buffers["out"], a[::-1] * sum(range(1, ROUNDS + 1)))
    assert not run.findings
    assert not differences(Case("pipeline", program, 1, N, [a, np.zeros_like(a), ROUNDS]))
