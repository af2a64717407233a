"""Compile a kernel with nvcc, as those whose times were measured: NVRTC's code is another one here and there, since it
has 64-bit pointers to shared memory."""

from __future__ import annotations

import subprocess
import tempfile
from functools import lru_cache
from pathlib import Path

import warpview as wv
from warpview.isa.program import Program


@lru_cache(maxsize=256)
def program_by_nvcc(path: Path, kernel: str) -> Program:
    """Return the machine code of a kernel; of a template, that of the instance that ``kernel`` names."""
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = Path(folder) / "kernel.cu", Path(folder) / "kernel.cubin"
        source.write_text(f'#include "{path.resolve()}"\nvoid *instance = (void *)({kernel});\n')
        command = ["nvcc", "-O3", "-arch=sm_90", "-lineinfo", "-w", "-cubin", "-o", str(cubin), str(source)]
        subprocess.run(command, check=True)
        return wv.compile(cubin, kernel=kernel)
