"""Programs that no C++ compiler accepts are refused, at the place of the mistake."""

from __future__ import annotations

import numpy as np
import pytest
from support.kernels import small_kernel

import warpview as wv
from warpview.diagnostics import CompileError
from warpview.sass import nvrtc

# declarations, body, line and column of the mistake, part of the message
CASES = [
    ("__device__ int f(float a) { return 1; } __device__ int f(double a) { return 2; }", "r = f(x);", (4, 5),
     "the call of 'f' is ambiguous"),
    ("__device__ int f(int a, int b = 1) { return 1; } __device__ int f(int a) { return 2; }", "r = f(1);", (4, 5),
     "the call of 'f' is ambiguous"),
    ("namespace a { __device__ int f() { return 1; } } namespace b { __device__ int f() { return 2; } } "
     "using namespace a; using namespace b;", "r = f();", (4, 5), "the call of 'f' is ambiguous"),
    ("struct B { int a; }; struct D : private B {};", "D d; r = d.a;", (4, 12), "which inherits it from 'B'"),
    ("struct B { int a; }; class D : B {};", "D d; r = d.a;", (4, 12), "which inherits it from 'B'"),
    ("struct A { int v; }; struct B { int v; }; struct C : A, B {};", "C c; r = c.v;", (4, 12), "'v' is ambiguous"),
    ("struct S { __device__ S(int a) {} };", "S s; r = 1;", (4, 3), "'S' has no constructor that takes nothing"),
    ("struct S { __device__ S(int a) {} }; struct T { S s; };", "T t; r = 1;", (4, 3), "no constructor that takes"),
    ("struct S { __device__ explicit operator int() const { return 1; } };", "S s; int v = s; r = v;", (4, 10),
     "a value of type 'S' cannot become 'int'"),
    ("struct S { int a; int a; };", "S s; r = s.a;", (1, 23), "two members of the name 'a'"),
    ("struct S;", "S s; r = 1;", (4, 3), "'S' is an incomplete type"),
    ("enum class E { a, b };", "r = E::a + 1;", (4, 10), "'\\+' cannot be applied to a value of type 'E'"),
    ("enum class E { a, b };", "r = ~E::a;", (4, 5), "'~' cannot be applied to a value of type 'E'"),
    ("", "auto f = [](int a) { return x + a; }; r = f(1);", (4, 10), "uses 'x', which it does not capture"),
    ("", "auto f = [&q](int a) { return a; }; r = f(1);", (4, 10), "unknown name 'q'"),
    ("", "auto f = [](int a) { if (a) return 1; return 2.5; }; r = f(1);", (4, 46), "the return before it an 'int'"),
    ("", "auto a = 1, b = 2.5; r = a;", (4, 13), "'auto' is 'int' before"),
    ("struct A { virtual __device__ int f() { return 1; } }; struct B : A { __device__ int f() const override "
     "{ return 2; } };", "B b; r = b.f();", (1, 86), "'f' overrides no virtual function"),
    ("struct A { virtual __device__ int f() final { return 1; } }; struct B : A { __device__ int f() { return 2; } };",
     "B b; r = b.f();", (1, 92), "'f' overrides a final function"),
    ("struct A final { int a; }; struct B : A {};", "B b; r = b.a;", (1, 39), "'A' is final"),
    ("", "const int *p = &x; int *q = static_cast<int *>(p); r = *q;", (4, 29), "static_cast cannot drop 'const'"),
    ("", "const int *p = &x; int *q = reinterpret_cast<int *>(p); r = *q;", (4, 29), "cannot drop 'const'"),
    ("", "const int *p = &x; float *q = const_cast<float *>(p); r = *q;", (4, 31), "const_cast changes 'const' alone"),
    ("", "float *q = static_cast<float *>(&x); r = *q;", (4, 12), "static_cast does not convert"),
    ("", "const int k; r = k;", (4, 11), "the constant 'k' needs a value"),
    ("__device__ int f(int a, int a) { return a; }", "r = f(1, 2);", (1, 29), "two parameters have the name 'a'"),
    ("__device__ int f(int a = 1, int b) { return a; }", "r = f(1, 2);", (1, 33), "needs one, too"),
    ("template <typename T, typename T> __device__ T f(T a) { return a; }", "r = f(1);", (1, 32),
     "two template parameters have the name 'T'"),
    ("struct I { int a, b; };", "I i{.b = 1, .a = 2}; r = i.a;", (4, 18), "'a' is a member before"),
    ("__global__ int other() { return 1; }", "r = 1;", (1, 16), "a kernel must return void"),
    ("", "switch (x) { default: break; case 1: break; default: r = 1; }", (4, 45), "one 'default' at most"),
    ("struct S { int &a; };", "S s; r = 1;", (4, 3), "a 'S' cannot be made of nothing"),
    ("struct S { int a; S() = delete; };", "S s; r = 1;", (4, 3), "a 'S' cannot be made of nothing"),
    ("template <int N> struct A { int v[N]; };", "A<2.5f> a; r = a.v[0];", (4, 1), "'N' is an 'int', not a 'float'"),
    ("struct A { virtual __device__ int f() { return 1; } }; struct B : A { __device__ float f() { return 2; } };",
     "B b; r = b.f();", (1, 88), "'f' returns 'float', but overrides a function that returns 'int'"),
    ("enum E { a, b, a };", "r = a;", (1, 16), "'a' is already declared in this enum"),
    ("", "r = out == &y;", (4, 9), "'==' cannot compare an 'int\\*' with a 'float\\*'"),
    ("", "r = reinterpret_cast<int>(y);", (4, 5), "reinterpret_cast does not convert a 'float' to 'int'"),
    ("", "const int c = x; auto f = [](int a) { return a + c; }; r = f(1);", (4, 27), "uses 'c', which it does not"),
    ("", "int a[] = {}; r = sizeof(a);", (4, 11), "an empty list gives this array no length"),
    ("struct A { int a; };", "const A a; r = a.a;", (4, 9), "the constant 'a' needs a value"),
    ("struct B { int b = 1, c; }; struct A { B b; };", "const A a; r = a.b.b;", (4, 9), "'a' needs a value"),
    ("struct A { int a; };", "const A a[2]; r = a[0].a;", (4, 9), "the constant 'a' needs a value"),
    ("struct A { virtual __device__ int f() = 0; };", "A a[2]; r = 1;", (4, 3), "'A' is abstract"),
    ("struct A { virtual __device__ int f() = 0; };", "A *a = new A; r = 1;", (4, 8), "'A' is abstract"),
    ("struct A { virtual __device__ int f() = 0; };", "__shared__ A a; r = 1;", (4, 14), "'A' is abstract"),
    ("__constant__ __shared__ int s;", "r = s;", (1, 29), "in shared or in constant memory"),
]  # fmt: skip


