"""A warp that polls a word lets the other warps of its block go on, one of which writes it."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from warpview.devices import load_device
from warpview.sass import nvrtc
from warpview.sim.binding import bind
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
