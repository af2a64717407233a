"""A scheduler prefers warps in the order in which an H200's does: see times/queues/slots.cu."""

from __future__ import annotations

import csv
from itertools import groupby
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
FIELDS = 8  # of a Row of slots.cu
BLOCKS, WARPS = 8, 8  # of the multiprocessor at once, of a block
Ends = list[dict[int, int]]  # by block, in the order of their numbers: when its warps have ended, from its start on


def measured(kind: str) -> Ends:
    """Return when the warps of the first scheduler have ended, of the launch of one wave of eight blocks."""
    with (HERE / "slots_h200.csv").open(newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        chosen = [r for r in rows if (r["kind"], r["warps"], r["blocks"]) == (kind, str(WARPS), str(BLOCKS))]
    blocks = [{int(r["warp"]): int(r["end"]) for r in each} for _, each in groupby(chosen, lambda r: r["block"])]
    return blocks[:BLOCKS]


def simulated(kind: str) -> Ends:
    text = (HERE / "times" / "queues" / "slots.cu").read_text(encoding="utf-8")
    text = text[text.index("struct Row") : text.index("template <int WORK>\nstatic")]
    text = text.replace("static Row *rows;", "").replace("static float *data;", "")
    slot = 'asm volatile("mov.u32 %0, %%warpid;" : "=r"(row.slot));'
    assert slot in text
    text = text.replace(slot, "row.slot = 0;")  # the number of a slot has no part in the simulated machine code
    program, device = wv.compile(text, f"work<{kind.upper()}>", compiler="nvrtc", device="h200"), load_device("h200")
    rows = np.zeros(132 * BLOCKS * WARPS * FIELDS, np.int32)
    bound = bind(program, (132 * BLOCKS, 1, 1), (32 * WARPS, 1, 1), [np.zeros(1 << 17, np.float32), 64, rows,
                                                                     np.zeros(1 << 11, np.float32)], 0)  # fmt: skip
    options = SmOptions(record=False, block_limit=BLOCKS)
    run = run_sm(program, device, bound.launch, bound.memory, Options(check=False, races=False), options)
    noted = next(b for b in bound.buffers.values() if b.read(run.outcome.memory).size == rows.size)
    table = noted.read(run.outcome.memory).reshape(-1, WARPS, FIELDS)
    followed = [table[stay.block] for stay in run.result.residency]
    return [{warp: int(block[warp, 7] - block[warp, 4]) for warp in range(WARPS)} for block in followed]


@pytest.mark.parametrize("kind", ["loads", "shared", "chain"])
def test_the_oldest_block_goes_first_and_in_it_the_last_warp(kind: str) -> None:
    there, here = measured(kind), simulated(kind)
    assert len(there) == len(here) == BLOCKS
    for block, warps in zip(there, here, strict=True):
        first, last = min(block), max(block)  # of those that share a scheduler
        assert block[last] <= block[first]
        assert warps[last] <= warps[first]
    means = [[np.mean(list(block.values())) for block in ends] for ends in (there, here)]
    # The hardware's order of blocks, up to those that take turns from the start.
    for ends in means:
        assert ends[0] == min(ends)
        assert ends[-1] == max(ends)
    # Warps that wait for shared memory share it more evenly there than by this order.
    assert float(means[1][-1]) == pytest.approx(means[0][-1], rel=0.25)
