"""Coalescing is worth what it was on a G80: read 3M floats, add, write them back.

Times in microseconds from NVIDIA's CUDA tutorial (2007): 12K blocks of 256 threads, float3 with 4K blocks.
"""

import numpy as np
import pytest

from warpview.devices import load_device
from warpview.diagnostics import SourceText
from warpview.frontend import compile_source
from warpview.sim.arguments.binding import bind
from warpview.sim.engine_sm import run_sm
from warpview.sim.history.events import SmOptions
from warpview.sim.launch import Options

PART = 8  # of the elements: the launch is in steady state
THREADS = 3 * 2**20 // PART
KERNELS = """
__global__ void coalesced(float *a) { int i = blockIdx.x * blockDim.x + threadIdx.x; a[i] = a[i] + 1.0f; }
__global__ void misaligned(float *a) { int i = blockIdx.x * blockDim.x + threadIdx.x + 1; a[i] = a[i] + 1.0f; }
__global__ void three_floats(float *a)
{
    int i = 3 * (blockIdx.x * blockDim.x + threadIdx.x);
    float x = a[i], y = a[i + 1], z = a[i + 2];
    a[i] = x + 2.0f;
    a[i + 1] = y + 2.0f;
    a[i + 2] = z + 2.0f;
}
__global__ void staged(float *a)
{
    __shared__ float tile[256 * 3];
    int first = 3 * blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = a[first];
    tile[threadIdx.x + 256] = a[first + 256];
    tile[threadIdx.x + 512] = a[first + 512];
    __syncthreads();
    tile[3 * threadIdx.x] += 2.0f;
    tile[3 * threadIdx.x + 1] += 2.0f;
    tile[3 * threadIdx.x + 2] += 2.0f;
    __syncthreads();
    a[first] = tile[threadIdx.x];
    a[first + 256] = tile[threadIdx.x + 256];
    a[first + 512] = tile[threadIdx.x + 512];
}
"""


@pytest.mark.parametrize(
    ("kernel", "threads", "microseconds"),
    [("coalesced", THREADS, 356), ("misaligned", THREADS, 3494), ("three_floats", THREADS // 3, 3302),
     ("staged", THREADS // 3, 359)],
)  # fmt: skip
def test_time(kernel, threads, microseconds):
    program = compile_source(SourceText("coalescing.cu", KERNELS), kernel)
    bound = bind(program, (threads // 256, 1, 1), (256, 1, 1), [np.zeros(THREADS + 16, dtype=np.float32)], 0)
    device = load_device("8800gtx")
    run = run_sm(program, device, bound.launch, bound.memory, Options(check=False), SmOptions(record=False))
    assert run.result.time_us * PART == pytest.approx(microseconds, rel=0.2)
