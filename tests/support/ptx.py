"""Write kernels in PTX, and run them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import warpview as wv

HEAD = ".version 8.0\n.target sm_75\n.address_size 64\n"
N = 64


def kernel(body: str, before: str = "") -> str:
    """A kernel with %in and %out for the element of the thread: 8 bytes each of ``in`` and ``out``."""
    return (
        f"{HEAD}{before}.visible .entry k(.param .u64 in, .param .u64 out)\n{{\n"
        ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<19>; .reg .b64 %rd<19>, %in, %out; .reg .f32 %f<9>;\n"
        ".reg .f64 %fd<9>;\n"
        "mov.u32 %r0, %tid.x; ld.param.u64 %in, [in]; ld.param.u64 %out, [out];\n"
        "cvta.to.global.u64 %in, %in; cvta.to.global.u64 %out, %out;\n"
        "mad.wide.u32 %in, %r0, 8, %in; mad.wide.u32 %out, %r0, 8, %out;\n"
        f"{body}\nret;\n}}\n"
    )


def run(folder: Path, text: str, values: np.ndarray[Any, Any], device: str = "gtx480") -> np.ndarray[Any, Any]:
    """Run a kernel over one block of N threads; return ``out``, of the type of ``values``."""
    path = folder / "k.ptx"
    path.write_text(text)
    padded = np.zeros((N, 8 // values.itemsize), values.dtype)
    padded[:, 0] = values
    program = wv.compile(path, device=device)
    launched = wv.simulate(program, 1, N, [padded, np.zeros_like(padded)], device=device)
    assert not launched.findings
    return np.asarray(launched.buffers["out"])[:, 0]
