"""Structs are copied, moved, converted and captured as C++ has it; expected values are worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from support.kernels import compute, program_of

from warpview.diagnostics import CompileError

I = np.arange(32)  # noqa: E741

COPIED = """
struct Copied {
    int n;
    __device__ Copied(int k) : n(k) {}
    __device__ Copied(const Copied &other) : n(other.n + 1) {}
};
struct Moved {
    int n;
    __device__ Moved(int k) : n(k) {}
    __device__ Moved(Moved &&other) : n(other.n) { other.n = -1; }
    __device__ Moved(const Moved &other) : n(other.n + 100) {}
    __device__ Moved &operator=(Moved &&other) { n = other.n; other.n = -2; return *this; }
    __device__ Moved &operator=(const Moved &other) { n = other.n + 1000; return *this; }
};
struct Pair { int a; float b; };
__device__ int taken(Copied c) { c.n += 10; return c.n; }
__device__ int seen(const Copied &c) { return c.n; }
__device__ Copied through(Copied c) { return c; }
__device__ Copied fresh(int k) { Copied c(k); c.n *= 2; return c; }
struct Holder { Copied inner; __device__ Holder(const Copied &c) : inner(c) {} };
__device__ int lvalue_or_not(int &) { return 1; }
__device__ int lvalue_or_not(int &&) { return 2; }
template <typename F> __device__ int forwarded(F &&f) { return f(3); }
struct Derived : Copied { int w; __device__ Derived(int k) : Copied(k), w(k) {} };
struct ByValue { int n; __device__ ByValue(Copied c) : n(c.n * 3) {} };
struct ByReference { int n; __device__ ByReference(const Copied &c) : n(c.n * 3) {} };
struct Outer { Copied inner; int k; };
template <typename T> struct Converted {
    T n;
    __device__ Converted(T k) : n(k) {}
    template <typename U> __device__ Converted(const Converted<U> &other) : n(other.n + 100) {}
};
__device__ Copied by_reference(Copied &c) { Copied &d = c; return d; }
__device__ Copied one_of_two(bool first) { Copied b(5), c(6); if (first) return b; return c; }
__device__ Copied same_twice(int k) { Copied b(k); if (k > 3) return b; b.n += 7; return b; }
__device__ Moved passed_on(Moved m) { return m; }
__device__ Moved either(int k) { Moved a(k), b(k + 1); if (k & 1) return a; return b; }
__device__ int held(Outer o) { return o.inner.n; }
__device__ int aliased(Pair &p, Pair &q) { auto f = [=] { return q.a; }; p.a = 9; return f(); }
__device__ int of_array(int (&w)[4]) { auto f = [=] { return w[1]; }; w[1] = 77; return f(); }
__device__ int made(ByValue v) { return v.n; }
__device__ int made_too(ByReference r) { return r.n; }
template <typename F> __device__ int after_change(F f, int &x) { x = 9; return f(); }
template <typename F> __device__ int called(F f) { return f(); }
struct Assigned { int n, v; __device__ Assigned &operator=(const Assigned &o) { n = o.n + 5; return *this; } };
struct Part : Assigned { int w; Assigned m; };
struct Counting {
    int n;
    constexpr __device__ Counting(int k) : n(k) {}
    constexpr __device__ Counting(const Counting &other) : n(other.n + 5) {}
    constexpr __device__ Counting &operator=(const Counting &other) { n = other.n + 9; return *this; }
};
constexpr __device__ int counted(int k) { Counting a(k); Counting b = a; Counting c(0); c = b; return c.n; }
"""

COPIES = {
    "Copied a(i); Copied b = a; Copied c(b); Copied d{c}; auto e = d; out[i] = e.n;": I + 4,
    "Copied a(i); out[i] = taken(a) + a.n * 100;": I + 11 + I * 100,
    "Copied a(i); out[i] = seen(a);": I,
    "out[i] = seen(Copied(i)) + taken(Copied(i)) * 100;": I + (I + 10) * 100,
    "Copied a(i); out[i] = through(a).n;": I + 2,
    "out[i] = fresh(i).n;": 2 * I,
    "Copied a(i); Holder h(a); out[i] = h.inner.n;": I + 1,
    "Copied a(i); Copied both[2] = {a, Copied(7)}; out[i] = both[0].n + both[1].n * 100;": I + 1 + 700,
    "Copied a(i), b(5); a = b; out[i] = a.n;": 5,
    "Moved a(i); Moved b = static_cast<Moved &&>(a); out[i] = b.n + a.n * 100;": I - 100,
    "Moved a(i); Moved b = std::move(a); Moved c = b; out[i] = c.n + a.n * 1000;": I + 100 - 1000,
    "Moved a(i), b(1), c(2); b = a; c = std::move(a); out[i] = b.n + c.n * 10000 + a.n;": I + 1000 + I * 10000 - 2,
    "int k = i; out[i] = lvalue_or_not(k) * 10 + lvalue_or_not(k + 1) + lvalue_or_not(std::move(k)) * 100;": 212,
    "auto f = [=](int x) { return x * i; }; out[i] = forwarded(f) + forwarded([](int x) { return x; });": 3 * I + 3,
    "Copied a(i); out[i] = by_reference(a).n + one_of_two(true).n * 100 + one_of_two(false).n * 10000;": I + 70601,
    "Derived d(i); Copied c = d; out[i] = c.n + taken(d) * 100;": I + 1 + (I + 11) * 100,
    "Copied c = Derived(i); Derived d(i); Derived e = d; out[i] = c.n + e.n * 100 + e.w * 10000;": (I + 1) * 101
    + I * 10000,
    "Converted<int> a(i); Converted<int> b = a; Converted<int> c(Converted<float>(3.f)); out[i] = b.n + c.n;": I + 103,
    "out[i] = same_twice(i).n;": np.where(I > 3, I, I + 7),
    "Moved m(i); out[i] = passed_on(m).n + passed_on(Moved(i)).n * 1000 + either(i).n * 100000;": (
        I + 100 + I * 1000 + (I + 1 - I % 2) * 100000
    ),
    "Copied c(i); ByValue v(c); ByReference r(c); out[i] = v.n + r.n * 1000;": (I + 1) * 3 + I * 3000,
    "Copied c(i); out[i] = made(c) + made_too(c) * 1000;": (I + 1) * 3 + I * 3000,
    "Outer o{Copied(i), 2}; out[i] = held(o);": I + 1,
    "Copied a(i), c(7); Copied b = i > 3 ? a : c; Copied d = i > 3 ? a : Copied(4); out[i] = b.n + d.n * 100;": (
        np.where(I > 3, (I + 1) * 101, 408)
    ),
    "Part a, b; a.n = i; a.v = 2; a.w = 3; a.m.n = 4; b = a; out[i] = b.n + b.w * 100 + b.m.n * 1000;": I + 9305,
    "out[i] = counted(3) + counted(i) * 100;": 17 + (I + 14) * 100,
}

CAPTURES = {
    "Pair p{i, 2}; auto f = [=] { return p.a + p.b; }; p.a = 9; out[i] = f();": I + 2,
    "int d[2] = {i, 2}; auto f = [d](int k) { return d[k]; }; d[0] = 9; out[i] = f(0) + f(1);": I + 2,
    "Pair p{i, 2}; auto f = [&] { return p.a + p.b; }; p.a = 9; out[i] = f();": 11,
    "int k = i; auto f = [k]() mutable { return k++; }; int a = f(); a += f() * 100; out[i] = a + k;": 102 * I + 100,
    "Pair p{i, 2}; auto f = [p]() mutable { return p.a++; }; f(); out[i] = f() * 10 + p.a;": 11 * I + 10,
    "Pair p{i, 2}; Pair &q = p; auto f = [=] { return q.a; }; p.a = 9; out[i] = f();": I,
    "Pair p{i, 2}; int w[4] = {1, i, 3, 4}; out[i] = aliased(p, p) + of_array(w) * 100;": 101 * I,
    "int d[2] = {i, 2}; int *p = d; auto f = [d] { return d[0]; }; p[0] = 9; out[i] = f();": I,
    "int k = i; out[i] = after_change([=] { return k; }, k) + k;": I + 9,
    "Copied a(i); auto f = [a] { return a.n; }; auto g = [b = a] { return b; }; out[i] = f() + g().n * 100;": (
        I + 1 + (I + 2) * 100
    ),
    "int k = i; auto f = [k]() mutable { return k++; }; auto g = f; f(); out[i] = g() + called(f) * 10 + f() * 100;": (
        I + (I + 1) * 110
    ),
    # A lambda that is made from another copies what that holds; one that is only passed on does not.
    "Copied a(i); auto f = [=] { return a.n; }; auto g = f; out[i] = f() + g() * 100 + called(f) * 10000;": (
        (I + 1) + (I + 2) * 10100
    ),
    "Copied a(i); auto f = [=]() mutable { return a.n; }; auto g = f; out[i] = g();": I + 2,
    "Copied a(i); out[i] = called([a] { return a.n; }) + forwarded([a](int) { return a.n; }) * 100;": (I + 1) * 101,
    "Copied a(i); auto f = [a] { return a.n; }; auto g = [f] { return f(); }; auto h = [=] { return g(); }; "
    "out[i] = g() + h() * 100;": (I + 2) + (I + 3) * 100,
    "Copied a(i); auto f = [a] { return a.n; }; "
    "out[i] = called([&] { return f(); }) + called([g = f] { return g(); });": 2 * I + 3,
    "Copied a(i); auto f = [a] { return a.n; }; auto m = [&] { return f; }; out[i] = m()();": I + 2,
    "Copied a(i); auto m = [&] { auto f = [a] { return a.n; }; return f; }; auto g = m(); out[i] = g();": I + 1,
    "Outer o{Copied(i), 2}; auto f = [o] { return o.inner.n; }; auto g = f; out[i] = g();": I + 2,
    "Copied a[2] = {Copied(i), Copied(30)}; auto f = [a] { return a[0].n; }; auto g = f; out[i] = f() + g() * 100;": (
        (I + 1) + (I + 2) * 100
    ),
    "Copied a(i); auto f = [a] { return a; }; out[i] = f().n;": I + 2,
    "Moved a(i); auto m = [](auto f) { return f; }; auto g = m([a] { return a.n; }); out[i] = g();": I + 100,
}

CONVERTED = """
struct Number { float v; __device__ operator float() const { return v; } };
struct Flag { int n; __device__ explicit operator bool() const { return n > 5; } };
struct Fixed {
    int n;
    __device__ Fixed(int k) : n(k * 10) {}
    __device__ Fixed operator+(const Fixed &o) const { Fixed r(0); r.n = n + o.n; return r; }
};
struct Wide { int n; __device__ explicit Wide(int k) : n(k) {} };
__device__ Fixed counted(int &k) { return k++; }
__device__ int kind(float) { return 1; }
__device__ int kind(Fixed) { return 2; }
__device__ int width(Wide) { return 1; }
__device__ int width(float) { return 2; }
__device__ float half_of(float x) { return x / 2; }
"""

CONVERSIONS = {
    "Number a{2}; out[i] = a * 3 + a + half_of(a) + max(a + 1, 2.0f) + (a > 1.0f) + sqrtf(Number{16});": 17,
    "Flag f{i}; out[i] = f ? 1 : !f ? 2 : 3; if (f && i < 30) out[i] += 10;": np.where(I > 5, 1 + 10 * (I < 30), 2),
    "int k = i; Fixed f = counted(k); out[i] = f.n + k * 1000;": 10 * I + 1000 * (I + 1),
    "Fixed f(i); out[i] = (f + 3).n + kind(2) * 1000 + kind(f) * 10000 + kind(2.0f) * 100000;": 10 * I + 30 + 121000,
    "out[i] = width(3);": 2,
}

TEMPLATES = """
template <bool B> struct Policy;
template <> struct Policy<true> { __device__ static int f(int x) { return x; } };
template <> struct Policy<false> { __device__ static int f(int x) { return -2 * x; } };
template <typename T, typename U = int> struct Late;
template <typename T> struct Late<T, float> { static constexpr int v = 1; };
template <> struct Late<float> { static constexpr int v = 7; };
template <typename T, typename U> struct Late { static constexpr int v = sizeof(U) + 2; };
template <typename T> struct Kind { static constexpr int v = 1; };
template <typename T> struct Kind<T *> { static constexpr int v = 2; };
template <> struct Kind<const int> { static constexpr int v = 3; };
template <int N = 9> struct Sized { int n = N; int twice = 2 * n; static constexpr int k = 4; int last = k; };
struct Member { static constexpr int k = 4; int a = k; int b = a + 1; };
"""

TEMPLATE_CASES = {
    "out[i] = Policy<true>::f(i) + Policy<false>::f(i);": -I,
    "out[i] = Late<int>::v + Late<int, float>::v * 10 + Late<float>::v * 100 + Late<char, double>::v * 1000;": 10716,
    "out[i] = Kind<int>::v + Kind<float *>::v * 10 + Kind<const int>::v * 100;": 321,
    "Sized<> s{}; Sized<3> u; Member m; Member w{i}; out[i] = s.twice + u.n * 100 + u.last * 1000 + m.b + w.b;": (
        18 + 300 + 4000 + 5 + I + 1
    ),
}

OPERATORS = """
template <typename T> class Complex {
public:
    T re, im;
    __device__ constexpr Complex(T r = 0, T i = 0) : re(r), im(i) {}
    __device__ friend Complex operator+(const Complex &a, const Complex &b) { return {a.re + b.re, a.im + b.im}; }
    friend __device__ bool operator==(const Complex &a, const Complex &b) { return a.re == b.re && a.im == b.im; }
};
struct Counter {
    int v;
    __device__ Counter operator+(int k) const { return {v + k}; }
    __device__ friend Counter operator+(int k, Counter c) { return {c.v + k * 2}; }
    __device__ operator int() const { return v; }
};
struct Scaled { float a; __device__ int scale(float s) const { return a * s; } };
struct Child : Scaled { using Scaled::scale; __device__ int scale(int s) const { return -s; } };
struct Hiding : Scaled { __device__ int scale(int s) const { return -s; } };
struct Smaller { __device__ bool operator()(int a, int b) const { return a < b; } };
struct Sorted { Smaller less; __device__ int first(int a, int b) const { return less(a, b) ? a : b; } };
"""

OPERATOR_CASES = {
    "Complex<float> a(i, 1), b(2); Complex<int> c(i), d = c + 1; out[i] = (a + b).re * 100 + d.re + (a == a) * 9;": (
        (I + 2) * 100 + I + 1 + 9
    ),
    "Counter c{i}; out[i] = (1 + c).v + (c + 1).v * 100 + c * 10000;": I + 2 + (I + 1) * 100 + I * 10000,
    "Child c; c.a = i; Hiding h; h.a = i; out[i] = c.scale(2.0f) + c.scale(1) * 100 + h.scale(2.0f) * 10000;": (
        2 * I - 100 - 20000
    ),
    "Sorted s; out[i] = s.first(i, 7);": np.minimum(I, 7),
}

STATEMENTS = {
    "auto [x, y] = Pair{i, 2}; out[i] = x + y;": I + 2,
    "Pair p{i, 2}; auto &[x, y] = p; x += 5; const auto [u, v] = p; out[i] = p.a + u * 100 + v;": (I + 5) * 101 + 2,
    "int d[2] = {i, 7}; auto &[u, v] = d; u += 5; out[i] = d[0] * v;": (I + 5) * 7,
    "Pair ps[2] = {{1, 2}, {3, 4}}; int s = 0; for (auto &[g, h] : ps) { s += g * h; g = i; } out[i] = s + ps[1].a;": (
        14 + I
    ),
    "switch (int k = i % 3; k) { case 0: out[i] = 5; [[fallthrough]]; case 1: out[i] += k; break; "
    "default: out[i] = k; }": np.where(I % 3 == 0, 5, I % 3),
    "switch (int k = i & 1) { case 1: out[i] = k + 6; break; default: out[i] = 3; }": np.where(I & 1, 7, 3),
    "[[maybe_unused]] int k = 3; [[likely]] if (i > 3) out[i] = 1;": (I > 3) * 1,
    "union { float f; unsigned w; } x; x.f = 1; struct { int a, b; } y = {i, 2}, z = y; z.a = 50; "
    "out[i] = (x.w >> 23) + y.a;": 127 + I,
    'out[i] = __LINE__ - __LINE__ + (__FILE__[0] != 0) + i;': 1 + I,
}  # fmt: skip

FUNCTIONS = """
__device__ int next(int x) { return x + 1; }
__device__ int doubled(int x) { return x * 2; }
__device__ void raised(int &x) { x += 5; }
template <typename F> __device__ int twice(F f, int x) { return f(f(x)); }
template <int (*F)(int)> __device__ int thrice(int x) { return F(F(F(x))); }
template <typename F> __device__ void on(F f, int &x) { f(x); }
"""

FUNCTION_CASES = {
    "out[i] = twice(next, i) + twice(doubled, i) * 100 + twice(&next, 1) * 10000;": I + 2 + 400 * I + 30000,
    "out[i] = thrice<next>(i) + thrice<doubled>(i) * 100;": I + 3 + 800 * I,
    "int v = i; on(raised, v); on([](int &q) { q *= 2; }, v); auto f = doubled; out[i] = f(v);": 4 * (I + 5),
}

COPIED_BYTES = {
    "int a[4] = {1, 2, 3, i}, b[4]; memcpy(b, a, sizeof a); memset(a, 0, 8); memset(b, 0xff, 4); "
    "out[i] = b[3] * 100 + b[0] + a[1] + a[3];": 101 * I - 1,
    "float f = 1; unsigned u; memcpy(&u, &f, 4); out[i] = (u >> 23) + i;": 127 + I,
    "Pair p{i, 2}, q; memcpy(&q, &p, sizeof(Pair)); q.b += 1; out[i] = q.a + q.b + p.b * 100;": I + 203,
    "unsigned char raw[8]; long long l = i * 0x0102030405060708ll; memcpy(raw, &l, 8); out[i] = raw[3];": (
        I * 0x0102030405060708 >> 24 & 255
    ),
    "__shared__ int s[32]; s[i] = i; __syncthreads(); int k[2]; memcpy(k, s + (i & 30), 8); out[i] = k[0] * k[1];": (
        (I & 30) * ((I & 30) + 1)
    ),
    "unsigned char b[64], c[64]; for (int k = 0; k < 64; ++k) b[k] = k; memset(c, i, 64 - i); memcpy(c + 2, b + 1, i); "
    "out[i] = c[0] + 1000 * c[i + 1];": 1001 * I,
    "int k[6] = {0, 1, 2, 3, 4, 5}; memmove(k + 1, k, (i % 5) * 4); out[i] = k[1] + 10 * k[5];": (
        np.where(I % 5 == 0, 1, 0) + 50
    ),
    "struct Odd { char bytes[5]; } odd; memset(&odd, i, sizeof odd); out[i] = odd.bytes[4];": I,
}

CASES = [
    (declarations, body, expected)
    for declarations, cases in (
        (COPIED, COPIES), (COPIED, CAPTURES), (COPIED, STATEMENTS), (COPIED, COPIED_BYTES),
        (CONVERTED, CONVERSIONS), (TEMPLATES, TEMPLATE_CASES), (OPERATORS, OPERATOR_CASES), (FUNCTIONS, FUNCTION_CASES),
    )
    for body, expected in cases.items()
]  # fmt: skip


@pytest.mark.parametrize(("declarations", "body", "expected"), CASES, ids=[body for _, body, _ in CASES])
def test_objects_have_the_values_of_cpp(declarations: str, body: str, expected: object) -> None:
    np.testing.assert_array_equal(compute(body, declarations), np.broadcast_to(np.asarray(expected), 32))


REFUSED = {
    "struct Many { Copied inner[2]; };": (
        "Many m{{Copied(1), Copied(i)}}; Many n = m; out[i] = n.inner[0].n;",
        "copying a 'Many' is not supported: it has an array of 'Copied'",
    ),
    "struct Rows { Assigned rows[2][2]; };": (
        "Rows a, b; b = a; out[i] = b.rows[0][1].n;",
        "assigning a 'Rows' is not supported: it has an array of 'Assigned'",
    ),
    "struct One { int n; __device__ One(int k) : n(k) {} };": (
        "One a(1, 2); out[i] = a.n;", "no function 'One' takes (int, int)"
    ),
    "template <int N> struct Nowhere; template <> struct Nowhere<1> {};": (
        "Nowhere<2> x; out[i] = 1;", "'Nowhere' is declared but never defined for these template arguments"
    ),
    "__device__ int f(int x) { return x; } __device__ float g(int x) { return -x; }": (
        "out[i] = (i & 1 ? f : g)(i);", "choosing one of two functions or lambdas when the kernel runs is not supported"
    ),
    "__device__ int o(int x) { return x; } __device__ float o(float x) { return x; }": (
        "auto f = o; out[i] = f(i);", "'o' as a value is not supported: only a single function"
    ),
    "struct Two { int a, b; };": ("auto [x] = Two{1, 2}; out[i] = x;", "'Two' has 2 parts to bind names to, not 1"),
    "": ("auto [x, y] = i; out[i] = x;", "structured bindings of a value of type 'int' are not supported"),
}  # fmt: skip


@pytest.mark.parametrize("declarations", REFUSED)
def test_what_cannot_be_copied_or_bound_is_refused(declarations: str) -> None:
    body, message = REFUSED[declarations]
    text = f"{COPIED}{declarations}\n__global__ void k(int *out) {{ int i = threadIdx.x; {body} }}"
    with pytest.raises(CompileError) as caught:
        program_of(text)
    assert message in str(caught.value)


def test_the_counter_of_a_loop_over_an_array_is_no_variable_of_the_source() -> None:
    body = "__shared__ int s[64]; s[i] = i; int sum = 0; for (int x : s) { if (x > i) break; sum += x; } out[i] = sum;"
    program = program_of(f"__global__ void k(int *out) {{ int i = threadIdx.x; {body} }}")
    assert {variable.name for variable in program.variables} == {"i", "s", "sum", "x"}


DELETED = """
#include <type_traits>
struct Logged {
    int *out, n;
    __device__ Logged(int *out = nullptr, int n = 5) : out(out), n(n) {}
    __device__ ~Logged() { if (out) *out = *out * 10 + n; }
};
template <typename T> __device__ void destroyed(T *p) { p->~T(); }
"""
DELETIONS = {
    "Logged *p = new Logged(&out[i], 3); delete p;": 3,
    "Logged *p = new Logged[3]; for (int k = 0; k < 3; k++) { p[k].out = &out[i]; p[k].n = k + 1; } delete[] p;": 321,
    "Logged *p = nullptr; delete p; delete[] p; int *q = new int[4](); out[i] = q[3]; delete[] q;": 0,
    "Logged a(&out[i], 4); destroyed(&a); int k = 3; destroyed(&k);": 44,
    "out[i] = std::is_trivially_destructible<Logged>::value * 2 + std::is_trivially_destructible<int[2]>::value;": 1,
}


@pytest.mark.parametrize("body", DELETIONS)
def test_what_is_deleted_is_destroyed(body: str) -> None:
    assert (compute(body, DELETED) == DELETIONS[body]).all()


def test_code_may_go_through_a_null_pointer_where_it_is_never_reached() -> None:
    file = "struct Wide { float4 a; };"
    body = "Wide *p = nullptr; if (i > 40) { p[i].a = p[i + 1].a; out[0] = p->a.x; p->a.y = 3; } out[i] = i;"
    assert (compute(body, file) == I).all()


def test_a_lambda_is_taken_by_reference():
    text = """
    template <class F> __device__ int called_by_reference(int k, F &f) { return f(k); }
    template <class F> __device__ int called_by_reference(float k, F &f) { return f((int)k) + 1; }
    """
    values = compute("auto f = [=](int k) { return k * i; }; out[i] = called_by_reference(3, f);", text)
    np.testing.assert_array_equal(values, 3 * I)