@pytest.mark.parametrize(("declarations", "body", "place", "message"), CASES)
def test_a_wrong_program_is_refused_at_its_mistake(
    declarations: str, body: str, place: tuple[int, int], message: str
) -> None:  # fmt: skip
    with pytest.raises(CompileError, match=message) as caught:
        wv.compile(small_kernel(declarations, body), kernel="k")
    span = caught.value.diagnostics[0].span
    assert span is not None
    assert (span.line, span.column) == place


@pytest.mark.exhaustive
@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
@pytest.mark.parametrize(("declarations", "body"), [case[:2] for case in CASES])
def test_nvrtc_refuses_it_too(declarations: str, body: str) -> None:
    with pytest.raises(CompileError):
        wv.compile(small_kernel(declarations, body), kernel="k", compiler="nvrtc", device="h200")


def test_what_is_only_almost_wrong_is_taken() -> None:
    declarations = """
    struct B { int a = 3; __device__ int get() const { return a; } };
    struct D : private B { using B::a; __device__ int f() const { return get(); } };
    struct E { __device__ explicit operator bool() const { return true; } };
    struct V { virtual __device__ int f(int k) const { return k; } };
    struct W final : V { __device__ int f(int k) const override final { return 2 * k; } };
    enum class C { a, b };
    struct Zero {};
    struct One { int a = 1; Zero z; };
    struct Two { int a; __device__ Two() : a(2) {} };
    struct Both { One one; Two two; };
    using Nothing = void;
    __global__ Nothing other() {}
    __device__ int one(int a) { return 1; }
    __device__ int one(float a) { return 2; }
    __device__ int one(const int *a) { return 3; }
    """
    body = """
    D d; E e; W w; const V &v = w; constexpr int q = 4; const int k = x;
    auto f = [](int a) { return a + q + sizeof(x); };
    if (e && C::a < C::b && !(C::a == C::b)) r = d.a + d.f() * 10 + v.f(3) * 100 + f(1) * 1000;
    const int *p = &x; int *u = const_cast<int *>(p); void *z = static_cast<void *>(u); u = static_cast<int *>(z);
    const Zero zero; const Both both[2];
    r += 10000 * (both[1].one.a + both[0].two.a + (int)sizeof(zero));
    r += *u + one(1) + one(2.0f) + one(u) + k;
    """
    program = wv.compile(small_kernel(declarations, body), kernel="k")
    run = wv.simulate(program, 1, 1, [np.zeros(1, np.int32), 5, 1.0])
    assert run.buffers["out"][0] == 40000 + 3 + 30 + 600 + 9000 + 5 + 1 + 2 + 3 + 5
