"""Addresses are named as the source has them: elements of buffers, variables, arrays of several dimensions."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

import warpview as wv
from warpview.isa.program import Program
from warpview.isa.types import Space, Type
from warpview.sim.arguments.binding import bind
from warpview.sim.checks.places import declared_array, element_type, global_place, index_text, is_null, signed
from warpview.sim.launch import Launch
from warpview.sim.memory import GUARD, DeviceMemory

SOURCE = """
struct Pair { short a, b; };
__device__ int counter;
__device__ double table[2][3];
__constant__ float scale[4];
__global__ void kernel(const float *in, Pair *pairs, unsigned char *bytes, int n) {
    __shared__ short first[6];
    __shared__ int second[2][3][4];
    int t = threadIdx.x;
    first[t % 6] = bytes[t];
    second[t % 2][t % 3][t % 4] = pairs[t].a;
    __syncthreads();
    counter = first[n % 6] + second[n % 2][n % 3][n % 4];
    table[t % 2][t % 3] = in[t] * scale[t % 4];
}"""


@pytest.fixture(scope="module")
def program() -> Program:
    return wv.compile(SOURCE)


def bound(program: Program, **given: object) -> tuple[Launch, DeviceMemory]:
    arguments: Mapping[str, object] = {
        "in": np.zeros(8, np.float32), "pairs": np.zeros((8, 2), np.int16), "bytes": np.zeros(8, np.uint8), "n": 1,
        **given,
    }  # fmt: skip
    binding = bind(program, (1, 1, 1), (8, 1, 1), arguments, 0)
    return binding.launch, binding.memory


@pytest.mark.parametrize(
    ("number", "bits", "value"),
    [(0x7FFFFFFF, 32, 2**31 - 1), (0x80000000, 32, -(2**31)), (2**32 - 1, 32, -1), (255, 8, -1), (2**33 + 5, 32, 5)],
)
def test_numbers_of_some_bits_have_a_sign(number: int, bits: int, value: int) -> None:
    assert signed(number, bits) == value


@pytest.mark.parametrize(
    ("offset", "name", "indices"),
    [(0, "first", "[0]"), (11, "first", "[5]"), (12, "second", "[0][0][0]"), (12 + 4 * 23, "second", "[1][2][3]"),
     (12 + 4 * 13, "second", "[1][0][1]"), (400, "second", "[8][0][1]")],
)  # fmt: skip
def test_a_byte_of_shared_memory_lies_in_the_last_array_that_begins_before_it(
    program: Program, offset: int, name: str, indices: str
) -> None:
    array = declared_array(program, Space.SHARED, offset)
    assert array is not None
    assert (array.name, index_text(array, offset - array.offset, 4)) == (name, indices)


def test_a_byte_before_all_arrays_is_told_by_the_first(program: Program) -> None:
    before, constant = declared_array(program, Space.SHARED, -4), declared_array(program, Space.CONST, 8)
    assert before is not None
    assert before.name == "first"
    assert constant is not None
    assert constant.name + index_text(constant, 8, 4) == "scale[2]"
    assert declared_array(wv.compile("__global__ void k() {}"), Space.SHARED, 0) is None


def test_elements_of_buffers_are_named_by_the_parameter(program: Program) -> None:
    _, memory = bound(program)
    bases = {a.name: a.base for a in memory.allocations}
    assert global_place(program, memory, bases["in"], 4, 4) == "in[0]"
    assert global_place(program, memory, bases["in"] + 28, 4, 4) == "in[7]"
    assert global_place(program, memory, bases["pairs"] + 14, 2, 2) == "pairs[3].b"
    assert global_place(program, memory, bases["pairs"] + 13, 1, 1) == "pairs[3].a"
    assert global_place(program, memory, bases["in"] + 6, 4, 4) == "in[1] + 2 bytes"
    assert global_place(program, memory, bases["bytes"] + 7, 1, 1) == "bytes[7]"
    end = bases["bytes"] + 8
    assert global_place(program, memory, end, 4, 4) == f"address {end:#x}"


def test_variables_of_the_device_are_named_by_their_indices(program: Program) -> None:
    _, memory = bound(program)
    base = next(a.base for a in memory.allocations if a.name not in ("in", "pairs", "bytes"))
    offsets = {v.name: v.offset for v in program.device_symbols}
    assert global_place(program, memory, base + offsets["counter"], 4, 4) == "counter"
    assert global_place(program, memory, base + offsets["counter"] + 3, 1, 1) == "counter"
    assert global_place(program, memory, base + offsets["table"] + 8 * 5, 8, 8) == "table[1][2]"
    assert global_place(program, memory, base + offsets["table"] + 8 * 3, 8, 8) == "table[1][0]"


def test_the_type_of_an_element_is_that_of_the_parameter(program: Program) -> None:
    _, memory = bound(program)
    bases = {a.name: a.base for a in memory.allocations}
    found = {name: element_type(program, memory, bases[name]) for name in ("in", "pairs", "bytes")}
    assert found == {"in": Type.F32, "pairs": Type.S16, "bytes": Type.U8}
    variables = next(base for name, base in bases.items() if name not in found)
    assert element_type(program, memory, variables) is None


def test_a_low_address_comes_from_a_null_pointer_where_one_was_given(program: Program) -> None:
    launch, _ = bound(program)
    assert is_null(program, launch, 0)
    assert is_null(program, launch, GUARD - 1)
    assert not is_null(program, launch, GUARD)
    with_null, _ = bound(program, bytes=None)
    assert is_null(program, with_null, GUARD)
    assert is_null(wv.compile("__global__ void k(int n) {}"), bound_alone(), GUARD)


def bound_alone() -> Launch:
    return bind(wv.compile("__global__ void k(int n) {}"), (1, 1, 1), (32, 1, 1), [1], 0).launch
