"""What the L2 holds when megabytes are read again, as Nsight Compute counts it: see times/queues/again.cu."""

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
from warpview.sim.history.events import SmOptions, SmResult
from warpview.sim.launch import Options

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

HERE = Path(__file__).parent
KINDS = "same", "other", "both"


def measured(kind: str, megabytes: int, passes: int) -> dict[str, str]:
    with (HERE / "again_h200.csv").open(newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        found = (kind, str(megabytes), str(passes))
        return next(row for row in rows if (row["kind"], row["megabytes"], row["passes"]) == found)


BLOCKS = 264


def run_again(kind: str, megabytes: int, passes: int) -> SmResult:
    text = (HERE / "times" / "queues" / "again.cu").read_text(encoding="utf-8")
    text, device = text[text.index("enum Kind") : text.index("int main")], load_device("h200")
    program = wv.compile(text, f"read_again<{KINDS.index(kind)}>", compiler="nvrtc", device="h200")
    room = megabytes << 20
    arguments = [np.zeros(room // 4, np.uint32), room // 16, passes, np.zeros(1, np.uint32)]
    bound = bind(program, (BLOCKS, 1, 1), (512, 1, 1), arguments, 0)
    options = SmOptions(record=False, estimate=True)
    return run_sm(program, device, bound.launch, bound.memory, Options(check=False), options).result


def dram_sectors(result: SmResult) -> float:
    """Return how many sectors of DRAM the whole launch reads."""
    return result.dram_sectors * BLOCKS / result.blocks_run


@pytest.mark.parametrize(
    ("kind", "megabytes", "passes"),
    [("same", 16, 2), ("same", 32, 2), ("same", 36, 2), ("same", 56, 2), ("other", 16, 4), ("both", 16, 4)],
)
def test_hits_and_sectors_of_dram_of_megabytes_read_again(kind: str, megabytes: int, passes: int) -> None:
    device = load_device("h200")
    result = run_again(kind, megabytes, passes)
    truth, hits = measured(kind, megabytes, passes), result.traffic.l2_hit_rate(device.l2_parts)
    assert hits is not None
    assert 100 * hits == pytest.approx(float(truth["hit_pct"]), abs=4)
    assert dram_sectors(result) == pytest.approx(float(truth["dram"]), rel=0.05)


# What is lost in the second pass of ``same`` is in the device file; its later passes lose less, see times.md.
@pytest.mark.parametrize(
    ("kind", "megabytes", "passes"),
    [("same", 40, 2), ("same", 44, 2), ("same", 48, 2), ("same", 52, 2), ("same", 52, 4), ("both", 52, 4)],
)
def test_the_l2_loses_more_and_more_of_what_it_hardly_holds(kind: str, megabytes: int, passes: int) -> None:
    expected = float(measured(kind, megabytes, passes)["dram"])
    assert dram_sectors(run_again(kind, megabytes, passes)) == pytest.approx(expected, rel=0.12)
