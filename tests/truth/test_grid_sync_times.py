"""A barrier of the whole grid takes as long as on an H200 and an H100: see contended.cu and cluster_times.cu in
times/queues."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import warpview as wv
from warpview.devices import load_device
from warpview.sass import nvrtc
from warpview.sim.arguments.binding import bind
from warpview.sim.engine_sm import run_sm
from warpview.sim.history.events import SmOptions
from warpview.sim.launch import Options

needs_nvrtc = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

SOURCE = """
#include <cooperative_groups.h>
__global__ void grid_syncs(int rounds, int *out)
{
    auto grid = cooperative_groups::this_grid();
    for (int r = 0; r < rounds; r++)
        grid.sync();
    out[threadIdx.x] = 1;
}
"""
FEW, MANY = 8, 24


def measured(blocks: int, threads: int) -> float:
    with (Path(__file__).parent / "cluster_times_h100.csv").open(newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        key = ("grid_sync", str(blocks), str(threads))
        return float(next(row["value"] for row in rows if (row["figure"], row["blocks"], row["parameter"]) == key))


def measured_on_h200(kind: str, blocks: int, threads: int) -> float:
    with (Path(__file__).parent / "contended_h200.csv").open() as file:
        rows = [line.split(",") for line in file]
    return float(next(row[-1] for row in rows if row[:4] == ["barrier", kind, str(blocks), str(threads)]))


def estimated(compiler: str, blocks: int, threads: int, rounds: int, card: str = "h100") -> float:
    """Return the cycles of a launch."""
    program, device = wv.compile(SOURCE, "grid_syncs", compiler=compiler, device=card), load_device(card)
    bound = bind(program, (blocks, 1, 1), (threads, 1, 1), [rounds, np.zeros(1024, np.int32)], 0)
    options = SmOptions(record=False, estimate=True)
    run = run_sm(program, device, bound.launch, bound.memory, Options(check=False), options)
    return run.result.time_us * device.clock_mhz


@needs_nvrtc
@pytest.mark.sample(4)
@pytest.mark.parametrize("threads", [32, 256, 1024])
@pytest.mark.parametrize("blocks", [1, 2, 16, 132, 264])
def test_barriers_of_the_grid(blocks: int, threads: int) -> None:
    few, many = (estimated("nvrtc", blocks, threads, rounds) for rounds in (FEW, MANY))
    # The word of the barrier was far from the first multiprocessors there, which the model takes to be as in the mean.
    assert (many - few) / (MANY - FEW) == pytest.approx(measured(blocks, threads), rel=0.31)


@needs_nvrtc
@pytest.mark.parametrize("threads", [32, 256])
@pytest.mark.parametrize("blocks", [1, 2, 16, 132])
def test_barriers_of_the_grid_on_another_card(blocks: int, threads: int) -> None:
    few, many = (estimated("nvrtc", blocks, threads, rounds, "h200") for rounds in (FEW, MANY))
    assert (many - few) / (MANY - FEW) == pytest.approx(measured_on_h200("grid_sync", blocks, threads), rel=0.13)


def parts_of_a_barrier(rounds: int, blocks: int) -> float:
    """Return the cycles of a launch of barriers that are written out."""
    text = (Path(__file__).parent / "times" / "queues" / "polls.cu").read_text(encoding="utf-8")
    text = text[text.index("constexpr int LINE") : text.index("// Reductions of all blocks")]
    start = text.index("    unsigned long long until")
    text = text[:start] + text[text.index("    __syncthreads();", start) :]
    program, device = wv.compile(text, "grid_barrier", compiler="nvrtc", device="h200"), load_device("h200")
    arguments = [np.zeros(1024, np.uint32), rounds, 1, np.zeros(8192, np.int64)]
    bound = bind(program, (blocks, 1, 1), (32, 1, 1), arguments, 0)
    options = SmOptions(record=False, estimate=True)
    run = run_sm(program, device, bound.launch, bound.memory, Options(check=False), options)
    return run.result.time_us * device.clock_mhz


@needs_nvrtc
@pytest.mark.parametrize("blocks", [2, 132])
def test_a_barrier_that_is_written_out_takes_as_long_as_its_parts(blocks: int) -> None:
    with (Path(__file__).parent / "polls_h200.csv").open(newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        parts = [float(r["mean"]) for r in rows
                 if (r["figure"], r["blocks"], r["warps"]) == ("grid_barrier", str(blocks), "1")]  # fmt: skip
    few, many = (parts_of_a_barrier(rounds, blocks) for rounds in (FEW, MANY))
    # Of two words: the first blocks are near the one and far from the other.
    mean = (sum(parts) + measured_on_h200("fence", blocks, 32)) / 2
    assert (many - few) / (MANY - FEW) == pytest.approx(mean, rel=0.09)


@pytest.mark.parametrize(("blocks", "threads"), [(1, 32), (16, 32), (132, 256)])
def test_barriers_of_the_grid_as_written(blocks: int, threads: int) -> None:
    few, many = (estimated("warpview", blocks, threads, rounds, "h200") for rounds in (FEW, MANY))
    assert (many - few) / (MANY - FEW) == pytest.approx(measured_on_h200("grid_sync", blocks, threads), rel=0.2)


def test_a_verdict_tells_the_line_of_a_barrier_of_the_grid() -> None:
    """Blocks read what others have written before it, and what the barrier takes is told of its line."""
    text = """#include <cooperative_groups.h>
__global__ void pass_on(const int *in, int *between, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    between[i] = in[i];
    cooperative_groups::this_grid().sync();
    if (between[n - 1 - i] == 0)
        for (int k = 0; k < 1000; k++)
            out[i] += between[(i + k) % n];
    out[i] = between[n - 1 - i];
}
"""
    program, values = wv.compile(text, "pass_on"), np.arange(1, 1025, dtype=np.int32)
    run = wv.simulate(program, 16, 64, [values, np.zeros_like(values), np.zeros_like(values)], device="h200")
    assert run.buffers["out"].tolist() == values[::-1].tolist()
    verdict = run.verdict()
    assert 2 < verdict.time_us < 8
    assert 6 in {line.line for line in verdict.lines}
