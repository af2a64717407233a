"""Calls through registers: pointers to functions, tables of them, virtual functions; and pointers to variables."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import warpview as wv
from warpview.sass import nvrtc

sys.path.insert(0, str(Path(__file__).parent))
from engines import Case, differences

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

FUNCTIONS = """
typedef int (*Operation)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ int subtract(int a, int b) { return a - b; }
"""
TABLE = f"""{FUNCTIONS}
__device__ Operation table[3] = {{add, multiply, subtract}};
__global__ void k(int *out, const int *which) {{ int i = threadIdx.x; out[i] = table[which[i] % 3](i, 7); }}
"""
# Two kernels that share a table call copies of the functions: it holds places in a table that each kernel has.
SHARED_TABLE = f"""{FUNCTIONS}
__device__ Operation table[2] = {{add, multiply}};
__constant__ Operation constants[2] = {{multiply, subtract}};
__global__ void other(int *out) {{ out[0] = table[out[0] & 1](3, 4); }}
__global__ void k(int *out, const int *which) {{
    int i = threadIdx.x, w = which[i] % 3;
    out[i] = w < 2 ? table[w](i, 7) : constants[1](i, 7);
}}
"""
PASSED_ON = f"""{FUNCTIONS}
__device__ __noinline__ int twice(Operation f, int a) {{ return f(f(a, 1), 2); }}
__global__ void k(int *out, const int *which) {{
    int i = threadIdx.x, w = which[i] % 3;
    Operation f = w == 0 ? add : w == 1 ? multiply : subtract;
    out[i] = twice(f, i);
}}
"""
VIRTUAL = """
struct Shape {
    int side;
    __device__ Shape(int side) : side(side) {}
    __device__ virtual int corners() const { return 0; }
    __device__ virtual int size() const = 0;
};
struct Line : Shape { using Shape::Shape; __device__ int size() const override { return side; } };
struct Square : Shape {
    using Shape::Shape;
    __device__ int size() const override { return side * side; }
    __device__ int corners() const override { return 4; }
};
__global__ void k(int *out, const int *which) {
    int i = threadIdx.x;
    Line line(i);
    Square square(i);
    const Shape *shape = which[i] % 2 ? static_cast<const Shape *>(&square) : &line;
    out[i] = shape->size() + shape->corners();
}
"""


def _applied(w: np.ndarray, a: np.ndarray, b: int) -> np.ndarray:
    return np.select([w == 0, w == 1], [a + b, a * b], a - b)


class Calls(NamedTuple):
    """Describe a kernel k(out, which) and what it must write."""

    source: str
    expected: Callable[[np.ndarray, np.ndarray], np.ndarray]


KERNELS = {
    "table": Calls(TABLE, lambda w, i: _applied(w % 3, i, 7)),
    "table of two kernels": Calls(SHARED_TABLE, lambda w, i: _applied(w % 3, i, 7)),
    "argument": Calls(PASSED_ON, lambda w, i: _applied(w % 3, _applied(w % 3, i, 1), 2)),
    "virtual": Calls(VIRTUAL, lambda w, i: np.where(w % 2, i * i + 4, i)),
}  # fmt: skip
LANES, WHICH = np.arange(64), np.random.default_rng(14).integers(0, 6, 64).astype(np.int32)


@pytest.mark.parametrize("device", ["rtx2080", "h200", "b200"])
@pytest.mark.parametrize("name", KERNELS)
def test_lanes_call_what_their_pointers_say(name: str, device: str) -> None:
    source, expected = KERNELS[name]
    program = wv.compile(source, kernel="k", compiler="nvrtc", device=device)
    assert any(i.native is not None and i.native.mnemonic == "CALL.REL.NOINC" for i in program.instructions)
    run = wv.simulate(program, 1, 64, [np.zeros(64, np.int32), WHICH], device=device)
    assert np.array_equal(run.buffers["out"], expected(WHICH, LANES))


@pytest.mark.parametrize("name", KERNELS)
def test_the_engines_agree_on_calls_through_pointers(name: str) -> None:
    program = wv.compile(KERNELS[name].source, kernel="k", compiler="nvrtc", device="h200")
    assert differences(Case(name, program, 1, 64, [np.zeros(64, np.int32), WHICH])) == []


VARIABLES = """
__device__ int numbers[4] = {1, 2, 3, 4};
__device__ int last;
__device__ int *third = &numbers[2], *to_last = &last;
"""


def test_variables_may_begin_as_addresses_of_others() -> None:
    source = VARIABLES + "__global__ void k(int *out) { *to_last = 9; out[0] = *third; out[1] = last; }"
    program = wv.compile(source, compiler="nvrtc", device="h200")
    run = wv.simulate(program, 1, 1, [np.zeros(2, np.int32)], device="h200")
    assert run.buffers["out"].tolist() == [3, 9]


def test_an_address_in_constant_memory_is_refused() -> None:
    source = VARIABLES + "__constant__ int *first = numbers; __global__ void k(int *out) { *out = *first; }"
    with pytest.raises(wv.CompileError, match="the initial value of 'first'"):
        wv.compile(source, compiler="nvrtc", device="h200")


def test_a_pointer_to_no_function_ends_the_launch() -> None:
    source = "__global__ void k(int *out, int (*f)(int)) { out[threadIdx.x] = f(threadIdx.x); }"
    program = wv.compile(source, compiler="nvrtc", device="h200")
    run = wv.simulate(program, 1, 32, [np.zeros(32, np.int32), 1 << 20], device="h200")
    (finding,) = run.findings
    assert finding.message.endswith("goes to address 0x100000, where its kernel has no instruction")


CALLS_BY_ADDRESS = """.version 8.0
.target sm_80
.address_size 64
.func (.param .b32 r) more(.param .b32 x)
{ .reg .b32 %r<3>; ld.param.u32 %r1, [x]; add.u32 %r2, %r1, 1; st.param.b32 [r], %r2; ret; }
.func (.param .b32 r) twice(.param .b32 x)
{ .reg .b32 %r<3>; ld.param.u32 %r1, [x]; shl.b32 %r2, %r1, 1; st.param.b32 [r], %r2; ret; }
.visible .entry k(.param .u64 a, .param .u64 out)
{
    .reg .b64 %rd<8>; .reg .b32 %r<5>; .reg .pred %p<2>;
    ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [out];
    cvta.to.global.u64 %rd1, %rd1; cvta.to.global.u64 %rd2, %rd2;
    mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;
    ld.global.u32 %r2, [%rd4]; setp.gt.u32 %p1, %r2, 40;
    mov.u64 %rd6, more; mov.u64 %rd7, twice; selp.b64 %rd6, %rd7, %rd6, %p1;
    { P: .callprototype (.param .b32 _) _ (.param .b32 _);
      .param .b32 p; st.param.b32 [p], %r2; .param .b32 q; call (q), %rd6, (p), P; ld.param.b32 %r3, [q]; }
    st.global.u32 [%rd5], %r3; ret;
}
"""


def test_ptx_calls_functions_by_their_addresses(tmp_path: Path) -> None:
    path = tmp_path / "calls.ptx"
    path.write_text(CALLS_BY_ADDRESS)
    program, a = wv.compile(path, kernel="k"), np.arange(64, dtype=np.uint32)[::-1].copy()
    run = wv.simulate(program, 1, 64, [a, np.zeros_like(a)], device="h200")
    np.testing.assert_array_equal(list(run.buffers.values())[1], np.where(a > 40, 2 * a, a + 1))
    assert not differences(Case("calls", program, 1, 64, [a, np.zeros_like(a)]))


@pytest.mark.parametrize("behind", [1, 2, 1000, 1 << 27])
def test_a_damaged_table_that_leads_behind_the_code_is_told(behind: int) -> None:
    """Behind the last branch of a kernel lie instructions that do nothing, and then nothing."""
    program = wv.compile(TABLE, kernel="k", compiler="nvrtc", device="h200")
    stops = [pc for pc, i in enumerate(program.instructions) if i.native is not None and i.native.mnemonic == "BRA"]
    assert stops[-1] + 2 < len(program.instructions)
    table = np.full(len(program.device_bytes) // 8, (stops[-1] + behind) * 16, np.uint64)
    damaged = replace(program, device_bytes=table.tobytes())
    arguments = [np.zeros(32, np.int32), np.arange(32, dtype=np.int32)]
    run = wv.simulate(damaged, grid=1, block=32, args=arguments, device="h200")
    assert [finding.kind for finding in run.findings] == ["out of bounds"]
    assert differences(Case("behind the end", damaged, 1, 32, arguments)) == []
