"""Arrays within structs that are parameters: machine code reads them at computed places of constant bank 0."""

from __future__ import annotations

import numpy as np
import pytest
from sass.test_generic_atomics import outcomes

import warpview as wv
from warpview.sass import nvrtc

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

SOURCE = """
struct Filter { float weights[8]; unsigned char key[11][16]; int n; double scale[3]; short steps[5]; };
__constant__ float offsets[4];
__global__ void k(const Filter f, int4 tail, float *out) {
    int t = threadIdx.x;
    out[t] = f.weights[t % 8] * f.n + f.key[t % 11][t % 16] + tail.y + f.scale[t % 3] + f.steps[t % 5] + offsets[t % 4];
}
"""
FILTER = np.dtype(
    [("weights", "f4", 8), ("key", "u1", (11, 16)), ("n", "i4"), ("scale", "f8", 3), ("steps", "i2", 5)], align=True
)


@pytest.mark.parametrize("device", ["rtx2080", "h200", "b200"])
def test_elements_of_parameters_are_read_by_computed_index(device: str) -> None:
    value = np.zeros((), FILTER)
    value["weights"], value["key"], value["n"] = np.arange(8) * 1.5, np.arange(176).reshape(11, 16), 3
    value["scale"], value["steps"] = (0.5, 0.25, 0.125), (1, -2, 3, -4, 5)
    program = wv.compile(SOURCE, compiler="nvrtc", device=device)
    t = np.arange(32)
    expected = value["weights"][t % 8] * 3 + value["key"][t % 11, t % 16] + 6 + value["scale"][t % 3]
    expected = (expected + value["steps"][t % 5]).astype(np.float32)
    arguments = [value[()], (5, 6, 7, 8), np.zeros(32, np.float32)]
    for out in outcomes(program, device, arguments):
        assert np.array_equal(out[-1], expected)
    run = wv.simulate(program, 1, 32, arguments, device=device, constants={"offsets": [1.0, 2.0, 3.0, 4.0]})
    assert np.array_equal(run.buffers["out"], expected + np.arange(32) % 4 + 1)
    assert not run.findings
