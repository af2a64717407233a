"""``ldmatrix`` and ``stmatrix`` of inline PTX give each lane the halves that NumPy and machine code say."""

from __future__ import annotations

import numpy as np
import pytest
from support.compilers import COMPILERS

import warpview as wv

LOAD = """
__global__ void load(const unsigned short *in, unsigned *out) {
    __shared__ __align__(16) unsigned short tile[40 * 32];
    for (int k = threadIdx.x; k < 40 * 32; k += 32) tile[k] = in[k];
    __syncthreads();
    int lane = threadIdx.x;
    unsigned at = __cvta_generic_to_shared(tile + (lane % 8) * 40 + (lane / 8) * 8);
    unsigned r[COUNT];
    asm volatile("ldmatrix.sync.aligned.m8n8.xCOUNTTRANS.SPACE.b16 {LIST}, [%COUNT + 16];" : RESULTS : "r"(at));
    for (int k = 0; k < COUNT; ++k) out[k * 32 + lane] = r[k];
}"""
STORE = """
__global__ void store(const unsigned *in, unsigned short *out) {
    __shared__ __align__(16) unsigned short tile[16 * 16];
    for (int k = threadIdx.x; k < 256; k += 32) tile[k] = 9;
    __syncwarp();
    unsigned at = __cvta_generic_to_shared(tile + threadIdx.x % 16 * 16 + threadIdx.x / 16 * 8);
    asm volatile("stmatrix.sync.aligned.m8n8.x4TRANS.shared.b16 [%0], {%1, %2, %3, %4};"
                 :: "r"(at), "r"(in[threadIdx.x]), "r"(in[threadIdx.x + 32]), "r"(in[threadIdx.x + 64]),
                    "r"(in[threadIdx.x + 96]) : "memory");
    __syncthreads();
    for (int k = threadIdx.x; k < 256; k += 32) out[k] = tile[k];
}"""


def pairs(matrix: np.ndarray, transposed: bool) -> np.ndarray:
    """Return what the lanes have of a matrix of 8 x 8 halves: uint32[32]."""
    chosen = np.ascontiguousarray(matrix.T if transposed else matrix)
    return chosen.astype(np.uint16).view(np.uint32).ravel()


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize(("count", "space"), [(1, "shared"), (2, "shared::cta"), (4, "shared")])
def test_matrices_are_loaded(compiler: str, count: int, space: str, transposed: bool) -> None:
    halves = np.random.default_rng(count).integers(0, 1 << 16, (32, 40)).astype(np.uint16)
    text = LOAD.replace("TRANS", ".trans" if transposed else "").replace("SPACE", space)
    text = text.replace("LIST", ", ".join(f"%{k}" for k in range(count)))
    text = text.replace("RESULTS", ", ".join(f'"=r"(r[{k}])' for k in range(count))).replace("COUNT", str(count))
    run = wv.simulate(
        wv.compile(text, compiler=compiler, device="h200"), 1, 32, [halves.ravel(), np.zeros(count * 32, np.uint32)]
    )
    expected = [pairs(halves[:8, 8 + 8 * k : 16 + 8 * k], transposed) for k in range(count)]
    np.testing.assert_array_equal(run.buffers["out"].reshape(count, 32), expected)
    assert run.findings == ()


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("transposed", [False, True])
def test_matrices_are_stored(compiler: str, transposed: bool) -> None:
    words = np.random.default_rng(3).integers(0, 1 << 32, (4, 32), dtype=np.uint32)
    text = STORE.replace("TRANS", ".trans" if transposed else "")
    run = wv.simulate(
        wv.compile(text, compiler=compiler, device="h200"), 1, 32, [words.ravel(), np.zeros(256, np.uint16)]
    )
    found = run.buffers["out"].reshape(16, 16)
    # Matrices 0 and 1 lie below one another: lanes 8 to 15 name the rows behind those of lanes 0 to 7.
    for k in range(4):
        at = found[8 * (k % 2) : 8 * (k % 2) + 8, 8 * (k // 2) : 8 * (k // 2) + 8]
        np.testing.assert_array_equal(pairs(at, transposed), words[k])
    assert run.findings == ()
