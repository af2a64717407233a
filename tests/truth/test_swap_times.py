"""Additions by compare-and-swap fail as others change the words, as on an H100: see times/queues/walks.cu."""

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
ROUNDS = 4


def measured(blocks: int, bits: int) -> float:
    with (HERE / "walks_h100.csv").open(newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        found = (row for row in rows if (row["figure"], row["parameter"]) == (f"swaps_{blocks}", str(bits)))
        return float(next(found)["value"])


def estimated(blocks: int, bits: int) -> float:
    text = (HERE / "times" / "queues" / "walks.cu").read_text(encoding="utf-8")
    text = text[text.index("__device__ __forceinline__ unsigned hash") :]
    program = wv.compile(text[: text.index("// A thread of each")], "add_by_swaps", compiler="nvrtc", device="h100")
    arguments = [np.zeros(1 << bits, np.int32), (1 << bits) - 1, ROUNDS, np.zeros(1, np.uint32)]
    bound = bind(program, (blocks, 1, 1), (256, 1, 1), arguments, 0)
    options = SmOptions(record=False, estimate=True)
    return run_sm(
        program, load_device("h100"), bound.launch, bound.memory, Options(check=False), options
    ).result.time_us


@pytest.mark.parametrize(
    ("blocks", "bits", "near"),
    [(132, 12, 0.15), (132, 16, 0.35), (132, 20, 0.2), (1056, 16, 0.3), (1056, 20, 0.55)],
)
def test_additions_by_swaps_take_as_long_as_others_let_them(blocks: int, bits: int, near: float) -> None:
    assert estimated(blocks, bits) == pytest.approx(measured(blocks, bits), rel=near)
