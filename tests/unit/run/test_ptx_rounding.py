"""Doubles that are rounded down, up or towards zero are the same through PTX, which devices before 7.5 run, as in
machine code."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import warpview as wv
from warpview.isa.modes import Rounding
from warpview.isa.ops import Op, operation
from warpview.isa.types import Type
from warpview.sass import nvrtc

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

N = 256
OPERATIONS = (
    "__dadd_rz(a, c)", "__dadd_ru(a, c)", "__dadd_rd(a, c)", "__dsub_rz(a, a)", "__dsub_rd(a, b)", "__dsub_rd(b, b)",
    "__dmul_rz(a, b)", "__dmul_ru(c, b)", "__dmul_rd(c, b)", "__fma_rz(a, b, c)", "__fma_ru(a, b, c)",
    "__fma_rd(a, b, c)", "__ddiv_rz(c, b)", "__ddiv_ru(a, b)", "__ddiv_rd(a, c)", "__drcp_rz(b)", "__drcp_ru(a)",
    "__drcp_rd(c)", "__dsqrt_rz(fabs(b))", "__dsqrt_ru(a)", "__dsqrt_rd(fabs(c))",
)  # fmt: skip
CONVERSIONS = (
    "__ll2double_ru(n)", "__ll2double_rd(n)", "__ll2double_rz(n)", "__ull2double_ru(n)", "__ull2double_rd(n)",
    "__ll2float_ru(n)", "__ll2float_rd(n)", "__ll2float_rz(n)", "__ull2float_rz(n)", "__ull2float_ru(n)",
    "__double2float_ru(a)", "__double2float_rd(a)", "__double2float_rz(a)", "__int2float_rd((int)n)",
)  # fmt: skip
SPECIAL = np.array([
    0, 1 << 63, 1, (1 << 63) + 1, 0x000FFFFFFFFFFFFF, 0x0010000000000000, 0x7FEFFFFFFFFFFFFF, 0x7FE0000000000000,
    0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0x3FF0000000000000, 0xBFF0000000000000,
    0x3FF0000000000001, 0x4000000000000000,
], np.uint64)  # fmt: skip


def operands() -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Return patterns of doubles: any, near 1, and special ones."""
    rng = np.random.default_rng(1)
    bits, kind = rng.integers(0, 1 << 64, 3 * N, dtype=np.uint64), rng.random(3 * N)
    near = bits & np.uint64(0x800FFFFFFFFFFFFF) | rng.integers(1000, 1050, 3 * N, dtype=np.uint64) << np.uint64(52)
    return np.where(kind < 0.4, rng.choice(SPECIAL, 3 * N), np.where(kind < 0.6, near, bits))


def results(expressions: tuple[str, ...], device: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    stores = " ".join(f"out[{len(expressions)} * i + {k}] = {text};" for k, text in enumerate(expressions))
    source = f"""
        __global__ void k(double *out, const double *x) {{
          int i = blockIdx.x * blockDim.x + threadIdx.x;
          double a = x[3 * i], b = x[3 * i + 1], c = x[3 * i + 2];
          long long n = __double_as_longlong(b) >> (i & 31);
          {stores}
        }}"""
    program = wv.compile(source, compiler="nvrtc", device=device)
    out = np.zeros(len(expressions) * N)
    run = wv.simulate(program, N // 64, 64, [out, operands().view(np.float64)], device=device)
    return run.buffers["out"].reshape(N, -1)


@pytest.mark.parametrize("expressions", [OPERATIONS, CONVERSIONS], ids=["operations", "conversions"])
def test_rounded_doubles_are_those_of_machine_code(expressions: tuple[str, ...]) -> None:
    expected, found = results(expressions, "h200"), results(expressions, "p100")
    differ = (expected.view(np.uint64) != found.view(np.uint64)) & ~(np.isnan(expected) & np.isnan(found))
    assert not differ.any(), [expressions[k] for k in np.flatnonzero(differ.any(axis=0))]
    assert all(len(np.unique(column)) > N // 8 for column in expected.T[:3])


@pytest.mark.parametrize("rounding", list(Rounding))
def test_the_reference_rounds_as_machine_code(rounding: Rounding) -> None:
    name = {Rounding.RN: "rn", Rounding.RM: "rd", Rounding.RP: "ru", Rounding.RZ: "rz"}[rounding]
    found = results((f"__fma_{name}(a, b, c)",), "h200").view(np.uint64)[:, 0]
    rounded = operation(Op.FMA, Type.F64, Type.F64, rounding)
    for lane, patterns in enumerate(operands().reshape(N, 3).tolist()):
        expected = rounded(*patterns)
        both_nan = {int(found[lane]) & 0x7FFFFFFFFFFFFFFF > 0x7FF << 52, expected & 0x7FFFFFFFFFFFFFFF > 0x7FF << 52}
        assert int(found[lane]) == expected or both_nan == {True}, [hex(each) for each in patterns]
