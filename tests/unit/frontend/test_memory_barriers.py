"""Barriers in shared memory pass on what PTX and libcu++ say, as written as by NVRTC, and races past them are told."""

from __future__ import annotations

import numpy as np
import pytest
from support.compilers import COMPILERS

import warpview as wv

PRIMITIVES = """
#include <cuda_awbarrier_primitives.h>
__global__ void k(int *out) {
    __shared__ __mbarrier_t bar;
    if (threadIdx.x == 0) __mbarrier_init(&bar, 64);
    __syncthreads();
    if (threadIdx.x < 32) {
        const __mbarrier_token_t token = __mbarrier_arrive(&bar);
        if (threadIdx.x == 0) out[64] = __mbarrier_token_pending_count(token);
        out[threadIdx.x] = __mbarrier_test_wait(&bar, token);
    }
    __syncthreads();
    if (threadIdx.x >= 32) {
        const __mbarrier_token_t token = __mbarrier_arrive_and_drop(&bar);
        while (!__mbarrier_try_wait(&bar, token, 100)) {}
        out[threadIdx.x] = 10 * __mbarrier_test_wait_parity(&bar, false) + __mbarrier_test_wait_parity(&bar, true);
    }
    __syncthreads();
    if (threadIdx.x < 32) while (!__mbarrier_test_wait(&bar, __mbarrier_arrive(&bar)) && threadIdx.x == 40) {}
    __syncthreads();
    if (threadIdx.x == 0) { out[65] = __mbarrier_test_wait_parity(&bar, true); out[66] = __mbarrier_maximum_count(); }
    __mbarrier_inval(&bar);
}
"""
# A warp produces eight tiles in a ring of two, another one consumes them (CUDA C++ Programming Guide, "Warp
# Specialization", with bulk copies).
RING = """
#include <cuda/barrier>
#include <cuda/ptx>
#include <cstdint>
namespace ptx = cuda::ptx;
__global__ void k(int *out) {
    __shared__ alignas(128) int ring[2][32];
    __shared__ uint64_t full[2], empty[2];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (warp == 0) for (int i = lane; i < 256; i += 32) out[i + 256] = i * i;
    if (threadIdx.x == 0)
        for (int s = 0; s < 2; s++) { ptx::mbarrier_init(&full[s], 1); ptx::mbarrier_init(&empty[s], 32); }
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::fence_proxy_async();
    __syncthreads();
    if (warp == 0 && lane == 0) {
        for (int t = 0; t < 8; t++) {
            while (!ptx::mbarrier_try_wait_parity(&empty[t % 2], (uint32_t)(t / 2 & 1 ^ 1))) {}
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[t % 2], 128u);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, ring[t % 2], out + 256 + 32 * t, 128u,
                               &full[t % 2]);
        }
    } else if (warp == 1) {
        int sum = 0;
        for (int t = 0; t < 8; t++) {
            WAIT
            sum += ring[t % 2][lane] * (t + 1);
            ptx::mbarrier_arrive(&empty[t % 2]);
        }
        out[lane] = sum;
    }
}
"""
WAIT = "while (!ptx::mbarrier_try_wait_parity(&full[t % 2], (uint32_t)(t / 2 & 1))) {}"
LIBRARY = """
#include <cuda/barrier>
#include <utility>
using barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void k(int *out) {
    __shared__ alignas(16) int data[128];
    __shared__ barrier bar;
    for (int i = threadIdx.x; i < 128; i += 64) out[128 + i] = 7 * i;
    if (threadIdx.x == 0) { init(&bar, 64); out[64] = sizeof(barrier); out[65] = barrier::max(); }
    __syncthreads();
    barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(data, out + 128, cuda::aligned_size_t<16>(sizeof(data)), bar);
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof(data));
    } else {
        token = bar.arrive();
    }
    bar.wait(std::move(token));
    int sum = data[127 - threadIdx.x];
    if (threadIdx.x >= 48) { bar.arrive_and_drop(); out[threadIdx.x] = sum; return; }
    for (int i = 0; i < 3; i++) {
        bar.arrive_and_wait();
        data[threadIdx.x] += 1;
        bar.arrive_and_wait();
        sum += data[(threadIdx.x + i) % 48];
    }
    out[threadIdx.x] = sum;
}
"""
GLOBAL = """
#include <cuda/barrier>
using barrier = cuda::barrier<cuda::thread_scope_device>;
__global__ void k(int *out) {
    barrier *bar = (barrier *)(out + 448);
    if (threadIdx.x == 0 && blockIdx.x == 0) { init(bar, 64); __threadfence(); atomicExch(out + 450, 1); }
    while (atomicAdd(out + 450, 0) == 0) {}
    __threadfence();
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = t;
    bar->arrive_and_wait();
    out[64 + t] = 2 * out[63 - t];
}
"""


