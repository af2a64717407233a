"""A barrier of the whole grid takes as long as on an H100: see times/queues/cluster_times.cu."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import warpview as wv
from warpview.devices import load_device
from warpview.diagnostics import LaunchError
from warpview.sass import nvrtc
from warpview.sim.binding import bind
from warpview.sim.engine_sm import run_sm
from warpview.sim.events import SmOptions
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


def estimated(compiler: str, blocks: int, threads: int, rounds: int) -> float:
    """Return the cycles of a launch."""
    program, device = wv.compile(SOURCE, "grid_syncs", compiler=compiler, device="h100"), load_device("h100")
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
    # What cooperative groups do besides the parts of a barrier takes 400 cycles that are missing here: see below.
    assert (many - few) / (MANY - FEW) == pytest.approx(measured(blocks, threads), rel=0.4)


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
    assert (many - few) / (MANY - FEW) == pytest.approx(sum(parts), rel=0.15)


def test_as_written_there_is_no_estimate() -> None:
    with pytest.raises(LaunchError, match="as compiled by NVIDIA's compiler, and none as written"):
        estimated("warpview", 2, 32, 1)
