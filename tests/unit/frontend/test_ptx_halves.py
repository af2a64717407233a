"""PTX on numbers of 16 bits gives numpy's results, and those of NVRTC's machine code."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.ptx import N, kernel, run

import warpview as wv
from warpview.sass import nvrtc

Array = np.ndarray[Any, Any]
# Halves: zeros, subnormal ones, the largest, infinities, and numbers of every size.
PATTERNS = np.concatenate([
    np.array([0, 0x8000, 1, 0x8001, 0x3FF, 0x400, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00], np.uint16),
    np.random.default_rng(16).integers(0, 0x7C00, N - 10, dtype=np.uint16)
    | np.random.default_rng(17).integers(0, 2, N - 10, dtype=np.uint16) << 15,
])  # fmt: skip
OTHERS = PATTERNS[::-1].copy()
BOTH = PATTERNS.astype(np.uint32) | OTHERS.astype(np.uint32) << 16

A, B = PATTERNS.view(np.float16), OTHERS.view(np.float16)
WIDE_A, WIDE_B = A.astype(np.float64), B.astype(np.float64)


def bits(values: Array) -> Array:
    """The patterns of some halves; NaN in the one pattern that operations give."""
    halves = values.astype(np.float16)
    return np.where(np.isnan(halves), np.uint16(0x7FFF), halves.view(np.uint16)).astype(np.uint32)


# The halves a and b in %h1 and %h2, both in %r1; the result in %r2.
CASES: dict[str, tuple[str, Callable[[], Array]]] = {
    "add": ("add.f16 %h3, %h1, %h2; cvt.u32.u16 %r2, %h3;", lambda: bits(A + B)),
    "sub": ("sub.rn.f16 %h3, %h1, %h2; cvt.u32.u16 %r2, %h3;", lambda: bits(A - B)),
    "mul": ("mul.f16 %h3, %h1, %h2; cvt.u32.u16 %r2, %h3;", lambda: bits(A * B)),
    # a product of halves and a half have 40 + 11 digits at most where their sum does not round in F64
    "fma": ("fma.rn.f16 %h3, %h1, %h2, %h1; cvt.u32.u16 %r2, %h3;", lambda: bits(WIDE_A * WIDE_B + WIDE_A)),
    "neg": ("neg.f16 %h3, %h1; cvt.u32.u16 %r2, %h3;", lambda: (PATTERNS ^ 0x8000).astype(np.uint32)),
    "abs": ("abs.f16 %h3, %h1; cvt.u32.u16 %r2, %h3;", lambda: (PATTERNS & 0x7FFF).astype(np.uint32)),
    "pairs": ("mov.b32 %r3, {%h2, %h1}; add.f16x2 %r2, %r1, %r3;", lambda: bits(A + B) | bits(B + A) << 16),
    "widened": ("cvt.f32.f16 %f1, %h1; cvt.f32.f16 %f2, %h2; mul.f32 %f1, %f1, %f2; mov.b32 %r2, %f1;",
                lambda: (A.astype(np.float32) * B.astype(np.float32)).view(np.uint32)),
    "setp": ("setp.lt.f16 %p1, %h1, %h2; selp.u32 %r2, 5, 7, %p1;", lambda: np.where(A < B, 5, 7).astype(np.uint32)),
    "set": ("set.ge.f16.f16 %h3, %h1, %h2; cvt.u32.u16 %r2, %h3;", lambda: bits((A >= B).astype(np.float16))),
    "floor": ("cvt.rmi.f16.f16 %h3, %h1; cvt.u32.u16 %r2, %h3;", lambda: bits(np.floor(A))),
    "to integer": ("cvt.rni.s32.f16 %r2, %h1;",
                   lambda: np.clip(np.rint(WIDE_A), -(2**31), 2**31 - 1).astype(np.int64).astype(np.uint32)),
    "of integer": ("cvt.rn.f16.s16 %h3, %h1; cvt.u32.u16 %r2, %h3;", lambda: bits(PATTERNS.view(np.int16))),
    "declared in one word": ("{.reg.b16 low, high; mov.b32 {low, high}, %r1; mov.b32 %r2, {high, low};}",
                             lambda: BOTH >> 16 | BOTH << 16),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
@np.errstate(all="ignore")
def test_halves(tmp_path: Path, name: str) -> None:
    body, meaning = CASES[name]
    text = f"ld.global.u32 %r1, [%in];\nmov.b32 {{%h1, %h2}}, %r1;\n{body}\nst.global.u32 [%out], %r2;"
    found = run(tmp_path, kernel(text), BOTH)
    wanted = meaning()
    if name == "widened":  # the pattern of NaN is the processor's there
        numbers = ~np.isnan(wanted.view(np.float32))
        found, wanted = found[numbers], wanted[numbers]
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("mode", ["rn", "rz", "rm", "rp"])
@np.errstate(over="ignore")
def test_floats_become_halves(tmp_path: Path, mode: str) -> None:
    values = np.random.default_rng(18).uniform(-70000, 70000, N).astype(np.float32)
    values[:4] = [1e-9, -1e-9, 65519.9, -65520]
    body = f"ld.global.f32 %f1, [%in];\ncvt.{mode}.f16.f32 %h1, %f1;\ncvt.f32.f16 %f2, %h1;\nst.global.f32 [%out], %f2;"
    found = run(tmp_path, kernel(body), values)
    np.testing.assert_array_equal(found, found.astype(np.float16))  # each is a half
    if mode == "rn":
        np.testing.assert_array_equal(found, values.astype(np.float16))
        return
    upwards = np.full(N, mode == "rp") if mode != "rz" else values < 0
    beyond = np.where(upwards, np.float16(-np.inf), np.float16(np.inf))
    next_one = np.nextafter(found.astype(np.float16), beyond)  # the half on the other side of the value
    below, above = np.where(upwards, next_one, found), np.where(upwards, found, next_one)
    assert np.all((below <= values) & (values <= above))
    assert np.all(np.where(upwards, next_one < values, next_one > values))


def bfloat16_of(value: int) -> int:
    """The pattern of an integer rounded once to 8 digits, ties to even."""
    size = abs(value)
    for _ in range(2):  # rounding up may give one digit more
        drop = max(size.bit_length() - 8, 0)
        kept, left = size >> drop, size & (1 << drop) - 1
        kept += 2 * left > (1 << drop) or (2 * left == 1 << drop and kept & 1)
        size = kept << drop
    return int(np.array([size if value > 0 else -size], np.float32).view(np.uint32)[0]) >> 16


@pytest.mark.parametrize("kind", ["s64", "u64"])
def test_long_integers_become_bfloat16_with_one_rounding(tmp_path: Path, kind: str) -> None:
    """A double of 2^62 + 2^54 + 1 is a tie, as the integer is not."""
    sizes = [(1 << top) + (1 << max(top - 8, 0)) + by for top in (20, 53, 54, 60, 62) for by in (-1, 0, 1, 4096)]
    known = [0, 1, 255, 257, (1 << 53) - 1, (1 << 53) + 1, (1 << 63) - 1, *sizes, *(-size for size in sizes)]
    values = np.array((known * 2)[:N], np.int64)
    converted = f"cvt.rn.bf16.{kind} %h1, %rd1;\ncvt.u64.u16 %rd2, %h1;"
    body = f"ld.global.u64 %rd1, [%in];\n{converted}\nst.global.u64 [%out], %rd2;"
    found = run(tmp_path, kernel(body), values)
    taken = values if kind == "s64" else values.view(np.uint64)
    assert found.tolist() == [bfloat16_of(int(value)) for value in taken]


@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
@pytest.mark.parametrize("device", ["k40", "v100", "h200"])
@np.errstate(all="ignore")
def test_a_kernel_of_halves(device: str) -> None:
    """On devices before CC 7.5 it runs as PTX, on others as machine code."""
    program = wv.compile(
        """#include <cuda_fp16.h>
        __global__ void k(const __half *a, const __half *b, __half *out) {
            int i = threadIdx.x;
            __half least = __hlt(a[i], b[i]) ? a[i] : b[i];
            __half2 pair = __hadd2(__halves2half2(a[i], b[i]), __halves2half2(b[i], least));
            out[i] = __hfma(__low2half(pair), __float2half(0.5f), hsqrt(__habs(__high2half(pair))));
        }""",
        compiler="nvrtc", device=device,
    )  # fmt: skip
    a, b = (np.where(np.isinf(x), np.float16(3), x) for x in (A, B))
    run_ = wv.simulate(program, 1, N, [a, b, np.zeros(N, np.float16)], device=device)
    low, high = (a + b).astype(np.float64), (b + np.minimum(a, b)).astype(np.float32)
    wanted = (low / 2 + np.sqrt(np.abs(high)).astype(np.float16)).astype(np.float16)
    np.testing.assert_array_equal(run_.buffers["out"], wanted)
    assert not run_.findings
