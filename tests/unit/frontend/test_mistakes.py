"""Mistakes as students make them are refused where they stand, in words that say what is wrong."""

from __future__ import annotations

import numpy as np
import pytest
from support.kernels import small_kernel

import warpview as wv
from warpview.diagnostics import CompileError
from warpview.sass import nvrtc

# declarations, body, line and column of the mistake, the message, the hint
CASES = [
    ("", "int n = 4; const int m = n; int a[m]; r = a[0];", (4, 35),
     "the length of an array must be known at compile time", ""),
    ("", "int i = 0; int &&q = i; r = q;", (4, 18),
     "'int&&' needs a value, not a variable: write std::move", ""),
    ("struct P { private: int k; public: int j; };", "P p{1, 2}; r = p.j;", (4, 4),
     "a list cannot give 'P' values: some of its parts are private or protected", ""),
    ("struct V { int j; __device__ virtual int f() { return j; } };", "V v{1}; r = v.j;", (4, 4),
     "a list cannot give 'V' values: it has virtual functions", ""),
    ("struct A { __device__ operator int() { return 1; } __device__ operator float() { return 2; } };",
     "A a; r = a + 1;", (4, 12), "'+' is ambiguous for 'A', which converts to 'int' and 'float'", ""),
    ("struct E { int v; __device__ explicit operator int() const { return v; } };", "E e{x}; r = e + 1;", (4, 15),
     "'+' cannot be applied to a value of type 'E'", ""),
    ("struct E { __device__ explicit operator int() const { return 1; } }; __device__ int f(int a) { return a; }",
     "E e; r = f(e);", (4, 10), "no function 'f' takes (E): an 'E' does not convert to 'int'", ""),
    ("struct P { int v; __device__ int get() && { return v; } };", "P p{1}; r = p.get();", (4, 15),
     "'get' is called on a variable, which it does not take", ""),
    ("struct P { int v; __device__ int get() & { return v; } };", "r = P{1}.get();", (4, 10),
     "'get' is called on a value, which it does not take", ""),
    ("struct P { int v; }; struct Q : private P { int w; };", "Q q{{1}, 2}; r = q.w;", (4, 4),
     "a list cannot give 'Q' values: some of its parts are private or protected", ""),
    ("#if 0 || 1 / 0\n#endif", "r = 1;", (1, 2),
     "division by zero", ""),
    ("using namespace nowhere;", "r = 1;", (1, 1), "there is no namespace 'nowhere'", ""),
    ("", "using nowhere::x1; r = 1;", (4, 1), "there is no namespace 'nowhere'", ""),
    ("namespace a { __device__ int f() { return 1; } } using a::g;", "r = 1;", (1, 50),
     "namespace 'a' has no member 'g'", ""),
    ("namespace a { namespace b { __device__ int f() { return 1; } } } namespace c = a::d;", "r = 1;", (1, 66),
     "there is no namespace 'a::d'", ""),
    ("", "float z = 1e39f; r = z;", (4, 11), "'1e39f' is not a number that fits a float", ""),
    ("", "double z = 1e-400; r = z > 0;", (4, 12), "'1e-400' is not a number that fits a double", ""),
    ("", "r = u'\\U0001F600';", (4, 5), "'u'\\U0001F600'' is not one character of 16 bits", ""),
    ("", "r = true ? 1 : \"a\";", (4, 10), "the two values of '?' have different types, 'int' and 'const char*'", ""),
    ("", "int z(); z = 1; r = 1;", (4, 10),
     "'z' is declared as a function", "without '()' it is a variable: write 'z{}'"),
    ("class P { __device__ P(int a) {} };", "P p(1); r = 1;", (4, 3), "the constructor is private in 'P'", ""),
    ("class P { int a; }; class Q : public P { public: __device__ int g() { return a; } };", "Q q; r = q.g();", (1, 78),
     "'a' is private in 'P'", ""),
    ("class P { struct I { int v; }; };", "P::I i; r = i.v;", (4, 4), "'I' is private in 'P'", ""),
    ("class P { enum { N = 3 }; };", "r = P::N;", (4, 8), "'N' is private in 'P'", ""),
    ("class P { static const int N = 3; };", "r = P::N;", (4, 8), "'N' is private in 'P'", ""),
    ("struct A { int a; }; struct B : private A { };", "B b; A *a = &b; r = a->a;", (4, 9),
     "'A' is a private or protected base class of 'B'", ""),
    ("struct P { const int a; };", "P p{1}, q{2}; p = q; r = p.a;", (4, 17),
     "a 'P' cannot be assigned to: its member 'a' is const", ""),
    ("struct P { int a; }", "P p; r = 1;", (2, 1), "expected ';' after the definition of 'P', found '__global__'", ""),
    ("", "r += 1; }", (6, 1), "this '}' closes nothing: there is one too many", ""),
    ("", "for (int i = 0; i < 3; ++i) { int i = 2; r += i; }", (4, 35), "'i' is already declared in this block", ""),
    ("", "int a[0]; r = 1;", (4, 7), "an array cannot have 0 elements", ""),
    ("", "r = max(x, y);", (4, 5),
     "the call of 'max' is ambiguous for 'int' and 'float'", "cast one to the type of the other"),
    ("", "long long l = 3; r = min(l, x);", (4, 22),
     "the call of 'min' is ambiguous for 'long long' and 'int'", "cast one to the type of the other"),
    ("", "__shared__ long long s[2]; atomicAdd(&s[0], 1LL);", (4, 28), "there is no atomicAdd for 'long long'", ""),
    ("template <int N> __device__ int f() { static_assert(N > 3); return 1; }", "r = f<2>();", (1, 55),
     "static assertion failed", ""),
    ("", "auto f = [x, x](int a) { return a; }; r = f(1);", (4, 14), "'x' is captured twice", ""),
    ("", "auto f = [=, x](int a) { return a; }; r = f(1);", (4, 14), "'=' captures 'x' already", ""),
    ("", "auto f = [this](int a) { return a; }; r = f(1);", (4, 10),
     "'this' only exists in the functions of a struct", ""),
    ("", "auto f = [z = x](int a) { z++; return a; }; r = f(1);", (4, 28),
     "this is const and cannot be assigned to", ""),
    ("", "auto f = [=](int a) { x = 3; return a; }; r = f(1);", (4, 23),
     "this is a value, not something that can be assigned to or pointed at",
     "a lambda that is marked 'mutable' may change what it has captured"),
    ("__device__ int f(int a); __device__ float f(int a) { return a; }", "r = f(1);", (4, 5),
     "'f' is declared for the same parameters with another result", ""),
    ("__device__ int f(int a = 1); __device__ int f(int a = 2) { return a; }", "r = f();", (4, 5),
     "the default value of 'a' is given twice", ""),
    ("__device__ const int g;", "r = g;", (1, 22), "the constant 'g' needs a value", ""),
    ("struct S { int a; __device__ S(int v) : a(v), a(v) {} };", "S s(1); r = s.a;", (1, 47),
     "this part of the object is initialised twice", ""),
    ("enum E { a, b };", "E e = a; e++; r = e;", (4, 11), "'++' cannot be applied to a value of type 'E'", ""),
    ("enum class E { a, b };", "E e = x ? E::a : E::b; if (e) r = 1;", (4, 28),
     "a value of type 'E' cannot be a condition", ""),
    ("enum class E { a, b };", "switch (E::a) { case 0: r = 1; }", (4, 17), "an 'int' does not convert to 'E'", ""),
    ("__global__ void other(int p, ...) { }", "r = 1;", (1, 17), "a kernel cannot have '...' among its parameters", ""),
    ("", "auto &q = 3; r = q;", (4, 7), "an 'int' cannot be referred to as 'int&'", ""),
    ("", "auto *q = x; r = 1;", (4, 7), "'auto *' needs a pointer, not an 'int'", ""),
    ("", "r = (int)\"a\";", (4, 5), "'int' is too small for a pointer", "use size_t"),
    ("", "r = const_cast<int>(x);", (4, 5), "const_cast gives a pointer or a reference, not 'int'", ""),
    ("__device__ int f(int &a) { return a; }", "const int c = 1; r = f(c);", (4, 22),
     "no function 'f' takes (int): 'int&' needs a variable that is not const", ""),
    ("__device__ int f(int &a) { return a; }", "r = f(3);", (4, 5),
     "no function 'f' takes (int): 'int&' needs a variable, not a value", ""),
    ("__device__ int f(int &&a) { return a; }", "r = f(x);", (4, 5),
     "no function 'f' takes (int): 'int&&' needs a value, not a variable: write std::move", ""),
    ("struct S { int a; __device__ int f() { return a; } };", "S s; r = s.f;", (4, 12),
     "'f' is a function of 'S'", "write 'f()' to call it"),
    ("struct A;", "r = sizeof(A);", (4, 5), "'A' is an incomplete type: it is only declared", ""),
    ("struct A { int v; explicit __device__ operator bool() const { return v; } };",
     "A a{1}; bool b = a; r = b;", (4, 14), "a value of type 'A' cannot become 'bool'",
     ""),
    ("template <class T> struct A { T v; }; template <class T> struct B : A<T> { __device__ T get() { return v; } };",
     "B<int> a; r = a.get();", (1, 104), "'v' is a member of a base class that is only known with its template",
     "this->v"),
    ("", "const int a[3] = {1, 2, 3}; for (int &v : a) r += v;", (4, 39), "'int&' cannot refer to what is const", ""),
    ("", "int n = 3; int a[n]; r = a[0];", (4, 18), "the length of an array must be known at compile time", ""),
    ("", "int n = 3; switch (x) { case n: r = 1; }", (4, 30), "the value of a case must be known at compile time", ""),
    ("template <int N> __device__ int f() { return N; }", "for (int i = 0; i < 3; ++i) r += f<i>();", (4, 36),
     "a template argument must be known at compile time", ""),
    ("__device__ int f(float a) { return 1; } __device__ int f(double a) { return 2; }", "r = f(x);", (4, 5),
     "the call of 'f' is ambiguous: several functions take (int)", ""),
    ("__device__ int f(int a, int b = 1) { return 1; } __device__ int f(int a) { return 2; }", "r = f(1);", (4, 5),
     "the call of 'f' is ambiguous: several functions take (int)", ""),
    ("namespace a { __device__ int f() { return 1; } } namespace b { __device__ int f() { return 2; } } using "
     "namespace a; using namespace b;", "r = f();", (4, 5), "the call of 'f' is ambiguous: several functions take ()",
     ""),
    ("struct B { int a; }; struct D : private B {};", "D d; r = d.a;", (4, 12),
     "'a' is private or protected in 'D', which inherits it from 'B'", ""),
    ("struct B { int a; }; class D : B {};", "D d; r = d.a;", (4, 12),
     "'a' is private or protected in 'D', which inherits it from 'B'", ""),
    ("struct A { int v; }; struct B { int v; }; struct C : A, B {};", "C c; r = c.v;", (4, 12),
     "'v' is ambiguous: 'A' and 'B' have a member of that name", ""),
    ("struct S { __device__ S(int a) {} };", "S s; r = 1;", (4, 3), "'S' has no constructor that takes nothing", ""),
    ("struct S { __device__ S(int a) {} }; struct T { S s; };", "T t; r = 1;", (4, 3),
     "'S' has no constructor that takes nothing", ""),
    ("struct S { __device__ explicit operator int() const { return 1; } };", "S s; int v = s; r = v;", (4, 10),
     "a value of type 'S' cannot become 'int'", ""),
    ("struct S { int a; int a; };", "S s; r = s.a;", (1, 23),
     "'S' is declared in code that cannot be read: 'S' has two members of the name 'a'", ""),
    ("struct S;", "S s; r = 1;", (4, 3), "'S' is an incomplete type: it is only declared", ""),
    ("enum class E { a, b };", "r = E::a + 1;", (4, 10), "'+' cannot be applied to a value of type 'E'",
     "write a cast"),
    ("enum class E { a, b };", "r = ~E::a;", (4, 5), "'~' cannot be applied to a value of type 'E'", "write a cast"),
    ("", "auto f = [](int a) { return x + a; }; r = f(1);", (4, 10), "the lambda uses 'x', which it does not capture",
     "write [x] or [&x]"),
    ("", "auto f = [&q](int a) { return a; }; r = f(1);", (4, 10), "unknown name 'q'", ""),
    ("", "auto f = [](int a) { if (a) return 1; return 2.5; }; r = f(1);", (4, 46),
     "this returns a 'double', and the return before it an 'int'", ""),
    ("", "auto a = 1, b = 2.5; r = a;", (4, 13), "'auto' is 'int' before and would be 'double' here", ""),
    ("struct A { virtual __device__ int f() { return 1; } }; struct B : A { __device__ int f() const override { "
     "return 2; } };", "B b; r = b.f();", (1, 86), "'f' overrides no virtual function of a base class", ""),
    ("struct A { virtual __device__ int f() final { return 1; } }; struct B : A { __device__ int f() { return 2; } "
     "};", "B b; r = b.f();", (1, 92), "'f' overrides a final function", ""),
    ("struct A final { int a; }; struct B : A {};", "B b; r = b.a;", (1, 39),
     "'A' is final and cannot be a base class", ""),
    ("", "const int *p = &x; int *q = static_cast<int *>(p); r = *q;", (4, 29), "static_cast cannot drop 'const'",
     "use const_cast"),
    ("", "const int *p = &x; int *q = reinterpret_cast<int *>(p); r = *q;", (4, 29),
     "reinterpret_cast cannot drop 'const'", "use const_cast"),
    ("", "const int *p = &x; float *q = const_cast<float *>(p); r = *q;", (4, 31),
     "const_cast changes 'const' alone, not 'const int*' into 'float*'", "use reinterpret_cast"),
    ("", "float *q = static_cast<float *>(&x); r = *q;", (4, 12), "static_cast does not convert 'int*' to 'float*'",
     "use reinterpret_cast"),
    ("", "const int k; r = k;", (4, 11), "the constant 'k' needs a value", ""),
    ("__device__ int f(int a, int a) { return a; }", "r = f(1, 2);", (1, 29), "two parameters have the name 'a'", ""),
    ("__device__ int f(int a = 1, int b) { return a; }", "r = f(1, 2);", (1, 33),
     "a parameter behind one with a default value needs one, too", ""),
    ("template <typename T, typename T> __device__ T f(T a) { return a; }", "r = f(1);", (1, 32),
     "two template parameters have the name 'T'", ""),
    ("struct I { int a, b; };", "I i{.b = 1, .a = 2}; r = i.a;", (4, 18),
     "'a' is a member before the one that is named before it", ""),
    ("__global__ int other() { return 1; }", "r = 1;", (1, 16), "a kernel must return void", ""),
    ("", "switch (x) { default: break; case 1: break; default: r = 1; }", (4, 45),
     "a switch has one 'default' at most", ""),
    ("struct S { int &a; };", "S s; r = 1;", (4, 3),
     "a 'S' cannot be made of nothing: its constructor without parameters is deleted, or a part of it needs a value",
     ""),
    ("struct S { int a; S() = delete; };", "S s; r = 1;", (4, 3),
     "a 'S' cannot be made of nothing: its constructor without parameters is deleted, or a part of it needs a value",
     ""),
    ("template <int N> struct A { int v[N]; };", "A<2.5f> a; r = a.v[0];", (4, 1),
     "template parameter 'N' is an 'int', not a 'float'", ""),
    ("struct A { virtual __device__ int f() { return 1; } }; struct B : A { __device__ float f() { return 2; } };",
     "B b; r = b.f();", (1, 88), "'f' returns 'float', but overrides a function that returns 'int'", ""),
    ("enum E { a, b, a };", "r = a;", (1, 16), "'a' is already declared in this enum", ""),
    ("", "r = out == &y;", (4, 9), "'==' cannot compare an 'int*' with a 'float*'", "write a cast"),
    ("", "r = reinterpret_cast<int>(y);", (4, 5), "reinterpret_cast does not convert a 'float' to 'int'",
     "use static_cast"),
    ("", "const int c = x; auto f = [](int a) { return a + c; }; r = f(1);", (4, 27),
     "the lambda uses 'c', which it does not capture", "write [c] or [&c]"),
    ("", "int a[] = {}; r = sizeof(a);", (4, 11), "an empty list gives this array no length", ""),
    ("struct A { int a; };", "const A a; r = a.a;", (4, 9), "the constant 'a' needs a value", ""),
    ("struct B { int b = 1, c; }; struct A { B b; };", "const A a; r = a.b.b;", (4, 9),
     "the constant 'a' needs a value", ""),
    ("struct A { int a; };", "const A a[2]; r = a[0].a;", (4, 9), "the constant 'a' needs a value", ""),
    ("struct A { virtual __device__ int f() = 0; };", "A a[2]; r = 1;", (4, 3),
     "'A' is abstract: nothing is in place of its pure virtual function 'f'", ""),
    ("struct A { virtual __device__ int f() = 0; };", "A *a = new A; r = 1;", (4, 8),
     "'A' is abstract: nothing is in place of its pure virtual function 'f'", ""),
    ("struct A { virtual __device__ int f() = 0; };", "__shared__ A a; r = 1;", (4, 14),
     "'A' is abstract: nothing is in place of its pure virtual function 'f'", ""),
    ("__constant__ __shared__ int s;", "r = s;", (1, 29), "'s' can be in shared or in constant memory, not in both",
     ""),
]  # fmt: skip

