"""Halves are added atomically by one instruction, which devices have from some compute capability on."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv

SOURCE = """
#include <cuda_fp16.h>
__global__ void pairs(__half2 *sum) { atomicAdd(sum, __floats2half2_rn(1.5f, threadIdx.x)); }
__global__ void halves(__half *sum) { atomicAdd(sum + threadIdx.x % 2, __float2half(0.5f)); }
"""


@pytest.mark.parametrize("engine", ["profile", "sm"])
def test_pairs_of_halves_are_added_by_one_instruction(engine: str) -> None:
    program = wv.compile(SOURCE, kernel="pairs")
    run = wv.simulate(program, 1, 32, [np.zeros(2, np.float16)], device="p100", engine=engine)
    assert run.buffers["sum"].tolist() == [48, 496]
    assert run.counters["global_red_requests"] == 1


def test_single_halves_need_volta() -> None:
    program = wv.compile(SOURCE, kernel="halves")
    run = wv.simulate(program, 1, 32, [np.zeros(2, np.float16)], device="v100")
    assert run.buffers["sum"].tolist() == [8, 8]
    with pytest.raises(wv.WarpviewError, match="atomic addition of halves"):
        wv.simulate(program, 1, 32, [np.zeros(2, np.float16)], device="p100")
