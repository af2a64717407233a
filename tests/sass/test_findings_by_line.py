"""Findings in machine code are told by source lines and elements, as those of code as written are."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from warpview.sass import nvrtc

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

BLUR = """
__global__ void blur(const unsigned char *in, unsigned char *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, sum = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            sum += in[(y + dy) * w + x + dx];
    out[y * w + x] = sum / 9;
}
"""
SUMS = """
__global__ void sums(const float *in, float *out)
{
    __shared__ float part[64];
    part[threadIdx.x] = in[threadIdx.x] + 0.5f;
    out[threadIdx.x] = part[63 - threadIdx.x];
}
"""


def test_an_unrolled_access_out_of_bounds_is_one_finding() -> None:
    found = {}
    for compiler in ("warpview", "nvrtc"):
        program = wv.compile(BLUR, compiler=compiler, device="h200")
        args = [np.zeros(4096, np.uint8), np.zeros(4096, np.uint8), 64, 64]
        (found[compiler],) = wv.simulate(program, (4, 4), (16, 16), args, device="h200").findings
    written, compiled = found["warpview"], found["nvrtc"]
    assert (written.kind, written.span.line, written.count) == (compiled.kind, compiled.span.line, compiled.count)
    assert written.count > 256


def test_a_race_of_floats_tells_their_values_as_floats() -> None:
    program = wv.compile(SUMS, compiler="nvrtc", device="h200")
    run = wv.simulate(program, 1, 64, [np.full(64, 2, np.float32), np.zeros(64, np.float32)], device="h200")
    (race,) = [each for each in run.findings if each.kind == "race"]
    assert "(2.5)" in race.message
    assert 2.5 in (race.value, race.other.value)
