"""A __syncthreads() that part of a warp skips is found where NVRTC makes a predicated BAR of it, and does what it does
on an H100.

``data/predicated_barriers_h100.json`` is what launches of ``predicated_barriers.cu`` by two warps left there (driver
580.159.04, CUDA 13.0): for each kernel and the lanes of each warp that reach its barriers, ``out``. The second warp
comes three milliseconds later. None of 77 launches hung: where the predicate holds for a lane, the whole warp waits.
The launches left out are those whose result is a race.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import warpview as wv
from warpview.isa.program import Program
from warpview.sass import nvrtc

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

HERE = Path(__file__).parent
RECORDED = json.loads((HERE / "data" / "predicated_barriers_h100.json").read_text(encoding="utf-8"))
LAUNCHES = [(kernel, lanes) for kernel, launches in RECORDED.items() for lanes in launches]
UNTOUCHED = np.full(64, 0xEEEEEEEE, np.uint32).view(np.int32)
SKIPPED = """
__global__ void kernel(const int *in, int *out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    if (in[t] > 0)
        __syncthreads();
    out[t] = s[63 - t];
}"""


@cache
def program(kernel: str) -> Program:
    return wv.compile(HERE / "predicated_barriers.cu", kernel=kernel, compiler="nvrtc", device="h100")


def reaching(lanes: str) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    """Return the input of 64 threads, which is positive for those that reach the barriers."""
    masks = [int(mask, 16) for mask in lanes.split()]
    return np.array([1 + t % 2 if masks[t // 32] >> t % 32 & 1 else -1 for t in range(64)], np.int32)


@pytest.mark.parametrize(("kernel", "lanes"), LAUNCHES)
def test_threads_leave_what_they_left_on_the_hardware(kernel: str, lanes: str) -> None:
    text = [i.native.text for i in program(kernel).instructions if i.native and "BAR." in i.native.text]
    assert text[0].startswith("@P") == (kernel != "exited")
    args = [reaching(lanes), UNTOUCHED, np.zeros(64, np.int64), UNTOUCHED.copy(), np.zeros(64, np.int32), 2000]
    run = wv.simulate(program(kernel), 1, 64, args, device="h100", engine="sm")
    assert run.buffers["out"].tolist() == RECORDED[kernel][lanes]
    masks = [int(mask, 16) for mask in lanes.split()]
    some_skip = any(mask not in (0, 0xFFFFFFFF) for mask in masks) and kernel != "exited"
    here = [f for f in run.findings if f.kind == "divergent barrier" and "in divergent code" in f.message]
    assert bool(here) == some_skip


@pytest.mark.parametrize("engine", ["profile", "sm"])
def test_lanes_that_skip_a_barrier_are_told_at_its_line(engine: str) -> None:
    compiled = wv.compile(SKIPPED, compiler="nvrtc", device="h200")
    values = np.where(np.arange(64) < 40, 1, -1).astype(np.int32)
    run = wv.simulate(compiled, 1, 64, [values, np.zeros(64, np.int32)], device="h200", engine=engine)
    (finding,) = run.findings
    assert (finding.kind, finding.span.line, finding.severity) == ("divergent barrier", 7, "error")
    assert finding.thread == (32, 0, 0)
    assert "which thread (40, 0, 0) of block (0, 0, 0) does not reach" in finding.message
    everybody = wv.simulate(compiled, 1, 64, [np.ones(64, np.int32), np.zeros(64, np.int32)], device="h200")
    assert not everybody.findings
