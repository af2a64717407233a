"""The compiler loads four words of an array of three in shared memory, as there is room behind it.

The words behind the array are nobody's: no finding tells of them, but of accesses that begin there. An H200 gives what
lies in the array (``softmax`` of the kernels that test_varied_launches.py has).
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import warpview as wv
from warpview.sass import nvrtc

sys.path.insert(0, str(Path(__file__).parent))
from engines import Case, differences

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

SUMS = """__global__ void sums(const TYPE *a, float *o) {
    __shared__ TYPE s[N];
    if (threadIdx.x < N) s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < N; i++) sum += s[i];
    o[threadIdx.x] = sum;
}"""
BEHIND = """__global__ void behind(float *o) {
    __shared__ float s[3];
    if (threadIdx.x < LAST) s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    o[threadIdx.x] = s[threadIdx.x & MASK];
}"""


@pytest.mark.parametrize(("name", "dtype", "count"), [("float", np.float32, 3), ("float", np.float32, 7)])
def test_a_load_that_ends_behind_an_array_gives_what_lies_in_it(name: str, dtype: type, count: int) -> None:
    program = wv.compile(SUMS, kernel="sums", defines={"TYPE": name, "N": count}, compiler="nvrtc", device="h200")
    wide = [i.native.text for i in program.instructions if i.native and i.native.text.startswith(("LDS.128", "LDS.64"))]
    values = np.arange(1, 65, dtype=dtype)
    arguments = [values, np.zeros(64, np.float32)]
    run = wv.simulate(program, 1, 64, arguments, device="h200")
    assert wide
    assert set(np.asarray(run.buffers["o"])) == {values[:count].sum()}
    assert not run.findings
    assert not differences(Case(name, program, 1, 64, arguments))


@pytest.mark.parametrize(("last", "mask"), [(4, 1), (3, 3)])
def test_what_begins_behind_an_array_is_out_of_bounds(last: int, mask: int) -> None:
    program = wv.compile(BEHIND, kernel="behind", defines={"LAST": last, "MASK": mask}, compiler="nvrtc", device="h200")
    run = wv.simulate(program, 1, 32, [np.zeros(32, np.float32)], device="h200")
    assert [finding.kind for finding in run.findings] == ["out of bounds"]
