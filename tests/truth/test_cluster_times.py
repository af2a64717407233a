"""Compare accesses to other blocks' shared memory, and barriers of clusters, with the cycles that an H200 takes."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import warpview as wv
from warpview.devices import load_device
from warpview.isa.program import Program
from warpview.sim.arguments.binding import bind
from warpview.sim.engine_sm import run_sm
from warpview.sim.history.events import SmOptions
from warpview.sim.launch import Launch, Options
from warpview.sim.raw_counts import Raw
from warpview.sim.resident_blocks import spread_over

TRUTH = Path(__file__).parent
QUEUES = TRUTH / "times" / "queues"
KINDS = ("load", "load_4", "store", "store_4", "reduce", "add")  # as cluster_times.cu numbers them
BARRIERS = ("fence", "relaxed", "released", "behind_remote_store")  # as cluster_barriers.cu does
SIZE, ROUNDS = 2, 16


def measured(table: str, *key: str) -> float:
    """Return what a microbenchmark says of a figure, a number of blocks and of warps."""
    with (TRUTH / table).open(newline="") as file:
        rows = csv.reader(line for line in file if not line.startswith("#"))
        return next(float(row[len(key)]) for row in rows if tuple(row[: len(key)]) == key)


@cache
def compiled(file: str, kernel: str, compiler: str = "nvrtc") -> Program:
    """Compile a kernel of a microbenchmark without what only its host needs."""
    text = (QUEUES / file).read_text(encoding="utf-8").replace('#include "timing.h"', "")
    end = text.index("template <int KIND>\nstatic") if file != "cluster_times.cu" else text.index("static double value")
    return wv.compile(text[:end], kernel=kernel, compiler=compiler, device="h200")


def cycles(program: Program, warps: int, args: dict[str, object], shared: int = 200 << 10, blocks: int = 64) -> int:
    """Return how long a multiprocessor has work, which runs one block of a cluster of two, or some of several."""
    bound = bind(program, (blocks, 1, 1), (32 * warps, 1, 1), args, shared, cluster=(SIZE, 1, 1))
    options = SmOptions(record=False, estimate=True)
    return run_sm(program, load_device("h200"), bound.launch, bound.memory, Options(check=False), options).result.cycles


def arrays() -> dict[str, object]:
    return {"clocks": np.zeros(1024, np.int64), "sink": np.zeros(1 << 16, np.int32)}


@pytest.mark.parametrize("lanes", [1, 32])
@pytest.mark.parametrize("kind", ["load", "add"])
def test_a_result_from_another_block_is_there_when_it_is_on_the_hardware(kind: str, lanes: int) -> None:
    program = compiled("cluster_times.cu", f"chain<{KINDS.index(kind)}>")
    for ahead in (0, 1):
        few, many = (
            cycles(program, 1, {"ahead": ahead, "lanes": lanes, "rounds": rounds, **arrays()})
            for rounds in (ROUNDS, 3 * ROUNDS)
        )
        expected = measured("cluster_times_h200.csv", f"chain_{kind}_{lanes}", str(SIZE), str(ahead))
        assert (many - few) / (2 * ROUNDS) == pytest.approx(expected, rel=0.15)


@pytest.mark.parametrize(
    ("kind", "name", "stride"),
    [
        ("load", "next", 1), ("load", "next_stride_2", 2), ("load_4", "next", 1), ("store_4", "next", 1),
        ("store_4", "next_stride_2", 2), ("reduce", "next", 1), ("add", "next", 1), ("add", "next_stride_32", 32),
    ],
)  # fmt: skip
def test_a_multiprocessor_moves_as_much_in_a_cycle_as_on_the_hardware(kind: str, name: str, stride: int) -> None:
    program, warps = compiled("cluster_times.cu", f"stream<{KINDS.index(kind)}>"), 32
    few, many = (
        cycles(program, warps, {"ahead": 1, "stride": stride, "rounds": rounds, "active": 0, **arrays()})
        for rounds in (ROUNDS, 3 * ROUNDS)
    )
    with_barrier = measured("cluster_times_h200.csv", f"{kind}_{name}", str(SIZE), str(warps))
    barrier = measured("cluster_times_h200.csv", "cluster_sync_of_2", "2", "32") / (8 * ROUNDS * warps)
    expected = with_barrier - barrier
    assert (many - few) / (8 * 2 * ROUNDS * warps) == pytest.approx(expected, rel=0.25)


@pytest.mark.parametrize("warps", [1, 8, 32])
@pytest.mark.parametrize("kind", BARRIERS)
def test_barriers_of_a_cluster_take_as_long_as_on_the_hardware(kind: str, warps: int) -> None:
    program = compiled("cluster_barriers.cu", f"rounds_of<{BARRIERS.index(kind)}>")
    few, many = (
        cycles(program, warps, {"rounds": rounds, "global": np.zeros(1 << 16, np.int32), "clocks": arrays()["clocks"]})
        for rounds in (ROUNDS, 3 * ROUNDS)
    )
    expected = measured("cluster_barriers_h200.csv", kind, str(SIZE), str(warps))
    assert (many - few) / (2 * ROUNDS) == pytest.approx(expected, rel=0.2)


STEPS = ("nothing", "block_barrier", "store", "load", "store_load", "stencil", "stencil_block", "stencil_one_far",
         "far_load", "one_warp_far")  # as cluster_steps.cu numbers them  # fmt: skip


@pytest.mark.parametrize(
    "figure",
    [
        "stencil_one_far",
        *(pytest.param(figure, marks=pytest.mark.exhaustive) for figure in ("nothing", "one_warp_far")),
    ],
)
@pytest.mark.parametrize(("warps", "resident"), [(8, 8), (32, 1)])
def test_barriers_of_several_clusters_on_a_multiprocessor(figure: str, warps: int, resident: int) -> None:
    """Fences take the pipe of shared memory, and those of other blocks have to be awaited."""
    text, taken = (QUEUES / "cluster_steps.cu").read_text(encoding="utf-8").replace('#include "timing.h"', ""), []
    for rounds in (8, 24):
        begin = text[: text.index("template <int KIND>\nstatic")].replace("ROUNDS = 64", f"ROUNDS = {rounds}")
        kernel = f"rounds_of<{STEPS.index(figure)}>"
        program = wv.compile(begin, kernel=kernel, compiler="nvrtc", device="h200")
        args = {
            "global": np.zeros(1 << 19, np.int32),
            "fenced": np.zeros(1 << 16, np.int32),
            "clocks": np.zeros(2048, np.int64),
        }
        shared = (200 if resident == 1 else 20) << 10
        taken.append(cycles(program, warps, args, shared, 132 * resident))
    expected = measured("cluster_steps_h200.csv", figure, str(SIZE), str(warps), str(resident), str(132 * resident))
    assert (taken[1] - taken[0]) / 16 == pytest.approx(expected, rel=0.2)


# Each block polls a word of the next one's shared memory until the block before it has written to its own.
RELAY = """
#include <cooperative_groups.h>
__global__ void __cluster_dims__(4) relay(int *out)
{
    __shared__ volatile int turn;
    auto cluster = cooperative_groups::this_cluster();
    unsigned rank = cluster.block_rank();
    turn = rank == 0;
    cluster.sync();
    if (threadIdx.x == 0) {
        while (turn == 0)
            ;
        *cluster.map_shared_rank((int *)&turn, (rank + 1) % 4) = 2;
        out[blockIdx.x] = turn;
    }
    cluster.sync();
}
"""


# As often as the next block of the cluster says.
COUNTED = """
#include <cooperative_groups.h>
__global__ void __cluster_dims__(4) counted(int *out)
{
    __shared__ int trips;
    auto cluster = cooperative_groups::this_cluster();
    if (threadIdx.x == 0)
        trips = 7;
    cluster.sync();
    int sum = 0;
    for (int k = *cluster.map_shared_rank(&trips, (cluster.block_rank() + 1) % 4); k > 0; k--)
        sum = sum * 3 + out[k];
    cluster.sync();
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
"""


@pytest.mark.parametrize("compiler", ["nvrtc", "warpview"])
def test_a_followed_block_finds_what_its_partners_have_written(compiler: str) -> None:
    program = wv.compile(COUNTED, kernel="counted", compiler=compiler, device="h200")
    blocks, device = 528, load_device("h200")
    run = wv.simulate(program, grid=blocks, block=64, args=[np.zeros(blocks * 64, np.int32)], device="h200")
    bound = bind(program, (blocks, 1, 1), (64, 1, 1), [np.zeros(blocks * 64, np.int32)], 0, cluster=(4, 1, 1))
    options = SmOptions(record=False, estimate=True)
    result = run_sm(program, device, bound.launch, bound.memory, Options(check=False), options).result
    assert result.blocks_run > 1
    executed = run.counts[:, Raw.EXECUTED]
    assert (result.counts[:, Raw.EXECUTED] * blocks == executed * result.blocks_run).all()


def test_partners_that_wait_for_the_followed_block_go_on_with_it() -> None:
    program = wv.compile(RELAY, kernel="relay")
    run = wv.simulate(program, grid=512, block=32, args=[np.zeros(512, np.int32)], device="h200", engine="profile")
    assert (run.buffers["out"] > 0).all()
    assert 2 < run.verdict().time_us < 10


@pytest.mark.parametrize("compiler", ["nvrtc", "warpview"])
def test_a_kernel_in_clusters_has_a_time_and_a_verdict(compiler: str) -> None:
    program = wv.compile(TRUTH / "times/clusters/reductions.cu", kernel="prefix_together<8>", compiler=compiler,
                         device="h200")  # fmt: skip
    values = np.ones(128 * 1024, np.int32)
    run = wv.simulate(
        program, grid=128, block=1024, args=[values, np.zeros_like(values)], device="h200", engine="profile"
    )
    assert run.buffers["out"][:3].tolist() == [1, 2, 3]
    verdict = run.verdict()
    assert verdict.time_us == pytest.approx(4.67, rel=0.35)


# All blocks of the grid meet, also those of other clusters, which an estimate does not execute.
MEETING = """
#include <cooperative_groups.h>
__global__ void __cluster_dims__(2) meet(unsigned *arrived)
{
    auto cluster = cooperative_groups::this_cluster();
    if (threadIdx.x == 0) {
        atomicAdd(arrived, 1);
        while (atomicAdd(arrived, 0) < gridDim.x)
            ;
    }
    cluster.sync();
}
"""


def test_a_kernel_that_waits_for_other_clusters_has_no_estimate() -> None:
    program = wv.compile(MEETING, kernel="meet")
    bound = bind(program, (64, 1, 1), (32, 1, 1), [np.zeros(1, np.uint32)], 0, cluster=(SIZE, 1, 1))
    options = SmOptions(record=False, estimate=True)
    with pytest.raises(wv.LaunchError, match="there is no estimate of its time"):
        run_sm(program, load_device("h200"), bound.launch, bound.memory, Options(), options)


@pytest.mark.parametrize(
    ("size", "blocks", "threads"),
    [(8, 128, 512), (8, 128, 1024), (8, 512, 512), (4, 128, 256), (4, 512, 512), (2, 128, 512), (2, 256, 512)],
)
def test_clusters_are_on_as_many_multiprocessors_as_on_the_hardware(size: int, blocks: int, threads: int) -> None:
    with (TRUTH / "cluster_places_h200.csv").open(newline="") as file:
        places = {row[4] for row in csv.reader(file) if row[:3] == [str(size), str(blocks), str(threads)]}
    device, none = load_device("h200"), np.zeros(0, np.uint32)
    launch = Launch((blocks, 1, 1), (threads, 1, 1), 0, none, none.astype(np.uint64), cluster=(size, 1, 1))
    assert min(blocks, spread_over(device, launch, resident=32 * device.max_warps // threads)) == len(places)
