"""Lanes of one warp that exchange values within groups of their own: member masks that differ from lane to lane, tiles,
and the lanes that happen to run together; expected values are counted group by group in Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

import warpview as wv
from warpview.devices import load_device
from warpview.sass import nvrtc
from warpview.sim.arguments.binding import bind
from warpview.sim.engine import run_profile
from warpview.sim.launch import Options
from warpview.sim.reference import run_reference

THREADS = 64
VALUES = np.random.default_rng(1).integers(-1000, 1000, THREADS).astype(np.int32)
NVIDIA = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
COMPILED = [
    ("warpview", "h200"), ("warpview", "v100"), pytest.param("nvrtc", "h200", marks=NVIDIA),
    pytest.param("nvrtc", "rtx2080", marks=NVIDIA),
]  # fmt: skip

MASKS = """
__global__ void by_mask(int *values, int *out) {
    int i = threadIdx.x, v = values[i];
    unsigned mask = 0xffu << (i & 24);
    out[i] = __ballot_sync(mask, v > 0);
    out[64 + i] = __match_any_sync(mask, v & 3);
    out[128 + i] = __any_sync(mask, v > 700) + 2 * __all_sync(mask, v < 800);
    out[192 + i] = __shfl_xor_sync(mask, v, 3);
    if (i & 1) out[256 + i] = __ballot_sync(0xaau << (i & 24), v > 0);
}
"""
GROUPS = """
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void by_tile(int *values, int *out) {
    auto tile = cg::tiled_partition<4>(cg::this_thread_block());
    int i = threadIdx.x, v = values[i];
    out[i] = tile.ballot(v & 2);
    out[64 + i] = tile.match_any(v & 1);
    out[128 + i] = tile.any(v > 500) + 2 * tile.all(v > 0);
    out[192 + i] = tile.shfl_xor(v, 1);
}
__global__ void by_chance(int *values, int *out) {
    int i = threadIdx.x, v = values[i];
    if (v > 100 || i % 5 == 2) {
        auto group = cg::coalesced_threads();
        out[i] = group.ballot(v & 1);
        out[64 + i] = group.match_any(v & 3);
        out[128 + i] = group.any(v > 900) + 2 * group.all(v > -900) + 4 * group.thread_rank() + 1000 * group.size();
        out[192 + i] = group.shfl(v, group.size() - 1);
        out[256 + i] = group.shfl_up(v, 2);
        out[320 + i] = group.shfl_down(v, 3);
    }
}
"""


def results(source: str, kernel: str, rows: int, compiler: str, device: str) -> NDArray[np.int32]:
    """Return the rows that a kernel writes, which both interpreters leave alike, without a finding."""
    program = wv.compile(source, kernel=kernel, compiler=compiler, device=device)
    written = []
    for engine in (run_profile, run_reference):
        arguments = [VALUES.copy(), np.zeros(rows * THREADS, np.int32)]
        bound = bind(program, (1, 1, 1), (THREADS, 1, 1), arguments, 0)
        outcome = engine(program, load_device(device), bound.launch, bound.memory, Options())
        assert not outcome.findings
        written.append(list(bound.buffers.values())[1].read(outcome.memory).reshape(rows, THREADS))
    assert np.array_equal(written[0], written[1])
    return written[0]


def bits(members: Sequence[int], holds: Callable[[int], bool], first: int = 0) -> int:
    """Return the members that hold, the first as bit ``first``."""
    return sum(1 << first + rank for rank, i in enumerate(members) if holds(VALUES[i]))


def as_ints(rows: NDArray[np.int64]) -> NDArray[np.int32]:
    return rows.astype(np.uint32).astype(np.int32)


@pytest.mark.sample(2)
@pytest.mark.parametrize(("compiler", "device"), COMPILED)
def test_masks_that_differ(compiler: str, device: str) -> None:
    expected = np.zeros((5, THREADS), np.int64)
    for i in range(THREADS):
        group = range(i & ~7, (i & ~7) + 8)
        expected[0, i] = bits(group, lambda v: v > 0, i & 24)
        expected[1, i] = bits(group, lambda v, i=i: (v & 3) == (VALUES[i] & 3), i & 24)
        expected[2, i] = any(VALUES[group] > 700) + 2 * all(VALUES[group] < 800)
        expected[3, i] = VALUES[i ^ 3]
        if i & 1:
            expected[4, i] = bits(group, lambda v: v > 0, i & 24) & 0xAA << (i & 24)
    assert np.array_equal(results(MASKS, "by_mask", 5, compiler, device), as_ints(expected))


@pytest.mark.sample(2)
@pytest.mark.parametrize(("compiler", "device"), COMPILED)
def test_tiles(compiler: str, device: str) -> None:
    expected = np.zeros((4, THREADS), np.int64)
    for i in range(THREADS):
        tile = range(i & ~3, (i & ~3) + 4)
        expected[0, i] = bits(tile, lambda v: bool(v & 2))
        expected[1, i] = bits(tile, lambda v, i=i: (v & 1) == (VALUES[i] & 1))
        expected[2, i] = any(VALUES[tile] > 500) + 2 * all(VALUES[tile] > 0)
        expected[3, i] = VALUES[i ^ 1]
    assert np.array_equal(results(GROUPS, "by_tile", 4, compiler, device), as_ints(expected))


@pytest.mark.sample(2)
@pytest.mark.parametrize(("compiler", "device"), COMPILED)
def test_lanes_that_happen_to_run_together(compiler: str, device: str) -> None:
    expected = np.zeros((6, THREADS), np.int64)
    for warp in range(0, THREADS, 32):
        group = [i for i in range(warp, warp + 32) if VALUES[i] > 100 or i % 5 == 2]
        for rank, i in enumerate(group):
            expected[0, i] = bits(group, lambda v: bool(v & 1))
            expected[1, i] = bits(group, lambda v, i=i: (v & 3) == (VALUES[i] & 3))
            flags = any(VALUES[group] > 900) + 2 * all(VALUES[group] > -900)
            expected[2, i] = flags + 4 * rank + 1000 * len(group)
            expected[3, i] = VALUES[group[-1]]
            expected[4, i] = VALUES[group[rank - 2 if rank >= 2 else rank]]
            expected[5, i] = VALUES[group[rank + 3 if rank + 3 < len(group) else rank]]
    assert np.array_equal(results(GROUPS, "by_chance", 6, compiler, device), as_ints(expected))


@NVIDIA
def test_a_meeting_of_all_lanes_after_some_have_exited_is_no_finding() -> None:
    source = """
    __global__ void climb(int *out, int n) {
        int t = threadIdx.x, steps = 0;
        if (t >= n) return;
        for (int x = t + 1; x != 1; x = x & 1 ? 3 * x + 1 : x / 2) {
            steps++;
            if (steps > 30) break;
        }
        __syncwarp();
        out[t] = steps;
    }
    """
    program = wv.compile(source, compiler="nvrtc")
    run = wv.simulate(program, 1, 32, [np.zeros(32, np.int32), 6])
    assert run.buffers["out"][:6].tolist() == [0, 1, 7, 2, 5, 8]
    assert not run.findings


# smsp__inst_executed.sum by Nsight Compute on an H200 (CUDA 13.0, nvcc -arch=sm_90): it tells which lanes go to the
# slow path and how often each part of it is issued.
MEASURED = {"by_mask": (MASKS, 254), "by_tile": (GROUPS, 696)}


@NVIDIA
@pytest.mark.parametrize("kernel", MEASURED)
def test_as_many_instructions_as_on_the_hardware(kernel: str) -> None:
    source, instructions = MEASURED[kernel]
    program = wv.compile(source, kernel=kernel, compiler="nvrtc", device="h200")
    run = wv.simulate(program, 1, THREADS, [VALUES.copy(), np.zeros(6 * THREADS, np.int32)], device="h200")
    assert run.counters["inst_executed"] == instructions
