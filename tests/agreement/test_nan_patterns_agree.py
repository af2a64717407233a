"""What is not a number has the pattern that NVIDIA's machine code gives it, also where a kernel looks at its bits."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from warpview.sass import nvrtc

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

EXPRESSIONS = [
    "a + b", "a - b", "a * b", "a / b", "fmaf(a, b, 1.0f)", "-a", "fabsf(a)", "fminf(a, b)", "fmaxf(a, b)", "sqrtf(a)",
    "1.0f / a", "logf(a)", "powf(a, b)", "fmodf(a, b)", "copysignf(a - b, a)", "copysignf(1.0f, a)", "(float)d",
    "truncf(a)", "__half2float(h)", "__bfloat162float(g)", "(float)(d - e)",
]  # fmt: skip
KERNEL = """
#include <cuda_fp16.h>
#include <cuda_bf16.h>
__global__ void k(unsigned *out, const float *x, const double *y, const unsigned short *z) {
    int i = threadIdx.x;
    float a = x[i], b = x[31 - i];
    double d = y[i], e = y[31 - i];
    __half h = __ushort_as_half(z[i]);
    __nv_bfloat16 g = __ushort_as_bfloat16(z[i]);
%s
}
"""


def test_patterns_are_those_of_machine_code() -> None:
    rows = "\n".join(f"    out[{32 * n} + i] = __float_as_uint({of});" for n, of in enumerate(EXPRESSIONS))
    patterns = [0xFFC00001, 0x7F800001, 0x7FFFFFFF, 0x7F800000, 0xFF800000, 0xBF800000, 0x80000000, 0x40000000]
    singles = np.array(patterns * 4, np.uint32)
    doubles = (singles.astype(np.uint64) << np.uint64(32)) | np.uint64(0x12345678)
    doubles[:3] = [0xFFF8000000000000, 0x7FF0123456789ABC, 0x7FF0000000000000]
    halves = np.array([0x7C01, 0x7E00, 0xFE00, 0xFC05, 0x7F81, 0xFF81, 0x7FC0, 0xFFFF] * 4, np.uint16)
    args = [np.zeros(32 * len(EXPRESSIONS), np.uint32), singles.view(np.float32), doubles.view(np.float64), halves]
    programs = [wv.compile(KERNEL % rows, compiler=compiler, device="h200") for compiler in ("warpview", "nvrtc")]
    ours, theirs = (wv.simulate(p, 1, 32, args, device="h200").buffers["out"].reshape(-1, 32) for p in programs)
    differing = {of: np.flatnonzero(a != b).tolist() for of, a, b in zip(EXPRESSIONS, ours, theirs, strict=True)}
    assert {of: lanes for of, lanes in differing.items() if lanes} == {}
