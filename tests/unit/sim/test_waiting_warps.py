"""A warp that polls a word lets the other warps of its block go on, one of which writes it."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from warpview.devices import load_device
from warpview.sass import nvrtc
from warpview.sim.arguments.binding import bind
from warpview.sim.engine import run_profile
from warpview.sim.launch import LONGEST_RUN, Options
from warpview.sim.reference import run_reference

needs_nvrtc = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
# The first warp waits for what the second one writes.
FLAG = """
__global__ void pass(int *out) {
    __shared__ volatile int flag;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x == 32) {
        out[1] = 7;
        __threadfence_block();
        flag = 1;
    }
    if (threadIdx.x == 0) {
        while (flag == 0) WAIT;
        __threadfence_block();
        out[0] = 6 * out[1];
    }
}
"""
NEVER = FLAG.replace("flag = 1;", "flag = 0;")


def run(text: str, wait: str, device: str, compiler: str = "warpview", **more: object) -> wv.Run:
    program = wv.compile(text.replace("WAIT", wait), compiler=compiler, device=device)
    return wv.simulate(program, 1, 64, [np.zeros(2, np.int32)], device=device, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("compiler", ["warpview", pytest.param("nvrtc", marks=needs_nvrtc)])
@pytest.mark.parametrize(("wait", "device"), [("{}", "gtx1080"), ("{}", "h200"), ("__nanosleep(100)", "h200")])
def test_the_other_warp_goes_on(wait: str, device: str, compiler: str) -> None:
    result = run(FLAG, wait, device, compiler)
    assert result.buffers["out"].tolist() == [42, 7]
    assert "endless loop" not in {finding.kind for finding in result.findings}


@needs_nvrtc
def test_who_sleeps_gives_way_at_once() -> None:
    polls = {wait: run(FLAG, wait, "h200", "nvrtc").counters["inst_executed"] for wait in ("{}", "__nanosleep(100)")}
    assert polls["__nanosleep(100)"] < 100 < LONGEST_RUN < polls["{}"] < 2 * LONGEST_RUN


@pytest.mark.parametrize("wait", ["{}", "for (int k = 0; k < 0; k++) {}"])
def test_as_written_a_poll_in_vain_gives_way_at_once(wait: str) -> None:
    assert run(FLAG, wait, "h200").counters["inst_executed"] < 100


def test_a_loop_that_nobody_ends_is_found() -> None:
    result = run(NEVER, "{}", "h200", step_budget=4 * LONGEST_RUN)
    assert result.aborted
    assert {finding.kind for finding in result.findings} >= {"endless loop"}


@pytest.mark.parametrize("compiler", ["warpview", pytest.param("nvrtc", marks=needs_nvrtc)])
def test_the_reference_says_the_same(compiler: str) -> None:
    program = wv.compile(FLAG.replace("WAIT", "{}"), compiler=compiler, device="h200")
    outcomes = []
    for execute in (run_reference, run_profile):
        binding = bind(program, (1, 1, 1), (64, 1, 1), [np.zeros(2, np.int32)], 0)
        outcomes.append(execute(program, load_device("h200"), binding.launch, binding.memory, Options()))
    reference, jitted = outcomes
    np.testing.assert_array_equal(reference.counts, jitted.counts)
    np.testing.assert_array_equal(reference.memory.data, jitted.memory.data)


# A warp waits within a loop for the other one, which waits for it: each round by an atomic that only reads.
ROUNDS = """
__global__ void rounds(int *out, int n) {
    __shared__ int turn;
    if (threadIdx.x == 0) turn = 0;
    __syncthreads();
    for (int k = 0; k < n; k++) {
        if (threadIdx.x % 32 == 0) {
            while (atomicAdd(&turn, 0) % 2 != threadIdx.x / 32) {
            }
            __threadfence_block();
            *out = *out * 3 + threadIdx.x / 32;
            __threadfence_block();
            atomicAdd(&turn, 1);
        }
    }
}
"""


@pytest.mark.parametrize("device", ["k40", "h200"])
@pytest.mark.parametrize("engine", ["profile", "sm"])
def test_warps_pass_a_turn_to_one_another_within_loops(engine: str, device: str) -> None:
    expected = 0
    for k in range(10):
        expected = expected * 3 + k % 2
    result = wv.simulate(wv.compile(ROUNDS), 1, 64, [np.zeros(1, np.int32), 5], device=device, engine=engine)
    assert result.buffers["out"].tolist() == [expected]
    assert result.counters["inst_executed"] < 2000
    assert result.findings == ()


# Two warps meet at a barrier with a number, while the first one polls the word that one of them writes behind it.
HELD = """
__global__ void held(int *out) {
    __shared__ volatile int flag;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x < 32) {
        while (flag == 0) {}
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        if (threadIdx.x == 32) flag = 1;
    }
    out[threadIdx.x] = 7;
}
"""


@pytest.mark.parametrize("compiler", ["warpview", pytest.param("nvrtc", marks=needs_nvrtc)])
@pytest.mark.parametrize("engine", ["profile", "sm"])
def test_who_polls_holds_no_barrier_with_a_number_back(engine: str, compiler: str) -> None:
    program = wv.compile(HELD, compiler=compiler, device="h200")
    result = wv.simulate(program, 1, 96, [np.zeros(96, np.int32)], device="h200", engine=engine)
    assert not result.aborted
    assert result.buffers["out"].tolist() == [7] * 96
