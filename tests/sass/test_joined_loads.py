"""NVRTC joins the loads of shared memory that sim/compiler_effects/joined_loads.py says it does, and repeats none."""

from __future__ import annotations

import pytest

import warpview as wv
from warpview.isa.ops import Op
from warpview.isa.program import Program
from warpview.isa.types import Space
from warpview.sass import nvrtc
from warpview.sim.compiler_effects.joined_loads import joined_loads
from warpview.sim.compiler_effects.repeated_operations import repeated_operations
from warpview.sim.compiler_effects.unrolled_loops import unrolled_loops

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

SOURCE = """
__global__ void kernel(const float *a, float *c, int n)
{
    __shared__ float t[4096];
    int i = threadIdx.x;
    float s = 0;
    FILL
    BODY
    c[i] = s;
}
"""
OF_SHARED = {
    "four words in a row": ("int k = i * 4; s = t[k] + t[k + 1] * t[k + 2] - t[k + 3];", 1),
    "eight words in a row": ("int k = i * 8; for (int j = 0; j < 4; j++) s += t[k + j] * t[k + j + 4];", 2),
    "two words in a row": ("int k = i * 2; s = t[k] * t[k + 1];", 1),
    "words at any address": ("s = t[i] + t[i + 1] * t[i + 2] - t[i + 3];", 4),
    "words that do not follow one another": ("int k = i * 4; s = t[k] + t[k + 1024] * t[k + 2048];", 3),
    "a row in a loop": ("for (int k = 0; k < 8; k++) s += t[i * 8 + k];", 2),
    "a row and a column": ("for (int k = 0; k < 8; k++) s += t[i * 8 + k] * t[k * 32 + i + 512];", 10),
    "a row of six": ("for (int k = 0; k < 6; k++) s += t[i * 6 + k];", 3),
    "a row whose start is not known": ("for (int k = 0; k < 8; k++) s += t[i * n + k];", 8),
}  # fmt: skip
OF_GLOBAL = {
    "once more": ("if (a[i + 64] > 0) s += a[i + 64] * n;", 1),
    "twice more, in a loop": ("for (int k = 0; k < 4; k++) s += a[k] > a[i] ? a[k] : 1;", 5),
    "after a store": ("s = a[i + 64]; c[i + n] = 2 * s; s += a[i + 64];", 2),
    "after a barrier": ("s = a[i + 64]; __syncthreads(); s += a[i + 64];", 2),
}


def issued(program: Program, space: Space) -> int:
    """Return how many loads of a space the compiler is said to issue."""
    repeated = repeated_operations(program)
    loops = list(unrolled_loops(program, repeated))
    joined = joined_loads(program, loops, repeated)
    done = {*repeated, *joined.by_member()}
    count = 0
    for n, instruction in enumerate(program.instructions):
        if instruction.op == Op.LD and instruction.space == space and n not in done:
            copies = next((loop.copies for loop in loops if loop.first <= n <= loop.last and n not in loop.folded), 1)
            count += copies // max(1, joined.trips.get(n, 0))
    return count


def written(program: Program, mnemonic: str) -> int:
    """Return how many instructions of a mnemonic machine code has."""
    return sum(i.native is not None and i.native.mnemonic.startswith(mnemonic) for i in program.instructions)


@pytest.mark.parametrize("device", ["rtx2080", "h200", "rtx5090"])
def test_words_that_follow_one_another_are_loaded_together(device: str) -> None:
    for name, (body, count) in OF_SHARED.items():
        source = SOURCE.replace("FILL", "t[i] = a[i]; __syncthreads();").replace("BODY", body)
        assert issued(wv.compile(source, "kernel"), Space.SHARED) == count, name
        # Where NVRTC has pointers of 64 bits it may load the first word once more.
        assert written(wv.compile(source, "kernel", compiler="nvrtc", device=device), "LDS") in (count, count + 1), name


@pytest.mark.parametrize("device", ["rtx2080", "h200", "rtx5090"])
def test_what_was_loaded_is_not_loaded_again(device: str) -> None:
    for name, (body, count) in OF_GLOBAL.items():
        source = SOURCE.replace("FILL", "").replace("BODY", body)
        assert issued(wv.compile(source, "kernel"), Space.GLOBAL) == count, name
        native = wv.compile(source, "kernel", compiler="nvrtc", device=device)
        assert written(native, "LDG") == count, name
