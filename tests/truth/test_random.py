"""Random kernels give the same bits here as compiled by nvcc on an NVIDIA H200."""

from pathlib import Path

import numpy as np
import pytest
from agreement.random_kernels import RandomKernel
from support.undefined import executes_undefined

from warpview.diagnostics import SourceText
from warpview.frontend import compile_source
from warpview.run import simulate

RECORDED = np.load(Path(__file__).parent / "random_h200.npz")

# Kernels that convert a float beyond an integer type's range at compile time, where nvcc is free to fold what it likes.
UNDEFINED = {72}
# All 120 recorded kernels agree but these; the suite runs the first 80.
RUN = range(80)


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


@pytest.mark.sample(6)
@pytest.mark.parametrize("k", [k for k in RUN if k not in UNDEFINED])
def test_results_equal_the_hardware(k):
    assert agrees(k)


@pytest.mark.parametrize("k", sorted(UNDEFINED))
def test_what_differs_is_undefined(k):
    case = kernel(k)
    assert "conversion out of range" in executes_undefined(case.text, case.grid, case.block, case.arguments())
