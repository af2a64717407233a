"""C++ and headers of CUDA that warpview's own front end refuses, and that NVRTC takes: the kernels run, and their
parameters have names and types."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import warpview as wv
from warpview.frontend.unsupported import BY_NVIDIA
from warpview.sass import nvrtc

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
LANES = np.arange(32, dtype=np.float32)

# The source of a kernel k(float*x), and x after a launch of one warp on the numbers of its lanes.
ACCEPTED = {
    "virtual base class": (
        "struct A { float v; }; struct B : virtual A { __device__ B(float f) { v = f; } };"
        " __global__ void k(float*x) { B b(threadIdx.x); x[threadIdx.x] = b.v; }", LANES),
}  # fmt: skip


@pytest.mark.parametrize("feature", ACCEPTED)
def test_what_nvidias_compiler_takes_runs(feature: str) -> None:
    source, expected = ACCEPTED[feature]
    with pytest.raises(wv.CompileError) as refused:
        wv.compile(source)
    assert refused.value.diagnostics[0].hint == BY_NVIDIA
    program = wv.compile(source, compiler="nvrtc")
    assert [(param.name, param.untyped) for param in program.params] == [("x", False)]
    run = wv.simulate(program, 1, 32, [LANES.copy()])
    assert np.array_equal(run.buffers["x"], expected)


def test_a_whole_number_given_for_a_float_is_converted() -> None:
    source = """
    template <class... T> __device__ float sum(T... v) { return (v + ...); }
    __global__ void scale(float*__restrict__ x, const float a) { x[threadIdx.x] = sum(a, x[threadIdx.x]); }
    """
    run = wv.simulate(wv.compile(source, compiler="nvrtc"), 1, 32, [LANES.copy(), 2])
    assert np.array_equal(run.buffers["x"], LANES + 2)


def test_words_of_the_c_library_are_types() -> None:
    source = """typedef unsigned int uint;
    typedef unsigned long long ulong;
    const uint SIZE = 4;
    __global__ void k(float *x, ushort by, ulong more) { x[threadIdx.x] = SIZE * by + more; }"""
    for compiler in ("nvrtc", "warpview"):
        program = wv.compile(source, compiler=compiler, device="h200")
        assert wv.simulate(program, 1, 1, [LANES.copy(), 3, 2], device="h200").buffers["x"][0] == 14


def test_a_lambda_may_be_marked_for_the_device() -> None:
    source = """__global__ void k(float *x) {
        auto square = [] __host__ __device__ (float v) { return v * v; };
        auto next = [=] __device__
            { return square(x[threadIdx.x]) + 1; };
        x[threadIdx.x] = next();
    }"""
    for compiler in ("nvrtc", "warpview"):
        program = wv.compile(source, compiler=compiler, device="h200")
        assert np.array_equal(wv.simulate(program, 1, 32, [LANES], device="h200").buffers["x"], LANES**2 + 1)


def test_a_declaration_that_cannot_be_read_leaves_names_and_sizes() -> None:
    source = (
        "template <class T> struct Id { using type = T; };\n__global__ void k(Id<float>::type*x, int n) { x[n] = 1; }"
    )
    program = wv.compile(source, compiler="nvrtc")
    assert [param.name for param in program.params] == ["x", "n"]


def test_no_hint_where_nvidias_compiler_does_not_help() -> None:
    source = """__global__ void k(int *p, unsigned long long texture) {
        int width;
        asm("txq.channel_order.b32 %0, [%1];" : "=r"(width) : "l"(texture));
        *p = width;
    }"""
    with pytest.raises(wv.CompileError) as refused:
        wv.compile(source)
    assert not refused.value.diagnostics[0].hint
    with pytest.raises(wv.WarpviewError, match="which the driver fills in, is not supported"):
        wv.compile(source, compiler="nvrtc")


SEVERAL = """
__global__ void first(float *x) { x[threadIdx.x] += 1; }
namespace { __global__ void second(float *x) { x[threadIdx.x] += 2; } }
template <int N> __global__ void third(float *x) { x[threadIdx.x] += N; }
HIDDEN
"""
TWICE = "__global__ void same(float *x) { *x = 0; } namespace { __global__ void same(float *x) { *x = 1; } }"


@pytest.mark.parametrize("hidden", ["", TWICE])
def test_kernels_of_one_file_are_compiled_together_where_they_can_be(
    monkeypatch: pytest.MonkeyPatch, hidden: str
) -> None:
    source, compiled, original = SEVERAL.replace("HIDDEN", hidden), [], nvrtc.compile_source

    def counted(text: object, architecture: int, names: Sequence[str], *more: object, **options: object) -> object:
        compiled.append(tuple(names))
        return original(text, architecture, names, *more, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(nvrtc, "compile_source", counted)
    for kernel, added in (("first", 1), ("second", 2), ("third<3>", 3), ("first", 1)):
        run = wv.simulate(wv.compile(source, kernel, compiler="nvrtc", device="h200"), 1, 32, [LANES.copy()])
        assert np.array_equal(run.buffers["x"], LANES + added)
    assert len(compiled) == (
        2 if not hidden else 7
    )  # with templates by themselves; each by itself after a vain attempt
    assert compiled[0][:2] == ("first", "second")


PRINTING = """
__device__ const char *name(int i) { if (i == 0) return "zero"; return i == 1 ? "one" : "many"; }
__global__ void k(int *x) {
    int i = threadIdx.x;
    printf("%d %s %s\\n", i, name(i), i > 1 ? "big" : "small");
    const char *table[3] = {"a", "bb", "ccc"};
    printf("%s\\n", table[x[i] % 3]);
    printf("%d\\n", x[i]);
}
"""


@pytest.mark.parametrize("compiler", ["warpview", "nvrtc"])
def test_several_calls_of_printf_use_what_was_loaded_before_the_first(compiler: str) -> None:
    program = wv.compile(PRINTING, compiler=compiler, device="h200")
    run = wv.simulate(program, 1, 3, [np.arange(4, 7, dtype=np.int32)], device="h200")
    words = ("0 zero small", "1 one small", "2 many big", "bb", "ccc", "a", "4", "5", "6")
    assert run.output == tuple(f"{word}\n" for word in words)
