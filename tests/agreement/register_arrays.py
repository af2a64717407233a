"""Kernels with local arrays and other variables in memory, and which of them NVIDIA's compiler keeps in registers.

``python -m tests.agreement.register_arrays`` compiles the kernels of ``register_arrays.cu`` and ``shared_bytes.cu`` by
NVRTC, runs them and writes ``register_arrays.json``: for each the bytes of local memory of a thread, and a digest of
what it leaves.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import numpy as np

import warpview as wv

FOLDER = Path(__file__).parent
RECORDED = FOLDER / "register_arrays.json"


def _kernels(name: str) -> dict[str, str]:
    """Return the source of each kernel of a file by its name."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    return {line.split("(")[0].split()[1]: text for line in text.splitlines() if line.startswith("KERNEL ")}


ARRAYS = _kernels("register_arrays.cu")
SHARED_BYTES = _kernels("shared_bytes.cu")


def outcome(kernel: str, compiler: str) -> tuple[int, str]:
    """Return the bytes of local memory of a thread of a kernel, and a digest of the bits that it leaves."""
    program = wv.compile({**ARRAYS, **SHARED_BYTES}[kernel], kernel, compiler=compiler, device="h200")
    given = (np.arange(4096) * 37 % 101 / np.float32(64)).astype(np.float32)
    run = wv.simulate(program, 1, 64, [np.zeros(2048, np.float32), given, 3], device="h200", check=False)
    return program.local_bytes, sha256(run.buffers["out"].tobytes()).hexdigest()[:16]


if __name__ == "__main__":
    lines = [f'"{kernel}": {json.dumps(outcome(kernel, "nvrtc"))}' for kernel in (*ARRAYS, *SHARED_BYTES)]
    RECORDED.write_text("{\n" + ",\n".join(lines) + "\n}\n")
