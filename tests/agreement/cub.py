"""Kernels that use CUB's algorithms of blocks and warps, and what NVIDIA's own headers compute with them.

``cub_kernels.txt`` holds the bodies of kernels of 64 threads between lines of four dashes, with declarations before
``BODY:`` where a body needs some. They have arrays of 256 elements: ``float *f``, ``int *n``, ``double *d``,
``unsigned *u`` and ``long long *l``; ``i`` is the thread.

``python -m tests.agreement.cub`` runs them as compiled by NVRTC and writes ``cub_kernels.json``: a digest of the arrays
after each, under a digest of its text.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import warpview as wv

HERE = Path(__file__).parent
RECORDED = HERE / "cub_kernels.json"
HEAD = "#include <cub/cub.cuh>\n#include <cuda/functional>\n"
# NVIDIA's merge sorts read one key more than there are, which nobody has written and which they do not use.
UNREAD = {"nvrtc": {"uninitialised read"}, "warpview": set[str]()}
KERNEL = "__global__ void k(float *f, int *n, double *d, unsigned *u, long long *l) {\nint i = threadIdx.x;\n%s\n}\n"


def kernels() -> list[str]:
    """Return the source of each kernel."""
    pieces = (HERE / "cub_kernels.txt").read_text(encoding="utf-8").strip().split("\n----\n")
    return [f"{HEAD}{declarations}{KERNEL % body}" for declarations, _, body in (p.rpartition("BODY:") for p in pieces)]


def arrays() -> list[NDArray[np.generic]]:
    """Return the arrays before a launch."""
    random = np.random.default_rng(1)
    real, whole = random.uniform(-4, 4, 256), random.integers(-(2**60), 2**60, 256)
    return [real.astype(np.float32), (whole % 200 - 100).astype(np.int32), real, whole.astype(np.uint32), whole]


def outcome(text: str, compiler: str) -> str:
    """Return a digest of the arrays after a launch."""
    program = wv.compile(text, kernel="k", compiler=compiler, device="h200")
    run = wv.simulate(program, grid=1, block=64, args=arrays(), device="h200")
    assert {finding.kind for finding in run.findings} <= UNREAD[compiler], run.findings
    return digest(b"".join(buffer.tobytes() for buffer in run.buffers.values()))


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()[:16]


if __name__ == "__main__":
    found = {digest(text.encode()): outcome(text, "nvrtc") for text in kernels()}
    RECORDED.write_text(json.dumps(found, indent=0) + "\n", encoding="utf-8")
