"""Compare the cycles that the first-level cache takes for an access with those measured on an H200.

``l1_h200.csv`` was written by times/queues/l1.py.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import numpy as np
import pytest

import warpview as wv
from warpview.devices import load_device
from warpview.sass import nvrtc
from warpview.sim.rules import l1
from warpview.sim.rules.coalescing import LINE

HERE = Path(__file__).parent
sys.path.append(str(HERE / "times" / "queues"))
import l1 as measurement  # noqa: E402

ALL_LANES = (1 << 32) - 1
Row = tuple[int, np.ndarray, float]

with (HERE / "l1_h200.csv").open() as table:
    ROWS = list(csv.DictReader(line for line in table if not line.startswith("#")))


def rows(kind: str) -> list[Row]:
    """Return (width, byte offsets of the lanes, measured cycles) of the accesses of a kind."""
    return [
        (int(row["width"]), np.array(row["offsets"].split(), dtype=int), float(row["cycles"]))
        for row in ROWS
        if row["kind"] == kind
    ]


def cycles(kind: str, width: int, offsets: np.ndarray) -> float:
    """Return the cycles by the rule, on average over the places of the measurement."""
    device = load_device("h200")
    flip = measurement.FLIP
    places = [(offsets ^ place // flip * flip) + place % flip for place in measurement.PLACES]
    return float(np.mean([l1.cycles(place.tolist(), ALL_LANES, width, device, kind) for place in places]))


def test_loads_take_the_cycles_of_the_hardware() -> None:
    found = rows("load")
    assert len(found) == 330
    for width, offsets, measured in found:
        assert cycles("load", width, offsets) == pytest.approx(measured, rel=0.02), (width, offsets)


def test_stores_to_one_line_take_the_cycles_of_the_hardware() -> None:
    found = [row for row in rows("store") if len({place // LINE for place in row[1]}) == 1]
    assert len(found) > 60
    for width, offsets, measured in found:
        assert cycles("store", width, offsets) == pytest.approx(measured, rel=0.05), (width, offsets)


def test_tags_share_four_banks() -> None:
    masks = load_device("h200").tag_bank_masks
    assert l1.tag_cycles(range(4), masks) == 1
    assert l1.tag_cycles([0, 5, 10, 15], masks) == 4  # parities of bits 0 and 2, and of 1 and 3, cancel out
    assert l1.tag_cycles([0, 5, 1], masks) == 2
    assert l1.tag_cycles([0, 5, 1, 2, 3], ()) == 2  # as if no bank had more than another


@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
@pytest.mark.parametrize(("width", "name"), [(16, "row"), (16, "one"), (8, "one"), (4, "stride_36"), (4, "stride_128")])
def test_a_launch_takes_them_too(tmp_path: Path, width: int, name: str) -> None:
    source = tmp_path / "l1.cu"
    source.write_text(measurement.kernel("load", width))
    program = wv.compile(source, f"load_{width}", compiler="nvrtc", device="h200")
    offsets = measurement.patterns(width)[name]
    rounds, warps = 8, measurement.WARPS
    args = [np.zeros(1024, np.uint32), np.zeros(1, np.int64), offsets.astype(np.int32), np.zeros(1 << 17, np.uint8)]
    run = wv.simulate(program, 1, 32 * warps, [*args, rounds], device="h200", engine="sm", check=False)
    measured = next(row[2] for row in rows("load") if row[0] == width and np.array_equal(row[1], offsets))
    assert run.buffers["cycles"][0] / (8 * rounds * warps) == pytest.approx(measured, rel=0.15)
