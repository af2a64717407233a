"""Host code passes lambdas for the device to kernels: they become structs with names, as written and by NVRTC."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.compilers import COMPILERS

import warpview as wv
from warpview.frontend.extended_lambdas import code_tokens, extended_lambdas

PROGRAM = """#include <cstdio>
#define BLOCK 64
constexpr float HALF = 0.5f;
struct Params { float scale; int shift; };
template <typename F> __global__ void for_each(int n, F f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) f(i);
}
template <typename T, typename F> __global__ void transform(const T *in, T *out, int n, F f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = f(in[i]);
}
template <typename F> void launch(int n, F f) { for_each<<<(n + 31) / 32, 32>>>(n, f); }
int main() {
    const int n = 100;
    float *x, *y;
    cudaMallocManaged(&x, n * sizeof(float));
    cudaMallocManaged(&y, n * sizeof(float));
    Params p{2.5f, 3};
    for_each<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(n, [=] __device__ (int i) { x[i] = i * p.scale + p.shift; });
    float a = 3;
    auto axpy = [=] __host__ __device__ (float v) -> float {
        float t = a * v;
        return t + HALF;
    };
    transform<<<2, BLOCK>>>(x, y, n, axpy);
    transform<<<2, BLOCK>>>(y, y, n, [] __device__ (float v) { return v > 100 ? v - 100 : v; });
    for_each<<<2, BLOCK>>>(n, [y, k = a + 1] __device__ (int i) mutable { k += i; y[i] += k; });
    launch(n, [=] __device__ (int i) { y[i] += i == n - 1 ? a : 0; });
    auto first = [=] __device__ (int i) { if (i == 0) y[i] = -1; };
    launch(n, first);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) printf("%g ", y[i]);
    cudaFree(x);
    cudaFree(y);
}
"""


def expected() -> list[float]:
    i = np.arange(100, dtype=np.float32)
    y = 3 * (i * 2.5 + 3) + 0.5
    y = np.where(y > 100, y - 100, y) + 4 + i
    y[99] += 3
    y[0] = -1
    return y.tolist()


@pytest.mark.parametrize("compiler", COMPILERS)
def test_kernels_are_passed_lambdas(tmp_path: Path, compiler: str) -> None:
    path = tmp_path / "lambdas.cu"
    path.write_text(PROGRAM, encoding="utf-8")
    result = wv.run_program(path, compiler=compiler, timed=False)
    assert [float(x) for x in result.output.split()] == expected()
    assert not result.host_findings
    assert [len(run.findings) for run in result.runs] == [0] * 6
    lines = {i.span.line for i in result.runs[1].program.instructions}
    assert 24 in lines


def test_what_is_captured_is_found_by_name() -> None:
    found = extended_lambdas(code_tokens(PROGRAM), frozenset({"BLOCK"}))
    names = [[name for name, _ in one.captures] for one in found]
    assert names == [["x", "p"], ["a"], [], ["y", "k"], ["y", "n", "a"], ["y"]]
    assert [one.name for one in found[:2]] == ["wv_lambda_20_53", "wv_lambda_22_17"]
    assert [one.is_mutable for one in found] == [False, False, False, True, False, False]


@pytest.mark.parametrize("captures", ["&", "&x", "this", "=, &x"])
def test_references_are_left_alone(captures: str) -> None:
    text = PROGRAM.replace("[=] __device__ (int i) { x[i]", f"[{captures}] __device__ (int i) {{ x[i]")
    assert len(extended_lambdas(code_tokens(text))) == 5


def test_a_lambda_in_a_kernel_is_none_of_them() -> None:
    kernel = "__global__ void k(int *o) { auto f = [=] __device__ (int i) { o[i] = i; }; f(3); }"
    text = f"{kernel}\nint main() {{ k<<<1, 1>>>(0); }}"
    assert not extended_lambdas(code_tokens(text))


@pytest.mark.parametrize("compiler", ["warpview", "nvrtc"])
def test_a_lambda_with_comments_in_a_program_that_uses_thrust(program, compiler) -> None:
    path = program("""#include <cstdio>
#include <thrust/device_vector.h>
template <class F> __global__ void each(int n, F f) { int i = threadIdx.x; if (i < n) f(i); }
int main() {
    thrust::device_vector<float> v(32);
    float *x = thrust::raw_pointer_cast(v.data()), by = 3;
    each<<<1, 32>>>(32, [=] __device__(int i /* lane */) {
        // the host part has this body too, in one line
        x[i] = by * i;
    });
    printf("%g\\n", (float)v[5]);
}
""")
    assert wv.run_program(path, compiler=compiler).output == "15\n"


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_lambda_of_the_host_launches_what_it_is_passed(program, compiler) -> None:
    path = program("""#include <cstdio>
template <class F> __global__ void fold(int *out, int n, F f) { for (int i = 1; i <= n; i++) *out = f(*out, i); }
int main() {
    int *out, by = 2;
    cudaMallocManaged(&out, sizeof(int));
    auto measure = [&](auto f, const char *name) {
        *out = 1;
        fold<<<1, 1>>>(out, 5, f);
        cudaDeviceSynchronize();
        printf("%s %d\\n", name, *out);
    };
    measure([] __device__ (int a, int b) { return a + b; }, "sum");
    measure([=] __device__ (int a, int b) { return a * by * b; }, "product");
    cudaFree(out);
}
""")
    assert wv.run_program(path, compiler=compiler, timed=False).output == "sum 16\nproduct 3840\n"


def test_messages_name_the_columns_as_the_user_wrote_them(tmp_path: Path) -> None:
    """The struct of a lambda stands before its function, and what is passed in the lambda's place is another text."""
    kernel = "template <typename F> __global__ void apply(F f) { f(threadIdx.x); }\n"
    program = (
        "template <typename F> void run(F f, int n) { apply<<<1, n>>>(f); }\n"
        "__global__ void noop(int n) {}\n"
        "/**/ int main() { int n = oops;\n"
        "    run([] __device__ (int i) {\n"
        "        i += 1;\n"
        "    }, wrong);\n"
        "    run([] __device__ (int i) { i += 1; i += 2; i += 3; }, missing);\n"
        "    run([=] __device__ (int i) { i += n; }, absent);\n"
        "    noop<<<unset, 1>>>(unknown); n = gone; noop<<<1,\n"
        "        lost>>>(forgotten); n = void_; }\n"
    )
    path = tmp_path / "columns.cu"
    path.write_text(kernel + program, encoding="utf-8")
    with pytest.raises(wv.CompileError) as caught:
        wv.run_program(path)
    lines = (kernel + program).splitlines()
    places = [(d.span.line, d.span.column) for d in caught.value.diagnostics if d.span is not None]
    for word in ("oops", "wrong", "missing", "absent", "unset", "unknown", "gone", "lost", "forgotten", "void_"):
        line = next(n for n, text in enumerate(lines, 1) if word in text)
        assert (line, lines[line - 1].index(word) + 1) in places
