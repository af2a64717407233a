"""Products of 8 x 8 x 4 halves by sm_75's HMMA.884 equal those that NVRTC writes out for sm_90 in other instructions.

No device of 7.5 was compared: the numbers are such that every sum is exact.
"""

from __future__ import annotations

import sys
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest

import warpview as wv
from warpview.sass import nvrtc

sys.path.insert(0, str(Path(__file__).parent))
from engines import Case, differences
from record_varied import words

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

TYPES = (("f16", "f16"), ("f32", "f32"), ("f32", "f16"))  # of D and C
# 1 to 1.75 with either sign: halves, and pairs of them.
NUMBERS = {"f16": "0x3c003c00 | {0} & 0x83008300", "f32": "0x3f800000 | {0} & 0x80600000"}


def kernel(d: str, c: str, of_a: str, of_b: str) -> str:
    count_d, count_c = (8 if type_ == "f32" else 4 for type_ in (d, c))
    sources = [NUMBERS["f16"].format(f"x[(i * 4 + {k}) & 1023]") for k in range(4)]
    sources += [NUMBERS[c].format(f"x[(i * {count_c} + {k} + 300) & 1023]") for k in range(count_c)]
    named = [f"%{k}" for k in range(count_d + len(sources))]
    ends = (0, count_d, count_d + 2, count_d + 4, len(named))
    parts = ", ".join("{" + ", ".join(named[low:high]) + "}" for low, high in pairwise(ends))
    results = ", ".join(f'"=r"(d[{k}])' for k in range(count_d))
    return f"""__global__ void k(const unsigned *x, unsigned *out) {{
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        unsigned d[{count_d}];
        asm volatile("mma.sync.aligned.m8n8k4.{of_a}.{of_b}.{d}.f16.f16.{c} {parts};"
                     : {results} : {", ".join(f'"r"({source})' for source in sources)});
        for (int k = 0; k < {count_d}; k++) out[i * {count_d} + k] = d[k];
    }}"""


@pytest.mark.parametrize(("types", "of_a", "of_b"), list(product(TYPES, ("row", "col"), ("row", "col"))))
def test_each_layout_multiplies_what_other_instructions_do(types: tuple[str, str], of_a: str, of_b: str) -> None:
    text = kernel(*types, of_a, of_b)
    left = {}
    for device in ("rtx2080", "h200"):
        program = wv.compile(text, compiler="nvrtc", device=device)
        names = [i.native.mnemonic for i in program.instructions if i.native is not None]
        steps = sum(name.startswith("HMMA.884") for name in names)
        assert steps == (0 if device == "h200" else 4 if types[0] == "f32" else 2)
        arguments = [words(), np.zeros(1024, np.uint32)]
        left[device] = np.asarray(wv.simulate(program, 2, 64, arguments, device=device).buffers["out"])
        if steps:
            assert not differences(Case("k", program, 2, 64, [words(), np.zeros(1024, np.uint32)]))
    assert left["rtx2080"].any()
    assert np.array_equal(left["rtx2080"], left["h200"])
