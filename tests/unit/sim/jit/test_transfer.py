"""Accesses in the layouts that are moved at once: halves of a warp in two stretches, a few places that lanes share."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv

HALVES = """
__global__ void kernel(const TYPE *in, TYPE *out, int stride) {
  int row = threadIdx.x / 16, column = threadIdx.x % 16;
  if (threadIdx.x % 5 != 3) out[row * 20 + column] = in[row * stride + column];
}"""
FEW = """
__global__ void kernel(const TYPE *in, TYPE *out, int places) {
  if (threadIdx.x % 7 != 2) out[threadIdx.x] = in[threadIdx.x % places * 3];
}"""


@pytest.mark.parametrize("type_", [np.int32, np.float64])
@pytest.mark.parametrize("stride", [0, 16, 40])
def test_each_half_of_a_warp_has_its_stretch(stride: int, type_: type) -> None:
    program = wv.compile(HALVES.replace("TYPE", "int" if type_ is np.int32 else "double"))
    values, out = np.arange(1, 65).astype(type_), np.full(40, -1, type_)
    run = wv.simulate(program, 1, 32, [values, out, stride])
    expected = out.copy()
    for t in range(32):
        if t % 5 != 3:
            expected[t // 16 * 20 + t % 16] = values[t // 16 * stride + t % 16]
    assert np.array_equal(run.buffers["out"], expected)


@pytest.mark.parametrize("name", ["int", "double", "float4"])
@pytest.mark.parametrize("places", [1, 2, 3])
def test_lanes_that_share_a_place_load_the_same(places: int, name: str) -> None:
    program = wv.compile(FEW.replace("TYPE", name))
    type_ = np.float64 if name == "double" else np.int32
    words = 4 if name == "float4" else 1
    values, out = np.arange(1, 12 * words + 1).astype(type_), np.full(32 * words, -1, type_)
    run = wv.simulate(program, 1, 32, [values.view(np.float32) if words == 4 else values,
                                       out.view(np.float32) if words == 4 else out, places])  # fmt: skip
    expected = out.reshape(32, words).copy()
    for t in range(32):
        if t % 7 != 2:
            expected[t] = values.reshape(-1, words)[t % places * 3]
    assert np.array_equal(run.buffers["out"].view(type_).reshape(32, words), expected)
