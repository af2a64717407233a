"""Functions that call themselves: what they compute, by both engines and with NVIDIA's compiler, and their stack."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from support.agreement import assert_same

import warpview as wv
from warpview.devices import load_device
from warpview.frontend import compiler
from warpview.frontend.lower.lowering import Lowering
from warpview.isa.disassembly import disassemble
from warpview.isa.program import Program
from warpview.sass import nvrtc
from warpview.sim.arguments.binding import bind
from warpview.sim.engine import run_profile
from warpview.sim.launch import Options
from warpview.sim.reference import run_reference

THREADS = 64
SOURCE = """
#define K(NAME) __global__ void NAME(const int *in, int *out)
#define T threadIdx.x
__device__ int fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }
K(twice_in_one_expression) { out[T] = fib(T % 9); }
__device__ int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
K(within_its_own_argument) { out[T] = ack(T % 3, T % 4); }
__device__ void quick(int *a, int lo, int hi) {
    int i = lo, j = hi, p = a[(lo + hi) / 2];
    while (i <= j) {
        while (a[i] < p) i++;
        while (a[j] > p) j--;
        if (i <= j) { int t = a[i]; a[i] = a[j]; a[j] = t; i++; j--; }
    }
    if (lo < j) quick(a, lo, j);
    if (i < hi) quick(a, i, hi);
}
K(quicksort) {
    int b[12];
    for (int k = 0; k < 12; k++) b[k] = in[(T * 7 + k * 5) % 64];
    quick(b, 0, 11);
    int h = 0;
    for (int k = 0; k < 12; k++) h = h * 31 + b[k];
    out[T] = h;
}
__device__ bool odd(int n);
__device__ bool even(int n) { return n == 0 ? true : odd(n - 1); }
__device__ bool odd(int n) { return n == 0 ? false : even(n - 1); }
K(by_way_of_another) { out[T] = even(T % 13) * 2 + odd(T % 7); }
__device__ void hanoi(int n, int a, int b, int c, int &moves, int *log) {
    if (n == 0) return;
    hanoi(n - 1, a, c, b, moves, log);
    log[moves % 8] += a * 3 + c;
    ++moves;
    hanoi(n - 1, b, a, c, moves, log);
}
K(references) {
    int m = 0, l[8] = {0};
    hanoi(T % 5, 1, 2, 3, m, l);
    int h = m;
    for (int i = 0; i < 8; i++) h = h * 5 + l[i];
    out[T] = h;
}
struct Node { int key, left, right; };
__device__ int sum(const Node *t, int i, int depth) {
    if (i < 0) return 0;
    const Node n = t[i];
    int l = sum(t, n.left, depth + 1);
    return n.key * depth + l + sum(t, n.right, depth + 1);
}
K(a_tree) {
    Node t[7];
    for (int i = 0; i < 7; i++) {
        t[i].key = in[(T + i) % 64];
        t[i].left = i < 3 ? 2 * i + 1 : -1;
        t[i].right = i < 3 ? 2 * i + 2 : -1;
    }
    out[T] = sum(t, T % 3, 1);
}
__device__ int local(int n) {
    int a[4];
    for (int i = 0; i < 4; i++) a[i] = n * i;
    if (n > 0) { int r = local(n - 1); a[n % 4] += r; }
    int s = 0;
    for (int i = 0; i < 4; i++) s = s * 3 + a[i];
    return s;
}
K(arrays_of_each_call) { out[T] = local(T % 6); }
struct P { int a, b; };
__device__ P walk(P p, int n) {
    if (n == 0) return p;
    P q = walk(P{p.b, p.a + n}, n - 1), r = walk(P{q.b, q.a}, n / 2);
    return P{q.a + r.b, q.b ^ p.a};
}
K(structs) { P p = walk(P{(int)T, 3}, T % 6); out[T] = p.a * 1000 + p.b; }
template <int B> __device__ unsigned digits(unsigned v) { return v < B ? 1 : 1 + digits<B>(v / B); }
K(templates) { out[T] = digits<3>(T * 77) * 100 + digits<10>(T * 7777u); }
struct Tree {
    int n; const int *in;
    __device__ int walk(int i) const {
        if (i >= n) return 0;
        int l = walk(2 * i + 1);
        return in[i] + 2 * l + 3 * walk(2 * i + 2);
    }
};
K(methods) { Tree t{(int)(T % 14), in}; out[T] = t.walk(0); }
__device__ float power(float x, int n) {
    if (n == 0) return 1.0f;
    float h = power(x, n / 2);
    return n % 2 ? h * h * x : h * h;
}
__device__ double series(double x, int k) { return k == 0 ? 0.0 : x / k + series(x * 0.5, k - 1); }
K(floats_and_doubles) { out[T] = __float_as_int(power(1.0f + T * 0.01f, T % 17)) ^ (int)(series(T, T % 9) * 1000); }
__device__ int inner(int n) { return n <= 0 ? 1 : n + inner(n - 2); }
__device__ int outer(int n) { if (n <= 0) return 0; int i = inner(n); return i * 3 + outer(n - 1) + inner(n / 2); }
K(one_within_another) { out[T] = outer(T % 8); }
__device__ int fa(int n);
__device__ int fb(int n, int m) { if (n <= 0) return m; return fb(n - 2, m + 1) + fa(n - 1); }
__device__ int fa(int n) { if (n <= 1) return n; int x = fb(n - 1, n); return x + fb(n - 2, 1) * 2; }
K(two_that_call_one_another_and_themselves) { out[T] = fa(T % 8) + fb(T % 5, 2); }
K(between_barriers) {
    __shared__ int s[64];
    s[T] = fib(T % 7);
    __syncthreads();
    int v = s[(T + 1) % blockDim.x];
    __syncthreads();
    s[T] = v + fib(v % 5);
    __syncthreads();
    out[T] = s[(T + 5) % blockDim.x];
}
__device__ int &pick(int *a, int i) { if (a[i] % 2 == 0 || i == 3) return a[i]; return pick(a, i + 1); }
K(references_given_back) {
    int a[4] = {1, 3, (int)T, 7};
    pick(a, 0) += 100;
    out[T] = a[0] + a[1] * 3 + a[2] * 5 + a[3] * 7;
}
__device__ int defaults(int n, int acc = 1) { return n == 0 ? acc : defaults(n - 1, acc * 2 + n) + 1; }
K(default_arguments) { out[T] = defaults(T % 10); }
__device__ int guard(int n) {
    if (n == 0) return 0;
    bool big = n > 3, low = (n & 1) != 0;
    int r = guard(n - 1);
    if (big && !low) return r + 7;
    return low ? r * 2 : r + 1;
}
K(truth_values) { out[T] = guard(T % 12); }
__device__ int steps(long long n, int s) {
    switch (n % 2) {
    case 0: if (n == 0) return -1; return steps(n / 2, s + 1);
    default: if (n == 1) return s;
    }
    return steps(3 * n + 1, s + 1);
}
K(last_calls) { out[T] = steps(T % 20 + 1, 0); }
"""
NAMES = re.findall(r"^K\((\w+)\)", SOURCE, re.MULTILINE)
INPUT = np.random.default_rng(3).integers(-50, 50, 64).astype(np.int32)


def result(program: Program, device: str = "h200") -> NDArray[np.int32]:
    run = wv.simulate(program, grid=1, block=THREADS, args=[INPUT, np.zeros(THREADS, np.int32)], device=device)
    assert run.findings == ()
    return list(run.buffers.values())[1]


@pytest.mark.parametrize("name", NAMES)
def test_both_engines_compute_a_recursion(name: str) -> None:
    program = wv.compile(SOURCE, kernel=name)
    outcomes = []
    for engine in (run_reference, run_profile):
        binding = bind(program, (1, 1, 1), (THREADS, 1, 1), {"in": INPUT, "out": np.zeros(THREADS, np.int32)}, 0)
        outcomes.append(engine(program, load_device("h200"), binding.launch, binding.memory, Options()))
    assert_same(program, *outcomes)
    assert (result(program, "c2050") == result(program)).all(), "lanes at different depths meet again on any device"


@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
@pytest.mark.sample(3)
@pytest.mark.parametrize("name", NAMES)
def test_a_recursion_is_that_of_machine_code(name: str) -> None:
    own, nvidia = (wv.compile(SOURCE, kernel=name, compiler=c, device="h200") for c in ("warpview", "nvrtc"))
    assert (result(own) == result(nvidia)).all()


def test_what_a_call_needs_later_is_put_aside() -> None:
    texts = disassemble(wv.compile(SOURCE, kernel="twice_in_one_expression"))
    assert sum(text.startswith("st.local") for text in texts) == 4  # n or the first result, and where to return, twice
    assert sum(text.startswith("ld.local") for text in texts) == 4
    assert "trap" in "".join(texts)


def test_a_call_that_is_the_result_goes_back_without_a_stack() -> None:
    program = wv.compile(SOURCE, kernel="last_calls")
    assert program.local_bytes == 0
    assert not any(".local" in text for text in disassemble(program))


COUNT = """
__device__ int count(int n) { return n == 0 ? 0 : 1 + count(n - 1); }
__global__ void k(int *out, int n) {
    out[threadIdx.x] = count(n);
}
"""


def test_the_stack_is_that_of_the_runtime_and_stops_the_launch_when_it_is_full() -> None:
    program = wv.compile(COUNT)
    assert program.local_bytes == 1024
    run = wv.simulate(program, 1, 1, [np.zeros(1, np.int32), 100])
    assert run.buffers["out"][0] == 100
    [finding] = wv.simulate(program, 1, 1, [np.zeros(1, np.int32), 200]).findings
    assert finding.message.startswith(
        "thread (0, 0, 0) of block (0, 0, 0): the call stack is full: functions that call"
    )
    assert finding.span.line == 2


def test_a_larger_stack_may_be_asked_for() -> None:
    program = wv.compile(COUNT, defines={"WARPVIEW_STACK_BYTES": 4096})
    run = wv.simulate(program, 1, 1, [np.zeros(1, np.int32), 400])
    assert run.buffers["out"][0] == 400


@pytest.mark.parametrize(
    "function",
    [
        "int f(const int *p, int depth) { return *p ? f(p + 1, 0) + f(p + 2, 0) : depth; }",  # no nearer to an end
        "int f(const int *p, int depth) { return *p ? f(p + 1, depth + 1) + 1 : depth; }",  # by far too deep
        "int f(const int *p, int depth) { return depth > 30 ? 1 : f(p, depth + 1) + f(p, depth + 9); }",
    ],
)
def test_a_recursion_that_constants_do_not_bound_has_a_stack(function: str) -> None:
    text = f"__device__ {function}\n__global__ void k(int *out) {{ out[0] = f(out, 0); }}"
    program = wv.compile(text)
    assert program.local_bytes == 1024
    assert wv.simulate(program, 1, 1, [np.zeros(1, np.int32)]).findings == ()


def test_a_frame_larger_than_the_stack_is_an_error() -> None:
    text = COUNT.replace("{ return n == 0", "{ int a[400]; a[n] = n; return a[n / 2] == 0")
    with pytest.raises(wv.CompileError, match="larger than the call stack"):
        wv.compile(text)


@pytest.mark.parametrize(
    "functions",
    [
        "__device__ int f{i}(int n) {{ return n < 2 ? n : f{i}(n - 1) + f{i}(n - 2) + {i}; }}",
        "__device__ int g{i}(int n);\n"
        "__device__ void h{i}(int n, int *r) {{ if (n > 0) *r += g{i}(n - 1); }}\n"
        "__device__ int g{i}(int n) {{ int r = {i}; h{i}(n, &r); return r; }}\n"
        "__device__ int f{i}(int n) {{ return g{i}(n) + {i}; }}",
    ],
    ids=["by themselves", "by one another"],
)
def test_functions_that_call_themselves_are_found_in_one_lowering(
    functions: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lowerings = []

    def lowering(*given: Any) -> Lowering:
        lowerings.append(Lowering(*given))
        return lowerings[-1]

    monkeypatch.setattr(compiler, "Lowering", lowering)
    count = 12
    calls = "".join(f"o[threadIdx.x] += f{i}(threadIdx.x % 5);" for i in range(count))
    file = "\n".join(functions.format(i=i) for i in range(count))
    program = wv.compile(f"{file}\n__global__ void k(int *o) {{ {calls} }}\n")
    assert len(lowerings) == 2
    (out,) = wv.simulate(program, 1, 32, [np.zeros(32, np.int32)]).buffers.values()

    def expected(i: int, n: int) -> int:
        if "g{i}" not in functions:
            return n if n < 2 else expected(i, n - 1) + expected(i, n - 2) + i
        return i * (n + 1) + i

    assert out.tolist() == [sum(expected(i, t % 5) for i in range(count)) for t in range(32)]
