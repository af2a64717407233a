"""What nvcc refuses of classes, enums and overloads is refused here, at its place; what it takes of them compiles."""

from __future__ import annotations

import pytest
from support.kernels import compute, program_of

from warpview.diagnostics import CompileError

KERNEL = "__global__ void kernel(int *out, int n) {{ int i = threadIdx.x; {} }}"
COUNTER = "struct Counter { int v; mutable int asked; __device__ Counter(int v) : v(v), asked(0) {} "
TWO = (
    "struct F { int v; __device__ operator int() const { return v; } __device__ operator float() const { return v; } };"
)
PLUS = (
    "struct M { int v; __device__ operator int() const { return v; } "
    "__device__ int operator+(int o) const { return v + o; } };"
)
OVERLOADED = "__device__ int f(int a) { return a; } __device__ float f(float a) { return a; } "
REFUSED = [
    # declarations, body of a kernel, the text at which the caret stands, part of the message
    (COUNTER + "__device__ int next() const { return ++v; } };", "out[i] = Counter(1).next();", "++v", "this is const"),
    (
        COUNTER + "__device__ int next() { return ++v; } };", "const Counter c(1); out[i] = c.next();",
        "next();", "it may change its object, which is const",
    ),
    (
        "struct H { __device__ operator int() { return 7; } };", "const H h{}; out[i] = h + 1;", "+ 1",
        "'+' cannot be applied to a value of type 'const H'",
    ),
    (
        "struct H { int v; __device__ operator int &() { return v; } };", "const H h{}; h += 1;", "+=",
        "const",
    ),
    (TWO, "F f{n}; if (f) out[i] = 1;", "f) out", "several functions of 'F' convert it to 'bool' equally well"),
    (TWO, "F f{n}; long d = f; out[i] = d;", "d = f", "several functions of 'F' convert it to 'long' equally well"),
    (TWO, "F f{n}; out[i] = max(f, 2);", "max", "the call of 'max' is ambiguous: several functions take (F, int)"),
    (
        PLUS, "M m{n}; out[i] = m + 4L;", "+ 4L",
        "the call of 'operator+' is ambiguous: C++ has one for (long, M) as numbers",
    ),
    (PLUS, "M m{n}; out[i] = fmax(m, 2);", "fmax", "the call of 'fmax' is ambiguous: several functions take (M, int)"),
    ("", "bool b = nullptr; out[i] = b;", "b = nullptr", "'nullptr' does not convert to 'bool' implicitly"),
    (
        "template<class T> __device__ int f(T *) { return 1; }", "out[i] = f(nullptr);", "f(nullptr)",
        "no function 'f' takes (std::nullptr_t): template argument 'T' cannot be deduced",
    ),
    ("__device__ int f(bool b) { return b; }", "out[i] = f(nullptr);", "f(nullptr)",
     "no function 'f' takes (std::nullptr_t): a 'std::nullptr_t' does not convert to 'bool'"),
    (
        OVERLOADED + "template<class T> __device__ int call(T g) { return g(1); }", "out[i] = call(f);", "call(f)",
        "no function 'call' takes (f): template argument 'T' cannot be deduced",
    ),
    (
        OVERLOADED + "__device__ int call(short (*g)(short)) { return g(1); }", "out[i] = call(f);", "call(f)",
        "no function 'f' is of the type 'short (*)(short)'",
    ),
    (
        "", "int a = 1, b = 2; atomicAdd(&(n ? a : b), 4); out[i] = a + b;", "atomicAdd",
        "atomic functions work on global and shared memory only",
    ),
    (
        "__constant__ int u, v;", "*(int *)(n ? &u : &v) = 4;", "= 4", "__constant__ memory cannot be written",
    ),
    ("class P { int x; };", "P p; out[i] = p.x;", ".x", "'x' is private in 'P'"),
    ("class P { int f() { return 1; } };", "P p; out[i] = p.f();", ".f", "has no function|private|host"),
    (
        "class P { __device__ int f() { return 1; } };", "P p; out[i] = p.f();", ".f",
        "'f' is private in 'P'",
    ),
    (
        "struct B { protected: int x; }; struct D : B {};", "D d; out[i] = d.x;", ".x",
        "'x' is protected in 'B'",
    ),
    ("enum class C { A };", "int a = C::A;", "a = C", "a 'C' does not convert to 'int' implicitly"),
    ("enum E { A };", "E e = 1;", "e = 1", "an 'int' does not convert to 'E' implicitly"),
    ("template <int N> struct A { static_assert(N % 2 == 0, \"odd\"); };", "A<3> a;", "% 2", "assertion failed: odd"),
    (
        "struct S { __device__ virtual int f() = 0; }; struct T : S {};", "T t; out[i] = 1;", "t; out",
        "'T' is abstract: nothing is in place of its pure virtual function 'f'",
    ),
    (
        "struct U { int v; U(const U &) = delete; __device__ U(int v) : v(v) {} };"
        "__device__ int f(U u) { return u.v; }", "U u(3); out[i] = f(u);", "f(u);", "a 'U' cannot be copied",
    ),
    (
        "__device__ int f(int, float) { return 1; } __device__ int f(float, int) { return 2; }", "out[i] = f(1, 2);",
        "f(1", "the call of 'f' is ambiguous: several functions take (int, int)",
    ),
    ("", "if (n); out[i] = 1; else out[i] = 2;", "else", "this 'else' has no 'if'"),
]  # fmt: skip
TAKEN = [
    (
        COUNTER + "__device__ int get() const { ++asked; return v; } };",
        "const Counter c(4); out[i] = c.get() + c.asked;", 5,
    ),
    ("enum class C { A, B = 7 };", "C c = static_cast<C>(7); out[i] = (int)c + (c == C::B);", 8),
    ("enum E { A, B = 7 };", "E e = B; int a = e; out[i] = a + A;", 7),
    ("class P { int x = 6; friend __device__ int get(const P &p) { return p.x; } };", "P p; out[i] = get(p);", 6),
    (
        "class P { int x = 6; public: struct Q { __device__ int of(P p) { return p.x; } }; };",
        "P p; P::Q q; out[i] = q.of(p);", 6,
    ),
    (
        "class P { int x; public: static __device__ int of(P p) { p.x = 5; return p.x; } };",
        "P p; out[i] = P::of(p);", 5,
    ),
    (
        "struct S { __device__ virtual int f() = 0; }; struct T : S { __device__ int f() override { return 9; } };",
        "T t; S &s = t; out[i] = s.f();", 9,
    ),
    (
        "struct S { int k; __device__ S(int k) : k(k) {} __device__ virtual int f() = 0; };"
        "struct T : S { __device__ T(int k) : S(k + 1) {} __device__ int f() override { return k; } };",
        "T t(2); S &s = t; out[i] = s.f() + T(5).f();", 9,
    ),
    (
        "struct U { int v; U(const U &) = delete; __device__ U(U &&u) : v(u.v + 1) {} __device__ U(int v) : v(v) {} };"
        "__device__ int f(U u) { return u.v; } template <class T> __device__ T &&move(T &t) { return (T &&)t; }",
        "U u(3); out[i] = f(move(u)) * 10 + f(U(4));", 44,
    ),
    ("__device__ int f(int, float) { return 1; } __device__ int f(float, int) { return 2; }", "out[i] = f(1, .5f);", 1),
]  # fmt: skip


@pytest.mark.parametrize(("declarations", "body", "place", "message"), REFUSED)
def test_what_nvcc_refuses_is_refused_at_its_place(declarations: str, body: str, place: str, message: str) -> None:
    text = f"{declarations}\n{KERNEL.format(body)}"
    with pytest.raises(CompileError) as caught:
        program_of(text)
    (found,) = caught.value.diagnostics
    assert any(part in found.message for part in message.split("|")), found.message
    assert found.span is not None
    line = text.splitlines()[found.span.line - 1]
    assert line.rfind(place) in range(found.span.column - 2 - len(place), found.span.column + 1), line[
        found.span.column :
    ]


@pytest.mark.parametrize(("declarations", "body", "result"), TAKEN)
def test_what_nvcc_takes_is_compiled(declarations: str, body: str, result: int) -> None:
    assert (compute(body, declarations) == result).all()
