"""Kernels that use C++'s standard library, compiled by NVRTC, compute what numpy does."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from warpview.sass import nvrtc

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

TEXT = """
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <limits>
#include <type_traits>
#include <vector>
template <typename T> __device__ float scaled(int x) { return std::is_same<T, int>::value ? x : x * 0.5f; }
__global__ void k(float *out) {
    int x = threadIdx.x;
    uint8_t small = 9 * x;
    out[x] = std::sqrt(float(x)) + std::abs(-3.0f);
    out[32 + x] = small + std::numeric_limits<int>::max() % 7 + std::max(3, x);
    out[64 + x] = scaled<int>(x) + scaled<float>(x);
}
int main() {
    std::vector<float> out(96);
    std::cout << out[0] << std::endl;
}
"""


@pytest.mark.parametrize("device", ["h200", "gtx480"])
def test_functions_limits_and_traits(device: str) -> None:
    program = wv.compile(TEXT, compiler="nvrtc", device=device)
    out = wv.simulate(program, 1, 32, [np.zeros(96, np.float32)], device=device).buffers["out"]
    x = np.arange(32)
    assert np.allclose(out[:32], np.sqrt(x) + 3, rtol=1e-6)
    assert np.array_equal(out[32:64], 9 * x % 256 + 1 + np.maximum(3, x))
    assert np.array_equal(out[64:], 1.5 * x)
