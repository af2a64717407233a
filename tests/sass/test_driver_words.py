"""What the driver alone knows is refused, and not taken for zero; what a device has is known."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import warpview as wv
from warpview.devices import load_device
from warpview.sass import nvrtc

sys.path.insert(0, str(Path(__file__).parent))
from engines import Case, differences

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
SOURCE = """__global__ void k(unsigned long long *out) {
    unsigned long long value;
    asm volatile("mov.u64 %0, %%REGISTER;" : "=l"(value));
    out[0] = value;
}"""


@pytest.mark.parametrize("device", ["rtx2080", "rtx3090", "h200", "b200"])
def test_a_word_that_no_launch_here_has_is_refused(device: str) -> None:
    with pytest.raises(wv.CompileError, match=r"of constant bank 0.* is not supported in NVIDIA's machine code"):
        wv.compile(SOURCE.replace("REGISTER", "current_graph_exec"), compiler="nvrtc", device=device)


@pytest.mark.parametrize("device", ["rtx2080", "rtx3090", "h200", "b200"])
def test_launches_are_counted(device: str) -> None:
    """An H200 said 1 and 2 in the first two launches of a process."""
    program = wv.compile(SOURCE.replace("REGISTER", "gridid"), compiler="nvrtc", device=device)
    outs = [np.zeros(1, np.uint64) for _ in range(2)]
    runs = wv.simulate_series([wv.Step(program, 1, 1, [out]) for out in outs], device=device)
    assert [int(run.buffers["out"][0]) for run in runs.launches] == [1, 2]


@pytest.mark.parametrize("device", ["rtx2080", "rtx3090", "h200", "b200"])
def test_a_warp_is_told_its_number_in_the_block(device: str) -> None:
    """An H200 said 0 and 1 in a block of two warps, after launches of four warps in all."""
    source = """__global__ void k(unsigned *out) {
        asm volatile("mov.u32 %0, %%warpid;" : "=r"(out[threadIdx.x]));
    }"""
    program = wv.compile(source, compiler="nvrtc", device=device)
    case = Case("warpid", program, 2, 96, [np.zeros(96, np.uint32)])
    run = wv.simulate(program, 2, 96, case.arguments, device=device)
    assert run.buffers["out"].tolist() == [thread // 32 for thread in range(96)]
    assert not differences(case)


@pytest.mark.parametrize("device", ["rtx2080", "a100", "h200", "b200"])
def test_a_kernel_reads_how_many_multiprocessors_there_are(device: str) -> None:
    """An H200 said 132."""
    source = """__global__ void k(unsigned *out) {
        asm volatile("mov.u32 %0, %%nsmid;" : "=r"(out[0]));
    }"""
    program = wv.compile(source, compiler="nvrtc", device=device)
    run = wv.simulate(program, 1, 1, [np.zeros(1, np.uint32)], device=device)
    assert run.buffers["out"].tolist() == [load_device(device).multiprocessors]
