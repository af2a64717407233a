"""NVRTC computes once what sim/compiler_effects/repeated_operations.py says it does, on each architecture."""

from __future__ import annotations

import pytest
from support.tiers import representatives

import warpview as wv
from warpview.isa.ops import Op
from warpview.sass import nvrtc
from warpview.sim.compiler_effects.repeated_operations import repeated_operations

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

SOURCE = """
__global__ void kernel(const float *a, const float *__restrict__ b, float *c, int n)
{
    __shared__ float t[1024];
    int i = threadIdx.x;
    float x = a[i], y = a[i + 256], s = 0;
    BODY
    c[i] = s;
}
"""
DIFFERENCES, QUOTIENTS, ROOTS = (Op.SUB, "FADD"), (Op.RCP, "MUFU.RCP"), (Op.APPROX1, "MUFU.RSQ")
LOADS = Op.LD, ("LDG", "LDS")
# The body, what is counted, and how much of it is left; what is not needed of the loads before it is not there.
CASES = {
    "a difference twice": ("s = (x - y) * (x - y);", DIFFERENCES, 1),
    "two differences": ("s = (x - y) * (y - x * n);", DIFFERENCES, 1),
    "a root twice": ("s = rsqrtf(x) * y + rsqrtf(x);", ROOTS, 1),
    "on both ways": ("s = x - y; if (n > 3) s += __sinf(x - y) * 3; s *= x - y;", DIFFERENCES, 1),
    "on one way alone": ("if (n > 3) { s = __sinf(x - y); c[i + n] = s; } __syncthreads(); s += x - y;",
                         DIFFERENCES, 2),
    "after the number has changed": ("s = x - y; x = __sinf(x); s *= x - y;", DIFFERENCES, 2),
    "in each trip": ("\n#pragma unroll 1\nfor (int k = 0; k < n; k++) { x = __sinf(x); s *= (x - y) * (x - y); }",
                     DIFFERENCES, 1),
    "from before a loop": ("s = x - y; for (int k = 0; k < n; k++) { __syncthreads(); s = __sinf(s) * (x - y); }",
                           DIFFERENCES, 1),
    "a load by the same address": ("s = a[i] * a[i + 256] + a[i];", LOADS, 2),
    "a load by an address that is computed again": ("s = a[n * i + 7] * x + a[i * n + 7] + y;", LOADS, 3),
    "shared memory, on both sides of a barrier": ("t[i] = x; __syncthreads(); s = t[n]; __syncthreads(); s += t[n];",
                                                  LOADS, 3),
    "a load behind a store": ("s = a[n]; c[n] = s * y; s += a[n];", LOADS, 3),
    "a restricted load behind a store": ("s = b[n]; c[n] = s * y; s += b[n];", LOADS, 2),
}  # fmt: skip


@pytest.mark.parametrize("device", representatives(["rtx2080", "rtx4090", "h200", "rtx5090"], ["rtx2080", "h200"]))
def test_as_much_is_left_as_the_compiler_writes(device: str) -> None:
    for name, (body, (op, mnemonic), count) in CASES.items():
        source = SOURCE.replace("BODY", body)
        program = wv.compile(source, "kernel")
        repeated = repeated_operations(program)
        left = [n for n, i in enumerate(program.instructions) if i.op == op and n not in repeated]
        native = [i.native for i in wv.compile(source, "kernel", compiler="nvrtc", device=device).instructions]
        assert len(left) == count, name
        assert sum(i is not None and i.mnemonic.startswith(mnemonic) for i in native) == count, name
