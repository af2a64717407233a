"""Products of matrices as written give the bits of NVIDIA's machine code, by both engines: mma.sync and wmma."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from support.agreement import assert_same

import warpview as wv
from warpview.devices import load_device
from warpview.diagnostics import SourceText
from warpview.frontend import compile_source
from warpview.isa.matrices import PRODUCTS, MatrixProduct
from warpview.isa.program import Program
from warpview.isa.types import Type
from warpview.sass import nvrtc
from warpview.sim.arguments.binding import bind
from warpview.sim.engine import run_profile
from warpview.sim.launch import Options
from warpview.sim.reference import run_reference

needs_nvrtc = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
H200 = load_device("h200")
CTYPES = {Type.U32: ("unsigned", "r"), Type.S32: ("int", "r"), Type.F32: ("float", "f"), Type.F64: ("double", "d")}


def assembly(matrix: MatrixProduct) -> str:
    """Return a kernel of one product, whose fragments lie in memory register by register."""
    name = matrix.name.lower().replace("_", ".", 1).replace("_", ".")
    shape, types = name.split(".", 1)
    of, result = CTYPES[matrix.operand_type], CTYPES[matrix.type]
    counts = matrix.d, matrix.a, matrix.b, matrix.d
    starts = np.cumsum([0, *counts])
    lists = ["{" + ", ".join(f"%{first + k}" for k in range(n)) + "}" for first, n in zip(starts, counts, strict=False)]
    operands = ", ".join(
        f'"{constraint}"({buffer}[32 * {k} + t])'
        for buffer, (_, constraint), count in (("a", of, matrix.a), ("b", of, matrix.b), ("c", result, matrix.d))
        for k in range(count)
    )
    results = ", ".join(f'"={result[1]}"(r[{k}])' for k in range(matrix.d))
    stores = " ".join(f"d[32 * {k} + t] = r[{k}];" for k in range(matrix.d))
    return f"""
    __global__ void k(const {of[0]} *a, const {of[0]} *b, const {result[0]} *c, {result[0]} *d) {{
        int t = threadIdx.x; {result[0]} r[{matrix.d}];
        asm volatile("mma.sync.aligned.{shape}.row.col.{types} {", ".join(lists)};" : {results} : {operands});
        {stores}
    }}
    """


def numbers(type_: Type, count: int, rng: np.random.Generator) -> NDArray[np.generic]:
    """Return patterns for a register of each lane: any, but of doubles, most of which would be far apart."""
    if type_ == Type.F64:
        return rng.normal(size=32 * count)
    bits = rng.integers(0, 1 << 32, 32 * count, dtype=np.uint64).astype(np.uint32)
    return bits.view({Type.F32: np.float32, Type.S32: np.int32}.get(type_, np.uint32))


def compiled(text: str) -> Program:
    return compile_source(SourceText("k.cu", text), "k")


def result(text: str, arguments: list[object], compiler: str) -> NDArray[np.uint8]:
    """Return the bytes of the last buffer after a launch of one warp."""
    program = wv.compile(text, kernel="k", compiler=compiler, device="h200")
    run = wv.simulate(program, grid=1, block=32, args=arguments, device="h200")
    assert run.findings == ()
    return list(run.buffers.values())[3].view(np.uint8)


def both_engines(program: Program, arguments: list[object]) -> None:
    outcomes = []
    for engine in (run_reference, run_profile):
        names = (param.name for param in program.params)
        binding = bind(program, (1, 1, 1), (32, 1, 1), dict(zip(names, arguments, strict=True)), 0)
        outcomes.append(engine(program, H200, binding.launch, binding.memory, Options()))
    assert_same(program, *outcomes)


def operands(matrix: MatrixProduct) -> tuple[str, list[object]]:
    rng = np.random.default_rng(7)
    of = matrix.operand_type
    a, b, c = numbers(of, matrix.a, rng), numbers(of, matrix.b, rng), numbers(matrix.type, matrix.d, rng)
    return assembly(matrix), [a, b, c, np.zeros_like(c)]


@pytest.mark.parametrize("matrix", PRODUCTS, ids=lambda matrix: matrix.name)
def test_both_engines_compute_each_product(matrix: MatrixProduct) -> None:
    text, arguments = operands(matrix)
    both_engines(compiled(text), arguments)


@needs_nvrtc
@pytest.mark.sample(6)
@pytest.mark.parametrize("matrix", PRODUCTS, ids=lambda matrix: matrix.name)
def test_each_product_is_that_of_machine_code(matrix: MatrixProduct) -> None:
    text, arguments = operands(matrix)
    assert np.array_equal(result(text, arguments, "warpview"), result(text, arguments, "nvrtc"))


# ------------------------------------------------------------------------------------------------ wmma

LAYOUTS = [
    ("row_major", "col_major", "mem_row_major"), ("col_major", "row_major", "mem_col_major"),
    ("row_major", "row_major", "mem_row_major"), ("col_major", "col_major", "mem_col_major"),
]  # fmt: skip
SHAPES = [(16, 16, 16), (32, 8, 16), (8, 32, 16)]
TYPES = [
    ("half", "float"), ("half", "half"), ("__nv_bfloat16", "float"), ("signed char", "int"), ("unsigned char", "int"),
]  # fmt: skip
CASES = [
    *((*types, types[0], shape, layouts) for types, shape, layouts in product(TYPES, SHAPES, LAYOUTS)),
    *(("float", "float", "wmma::precision::tf32", (16, 16, 8), layouts) for layouts in LAYOUTS),
    *(("double", "double", "double", (8, 8, 4), layouts) for layouts in LAYOUTS),
]
WMMA = """
#include <mma.h>
using namespace nvcuda;
__global__ void k(const %(of)s *a, const %(of)s *b, const %(to)s *c, %(to)s *d, int lda, int ldb, int ldc) {
    wmma::fragment<wmma::matrix_a, %(shape)s, %(kind)s, wmma::%(left)s> fa[2];
    wmma::fragment<wmma::matrix_b, %(shape)s, %(kind)s, wmma::%(right)s> fb;
    wmma::fragment<wmma::accumulator, %(shape)s, %(to)s> fc, sum;
    wmma::load_matrix_sync(fa[1], a, lda);
    wmma::load_matrix_sync(fb, b, ldb);
    wmma::load_matrix_sync(fc, c, ldc, wmma::%(layout)s);
    wmma::fill_fragment(sum, %(to)s(1));
    for (int i = 0; i < fa[0].num_elements; i++) fa[0].x[i] = %(prepared)s;
    wmma::mma_sync(sum, fa[0], fb, fc%(limit)s);
    wmma::mma_sync(sum, fa[1], fb, sum%(limit)s);
    for (int i = 0; i < sum.num_elements; i++) sum.x[i] = sum.x[i] + fc.x[i];
    wmma::store_matrix_sync(d, sum, ldc, wmma::%(layout)s);
}
"""


def elements(ctype: str, rng: np.random.Generator) -> NDArray[np.generic]:
    """Return a matrix of a type, larger than any fragment."""
    n = 64 * 64
    if ctype in ("half", "__nv_bfloat16"):
        single = rng.normal(size=n).astype(np.float32)
        return single.astype(np.float16) if ctype == "half" else (single.view(np.uint32) >> 16).astype(np.uint16)
    if ctype in ("float", "double"):
        return rng.normal(size=n).astype(np.float32 if ctype == "float" else np.float64)
    kind = {"int": np.int32, "signed char": np.int8, "unsigned char": np.uint8}[ctype]
    limits = np.iinfo(kind)
    return rng.integers(limits.min, limits.max, n, kind, endpoint=True)


def in_wmma(case: tuple[str, str, str, tuple[int, int, int], tuple[str, str, str]]) -> tuple[str, list[object]]:
    """Return a kernel with its arguments: rows of the matrices are longer than those of the fragments."""
    of, to, kind, (m, n, k), (left, right, layout) = case
    prepared = "wmma::__float_to_tf32(fa[1].x[i])" if "tf32" in kind else f"fa[1].x[i] * ({of})2"
    text = WMMA % {
        "of": of, "to": to, "kind": kind, "shape": f"{m}, {n}, {k}", "left": left, "right": right, "layout": layout,
        "prepared": prepared, "limit": ", true" if to == "int" and left == "row_major" else "",
    }  # fmt: skip
    rng = np.random.default_rng(11)
    c = elements(to, rng)
    lengths = (
        k if left == "row_major" else m,
        n if right == "row_major" else k,
        n if layout.endswith("w_major") else m,
    )
    arrays = [elements(of, rng), elements(of, rng), c, np.zeros_like(c)]
    return text, [*arrays, *(np.int32(length + 16) for length in lengths)]


@needs_nvrtc
@pytest.mark.sample(12)
@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(map(str, (*case[1:3], *case[3], *case[4]))))
def test_fragments(case: tuple[str, str, str, tuple[int, int, int], tuple[str, str, str]]) -> None:
    text, arguments = in_wmma(case)
    assert compiled(text).local_bytes == 0, "fragments live in registers"
    assert np.array_equal(result(text, arguments, "warpview"), result(text, arguments, "nvrtc"))


def test_lanes_hold_the_elements_of_the_hardware() -> None:
    """As read from an H200's code: two neighbours of a row, then of the row 8 below, then 8 columns on."""
    text = """
    #include <mma.h>
    using namespace nvcuda::wmma;
    __global__ void k(const half *in, float *out) {
        fragment<matrix_a, 16, 16, 16, half, row_major> a;
        load_matrix_sync(a, in, 16);
        for (int i = 0; i < a.num_elements; i++) out[32 * i + threadIdx.x] = a.x[i];
    }
    """
    program = wv.compile(text, kernel="k")
    source = np.arange(256, dtype=np.float16)
    run = wv.simulate(program, grid=1, block=32, args=[source, np.zeros(512, np.float32)], device="h200")
    lane, i = np.meshgrid(np.arange(32), np.arange(16) % 8)
    expected = 16 * (lane // 4 + 8 * (i // 2 % 2)) + 2 * (lane % 4) + i % 2 + 8 * (i // 4)
    assert np.array_equal(run.buffers["out"].reshape(16, 32), expected)


def test_an_undefined_operand_makes_the_whole_product_undefined() -> None:
    text = """
    #include <mma.h>
    using namespace nvcuda::wmma;
    __global__ void k(const half *in, float *out) {
        fragment<matrix_a, 16, 16, 16, half, row_major> a;
        fragment<matrix_b, 16, 16, 16, half, row_major> b;
        fragment<accumulator, 16, 16, 16, float> c;
        load_matrix_sync(a, in, 16);
        load_matrix_sync(b, in, 16);
        mma_sync(c, a, b, c);
        if (c.x[3] > 0) out[threadIdx.x] = 1;
    }
    """
    program = wv.compile(text, kernel="k")
    run = wv.simulate(
        program, grid=1, block=32, args=[np.ones(256, np.float16), np.zeros(32, np.float32)], device="h200"
    )
    assert [finding.kind for finding in run.findings] == ["uninitialised read"]


@pytest.mark.parametrize(
    ("types", "device", "needed"),
    [
        ("half", "gtx1080", "7.0"),
        ("__nv_bfloat16", "v100", "8.0"),
        ("double", "v100", "8.0"),
        ("signed char", "v100", "7.2"),
    ],
)
def test_devices_without_the_tensor_cores_are_named(types: str, device: str, needed: str) -> None:
    case = next(case for case in CASES if case[0] == types)
    text, arguments = in_wmma(case)
    with pytest.raises(wv.LaunchError, match=needed.replace(".", r"\.")):
        wv.simulate(wv.compile(text, kernel="k"), grid=1, block=32, args=arguments, device=device)


def test_a_volta_multiplies_halves() -> None:
    text, arguments = in_wmma(CASES[0])
    run = wv.simulate(wv.compile(text, kernel="k"), grid=1, block=32, args=arguments, device="v100")
    assert np.isfinite(run.buffers["d"]).all()
    assert run.buffers["d"].any()
