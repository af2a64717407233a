"""Findings name the place as the programmer knows it: the array and its element, or the buffer."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from warpview.sass import nvrtc

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


def test_a_texture_object_that_is_none_is_named() -> None:
    """It "updates 0 bytes, 69120 bytes before 'out'"."""
    text = "__global__ void k(cudaTextureObject_t t, float *out) { out[0] = tex2D<float>(t, 0.5f, 0.5f); }"
    run = wv.simulate(wv.compile(text), 1, 1, [512, np.zeros(1, np.float32)], device="h200")
    assert [finding.message.partition(") ")[2].partition(") ")[2] for finding in run.findings] == [
        "fetches from texture object 512, which does not exist"
    ]


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


WORDS = """
__global__ void halves(unsigned char *bytes, int *out) {
    int i = threadIdx.x;
    bytes[i] = i - 40;
    out[i] = bytes[63 - i];
}
__global__ void reals(double *x, float *y) {
    int i = threadIdx.x;
    x[i] = i * -0.25;
    y[i] = (float)x[63 - i];
}
__global__ void twice(const int *in, int *out) {
    out[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x == 3) out[70] = in[64];
}
"""
CODES = ["warpview", pytest.param("nvrtc", marks=pytest.mark.skipif(not nvrtc.is_installed(), reason="no NVRTC"))]


def _found(kernel: str, compiler: str, *arrays: np.ndarray) -> tuple[wv.Finding, ...]:
    program = wv.compile(WORDS, kernel=kernel, compiler=compiler, device="h200")
    return wv.simulate(program, 1, 64, arrays, device="h200").findings


@pytest.mark.parametrize("compiler", CODES)
def test_a_race_gives_the_value_by_the_type_of_the_element(compiler: str) -> None:
    (found,) = _found("halves", compiler, np.zeros(64, np.uint8), np.zeros(64, np.int32))
    assert (found.kind, found.severity) == ("race", "error")
    assert "'bytes[31]'" in found.message or "'bytes[0]'" in found.message
    assert found.value in (0, 9, 216, 247)
    (found,) = _found("reals", compiler, np.zeros(64, np.float64), np.zeros(64, np.float32))
    assert found.value in (0.0, -8.0, -7.75, -15.75)
    assert found.other is not None
    assert found.render().count("\n") == 5  # place, line and caret, and the same of the access that came first


def test_what_occurs_once_is_told_without_a_number() -> None:
    once = _found("twice", "warpview", np.arange(64, dtype=np.int32), np.zeros(64, np.int32))
    assert [(found.count, found.severity) for found in once] == [(1, "error"), (1, "error")]
    assert not any("times)" in found.render() for found in once)
    often = _found("twice", "warpview", np.arange(8, dtype=np.int32), np.zeros(64, np.int32))
    assert any(found.render().splitlines()[0].endswith("(56 times)") for found in often)


STRUCTS = """
struct Pair { int first; float second; };
struct Node { Pair ends[2]; float weight; };
__device__ float4 totals[2];
__global__ void members(Pair *pairs, float4 *out, Node *nodes) {
    __shared__ Node part[2];
    const int i = threadIdx.x;
    pairs[i / 2].second = i;
    out[i / 2].z = i;
    nodes[0].ends[1].first = i;
    part[1].ends[i / 32].second = i;
    totals[1].y = i;
}
__global__ void whole(float4 *out) { out[threadIdx.x / 2] = make_float4(threadIdx.x, 0, 0, 0); }
"""


def test_elements_of_structs_are_named_with_their_members() -> None:
    program = wv.compile(STRUCTS, kernel="members")
    pair = np.dtype([("first", "i4"), ("second", "f4")])
    node = np.dtype([("ends", pair, 2), ("weight", "f4")])
    arrays = [np.zeros(64, pair), np.zeros((64, 4), np.float32), np.zeros(2, node)]
    run = wv.simulate(program, 1, 64, arrays, device="h200")
    places = {finding.elements[0] for finding in run.findings}
    assert places == {
        "pairs[0].second", "out[0].z", "nodes[0].ends[1].first", "part[1].ends[0].second", "totals[1].y"
    }  # fmt: skip
    assert all(f"'{finding.elements[0]}'" in finding.message for finding in run.findings)


def test_an_access_to_a_whole_element_is_named_without_a_member() -> None:
    run = wv.simulate(wv.compile(STRUCTS, kernel="whole"), 1, 32, [np.zeros((16, 4), np.float32)], device="h200")
    assert run.findings[0].elements[0] == "out[0]"
