"""Kernels compiled by NVRTC, where it is installed, give results, messages and source lines."""

from __future__ import annotations

import re
import sys
from dataclasses import replace

import numpy as np
import pytest

import warpview as wv
from warpview import library
from warpview.devices import load_device
from warpview.diagnostics import SourceText
from warpview.frontend.preprocess.preprocessor import LIBRARY_MACROS
from warpview.run.cuda_source import CudaSource
from warpview.run.device_source import device_source
from warpview.run.simulation import Step, simulate_series
from warpview.sass.decoder import decode

try:
    from warpview.sass import nvrtc

    HAS_NVRTC = nvrtc.is_installed()
except ImportError:
    HAS_NVRTC = False

pytestmark = pytest.mark.skipif(not HAS_NVRTC, reason="NVRTC is not installed")

SCALE = """
template <int FACTOR>
__global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = FACTOR * in[i] / 7.0f;
}
"""


def test_a_kernel_compiled_by_nvrtc_computes_what_numpy_does() -> None:
    program = wv.compile(SCALE, kernel="scale<3>", compiler="nvrtc", device="h200")
    values = np.linspace(-5, 5, 1000, dtype=np.float32)
    run = wv.simulate(program, 4, 256, [values, np.zeros_like(values), values.size], device="h200")
    assert np.array_equal(run.buffers["out"], np.float32(3) * values / np.float32(7))
    assert run.findings == ()
    assert run.counters["global_ld_sectors"] == 125


def test_instructions_know_their_source_lines() -> None:
    program = wv.compile(SCALE, kernel="scale<3>", compiler="nvrtc")
    store = next(i for i in program.instructions if i.native and i.native.mnemonic.startswith("STG"))
    assert store.span.line == 7


def test_headers_of_the_host_are_no_hindrance() -> None:
    source = "#include <cstdio>\n#include <cstdint>\n__global__ void k(uint32_t *a) {\n    a[threadIdx.x] = INT_MAX;\n}"
    program = wv.compile(source, compiler="nvrtc", device="h200")
    run = wv.simulate(program, 1, 32, [np.zeros(32, np.uint32)], device="h200")
    assert (run.buffers["a"] == 2**31 - 1).all()
    assert {instruction.span.line for instruction in program.instructions} <= {3, 4, 5}


@pytest.mark.parametrize(
    "first", ["algorithm", "cfloat", "climits", "cstddef", "cstdint", "cstring", "limits", "vector"]
)
@pytest.mark.parametrize("second", ["algorithm", "climits", "utility"])
def test_headers_of_cpp_go_together_in_any_order(first: str, second: str) -> None:
    source = f"""#include <{first}>
#include <{second}>
#include <algorithm>
__global__ void k(int *a) {{ a[threadIdx.x] = std::min(INT_MAX, a[threadIdx.x] + 1); }}"""
    run = wv.simulate(
        wv.compile(source, compiler="nvrtc", device="h200"), 1, 32, [np.arange(32, dtype="i4")], device="h200"
    )
    assert np.array_equal(run.buffers["a"], np.arange(1, 33))


def macro_source() -> str:
    headers = "".join(f"#include <{name}>\n" for name in ("climits", "cfloat", "cmath", "cstdlib", "cstdint"))
    stores = "".join(f"    a[{i}] = {name};\n" for i, name in enumerate(LIBRARY_MACROS))
    return f"{headers}__global__ void k(double *a) {{\n{stores}}}\n"


@pytest.mark.parametrize("header", ["cooperative_groups.h", "cuda/std/cmath", "cstdio", "cuda_pipeline.h"])
def test_types_of_the_host_s_headers_go_with_nvidia_s_own(header: str) -> None:
    source = f"""#include <cstdint>
#include <{header}>
__global__ void k(int64_t *a, uint64_t b, uint8_t c) {{
    a[threadIdx.x] = std::is_same<uint64_t, int64_t>::value + b - c;
}}"""
    run = wv.simulate(wv.compile(source, compiler="nvrtc"), 1, 32, [np.zeros(32, np.int64), 1 << 40, 7], device="h200")
    assert (run.buffers["a"] == (1 << 40) - 7).all()


