"""What the driver alone knows is refused, and not taken for zero; what a device has is known."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from warpview.devices import load_device
from warpview.sass import nvrtc

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
SOURCE = """__global__ void k(unsigned long long *out) {
    unsigned long long value;
    asm volatile("mov.u64 %0, %%REGISTER;" : "=l"(value));
    out[0] = value;
}"""


@pytest.mark.parametrize("device", ["rtx2080", "rtx3090", "h200", "b200"])
@pytest.mark.parametrize(("register", "named"), [("gridid", "%gridid"), ("current_graph_exec", "of constant bank 0")])
def test_a_word_that_no_launch_here_has_is_refused(device: str, register: str, named: str) -> None:
    with pytest.raises(wv.CompileError, match=f"{named}.* is not supported in NVIDIA's machine code"):
        wv.compile(SOURCE.replace("REGISTER", register), compiler="nvrtc", device=device)


@pytest.mark.parametrize("device", ["rtx2080", "a100", "h200", "b200"])
def test_a_kernel_reads_how_many_multiprocessors_there_are(device: str) -> None:
    """An H200 said 132."""
    source = """__global__ void k(unsigned *out) {
        asm volatile("mov.u32 %0, %%nsmid;" : "=r"(out[0]));
    }"""
    program = wv.compile(source, compiler="nvrtc", device=device)
    run = wv.simulate(program, 1, 1, [np.zeros(1, np.uint32)], device=device)
    assert run.buffers["out"].tolist() == [load_device(device).multiprocessors]
