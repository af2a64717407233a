"""What NVIDIA's compiler did to a kernel is found by comparing two runs of it."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import warpview as wv
from warpview import library
from warpview.devices import load_device
from warpview.run.code_comparison import ChangeKind, CodeChange, RunCode, code_changes
from warpview.run.library_launch import Changes, simulate_preset
from warpview.sass import nvrtc

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

# Each kernel's parameters are float *x, int *a, int n.
CONSTANT_DIVISOR = "__global__ void k(float *x, int *a, int n) {\n    a[threadIdx.x] =\n        a[threadIdx.x] / 10;\n}"
FLOAT_DIVISOR = "__global__ void k(float *x, int *a, int n) {\n    x[threadIdx.x] =\n        x[threadIdx.x] / 25;\n}"
REMAINDER = "__global__ void k(float *x, int *a, int n) {\n    a[threadIdx.x] =\n        a[threadIdx.x] % n;\n}"
DIVERGENT_CALL = """
__global__ void k(float *x, int *a, int n) {
    if (threadIdx.x & 1)
        x[threadIdx.x] = sinf(x[threadIdx.x]) * cosf(x[threadIdx.x]);
    else
        x[threadIdx.x] = powf(x[threadIdx.x], 3.5f);
}
"""
COUNTED = """
__global__ void k(float *x, int *a, int n) {
    float s = 0;
    for (int i = 0; i < n; i++)
        s += x[i * 32 + threadIdx.x];
    x[threadIdx.x] = s;
}
"""
ATOMICS = """
__global__ void k(float *x, int *a, int n) {
    __shared__ float sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, x[threadIdx.x]);
    __syncthreads();
    x[threadIdx.x] = sum;
    atomicAdd(&a[0], n);
    atomicAdd(&a[threadIdx.x], n);
}
"""
BY_A_MASKED_INDEX = """
__global__ void k(float *x, int *a, int n) {
    float v[4];
    for (int i = 0; i < 4; i++)
        v[i] = x[i * 32 + threadIdx.x];
    for (int i = 0; i < 4; i++)
        x[i * 32 + threadIdx.x] = v[(i + 4 * n) & 3];
}
"""


def changes(source: str, n: int) -> tuple[CodeChange, ...]:
    """The changes of a kernel of one warp over 2,048 floats and 32 integers."""
    codes = []
    for compiler in ("warpview", "nvrtc"):
        program = wv.compile(source, compiler=compiler, device="h200")
        arguments = [np.ones(2048, np.float32), np.arange(100, 132, dtype=np.int32), n]
        run = wv.simulate(program, 1, 32, arguments, device="h200")
        codes.append(RunCode(run.program, run.counts))
    return code_changes(codes[0], codes[1])


@cache
def of_library(key: str) -> tuple[CodeChange, ...]:
    codes = []
    for compiler in ("warpview", "nvrtc"):
        series = simulate_preset(library.entry(key), "step", load_device("h200"), Changes(), engine="profile",
                              compiler=compiler)  # fmt: skip
        codes.append(RunCode(series.launches[0].program, series.launches[0].counts))
    return code_changes(codes[0], codes[1])


def words(found: tuple[CodeChange, ...], kind: ChangeKind) -> dict[int, str]:
    return {change.line: change.words for change in found if change.kind == kind}


def test_loops_are_unrolled_by_their_factor_or_completely() -> None:
    tiled = words(of_library("matmul/tiled"), ChangeKind.UNROLLED)
    assert tiled[15].startswith("The loop is unrolled by 4: one iteration of the machine code does 4 of the source")
    assert tiled[20] == (
        "The loop is unrolled completely: its 16 iterations are written out one after the other, and 1\u202f024 "
        "branches back become none"
    )
    few = " in this launch, which has too few iterations for it and runs only the code of those left over"
    assert tiled[15].endswith(few)
    (by_factor,) = words(changes(COUNTED, 61), ChangeKind.UNROLLED).values()
    factor = int(by_factor.split("unrolled by ")[1].split(":")[0])
    assert factor in (2, 4, 8, 16)
    left = by_factor.split(" become ")[1].split(" ")[0]
    assert "61 branches back" in by_factor
    assert not by_factor.endswith(few)
    assert 0 < int(left) <= 61 // factor + factor


def test_short_branches_become_predicates_or_exits() -> None:
    found = of_library("reduction/sequential")
    predicated = words(found, ChangeKind.PREDICATED)[12]
    assert "6 instructions such as `@!P1 " in predicated
    assert "20 of them divergent, become none" in predicated
    assert "`@P0 EXIT` ends the lanes" in words(found, ChangeKind.EXIT)[17]


def test_a_branch_that_stays_is_not_told() -> None:
    found = changes(DIVERGENT_CALL, 1)
    assert 3 not in words(found, ChangeKind.PREDICATED)
    assert 3 not in words(found, ChangeKind.EXIT)


def test_loads_are_vectorised_or_saved() -> None:
    vector = words(of_library("matmul/tiled"), ChangeKind.VECTOR)
    moved = "One `LDS.128` moves 16 bytes a lane, where the source moves 4: 2\u202f048 shared loads become 1\u202f280"
    assert vector == {21: moved}
    assert set(words(of_library("mistakes/not_volatile"), ChangeKind.REUSED)) == {13, 14, 15, 16, 17}


def test_an_array_whose_indices_are_known_becomes_registers() -> None:
    (told,) = words(changes(BY_A_MASKED_INDEX, 1), ChangeKind.ARRAY).values()
    assert told == "The array `v` became registers: 8 accesses of local memory become none"


def test_an_array_with_an_index_of_the_run_stays_in_local_memory() -> None:
    (told,) = words(of_library("patterns/local_array"), ChangeKind.LOCAL).values()
    assert told.startswith("The array `counts` stayed in local memory (LDL, STL)")


@pytest.mark.parametrize(
    ("source", "how"),
    [
        (CONSTANT_DIVISOR, "`IMAD.HI`"),
        (FLOAT_DIVISOR, "`FCHK`"),
        (REMAINDER, "an approximate reciprocal (`MUFU.RCP`)"),
    ],
)
def test_divisions_say_what_stands_for_them(source: str, how: str) -> None:
    (told,) = words(changes(source, 7), ChangeKind.DIVISION).values()
    assert how in told


def test_atomics_say_what_stands_for_them() -> None:
    told = words(changes(ATOMICS, 7), ChangeKind.ATOMIC)
    assert set(told) == {7, 10}  # the one to an address of each lane's own stays
    assert "(`ATOMS.CAST.SPIN`), until each lane has stored: 32 atomics of lanes become " in told[7]
    attempts = int(told[7].split(" become ")[1].split(" ")[0])
    assert attempts >= 32
    assert told[10].endswith("): 32 atomics of lanes become 1")
    counted = words(of_library("histogram/shared"), ChangeKind.ATOMIC)
    assert set(counted) == {12}
    assert "`ATOMS.POPC.INC.32` adds to each address the number of lanes that name it" in counted[12]


def test_a_copy_stays_what_it_is() -> None:
    assert of_library("patterns/offset_copy") == ()
