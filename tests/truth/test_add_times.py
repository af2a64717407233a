"""Additions of all multiprocessors at few words take as long as on an H200: see times/queues/adds.cu."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

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
ROUNDS = 8, 32
Row = tuple[str, str, int, int]  # type, kind, words, bytes from one to the next


@cache
def measured() -> dict[Row, float]:
    """Return the cycles of the device for an addition of a warp."""
    with (HERE / "adds_h200.csv").open(newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {(r["type"], r["kind"], int(r["words"]), int(r["bytes"])): float(r["cycles"]) for r in rows}


@cache
def compiled(number: str, kind: str) -> Program:
    text = (HERE / "times" / "queues" / "adds.cu").read_text(encoding="utf-8")
    text = text[text.index("__device__") : text.index("static double")]
    kernel = f"adds<{number}, {'true' if kind == 'random' else 'false'}>"
    return wv.compile(text, kernel, compiler="nvrtc", device="h200")


def simulated(number: str, kind: str, words: int, apart: int) -> float:
    program, device, found = compiled(number, kind), load_device("h200"), []
    for rounds in ROUNDS:
        room = np.zeros(words * apart // 4, np.float32 if number == "float" else np.int32)
        bound = bind(program, (132, 1, 1), (256, 1, 1), [room, words, apart // 4, rounds], 0)
        options = SmOptions(record=False, estimate=True)
        result = run_sm(program, device, bound.launch, bound.memory, Options(check=False), options).result
        found.append(result.time_us * device.clock_mhz)
    return (found[1] - found[0]) / ((ROUNDS[1] - ROUNDS[0]) * 132 * 8)


@pytest.mark.parametrize(
    "row",
    [
        ("int", "lanes", 2, 4), ("int", "lanes", 8, 4), ("int", "lanes", 8, 8),  # whole sectors, and parts
        ("int", "lanes", 4, 32), ("float", "lanes", 4, 32),  # of a line
        ("int", "lanes", 2, 512), ("int", "lanes", 2, 1024), ("int", "lanes", 16, 32),  # slices of the L2
        ("int", "random", 64, 8), ("int", "random", 128, 4), ("float", "random", 16, 32),
        ("float", "lanes", 2, 128), ("float", "lanes", 2, 512), ("float", "lanes", 8, 128),  # floats of several lines
        ("float", "lanes", 4, 1024), ("float", "lanes", 8, 4096),
    ],
)  # fmt: skip
def test_additions_whose_lanes_share_words(row: Row) -> None:
    assert simulated(*row) == pytest.approx(measured()[row], rel=0.15)


@pytest.mark.exhaustive
@pytest.mark.parametrize("number", ["int", "float"])
def test_additions_at_up_to_128_words_by_the_place_of_the_words(number: str) -> None:
    rows = [row for row in measured() if row[0] == number and row[2] <= 128][:: 1 if number == "int" else 2]
    errors = np.array([abs(simulated(*row) / measured()[row] - 1) for row in rows])
    assert np.mean(errors < 0.15) > 0.83
    assert np.mean(errors < 0.25) > 0.88
