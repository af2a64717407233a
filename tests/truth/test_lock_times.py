"""Locks that all blocks take, and counters of blocks, take as long as on an H200: see times/queues/locks.cu."""

from __future__ import annotations

import csv
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

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
ALONE = 200 << 10  # bytes of shared memory with which a block has a multiprocessor to itself, as they were measured
FENCED = ("swap_fenced", "ticket_fenced", "acquire")
KERNELS = {
    ("swap", "block"): "sections<SWAP, BLOCK>", ("swap_fenced", "block"): "sections<SWAP, BLOCK>",
    ("swap", "warp"): "sections<SWAP, WARP>", ("swap", "thread"): "sections<SWAP, THREAD>",
    ("exchange", "block"): "sections<EXCHANGE, BLOCK>", ("look_first", "block"): "sections<LOOK_FIRST, BLOCK>",
    ("sleep", "block"): "sections<SLEEP, BLOCK>", ("acquire", "block"): "sections<ACQUIRE, BLOCK>",
    ("ticket", "block"): "sections<TICKET, BLOCK>", ("ticket_fenced", "block"): "sections<TICKET, BLOCK>",
    ("ticket", "warp"): "sections<TICKET, WARP>", ("last_block", "block"): "last_block",
}  # fmt: skip


class Row(NamedTuple):
    lock: str
    taker: str
    blocks: int
    warps: int  # of a block
    cycles: int  # of a section


@lru_cache
def compiled(kernel: str) -> Program:
    """Compile a kernel without its common start, which waits for the time of the day."""
    text = (HERE / "times" / "queues" / "locks.cu").read_text(encoding="utf-8")
    text = text[text.index("constexpr int LINE") : text.index("static long long host")]
    start = text.index("    unsigned long long now, until;")
    text = text[:start] + text[text.index("    __syncthreads();", start) :]
    return wv.compile(text, kernel, compiler="nvrtc", device="h200")


def measured(row: Row) -> tuple[int, float]:
    """Return how often each takes the lock, and the cycles until the last block has ended."""
    with (HERE / "locks_h200.csv").open(newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        found = next(r for r in rows if [r[name] for name in Row._fields] == [str(value) for value in row])
    return int(found["rounds"]), float(found["most"])


def estimated(row: Row, rounds: int) -> float:
    """Return the cycles of a launch."""
    words, clocks = np.zeros(1 << 14, np.uint32), np.zeros(1024, np.int64)
    counts = row.lock == "last_block"
    given = [np.zeros(1024, np.float32), rounds] if counts else [rounds, row.cycles, row.lock in FENCED]
    program, device = compiled(KERNELS[row.lock, row.taker]), load_device("h200")
    shared = 0 if counts or row.blocks > device.multiprocessors else ALONE
    bound = bind(program, (row.blocks, 1, 1), (32 * row.warps, 1, 1), [words, *given, clocks], shared)
    options = SmOptions(record=False, estimate=True)
    run = run_sm(program, device, bound.launch, bound.memory, Options(check=False), options)
    return run.result.time_us * device.clock_mhz


def of_measured(row: Row) -> float:
    """Return the estimate in times of what was measured."""
    rounds, cycles = measured(row)
    return (estimated(row, rounds) - estimated(row, 0)) / cycles


@pytest.mark.parametrize(
    ("row", "error"),
    [  # As on the H200 in the mean of 16 places of the words: some are near the blocks, some far.
        (Row("swap", "block", 1, 1, 0), 0.1),
        (Row("swap", "block", 8, 1, 1000), 0.1),
        (Row("swap", "block", 32, 1, 100), 0.1),
        (Row("swap", "block", 132, 8, 0), 0.1),
        (Row("swap", "block", 264, 1, 100), 0.1),
        (Row("exchange", "block", 132, 1, 0), 0.1),
        (Row("swap", "warp", 8, 8, 100), 0.1),
        (Row("swap", "warp", 132, 8, 0), 0.15),
        (Row("swap", "thread", 8, 1, 100), 0.1),
        (Row("swap_fenced", "block", 8, 1, 100), 0.1),
        (Row("swap_fenced", "block", 132, 1, 0), 0.1),
        (Row("ticket", "block", 132, 1, 0), 0.1),
        (Row("ticket", "block", 132, 1, 1000), 0.1),
        (Row("ticket_fenced", "block", 132, 1, 0), 0.1),
        (Row("ticket", "warp", 8, 8, 100), 0.15),
        (Row("acquire", "block", 132, 1, 0), 0.1),
        (Row("last_block", "block", 1, 1, 0), 0.25),
        (Row("last_block", "block", 132, 8, 0), 0.25),
    ],
)
def test_launches_take_as_long(row: Row, error: float) -> None:
    assert of_measured(row) == pytest.approx(1, abs=error)
