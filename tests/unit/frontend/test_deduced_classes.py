"""Classes whose arguments follow from their values, types named above their declarations, strings in memory."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import warpview as wv

I = np.arange(64)  # noqa: E741


def computed(declarations: str, body: str) -> NDArray[np.int32]:
    text = f"{declarations}\n__global__ void k(int *out) {{ int i = threadIdx.x; {body} }}"
    run = wv.simulate(wv.compile(text, kernel="k"), 1, 64, [np.zeros(64, np.int32)], device="h200")
    assert run.findings == ()
    return run.buffers["out"]


CLASSES = """
#include <utility>
template <class T> struct Pair {
    T a, b;
    __device__ Pair(T a, T b) : a(a), b(b) {}
    __device__ T sum() const { return a + b; }
};
template <class T, class U = int> struct Two { T a; U b; __device__ Two(const T &a, const U &b = 7) : a(a), b(b) {} };
template <class T> struct View {
    T *p; int n;
    __device__ View(T *p, int n) : p(p), n(n) {}
    __device__ T &operator[](int i) { return p[i]; }
};
template <class T, int N> struct Fixed {
    T v[N];
    __device__ Fixed(const T (&a)[N]) { for (int i = 0; i < N; i++) v[i] = a[i]; }
    __device__ T sum() const { T s = 0; for (int i = 0; i < N; i++) s += v[i]; return s; }
};
template <class F> struct AtExit { F f; __device__ AtExit(F f) : f(f) {} __device__ ~AtExit() { f(); } };
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("Pair p(1, i); out[i] = p.sum();", I + 1),
        ("Pair p{2.5f, 1.5f}; out[i] = p.sum() + sizeof(p);", I * 0 + 12),
        ("auto p = Pair(3, i); const Pair q = p; out[i] = q.b;", I),
        ("Two t(2.5); out[i] = t.a * 2 + t.b + sizeof(t);", I * 0 + 28),
        ("Two t(1, 2.25); out[i] = t.b * 4;", I * 0 + 9),
        ("View v(out, 64); v[i] = i * 3;", I * 3),
        ("int a[3] = {1, 2, i}; Fixed f(a); out[i] = f.sum();", I + 3),
        ("int n = i; { AtExit e([&] { n += 10; }); n *= 2; } out[i] = n;", 2 * I + 10),
        ("std::pair p(i, 2.5f); out[i] = p.first + (int)(p.second * 2);", I + 5),
    ],
)
def test_template_arguments_follow_from_the_values(body: str, expected: NDArray[np.int64]) -> None:
    assert (computed(CLASSES, body) == expected).all()


@pytest.mark.parametrize("body", ["Pair p(1, 2.5);", "Pair p;", "Pair p(1);"])
def test_values_that_do_not_tell_the_arguments_are_an_error(body: str) -> None:
    with pytest.raises(wv.CompileError, match="'Pair' is a template: give its arguments"):
        computed(CLASSES, body)


def test_functions_use_types_above_their_declarations() -> None:
    declarations = """
    template <class T> class List {
      public:
        __device__ List() : head(nullptr) {}
        __device__ void push(T v, void *room) {
            Node *n = (Node *)room;
            n->value = v; n->next = head; head = n; state = State::Full;
        }
        __device__ T sum() const {
            T s = 0;
            for (const Node *n = head; n; n = n->next) s += n->value;
            return s + (state == State::Full ? (index)100 : 0);
        }
      private:
        enum class State { Empty, Full };
        using index = int;
        struct Node { T value; Node *next; };
        Node *head; State state;
    };"""
    body = """
    __align__(8) char room[3][16];
    List<int> l;
    for (int k = 0; k < 3; k++) l.push(k + i, room[k]);
    out[i] = l.sum();"""
    assert (computed(declarations, body) == 3 * I + 103).all()


def test_structs_point_to_one_another() -> None:
    declarations = "struct B; struct A { int x; B *b; }; struct B { int y; A *a; };"
    body = "A a; B b; a.x = i; b.y = 3; a.b = &b; b.a = &a; out[i] = a.b->a->x + b.a->b->y;"
    assert (computed(declarations, body) == I + 3).all()


def test_variables_of_the_device_point_to_strings() -> None:
    declarations = """
    struct Kind { const char *name; int n; };
    __device__ const char *names[] = {"red", "green", "blue"};
    __constant__ Kind kinds[] = {{"a", 1}, {"bcd", 2}};
    __device__ const char *single = "xyz";
    const char *const fixed[2] = {"k", "l"};
    """
    body = """
    const char *s = names[i % 3];
    int length = 0;
    while (*s++) length++;
    const Kind &kind = kinds[i & 1];
    out[i] = length * 1000 + kind.name[0] + kind.n + single[i % 3] + fixed[i & 1][0];"""
    expected = np.array([3, 5, 4])[I % 3] * 1000 + np.array([97 + 1 + 107, 98 + 2 + 108])[I & 1] + 120 + I % 3
    assert (computed(declarations, body) == expected).all()


