"""Code that is compiled for debuggers (``-G``): it checks its stack, and keeps every variable in local memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import warpview as wv
from warpview.diagnostics import SourceText
from warpview.sass import nvrtc

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

SOURCE = """
__device__ int depth(int n) { return n ? 1 + depth(n - 1) : 0; }
extern "C" __global__ void f(int *o, int n)
{
    int a[9], i = threadIdx.x;
    for (int k = 0; k < 9; k++)
        a[k] = k * n;
    o[i] = a[i % 9] + depth(i % 4);
}
"""


@pytest.mark.parametrize(("device", "architecture"), [("rtx2080", 75), ("a100", 80), ("h200", 90), ("b200", 100)])
def test_code_for_debuggers_runs(device: str, architecture: int, tmp_path: Path) -> None:
    options = ["--device-debug", f"--gpu-architecture=sm_{architecture}"]
    with nvrtc._Program(SourceText("f.cu", SOURCE), {}, ()) as program:
        program.compile(options)
        (tmp_path / "f.cubin").write_bytes(program.output("nvrtcGetCUBINSize", "nvrtcGetCUBIN"))
    kernel = wv.compile(tmp_path / "f.cubin")
    run = wv.simulate(kernel, 1, 32, [np.zeros(32, np.int32), np.int32(5)], device=device)
    i = np.arange(32)
    assert np.asarray(run.buffers["arg0"]).tolist() == (i % 9 * 5 + i % 4).tolist()
    assert run.findings == ()
    assert any("SR_LMEMHIOFF" in x.native.text for x in kernel.instructions if x.native is not None)
