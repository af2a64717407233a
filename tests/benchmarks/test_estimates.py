"""Hold what an estimate of a launch's time costs, in processor time. Run with ``-s`` for the table."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

import warpview as wv
from warpview import library
from warpview.devices import load_device
from warpview.sim.arguments.binding import Uninitialised, bind
from warpview.sim.arguments.values import dim3
from warpview.sim.engine_sm import run_sm, warm_up
from warpview.sim.history.events import SmOptions
from warpview.sim.launch import Options

WORKS = ("reduction/sequential", "transpose/padded_32", "histogram/shared", "stencil/five_point_tiled")
PRODUCTS = Path(__file__).parents[1] / "truth" / "times" / "held_out" / "gemm.cu"
ROUNDS = 2
UNEVEN = """
__global__ void uneven(int *out)
{
    int sum = 0;
    for (int k = 0; k < 20 + (blockIdx.x & 63); k++)
        sum += k ^ threadIdx.x;
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
"""


def estimate_seconds(program: wv.Program, grid: tuple[int, ...], block: tuple[int, ...], arguments: dict[str, object] |
                     list[object], shared: int = 0) -> float:  # fmt: skip
    """Return the least processor time that an estimate took."""
    warm_up()
    spent = []
    for _ in range(ROUNDS):
        bound = bind(program, dim3(grid, "grid"), dim3(block, "block"), arguments, shared)
        start = time.process_time()
        sm = SmOptions(record=False, estimate=True)
        result = run_sm(program, load_device("h200"), bound.launch, bound.memory, Options(check=False), sm).result
        spent.append(time.process_time() - start)
        assert result.time_us > 1
    return min(spent)


@pytest.mark.parametrize("key", WORKS)
def test_a_whole_grid_is_estimated_in_half_a_second(key: str) -> None:
    entry = library.entry(key)
    launch, values = entry.preset("full").launches[0], library.launch_arguments(entry, "full", {})[0]
    program = wv.compile(entry.path, kernel=launch.kernel, defines=entry.defines)
    arguments = {
        name: Uninitialised(value.shape, value.dtype) if isinstance(value, library.Blank) else value
        for name, value in values.items()
    }
    spent = estimate_seconds(program, launch.grid, launch.block, arguments, launch.shared_bytes)
    print(f"| {key} | {spent:.2f} s |")
    assert spent < 0.5


@pytest.mark.exhaustive
def test_a_register_tiled_product_of_1024_is_estimated_in_five_seconds() -> None:
    program = wv.compile(PRODUCTS, "gemm_quads<128, 128, 8, 8, 8>", compiler="nvrtc", device="h200")
    a, b, c = (np.zeros(1 << 20, np.float32) for _ in range(3))
    spent = estimate_seconds(program, (8, 8), (256,), [1024, 1.5, a, b, 0.5, c])
    print(f"| product of 1024 | {spent:.2f} s |")
    assert spent < 5


@pytest.mark.exhaustive
def test_a_verdict_of_blocks_that_differ_costs_few_estimates() -> None:
    blocks, threads = 6400, 256
    arguments = [np.zeros(blocks * threads, np.int32)]
    program = wv.compile(UNEVEN, "uneven", device="h200")
    one = wv.simulate(program, blocks, threads, list(arguments), device="h200", engine="profile")
    spent = []
    for _ in range(ROUNDS):
        start = time.process_time()
        one.verdict()
        spent.append(time.process_time() - start)
    estimate = estimate_seconds(program, (blocks,), (threads,), list(arguments))
    print(f"| verdict of {blocks} blocks that differ | {min(spent):.2f} s | one estimate {estimate:.2f} s |")
    assert min(spent) < 4 * estimate
