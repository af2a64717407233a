"""Opcodes of some generations: floats added by twos and fours, matrices of 8 rows of bytes, and the timer."""

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

LANES, PLACES = 32, 7
ADD = """
template <typename T> __device__ T *at(float *p) { return (T *)p + threadIdx.x % 7; }
__global__ void k(float *sums, const VECTOR *values, VECTOR *old) {
    VECTOR value = values[threadIdx.x];
    old[threadIdx.x] = atomicAdd(at<VECTOR>(sums), value);
    atomicAdd(at<VECTOR>(sums), value);
}
"""


@pytest.mark.parametrize("size", [2, 4])
@pytest.mark.parametrize("device", ["h200", "b200"])
def test_floats_are_added_by_twos_and_fours(size: int, device: str) -> None:
    program = wv.compile(ADD, kernel="k", defines={"VECTOR": f"float{size}"}, compiler="nvrtc", device=device)
    values = np.random.default_rng(size).integers(-99, 99, (LANES, size)).astype(np.float32)
    arguments = [np.ones((PLACES, size), np.float32), values, np.zeros_like(values)]
    run = wv.simulate(program, 1, LANES, [a.ravel() for a in arguments], device=device)
    place = np.arange(LANES) % PLACES
    before = [1 + values[:lane][place[:lane] == place[lane]].sum(axis=0) for lane in range(LANES)]
    sums = 1 + 2 * np.array([values[place == k].sum(axis=0) for k in range(PLACES)])
    np.testing.assert_array_equal(run.buffers["old"].reshape(LANES, size), before)
    np.testing.assert_array_equal(run.buffers["sums"].reshape(PLACES, size), sums)
    if device == "h200":
        assert not differences(Case("sums", program, 1, LANES, [a.ravel() for a in arguments]))


PRODUCT = """
#include <mma.h>
using namespace nvcuda;
__global__ void k(const TYPE *a, const TYPE *b, const int *c, int *d) {
    wmma::fragment<wmma::matrix_a, 32, 8, 16, TYPE, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 32, 8, 16, TYPE, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 32, 8, 16, int> fc;
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::load_matrix_sync(fc, c, 8, wmma::mem_row_major);
    wmma::mma_sync(fc, fa, fb, fc, LIMITED);
    wmma::store_matrix_sync(d, fc, 8, wmma::mem_row_major);
}
"""


@pytest.mark.parametrize(("type_", "limited"), [(np.int8, "true"), (np.uint8, "false")])
def test_turing_multiplies_matrices_of_bytes_by_eight_rows(type_: type, limited: str) -> None:
    name = "signed char" if type_ is np.int8 else "unsigned char"
    defines = {"TYPE": name, "LIMITED": limited}
    program = wv.compile(PRODUCT, kernel="k", defines=defines, compiler="nvrtc", device="rtx2080")
    assert any("IMMA.8816" in i.native.mnemonic for i in program.instructions if i.native)
    random, info = np.random.default_rng(3), np.iinfo(type_)
    a, b = (random.integers(info.min, info.max, shape).astype(type_) for shape in ((32, 16), (8, 16)))
    c = random.integers(-(1 << 31), 1 << 31, (32, 8), dtype=np.int64).astype(np.int32)
    arguments = [a.ravel(), b.ravel(), c.ravel(), np.zeros(256, np.int32)]
    run = wv.simulate(program, 1, LANES, arguments, device="rtx2080")
    exact = a.astype(np.int64) @ b.T.astype(np.int64) + c
    expected = np.clip(exact, -(1 << 31), (1 << 31) - 1) if limited == "true" else exact
    np.testing.assert_array_equal(run.buffers["d"].reshape(32, 8), expected.astype(np.int32))
    assert not differences(Case("product", program, 1, LANES, arguments))


TIMER = """
__global__ void k(long long *times) {
    long long t, cycles = clock64();
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    times[2 * threadIdx.x] = cycles, times[2 * threadIdx.x + 1] = t;
}
"""


@pytest.mark.parametrize("engine", ["profile", "sm"])
def test_the_timer_counts_nanoseconds(engine: str) -> None:
    program = wv.compile(TIMER, kernel="k", compiler="nvrtc", device="h200")
    run = wv.simulate(program, 1, LANES, [np.zeros(2 * LANES, np.int64)], device="h200", engine=engine)
    cycles, nanoseconds = run.buffers["times"].reshape(LANES, 2).T
    later = nanoseconds * 1.98 - cycles  # an H200 has 1.98 cycles a nanosecond
    assert (later > -2).all()
    assert (later < 100).all()