def test_headers_that_declare_integers_or_name_malloc_go_with_what_a_kernel_needs() -> None:
    source = """#include <cuda_pipeline.h>
#include <cuda/std/optional>
struct Base { int v; }; struct Left : virtual Base { int l; }; struct Both : Left { };
__global__ void k(int64_t *a, uint64_t b) {
    int *held = new int(threadIdx.x);
    cuda::std::optional<int> o = *held;
    delete held;
    Both both; both.v = *o;
    a[threadIdx.x] = both.v + b;
}"""
    run = wv.simulate(wv.compile(source, compiler="nvrtc"), 1, 32, [np.zeros(32, np.int64), 5], device="h200")
    assert np.array_equal(run.buffers["a"], np.arange(5, 37))


def test_predicates_are_set_from_each_byte_of_a_register() -> None:
    source = """
__global__ void combine(unsigned *out, const unsigned *directions, unsigned seed) {
    unsigned bits = seed + threadIdx.x, result = 0;
    for (int bit = 0; bit < 31; bit++, bits >>= 1)
        if (bits & 1) result ^= directions[bit];
    out[threadIdx.x] = result;
}"""
    program = wv.compile(source, compiler="nvrtc", device="h200")
    mnemonics = {i.native.mnemonic for i in program.instructions if i.native}
    assert {"R2P", "R2P.B1", "R2P.B2", "R2P.B3"} <= mnemonics
    directions = np.arange(1, 32, dtype=np.uint32) * np.uint32(0x9E3779B1)
    seeds = 0x5A3C96F1 + np.arange(64, dtype=np.uint32)
    run = wv.simulate(program, 1, 64, [np.zeros(64, np.uint32), directions, 0x5A3C96F1], device="h200")
    taken = [directions[[bool(seed >> bit & 1) for bit in range(31)]] for seed in seeds]
    assert np.array_equal(run.buffers["out"], [np.bitwise_xor.reduce(numbers) for numbers in taken])


def test_macros_of_the_host_s_headers_are_those_of_warpview_s_compiler() -> None:
    values = []
    for compiler in ("warpview", "nvrtc"):
        program = wv.compile(macro_source(), compiler=compiler, device="h200")
        values.append(wv.simulate(program, 1, 1, [np.zeros(len(LIBRARY_MACROS))]).buffers["a"])
    found = dict(zip(LIBRARY_MACROS, values[1].tolist(), strict=True))
    np.testing.assert_array_equal(values[0], values[1])
    assert (found["SHRT_MIN"], found["LONG_MIN"], found["INFINITY"]) == (-32768, -(2**63), np.inf)


def test_limits_of_a_long_are_left_out_where_it_has_32_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    source = SourceText("k.cu", macro_source())
    here = device_source(CudaSource(source)).macros
    monkeypatch.setattr(sys, "platform", "win32")
    assert set(here) - set(device_source(CudaSource(source)).macros) == {"LONG_MAX", "LONG_MIN", "ULONG_MAX"}


def test_an_error_of_the_compiler_is_at_its_line() -> None:
    with pytest.raises(wv.CompileError) as caught:
        wv.compile(SCALE.replace("FACTOR * in", "FACTOR * inn"), kernel="scale<3>", compiler="nvrtc")
    assert caught.value.diagnostics[0].span is not None
    assert caught.value.diagnostics[0].span.line == 7
    assert "inn" in caught.value.diagnostics[0].message


def test_errors_are_those_of_the_source_and_not_of_the_search_for_kernels_that_they_hide() -> None:
    text = "int f() {\ntemplate <int N> __global__ void k(int *o) { o[0] = N; }\n"
    with pytest.raises(wv.CompileError) as caught:
        wv.compile(text, kernel="k<3>", compiler="nvrtc")
    told = [(found.span.line, found.message) for found in caught.value.diagnostics if found.span is not None]
    assert told == [(2, "a template declaration is not allowed here"), (2, 'expected a "}"')]


