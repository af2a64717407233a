"""Names in namespaces: kernels, messages and variables. What code in them computes is compared with NVIDIA's in
``agreement/cpp_snippets``."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from warpview.diagnostics import CompileError, SourceText
from warpview.frontend import kernels_in
from warpview.sass import nvrtc

TWO = """
namespace a { __global__ void k(int *out) { out[0] = 1; } }
namespace b { namespace c {
    __global__ void k(int *out) { out[0] = 2; }
    template <int n> __global__ void t(int *out) { out[0] = n; }
    template <typename T> __global__ void u(int *out) { out[0] = T::n; }
    struct Ten { static constexpr int n = 10; };
} }
__global__ void k(int *out) { out[0] = 3; }
__global__ void other(int *out) { out[0] = 4; }
void host(int *p) { a::k<<<2, 32>>>(p); b::c::k<<<3, 32>>>(p); k<<<4, 32>>>(p); b::c::t<7><<<5, 32>>>(p); }
"""
CHOICES = {
    "a::k": 1, "b::c::k": 2, "c::k": 2, "k": 3, "::k": 3, "other": 4, "t<5>": 5, "c::t<6>": 6, "b::c::t<7>": 7,
    "u<b::c::Ten>": 10,
}  # fmt: skip
WRONG = [
    ("namespace a { struct P { int v; }; }", "a::P p{1}; p.w = 2;", "'a::P' has no member 'w'"),
    ("namespace a { struct P { int v; }; }", "P p{1};", "unknown type 'P'"),
    ("namespace a { __device__ int f(int) { return 1; } }", "out[0] = f(1);", "unknown function 'f'"),
    ("namespace a { __device__ int f(int) { return 1; } }", "out[0] = a::g(1);", "unknown function 'g'"),
    ("namespace a { __device__ int f(int) { return 1; } __device__ int f(int) { return 2; } }", "out[0] = a::f(1);",
     "'a::f' is defined twice"),
    ("namespace a { struct P { int v; }; struct P { int w; }; }", "a::P p; out[0] = p.w;", "'a::P' is defined twice"),
    ("namespace a { enum class E { X }; }", "out[0] = a::E::Y;", "'a::E' has no member 'Y'"),
]  # fmt: skip


@pytest.mark.parametrize("name", CHOICES)
@pytest.mark.parametrize(
    "compiler",
    ["warpview", pytest.param("nvrtc", marks=pytest.mark.skipif(not nvrtc.is_installed(), reason="no NVRTC"))],
)
def test_a_kernel_is_chosen_with_some_or_all_of_its_namespaces(name: str, compiler: str) -> None:
    program = wv.compile(TWO, kernel=name, compiler=compiler, device="h200")
    run = wv.simulate(program, 1, 1, [np.zeros(1, np.int32)], device="h200")
    assert run.buffers["out"][0] == CHOICES[name]


def test_kernels_of_one_name_are_listed_and_launched_by_their_namespaces() -> None:
    found = {
        k.name: [(launch.kernel, launch.grid) for launch in k.launches] for k in kernels_in(SourceText("t.cu", TWO))
    }
    assert found == {
        "a::k": [("a::k", (2, 1, 1))], "b::c::k": [("b::c::k", (3, 1, 1))], "t": [("t<7>", (5, 1, 1))],
        "u": [], "k": [("k", (4, 1, 1))], "other": [],
    }  # fmt: skip


def test_an_ambiguous_kernel_is_asked_for() -> None:
    with pytest.raises(CompileError, match=r"say which \(a::k, b::k\)"):
        wv.compile("namespace a { __global__ void k() { } } namespace b { __global__ void k() { } }", kernel="k")


@pytest.mark.parametrize(("declarations", "body", "message"), WRONG)
def test_a_message_names_the_namespace(declarations: str, body: str, message: str) -> None:
    with pytest.raises(CompileError) as error:
        wv.compile(f"{declarations}\n__global__ void k(int *out) {{ {body} }}")
    assert message in error.value.diagnostics[0].message


def test_constants_of_two_namespaces_are_set_by_their_qualified_names() -> None:
    text = """
    namespace a { __constant__ int t[2]; __constant__ int alone; }
    namespace b { __constant__ int t[2]; }
    __global__ void k(int *out) { out[0] = a::t[1] * 100 + b::t[1] * 10 + a::alone; }
    """
    constants = {"a::t": np.array([1, 2], np.int32), "b::t": np.array([3, 4], np.int32), "alone": np.int32(5)}
    run = wv.simulate(wv.compile(text), 1, 1, [np.zeros(1, np.int32)], constants=constants, device="h200")
    assert run.buffers["out"][0] == 245


def test_a_function_is_known_from_its_first_declaration_on() -> None:
    text = """
    __device__ int f(long);
    __device__ int before() { return f(3); }
    __device__ int f(int) { return 2; }
    __device__ int f(long) { return 1; }
    __global__ void k(int *out) { out[0] = before() * 10 + f(3); }
    """
    run = wv.simulate(wv.compile(text), 1, 1, [np.zeros(1, np.int32)], device="h200")
    assert run.buffers["out"][0] == 12


def test_an_alias_of_no_namespace_is_refused() -> None:
    with pytest.raises(CompileError, match="expected the name of a namespace"):
        wv.compile("namespace alias =;\n__global__ void k() {}\n")
