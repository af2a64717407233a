"""The multiprocessors agree on the times of machine code: register banks, queues, scoreboards, convergence barriers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

try:
    from warpview.sass import nvrtc

    HAS_NVRTC = nvrtc.is_installed()
except ImportError:
    HAS_NVRTC = False

import warpview as wv
from warpview.devices import load_device
from warpview.sim.arguments.binding import bind
from warpview.sim.engine_sm import run_sm
from warpview.sim.history.events import SmOptions
from warpview.sim.launch import Options
from warpview.sim.reference.machine_sm import run_sm_reference
from warpview.sim.timing.instruction_costs import register_reads

pytestmark = pytest.mark.skipif(not HAS_NVRTC, reason="NVRTC is not installed")

SOURCE = """
__global__ void polynomial(const float *in, float *out, float a, float b)
{
    float x = in[threadIdx.x], y = in[threadIdx.x + 32], z = in[threadIdx.x + 64];
    for (int k = 0; k < 5; k++) {
        float s = x * y + z, t = y * z + x, u = z * x + y;
        x = s * t + a, y = t * u + b, z = u * s + x;
        if (x > y)
            out[(threadIdx.x * 8 + k) % 256] = z;
    }
    out[256 + threadIdx.x] = x + y + z;
}
__global__ void turn(const float *in, float *out, float a, float b)
{
    __shared__ float tile[64 * 3];
    for (int k = 0; k < 3; k++)
        tile[threadIdx.x * 3 + k] = in[(threadIdx.x * 5 + k) % 128] * a;
    __syncthreads();
    for (int k = 0; k < 6; k++)
        out[threadIdx.x * 8 + k] = tile[(threadIdx.x * 2 + k * 32) % 192] + b;
}
__global__ void add(const float *in, float *out, float a, float b)
{
    __shared__ float sums[4];
    if (threadIdx.x < 4)
        sums[threadIdx.x] = a;
    __syncthreads();
    atomicAdd(&sums[threadIdx.x % 3], in[threadIdx.x]);
    __syncthreads();
    out[threadIdx.x] = sums[threadIdx.x % 4];
}
__global__ void count(const float *in, float *out, float a, float b)
{
    float x = atomicAdd(&out[threadIdx.x % 5], in[threadIdx.x]);
    for (int k = 0; k < 4; k++)
        atomicAdd(&out[8 + (threadIdx.x * k) % 40], x * in[threadIdx.x + k]);
    out[64 + threadIdx.x] = in[threadIdx.x * 2] * a + b;
}
__global__ void swap(const float *in, float *out, float a, float b)
{
    int *words = (int *)out, found = 0;
    for (int k = 0; k < 4; k++)
        found += atomicCAS(&words[(threadIdx.x * k) % 40], found, k) + atomicExch(&words[threadIdx.x % 5], k);
    out[64 + threadIdx.x] = in[threadIdx.x * 2] * a + b + found;
}
__global__ void flag(const float *in, float *out, float a, float b)
{
    float x = in[threadIdx.x], y = in[threadIdx.x + 32];
    for (int k = 0; k < 5; k++) {
        x = x * y + __ldcg(&in[(threadIdx.x * 7 + k * 32) % 128]) * a;
        if (x > b)
            out[0] = a;
        out[8 + threadIdx.x * 8 + k % 3] = x;
    }
}
__global__ void rows(const float *in, float *out, float a, float b)
{
    __shared__ float tile[64 * 32];
    float sum = 0;
    for (int k = 0; k < 8; k++) {
        tile[threadIdx.x * 32 + k] = in[threadIdx.x % 4 * 32 + k] * a;
        tile[threadIdx.x * 32 + 16 + k] = in[threadIdx.x % 4 * 32 + 16 + k] + b;
    }
    for (int k = 0; k < 24; k++)
        sum += tile[threadIdx.x * 32 + k];
    out[threadIdx.x * 8] = sum + __ldcg(&in[threadIdx.x]);
}
__global__ void bulk(const float *in, float *out, float a, float b)
{
    __shared__ __align__(16) float tile[2][64];
    __shared__ __align__(8) unsigned long long barrier;
    unsigned bar = __cvta_generic_to_shared(&barrier), done = 0;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 1; fence.mbarrier_init.release.cluster;" :: "r"(bar));
    __syncthreads();
    for (int k = 0; k < 3; k++) {
        if (threadIdx.x == 0) {
            asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 512;" :: "r"(bar));
            for (int half = 0; half < 2; half++)
                asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];"
                             :: "r"((unsigned)__cvta_generic_to_shared(tile[half])), "l"(in + 64 * half), "r"(bar));
        }
        for (done = 0; !done;)
            asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                         : "=r"(done) : "r"(bar), "r"(k & 1) : "memory");
        out[threadIdx.x * 4 + k] = tile[1][threadIdx.x] * a + b;
        __syncthreads();
    }
}
"""


@pytest.mark.parametrize("kernel", ["polynomial", "turn", "add", "count", "swap", "flag", "rows", "bulk"])
def test_both_multiprocessors_take_as_long(kernel: str) -> None:
    program = wv.compile(SOURCE, kernel, compiler="nvrtc", device="h200")
    device = replace(load_device("h200"), multiprocessors=2)  # the first of them executes two of the three blocks
    results = []
    for run in (run_sm, run_sm_reference):
        values = np.linspace(-1, 1, 128).astype(np.float32)
        bound = bind(program, (3, 1, 1), (64, 1, 1), [values, np.zeros(600, np.float32), 0.5, 0.25], 0)
        results.append(run(program, device, bound.launch, bound.memory, Options(check=False), SmOptions()).result)
    jitted, reference = results
    assert jitted.cycles == reference.cycles
    assert np.array_equal(jitted.stalls, reference.stalls)
    assert (jitted.busy, jitted.draining, jitted.dram_sectors, jitted.traffic) == (
        reference.busy, reference.draining, reference.dram_sectors, reference.traffic
    )  # fmt: skip
    assert np.array_equal(jitted.counts, reference.counts)
    reads = register_reads(program, [i.native.unit for i in program.instructions if i.native is not None])
    assert reads[0].sum(axis=1).min() > 0
