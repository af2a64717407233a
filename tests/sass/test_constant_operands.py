"""NVRTC names words of constant memory in other instructions, as sim/compiler_effects/constant_operands.py says."""

from __future__ import annotations

import pytest
from support.tiers import representatives

import warpview as wv
from warpview.isa.ops import Op
from warpview.isa.types import Space
from warpview.sass import nvrtc
from warpview.sim.compiler_effects.constant_operands import constant_operands
from warpview.sim.compiler_effects.unrolled_loops import unrolled_loops

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

SOURCE = """
__constant__ float table[64];
__global__ void kernel(const float *a, float *c, int n)
{
    int i = threadIdx.x;
    float s = a[i];
    BODY
    c[i] = s;
}
"""
# The body, and how many loads of constant memory are instructions of their own.
CASES = {
    "at constant places": ("s = s * table[3] + table[7];", 0),
    "at a place that is computed": ("s *= table[n];", 1),
    "in a loop that is written out": ("for (int k = 0; k < 7; k++) s += table[k] * a[i + k];", 0),
    "in two": ("for (int y = 0; y < 3; y++) for (int x = 0; x < 3; x++) s += table[y * 3 + x] * a[i + y * n + x];", 0),
    "in one, with a number of the caller": ("for (int k = 0; k < 7; k++) s += table[k + n] * a[i + k];", 1),
}  # fmt: skip


# Devices that load no parameters of kernels from constant memory, as those from sm_90 on do.
@pytest.mark.parametrize("device", representatives(["rtx2080", "a100", "rtx4090"], ["rtx2080"]))
def test_words_at_known_places_are_operands(device: str) -> None:
    for name, (body, count) in CASES.items():
        source = SOURCE.replace("BODY", body)
        program = wv.compile(source, "kernel")
        operands = set(constant_operands(program, list(unrolled_loops(program, {}))))
        loads = {n for n, i in enumerate(program.instructions) if i.op == Op.LD and i.space == Space.CONST}
        native = [i.native for i in wv.compile(source, "kernel", compiler="nvrtc", device=device).instructions]
        loaded = any(i is not None and i.mnemonic.startswith("LDC") for i in native)
        assert len(loads - operands) == count, name
        assert loaded == bool(count), name
