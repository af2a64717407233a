"""The interface of a kernel is that of its compiled program, without the cost of optimising it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from warpview import frontend
from warpview.diagnostics import CompileError, SourceText
from warpview.frontend.compiler import parse
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
    known = frontend.interface_of(parse(SOURCE), "k<32>")
    program = frontend.compile_source(SOURCE, "k<32>")
    assert [replace(param, row=0) for param in known.params] == [replace(param, row=0) for param in program.params]
    shared = {v.name: v for v in program.variables if v.space == Space.SHARED}
    assert {name: v for name, v in known.variables.items() if v.space == Space.SHARED} == shared
    assert set(known.variables) == {"tile", "unused", "weights", "total"}
    assert known.span == program.span


def test_a_kernel_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(CompileError, match="undeclared"):
        frontend.interface_of(parse(SOURCE), "wrong")


DIRECTLY = """
constexpr int SIDE = 4;
template <typename T>
__global__ void k(T *out, int n) {
    constexpr int more = SIDE + 1;
    __shared__ T tile[SIDE][more], flags[2];
    extern __shared__ double dynamic[];
    tile[n][0] = flags[0] = out[n];
    dynamic[n] = tile[n][0];
    if (n) return;
    struct Pair { short a; int b; };
    __shared__ Pair last;
    last.b = n;
    out[n] = tile[0][n] + last.b + dynamic[0];
}
"""
IN_A_BLOCK = """
template <typename T>
__global__ void k(T *out, int n) {
    for (int i = 0; i < n; i++) {
        __shared__ T each[8];
        each[i] = out[i];
        out[n] = each[n - i];
    }
}
"""
IN_A_FUNCTION = """
template <typename T>
__device__ T sum(T value) {
    __shared__ T all[64];
    all[threadIdx.x] = value;
    return all[0];
}
struct Counter {
    __device__ int *place() { __shared__ int count; return &count; }
};
template <typename T>
__global__ void k(T *out, int n) {
    __shared__ T own;
    own = sum(out[n]);
    out[n] = own + *Counter().place();
}
"""


@pytest.mark.parametrize(("text", "names"), [
    (DIRECTLY, {"tile", "flags", "dynamic", "last"}), (IN_A_BLOCK, {"each"}), (IN_A_FUNCTION, {"all", "count", "own"}),
])  # fmt: skip
def test_shared_variables_are_found_wherever_they_are_declared(text: str, names: set[str]) -> None:
    source = SourceText("k.cu", text)
    known, program = (
        frontend.interface_of(parse(source), "k<float>"),
        frontend.compile_source(source, "k<float>"),
    )
    assert set(known.variables) == names
    assert dict(known.variables) == {v.name: v for v in program.variables if v.space == Space.SHARED}
    assert [replace(param, row=0) for param in known.params] == [replace(param, row=0) for param in program.params]


def test_a_body_that_declares_nothing_in_memory_is_not_read() -> None:
    source = SourceText("k.cu", "__global__ void k(float2 *out, bool last) { int i = undeclared(); out[i].x = last; }")
    known = frontend.interface_of(parse(source), "k")
    assert [(param.name, param.ctype) for param in known.params] == [("out", "float2*"), ("last", "bool")]
    assert not known.variables
