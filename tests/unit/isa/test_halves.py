"""Numbers of 16 bits are read, rounded and computed with as NumPy does it, and exactly where NumPy has no such type."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from warpview.diagnostics import SourceText
from warpview.frontend import compile_source
from warpview.isa.disassembly import listing
from warpview.isa.halves import BF16, NAN16, decode, encode
from warpview.isa.modes import Half, HalfFn
from warpview.isa.ops import Op, operation
from warpview.isa.types import Type
from warpview.isa.values import bits32_from_float, round_exact

PATTERNS = np.arange(1 << 16, dtype=np.uint16)


SOURCE = """
#include <cuda_fp16.h>
#include <cuda_bf16.h>
__global__ void k(half *a, __nv_bfloat16 *b) {
    a[0] = __hfma(a[0], a[1], a[2]) + __float2half_rd(__bfloat162float(b[0]));
    b[1] = __hmax(b[0], b[1]);
}
"""


def convert(number: float, half: Half) -> int:
    return operation(Op.CVT16, Type.U16, Type.F32, half)(bits32_from_float(number))


def test_every_pattern_is_read_and_written_as_numpy_does():
    numbers = PATTERNS.view(np.float16)
    kept = ~np.isnan(numbers)
    assert [decode(False, p) for p in PATTERNS[kept].tolist()] == numbers[kept].tolist()
    assert all(encode(False, decode(False, p)) == p for p in PATTERNS[kept].tolist())
    assert encode(False, float("nan")) == encode(True, float("nan")) == NAN16


@pytest.mark.parametrize(
    ("number", "nearest", "down", "up", "to_zero"),
    [
        (1.0, 0x3C00, 0x3C00, 0x3C00, 0x3C00),
        (1 + 2**-11, 0x3C00, 0x3C00, 0x3C01, 0x3C00),  # a tie, to even
        (1 + 3 * 2**-11, 0x3C02, 0x3C01, 0x3C02, 0x3C01),
        (-1 - 2**-12, 0xBC00, 0xBC01, 0xBC00, 0xBC00),
        (65519.0, 0x7BFF, 0x7BFF, 0x7C00, 0x7BFF),
        (65520.0, 0x7C00, 0x7BFF, 0x7C00, 0x7BFF),
        (-1e30, 0xFC00, 0xFC00, 0xFBFF, 0xFBFF),
        (2.0**-25, 0, 0, 1, 0),
        (-(2.0**-30), 0x8000, 0x8001, 0x8000, 0x8000),
        (float("-inf"), 0xFC00, 0xFC00, 0xFC00, 0xFC00),
        (-0.0, 0x8000, 0x8000, 0x8000, 0x8000),
    ],
)
def test_numbers_round_in_every_direction(number, nearest, down, up, to_zero):
    modes = (Half.F16_RN, Half.F16_RM, Half.F16_RP, Half.F16_RZ)
    assert [convert(number, mode) for mode in modes] == [nearest, down, up, to_zero]


@pytest.mark.parametrize(
    ("function", "compute"),
    [(HalfFn.ADD_F16, np.add), (HalfFn.SUB_F16, np.subtract), (HalfFn.MUL_F16, np.multiply)],
)
def test_arithmetic_is_that_of_numpy(function, compute):
    rng = np.random.default_rng(2)
    a, b = rng.permutation(PATTERNS)[:4000], rng.permutation(PATTERNS)[:4000]
    with np.errstate(all="ignore"):
        expected = compute(a.view(np.float16), b.view(np.float16))
    wanted = np.where(np.isnan(expected), NAN16, expected.view(np.uint16)).tolist()
    evaluate = operation(Op.OP16, Type.U16, Type.U32, function)
    assert [evaluate(x, y) for x, y in zip(a.tolist(), b.tolist(), strict=True)] == wanted


def test_a_product_and_sum_of_bfloat16_is_rounded_once():
    a, b, c = 0x3F81, 0x3F81, 0x0001  # a product halfway between two numbers, and the least number that there is
    exact = Fraction(decode(True, a)) * Fraction(decode(True, b)) + Fraction(decode(True, c))
    fma = operation(Op.FMA16, Type.U16, Type.U32, HalfFn.FMA_BF16)
    assert fma(a, b, c) == encode(True, round_exact(BF16, exact))
    a, b, c = 0x3F88, 0x3F88, 0x8001  # 1.0625 squared is 1.12890625: a tie, of which the third number makes less
    assert fma(a, b, 0) == 0x3F90
    assert fma(a, b, 1) == 0x3F91
    assert fma(a, b, c) == 0x3F90


def test_the_listing_names_the_format_and_the_rounding():
    text = listing(compile_source(SourceText("k.cu", SOURCE)))
    for mnemonic in ("fma.rn.f16 ", "add.f16 ", "cvt.f32.bf16 ", "cvt.rm.f16.f32 ", "max.bf16 "):
        assert text.count(mnemonic) == 1
