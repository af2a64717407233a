"""Structs inherit members, functions and layouts from their base classes, as C++ has it."""

from __future__ import annotations

import numpy as np
import pytest
from support.kernels import compute

import warpview as wv
from tests.unit.frontend.test_limits import kernel, program_of
from warpview.diagnostics import CompileError

STRUCTS = """
struct Empty { };
struct Shape {
    float scale;
    __host__ __device__ Shape(float s) : scale(s) {}
    __host__ __device__ float scaled(float x) const { return scale * x; }
    __host__ __device__ float area() const { return -1.0f; }
    static constexpr int sides = 0;
    using value_type = float;
};
struct Square : public Shape, Empty {
    float side;
    __host__ __device__ Square(float s, float k) : Shape(k), side(s) {}
    __host__ __device__ float area() const { value_type a = side * side; return scaled(a); }
    static constexpr int sides = 4;
};
class Padded { public: __device__ Padded() : x(1), c('a') {} int x; char c; };
class Tail : public Padded { public: char d = 7; short e; };
template <typename Derived> struct Op {
    __device__ float operator()(float a, float b) const { return static_cast<const Derived *>(this)->apply(a, b); }
    __device__ float twice(float a) const { return static_cast<const Derived &>(*this).apply(a, a); }
};
struct Add : Op<Add> { __device__ float apply(float a, float b) const { return a + b; } };
struct Mul : Op<Mul> {
    float k;
    __device__ Mul(float k) : k(k) {}
    __device__ float apply(float a, float b) const { return k * a * b; }
};
template <typename D> __device__ float reduce(const Op<D> &op, float a, float b) { return op(a, b) + op.twice(a); }
struct ValuedBase { long long a = 0; char c; }; struct Valued : ValuedBase { char d; };
struct PlainBase { long long a; char c; }; struct Unvalued : PlainBase { char d; };
struct A { int a; }; struct B { int b; }; struct C : A, B { int c; };
__device__ int readB(const B *b) { return b->b; }
__device__ int readA(const A &a) { return a.a; }
__device__ void writeB(B &b) { b.b = 42; }
__device__ int sliced(B b) { b.b += 1; return b.b; }
template <typename T> struct Counter { T n; __device__ Counter() : n(T(5)) {} __device__ void add(T x) { n += x; } };
struct Both : Counter<int> {
    int m;
    __device__ Both() { m = 2; }
    __device__ void step() { add(1); this->add(1); n += m; Counter<int>::add(10); }
};
struct Agg : A { int z; };
struct Plain { int value; __device__ int inherited() const { return value; } };
struct Hiding : Plain { int value; };
int k3;
__device__ int helper() { return -1; }
struct Sub1 : Empty { int n; }; struct Sub2 : Empty { };
struct Apart : Empty { Sub1 first; char c; Sub2 second[2]; }; struct Twins : Sub2, Sub1 { int last; };
struct Named { int k3; __device__ int helper() { return k3; } __device__ int twice() { return 2 * helper(); } };
"""


def value(statements: str, result: str) -> float:
    """Return what an expression comes to in a kernel, behind some statements."""
    source = f"{STRUCTS}\n__global__ void k(double *o) {{ {statements} o[0] = {result}; }}"
    run = wv.simulate(wv.compile(source, kernel="k"), 1, 1, [np.zeros(1)], device="h200")
    assert not run.findings
    return float(run.buffers["o"][0])


