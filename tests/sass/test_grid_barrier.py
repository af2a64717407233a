"""Kernels in machine code synchronise their grid by a word in memory that the first thread of each block polls."""

from __future__ import annotations

import numpy as np
import pytest
from support.kernels import ROTATE
from support.tiers import representatives

import warpview as wv
from warpview.devices import load_device
from warpview.sass import nvrtc
from warpview.sim.arguments.binding import bind
from warpview.sim.engine import run_profile
from warpview.sim.launch import Options
from warpview.sim.reference import run_reference

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
BLOCKS, THREADS, ROUNDS = 5, 64, 3

# The kernel changes a variable of the device, too, which lies before the barrier's zeros.
COUNTED = ROTATE.replace("__global__", "__device__ int turns[2] = {7, 9};\n__global__").replace(
    "\n}\n", "\n    if (i == 0) turns[1] += turns[0];\n}\n"
)
SYNC = "grid.sync();"


def run(between: str, device: str = "h200", blocks: int = BLOCKS, **more: object) -> wv.Run:
    program = wv.compile(COUNTED.replace("BETWEEN", between), compiler="nvrtc", device=device)
    a = np.arange(THREADS * blocks, dtype=np.int32)
    return wv.simulate(program, blocks, THREADS, [a, np.zeros_like(a), ROUNDS], device=device, **more)  # type: ignore[arg-type]


def wanted(blocks: int = BLOCKS) -> np.ndarray:
    rows = np.arange(THREADS * blocks).reshape(blocks, THREADS)
    for _ in range(ROUNDS):
        rows = np.roll(rows, -1, axis=0)[:, ::-1] + 1
    return rows.reshape(-1)


@pytest.mark.parametrize(
    "device",
    representatives(["rtx2080", "a100", "rtx4090", "h200", "b200", "rtx5090"], ["rtx2080", "h200", "b200"]),
)
def test_blocks_see_what_all_wrote_before_the_barrier(device: str) -> None:
    result = run(SYNC, device)
    np.testing.assert_array_equal(result.buffers["b"], wanted())
    assert result.findings == ()
    assert result.counters["global_atom_requests"] == BLOCKS * ROUNDS


def test_an_arrival_may_be_apart_from_the_wait() -> None:
    result = run("auto token = grid.barrier_arrive(); grid.barrier_wait(static_cast<decltype(token) &&>(token));")
    np.testing.assert_array_equal(result.buffers["b"], wanted())


@pytest.mark.parametrize("between", ["__syncthreads();", SYNC + " if (threadIdx.x == 0) a[0] = blockIdx.x; " + SYNC])
def test_a_race_is_found(between: str) -> None:
    assert {finding.kind for finding in run(between).findings} == {"race"}


def test_a_grid_on_one_multiprocessor_is_stepped_through() -> None:
    result = run(SYNC, engine="sm")
    np.testing.assert_array_equal(result.buffers["b"], wanted())
    assert (result.findings, result.time_us) == ((), None)
    assert result.trace is not None


@pytest.mark.parametrize(
    ("more", "words"),
    [({"blocks": 50000}, "can be resident"), ({"engine": "sm", "blocks": 100}, "The engine 'profile' runs all of it")],
)  # fmt: skip
def test_what_cannot_run_is_refused(more: dict[str, object], words: str) -> None:
    with pytest.raises(wv.LaunchError, match=words):
        run(SYNC, **more)  # type: ignore[arg-type]


def test_a_block_that_ended_lets_the_others_poll_for_ever() -> None:
    result = run("if (blockIdx.x == 2) return; " + SYNC, step_budget=20_000)
    assert result.aborted
    assert {finding.kind for finding in result.findings} == {"endless loop"}


@pytest.mark.parametrize("device", ["rtx2080", "h200"])
def test_the_reference_says_the_same(device: str) -> None:
    program = wv.compile(COUNTED.replace("BETWEEN", SYNC), compiler="nvrtc", device=device)
    a = np.arange(THREADS * 3, dtype=np.int32)
    outcomes = []
    for execute in (run_reference, run_profile):
        binding = bind(program, (3, 1, 1), (THREADS, 1, 1), [a, np.zeros_like(a), 2], 0)
        outcomes.append(execute(program, load_device(device), binding.launch, binding.memory, Options()))
    reference, jitted = outcomes
    np.testing.assert_array_equal(reference.counts, jitted.counts)
    np.testing.assert_array_equal(reference.memory.data, jitted.memory.data)
    assert reference.findings == jitted.findings == []


ENVIRONMENT = """
__global__ void k(unsigned *out) {
    unsigned value;
    asm("mov.u32 %0, %%envreg7;" : "=r"(value));
    *out = value;
}
"""


def test_another_word_of_the_drivers_is_refused_at_its_line() -> None:
    with pytest.raises(wv.CompileError, match=r"%envreg7, which the driver sets, is not supported") as refused:
        wv.compile(ENVIRONMENT, compiler="nvrtc", device="h200")
    assert refused.value.diagnostics[0].span.line in (4, 5)