# What compilers warn of at most, and what looks like one of the mistakes above.
TAKEN = [
    ("__device__ int f(int a) { if (a > 9) return 3; }", "f(x); r = 1;"),
    ("__device__ int f(int a) { }", "f(x); r = 1;"),
    ("__device__ int f(int a) { return; }", "f(x); r = 1;"),
    ("enum class E { one, two }; using E::two;", "switch (E(x)) { case two: r = 2; } r += static_cast<bool>(two);"),
    ("namespace a { namespace b { __device__ int f() { return 4; } } } namespace c = a::b; using c::f;", "r = f();"),
    ("#include <cuda/std/limits>\nnamespace limits = cuda::std; using namespace limits; using namespace std;",
     "r = 4;"),
    ("", "const auto n = 3; int a[n] = {1, 2, 3}; auto m{4}; r = a[2] + m;"),
    ("", "auto f = [=, z = x, &r]() mutable { z++; r = z; }; f();"),
    ("", "unsigned u = 3; r = max(u, x) + min(2.5, y) + max('a', 1) + min(true, 2);"),
    ("", "int f(); r = sizeof(x ? nullptr : out);"),
    ("struct A { int a = 3; }; struct B : private A { __device__ int f() { A *p = this; A &q = *this; "
     "return p->a + q.a; } };", "B b; r = b.f();"),
    ("class P { int v; __device__ P(int a) : v(a) {} public: static __device__ P of(int a) { return P(a); } "
     "__device__ int get(const P &other) const { auto f = [&] { return v + other.v; }; return f(); } };",
     "P p = P::of(3); auto q = P::of(4); r = p.get(q);"),
    ("struct A { protected: int v = 3; typedef int T; }; class B : public A { public: using A::v; T w = 1; };",
     "B b; r = b.v + b.w;"),
    ("struct A { int v; explicit __device__ operator bool() const { return v; } };",
     "A a{2}; if (a && !(a ? false : true)) r = 1;"),
    ("template <class T> struct A { T v = 3; }; template <class T> struct B : A<T> { using A<T>::v; "
     "__device__ T get() { return v + this->v; } };", "B<int> b; r = b.get();"),
]  # fmt: skip


