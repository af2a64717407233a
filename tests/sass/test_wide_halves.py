"""Sums and products of halves that give floats, which compilers make of a conversion where contraction is allowed."""

from __future__ import annotations

import numpy as np
import pytest
from sass.test_generic_atomics import outcomes

import warpview as wv
from warpview.sass import nvrtc

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
SOURCE = """
#include <cuda_fp16.h>
__global__ void k(const __half *a, const __half *b, float *out) {
    __half x = a[threadIdx.x], y = b[threadIdx.x];
    out[threadIdx.x] = __half2float(__hmul(x, y));
    out[32 + threadIdx.x] = __half2float(__hadd(x, y));
    out[64 + threadIdx.x] = __half2float(__hmul_rn(x, y));
    out[96 + threadIdx.x] = __half2float(__hmul_sat(x, y));
}
"""


@pytest.mark.parametrize(("device", "is_contracted"), [("rtx2080", True), ("rtx4090", False), ("h200", False)])
def test_a_result_is_rounded_to_half_where_the_code_says_so(device: str, is_contracted: bool) -> None:
    rng = np.random.default_rng(78)
    a, b = (rng.uniform(-3, 3, 32).astype(np.float16) for _ in range(2))
    program = wv.compile(SOURCE, compiler="nvrtc", device=device)
    assert any(i.native.mnemonic.startswith("HMUL2.F32") for i in program.instructions) is is_contracted
    jitted, interpreted = outcomes(program, device, [a, b, np.zeros(128, np.float32)], threads=32)
    exact = a.astype(np.float64) * b
    kind = np.float32 if is_contracted else np.float16
    expected = np.concatenate([
        exact.astype(kind), (a.astype(np.float64) + b).astype(kind), exact.astype(np.float16),
        np.clip(exact, 0, 1).astype(kind),
    ])  # fmt: skip
    for out in (jitted[-1], interpreted[-1]):
        assert np.array_equal(out, expected.astype(np.float32))
