"""The accesses of one warp take turns, and lines that others read, too, come faster, as on an H100.

``lone_h100.csv`` and ``walks_h100.csv`` were written by times/queues/lone.cu and walks.cu.
"""

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
ROUNDS, WARPS, ROOM = 64, 16, 1 << 16
KINDS = {"load": 0, "shared_load": 1, "shared_store": 2}
EMPTY = "empty"  # a launch that does nothing, which takes 2.27 µs by Nsight Compute (empty_h100.csv)
EMPTY_US = 2.27


@cache
def measured(table: str) -> dict[tuple[str, int], float]:
    with (HERE / f"{table}_h100.csv").open(newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {(row["figure"], int(row["parameter"])): float(row["value"]) for row in rows}


@cache
def compiled(table: str, first: str, behind: str, kernel: str) -> Program:
    text = (HERE / "times" / "queues" / f"{table}.cu").read_text(encoding="utf-8")
    return wv.compile(text[text.index(first) : text.index(behind)], kernel, compiler="nvrtc", device="h100")


@pytest.mark.parametrize("warps", [0x1, 0x11, 0xFFFF])
@pytest.mark.parametrize(
    ("kind", "pattern", "lines"),
    [("load", "column", 32), ("load", "column", 8), ("load", "diagonal", 32), ("shared_load", "column", 32),
     ("shared_load", "column", 4), ("shared_store", "column", 32)],
)  # fmt: skip
def test_passes_take_a_warp_longer_than_the_pipe(kind: str, pattern: str, lines: int, warps: int) -> None:
    program = compiled("lone", "enum Kind", "static int tag_bank", f"batches<{KINDS[kind]}, 8>")
    lane = np.arange(32, dtype=np.int32)
    apart = lane // lines * 4 * (lines < 32) if pattern == "column" else lane * 4
    args = [np.zeros(ROOM, np.uint8), lane % lines * 128 + apart, warps, np.zeros(WARPS, np.int64)]
    bound = bind(program, (1, 1, 1), (32 * WARPS, 1, 1), [*args, np.zeros(32 * WARPS, np.uint32)], ROOM)
    done = run_sm(
        program, load_device("h100"), bound.launch, bound.memory, Options(check=False), SmOptions(record=False)
    )
    taken = bound.buffers["cycles"].read(done.outcome.memory)
    active = [w for w in range(WARPS) if warps >> w & 1]
    assert taken[active].max() / ROUNDS == pytest.approx(
        measured("lone")[f"{kind}_{pattern}_{lines}_{warps:x}", 8], rel=0.2
    )


def test_halos_cost_little_where_neighbours_read_them_too() -> None:
    n, step = 1 << 22, 256

    def time_of(reach: int) -> float:
        head = "template <int REACH, bool STORED>\n"
        program = compiled("walks", f"{head}__global__", f"{head}static", f"near<{reach}, false>")
        bound = bind(program, (n // 256, 1, 1), (256, 1, 1), [np.zeros(n, np.float32)] * 2 + [n, step], 0)
        options = SmOptions(record=False, estimate=True)
        return run_sm(
            program, load_device("h100"), bound.launch, bound.memory, Options(check=False), options
        ).result.time_us

    table = measured("walks")
    outside = table[EMPTY, 0] - EMPTY_US
    on_device = (table["near_read_4_22", step] - outside) / (table["near_read_0_22", 1] - outside)
    assert time_of(4) / time_of(0) == pytest.approx(on_device, rel=0.15)