@pytest.mark.parametrize(("declarations", "body", "place", "message", "hint"), CASES)
def test_a_mistake_is_told(
    declarations: str, body: str, place: tuple[int, int], message: str, hint: str
) -> None:  # fmt: skip
    with pytest.raises(CompileError) as caught:
        wv.compile(small_kernel(declarations, body), kernel="k")
    found = caught.value.diagnostics[0]
    assert found.span is not None
    assert (found.span.line, found.span.column, found.message, found.hint) == (*place, message, hint)


@pytest.mark.exhaustive
@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
@pytest.mark.parametrize(("declarations", "body"), [case[:2] for case in CASES])
def test_nvrtc_refuses_it_too(declarations: str, body: str) -> None:
    with pytest.raises(CompileError):
        wv.compile(small_kernel(declarations, body), kernel="k", compiler="nvrtc", device="h200")


def _result(declarations: str, body: str, compiler: str) -> int:
    program = wv.compile(small_kernel(declarations, body), kernel="k", compiler=compiler, device="h200")
    return int(wv.simulate(program, 1, 1, [np.zeros(1, np.int32), 1, 1.5], device="h200").buffers["out"][0])


@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
@pytest.mark.parametrize(("declarations", "body"), TAKEN)
def test_what_is_no_mistake_computes_what_machine_code_does(declarations: str, body: str) -> None:
    assert _result(declarations, body, "warpview") == _result(declarations, body, "nvrtc")


def test_a_function_without_its_value_is_warned_of_once() -> None:
    body = "f(x); r = f(y) ? 1 : 1;"
    program = wv.compile(small_kernel("__device__ int f(int a) { }", body), kernel="k")
    (warning,) = program.warnings
    assert warning.message == "'f' returns no value, but should return 'int'"
    assert warning.span is not None
    assert (warning.span.line, warning.span.column) == (1, 27)


def test_names_of_files_that_were_not_found_may_be_anything() -> None:
    text = small_kernel('#include "lost.h"\nusing namespace lost; using other::thing;', "r = 1;")
    assert wv.compile(text, kernel="k").instructions


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
