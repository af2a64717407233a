"""SIMD intrinsics give what NVIDIA's machine code gives, for every pair of a set of awkward words."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from warpview.frontend.lower.builtins import packed
from warpview.sass import nvrtc

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

EDGES = [0, 1, 0x7F, 0x80, 0x81, 0xFF, 0x7FFF, 0x8000, 0x8001, 0xFFFF, 0x7F80FF01, 0x80000000, 0x80808080, 0x7FFFFFFF]
KINDS = ("__vset", "__vcmp", "__vabs", "__vs", "__v")
UNARY = ("__vneg", "__vabs2", "__vabs4", "__vabsss")


def _source(names: list[str]) -> str:
    calls = [f"{name}(x{'' if name.startswith(UNARY) else ', y'})" for name in names]
    rows = "\n".join(f"  out[{row} * n + i] = {call};" for row, call in enumerate(calls))
    return (
        "__global__ void k(const unsigned* a, const unsigned* b, unsigned* out, int n) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n"
        f"  unsigned x = a[i], y = b[i];\n{rows}\n}}\n"
    )


@pytest.mark.parametrize("kind", KINDS)
def test_packed_integers_as_nvidia_computes_them(kind: str) -> None:
    names = sorted(n for n in packed.TABLE if next(k for k in KINDS if n.startswith(k)) == kind)
    words = np.array(EDGES + list(np.random.default_rng(7).integers(0, 2**32, 18)), np.uint32)
    a, b = np.repeat(words, words.size), np.tile(words, words.size)
    results = {}
    for compiler in ("warpview", "nvrtc"):
        program = wv.compile(_source(names), kernel="k", compiler=compiler, device="h200")
        out = np.zeros(len(names) * a.size, np.uint32)
        run = wv.simulate(program, grid=(a.size // 128,), block=(128,), args=[a, b, out, a.size], device="h200")
        results[compiler] = run.buffers["out"].reshape(len(names), -1)
    wrong = [n for n, ours, theirs in zip(names, *results.values(), strict=True) if not np.array_equal(ours, theirs)]
    assert names
    assert not wrong
