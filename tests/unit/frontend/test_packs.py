"""Parameter packs, folds, templates as template parameters and templates of constants; expected values are worked out
by hand and agree with NVRTC 13.0."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.kernels import compute

import warpview as wv
from warpview.diagnostics import CompileError

I = np.arange(32)  # noqa: E741

DECLARATIONS = """
#include <type_traits>
template <typename T> __device__ T sum(T a) { return a; }
template <typename T, typename... R> __device__ T sum(T a, R... rest) { return a + sum(rest...); }
template <typename... T> __device__ int count(T...) { return sizeof...(T); }
template <typename... T> __device__ int total(T... v) { return (v + ... + 0); }
template <typename... T> __device__ int from_left(T... v) { return (100 - ... - v); }
template <typename... T> __device__ int right(T... v) { return (v - ...); }
template <typename... T> __device__ int left(T... v) { return (... - v); }
template <typename... T> __device__ bool positive(T... v) { return (... && (v > 0)); }
template <typename... T> __device__ void store(int *p, T... v) { int k = 0; ((p[k++] = v), ...); }
template <int... N> __device__ int product() { return (N * ... * 1); }
template <class F, class... A> __device__ auto call(F f, A &&...a) { return f(std::forward<A>(a)...); }
template <int... N> struct Sum;
template <> struct Sum<> { static constexpr int value = 0; };
template <int H, int... N> struct Sum<H, N...> { static constexpr int value = H + Sum<N...>::value; };
template <typename... T> struct Bytes { static constexpr int value = (sizeof(T) + ... + 0); };
template <typename T, typename... R> struct First { using type = T; static constexpr int rest = sizeof...(R); };
template <typename... T> using Head = typename First<T...>::type;
template <typename T> struct Box { T v; __device__ Box(T x) : v(x) {} };
template <template <typename> class W, typename T> __device__ T unwrap(T x) { return W<T>(x).v + 1; }
template <typename T, int n> struct alignas(sizeof(T) * n) Vec { T e[n]; };
template <int n, typename... V> __device__ int dot(const Vec<V, n> &...v) {
    int r = 0;
    for (int k = 0; k < n; k++) r += (v.e[k] * ...);
    return r;
}
template <typename... A> __device__ int listed(A... a) {
    int x[] = {a..., 7}, r = 0;
    for (int v : x) r = r * 10 + v;
    return r;
}
template <typename H, typename... R> __device__ int last(H h, R... r) {
    if constexpr (sizeof...(r) > 0) return 100 + last(r...); else return h;
}
struct Add { __device__ int operator()(int a, int b) const { return a + b; } };
template <typename T> constexpr T pi = T(3.14159265358979);
template <> constexpr int pi<int> = 4;
template <typename T> __device__ std::enable_if_t<std::is_integral_v<T>, T> half_of(T x) { return x >> 1; }
template <typename T> __device__ std::enable_if_t<!std::is_integral_v<T>, T> half_of(T x) { return x * T(0.5); }
constexpr int kind(int) { return 1; }
constexpr int kind(double) { return 2; }
constexpr int both() { auto f = [](auto x) { return kind(x); }; return f(1) * 10 + f(2.0); }
template <int n> struct Fixed { static constexpr int value = n; };
template <int... N> struct Digits {};
template <int... N> __device__ int number(Digits<N...>) { int r = 0; ((r = r * 10 + N), ...); return r; }
template <int... N, typename... A> __device__ int weighted(Digits<N...>, A... a) { return ((a * N) + ...); }
template <typename... T> struct Tuple {};
struct Pair : Tuple<double, char> {};
template <typename... T> __device__ int bytes(const Tuple<T...> &, int by) { return (sizeof(T) + ... + 0) * by; }
template <typename H, typename... T> __device__ int behind(Tuple<H, T...>) { return sizeof...(T); }
"""

CASES: dict[str, Any] = {
    "out[i] = sum(i, 2, 3);": I + 5,
    "out[i] = sum(1.5f, i, 2) * 2;": 7 + 2 * I,
    "out[i] = count(i, 2.0, 'c') + 10 * count();": 3,
    "out[i] = total(i, 2, 3u) + total();": I + 5,
    "out[i] = from_left(i, 2, 3);": 95 - I,
    "out[i] = right(i, 2, 3);": I + 1,
    "out[i] = left(i, 2, 3);": I - 5,
    "out[i] = positive(i, 1) + 2 * positive(i, -1) + 4 * positive();": 4 + (I > 0),
    "int p[3]; store(p, i, i * i, 3.9f); out[i] = p[0] + p[1] * 100 + p[2] * 100000;": I + 100 * I * I + 300000,
    "out[i] = product<2, 3, 4>() + product<>();": 25,
    "out[i] = call(Add(), i, 4) + call([&](int a) { return a * i; }, 5);": 6 * I + 4,
    "out[i] = Sum<1, 2, 3, 4>::value + Sum<>::value;": 10,
    "out[i] = Bytes<int, double, char>::value + Bytes<>::value;": 13,
    "out[i] = First<short, int, int>::rest * 10 + sizeof(Head<char, double>);": 21,
    "out[i] = unwrap<Box, int>(i) + (int)unwrap<Box>(2.5f);": I + 4,
    "Vec<int, 4> a = {1, 2, 3, i}, b = {5, 6, 7, 8}; out[i] = dot(a, b) * 100 + dot(a) + alignof(Vec<int, 4>);": (
        (38 + 8 * I) * 100 + 6 + I + 16
    ),
    "out[i] = listed(1, i, 3);": 1037 + 100 * I,
    "out[i] = last(1, 2, i);": 200 + I,
    "auto f = [](auto... v) { return (v + ...); }; out[i] = f(1, 2, i) + f(5);": I + 8,
    "auto f = [](auto &&g, auto... v) { return g(v...); }; auto p = [](int a, int b) { return a * b; };"
    " out[i] = f(p, i, 3);": 3 * I,
    "out[i] = pi<float> * 100 + pi<int> + pi<double> * 1000;": 3459,
    "out[i] = half_of(i) + 10 * half_of(5.0f);": I // 2 + 25,
    "out[i] = Fixed<both()>::value;": 12,
    "out[i] = number(Digits<4, 1, 7>{}) + number(Digits<>());": 417,
    "out[i] = weighted(Digits<3, 5>{}, i, 2);": 3 * I + 10,
    "Pair p; out[i] = bytes(p, i) + bytes(Tuple<>{}, 5) + 1000 * behind(Tuple<int, int, int>());": 9 * I + 2000,
    "struct A { char c; alignas(16) int v[3]; char d; }; union U { char c; alignas(32) int v; };"
    " A a{1, {2, 3, i}, 4}; out[i] = sizeof(A) + 100 * alignof(A) + 1000 * sizeof(U) + a.v[2] * 100000;": (
        33632 + I * 100000
    ),
    "typename std::aligned_storage<16, 16>::type s; out[i] = sizeof(s) + alignof(decltype(s));": 32,
    "out[i] = std::is_same_v<std::remove_reference_t<int &&>, int> + 2 * std::is_const_v<const int>"
    " + 4 * std::is_same_v<std::decay_t<const float &>, float> + 8 * std::is_reference_v<int>"
    " + 16 * std::is_signed_v<float> + 32 * std::is_unsigned_v<int> + 64 * std::is_void_v<void>;": 87,
}  # fmt: skip


@pytest.mark.parametrize("code", CASES)
def test_values_are_those_of_cpp(code: str) -> None:
    found = compute(code, DECLARATIONS)
    np.testing.assert_array_equal(found, np.zeros(32, np.int32) + CASES[code])


REFERENCES = """
#include <utility>
struct Counted { float of; __device__ Counted(int a, float &b) : of(a) { b += 1; } };
template <typename... A> __device__ void increase(A &&...v) { ((v += 1), ...); }
template <typename... A> __device__ void doubled(A &...v) { ((v *= 2), ...); }
template <typename F, typename... A> __device__ void call(F f, A &&...v) { f(static_cast<A &&>(v)...); }
template <typename T, typename... A> __device__ T made(A &&...v) { return T(v...); }
template <typename F, typename... A> __device__ auto applied(F &&f, A &&...v) { return f(std::forward<A>(v)...); }
__global__ void k(float *out) { float a = 3, b = 5; const int n = 4; BODY; out[0] = a; out[1] = b; out[2] = n; }
"""


@pytest.mark.parametrize(
    ("body", "a", "b"),
    [
        ("increase(a, b)", 4, 6),
        ("doubled(b, a)", 6, 10),
        ("call([](float &x, float y) { x += y; }, a, b)", 8, 5),
        ("b = made<Counted>(n, a).of", 4, 4),
        ("b = applied([&](float &x) { x += n; return x * 2; }, a)", 7, 14),
        ("increase(a, b, a)", 5, 6),
    ],
)
def test_packs_of_references_change_what_they_are_given(body: str, a: float, b: float) -> None:
    run = wv.simulate(wv.compile(REFERENCES.replace("BODY", body)), 1, 1, [np.zeros(3, np.float32)])
    assert run.buffers["out"].tolist() == [a, b, 4]


ALIASES = """
#include <tuple>
#include <utility>
template <class T, int N> struct Vec { T v[N]; };
template <class T> using Vec3 = Vec<T, 3>;
template <class A, class B> using Swapped = std::pair<B, A>;
template <class T> __device__ T first(const Vec3<T> &x) { return x.v[0] + sizeof(T); }
template <class A, class B> __device__ int sizes(Swapped<A, B> p) { return sizeof(A) * 10 + sizeof(B); }
template <size_t... K> __device__ int weighted(std::index_sequence<K...>, const int *p) {
    return (0 + ... + (K * p[K]));
}
template <typename... T> struct Types;
template <typename T> struct Count;
template <typename A, typename... T> struct Count<std::tuple<A, T...>> {
    static constexpr int value = 1 + sizeof...(T);
};
template <> struct Count<std::tuple<>> { static constexpr int value = 0; };
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("Vec3<int> x = {{i, 2, 3}}; out[i] = first(x);", I + 4),
        ("out[i] = sizes(std::pair<double, char>(1.0, 'a'));", 18),
        ("int p[4] = {9, i, 2, 3}; out[i] = weighted(std::make_index_sequence<4>(), p);", I + 13),
        ("int p[2] = {9, i}; out[i] = weighted(std::index_sequence_for<float, int>{}, p);", I),
        ("out[i] = Count<std::tuple<int, char, float>>::value * 10 + Count<std::tuple<>>::value;", 30),
        ("auto [a, b, c] = std::make_tuple(i, 2.5f, (char)4); out[i] = a * 10 + b * c;", 10 * I + 10),
        ("int a; float b; std::tie(a, b) = std::make_tuple(i, 3.f); out[i] = a + b;", I + 3),
        ("auto t = std::make_tuple(i, 7); std::get<1>(t) += i; out[i] = std::get<1>(t) * 100 + std::get<0>(t);",
         101 * I + 700),
        ("out[i] = std::apply([](int a, int b, int c) { return a + b * c; }, std::make_tuple(i, 3, 4));", I + 12),
        ("auto t = std::make_tuple(i, 1), u = std::make_tuple(4, 1); out[i] = (t < u) + 10 * (u == t);",
         (I < 4) + 10 * (I == 4)),
    ],
)  # fmt: skip
def test_packs_and_arguments_follow_through_aliases_and_tuples(body: str, expected: object) -> None:
    assert (compute(body, ALIASES) == np.broadcast_to(np.asarray(expected), 32)).all()


