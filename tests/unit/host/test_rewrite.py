"""CUDA source is rewritten for a host compiler: lines stay, launches become calls, device code goes."""

import re

import pytest

from warpview.diagnostics import SourceText
from warpview.host.rewrite import host_text


def rewritten(text):
    return host_text(SourceText("a.cu", text))


def without_places(text):
    """A text without what gives its parts their lines and columns."""
    return re.sub(r"\s", "", re.sub(r"\n#line \d+\n", "", text))


@pytest.mark.parametrize(
    ("launch", "call"),
    [
        ("k<<<1, 2>>>(a, b);", "(::wv::configure(1, 2) ? (void)0 : k(a, b));"),
        ("k<float, 3><<<g, b, 0, s>>>(f(a), b);", "(::wv::configure(g, b, 0, s) ? (void)0 : k<float, 3>(f(a), b));"),
        ("n::k<<<dim3(1, 2), 3>>>();", "(::wv::configure(dim3(1, 2), 3) ? (void)0 : n::k());"),
        ("table[i]<<<1, 1>>>(x);", "(::wv::configure(1, 1) ? (void)0 : table[i](x));"),
        ("if (x) k<<<1, 1>>>(); else y();", "if (x) (::wv::configure(1, 1) ? (void)0 : k()); else y();"),
        ("k<<<(a >> 2), b>>>(1 << 3);", "(::wv::configure((a >> 2), b) ? (void)0 : k(1 << 3));"),
    ],
)
def test_a_launch_becomes_a_call(launch, call):
    assert without_places(rewritten(f"void f() {{ {launch} }}")) == without_places(f"void f() {{ {call} }}")


def test_what_stands_in_and_behind_a_launch_keeps_its_line_and_column():
    text = "void f() {\n  k<<<grid, block>>>(first); second(); }\n"
    found, line = {}, 1
    for part in rewritten(text).split("\n"):
        if part.startswith("#line"):
            line = int(part.split()[1])
            continue
        found |= {(name, line): part.index(name) for name in ("grid", "first", "second") if name in part}
        line += 1
    written = text.split("\n")[1]
    assert found == {(name, 2): written.index(name) for name in ("grid", "first", "second")}


def test_what_is_no_launch_stays():
    text = 'int main() { /* k<<<1, 1>>>(); */ puts("k<<<1, 1>>>()"); return 1 << 2 >> 1; }\n'
    assert rewritten(text) == text


def test_kernels_become_stubs_and_every_line_stays():
    text = "template <typename T, int N>\n__global__ void k(const T *a,\n  int n) {\n  a[0];\n}\nint after;\n"
    result = rewritten(text)
    assert result.count("\n") == text.count("\n")
    assert "a[0]" not in result
    assert "{::wv::type_name<T>(), ::wv::value_text(N)}" in result
    assert "wv_kernel.launch({::wv::Argument<decltype(a)>{a}, ::wv::Argument<decltype(n)>{n}})" in result
    assert result.splitlines()[5] == "int after;"


def test_device_functions_lose_their_bodies_but_members_and_shared_ones_keep_them():
    text = (
        "__device__ int f(int x) { return __ldg(&x); }\n"
        "__host__ __device__ int g(int x) { return x + 1; }\n"
        "struct S { __device__ int h(int x) const { return x + 2; } };\n"
    )
    result = rewritten(text)
    assert "__ldg" not in result
    assert "return x + 1" in result
    assert "return x + 2" in result
    without_members = host_text(SourceText("a.cu", text), keeps_members=False)
    assert "return x + 1" in without_members
    assert "return x + 2" not in without_members


def test_the_stubs_of_overloaded_kernels_say_their_parameters():
    text = (
        "__global__ void k(const int *a, int n = 3) {}\n__global__ void k(float2 *) {}\n"
        "__global__ void once(int *a) {}\ntemplate <> __global__ void other<int>(int *a) {}\n"
    )
    stubs = rewritten(text).splitlines()
    assert '"(const int * a, int n)"' in stubs[0]
    assert '"(float2 *)"' in stubs[1]
    assert 'WARPVIEW_UNIT, "", {}' in stubs[2]


def test_variables_of_the_device_make_themselves_known():
    result = rewritten(
        "__constant__ float a[3] = {1, 2, 3};\nstatic __device__ int b, c = 2;\nextern __device__ int d;\n"
    )
    assert '("a", a, ::wv::CONSTANT, WARPVIEW_UNIT)' in result
    assert '("b", b, ::wv::DEVICE, WARPVIEW_UNIT)' in result
    assert '("c", c, ::wv::DEVICE, WARPVIEW_UNIT)' in result
    assert '("d"' not in result


def test_macros_that_stand_for_the_marks_are_seen_through():
    result = rewritten(
        "#define DEV __device__ inline\n#define LAUNCH(k, n) k<<<n, 32>>>(n)\nDEV int f() { return 1; }\n"
    )
    assert "device_only" in result
    assert without_places("#define LAUNCH(k, n) (::wv::configure(n, 32) ? (void)0 : k(n))") in without_places(result)


def test_parameters_without_a_name_get_one():
    result = rewritten("__global__ void k(int *a, int) {}")
    assert "void k(int *a, int wv_unnamed_1)" in result
    assert "::wv::Argument<decltype(wv_unnamed_1)>{wv_unnamed_1}" in result
