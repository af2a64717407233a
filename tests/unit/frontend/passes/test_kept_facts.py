"""What a pass must keep of the code that it rewrites, each told by the smallest kernel that shows it."""

from __future__ import annotations

import numpy as np
from support.kernels import program_of, run

from warpview.diagnostics import SourceText, Span
from warpview.frontend.builder import Builder
from warpview.frontend.ir import Function, SpecialValue, const
from warpview.frontend.passes.coalesce_copies import coalesce
from warpview.isa.ops import Op
from warpview.isa.program import Special
from warpview.isa.types import SHARED_WINDOW, Type

SPAN = Span(SourceText("t.cu", ""), 1, 1)
I = np.arange(32)  # noqa: E741


def test_a_loop_that_is_not_to_be_unrolled_is_still_marked_when_its_blocks_are_one() -> None:
    program = program_of(
        "__global__ void k(int *out, int n) {\n#pragma unroll 1\nfor (int i = 0; i < n; ++i) out[i] += i; }"
    )
    assert sum(i.rolled for i in program.instructions) == 1


def test_a_pointer_into_shared_memory_is_compared_with_one_that_may_be_anything() -> None:
    text = """__global__ void k(int *out, const int *p) {
        __shared__ int s[4];
        const int *q = s;
        if (threadIdx.x > 3) ++q;
        out[threadIdx.x] = q == p;
    }"""
    out = run(text, [np.full(32, 7, np.int32), np.zeros(4, np.int32)], "k", block=32)["out"]
    np.testing.assert_array_equal(out, np.zeros(32))


def test_the_number_of_an_address_in_shared_memory_lies_in_its_window() -> None:
    text = """__global__ void k(int **out) { __shared__ int s[4]; out[threadIdx.x] = s + threadIdx.x % 4; }"""
    out = run(text, [np.zeros(32, np.uint64)], "k", block=32)["out"]
    np.testing.assert_array_equal(out, SHARED_WINDOW + 4 * (I % 4))


def test_a_sum_of_floats_as_doubles_that_is_rounded_to_a_float_is_one_of_floats() -> None:
    program = program_of("__global__ void k(float *a) { a[2] = (float)((double)a[0] + (double)a[1]); }")
    assert [i.type for i in program.instructions if i.op == Op.ADD] == [Type.F32]


def test_a_variable_that_is_written_twice_has_the_value_of_the_second_copy() -> None:
    """The value that is copied last was computed first: it cannot be computed in the place of the variable."""
    b = Builder(Function("kernel", SPAN.source, SPAN))
    tid = SpecialValue(Special.TID_X)
    first = b.emit(Op.ADD, Type.U32, tid, const(Type.U32, 1))
    second = b.emit(Op.ADD, Type.U32, tid, const(Type.U32, 2))
    variable = b.reg(Type.U32, "v")
    b.mov(variable, second)
    b.mov(variable, first)
    b.exit()
    coalesce(b.function)
    held = {}
    for instr in b.function.blocks[0].instrs:
        held[instr.dsts[0]] = instr.srcs[1].value if instr.op == Op.ADD else held[instr.srcs[0]]
    assert held[variable] == 1