@pytest.mark.parametrize(
    ("text", "kernel", "message"),
    [
        ("int f() { return 1; }", None, "there is no kernel (a __global__ function) in this file"),
        ("__global__ void a() {} __global__ void b() {}", None, "several kernels in this file: say which (a, b)"),
        ("__global__ void reduce() {}", "redcue", "there is no kernel 'redcue'"),
        ("template <int N> __global__ void a() {}", None, "'a' is a template: give <int N>"),
        ("#include <mma.h>\nusing namespace nvcuda;\n__device__ wmma::mem_row_major x; __global__ void a() {}"
         "__global__ void b() {}", None, "several kernels in this file: say which (a, b)"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("device", ["h200", "v100"])
def test_a_kernel_is_named_as_for_our_compiler(text: str, kernel: str | None, message: str, device: str) -> None:
    with pytest.raises(wv.CompileError) as error:
        wv.compile(text, kernel, compiler="nvrtc", device=device)
    assert message in str(error.value)


def test_what_is_not_supported_is_named_with_its_line() -> None:
    word = 'asm volatile("mov.u64 %0, %%current_graph_exec;" : "=l"(o[0]));'
    source = f"__global__ void f(unsigned long long *o)\n{{\n    {word}\n}}\n"
    with pytest.raises(wv.CompileError) as caught:
        wv.compile(source, compiler="nvrtc")
    assert "of constant bank 0, which the driver fills in, is not supported" in str(caught.value)
    assert caught.value.diagnostics[0].span is not None
    assert caught.value.diagnostics[0].span.line == 3


def test_a_device_without_machine_code_is_refused_by_name() -> None:
    unknown = replace(load_device("b200"), sass=0)
    with pytest.raises(wv.WarpviewError, match="B200"):
        wv.compile(SCALE, kernel="scale<3>", compiler="nvrtc", device=unknown)


def library_results(key: str, device: str) -> str | None:
    """Return where the results of a library kernel in machine code for a device differ from numpy's; None nowhere."""
    entry = library.entry(key)
    values = library.launch_arguments(entry, "step")
    blanks: dict[int, wv.Uninitialised] = {}
    steps = []
    for launch, arguments in zip(entry.presets["step"].launches, values, strict=True):
        program = wv.compile(entry.path, kernel=launch.kernel, defines=entry.defines, compiler="nvrtc", device=device)
        passed = [
            blanks.setdefault(id(v), wv.Uninitialised(v.shape, v.dtype)) if isinstance(v, library.Blank) else v
            for v in arguments.values()
        ]
        steps.append(Step(program, launch.grid, launch.block, passed, launch.shared_bytes))
    series = simulate_series(steps, constants=library.constants(entry, "step"), device=device, check=False)
    named = {name: series.buffers[name] for name in values[-1] if name in series.buffers}
    return library.mismatch(entry, "step", values, named)


@pytest.mark.sample(3)
@pytest.mark.parametrize("device", ["rtx2080", "a100", "rtx3090", "rtx4090"])
@pytest.mark.parametrize("key", ["reduction/shuffle", "matmul/tiled", "histogram/aggregated", "scan/shuffle"])
def test_other_architectures_give_the_results_of_numpy(key: str, device: str) -> None:
    assert library_results(key, device) is None


def test_a_scaled_address_gives_the_results_of_numpy() -> None:
    entry = library.entry("apsp/shared")
    program = wv.compile(entry.path, kernel="apsp_shared", defines=entry.defines, compiler="nvrtc", device="a100")
    assert any(i.native and ".X4" in i.native.text for i in program.instructions)
    assert library_results("apsp/shared", "a100") is None


def test_a_reduction_at_a_named_barrier_counts_the_threads_that_it_waits_for() -> None:
    reduction = "{ .reg .pred p; setp.ne.s32 p, %1, 0; barrier.red.popc.u32 %0, 4, 64, p; }"
    count = f'asm volatile("{reduction}" : "=r"(o[threadIdx.x]) : "r"(threadIdx.x % 3));'
    source = f"__global__ void f(int *o)\n{{\n    if (threadIdx.x < 64) {{ {count} }}\n}}\n"
    run = wv.simulate(wv.compile(source, compiler="nvrtc"), 1, 96, [np.zeros(96, np.int32)], device="h200")
    assert np.asarray(run.buffers["o"]).tolist() == [42] * 64 + [0] * 32


@pytest.mark.parametrize("device", ["rtx2080", "h200"])
def test_a_mask_that_syncwarp_is_given_is_waited_for(device: str) -> None:
    source = """__global__ void f(const unsigned *masks, int *out)
{
    __shared__ volatile int tile[32];
    int lane = threadIdx.x;
    if (lane < 16) {
        tile[lane] = lane;
        __syncwarp(masks[lane]);
        out[lane] = tile[lane ^ 8];
    } else {
        __syncwarp(0xffff0000u);
        out[lane] = -lane;
    }
}
"""
    program = wv.compile(source, compiler="nvrtc", device=device)
    assert any(i.native and i.native.mnemonic.startswith("WARPSYNC") for i in program.instructions)
    masks = np.full(32, 0xFFFF, np.uint32)
    run = wv.simulate(program, 1, 32, [masks, np.zeros(32, np.int32)], device=device)
    lanes = np.arange(32)
    assert run.findings == ()
    assert np.array_equal(run.buffers["out"], np.where(lanes < 16, lanes ^ 8, -lanes))


def test_a_barrier_without_a_reduction_shows_none() -> None:
    assert decode(0x000FEC00000100000000000000007B1D, 0, 90).text == "BAR.SYNC.DEFER_BLOCKING 0x0"


@pytest.mark.parametrize(("architecture", "text"), [(75, "WARPSYNC R0"), (89, "WARPSYNC R0"), (90, "WARPSYNC R9")])
def test_the_register_of_warpsync_is_where_nvdisasm_finds_it(architecture: int, text: str) -> None:
    assert decode(0x000FEA00038000000000000009007348, 0, architecture).text == text


@pytest.mark.parametrize(("factor", "suffix"), [(0.5, ".D2"), (0.25, ".D4"), (8.0, ".M8")])
def test_a_product_times_a_power_of_two_is_one_instruction(factor: float, suffix: str) -> None:
    text = f"out[threadIdx.x] = a[threadIdx.x] * a[31 - threadIdx.x] * {factor}f;"
    program = wv.compile(f"__global__ void f(const float *a, float *out) {{ {text} }}", compiler="nvrtc", device="h200")
    assert any(i.native and i.native.mnemonic == f"FMUL{suffix}" for i in program.instructions)
    values = np.linspace(-3, 7, 32, dtype=np.float32)
    run = wv.simulate(program, 1, 32, [values, np.zeros(32, np.float32)], device="h200")
    assert np.array_equal(run.buffers["out"], values * values[::-1] * np.float32(factor))


def test_a_comparison_as_a_float_is_one_or_zero() -> None:
    source = "__global__ void f(const float *a, float *out) { out[threadIdx.x] = a[threadIdx.x] > 0.5f ? 1.0f : 0.0f; }"
    program = wv.compile(source, compiler="nvrtc", device="h200")
    assert any(i.native and i.native.mnemonic.startswith("FSET") for i in program.instructions)
    values = np.linspace(-1, 1, 32, dtype=np.float32)
    run = wv.simulate(program, 1, 32, [values, np.zeros(32, np.float32)], device="h200")
    assert np.array_equal(run.buffers["out"], (values > 0.5).astype(np.float32))


def test_the_difference_of_pointers_is_one_instruction() -> None:
    text = """
__global__ void k(float *out) {
    int x = threadIdx.x;
    const float *first = out + 3, *here = out + x;
    out[x] = (here - first) + (first < here) + (int)((size_t)(here - out));
}"""
    program = wv.compile(text, compiler="nvrtc", device="h200")
    assert any(i.native and re.match(r"IMAD.WIDE R\d+, .*, -R\d+", i.native.text) for i in program.instructions)
    x = np.arange(32)
    for engine in ("profile", "sm"):
        out = wv.simulate(program, 1, 32, [np.zeros(32, np.float32)], device="h200", engine=engine).buffers["out"]
        assert np.array_equal(out, x - 3 + (x > 3) + x)
