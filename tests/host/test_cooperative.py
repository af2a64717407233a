"""Cooperative launches of a program synchronise the grid, and launches that cannot are errors."""

import numpy as np
import pytest
from support.compilers import COMPILERS

import warpview as wv
from warpview.sass import nvrtc

PROGRAM = r"""
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
namespace cg = cooperative_groups;
template <class Tile> __device__ int of_tile(Tile tile, int x) { return cg::reduce(tile, x, cg::plus<int>()); }
__device__ int rank_of(const cg::thread_block &block, cg::thread_block_tile<32> tile) { return block.thread_rank(); }
__global__ void total(int *data, int n) {
    cg::grid_group grid = cg::this_grid();
    for (int half = n / 2; half > 0; half /= 2) {
        for (int i = grid.thread_rank(); i < half; i += grid.size()) data[i] += data[i + half];
        grid.sync();
    }
}
int main() {
    int n = 4096, *data, sum = 0;
    cudaMallocManaged(&data, n * sizeof(int));
    for (int i = 0; i < n; ++i) data[i] = i;
    int blocks = 0, supported = 0;
    cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, total, 128, 0);
    void *arguments[] = {&data, &n};
    LAUNCH
    cudaError_t error = cudaDeviceSynchronize();
    if (error == cudaSuccess) sum = data[0];
    printf("%d %d %s %d\n", supported, blocks > 0, cudaGetErrorName(error), sum);
    cudaFree(data);
}
"""


needs_nvrtc = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")


@pytest.mark.sample(2)
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("blocks", [1, 8])
def test_the_grid_synchronises(program, blocks, compiler):
    launch = f"cudaLaunchCooperativeKernel(total, {blocks}, 128, arguments);"
    result = wv.run_program(program(PROGRAM.replace("LAUNCH", launch)), compiler=compiler, device="h200")
    assert result.output == f"1 1 cudaSuccess {4096 * 4095 // 2}\n"
    assert (result.host_findings, result.runs[0].findings) == ((), ())
    assert result.launches[0].time_us is None


@pytest.mark.parametrize("compiler", COMPILERS)
def test_an_ordinary_launch_cannot(program, compiler):
    text = PROGRAM.replace("LAUNCH", "total<<<8, 128>>>(data, n);")
    result = wv.run_program(program(text), compiler=compiler, device="h200")
    assert "cudaErrorLaunchFailure" in result.output
    assert "cooperative launch" in {finding.kind for finding in result.host_findings}


def test_a_tile_of_a_tile_is_counted_within_it():
    source = """
    #include <cooperative_groups.h>
    namespace cg = cooperative_groups;
    template <unsigned N, class Parent> __device__ int place(const cg::thread_block_tile<N, Parent> &tile) {
        return tile.meta_group_rank() * 100 + tile.meta_group_size();
    }
    __global__ void k(int *out) {
        auto block = cg::this_thread_block();
        auto warp = cg::tiled_partition<32>(block);
        cg::thread_block_tile<8> eight = cg::tiled_partition<8>(warp);
        out[3 * threadIdx.x] = place(warp);
        out[3 * threadIdx.x + 1] = place(eight);
        out[3 * threadIdx.x + 2] = place(cg::tiled_partition<4>(eight));
    }"""
    run = wv.simulate(wv.compile(source), 1, 96, [np.zeros(288, np.int32)])
    thread = np.arange(96)
    expected = [thread // 32 * 100 + 3, thread % 32 // 8 * 100 + 4, thread % 8 // 4 * 100 + 2]
    np.testing.assert_array_equal(run.buffers["out"].reshape(96, 3).T, expected)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_groups_of_a_partition_are_counted(compiler):
    """By the order of lowest lanes for labels, by the predicate for two; undivided, a group is the only one."""
    source = """
    #include <cooperative_groups.h>
    namespace cg = cooperative_groups;
    __device__ int place(const cg::coalesced_group &g) { return g.meta_group_rank() * 100 + g.meta_group_size(); }
    __global__ void k(int *out) {
        int t = threadIdx.x, *o = out + 6 * t;
        auto warp = cg::tiled_partition<32>(cg::this_thread_block());
        o[0] = place(cg::binary_partition(warp, t % 3 == 0));
        o[1] = place(cg::binary_partition(warp, t < 64));
        auto alike = cg::labeled_partition(warp, t % 5);
        o[2] = place(alike);
        o[3] = place(cg::labeled_partition(alike, t / 16));
        o[4] = place(cg::labeled_partition(warp, t % 4 == 1));
        if (t % 2) {
            auto active = cg::coalesced_threads();
            o[5] = place(active) + 10000 * place(cg::binary_partition(active, t % 32 < 9));
        } else o[5] = 0;
    }"""
    program = wv.compile(source, compiler=compiler, device="h200")
    run = wv.simulate(program, 1, 96, [np.zeros(576, np.int32)], device="h200")
    t = np.arange(96)
    lane = t % 32
    expected = [
        (t % 3 == 0) * 100 + 2, np.ones(96), lane % 5 * 100 + 5, lane // 16 * 100 + 2, (t % 4 == 1) * 100 + 2,
        t % 2 * (10000 * ((lane < 9) * 100 + 2) + 1),
    ]  # fmt: skip
    found = next(iter(run.buffers.values())).reshape(96, 6).T
    np.testing.assert_array_equal(found, np.array(expected, dtype=np.int32))
    assert not run.findings
