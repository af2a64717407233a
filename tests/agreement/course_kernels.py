"""Kernels of the kinds that courses and collections of samples hold, and what NVIDIA's machine code computes of them.

``course_kernels.txt`` and ``more_course_kernels.txt`` hold them between lines of four dashes, each behind a line that
names its kind, with ``KERNEL`` for the head of the kernel. ``python -m tests.agreement.course_kernels`` runs all of
them as compiled by NVRTC and writes ``course_kernels.json``: a digest of the two arrays that each writes, by its name.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import numpy as np

import warpview as wv

FOLDER = Path(__file__).parent
RECORDED = FOLDER / "course_kernels.json"
MORE = "more_course_kernels.txt"
HEAD = 'extern "C" __global__ void k(const float *__restrict__ a, const int *__restrict__ b, float *fo, int *io, int n)'
LENGTH = 1024


def course_kernels(file: str = "course_kernels.txt") -> dict[str, str]:
    """Return the source of each kernel of a file by its name."""
    pieces = (FOLDER / file).read_text(encoding="utf-8").split("\n----\n")
    return {piece.partition("\n")[0].removeprefix("// "): piece.replace("KERNEL", HEAD) for piece in pieces}


def digest(text: str, compiler: str) -> str:
    """Return a digest of the bits that a kernel writes on 4 blocks of 128 threads for random input."""
    random = np.random.default_rng(5)
    numbers = random.standard_normal(LENGTH).astype(np.float32)
    integers = random.integers(0, 2**31 - 1, LENGTH).astype(np.int32)
    arguments = [numbers, integers, np.zeros(LENGTH, np.float32), np.zeros(LENGTH, np.int32), LENGTH]
    program = wv.compile(text, kernel="k", compiler=compiler, device="h200")
    run = wv.simulate(program, 4, 128, arguments, device="h200")
    assert [str(finding) for finding in run.findings] == []
    return sha256(run.buffers["fo"].tobytes() + run.buffers["io"].tobytes()).hexdigest()[:16]


if __name__ == "__main__":
    every = {**course_kernels(), **course_kernels(MORE)}
    found = {name: digest(text, "nvrtc") for name, text in every.items()}
    RECORDED.write_text(json.dumps(found, indent=0) + "\n")
