"""The library's product on tensor cores counts what an H100 counts.

Measured by Nsight Compute (CUDA 13.0, nvcc for sm_90) on an NVIDIA H100 80GB HBM3: products of 32 with two warps a
block, and of 512 with four, as both presets launch them.
"""

from __future__ import annotations

import pytest

from warpview import library
from warpview.run.library_launch import simulate_preset
from warpview.sass import nvrtc

ENTRY = library.entry("matmul/tensor_cores")
MEMORY = ("global_ld_requests", "global_ld_sectors", "global_st_requests", "global_st_sectors")
MEASURED = {"step": (64, 512, 16, 128), "full": (262_144, 2_097_152, 4_096, 32_768)}


@pytest.mark.parametrize("preset", MEASURED)
def test_as_written_the_accesses_are_those_of_the_hardware(preset: str) -> None:
    (run,) = simulate_preset(ENTRY, preset, "h100", check=False).launches
    assert tuple(run.counters[name] for name in MEMORY) == MEASURED[preset]


@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
def test_as_machine_code_the_instructions_are_too() -> None:
    (run,) = simulate_preset(ENTRY, "full", "h100", compiler="nvrtc", check=False).launches
    assert tuple(run.counters[name] for name in MEMORY) == MEASURED["full"]
    assert run.counters["inst_executed"] == 1_080_320
    assert run.registers_per_thread == 32
