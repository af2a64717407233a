"""NVRTC joins the operations that sim/compiler_effects/absorbed_operations.py says it does, on each architecture."""

from __future__ import annotations

import pytest
from support.tiers import representatives

import warpview as wv
from warpview.isa.ops import Op
from warpview.sass import nvrtc
from warpview.sim.compiler_effects.absorbed_operations import absorbed

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

WORDS = """
__global__ void kernel(const int *a, const int *b, const int *d, const int *e, int *c)
{
    int x = a[threadIdx.x], y = b[threadIdx.x], z = d[threadIdx.x], w = e[threadIdx.x];
    c[threadIdx.x] = VALUE;
}
"""
FLOATS = WORDS.replace("int *", "float *").replace("int x", "float x")
HALVES = "#include <cuda_fp16.h>\n" + WORDS.replace("int *", "__half2 *").replace("int x", "__half2 x")
LOGIC, SUMS, SHIFTS = (Op.AND, Op.OR, Op.XOR, Op.NOT), (Op.ADD, Op.SUB, Op.NEG), (Op.SHL, Op.SHR)
PRODUCTS, TESTS, HALF_OPS = (Op.MUL, Op.FMA, Op.NEG, Op.ABS, Op.ADD, Op.SUB), (Op.SETP, *LOGIC), (Op.OP16, Op.FMA16)
CASES = {
    "logic of two": (WORDS, "x & y", LOGIC, "LOP3", 1),
    "logic of three": (WORDS, "x & y ^ z", LOGIC, "LOP3", 1),
    "logic of three, one twice": (WORDS, "(x & y) | (~x & z)", LOGIC, "LOP3", 1),
    "logic of three and a constant": (WORDS, "x & y ^ z | 5", LOGIC, "LOP3", 2),
    "logic of four": (WORDS, "x ^ y ^ z ^ w", LOGIC, "LOP3", 2),
    "a sum of three": (WORDS, "x + y + z", SUMS, "IADD3", 1),
    "a difference of three": (WORDS, "x - y - z", SUMS, "IADD3", 1),
    "a sum of three and a constant": (WORDS, "x + y + z + 9", SUMS, "IADD3", 2),
    "a shift and a sum": (WORDS, "(x << 5) + y", (*SUMS, *SHIFTS, Op.MAD), "LEA", 1),
    "a shift to the right and a sum": (WORDS, "(x >> 5) + y", (*SUMS, *SHIFTS), "LEA.HI", 1),
    "a rotation": (WORDS, "(int)((unsigned)x << 7 | (unsigned)x >> 25)", (*LOGIC, *SHIFTS), "SHF", 1),
    "a sum that is needed twice": (WORDS, "(x + y + z) * (x + y)", SUMS, "IADD", 2),
    "two tests": (WORDS, "x > 3 && y > 4 && z > w ? x : w", TESTS, "ISETP", 3),
    "an opposite": (FLOATS, "-x * y", PRODUCTS, ("FFMA", "FMUL"), 1),
    "a difference of products": (FLOATS, "z - x * y", PRODUCTS, "FFMA", 1),
    "a test of a bit": (WORDS, "(x & y) == 0 ? z : w", (Op.AND, Op.SETP), ("LOP3", "ISETP"), 1),
    "whether two tests agree": (WORDS, "(x < y) == (z < w) ? x : w", (Op.SETP,), ("ISETP", "PLOP3"), 2),
    "a pair of halves": (HALVES, "__hfma2(x, y, z)", HALF_OPS, "HFMA2", 1),
    "two pairs of halves": (HALVES, "__hmul2(__hfma2(x, y, z), w)", HALF_OPS, ("HFMA2", "HMUL2"), 2),
}  # fmt: skip


@pytest.mark.parametrize("device", representatives(["rtx2080", "rtx4090", "h200", "rtx5090"], ["rtx2080", "h200"]))
def test_as_many_instructions_are_left_as_the_compiler_writes(device: str) -> None:
    for name, (source, value, ops, mnemonic, count) in CASES.items():
        source = source.replace("VALUE", value)
        program = wv.compile(source, "kernel")
        free = absorbed(program, {})
        left = [n for n, i in enumerate(program.instructions) if i.op in ops and n not in free]
        native = [i.native for i in wv.compile(source, "kernel", compiler="nvrtc", device=device).instructions]
        assert len(left) == count, name
        assert sum(i is not None and i.mnemonic.startswith(mnemonic) for i in native) == count, name
