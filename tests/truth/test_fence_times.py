"""Fences take as long as on an H200: see times/queues/fences.cu."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import warpview as wv
from warpview.devices import load_device
from warpview.isa.program import Program
from warpview.sass import nvrtc
from warpview.sim.arguments.binding import bind
from warpview.sim.engine_sm import run_sm
from warpview.sim.history.events import SmOptions
from warpview.sim.launch import Options

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

HERE = Path(__file__).parent
ROUNDS = 48  # of fences.cu, of which the first quarter does not count


class Row(NamedTuple):
    figure: str
    fence: str
    blocks: int
    warps: int  # of a block
    parameter: int


@cache
def compiled(kernel: str) -> Program:
    """Compile a kernel without its common start, which waits for the time of the day."""
    text = (HERE / "times" / "queues" / "fences.cu").read_text(encoding="utf-8")
    text = text[text.index("constexpr int ROUNDS") : text.index("static std::vector<double> of_blocks")]
    text = text.replace("(size_t)1 << 28", "1 << 22")  # words of which a simulation has no need
    start = text.index("    unsigned long long time, until;")
    text = text[:start] + text[text.index("    __syncthreads();", start) :]
    return wv.compile(text, kernel, compiler="nvrtc", device="h200")


def measured(row: Row) -> float:
    """Return the cycles of a fence, in the mean of the blocks."""
    with (HERE / "fences_h200.csv").open(newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        found = next(r for r in rows if [r[name] for name in Row._fields] == [str(value) for value in row])
    return float(found["mean"])


def simulated(row: Row, before: str, **case: int) -> float:
    """Return the same of the model, in the mean of some blocks, whose words lie in other lines."""
    program, device = compiled(f"fences<{before}, {row.fence.upper()}, IDLE>"), load_device("h200")
    usual = {"count": 0, "apart": 1, "lanes": 32, "pause": 0, "fencing": 32, "accessing": 0, "only": -1}
    arguments: dict[str, Any] = {**usual, "fencing_blocks": 1 << 30, "one_lane": 0, **case}
    found = []
    for multiprocessor in range(min(row.blocks, 8)):
        words, clocks = np.zeros(1 << 24, np.uint32), np.zeros(2048, np.int64)
        bound = bind(program, (row.blocks, 1, 1), (32 * row.warps, 1, 1), [words, arguments, clocks], 0)
        options = SmOptions(record=False, multiprocessor=multiprocessor, block_limit=1)
        run = run_sm(program, device, bound.launch, bound.memory, Options(check=False, races=False), options)
        noted = next(b for b in bound.buffers.values() if b.read(run.outcome.memory).dtype == np.int64)
        found.append(noted.read(run.outcome.memory)[multiprocessor] / (ROUNDS - ROUNDS // 4))
    return float(np.mean(found))


@pytest.mark.parametrize(
    ("row", "before", "case"),
    [
        (Row("alone", "device", 132, 1, 0), "NOTHING", {}),
        pytest.param(Row("alone", "sequential", 132, 8, 0), "NOTHING", {}, marks=pytest.mark.exhaustive),
        (Row("alone", "system", 132, 1, 0), "NOTHING", {}),
        pytest.param(Row("alone", "release", 132, 1, 0), "NOTHING", {}, marks=pytest.mark.exhaustive),
        (Row("stores", "device", 132, 1, 1), "STORE", {"count": 1}),
        pytest.param(Row("stores", "sequential", 132, 8, 1), "STORE", {"count": 1}, marks=pytest.mark.exhaustive),
        pytest.param(Row("stores", "release", 132, 1, 1), "STORE", {"count": 1}, marks=pytest.mark.exhaustive),
        (Row("loads_1", "device", 132, 1, 2), "LOAD", {"count": 2}),
        (Row("loads_8", "device", 1, 1, 16), "LOAD", {"count": 16, "apart": 8}),
        (Row("stores_8", "device", 1, 1, 4), "STORE", {"count": 4, "apart": 8}),
        (Row("stores_32", "device", 1, 1, 8), "STORE", {"count": 8, "apart": 32}),
        (Row("reductions_32", "device", 1, 1, 16), "REDUCE", {"count": 16, "apart": 32}),
        # What was stored, or loaded, 1,200 cycles before; stores of warps that have no fence.
        (Row("later", "device", 132, 1, 1200), "STORE", {"count": 1, "pause": 1200}),
        (
            Row("of_others", "device", 1, 8, 200),
            "STORE",
            {"count": 8, "apart": 32, "pause": 201, "accessing": 1, "fencing": 1},
        ),
    ],
)
def test_fences_take_as_long(row: Row, before: str, case: dict[str, int]) -> None:
    assert simulated(row, before, **case) == pytest.approx(measured(row), rel=0.1)