def test_a_kernel_with_a_pack_takes_as_many_arrays_as_it_is_told() -> None:
    source = (
        "template <typename... P> __global__ void spread(int n, P *...p) {\n"
        "    int i = threadIdx.x;\n    if (i < n) ((p[i] = i + sizeof(P)), ...);\n}"
    )
    program = wv.compile(source, kernel="spread<int, double>")
    run = wv.simulate(program, 1, 32, [8, np.zeros(8, np.int32), np.zeros(8)])
    np.testing.assert_array_equal(run.buffers["p#0"], np.arange(8) + 4)
    np.testing.assert_array_equal(run.buffers["p#1"], np.arange(8) + 8.0)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("template <typename... T> __device__ int f(T... v) { return sum(v); }", "'v' is a parameter pack: '...' is"),
        ("template <typename... T> __device__ int f(T... v) { return (v + ...); }", "the parameter pack is empty"),
        ("template <int n, typename... T> __device__ int f(int, int, T...) { return n; }", "it takes at least 2"),
        ("__device__ int f() { int v = 1; return (v + ...); }", "and none is named here"),
        ("__device__ int f() { return sizeof...(f); }", "and none is named here"),
        ("__device__ int f() { int v = 1; return sum(v...); }", "and none is named here"),
        ("__device__ int f() { int v = 1; int a[] = {v...}; return a[0]; }", "and none is named here"),
        ("__device__ int f() { return sum<int...>(1); }", "and none is named here"),
        ("template <class... B> struct M : B... {}; __device__ int f() { M<int> m; return 0; }",
         "'int' cannot be a base class here"),
        ("template <class T> __device__ T v; __device__ int f() { return v<int>; }", "templates of variables"),
        ("template <template <class> class W> struct S {}; __device__ int f() { S<int> s; return 0; }",
         "'W' is a template, but a type is given"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(code: str, words: str) -> None:
    text = (
        f"template <class T> __device__ T sum(T x) {{ return x; }}\n{code}\n__global__ void k(int *p) {{ *p = f(); }}"
    )
    with pytest.raises(CompileError, match=words.replace("(", r"\(").replace(".", r"\.")):
        wv.compile(text)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("out[i] = takes<int>(0) * 10 + takes<Plain>(0);", 10),
        ("out[i] = count(i, 2.5f, &i) * 10 + count(i);", 32),
        ("out[i] = std::max({i, 3, 7 - i}) * 100 + std::min({i, 12});", 100 * np.maximum(I, np.maximum(3, 7 - I))
         + np.minimum(I, 12)),
        ("out[i] = max({3, i}) * 100 + std::max({1, i, 2});", 100 * (30 + I) + np.maximum(2, I)),
        ("out[i] = std::is_class_v<Plain> * 10 + std::is_class_v<Plain[2]> + std::is_empty_v<Plain[2]>;", 10),
        ("out[i] = sizes<Of<1>, Of<2, 3>>(i);", 1 + 2 * I),
        ("out[i] = sizeof(Aligned<char, double, short>) * 100 + alignof(Aligned<char, double>);", 1608),
    ],
)  # fmt: skip
def test_variadic_functions_and_packs_in_new_places(body: str, expected: object) -> None:
    text = """
struct Plain {};
struct Pair { int a, b; };
__device__ int max(Pair p) { return p.a * 10 + p.b; }
template <class T, class = decltype(T(1) < T(2))> __device__ constexpr bool takes(int) { return true; }
template <class T> __device__ constexpr bool takes(...) { return false; }
__device__ int count(int, ...) { return 3; }
__device__ int count(int) { return 2; }
template <int... K> struct Of { template <class T> static __device__ T times(T x) { return x * (sizeof...(K) - 1); } };
template <class... T> __device__ int sizes(int i) { return 1 + 2 * (T::times(i) + ...); }
template <class... T> struct Aligned { alignas(T...) char c[9]; };
"""
    assert (compute(body, text) == np.broadcast_to(np.asarray(expected), 32)).all()
