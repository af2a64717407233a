"""Kernels with local arrays, and which of them NVIDIA's compiler keeps in registers.

``python -m tests.agreement.register_arrays`` compiles the kernels of ``register_arrays.cu`` by NVRTC, runs them and
writes ``register_arrays.json``: for each the bytes of local memory of a thread, and a digest of what it leaves.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import numpy as np

import warpview as wv

SOURCE = Path(__file__).with_suffix(".cu")
RECORDED = SOURCE.with_suffix(".json")
TEXT = SOURCE.read_text(encoding="utf-8")
KERNELS = [line.split("(")[0].split()[1] for line in TEXT.splitlines() if line.startswith("KERNEL ")]


def outcome(kernel: str, compiler: str) -> tuple[int, str]:
    """Return the bytes of local memory of a thread of a kernel, and a digest of the bits that it leaves."""
    program = wv.compile(TEXT, kernel, compiler=compiler, device="h200")
    given = (np.arange(4096) * 37 % 101 / np.float32(64)).astype(np.float32)
    run = wv.simulate(program, 1, 64, [np.zeros(2048, np.float32), given, 3], device="h200", check=False)
    return program.local_bytes, sha256(run.buffers["out"].tobytes()).hexdigest()[:16]


if __name__ == "__main__":
    lines = [f'"{kernel}": {json.dumps(outcome(kernel, "nvrtc"))}' for kernel in KERNELS]
    RECORDED.write_text("{\n" + ",\n".join(lines) + "\n}\n")
