"""Objects with virtual functions hold the number of their class, by which a call chooses the function."""

from __future__ import annotations

import numpy as np
import pytest
from support.kernels import compute

import warpview as wv
from warpview.diagnostics import CompileError

SHAPES = """
struct Shape {
    __device__ virtual int area() const = 0;
    __device__ virtual ~Shape() {}
};
struct Square : Shape {
    int side, *log;
    __device__ Square(int side, int *log = nullptr) : side(side), log(log) {}
    __device__ int area() const override { return side * side; }
    __device__ ~Square() { if (log) *log = *log * 10 + 1; }
};
struct Twice : Shape {
    const Shape *of;
    Square part;
    __device__ Twice(const Shape *of, int *log) : of(of), part(2, log) {}
    __device__ int area() const override { return of->area() + of->area(); }
    __device__ ~Twice() { *part.log = *part.log * 10 + 2; }
};
template <typename T> struct Any : Shape {
    T value;
    __device__ Any(T value) : value(value) {}
    __device__ int area() const override { return (int)value; }
};
template <typename T> __device__ int made(T value) { Any<T> any(value); const Shape &shape = any; return shape.area(); }
"""
I = np.arange(32)  # noqa: E741


def test_delete_destroys_the_whole_object() -> None:
    body = """
    Shape *p = i & 1 ? (Shape *)new Square(3, &out[i]) : new Twice(nullptr, &out[i]);
    delete p;
    Shape *none = nullptr;
    delete none;"""
    assert (compute(body, SHAPES) == np.where(I & 1, 1, 21)).all()


def test_a_call_within_the_function_itself_is_a_recursion() -> None:
    text = f"""{SHAPES}
    __global__ void k(int *out, int deep) {{
        Square square(3);
        Twice twice(&square, out);
        Twice again(&twice, out);
        const Shape *shapes[2] = {{&twice, &again}};
        out[1] = shapes[deep]->area();
    }}"""
    program = wv.compile(text)
    run = wv.simulate(program, 1, 1, [np.zeros(2, np.int32), 0])
    assert run.buffers["out"][1] == 18
    run = wv.simulate(program, 1, 1, [np.zeros(2, np.int32), 1])
    assert run.buffers["out"][1] == 36
    assert not run.findings


def test_an_object_without_a_class_stops_the_launch() -> None:
    text = f"{SHAPES}\n__global__ void k(int *out, Shape *shape) {{ out[0] = shape->area(); }}"
    run = wv.simulate(wv.compile(text), 1, 1, [np.zeros(1, np.int32), np.zeros(2, np.int64)])
    assert "of an object that no kernel has constructed" in run.findings[0].message


def test_kernels_of_a_file_number_classes_alike() -> None:
    text = f"""{SHAPES}
    __global__ void make(char *place, int which) {{
        if (which) new (place) Any<int>(7); else new (place) Square(5);
    }}
    __global__ void use(int *out, Shape *shape) {{ out[0] = shape->area(); }}"""
    for which, area in ((0, 25), (1, 7)):
        made = wv.simulate(wv.compile(text, kernel="make"), 1, 1, [np.zeros(24, np.int8), which])
        shape = made.buffers["place"].view(np.int64)
        used = wv.simulate(wv.compile(text, kernel="use"), 1, 1, [np.zeros(1, np.int32), shape])
        assert used.buffers["out"][0] == area


@pytest.mark.parametrize(
    "body",
    [
        "out[i] = made(i);",
        "struct Local : Shape { __device__ int area() const { return 1; } }; Local l; out[i] = l.area();",
    ],
)
def test_classes_that_cannot_be_numbered_are_refused(body: str) -> None:
    with pytest.raises(CompileError, match="that depends on template arguments or is local"):
        compute(body, SHAPES)
