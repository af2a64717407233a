"""Numbers are made of bytes and half words anywhere in a register, as compilers do with vectors of them."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from warpview.devices import load_device
from warpview.sass import nvrtc
from warpview.sim.arguments.binding import bind
from warpview.sim.engine import run_profile
from warpview.sim.launch import Options
from warpview.sim.reference import run_reference

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

SUMS = """
template <typename T> __device__ float weigh(T v) { return v.x + v.y * 0.5f - v.z * 0.25f + v.w * 2.0f; }
template <typename T> __device__ double weigh_wide(T v) { return v.x + v.y * 0.5 - v.z * 0.25 + v.w * 2.0; }
__global__ void kernel(const VECTOR *in, float *out, double *wide) {
    out[threadIdx.x] = weigh(in[threadIdx.x]);
    wide[threadIdx.x] = weigh_wide(in[threadIdx.x]);
}
"""
VECTORS = {"char4": np.int8, "uchar4": np.uint8, "short4": np.int16, "ushort4": np.uint16}


@pytest.mark.parametrize("device", ["rtx2080", "a100", "h200", "b200", "rtx5090"])
@pytest.mark.parametrize("vector", VECTORS)
def test_parts_of_a_register_become_numbers(vector: str, device: str) -> None:
    program = wv.compile(SUMS, defines={"VECTOR": vector}, compiler="nvrtc", device=device)
    kind = np.iinfo(VECTORS[vector])
    values = np.random.default_rng(5).integers(kind.min, kind.max + 1, (32, 4)).astype(kind.dtype)
    expected = values.astype(np.float64) @ [1, 0.5, -0.25, 2]
    for engine in (run_profile, run_reference):
        bound = bind(program, (1, 1, 1), (32, 1, 1), [values, np.zeros(32, np.float32), np.zeros(32)], 0)
        outcome = engine(program, load_device(device), bound.launch, bound.memory, Options())
        assert bound.buffers["out"].read(outcome.memory).tolist() == expected.tolist()
        assert bound.buffers["wide"].read(outcome.memory).tolist() == expected.tolist()
