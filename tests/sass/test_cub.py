"""Kernels that use CUB's primitives of blocks and warps, compiled by NVRTC, compute what numpy does."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from warpview.sass import nvrtc

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

SCAN = """
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_reduce.cuh>
__global__ void scan(const int *in, int *out) {
    using BlockScan = cub::BlockScan<int, 128>;
    using WarpReduce = cub::WarpReduce<int>;
    __shared__ typename BlockScan::TempStorage scanned;
    __shared__ typename WarpReduce::TempStorage reduced[4];
    int sum;
    BlockScan(scanned).ExclusiveSum(in[threadIdx.x], sum);
    out[threadIdx.x] = sum;
    int total = WarpReduce(reduced[threadIdx.x / 32]).Sum(in[threadIdx.x]);
    if (threadIdx.x % 32 == 0) out[128 + threadIdx.x / 32] = total;
}
"""
SORT = """
#include <cub/block/block_radix_sort.cuh>
__global__ void sort(const int *in, int *out) {
    using Sort = cub::BlockRadixSort<int, 128, 4>;
    __shared__ typename Sort::TempStorage storage;
    int values[4];
    for (int i = 0; i < 4; ++i) values[i] = in[threadIdx.x * 4 + i];
    Sort(storage).Sort(values);
    for (int i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = values[i];
}
"""
VALUES = np.random.default_rng(7).integers(-1000, 1000, 512, dtype=np.int32)


def run(text: str, device: str) -> np.ndarray:
    program = wv.compile(text, compiler="nvrtc", device=device)
    result = wv.simulate(program, 1, 128, [VALUES, np.zeros(512, np.int32)], device=device)
    assert not result.findings
    return result.buffers["out"]


@pytest.mark.sample(2)
@pytest.mark.parametrize("device", ["h200", "v100"])
def test_scans_and_reductions(device: str) -> None:
    out, values = run(SCAN, device), VALUES[:128]
    assert np.array_equal(out[:128], np.cumsum(values) - values)
    assert np.array_equal(out[128:132], values.reshape(4, 32).sum(1))


@pytest.mark.exhaustive
@pytest.mark.sample(4)
@pytest.mark.parametrize("device", ["v100", "rtx2080", "h200", "rtx5090"])
def test_radix_sort(device: str) -> None:
    assert np.array_equal(run(SORT, device), np.sort(VALUES))
