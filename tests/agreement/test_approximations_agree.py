"""Approximate functions have, as written, the bits that NVRTC's machine code has."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from warpview.sass import nvrtc

N = 10240
FUNCTIONS = (
    "__sinf(x)", "__cosf(x)", "__tanf(x)", "__expf(x)", "__exp10f(x)", "__logf(x)", "__log2f(x)", "__log10f(x)",
    "__powf(x, y)", "__fdividef(x, y)", "__tanhf(x)", "rsqrtf(x)", "rsqrt(x)", "exp2f(x)", "exp2(x)",
)  # fmt: skip
# Sums that take the last product of a function, and those that do not.
IN_SUMS = (
    "__logf(x) + y", "__log10f(x) * y + x", "x - __logf(y)", "__expf(x) * y + 1.0f", "__powf(x, y) + y",
    "rsqrtf(x) * y + 1.0f", "__sinf(x) * __cosf(x) + y", "__fdividef(x, y) + 1.5f", "y - __fdividef(y, x)",
    "__fdividef(x, 3 * y) - x", "__tanf(x) + y", "__fdividef(x, y + 1) * y + x",
    "__fdividef(y + 2, x) + __fdividef(x + 2, y)",
)  # fmt: skip
PTX = (
    "sin.approx.f32", "sin.approx.ftz.f32", "cos.approx.f32", "ex2.approx.f32", "ex2.approx.ftz.f32",
    "lg2.approx.f32", "lg2.approx.ftz.f32", "rcp.approx.f32", "rcp.approx.ftz.f32", "rsqrt.approx.f32",
    "rsqrt.approx.ftz.f32", "sqrt.approx.f32", "sqrt.approx.ftz.f32", "tanh.approx.f32", "div.approx.f32",
    "div.approx.ftz.f32", "div.full.f32", "div.full.ftz.f32",
)  # fmt: skip
# Zeros, subnormal numbers, infinities, none, and where NVIDIA's compiler scales operands.
SPECIAL = (
    0, 1, 0x7FFFFF, 0x800000, 0x800001, 0x400000, 0x200000, 0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FC00000, 0x3F800000,
    0x42FBFFFF, 0x42FC0000, 0x42FC0001, 0x43000000, 0x43160000, 0x7E7FFFFF, 0x7E800000, 0x7E800001, 0x40490FDB,
)  # fmt: skip


def operands(seed: int) -> np.ndarray:
    """Return N floats: all kinds of patterns, numbers of everyday size, and all pairs of special ones."""
    random = np.random.default_rng(seed)
    special = np.array([pattern | sign for pattern in SPECIAL for sign in (0, 1 << 31)], np.uint32)
    pairs = np.meshgrid(special, special)[seed].ravel()
    patterns = random.integers(0, 1 << 32, N // 2, dtype=np.uint64).astype(np.uint32)
    everyday = (random.normal(size=N) * 10 ** random.uniform(-3, 2, N)).astype(np.float32).view(np.uint32)
    return np.concatenate([pairs, patterns, everyday])[:N].view(np.float32)


X, Y = operands(0), operands(1)


def kernel(expressions: tuple[str, ...]) -> str:
    lines = "\n".join(f"    o[{k * N} + i] = {expression};" for k, expression in enumerate(expressions))
    return (
        "__global__ void k(const float *a, const float *b, float *o)\n{\n"
        f"    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    float x = a[i], y = b[i];\n{lines}\n}}\n"
    )


def inline(instruction: str, number: int) -> str:
    """Return a function of x and y that is an instruction of PTX."""
    operands = '%1, %2;" : "=f"(r) : "f"(x), "f"(y)' if instruction.startswith("div") else '%1;" : "=f"(r) : "f"(x)'
    return (
        f'__device__ float f{number}(float x, float y)\n{{ float r; asm("{instruction} %0, {operands}); return r; }}\n'
    )


def assert_agrees(expressions: tuple[str, ...], source: str) -> None:
    found = []
    for compiler in ("warpview", "nvrtc"):
        program = wv.compile(source, compiler=compiler, device="h200")
        out = np.zeros(N * len(expressions), np.float32)
        run = wv.simulate(program, N // 256, 256, [X, Y, out], device="h200", check=False)
        found.append(np.asarray(run.buffers["o"]).view(np.uint32).reshape(len(expressions), N))
    for k, expression in enumerate(expressions):
        differ = np.flatnonzero(found[0][k] != found[1][k])
        # What is no number has one pattern in functions; the sum with one has another here.
        if expressions is IN_SUMS:
            differ = [n for n in differ if not np.isnan(found[1][k].view(np.float32)[n])]
        assert len(differ) == 0, (expression, [(X[n], Y[n], *map(hex, (r[k][n] for r in found))) for n in differ[:3]])


needs_nvrtc = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")


@needs_nvrtc
@pytest.mark.parametrize("expressions", [FUNCTIONS, IN_SUMS], ids=["alone", "in sums"])
def test_functions_have_the_bits_of_machine_code(expressions: tuple[str, ...]) -> None:
    assert_agrees(expressions, kernel(expressions))


@needs_nvrtc
def test_instructions_of_ptx_have_the_bits_of_machine_code() -> None:
    functions = "".join(inline(instruction, k) for k, instruction in enumerate(PTX))
    assert_agrees(PTX, functions + kernel(tuple(f"f{k}(x, y)" for k in range(len(PTX)))))
