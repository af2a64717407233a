"""What the driver alone knows is refused, and not taken for zero."""

from __future__ import annotations

import pytest

import warpview as wv
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