def test_a_deduction_guide_tells_the_arguments() -> None:
    declarations = """
    template <class F> struct Twice { F f; __device__ int operator()(int x) const { return f(f(x)); } };
    template <class F> Twice(F) -> Twice<F>;
    template <class T> struct Wide { T v; };
    Wide(char) -> Wide<int>;
    Wide(float) -> Wide<double>;
    """
    body = "auto t = Twice{[=](int x) { return x * 3 + i; }}; Wide w{'a'}; Wide d{1.5f};"
    expected = 9 * 2 + 4 * I + 4 * 1000 + 8 * 10000
    assert (
        computed(declarations, f"{body} out[i] = t(2) + sizeof(w.v) * 1000 + sizeof(d.v) * 10000;") == expected
    ).all()


TRAITS = """
#include <type_traits>
template <class T, class = void> struct Sized : std::false_type {};
template <class T> struct Sized<T, std::void_t<decltype(std::declval<T>().size())>> : std::true_type {};
struct Box { __device__ int size() const { return 1; } };
template <class T> struct Boxed { __device__ int size() const { return 2; } };
template <template <class, int> class V, class T, int N> __device__ int capacity(const V<T, N> &) { return N; }
template <class T, int N> struct Array { T v[N]; };
"""


def test_a_specialisation_is_one_only_where_its_types_exist() -> None:
    body = "out[i] = Sized<Box>::value + 10 * Sized<int>::value + 100 * Sized<Boxed<int>>::value;"
    assert (computed(TRAITS, body) == 101).all()
    assert (computed(TRAITS, "Array<float, 5> a; out[i] = capacity(a);") == 5).all()


def test_a_specialisation_that_cannot_be_read_is_not_left_out() -> None:
    declarations = """
    template <class T> struct Kind { static constexpr int value = 1; };
    template <> struct Kind<int> { unknown_type x; static constexpr int value = 2; };
    """
    with pytest.raises(wv.CompileError, match="'Kind' is declared in code that cannot be read: unknown type 'unknown"):
        computed(declarations, "out[i] = Kind<float>::value;")


MOVED = """
#include <utility>
struct Counted {
    int *n;
    __device__ Counted(int *n) : n(n) { ++*n; }
    __device__ Counted(const Counted &c) : n(c.n) { *n += 10; }
    __device__ Counted(Counted &&c) : n(c.n) { *n += 100; c.n = nullptr; }
    __device__ ~Counted() { if (n) *n += 1000; }
};
__device__ Counted pass(Counted c) { return c; }
__device__ Counted local(int *n) { Counted c(n); if (*n > 50) return Counted(n); return c; }
__device__ Counted moved(Counted &c) { return std::move(c); }
struct Chain {
    int x;
    __device__ Chain &times(int k) { x *= k; return *this; }
    __device__ int get() const & { return x; }
};
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("{ Counted x(&n); Counted y = pass(x); }", 2111),
        ("{ Counted x(&n); Counted y = moved(x); }", 1101),
        ("{ Counted x = local(&n); }", 1101),
        ("pass(Counted(&n));", 1101),
        ("n = Chain{2}.times(3).get();", 6),
    ],
)
def test_an_object_that_is_moved_from_or_made_on_the_way_can_change(body: str, expected: int) -> None:
    assert (computed(MOVED, f"int n = 0; {body} out[i] = n;") == expected).all()


def test_a_using_directive_opens_a_namespace_of_namespaces_alone() -> None:
    declarations = "namespace a { namespace b { template <int N> struct S { int x[N]; }; } }\nusing namespace a;"
    assert (computed(declarations, "b::S<2> s; s.x[1] = i; out[i] = s.x[1];") == I).all()


@pytest.mark.parametrize(
    ("declaration", "body", "message"),
    [
        ("template <class T> concept Small = sizeof(T) < 4; template <Small T> __device__ T f(T x) { return x; }",
         "f(1);", "its constraints are not satisfied"),
        ("template <class T> concept Small = sizeof(T) < 4; template <Small T> struct S {};", "S<int> s;",
         "its constraints are not satisfied"),
        ("template <class T> concept Same = __is_like(T); template <Same T> __device__ T f(T x) { return x; }", "f(1);",
         "'Same' is declared in code that cannot be read"),
        ("template <class T> requires (absent<T> > 3) __device__ T f(T x) { return x; } __device__ float f(float x) "
         "{ return x; }", "f(1);", "absent"),
        ("template <class T> concept Sums = requires(T a) { absent(a); };", "out[i] = Sums<int>;", "'absent'"),
        ("", "nvstd::function<int(int)> f;", "nvstd::function is not supported"),
    ],
)  # fmt: skip
def test_what_is_not_supported_is_named(declaration: str, body: str, message: str) -> None:
    with pytest.raises(wv.CompileError, match=message):
        computed(declaration, body)


def test_member_functions_named_as_types_of_the_library() -> None:
    declarations = """
    struct A { int v; __device__ A(int v) : v(v) {} __device__ int plus(int k) { return v += k; } };
    struct B : A { using A::A; __device__ int plus(int k) { return A::plus(k * 2) + 1; } };
    struct C : B { __device__ C(int x) : B(x + 1) {} __device__ int all() { return plus(3); } };
    """
    assert (
        computed(declarations, "C c(i); B b(3); out[i] = c.all() * 100 + b.plus(i);") == (I + 8) * 100 + 2 * I + 4
    ).all()
