"""Bulk loads take as long as on an H200, one by its size and several in a row: see times/queues/bulk.cu."""

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

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

HERE = Path(__file__).parent
ROUNDS = 3


def measured() -> dict[tuple[int, int], int]:
    """Return the cycles of a round by the bytes of a copy and how many there are, of one block."""
    with (HERE / "bulk_h200.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["what"] == "in" and row["blocks"] == "1"]
    return {(int(row["bytes"]), int(row["copies"])): int(row["cycles"]) for row in rows}


def simulated(size: int, copies: int) -> int:
    text = (HERE / "times" / "queues" / "bulk.cu").read_text(encoding="utf-8")
    first, last = (text.index(part) for part in ("__device__ __forceinline__ unsigned sh", "// issue cost"))
    text = f"#include <cstdint>\n{text[first:last]}"
    program, device = wv.compile(text, "in", compiler="nvrtc", device="h200"), load_device("h200")
    arguments = [np.zeros(size * copies, np.uint8), np.zeros(ROUNDS, np.int64), size, copies, ROUNDS, 0]
    bound = bind(program, (1, 1, 1), (32, 1, 1), arguments, size * copies)
    run = run_sm(
        program, device, bound.launch, bound.memory, Options(check=False, races=False), SmOptions(record=False)
    )
    return int(bound.buffers["t"].read(run.outcome.memory)[-1])


@pytest.mark.parametrize(("size", "copies"), [key for key in measured() if key[0] * key[1] <= 1 << 16])
def test_a_round_of_loads_takes_as_long(size: int, copies: int) -> None:
    assert simulated(size, copies) == pytest.approx(measured()[size, copies], rel=0.17)
