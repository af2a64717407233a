"""Atomics on global memory cost what they cost on an H200, where all meet in one slice of the L2.

Measured times are those of ``library_h200.csv``. The bins lie in 256 bytes; ``single`` puts every value into one bin.
"""

import csv
from pathlib import Path

import pytest

from warpview import library
from warpview.run.library_launch import simulate_preset

TABLE = Path(__file__).parent / "library_h200.csv"
TOLERANCE = 0.12


def measured_us(kernel: str, preset: str) -> float:
    with TABLE.open(newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        found = next(row for row in rows if (row["kernel"], row["preset"], row["launch"]) == (kernel, preset, "0"))
    return float(found["time_us"]) / 1000  # the column is in nanoseconds


@pytest.mark.sample(3)
@pytest.mark.parametrize("preset", ["full", "skewed", "single"])
@pytest.mark.parametrize("kernel", ["histogram/global", "histogram/aggregated", "histogram/shared"])
def test_time(kernel: str, preset: str) -> None:
    run = simulate_preset(library.entry(kernel), preset, "h200", engine="sm", check=False).launches[0]
    assert run.time_us == pytest.approx(measured_us(kernel, preset), rel=TOLERANCE)