@pytest.mark.parametrize(
    ("statements", "result", "expected"),
    [
        ("Square s(3, 2);", "s.area()", 18),  # calls a function of its base class, which reads a member of it
        ("Square s(3, 2);", "s.Shape::area()", -1),
        ("Square s(3, 2); Square *p = &s;", "p->Shape::area() + p->scale", 1),
        ("", "Square::sides * 10 + Shape::sides", 40),
        ("Add add;", "add(1, 2)", 3),  # the base class calls the derived one
        ("Add add;", "reduce(add, 3, 4)", 13),  # template arguments are those of the base class
        ("Mul mul(10);", "reduce(mul, 3, 4)", 210),
        ("C c; c.b = 2;", "readB(&c)", 2),
        ("C c; c.a = 1;", "readA(c)", 1),
        ("C c; writeB(c);", "c.b", 42),
        ("C c; c.b = 42; int x = sliced(c);", "x * 100 + c.b", 4342),
        ("C c; c.c = 3; B *b = &c;", "static_cast<C *>(b)->c", 3),
        ("__shared__ C c;", "(char *)(B *)&c - (char *)&c", 4),
        ("C c; c.b = 5; B copy = c; c.b = 6; int x = copy.b; copy = c;", "x * 10 + copy.b", 56),
        ("C c; A &a = c; a.a = 77;", "c.a", 77),
        ("Both both; both.step();", "both.n", 19),
        ("Tail t; t.e = 9;", "t.x + t.c + t.d + t.e", 114),
        ("Agg g{{4}, 5}, h = {6, 7};", "g.a * 1000 + g.z * 100 + h.a * 10 + h.z", 4567),
        ("Hiding h; h.value = 1; h.Plain::value = 2;", "h.value * 10 + h.inherited()", 12),
        ("Named named{3};", "named.twice()", 6),  # of a member and a function that the file has by the same name
        ("", "sizeof(Valued) * 100 + sizeof(Unvalued)", 1624),  # values of members: no longer laid out as C does
        # Parts of one type without members lie apart, as g++ and NVRTC have it.
        ("", "sizeof(Apart) * 1000 + sizeof(Twins) * 10 + sizeof(Sub2)", 12121),
        ("Apart a; a.first.n = 3;", "((int *)&a)[1] + 100 * ((char *)&a.second[1] - (char *)&a)", 1003),
        ("Twins t; t.n = 5; t.last = 6;", "((int *)&t)[1] + 10 * ((int *)&t)[2]", 65),
        ("", "sizeof(Tail) * 1000 + sizeof(Square) * 10 + sizeof(Hiding)", 8088),  # as g++ has it, padding reused
    ],
)
def test_inheritance(statements: str, result: str, expected: float) -> None:
    assert value(statements, result) == expected


@pytest.mark.parametrize(
    ("struct", "message"),
    [
        ("struct V { ~V() { x = 1; } int x; };", "the destructor of 'V' is a function of the host"),
        ("struct A { int a; }; struct V : virtual A { int x; };", "virtual base classes are not supported"),
        ("struct V : std::exception { int x; };", "unknown type 'exception'"),
    ],
)
def test_refusals(struct: str, message: str) -> None:
    with pytest.raises(CompileError, match=message):
        program_of(kernel("V v; v.x = 2; o[0] = v.x;", struct))


ALIASED = """
template <class T> struct First { T &place; const int added; __device__ First(T &p, int a) : place(p), added(a) {} };
template <class T> struct Second { T value; __device__ Second(T v) : value(v) {} };
template <class T> struct Both : First<T>, Second<int> {
    typedef First<T> Left;
    using Right = Second<int>;
    __device__ Both(T &p) : Left(p, 3), Right(4) {}
    __device__ T sum() { return this->place + this->added * 10 + value; }
};
"""


def test_constructors_name_base_classes_by_an_alias():
    values = compute("int k = i; out[i] = Both<int>(k).sum();", ALIASED)
    np.testing.assert_array_equal(values, np.arange(32) + 34)


def test_an_item_of_a_constructor_that_names_nothing_is_refused():
    text = "struct A { int a; __device__ A(int v) : other(v) {} };"
    with pytest.raises(CompileError, match=r"1:41.*initialises no member and no base class of 'A'"):
        compute("out[i] = A(3).a;", text)


def test_members_have_types_with_brackets():
    text = """template <int N> struct Held { static constexpr int M = N / 2; int a[N * (M + 1)]; decltype(N) b; };"""
    np.testing.assert_array_equal(compute("out[i] = sizeof(Held<4>);", text), np.full(32, 52))
