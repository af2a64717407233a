"""Caches, DRAM, occupancy, stalls and operations of launches against Nsight Compute: samples of ``times/held_out.py``.

The whole table: ``python tests/truth/times/breakdown.py --part development``.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

try:
    from warpview.sass import nvrtc

    HAS_NVRTC = nvrtc.is_installed()
except ImportError:
    HAS_NVRTC = False

sys.path.insert(0, str(Path(__file__).parent / "times"))

from breakdown import NEAR, hits_of_accesses, rows_of
from compare import PARTS, measured, program_of, simulate
from held_out import held_out
from more import more

from warpview.devices import load_device
from warpview.isa.work import Work
from warpview.sim.raw_counts import Raw

pytestmark = pytest.mark.skipif(not HAS_NVRTC, reason="NVRTC is not installed")

BY_KEY = {launch.key: launch for launch in held_out()}
OPERATIONS = measured(Path(__file__).parent / "operations_h200.csv")
FIGURES = ("issue slots used", "achieved occupancy", "L1 hit rate", "L2 hit rate", "DRAM bytes")
SAMPLE = (
    "gemm_cached<32> 8x8/1024 256 1.5 65536 65536 0.5 65536",  # tiles that all multiprocessors read
    "turn_gather<float> 24x96/32x8 589824 589824 768",  # the L1 serves what is left of the lines
    "five_tile<16> 40x40/16x16 409600 409600 640",
    "sum_vectors 264/256 262144 1 65536",  # ends with atomics, too few for a warp to wait
)


@pytest.mark.parametrize("key", SAMPLE)
def test_figures_are_within_ten_points(key: str) -> None:
    launch = BY_KEY[key]
    rows = rows_of(measured(PARTS["held-out"].table)[key], simulate(launch, "nvrtc"), int(np.prod(launch.grid)))
    found = {row.figure: row.simulated - row.measured for row in rows if row.figure in FIGURES}
    assert len(found) >= 3
    assert {figure: difference for figure, difference in found.items() if abs(difference) > NEAR} == {}


# Tiles of a grid whose edges their neighbours read as well, an array that is read once, tiles that all blocks read: the
# profiler's own rate of the first is 9 points higher, as it counts what no multiprocessor asks for.
@pytest.mark.parametrize("start", ["chip_points 16x64", "means_columns 16/32", "gram_points 16x64", "rank_two 16x64"])
def test_hits_of_what_multiprocessors_ask_for_are_within_ten_points(start: str) -> None:
    part = PARTS["suites"]
    launch = next(launch for launch in part.launches() if launch.key.startswith(start))
    traffic = simulate(launch, "nvrtc", part.device).traffic
    (row,) = hits_of_accesses(measured(part.asked_table)[launch.key], traffic, load_device(part.device))
    assert row.simulated == pytest.approx(row.measured, abs=NEAR)


# What each of them needs: stores and loads that do not wait for contended atomics, stores that do not wait for loads,
# blocks that start one soon after the other, constants that are in no cache yet, turns that are told apart
# from a pipe that is taken; a sector that several stores fill, warps that wait until their atomics are sent, and
# registers that are read before the pipe takes an access.
STALLS = {
    "five_rows 50x800/64x4": ("DRAM bytes", "drain"),
    "copied_pieces<float4> 1056/256 4325376 4325376 4 4": ("DRAM bytes",),
    "bytes_global 256/256": ("achieved occupancy", "issue slots used"),
    "pieces<float2> 1056/256 4325376 8 8": ("long scoreboard", "drain", "achieved occupancy"),
    "compact_atomics 4096/256": ("drain", "long scoreboard"),
    "load_strided 4096/256 67108864": ("drain", "long scoreboard"),
    "butterfly 8192/256 8388608 2097152": ("drain", "long scoreboard"),
    "gelu 1024/256": ("achieved occupancy", "no instruction"),
    "find_word 1024/256": ("achieved occupancy", "no instruction"),
    "grey_packed 1024/256": ("achieved occupancy", "no instruction"),
    "logistic 1056/256": ("math pipe throttle", "not selected"),
    "half_axpy 1024/256": ("achieved occupancy", "short scoreboard"),
    "embed 512/128": ("achieved occupancy", "long scoreboard"),
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("start", STALLS)
def test_stalls_are_within_ten_points(start: str) -> None:
    launch = next(launch for launch in {**BY_KEY, **{each.key: each for each in more()}}.values()
                  if launch.key.startswith(start))  # fmt: skip
    truth = {**measured(PARTS["held-out"].table), **measured(PARTS["more"].table)}[launch.key]
    rows = rows_of(truth, simulate(launch, "nvrtc"), int(np.prod(launch.grid)))
    found = {row.figure: (row.measured, row.simulated) for row in rows if row.figure in STALLS[start]}
    assert len(found) == len(STALLS[start])
    assert all(abs(ours - theirs) <= NEAR for theirs, ours in found.values()), found


def figures_of_cluster(start: str) -> dict[str, tuple[float, float]]:
    """Return what was measured and what is simulated of the launch in clusters whose name starts so."""
    launch = next(launch for launch in PARTS["clusters"].launches() if launch.key.startswith(start))
    truth = measured(PARTS["clusters"].table)[launch.key]
    rows = rows_of(truth, simulate(launch, "nvrtc"), int(np.prod(launch.grid)))
    return {row.figure: (row.measured, row.simulated) for row in rows}


# Who waits for a fence waits neither for a barrier nor for a result.
@pytest.mark.parametrize("start", ["sum_together<2> 256/256 65536", "count_together<2> 128/512 262144"])
def test_fences_of_clusters_are_told_apart(start: str) -> None:
    found = figures_of_cluster(start)
    assert found["membar"][0] > NEAR
    assert all(abs(found[name][1] - found[name][0]) <= NEAR for name in ("membar", "barrier", "wait")), found


# Few clusters, most of which have their multiprocessors to themselves, and blocks that a last one joins.
@pytest.mark.parametrize("start", ["look_up<8> 128/512", "vector_by_columns<8> 1024/256"])
def test_occupancy_and_bytes_of_clusters_are_the_mean_of_multiprocessors(start: str) -> None:
    found = figures_of_cluster(start)
    assert all(abs(found[name][1] - found[name][0]) <= NEAR for name in ("achieved occupancy", "DRAM bytes")), found


@pytest.mark.parametrize("key", SAMPLE)
def test_operations_are_the_hardwares(key: str) -> None:
    """Floating-point operations are equal; of integers a few differ with the compiler, as NVRTC and nvcc address shared
    memory differently."""
    launch, truth = BY_KEY[key], {name: int(value) for name, value in OPERATIONS[key].items() if name != "launch"}
    program, result = program_of(launch.path, launch.kernel, "nvrtc"), simulate(launch, "nvrtc")
    share = int(np.prod(launch.grid)) / result.blocks_run
    done = result.counts[:, Raw.LANES_ON] @ program.work * share
    assert done[Work.SINGLE] == pytest.approx(truth["fadd"] + truth["fmul"] + 2 * truth["ffma"], rel=0.05)
    assert done[Work.DOUBLE] == truth["dadd"] + truth["dmul"] + 2 * truth["dfma"]
    assert done[Work.INTEGER] == pytest.approx(truth["integer"], rel=0.05)
