"""A run follows the multiprocessor of the block that it is asked for, and computes the same."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from warpview.run.simulation import Step, simulate_series

SOURCE = """
__global__ void late(int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = blockIdx.x + 1;
}
"""


def followed(block: int, grid: int, device: str = "8800gtx") -> wv.Run:
    step = Step(wv.compile(SOURCE), grid, 32, [np.zeros(32 * grid, np.int32)])
    return simulate_series([step], device=device, engine="sm", traced_block=block).launches[0]


@pytest.mark.parametrize(("block", "wanted"), [(0, {0, 16}), (5, {5}), (16, {0, 16}), (40, {0, 16})])
def test_the_blocks_that_are_recorded_are_those_of_its_multiprocessor(block: int, wanted: set[int]) -> None:
    run = followed(block, 17)
    assert {number for number, _, _ in run.trace.blocks} == wanted
    assert np.array_equal(run.buffers["out"], np.repeat(np.arange(1, 18), 32))
    assert run.counters["global_st_requests"] == followed(0, 17).counters["global_st_requests"]


def test_a_time_is_given_where_the_multiprocessor_has_as_many_blocks_as_the_first() -> None:
    assert followed(5, 16).time_us == followed(0, 16).time_us
    assert followed(5, 17).time_us is None
    assert followed(16, 17).time_us == followed(0, 17).time_us
