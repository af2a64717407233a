"""Memory partitions decide the time of transposing 2048 x 2048 floats on a GeForce GTX 280.

GB/s from G. Ruetsch, P. Micikevicius, "Optimizing Matrix Transpose in CUDA" (NVIDIA 2009). Tiles in shared memory make
the accesses coalesced, but all blocks of a row of tiles write to one partition; only the diagonal order spreads them.
As there, addresses are computed once, and the compiler has unrolled the loops.
"""

from dataclasses import replace

import numpy as np
import pytest

from warpview.devices import load_device
from warpview.diagnostics import SourceText
from warpview.frontend import compile_source
from warpview.sim.arguments.binding import bind
from warpview.sim.engine_sm import SmRun, run_sm
from warpview.sim.history.events import SmOptions
from warpview.sim.launch import Options

SIDE = 2048
PUBLISHED = {"copy": 96.9, "naive": 2.2, "tiled<0>": 16.5, "tiled<1>": 16.6, "diagonal": 69.5}
FACTOR = 1.3
KERNELS = """
__device__ int place(int column, int row, int width)
{
    return (row * 32 + threadIdx.y) * width + column * 32 + threadIdx.x;
}
__global__ void copy(const float *in, float *out, int width, int height)
{
    int from = place(blockIdx.x, blockIdx.y, width);
    #pragma unroll
    for (int k = 0; k < 32; k += 8)
        out[from + k * width] = in[from + k * width];
}
__global__ void naive(const float *in, float *out, int width, int height)
{
    int from = place(blockIdx.x, blockIdx.y, width);
    int to = (blockIdx.x * 32 + threadIdx.x) * height + blockIdx.y * 32 + threadIdx.y;
    #pragma unroll
    for (int k = 0; k < 32; k += 8)
        out[to + k] = in[from + k * width];
}
template <int PADDING>
__device__ void through_tile(const float *in, float *out, int width, int height, int column, int row)
{
    __shared__ float tile[32][32 + PADDING];
    int from = place(column, row, width), to = place(row, column, height);
    #pragma unroll
    for (int k = 0; k < 32; k += 8)
        tile[threadIdx.y + k][threadIdx.x] = in[from + k * width];
    __syncthreads();
    #pragma unroll
    for (int k = 0; k < 32; k += 8)
        out[to + k * height] = tile[threadIdx.x][threadIdx.y + k];
}
template <int PADDING>
__global__ void tiled(const float *in, float *out, int width, int height)
{
    through_tile<PADDING>(in, out, width, height, blockIdx.x, blockIdx.y);
}
__global__ void diagonal(const float *in, float *out, int width, int height)
{
    through_tile<1>(in, out, width, height, (blockIdx.x + blockIdx.y) % gridDim.x, blockIdx.x);
}
"""


@pytest.fixture(scope="module")
def runs() -> dict[str, SmRun]:
    """Of a Quadro FX 5800 with the clocks of a GTX 280: both are GT200."""
    board = {"clock_mhz": 1296, "core_mhz": 602, "memory_gtps": 2.214}
    device = replace(load_device("fx5800"), key="gtx280", name="GeForce GTX 280", **board)
    found = {}
    for key in PUBLISHED:
        program = compile_source(SourceText("transpose.cu", KERNELS), key)
        matrix = np.arange(SIDE * SIDE, dtype=np.float32).reshape(SIDE, SIDE)
        args = [matrix, np.zeros_like(matrix), SIDE, SIDE]
        bound = bind(program, (64, 64, 1), (32, 8, 1), args, 0)
        run = run_sm(program, device, bound.launch, bound.memory, Options(check=False), SmOptions(record=False))
        expected = matrix if key == "copy" else matrix.T
        assert np.array_equal(bound.buffers["out"].read(bound.memory).reshape(SIDE, SIDE), expected)
        found[key] = run
    return found


def bandwidth(run: SmRun) -> float:
    return 8 * SIDE * SIDE / run.result.time_us / 1000


@pytest.mark.parametrize("key", PUBLISHED)
def test_bandwidth(runs: dict[str, SmRun], key: str) -> None:
    assert PUBLISHED[key] / FACTOR < bandwidth(runs[key]) < PUBLISHED[key] * FACTOR


def test_in_order(runs: dict[str, SmRun]) -> None:
    assert sorted(runs, key=lambda key: bandwidth(runs[key])) == sorted(PUBLISHED, key=PUBLISHED.__getitem__)


def test_only_the_diagonal_order_and_the_copy_spread_their_accesses(runs: dict[str, SmRun]) -> None:
    camping = {key: run.result.partition_camping for key, run in runs.items()}
    assert camping.pop("copy") < 1.1
    assert camping.pop("diagonal") < 1.1
    assert min(camping.values()) > 4
