"""Stores take as long as on an H200: parts of sectors, and the word that all warps store to."""

from __future__ import annotations

import csv
from functools import cache
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

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

HERE = Path(__file__).parent
QUEUES = HERE / "times" / "queues" / "queues.cu"
MICROBENCHMARKS = HERE.parents[1] / "assets" / "calibration" / "microbenchmarks.cu"
NOT_USED = 2**32 - 1
ROUNDS = 24  # of 64 on the hardware


@cache
def measured(table: str) -> dict[tuple[str, int], float]:
    with (HERE / table).open(newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {(row["figure"], int(float(row["parameter"]))): float(row["value"]) for row in rows}


def source(path: Path, first: str, behind: str) -> str:
    """Return the part of a file from the words ``first`` to those ``behind`` it."""
    text = path.read_text(encoding="utf-8")
    return text[text.index(first) : text.index(behind)]


@pytest.mark.parametrize(("gap", "times"), [(2, 1), (4, 1), (8, 1), (8, 8), (16, 4), (16, 8), (32, 1), (32, 8)])
def test_parts_of_sectors_cost_a_cycle_each_and_one_for_their_line(gap: int, times: int) -> None:
    text = source(QUEUES, "__global__ void store_parts", "static void parts()")
    program = wv.compile(text, "store_parts", compiler="nvrtc", device="h200")
    data, clocks = np.zeros(16 * 16 * 32 * gap + 64, np.float32), np.zeros(2, np.int64)
    bound = bind(program, (1, 1, 1), (512, 1, 1), [data, gap, times, 16, clocks], 0)
    done = run_sm(
        program, load_device("h200"), bound.launch, bound.memory, Options(check=False), SmOptions(record=False)
    )
    cycles = bound.buffers["clocks"].read(done.outcome.memory)[0] / (16 * times * 16)
    assert cycles == pytest.approx(measured("queues_h200.csv")[f"store_parts_{gap}", times], rel=0.15)


def test_a_word_to_which_all_warps_store_between_loads_takes_their_turns() -> None:
    program = wv.compile(
        source(MICROBENCHMARKS, "enum Before", "// Nanoseconds of a store"), "store_after<LOAD>", compiler="nvrtc",
        device="h200",
    )  # fmt: skip

    def ns(apart: int) -> float:
        data = np.zeros(2 << 20, np.int32)
        bound = bind(
            program, (528, 1, 1), (256, 1, 1), [data, 1 << 20, 32, apart, ROUNDS, np.zeros(256, np.float32)], 0
        )
        sm = SmOptions(record=False, estimate=True)
        done = run_sm(program, load_device("h200"), bound.launch, bound.memory, Options(check=False), sm)
        return done.result.time_us * 1000 / (528 * 8 * ROUNDS)

    alone = ns(NOT_USED)
    known = measured("microbenchmarks_h200.csv")
    assert alone == pytest.approx(known["store_after_load", 32], rel=0.1)
    assert 0.4 < (ns(0) - alone) / known["store_after_load_one", 32] < 1.25
    assert ns(64) - alone < 0.05
