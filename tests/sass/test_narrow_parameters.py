"""Parameters of less than four bytes, alone and in structs with padding, reach machine code and PTX as they are."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from warpview.sass import nvrtc

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

SOURCE = """
struct Mixed { short a, b; unsigned char c[5]; float f; double d; long long q; signed char e; };
struct Packed { char x; short y; char z[3]; };
struct Colour { unsigned char r, g, b, a; };
__global__ void sum(int *o, short a, short b, char c, unsigned char d, signed char e)
{ o[threadIdx.x] = a + 2 * b + 3 * c + 5 * d + 7 * e; }
__global__ void choose(int *o, bool yes) { o[threadIdx.x] = yes ? 5 : 6; }
__global__ void parts(int *o, Packed p, unsigned short w, signed char c)
{ o[threadIdx.x] = p.x + 100 * p.y + 7 * p.z[threadIdx.x % 3] + w + c; }
__global__ void copy(int *o, Mixed p, Mixed q)
{ if (threadIdx.x < 2) ((Mixed *)o)[threadIdx.x] = threadIdx.x ? q : p; }
__global__ void colours(int *o, Colour p, Colour q)
{ if (threadIdx.x < 2) ((Colour *)o)[threadIdx.x] = threadIdx.x ? q : p; }
"""
MIXED = np.dtype(
    [("a", "<i2"), ("b", "<i2"), ("c", "u1", 5), ("f", "<f4"), ("d", "<f8"), ("q", "<i8"), ("e", "i1")], align=True
)
DEVICES = ("k40", "gtx1080", "rtx2080", "h200", "b200")


def output(device: str, kernel: str, words: int, *arguments: object) -> np.ndarray:
    program = wv.compile(SOURCE, kernel, compiler="nvrtc", device=device)
    run = wv.simulate(program, 1, 32, [np.zeros(words, np.int32), *arguments], device=device)
    return run.buffers["o"]


@pytest.mark.parametrize("device", DEVICES[1:])  # NVRTC makes a dot product of bytes of the sum, which CC 3.5 lacks
def test_a_narrow_parameter_keeps_its_sign_and_its_neighbours_out(device: str) -> None:
    assert set(output(device, "sum", 32, -3, 1000, -7, 250, -100)) == {-3 + 2000 - 21 + 1250 - 700}
    assert [output(device, "choose", 32, yes)[3] for yes in (True, False)] == [5, 6]
    found = output(device, "parts", 32, {"x": -3, "y": -300, "z": [1, 2, -3]}, 65535, -9)
    assert found[:3].tolist() == [-3 - 30000 + 7 * z + 65535 - 9 for z in (1, 2, -3)]


@pytest.mark.parametrize("device", DEVICES)
def test_structs_with_padding_are_copied_whole(device: str) -> None:
    first = {"a": -3, "b": 7, "c": [1, 2, 3, 4, 255], "f": 1.5, "d": -2.25, "q": -5, "e": -1}
    second = {**first, "a": 100, "q": 1 << 40}
    bytes_ = output(device, "copy", MIXED.itemsize // 2, first, second).view(np.uint8)
    for found, given in zip(bytes_.view(MIXED), (first, second), strict=True):
        assert {name: found[name].tolist() for name in MIXED.names or ()} == given
    colours = output(device, "colours", 2, {"r": 1, "g": 2, "b": 3, "a": 4}, {"r": 250, "g": 251, "b": 252, "a": 253})
    assert colours.view(np.uint8).tolist() == [1, 2, 3, 4, 250, 251, 252, 253]
