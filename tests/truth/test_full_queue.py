"""Warps of a block that wait for the full queue of their scheduler take turns, as on an H200: see
times/queues/full_queue.cu."""

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
KINDS = {"shared": 0, "line": 1, "add": 2, "store": 3, "shared_store": 5}
WARPS = 4  # of each scheduler


@cache
def measured() -> dict[tuple[str, int, int], dict[str, str]]:
    """Return the rows of four warps on each of four schedulers by kind, warp and accesses."""
    with (HERE / "full_queue_h200.csv").open(newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    chosen = [row for row in rows if (row["schedulers"], row["warps_each"]) == ("4", str(WARPS))]
    return {(row["accesses"], int(row["warp"]), int(row["k"])): row for row in chosen}


@cache
def compiled(kind: str, accesses: int) -> Program:
    text = (HERE / "times" / "queues" / "full_queue.cu").read_text(encoding="utf-8")
    text = text[text.index("enum { SHARED") : text.index("static unsigned *data")]
    return wv.compile(text, f"full_queue<{KINDS[kind]}, {accesses}>", compiler="nvrtc", device="h200")


def simulated(kind: str, warp: int, accesses: int) -> tuple[int, float]:
    """Return when a warp of the first scheduler has issued so many accesses, and when the others have issued 32, in the
    mean, in cycles from the first start on."""
    program, threads = compiled(kind, accesses), 32 * 4 * WARPS
    arguments = [np.zeros(1 << 16, np.uint32), 0xFFFF, 4 * warp, np.zeros(64, np.int32), np.zeros(1024, np.uint32)]
    bound = bind(program, (1, 1, 1), (threads, 1, 1), arguments, 16384)
    options = SmOptions(record=False)
    run = run_sm(program, load_device("h200"), bound.launch, bound.memory, Options(check=False, races=False), options)
    starts, ends = bound.buffers["clocks"].read(run.outcome.memory).reshape(-1, 2)[: 4 * WARPS].T.astype(np.int64)
    ends -= starts.min()
    return int(ends[4 * warp]), float(np.delete(ends, 4 * warp).mean())


@pytest.mark.sample(4)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("warp", [0, 2, 3])
@pytest.mark.parametrize("accesses", [16, 24, 32])
def test_warps_that_wait_for_the_queue_take_turns(kind: str, warp: int, accesses: int) -> None:
    own, others = simulated(kind, warp, accesses)
    row = measured()[kind, warp, accesses]
    whole = float(row["others_last"])
    # Where the oldest or the last one went first, its end would come out up to 0.9 of the whole too early or too late.
    assert own / whole == pytest.approx(float(row["end"]) / whole, abs=0.3)
    assert others == pytest.approx(float(row["others_mean"]), rel=0.12)