def primitives() -> np.ndarray:
    found = np.zeros(67, np.int32)
    found[32:64], found[64:] = 10, (64, 1, (1 << 14) - 1)
    return found


def ring() -> np.ndarray:
    return (np.arange(256).reshape(8, 32) ** 2 * np.arange(1, 9)[:, None]).sum(axis=0)


def library() -> np.ndarray:
    thread, rounds = np.arange(64), np.arange(3)
    sums = 7 * (127 - thread)
    sums[:48] += (7 * ((thread[:48, None] + rounds) % 48) + rounds + 1).sum(axis=1)
    return np.append(sums, [8, (1 << 20) - 1])


def of_device() -> np.ndarray:
    return np.append(np.arange(64), 2 * np.arange(64)[::-1])


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize(
    ("source", "blocks", "expected", "engines"),
    [
        pytest.param(PRIMITIVES, 1, primitives(), ("profile", "sm"), id="primitives"),
        pytest.param(RING.replace("WAIT", WAIT), 1, ring(), ("profile",), id="ring"),
        pytest.param(LIBRARY, 1, library(), ("profile",), id="library"),
        pytest.param(GLOBAL, 2, of_device(), ("profile",), id="device"),
    ],
)
def test_barriers_pass_on_what_they_guard(
    source: str, blocks: int, expected: np.ndarray, engines: tuple[str, ...], compiler: str
) -> None:
    program = wv.compile(source, compiler=compiler, device="h200")
    for engine in engines:
        run = wv.simulate(program, blocks, 64 // blocks, [np.zeros(512, np.int32)], device="h200", engine=engine)
        assert run.buffers["out"][: len(expected)].tolist() == expected.tolist()
        assert not run.findings


def test_a_consumer_that_does_not_wait_races() -> None:
    run = wv.simulate(wv.compile(RING.replace("WAIT", "")), 1, 64, [np.zeros(512, np.int32)], device="h200")
    assert [finding.kind for finding in run.findings if "ring" in finding.render()] == ["race"]


@pytest.mark.parametrize(
    ("statement", "device", "reason"),
    [
        ("mbarrier.init.shared.b64 [%0], 1;", "v100", "barriers in shared memory"),
        ("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 1;", "a100", "bulk copies, and barriers"),
    ],
)
def test_older_devices_have_no_such_barriers(statement: str, device: str, reason: str) -> None:
    text = "__global__ void k(int *out) { __shared__ unsigned long long bar; asm volatile(STATEMENT : : PLACE); }"
    place = '"r"((unsigned)__cvta_generic_to_shared(&bar))'
    program = wv.compile(text.replace("STATEMENT", f'"{statement}"').replace("PLACE", place))
    with pytest.raises(wv.LaunchError, match=reason):
        wv.simulate(program, 1, 32, [np.zeros(32, np.int32)], device=device)


def test_a_barrier_of_the_library_needs_atomics_on_its_word() -> None:
    with pytest.raises(wv.LaunchError, match="64-bit atomics on shared memory"):
        wv.simulate(wv.compile(LIBRARY), 1, 64, [np.zeros(512, np.int32)], device="8800gtx")
