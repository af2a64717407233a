"""Attributes behind a struct's brace count in NVRTC's machine code, too: members lie where the caller puts them."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from warpview.sass import nvrtc

SOURCE = """
#define PACKED __attribute__((packed))
struct A { char c; int x; short s; } PACKED;
struct B { char c[3]; int x; } __attribute__((packed,
                                                  aligned(2)));
typedef struct { char c; double x; } __attribute__((packed)) C;
struct D { int a, b, x; } __align__(16);
struct E { char c; struct { char c; int x; } __attribute__((packed)) in; int x; } __attribute__((aligned(32)));
struct F { char c; A a; int x; };
enum class G { ONE } ;
extern "C" __global__ void k(A a, B b, C c, D d, E e, F f, const A *many, long long *out) {
    long long values[] = {sizeof(A), sizeof(B), sizeof(C), sizeof(D), sizeof(E), sizeof(F), alignof(A), alignof(B),
                          alignof(D), alignof(E), a.x, b.x, (long long)c.x, d.x, e.in.x, e.x, f.a.x, f.x, many[1].x};
    for (int i = 0; i < 19; i++) out[i] = values[i];
}
"""
# As GNU C lays them out, which nvcc follows.
EXPECTED = [7, 8, 9, 16, 32, 12, 1, 2, 16, 32, 20, 21, 22, 23, 24, 25, 26, 27, 28]


@pytest.mark.parametrize("compiler", ["warpview", "nvrtc"])
def test_attributes_behind_a_struct_lay_its_members_out(compiler: str) -> None:
    if compiler == "nvrtc" and not nvrtc.is_installed():
        pytest.skip("NVRTC is not installed")
    program = wv.compile(SOURCE, compiler=compiler, device="h200")
    a = np.dtype([("c", "i1"), ("x", "i4"), ("s", "i2")])
    arguments = [
        {"c": 1, "x": 20, "s": 2}, {"c": [1, 2, 3], "x": 21}, {"c": 1, "x": 22.0}, {"a": 1, "b": 2, "x": 23},
        {"c": 1, "in": {"c": 2, "x": 24}, "x": 25}, {"c": 1, "a": {"c": 1, "x": 26, "s": 2}, "x": 27},
    ]  # fmt: skip
    many = np.array([(1, 2, 3), (4, 28, 6)], a)
    run = wv.simulate(program, 1, 1, [*arguments, many, np.zeros(19, np.int64)], device="h200")
    assert run.buffers["out"].tolist() == EXPECTED
