"""CUDA C++ and PTX require the same compute capability for the same feature, and call it by the same name.

The capabilities are those of the CUDA C++ Programming Guide, "Feature Support per Compute Capability".
"""

from __future__ import annotations

from pathlib import Path

import pytest
from support.kernels import program_of
from support.ptx import kernel

import warpview as wv

SHARED = "__shared__ unsigned long long s; "
IN_SHARED = ".shared .align 8 .b64 s;\n"
FEATURES = {
    "atomics": ((1, 1), "atomicAdd(a, n);", "red.global.add.u32 [%out], 1;"),
    "atomics on shared memory": ((1, 2), "atomicAdd((int *)&s, n);", "red.shared.add.u32 [s], 1;"),
    "64-bit atomics": ((1, 2), "atomicAdd(w, 1ull);", "red.global.add.u64 [%out], 1;"),
    "64-bit atomics on shared memory": ((2, 0), "atomicAdd(&s, 1ull);", "red.shared.add.u64 [s], 1;"),
    "atomic addition of floats": ((2, 0), "atomicAdd(f, 1.0f);", "red.global.add.f32 [%out], 0f3F800000;"),
    "atomic addition of doubles": ((6, 0), "atomicAdd(d, 1.0);", "red.global.add.f64 [%out], 0d3FF0000000000000;"),
    "double precision": ((1, 3), "d[0] = d[1] + 2;", "add.f64 %fd1, %fd2, 0d3FF0000000000000;"),
    "warp votes": ((1, 2), "a[0] = __any_sync(~0u, n);", "vote.sync.any.pred %p1, %p2, 0xffffffff;"),
    "warp ballots": ((2, 0), "a[0] = __ballot_sync(~0u, n);", "vote.sync.ballot.b32 %r1, %p2, 0xffffffff;"),
    "barriers that reduce a predicate": (
        (2, 0), "a[0] = __syncthreads_count(n);", "barrier.sync.aligned 0; bar.red.popc.u32 %r1, 0, %p1;"
    ),
    "warp shuffles": (
        (3, 0), "a[0] = __shfl_sync(~0u, n, 0);", "shfl.sync.idx.b32 %r1, %r2, 0, 31, 0xffffffff;"
    ),
    "dot products of bytes": ((6, 1), "a[0] = __dp4a(n, n, n);", "dp4a.s32.s32 %r1, %r2, %r3, %r4;"),
    "warp matches": ((7, 0), "a[0] = __match_any_sync(~0u, n);", "match.any.sync.b32 %r1, %r2, 0xffffffff;"),
    "nanosleep": ((7, 0), "__nanosleep(n);", "nanosleep.u32 %r1;"),
    "warp reductions": ((8, 0), "a[0] = __reduce_add_sync(~0u, n);", "redux.sync.add.s32 %r1, %r2, 0xffffffff;"),
}  # fmt: skip


@pytest.mark.parametrize("name", FEATURES)
def test_both_languages_require_the_same(name: str, tmp_path: Path) -> None:
    capability, body, instruction = FEATURES[name]
    parameters = "int *a, double *d, float *f, unsigned long long *w, int n"
    of_cuda = program_of(f"__global__ void k({parameters}) {{ {SHARED} {body} }}")
    (tmp_path / "k.ptx").write_text(kernel(instruction, IN_SHARED))
    of_ptx = wv.compile(tmp_path / "k.ptx", device="gtx480")
    assert (of_cuda.minimum_capability, of_ptx.minimum_capability) == (capability, capability)
    assert of_cuda.capability_reason == name
    assert of_ptx.capability_reason.startswith(f"{name}: '")
