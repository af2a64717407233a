"""Tiles of more than a warp meet in shared memory that the driver keeps: beside the kernel's own."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from support.tiers import representatives

import warpview as wv
from warpview.sass import nvrtc

sys.path.insert(0, str(Path(__file__).parent))
from engines import Case, differences

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
N = 256
X = np.random.default_rng(7).integers(-1000, 1000, N).astype(np.int32)

SOURCE = """#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void k(const int *x, int *out) {
    extern __shared__ int more[];
    __shared__ int own[256];
    cg::thread_block block = cg::this_thread_block();
    int t = threadIdx.x;
    own[t] = x[t];
    more[t] = 2 * x[t];
    auto tile = cg::tiled_partition<64>(block);
    int sum = cg::reduce(tile, own[t], cg::plus<int>());
    tile.sync();
    auto half = cg::tiled_partition<128>(block);
    int most = cg::reduce(half, more[t ^ 5], cg::greater<int>());
    int one = half.shfl(x[t], 100);
    block.sync();
    out[t] = sum + most + one + own[255 - t] + more[255 - t];
}"""
EXPECTED = (
    np.repeat(X.reshape(-1, 64).sum(1), 64)
    + np.repeat(2 * X.reshape(-1, 128).max(1), 128)
    + np.repeat(X.reshape(-1, 128)[:, 100], 128)
    + 3 * X[::-1]
)


@pytest.mark.parametrize("device", representatives(["rtx3090", "h200", "b200", "rtx5090"], ["h200"]))
def test_tiles_of_several_warps_leave_the_kernels_arrays_alone(device: str) -> None:
    program = wv.compile(SOURCE, compiler="nvrtc", device=device)
    run = wv.simulate(program, 1, N, [X.copy(), np.zeros(N, np.int32)], shared_bytes=4 * N, device=device)
    np.testing.assert_array_equal(run.buffers["out"], EXPECTED)
    assert not run.findings


def test_the_engines_agree_on_tiles_of_several_warps() -> None:
    program = wv.compile(SOURCE, compiler="nvrtc", device="h200")
    assert not differences(Case("k", program, 1, N, [X, np.zeros(N, np.int32)], 4 * N))
