"""Blocks of a cluster wait for one another and access one another's shared memory, with both compilers."""

from __future__ import annotations

import numpy as np
import pytest
from support.clusters import ATOMICS, HEAD, HISTOGRAM, NEIGHBOURS, PASS_ON, PTX
from support.compilers import COMPILERS

import warpview as wv
from warpview.devices import load_device
from warpview.diagnostics import LaunchError
from warpview.sass import nvrtc

SYNC = "cluster.sync();"
# The first block of each cluster waits for those of all others, and the second one for it.
MEETING = (
    HEAD
    + """
__global__ void __cluster_dims__(2) meet(int *count, int *out)
{
    auto cluster = cg::this_cluster();
    if (cluster.block_rank() == 0 && threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1);
        while (*(volatile int *)count < gridDim.x / 2)
            ;
    }
    cluster.sync();
    out[blockIdx.x * blockDim.x + threadIdx.x] = *(volatile int *)count;
}
"""
)
ENGINES = ("profile", "sm")


def compiled(text: str, compiler: str = "warpview") -> wv.Program:
    return wv.compile(text, compiler=compiler, device="h200")


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("engine", ENGINES)
def test_the_histogram_of_the_programming_guide(compiler: str, engine: str) -> None:
    bins, n = 50, 700
    data = np.random.default_rng(1).integers(-5, 60, n).astype(np.int32)
    args = {"bins": np.zeros(bins, np.int32), "nbins": bins, "bins_per_block": bins // 2, "input": data, "n": n}
    run = wv.simulate(compiled(HISTOGRAM, compiler), 6, 64, args, shared_bytes=4 * bins // 2, engine=engine)
    expected = np.bincount(np.clip(data, 0, bins - 1), minlength=bins)
    np.testing.assert_array_equal(run.buffers["bins"], expected)
    assert run.findings == ()


def check_neighbours(compiler: str, device: str, engine: str) -> None:
    args = [np.zeros(8 * 64, np.float32), np.zeros(8 * 12, np.uint32)]
    program = wv.compile(NEIGHBOURS, compiler=compiler, device=device)
    run = wv.simulate(program, (4, 2), 64, args, device=device, engine=engine)
    t = np.arange(64)
    out, places = np.zeros((8, 64)), np.zeros((8, 12), np.int64)
    own = {}
    for block in range(8):
        x, y = block % 4, block // 4
        rank = x % 2 + 2 * (y % 2)
        own[x // 2, rank] = t + 100 * rank + 1000 * block
    for block in range(8):
        x, y = block % 4, block // 4
        rank = x % 2 + 2 * (y % 2)
        out[block] = own[x // 2, (rank - 1) % 4] + 0.5 + sum(own[x // 2, k][::-1] for k in range(4))
        places[block] = [rank, x % 2, y % 2, 2, 2, 4, rank * 64 + 1, 256, (rank + 1) % 4, rank, y % 2, 128]
    np.testing.assert_array_equal(run.buffers["out"].reshape(8, 64), out)
    np.testing.assert_array_equal(run.buffers["places"].reshape(8, 12), places)
    assert run.findings == ()


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("engine", ENGINES)
def test_blocks_read_and_write_their_neighbours(compiler: str, engine: str) -> None:
    check_neighbours(compiler, "h200", engine)


@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
@pytest.mark.parametrize("device", ["b200", "rtx5090"])
def test_later_devices_have_the_extents_of_clusters_elsewhere(device: str) -> None:
    check_neighbours("nvrtc", device, "profile")


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("blocks", [1, 3, 8])
def test_atomics_on_the_memory_of_other_blocks(compiler: str, blocks: int) -> None:
    threads, grid = 32, 2 * blocks
    args = [np.zeros(64 + grid * 8, np.int32), np.zeros(grid, np.uint64), np.zeros(2 * grid)]
    run = wv.simulate(compiled(ATOMICS, compiler), grid, threads, args, cluster=blocks)
    v = np.add.outer(10 * np.arange(blocks), np.arange(threads)).ravel()
    rank = np.arange(grid) % blocks
    ints = run.buffers["ints"][: 5 * grid].reshape(grid, 5)
    np.testing.assert_array_equal(ints[:, 0], v.sum())
    np.testing.assert_array_equal(ints[:, 1].view(np.uint32), np.bitwise_or.reduce(1 << (v & 31)))
    np.testing.assert_array_equal(ints[:, 2], (v.min() - rank))
    np.testing.assert_array_equal(ints[:, 3], (v.max() + rank))
    np.testing.assert_array_equal(ints[:, 4], 40 + rank)
    np.testing.assert_array_equal(run.buffers["longs"], np.full(grid, len(v) << 33, np.uint64))
    np.testing.assert_array_equal(run.buffers["reals"].reshape(grid, 2), [[0.5 * len(v), 0.25 * len(v)]] * grid)
    assert run.findings == ()


@pytest.mark.parametrize("compiler", COMPILERS)
def test_what_comes_before_the_barrier_of_a_cluster_is_seen_behind_it(compiler: str) -> None:
    args = [np.zeros(12 * 32, np.int32), np.zeros(12 * 32, np.int32), 3]
    run = wv.simulate(compiled(PASS_ON.replace("BETWEEN", SYNC), compiler), 12, 32, args, cluster=4)
    expected = np.repeat([sum(k + (rank + 1) % 4 for k in range(3)) for rank in range(4)] * 3, 32)
    np.testing.assert_array_equal(run.buffers["out"], expected)
    assert run.findings == ()


@pytest.mark.parametrize("compiler", COMPILERS)
def test_inline_ptx_has_clusters(compiler: str) -> None:
    run = wv.simulate(compiled(PTX, compiler), 8, 32, [np.zeros(256, np.int32)])
    t, rank = np.arange(32), np.arange(8)[:, None] % 4
    taken = t + 100 * ((rank - 1) % 4)  # by the block two before, from its next one
    expected = taken + 10000 * (31 - t + 100 * ((rank + 3) % 4))
    np.testing.assert_array_equal(run.buffers["out"].reshape(8, 32), expected)
    assert run.findings == ()


def test_without_the_barrier_the_blocks_race() -> None:
    args = [np.zeros(8 * 32, np.int32), np.zeros(8 * 32, np.int32), 2]
    run = wv.simulate(compiled(PASS_ON.replace("BETWEEN", "__syncthreads();")), 8, 32, args, cluster=4)
    assert {finding.kind for finding in run.findings} == {"race"}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_block_that_leaves_is_not_waited_for(compiler: str, engine: str) -> None:
    text = PASS_ON.replace("BETWEEN", "if (rank == 1) return; " + SYNC)
    run = wv.simulate(
        compiled(text, compiler), 4, 32, [np.zeros(128, np.int32), np.zeros(128, np.int32), 1], cluster=2, engine=engine
    )
    assert not run.aborted


@pytest.mark.parametrize("compiler", COMPILERS)
def test_clusters_wait_for_other_clusters(compiler: str) -> None:
    program, args = compiled(MEETING, compiler), [np.zeros(1, np.int32), np.zeros(256, np.int32)]
    for engine in ENGINES:
        run = wv.simulate(program, 8, 32, args, engine=engine)
        assert set(run.buffers["out"]) == {4}
        assert run.findings == ()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("compiler", COMPILERS)
def test_threads_that_wait_elsewhere_hold_the_cluster_back(compiler: str, engine: str) -> None:
    text = (
        HEAD
        + """
    __global__ void stuck(int *out) {
        __shared__ int flag;
        if (threadIdx.x == 0) flag = 0;
        __syncthreads();
        if (cg::this_cluster().block_rank() == 1 && threadIdx.x < 32) __syncthreads();
        cg::this_cluster().sync();
        out[0] = flag;
    }"""
    )
    run = wv.simulate(compiled(text, compiler), 2, 64, [np.zeros(1, np.int32)], cluster=2, engine=engine)
    assert run.aborted
    assert "barrier cannot complete" in {finding.kind for finding in run.findings}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("compiler", COMPILERS)
def test_memory_of_a_block_that_the_cluster_does_not_have(compiler: str, engine: str) -> None:
    text = (
        HEAD
        + """
    __global__ void beyond(int *out) {
        __shared__ int own[32];
        own[threadIdx.x] = 5;
        cg::this_cluster().sync();
        out[threadIdx.x] = cg::this_cluster().map_shared_rank(own, 2 + out[0])[threadIdx.x];
        cg::this_cluster().sync();
    }"""
    )
    run = wv.simulate(compiled(text, compiler), 2, 32, [np.zeros(32, np.int32)], cluster=2, engine=engine)
    assert {finding.kind for finding in run.findings} >= {"out of bounds"}
    assert (run.buffers["out"] == 0).all()


def test_reads_of_what_no_block_has_written_are_found() -> None:
    text = (
        HEAD
        + """
    __global__ void unwritten(int *out) {
        __shared__ int own[32];
        if (cg::this_cluster().block_rank() == 0) own[threadIdx.x] = 5;
        cg::this_cluster().sync();
        out[blockIdx.x * 32 + threadIdx.x] = cg::this_cluster().map_shared_rank(own, KIND)[threadIdx.x];
        cg::this_cluster().sync();
    }"""
    )
    for kind, expected in (("0", set()), ("1", {"uninitialised read"})):
        run = wv.simulate(compiled(text.replace("KIND", kind)), 2, 32, [np.zeros(64, np.int32)], cluster=2)
        assert {finding.kind for finding in run.findings} == expected


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"cluster": 3}, r"grid.x = 8 is no multiple of cluster.x = 3"),
        ({"cluster": (1, 2)}, r"grid.y = 1 is no multiple of cluster.y = 2"),
        ({"cluster": 32, "grid": 32}, "a cluster of 32 blocks is too large: at most 16"),
        ({"cluster": 2, "device": "a100"}, "needs compute capability 9.0"),
    ],
)  # fmt: skip
def test_clusters_that_no_launch_can_have(more: dict[str, object], words: str) -> None:
    program = compiled(PASS_ON.replace("BETWEEN", SYNC))
    grid = more.pop("grid", 8)
    with pytest.raises(LaunchError, match=words):
        wv.simulate(program, grid, 32, [np.zeros(256, np.int32), np.zeros(256, np.int32), 1], **more)  # type: ignore[arg-type]


def test_a_launch_cannot_change_the_clusters_of_a_kernel() -> None:
    with pytest.raises(LaunchError, match="clusters of"):
        wv.simulate(compiled(NEIGHBOURS), (4, 2), 64, [np.zeros(512, np.float32), np.zeros(96, np.uint32)], cluster=2)


def test_a_cluster_that_does_not_fit_on_one_multiprocessor_is_not_stepped_through() -> None:
    text = PASS_ON.replace("BETWEEN", SYNC)
    args = [np.zeros(8 * 1024, np.int32), np.zeros(8 * 1024, np.int32), 1]
    with pytest.raises(LaunchError, match="The engine 'profile' runs the launch"):
        wv.simulate(compiled(text), 8, 1024, args, cluster=8, engine="sm")
    assert load_device("h200").max_threads == 2048
