"""The interface of a kernel is that of its compiled program, without the cost of optimising it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from warpview import frontend
from warpview.diagnostics import CompileError, SourceText
from warpview.isa.types import Space

SOURCE = SourceText(
    "k.cu",
    """
struct Pair { float first; double second; };
__constant__ float weights[3] = {1, 2, 3};
__device__ int total;

template <int N>
__global__ void k(Pair pair, const float *in, long n) {
    __shared__ float tile[N];
    __shared__ int unused;
    float own[4];
    tile[threadIdx.x] = in[threadIdx.x] * weights[1] + pair.first;
    total = n;
}

__global__ void wrong() { undeclared(); }
""",
)


def test_it_is_that_of_the_compiled_program() -> None:
    known = frontend.interface_of(frontend.parse(SOURCE), "k<32>")
    program = frontend.compile_source(SOURCE, "k<32>")
    assert [replace(param, row=0) for param in known.params] == [replace(param, row=0) for param in program.params]
    shared = {v.name: v for v in program.variables if v.space == Space.SHARED}
    assert {name: v for name, v in known.variables.items() if v.space == Space.SHARED} == shared
    assert set(known.variables) == {"tile", "unused", "weights", "total"}
    assert known.span == program.span


def test_a_kernel_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(CompileError, match="undeclared"):
        frontend.interface_of(frontend.parse(SOURCE), "wrong")
