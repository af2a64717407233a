"""Random kernels in machine code agree with an H200: results, counters, and the counts of each instruction.

``data/random_*`` hold 30 of 300 kernels of ``tests/agreement/random_kernels.py``, with what Nsight Compute counted.
"""

from __future__ import annotations

import gzip
import json
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.tiers import representatives

import warpview as wv
from warpview.diagnostics import SourceText
from warpview.isa.program import Program
from warpview.run.nvrtc_program import unknown_params
from warpview.run.result import Run
from warpview.sass import cubin
from warpview.sass.loader import Signature, load_kernel

DATA = Path(__file__).parent / "data"
TRUTH: dict[str, Any] = json.loads(gzip.decompress((DATA / "random_h200.json.gz").read_bytes()))
RESULTS = np.load(DATA / "random_results_h200.npz")
LAUNCHES = {launch["kernel"]: launch for launch in TRUTH["launches"]}


@cache
def loaded() -> cubin.Cubin:
    return cubin.load(zipfile.ZipFile(DATA / "random_sm90.zip").read("random.cubin"))


def program(name: str) -> Program:
    kernel = next(k for k in loaded().kernels if k.name == name)
    return load_kernel(loaded(), kernel, Signature(name, unknown_params(kernel, []), SourceText(name, "")))


@cache
def run(name: str) -> Run:
    launch = LAUNCHES[name]
    threads = launch["grid"] * launch["block"]
    arguments = [
        RESULTS["in_i"], RESULTS["in_f"], np.full(threads * 18, -1, np.int64), np.full(threads * 4, -1.0),
        np.zeros(8, np.uint32), 256, 1.25,
    ]  # fmt: skip
    return wv.simulate(program(name), launch["grid"], launch["block"], arguments, device="h200", check=False)


@pytest.mark.parametrize("name", representatives(LAUNCHES, list(LAUNCHES)[::3]))
def test_a_random_kernel_gives_the_results_of_the_hardware(name: str) -> None:
    number = name.rsplit("_", 1)[1]
    for k, letter in ((2, "l"), (3, "d"), (4, "c")):
        found, wanted = np.asarray(run(name).buffers[f"arg{k}"]), RESULTS[f"{number}_{letter}"]
        assert np.array_equal(found.view(np.uint8), wanted.view(np.uint8))


@pytest.mark.parametrize("name", representatives(LAUNCHES, list(LAUNCHES)[::3]))
def test_a_random_kernel_counts_what_the_hardware_counts(name: str) -> None:
    launch = LAUNCHES[name]
    real = dict(zip(TRUTH["keys"], launch["values"], strict=True))
    assert {key: run(name).counters[key] for key in real} == real
    instructions = launch["instructions"]
    assert run(name).counts[: len(instructions), :3].tolist() == instructions
