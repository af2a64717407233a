"""Times of launches that do nothing, or load a word, against those that Nsight Compute measured on an H100."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import warpview as wv
from warpview.sass import nvrtc

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

HERE = Path(__file__).parent
SOURCE = HERE / "times" / "queues" / "empty.cu"
with (HERE / "empty_h100.csv").open(newline="") as file:
    ROWS = list(csv.DictReader(line for line in file if not line.startswith("#")))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['kernel']}-{row['blocks']}")
def test_a_launch_takes_its_time_without_work(row: dict[str, str]) -> None:
    program = wv.compile(SOURCE, row["kernel"], compiler="nvrtc", device="h100")
    words = np.zeros(1 << 18, np.int32)
    run = wv.simulate(program, int(row["blocks"]), int(row["threads"]), [words], device="h100", engine="sm")
    assert run.time_us == pytest.approx(float(row["kernel_us"]), rel=0.1)
