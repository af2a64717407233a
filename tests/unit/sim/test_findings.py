"""Findings name the place as the programmer knows it: the array and its element, or the buffer."""

from __future__ import annotations

import numpy as np

import warpview as wv

SOURCE = """
__global__ void race(float *data) {
    __shared__ float tile[4][33];
    tile[threadIdx.x % 4][threadIdx.x / 4] = data[threadIdx.x];
    data[threadIdx.x] = tile[threadIdx.x / 32 + 1][threadIdx.x % 32];
}
__global__ void halo(const int *in, int *out) {
    __shared__ int line[36];
    line[threadIdx.x + 5] = in[threadIdx.x + 1];
    out[threadIdx.x] = line[threadIdx.x + 5];
}
"""


def _messages(kernel: str, block: int, *arrays: np.ndarray) -> dict[str, str]:
    run = wv.simulate(wv.compile(SOURCE, kernel=kernel), 1, block, arrays, device="c2050")
    return {finding.kind: finding.message for finding in run.findings}


def test_shared_arrays_are_named_with_their_indices() -> None:
    found = _messages("race", 64, np.zeros(64, np.float32))
    assert "reads 'tile[2][0]' in shared memory" in found["race"]
    assert found["uninitialised read"].endswith("which no thread had written")
    assert "writes a value that comes from 'tile[1][8]' in shared memory" in found["uninitialised read"]


def test_accesses_beyond_an_array_and_a_buffer_say_so() -> None:
    run = wv.simulate(wv.compile(SOURCE, kernel="halo"), 1, 32, [np.zeros(32, np.int32), np.zeros(32, np.int32)])
    texts = [finding.message for finding in run.findings]
    assert any("just past the end of 'in' (128 bytes)" in text for text in texts)
    assert any("beyond the 36 elements of 'line'" in text for text in texts)
    assert all("thread (31, 0, 0) of block (0, 0, 0)" in text for text in texts)


def test_an_address_far_below_a_valid_buffer_is_out_of_its_bounds() -> None:
    program = wv.compile("__global__ void kernel(char *x, int off) { x[(int)threadIdx.x - off] = 1; }")
    (far,) = wv.simulate(program, 1, 1, [np.zeros(100, np.int8), 20000]).findings
    assert far.kind == "out of bounds"
    assert "writes 1 byte, 20000 bytes before 'x' (100 bytes)" in far.message
    (null,) = wv.simulate(program, 1, 1, [None, -20000]).findings
    assert null.kind == "null pointer"
    assert "through a null pointer (address 0x4e20)" in null.message
