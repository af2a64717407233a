"""Pointers to functions are numbers that all kernels of a file share; a call by one chooses among the functions."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from warpview.diagnostics import CompileError, SourceText
from warpview.frontend import function_pointers
from warpview.frontend.compiler import parse

SOURCE = """
typedef float (*op)(float, float);
__device__ float add(float a, float b) { return a + b; }
__device__ float sub(float a, float b) { return a - b; }
__device__ int other(int a) { return a; }
__device__ op table[2] = {sub, add};
__constant__ op chosen = sub;
__device__ int (*single)(int) = other;
__device__ float plain = 3;
__global__ void given(float *out, op f) { int i = threadIdx.x; out[i] = f(i, 2); }
__global__ void noted(op *where) { *where = add; }
"""


def test_a_pointer_is_passed_to_a_kernel_by_its_number() -> None:
    noted = wv.simulate(wv.compile(SOURCE, kernel="noted"), 1, 1, [np.zeros(1, np.uint64)])
    number = int(noted.buffers["where"][0])
    program = wv.compile(SOURCE, kernel="given")
    assert str(program.params[1].ctype) == "float (*)(float, float)"
    assert not program.params[1].is_pointer
    run = wv.simulate(program, 1, 32, [np.zeros(32, np.float32), number])
    assert np.array_equal(run.buffers["out"], np.arange(32) + 2)


def test_a_pointer_to_no_function_stops_the_launch() -> None:
    run = wv.simulate(wv.compile(SOURCE, kernel="given"), 1, 32, [np.zeros(32, np.float32), 77])
    assert "a call by a pointer that points to no function of its type" in run.findings[0].message


def test_variables_of_a_file_that_hold_pointers_have_initial_values() -> None:
    values = function_pointers(parse(SourceText("k.cu", SOURCE)))
    numbers = {name: np.frombuffer(data, np.uint64).tolist() for name, data in values.items()}
    assert set(numbers) == {"table", "chosen", "single"}
    assert numbers["chosen"] == numbers["table"][:1]
    assert len({*numbers["table"], *numbers["single"]}) == 3
    assert function_pointers(parse(SourceText("k.cu", "__device__ int x = 3;"))) == {}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("op f = other; *where = f;", "'other' does not convert to 'float (*)(float, float)'"),
        ("float (*f)(float, float) = add; f(1);", "this takes 2 arguments, 1 given"),
    ],
)
def test_refusals(body: str, message: str) -> None:
    text = SOURCE.replace("*where = add;", body)
    with pytest.raises(CompileError) as caught:
        wv.compile(text, kernel="noted")
    assert message in str(caught.value)


def test_a_function_that_calls_itself_by_a_pointer_stops_the_launch() -> None:
    text = """
    typedef int (*op)(int);
    __device__ op again;
    __device__ int one(int n) { return 1; }
    __device__ int down(int n) { return n < 1 ? 0 : again(n - 1); }
    __global__ void k(int *out, int deep) { again = deep ? down : one; out[0] = down(3); }
    """
    program = wv.compile(text)
    assert wv.simulate(program, 1, 1, [np.zeros(1, np.int32), 0]).buffers["out"][0] == 1
    run = wv.simulate(program, 1, 1, [np.zeros(1, np.int32), 1])
    assert "'down' calls itself, which only NVIDIA's compiler supports" in run.findings[0].message
