"""Random kernels, compiled by nvcc and run on an NVIDIA H200: here they give the same bits."""

from pathlib import Path

import numpy as np
import pytest
from agreement.random_kernels import RandomKernel
from support.undefined import executes_undefined

from warpview.diagnostics import SourceText
from warpview.frontend import compile_source
from warpview.run import simulate

RECORDED = np.load(Path(__file__).parent / "random_h200.npz")

# Kernels that divide an integer by zero, and of which nvcc, free to do so, made something else: x / x is 1 for it.
UNDEFINED = {8, 14, 16, 21, 22, 24, 31, 33, 35, 37, 42, 43, 45, 46, 51, 54, 58, 61, 63, 68, 69, 70}


def kernel(k: int) -> RandomKernel:
    grid, block = RECORDED[f"launch_{k}"]
    return RandomKernel(str(RECORDED[f"text_{k}"]), int(grid), int(block))


def agrees(k: int) -> bool:
    """Whether all variables of all threads have the recorded values at the end; any NaN equals any NaN.

    The counters are left out: their atomics are of several kinds, so that the order of threads shows in them.
    """
    case = kernel(k)
    program = compile_source(SourceText("random.cu", case.text), fma=False)
    buffers = simulate(program, case.grid, case.block, case.arguments(), device="h200", check=False).buffers
    return all(
        np.array_equal(buffers[name], RECORDED[f"{name}_{k}"], equal_nan=name == "out_d") for name in ("out_l", "out_d")
    )


@pytest.mark.parametrize("k", [k for k in range(72) if k not in UNDEFINED])
def test_results_equal_the_hardware(k):
    assert agrees(k)


@pytest.mark.parametrize("k", sorted(UNDEFINED))
def test_what_differs_is_undefined(k):
    case = kernel(k)
    assert "division by zero" in executes_undefined(case.text, case.grid, case.block, case.arguments())
