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


@pytest.mark.parametrize("device", ["rtx2080", "a100"])
@pytest.mark.parametrize("engine", ["profile", "sm"])
def test_all_threads_wait_for_one_another(device: str, engine: str) -> None:
    a = np.arange(N, dtype=np.int32) ** 2
    run = wv.simulate(program(device), 1, N, [a, np.zeros_like(a), ROUNDS], device=device, engine=engine)
    np.testing.assert_array_equal(run.buffers["out"], passed_on(a))
    assert not run.findings


def test_the_reference_takes_the_same_turns() -> None:
    a = np.arange(N, dtype=np.int32)
    case = Case("barrier", program("a100"), 1, N, [a, np.zeros_like(a), ROUNDS])
    assert not differences(case)


def test_a_phase_without_a_barrier_is_a_race() -> None:
    a = np.arange(N, dtype=np.int32)
    run = wv.simulate(program("a100", "(void)0"), 1, N, [a, np.zeros_like(a), ROUNDS], device="a100")
    assert any(finding.kind == "race" for finding in run.findings)


def test_the_barriers_of_hopper_are_refused_by_name() -> None:
    source = """__global__ void k() {
        __shared__ long long barrier;
        asm("mbarrier.init.shared.b64 [%0], 32;" :: "r"((unsigned)__cvta_generic_to_shared(&barrier)));
    }"""
    with pytest.raises(wv.CompileError, match="SYNCS"):
        wv.compile(source, kernel="k", compiler="nvrtc", device="h200")
