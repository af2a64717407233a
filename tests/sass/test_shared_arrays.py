"""The arrays in shared memory of machine code and of PTX are found by name, type and place."""

from __future__ import annotations

import random

import numpy as np
import pytest

import warpview as wv
from warpview.diagnostics import SourceText
from warpview.isa.types import Space, Type
from warpview.run.nvrtc_program import compile_with_nvrtc
from warpview.sass import nvrtc
from warpview.sass.shared_arrays import shared_arrays

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

TYPES = ("char", "short", "int", "float", "double", "float4", "int2")
ALIGNED = ("", "", "", "__align__(16) ", "__align__(128) ")
TILES = """
__global__ void k(float *x) {
    __shared__ float tile[32][33];
    __shared__ int unused[7];
    __shared__ double d[16];
    extern __shared__ short dyn[];
    int t = threadIdx.x;
    tile[t][0] = x[t];
    d[t & 15] = x[t];
    dyn[t] = t;
    __syncthreads();
    x[t] = tile[31 - t][0] + d[(t + 1) & 15] + dyn[31 - t];
}
"""


@pytest.mark.parametrize(("architecture", "reserved"), [(75, 0), (80, 0), (89, 0), (90, 1024), (120, 1024)])
def test_bytes_that_the_system_reserves_are_no_array_of_the_kernel_s(architecture: int, reserved: int) -> None:
    """NVRTC 13 writes them into the shared memory of a kernel for sm_90 and later, not of one for sm_80 to sm_89."""
    program = compile_with_nvrtc(SourceText("tiles.cu", TILES), None, None, architecture)
    assert program.native is not None
    assert program.native.shared_base == reserved
    assert program.static_shared_bytes == 32 * 33 * 4 + 16 * 8


def _shared(program: wv.Program) -> dict[str, tuple]:
    held = (v for v in program.variables if v.space == Space.SHARED)
    return {v.name: (v.ctype, v.type, v.offset, v.dims) for v in held}


@pytest.mark.parametrize("device", ["gtx480", "rtx2080", "h200", "b200"])
def test_arrays_have_their_names_and_types(device: str) -> None:
    assert _shared(wv.compile(TILES, compiler="nvrtc", device=device)) == {
        "tile": ("float", Type.F32, 0, (32, 33)),
        "d": ("double", Type.F64, 4224, (16,)),
        "dyn": ("short", Type.S16, 4352, (0,)),
    }


@pytest.mark.parametrize("seed", range(4))
def test_arrays_lie_where_the_kernel_says_they_do(seed: int) -> None:
    """The kernel writes the addresses of its arrays."""
    chance = random.Random(seed)
    names = [f"v{k}" for k in range(chance.randint(2, 6))]
    declared = [
        f"__shared__ {chance.choice(ALIGNED)}{chance.choice(TYPES)} {name}[{chance.choice((1, 3, 7, 16, 33, 64))}];"
        for name in names
    ]
    names.append("dyn")
    declared.append("extern __shared__ float dyn[];")
    order = chance.sample(names, len(names))
    touched = "".join(f"*(volatile char *){name} = 1;" for name in order)
    told = "".join(f"out[{k}] = (unsigned)__cvta_generic_to_shared((void *){name});" for k, name in enumerate(names))
    program = wv.compile(
        f"__global__ void k(unsigned *out) {{ {''.join(declared)} {touched} {told} }}", compiler="nvrtc", device="h200"
    )
    out = np.zeros(len(names), np.uint32)
    run = wv.simulate(program, 1, 1, [out], device="h200", shared_bytes=64, check=False)
    offsets = {v.name: v.offset for v in program.variables if v.space == Space.SHARED}
    assert dict(zip(names, run.buffers["out"] - 1024, strict=True)) == offsets


def test_values_of_two_kernels_are_not_mixed_up() -> None:
    both = TILES + TILES.replace("void k(", "void other(").replace("float tile[32][33]", "int bins[40]").replace(
        "tile[t][0]", "bins[t]").replace("tile[31 - t][0]", "bins[31 - t]")  # fmt: skip
    assert "tile" in _shared(wv.compile(both, kernel="k", compiler="nvrtc", device="h200"))
    assert _shared(wv.compile(both, kernel="other", compiler="nvrtc", device="h200"))["bins"][2:] == (0, (40,))


def test_a_size_that_does_not_agree_tells_nothing() -> None:
    ptx = ".visible .entry k(\n)\n{\n.shared .align 4 .b8 a[64];\nret;\n}\n"
    assert [v.name for v in shared_arrays(ptx, "k", 64, {})] == ["a"]
    assert shared_arrays(ptx, "k", 128, {}) == ()
    assert shared_arrays("", "k", 64, {}) == ()


def test_a_finding_names_the_array() -> None:
    source = "__global__ void k(int *a) { __shared__ int left[32]; a[threadIdx.x] = left[threadIdx.x]; }"
    program = compile_with_nvrtc(wv.diagnostics.SourceText("k.cu", source), None, None, 90)
    run = wv.simulate(program, 1, 32, [np.zeros(32, np.int32)], device="h200")
    assert any("left" in finding.message for finding in run.findings)
