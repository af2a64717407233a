"""Asynchronous copies in inline PTX move what PTX says, as written as by NVRTC, and others are refused."""

from __future__ import annotations

import numpy as np
import pytest
from support.compilers import COMPILERS

import warpview as wv
from warpview.diagnostics import CompileError

KERNEL = r"""
__device__ inline unsigned place(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__global__ void k(const int4 *in, int4 *out, int n) {
    __shared__ int4 tile[64], second[64];
    int t = threadIdx.x;
    second[t] = make_int4(-1, -1, -1, -1);
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2, %3;\n"
                 ::"r"(place(&tile[t])), "l"(in + t), "n"(16), "r"(t < n ? 16 : t % 16));
    asm volatile("cp.async.commit_group;\n" ::: "memory");
    asm volatile("cp.async.wait_group %0;\n" ::"n"(0) : "memory");
    asm volatile("{.reg .pred p; setp.ge.s32 p, %2, %3; cp.async.ca.shared::cta.global [%0+4], [%1+8], 4, p;}"
                 ::"r"(place(&second[t])), "l"(in + t), "r"(t), "r"(n));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, 6;" ::"r"(place(&second[t].z)), "l"(in + t));
    asm volatile("cp.async.wait_all;");
    __syncthreads();
    out[t] = tile[63 - t];
    out[64 + t] = second[63 - t];
}
"""
GIVEN = np.arange(1, 257, dtype=np.int32) * 16_843_009


def expected(n: int) -> np.ndarray:
    """Return what the kernel writes: copies are whole below ``n`` and else end after some bytes."""
    first = GIVEN.reshape(64, 4).copy()
    second = np.full((64, 4), -1, np.int32)
    second[:, 1] = np.where(np.arange(64) < n, first[:, 2], 0)
    second[:, 2], second[:, 3] = first[:, 0], first[:, 1] & 0xFFFF
    for t in range(n, 64):
        first.view(np.uint8).reshape(64, 16)[t, t % 16 :] = 0
    return np.concatenate([first[::-1], second[::-1]]).ravel()


@pytest.mark.parametrize("engine", ["profile", "sm"])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_copies_move_their_bytes(compiler: str, engine: str) -> None:
    program = wv.compile(KERNEL, kernel="k", compiler=compiler, device="h200")
    run = wv.simulate(program, 1, 64, [GIVEN, np.zeros(512, np.int32), 40], device="h200", engine=engine)
    assert run.buffers["out"].tolist() == expected(40).tolist()
    assert not run.findings


def test_a_whole_copy_is_one_access() -> None:
    text = """__global__ void k(const int4 *in, int *out) {
        __shared__ int4 tile[32];
        asm("cp.async.ca.shared.global [%0], [%1], 16;" ::"l"(__cvta_generic_to_shared(&tile[threadIdx.x])),
            "l"(in + threadIdx.x));
        out[threadIdx.x] = tile[threadIdx.x].y;
    }"""
    run = wv.simulate(wv.compile(text, kernel="k"), 1, 32, [GIVEN, np.zeros(32, np.int32)], device="h200")
    assert run.buffers["out"].tolist() == GIVEN[1:128:4].tolist()
    assert [run.counters[name] for name in ("global_ld_requests", "global_ld_sectors")] == [1, 16]


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ('asm("cp.async.cg.shared.global [%0], [%1], 8;" ::"r"(0), "l"(p));', "'cp.async.cg.shared.global' is not"),
        (
            'asm("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%0, {%1}], [%2];" ::"l"(p), "r"(0), "r"(0));',
            "'cp.async.bulk.tensor.1d.global.shared::cta.bulk_group' is not supported",
        ),
        (
            'asm("cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f16 [%0], [%1], 16;" ::"l"(p), "r"(0));',
            "'cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f16' is not supported",
        ),
    ],
)
def test_other_copies_are_refused(statement: str, message: str) -> None:
    with pytest.raises(CompileError) as caught:
        wv.compile(f"__global__ void k(int *p) {{ {statement} }}", kernel="k")
    assert message in caught.value.diagnostics[0].message


def test_devices_before_compute_capability_8_0_have_none() -> None:
    program = wv.compile(KERNEL, kernel="k")
    with pytest.raises(wv.LaunchError, match="asynchronous copies to shared memory"):
        wv.simulate(program, 1, 32, [GIVEN, np.zeros(512, np.int32), 40], device="v100")
