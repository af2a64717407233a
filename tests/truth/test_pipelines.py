"""Every instruction of machine code is shown in the pipe under which Nsight Compute counts it on an H200."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import warpview as wv
from warpview.devices import load_device
from warpview.sass import nvrtc
from warpview.trace.pipes import Pipe, pipe_of

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
OTHER_NAMES = {Pipe.SFU: "xu", Pipe.TEXTURE: "tex", Pipe.BRANCH: "cbu"}
SOURCE = """
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda::wmma;
__global__ void k(const float *f, const double *d, const int *n, const __half *h, cudaTextureObject_t t, float *out) {
    __shared__ float tile[64];
    __shared__ int counter;
    int i = threadIdx.x, a = n[i], b = n[i + 32];
    fragment<matrix_a, 16, 16, 16, __half, row_major> first;
    fragment<matrix_b, 16, 16, 16, __half, col_major> second;
    fragment<accumulator, 16, 16, 16, float> sum;
    load_matrix_sync(first, h, 16);
    load_matrix_sync(second, h, 16);
    fill_fragment(sum, 0.0f);
    mma_sync(sum, first, second, sum);
    store_matrix_sync(out, sum, 16, mem_row_major);
    tile[i] = f[i] * f[i + 1] + f[i + 2];
    atomicAdd(&counter, a);
    __syncthreads();
    float x = tile[i ^ 33] + __sinf(f[i + 3]) + rintf(f[i + 4]) + tex2D<float>(t, f[i], 1.0f);
    double y = d[i] * d[i + 1] + 0.5 + a;
    int whole = a * b + __popc(a) + __clz(b) + __brev(a) + __dp4a(a, b, 7) + min(a, b) + (int)x + __mulhi(a, b);
    whole += __shfl_xor_sync(~0u, whole, 1) + __ballot_sync(~0u, whole > 3) + __match_any_sync(~0u, whole)
        + __reduce_add_sync(~0u, whole);
    __half2 p = __halves2half2(h[i], h[i + 1]), q = __halves2half2(h[i + 2], h[i + 3]);
    for (int k = 0; k < 8; ++k)
        p = __hfma2(p, q, p);
    out[i + 256] = fminf(x, (float)y) + whole + __low2float(p) / f[i + 5] + counter;
}
"""


def name_of(mnemonic: str) -> str:
    """The name of an instruction without its modifiers, but for that of halves which tensor cores multiply."""
    return "HFMA2.MMA" if mnemonic.startswith("HFMA2.MMA") else mnemonic.partition(".")[0]


def counted() -> dict[str, str]:
    lines = (Path(__file__).parent / "pipelines_h200.csv").read_text().splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    return {name_of(row["instruction"]): row["pipeline"] for row in rows}


def test_pipes_are_those_that_nsight_compute_counts() -> None:
    program, device, measured = wv.compile(SOURCE, compiler="nvrtc", device="h200"), load_device("h200"), counted()
    shown: dict[str, set[str]] = {}
    for instruction in program.instructions:
        assert instruction.native is not None
        pipe = pipe_of(instruction, device)
        shown.setdefault(name_of(instruction.native.mnemonic), set()).add(OTHER_NAMES.get(pipe, pipe.title.lower()))
    both = shown.keys() & measured.keys()
    assert {name: shown[name] for name in both} == {name: {measured[name]} for name in both}
    assert both >= {"SHFL", "VOTE", "MATCH", "REDUX", "HMMA", "TEX", "BAR", "S2R", "MUFU", "POPC", "FLO", "BREV", "LDG"}
    assert len(both) >= 35
