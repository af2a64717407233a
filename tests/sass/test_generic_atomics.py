"""Atomics and stores by generic addresses, whose code asks the hardware which memory an address lies in."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpview as wv
from warpview.devices import load_device
from warpview.isa.program import Program
from warpview.sass import nvrtc
from warpview.sim.arguments.binding import bind
from warpview.sim.engine import run_profile
from warpview.sim.launch import Options
from warpview.sim.reference import run_reference

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

SCATTER = """
typedef TYPE T;
__global__ void scatter(T *sum, T *out) {
    __shared__ T shared;
    T own = 0;
    if (threadIdx.x == 0) shared = 0;
    __syncthreads();
    T *place = threadIdx.x % 3 == 0 ? sum : threadIdx.x % 3 == 1 ? &shared : &own;
    atomicAdd(place, (T)2);
    __syncthreads();
    *place += (T)0;
    out[threadIdx.x] = own;
    if (threadIdx.x == 0) out[0] = shared;
}
__global__ void give_old(T *sum, T *out) {
    __shared__ T shared;
    if (threadIdx.x == 0) shared = 0;
    __syncthreads();
    out[threadIdx.x] = atomicAdd(threadIdx.x % 2 ? sum : &shared, (T)2);
}
"""
TYPES = {"float": np.float32, "double": np.float64, "int": np.int32, "unsigned long long": np.uint64}
THREADS = 30


def launch(kernel: str, name: str, device: str) -> list[np.ndarray]:
    """Return the buffers after a launch, which both interpreters leave alike."""
    program = wv.compile(SCATTER, kernel=kernel, defines={"TYPE": name}, compiler="nvrtc", device=device)
    jitted, interpreted = outcomes(program, device, [np.zeros(1, TYPES[name]), np.zeros(THREADS, TYPES[name])])
    assert all(np.array_equal(x, y) for x, y in zip(jitted, interpreted, strict=True))
    return jitted


def outcomes(
    program: Program, device: str, arguments: Sequence[Any], threads: int = 0
) -> list[list[np.ndarray]]:  # fmt: skip
    """Return the buffers after a launch of one block, as many threads as the last argument has elements unless said:
    those of the jitted engine and those of the reference."""
    results = []
    for engine in (run_profile, run_reference):
        bound = bind(program, (1, 1, 1), (threads or len(arguments[-1]), 1, 1), deepcopy(list(arguments)), 0)
        outcome = engine(program, load_device(device), bound.launch, bound.memory, Options())
        assert not outcome.findings
        results.append([buffer.read(outcome.memory) for buffer in bound.buffers.values()])
    return results


@pytest.mark.sample(2)
@pytest.mark.parametrize("device", ["rtx2080", "rtx4090", "h200", "b200", "rtx5090"])
@pytest.mark.parametrize("name", TYPES)
def test_each_address_gets_its_sum_once(name: str, device: str) -> None:
    total, out = launch("scatter", name, device)
    lanes = np.arange(THREADS)
    expected = np.where(lanes % 3 == 2, 2, 0)
    expected[0] = 20
    assert total.tolist() == [20]
    assert out.tolist() == expected.tolist()


@pytest.mark.sample(2)
@pytest.mark.parametrize("device", ["rtx2080", "rtx4090", "h200", "b200", "rtx5090"])
@pytest.mark.parametrize("name", ["float", "double"])
def test_each_lane_gets_what_was_there(name: str, device: str) -> None:
    total, out = launch("give_old", name, device)
    assert total.tolist() == [30]
    assert sorted(out[0::2]) == sorted(out[1::2]) == list(range(0, 30, 2))


@pytest.mark.parametrize("name", TYPES)
def test_atomics_on_shared_memory_do_not_race(name: str) -> None:
    """Those that the hardware lacks are loops, which begin with a plain load, of two words where it has 64 bits."""
    source = """
    __global__ void sum(TYPE *out) {
        __shared__ TYPE total;
        if (threadIdx.x == 0) total = 0;
        __syncthreads();
        atomicAdd(&total, (TYPE)threadIdx.x);
        __syncthreads();
        if (threadIdx.x == 0) out[0] = total;
    }
    """
    program = wv.compile(source, defines={"TYPE": name}, compiler="nvrtc", device="h200")
    run = wv.simulate(program, 1, 96, [np.zeros(1, TYPES[name])], device="h200")
    assert run.buffers["out"].tolist() == [96 * 95 // 2]
    assert not [finding.render() for finding in run.findings]


EXTREMES = """
__global__ void extremes(const long long *in, long long *found, long long *out) {
    atomicMin(&found[0], in[threadIdx.x]);
    atomicMax(&found[1], in[threadIdx.x]);
    out[threadIdx.x] = atomicMin(&found[2 + threadIdx.x], in[threadIdx.x]);
}
"""


@pytest.mark.parametrize("device", ["rtx2080", "a100", "h200", "b200", "rtx5090"])
def test_extremes_of_signed_words_of_64_bits(device: str) -> None:
    """From compute capability 9.0 on the code of the type is the one that floats had before."""
    program = wv.compile(EXTREMES, compiler="nvrtc", device=device)
    values = np.random.default_rng(3).integers(-(1 << 62), 1 << 62, 64)
    arguments = [values, np.zeros(66, np.int64), np.ones(64, np.int64)]
    for _, found, out in outcomes(program, device, arguments):
        assert found.tolist() == [values.min(), values.max(), *np.minimum(values, 0)]
        assert not out.any()


def test_the_result_of_an_atomic_may_lie_where_its_address_was(tmp_path: Path) -> None:
    """The recorded steps of ``barrier_arrive`` were looked up at what the atomic had found, which ended the process."""
    path = tmp_path / "grid.cubin"
    path.write_bytes(zipfile.ZipFile(Path(__file__).parent / "data/grid_sm90.zip").read("grid.cubin"))
    program = wv.compile(path, kernel="apart")
    words = np.zeros(128, np.uint32)
    expected = 3 * np.arange(128) + 1 + 3 * ((np.arange(128) + 5) % 128)
    for engine in ("profile", "sm"):
        run = wv.simulate(program, 2, 64, [words, words.copy(), 5], device="h200", engine=engine)
        np.testing.assert_array_equal(run.buffers["arg1"], expected)
        assert run.findings == ()
    assert run.trace is not None
    last = run.trace.frame(run.trace.steps)
    assert last is not None


CLAIM = """
__global__ void claim(unsigned long long *sum, unsigned long long *out) {
    __shared__ unsigned long long shared;
    if (threadIdx.x == 0) shared = 0;
    __syncthreads();
    unsigned long long *place = sum[0] ? sum : &shared;
    out[threadIdx.x] = KIND;
    __syncthreads();
    if (threadIdx.x == 0) sum[1] = shared;
}
"""


@pytest.mark.parametrize("device", ["rtx2080", "h200"])
@pytest.mark.parametrize(
    ("kind", "last"), [("atomicCAS(place, 0ull, threadIdx.x + 7ull)", 7), ("atomicExch(place, threadIdx.x + 7ull)", 36)]
)
def test_one_lane_alone_finds_what_was_in_shared_memory(device: str, kind: str, last: int) -> None:
    """As the code behind an exchange or comparison of 64 bits serves local memory alone, the instruction serves shared
    memory itself."""
    program = wv.compile(CLAIM, kernel="claim", defines={"KIND": kind}, compiler="nvrtc", device=device)
    arguments = [np.zeros(2, np.uint64), np.full(THREADS, 99, np.uint64)]
    for left in outcomes(program, device, arguments, THREADS):
        assert np.count_nonzero(left[1] == 0) == 1
        assert left[0][1] == last
