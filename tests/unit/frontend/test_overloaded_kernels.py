"""Kernels of one name are told apart by the types of their parameters."""

import numpy as np
import pytest
from support.compilers import COMPILERS

import warpview as wv
from warpview.diagnostics import SourceText
from warpview.frontend import kernels_in
from warpview.frontend.spelling import split_signature

SOURCE = """
struct Pair { int a, b; };
namespace math {
__global__ void add(int *out, const int *x) { out[threadIdx.x] = x[threadIdx.x]; }
__global__ void add(int *out, const Pair *x) { out[threadIdx.x] = x[threadIdx.x].a + x[threadIdx.x].b; }
template <typename T> __global__ void add(T *out, const T *x, T c) { out[threadIdx.x] = x[threadIdx.x] * c; }
}
__global__ void only(int *out) { out[threadIdx.x] = 0; }
"""
NAMES = ["add(int*, const int*)", "add(int*, const Pair*)", "add(T*, const T*, T)", "only"]


def results(kernel, compiler, *more):
    program = wv.compile(SOURCE, kernel, compiler=compiler, device="h200")
    out, x = np.zeros(4, np.int32), np.arange(8, dtype=np.int32)
    return program.kernel, wv.simulate(program, 1, 4, [out, x, *more], device="h200").buffers["out"].tolist()


def test_their_names_have_the_types():
    assert [info.name for info in kernels_in(SourceText("a.cu", SOURCE))] == NAMES


def test_types_of_other_namespaces_are_named_whole():
    text = """
    namespace math { template <typename T> struct Vec { T x; }; }
    namespace own {
    __global__ void add(const math::Vec<float> *a) {}
    __global__ void add(const math::Vec<int> *a, int n) {}
    }"""
    names = [info.name for info in kernels_in(SourceText("a.cu", text))]
    assert names == ["add(const math::Vec<float>*)", "add(const math::Vec<int>*, int)"]
    assert wv.compile(text, names[0]).kernel == names[0]


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("written", ["add(int*, const int*)", "math::add( int *out, const int * const x )"])
def test_one_is_chosen_however_its_types_are_written(written, compiler):
    assert results(written, compiler) == (NAMES[0], [0, 1, 2, 3])


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_struct_tells_overloads_apart(compiler):
    assert results("add(int*, const Pair*)", compiler) == (NAMES[1], [1, 5, 9, 13])


def test_a_template_is_an_overload_too():
    name, values = results("add<int>(T*, const T*, T)", "warpview", 3)
    assert (name, values) == ("add<int>(T*, const T*, T)", [0, 3, 6, 9])


@pytest.mark.parametrize("wanted", ["add", "add(float*)"])
def test_an_unclear_name_is_answered_with_the_choice(wanted):
    with pytest.raises(
        wv.CompileError, match=r"say which \(math::add\(int\*, const int\*\), math::add\(int\*, const P"
    ):
        wv.compile(SOURCE, wanted)


@pytest.mark.parametrize(("name", "parts"), [
    ("k", ("k", "")),
    ("k(int*)", ("k", "(int*)")),
    ("a::k<(Mode)1>", ("a::k<(Mode)1>", "")),
    ("k<(Mode)1>(float (*)(int), T)", ("k<(Mode)1>", "(float (*)(int), T)")),
])  # fmt: skip
def test_a_signature_is_what_stands_behind_the_name(name, parts):
    assert split_signature(name) == parts
