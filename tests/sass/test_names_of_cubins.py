"""Findings in a cubin name the buffer that a place lies in, and its device variables only where they lie."""

from pathlib import Path

import numpy as np
import pytest

import warpview as wv
from warpview.diagnostics import SourceText
from warpview.sass import nvrtc

TEXT = """
__device__ int counters[64];
extern "C" __global__ void mixed(int *data) {
    data[threadIdx.x / 2] = threadIdx.x;
    counters[threadIdx.x / 4] = threadIdx.x;
}
"""


@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
def test_a_buffer_is_not_named_as_a_device_variable(tmp_path: Path) -> None:
    file = tmp_path / "mixed.cubin"
    file.write_bytes(nvrtc.compile_source(SourceText("mixed.cu", TEXT), 90).cubin)
    run = wv.simulate(wv.compile(file, device="h200"), 1, 64, [np.zeros(64, np.int32)], device="h200")
    races = [finding.message for finding in run.findings if finding.kind == "race"]
    assert len(races) == 2
    assert ["'counters" in message for message in races] == [False, True]
