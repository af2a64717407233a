"""Products of matrices and scaled FMULs in machine code against an H200; ``products.py check`` compares all of them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from warpview.sass import nvrtc

sys.path.insert(0, str(Path(__file__).parent))
from products import FACTORS, LAUNCHES, scaled, simulated, table

pytestmark = pytest.mark.skipif(nvrtc.is_installed() is False, reason="NVRTC is not installed")
NUMBERS = {launch.kernel: k for k, launch in enumerate(LAUNCHES)}
# Stores to shared memory beside loads of others in flight take a few passes more, of which no rule is known.
BUSY = {"shared_st_wavefronts", "shared_st_bank_conflicts"}


@pytest.mark.parametrize("kernel", ["gemm_cached<16>", "gemm_lines<64, 8, 8>", "gemm_quads<128, 128, 8, 8, 8>"])
def test_a_product_runs_as_on_the_hardware(kernel: str) -> None:
    real, found = table()["products"][NUMBERS[kernel]], simulated(NUMBERS[kernel])
    assert found["result"] == real["result"]
    assert found["instructions"] == real["instructions"]
    pairs = zip(table()["keys"], found["counters"], real["counters"], strict=True)
    assert {key for key, ours, theirs in pairs if ours != theirs} <= BUSY


@pytest.mark.parametrize("number", range(len(FACTORS)))
def test_a_product_times_a_power_of_two_is_rounded_once(number: int) -> None:
    assert scaled(number) == table()["scaled"][number]
