"""cuda::barrier in machine code: its warps poll, so that each lets the others go first; what it orders is no race."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from support.tiers import representatives

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
@pytest.mark.parametrize("engine", representatives(["profile", "sm"], ["sm"]))
def test_all_threads_wait_for_one_another(device: str, engine: str) -> None:
    a = np.arange(N, dtype=np.int32) ** 2
    run = wv.simulate(program(device), 1, N, [a, np.zeros_like(a), ROUNDS], device=device, engine=engine)
    np.testing.assert_array_equal(run.buffers["out"], passed_on(a))
    assert not run.findings


ASK = """
extern "C" __global__ void k(int *out) {
    __shared__ unsigned long long word;
    unsigned barrier = (unsigned)__cvta_generic_to_shared(&word);
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(barrier));
    __syncthreads();
    if (threadIdx.x == 95) {
        for (int i = 0; i < 9; i++) __nanosleep(20);
        if (SETS) asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" :: "r"(barrier) : "memory");
    }
    int asked = 0, over = 0;
    for (; !over && asked < 40; asked++)
        asm volatile("{ .reg .pred p; mbarrier.HOW.parity.shared.b64 p, [%1], 0; selp.b32 %0, 1, 0, p; }"
                     : "=r"(over) : "r"(barrier) : "memory");
    out[threadIdx.x] = asked;
}
"""


@pytest.mark.parametrize(("how", "sets", "asked"), [("try_wait", 1, 1), ("test_wait", 1, None), ("try_wait", 0, 40)])
def test_a_warp_stays_at_a_try_wait_until_the_phase_is_over(how: str, sets: int, asked: int | None) -> None:
    """As on an H200, whose counts of three launches ``test_varied_launches.py`` has; one that never is over ends."""
    source = ASK.replace("HOW", how).replace("SETS", str(sets))
    ask = wv.compile(source, compiler="nvrtc", device="h200")
    out = np.asarray(wv.simulate(ask, 1, 96, [np.zeros(96, np.int32)], device="h200", check=False).buffers["out"])
    assert set(out[:64]) == {asked} if asked else out[0] > 2
    assert not differences(Case("ask", ask, 1, 96, [np.zeros(96, np.int32)]))


@pytest.mark.parametrize("device", ["a100", "h200"])
def test_the_reference_takes_the_same_turns(device: str) -> None:
    a = np.arange(N, dtype=np.int32)
    case = Case("barrier", program(device), 1, N, [a, np.zeros_like(a), ROUNDS])
    assert not differences(case)


@pytest.mark.parametrize("device", representatives(["a100", "h200"], ["h200"]))
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


@pytest.mark.parametrize("device", representatives(["a100", "rtx3090", "rtx4090", "h200"], ["a100", "h200"]))
@pytest.mark.parametrize("engine", representatives(["profile", "sm"], ["sm"]))
def test_copies_arrive_at_the_barriers_of_a_pipeline(engine: str, device: str) -> None:
    a = np.arange(N, dtype=np.int32) + 3
    program = wv.compile(PIPELINE, kernel="k", compiler="nvrtc", device=device)
    run = wv.simulate(program, 1, N, [a, np.zeros_like(a), ROUNDS], device=device, engine=engine)
    np.testing.assert_array_equal(run.buffers["out"], a[::-1] * sum(range(1, ROUNDS + 1)))
    assert not run.findings


@pytest.mark.parametrize("device", ["a100", "h200"])
def test_the_engines_agree_on_a_pipeline(device: str) -> None:
    a = np.arange(N, dtype=np.int32) + 3
    program = wv.compile(PIPELINE, kernel="k", compiler="nvrtc", device=device)
    assert not differences(Case("pipeline", program, 1, N, [a, np.zeros_like(a), ROUNDS]))


# The copies of some lanes only: one of a pair of barriers, set for the threads that copy.
LANES_THAT_COPY = """
extern "C" __global__ void k(const int *a, int *out) {
    __shared__ int shared[96];
    __shared__ unsigned long long barrier;
    unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(place), "r"(THREADS) : "memory");
    __syncthreads();
    shared[threadIdx.x] = 1000;
    if (threadIdx.x % 3) {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;"
                     :: "r"(static_cast<unsigned>(__cvta_generic_to_shared(&shared[threadIdx.x]))), "l"(a + threadIdx.x)
                     : "memory");
        asm volatile("cp.async.mbarrier.arrive" HOW ".shared.b64 [%0];" ::"r"(place) : "memory");
    }
    unsigned long long state;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(place) : "memory");
    unsigned done = 0;
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(place), "l"(state) : "memory");
    out[threadIdx.x] = shared[95 - threadIdx.x];
}
"""


@pytest.mark.parametrize("device", ["a100", "h200"])
@pytest.mark.parametrize(("how", "threads"), [('""', N), ('".noinc"', N + N * 2 // 3)])
def test_the_copies_of_some_lanes_arrive(how: str, threads: int, device: str) -> None:
    """Without .noinc the barrier awaits a thread more for each that copies; with it they are in its count."""
    a = np.arange(N, dtype=np.int32) + 3
    defines = {"HOW": how, "THREADS": threads}
    program = wv.compile(LANES_THAT_COPY, kernel="k", compiler="nvrtc", device=device, defines=defines)
    run = wv.simulate(program, 1, N, [a, np.zeros_like(a)], device=device)
    np.testing.assert_array_equal(run.buffers["out"], np.where(np.arange(N) % 3, a, 1000)[::-1])
    assert not run.findings
    assert not differences(Case("some lanes", program, 1, N, [a, np.zeros_like(a)]))


UNANSWERED = """
__device__ __noinline__ unsigned thread() { return threadIdx.x; }
extern "C" __global__ void k(unsigned *out) {
    __shared__ alignas(8) unsigned long long bar;
    const unsigned place = (unsigned)__cvta_generic_to_shared(&bar);
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(place) : "memory");
    __syncthreads();
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%0], 0; }" :: "r"(place) : "memory");
    out[threadIdx.x] = thread();
}
"""


def test_a_question_whose_answer_nobody_reads_writes_no_register() -> None:
    """The answer was written in front of the first register of the warp and into it, which has the thread's number."""
    program = wv.compile(UNANSWERED, compiler="nvrtc", device="h200")
    texts = [i.native.text for i in program.instructions if i.native]
    asked = next(n for n, text in enumerate(texts) if text.startswith("SYNCS.PHASECHK.TRANS64 ["))
    assert any("SR_TID.X" in text for text in texts[asked:])
    run = wv.simulate(program, 1, 64, [np.zeros(64, np.uint32)], device="h200")
    assert run.buffers["out"].tolist() == list(range(64))
