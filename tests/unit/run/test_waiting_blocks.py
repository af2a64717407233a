"""Blocks that wait for any others of their launch, by words in global memory and without a cooperative launch."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import warpview as wv
from warpview.devices import load_device
from warpview.sim.arguments.binding import bind
from warpview.sim.engine import run_profile
from warpview.sim.launch import Options

BARRIER = """
__device__ unsigned arrived;
__global__ void share(const float *in, float *partial, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) {
        float sum = 0.0f;
        for (int k = 0; k < blockDim.x; k++) sum += in[i + k];
        partial[blockIdx.x] = sum;
        __threadfence();
        atomicAdd(&arrived, 1u);
        while (WAITS) { }
    }
    __syncthreads();
    float total = 0.0f;
    for (int k = 0; k < gridDim.x; k++) total += ((volatile float *)partial)[k];
    out[i] = in[i] / total;
}
"""
VOLATILE = "*(volatile unsigned *)&arrived < gridDim.x"
ATOMIC = "atomicAdd(&arrived, 0u) < gridDim.x"
NEVER = "*(volatile unsigned *)&arrived <= gridDim.x"
IN_TURNS = """
__device__ int turn;
__global__ void in_turns(int *order) {
    if (threadIdx.x == 0) {
        while (atomicAdd(&turn, 0) != gridDim.x - 1 - blockIdx.x) { }
        order[blockIdx.x] = turn;
        __threadfence();
        atomicExch(&turn, turn + 1);
    }
}
"""


def compiled(folder: Path, text: str, compiler: str = "warpview", device: str = "h200") -> wv.Program:
    path = folder / "waits.cu"
    path.write_text(text)
    return wv.compile(path, compiler=compiler, device=device)


def launched(program: wv.Program, blocks: int, device: str = "h200", **options: object) -> wv.Run:
    args = [np.ones(blocks * 32, "f4"), np.zeros(blocks, "f4"), np.zeros(blocks * 32, "f4")]
    return wv.simulate(program, blocks, 32, args, device=device, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("compiler", ["warpview", "nvrtc"])
@pytest.mark.parametrize("waits", [VOLATILE, ATOMIC])
@pytest.mark.parametrize("engine", ["profile", "sm"])
def test_a_barrier_of_all_blocks_that_is_written_by_hand_is_passed(
    tmp_path: Path, waits: str, compiler: str, engine: str
) -> None:
    program = compiled(tmp_path, BARRIER.replace("WAITS", waits), compiler)
    run = launched(program, 6, engine=engine)
    assert not run.findings
    assert np.array_equal(run.buffers["out"], np.full(192, 1 / 192, "f4"))
    assert run.counters["blocks_launched"] == 6


def test_a_block_waits_for_the_ones_behind_it(tmp_path: Path) -> None:
    run = wv.simulate(compiled(tmp_path, IN_TURNS), 7, 32, [np.zeros(7, "i4")], device="h200")
    assert run.buffers["order"].tolist() == [6, 5, 4, 3, 2, 1, 0]


def test_a_launch_that_does_not_fit_on_the_device_ends_in_a_finding(tmp_path: Path) -> None:
    program = compiled(tmp_path, BARRIER.replace("WAITS", VOLATILE), device="c1060")
    assert not launched(program, 240, "c1060").findings  # 8 blocks on each of 30 multiprocessors
    (finding,) = launched(program, 241, "c1060", step_budget=100_000).findings
    assert finding.kind == "deadlock"  # the other lanes of the warp wait for the one that polls, too
    assert "for a block that is executed later" in finding.message


def test_a_wait_for_what_no_block_does_is_an_endless_loop(tmp_path: Path) -> None:
    program = compiled(tmp_path, BARRIER.replace("WAITS", NEVER))
    finding, *_ = launched(program, 6, step_budget=10_000).findings
    assert finding.kind == "endless loop"
    assert "later" not in finding.message


def test_the_time_of_blocks_that_wait_for_all_others_is_estimated(tmp_path: Path) -> None:
    for compiler in ("warpview", "nvrtc"):
        program = compiled(tmp_path, BARRIER.replace("WAITS", VOLATILE), compiler)
        assert 2 < launched(program, 6).verdict().time_us < 20


HAND_ON = """
__global__ void hand_on(volatile int *flag, volatile int *sum, int *out) {
    if (threadIdx.x == 0) {
        int before = 0;
        if (blockIdx.x > 0) {
            while (flag[blockIdx.x - 1] == 0) {}
            before = sum[blockIdx.x - 1];
        }
        sum[blockIdx.x] = before + 1;
        __threadfence();
        flag[blockIdx.x] = 1;
        out[blockIdx.x] = before;
    }
}
"""


def test_a_word_that_another_host_thread_has_not_written_yet_is_waited_for() -> None:
    """On its own thread such a block goes in circles; then the blocks are executed in order."""
    program, n = wv.compile(HAND_ON), 600
    binding = bind(program, (n, 1, 1), (256, 1, 1), [np.zeros(n, "i4"), np.zeros(n, "i4"), np.zeros(n, "i4")], 0)
    options = Options(threads=2, races=False)
    outcome = run_profile(program, load_device("h200"), binding.launch, binding.memory, options)
    assert not outcome.aborted
    assert binding.buffers["out"].read(outcome.memory).tolist() == list(range(n))


POLLS_FOR_EVER = """
#include <cooperative_groups.h>
__global__ void polls(volatile int *flag, int *out) {
    cooperative_groups::this_grid().sync();
    int n = 0;
    while (*flag == 0) n++;
    out[blockIdx.x] = n;
}
"""


def test_blocks_that_poll_are_cancelled_at_once() -> None:
    asked: list[tuple[int, int]] = []

    def goes_on(done: int, total: int) -> bool:
        asked.append((done, total))
        return len(asked) < 3

    args = [np.zeros(1, "i4"), np.zeros(4, "i4")]
    with pytest.raises(wv.Cancelled):
        wv.simulate(wv.compile(POLLS_FOR_EVER), 4, 32, args, device="h200", progress=goes_on, step_budget=1 << 40)
    assert asked == [(0, 4)] * 3
