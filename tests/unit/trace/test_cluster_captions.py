"""Captions of steps in clusters say which block's memory an access goes to, and who waits for the cluster."""

from __future__ import annotations

import numpy as np
import pytest
from support.clusters import HEAD
from support.compilers import COMPILERS

import warpview as wv
from warpview.isa.types import Space
from warpview.trace.caption import caption

TEXT = (
    HEAD
    + """
__global__ void mixed(int *out) {
    __shared__ int own[32];
    auto cluster = cg::this_cluster();
    own[threadIdx.x] = threadIdx.x + 100 * cluster.block_rank();
    cluster.sync();
    int *other = cluster.map_shared_rank(own, cluster.block_rank() ^ 1);
    int *some = cluster.map_shared_rank(own, threadIdx.x < 8 ? 0 : 1);
    out[blockIdx.x * 32 + threadIdx.x] = other[threadIdx.x] + some[threadIdx.x];
    cluster.sync();
}
"""
)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_captions(compiler: str) -> None:
    program = wv.compile(TEXT, compiler=compiler, device="h200")
    run = wv.simulate(program, 4, 32, [np.zeros(128, np.int32)], cluster=2, engine="sm")
    trace = run.trace
    assert trace is not None
    frames = [trace.frame(step) for step in range(1, trace.steps + 1)]
    loads = [f for f in frames if f.addresses and f.addresses.space == Space.SHARED and f.addresses.block is not None]
    first = next(f for f in loads if f.event and f.event.block == 0)
    assert first.addresses is not None
    assert (first.addresses.block, first.addresses.elsewhere, first.addresses.mask) == (1, 0, 0xFFFFFFFF)
    np.testing.assert_array_equal(first.addresses.address, np.arange(0, 128, 4))
    told = [caption(frame, program, run.device) for frame in frames]
    assert any("`own` of block 1" in words and words.startswith("Block 0") for words in told)
    assert any("`own` of block 0" in words and words.startswith("Block 1") for words in told)
    assert any("(24 lanes in that of other blocks)" in words for words in told)
    assert any(": 4 sectors between multiprocessors, one wavefront" in words for words in told)
    waiting = any("waits for the cluster: 1 warp waiting" in words for words in told)
    assert waiting or any("goes on: all threads of the cluster have arrived at its barrier" in words for words in told)
    assert any(words.endswith("arrives at the barrier of the cluster.") for words in told)
