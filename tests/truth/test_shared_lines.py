"""Lines of DRAM are as late as on an H200 (``shared_lines_h200.csv``): the last of 32 of one warp, which other
multiprocessors ask for at the same time or not."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import warpview as wv
from warpview.devices import load_device

TABLE = Path(__file__).parent / "shared_lines_h200.csv"
BLOCKS, STEP = 132, 8  # a block for each multiprocessor; lines from one lane's to the next one's
SOURCE = """
__global__ void lines(const unsigned *data, unsigned *out, int together, int rounds)
{
    const unsigned *at = data + (blockIdx.x / together * rounds * 32 + threadIdx.x) * STEP * 32;
    unsigned sum = 0;
    #pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        sum += at[r * STEP * 1024 + (sum & 1024)];
        sum = __shfl_sync(~0u, sum, 0) + __shfl_sync(~0u, sum, 31);
    }
    out[blockIdx.x * 32 + threadIdx.x] = sum;
}
""".replace("STEP", str(STEP))


def measured(together: int) -> float:
    """Return the mean cycles of a round."""
    with TABLE.open(newline="") as file:
        rows = {row["figure"]: row["value"] for row in csv.DictReader(line for line in file if line[0] != "#")}
    return float(rows[f"shared_{BLOCKS}_32_{together}_{STEP}_0_0"].split(";")[0])


def simulated(together: int) -> float:
    """Return the cycles of one more round."""
    cycles = []
    for rounds in (4, 12):
        data = np.zeros(BLOCKS // together * rounds * 32 * STEP * 32 + 2048, dtype=np.uint32)
        args = [data, np.zeros(BLOCKS * 32, dtype=np.uint32), together, rounds]
        run = wv.simulate(wv.compile(SOURCE, "lines"), BLOCKS, 32, args, device="h200", engine="sm", check=False)
        cycles.append(run.time_us * load_device("h200").clock_mhz)
    return (cycles[1] - cycles[0]) / 8


@pytest.mark.parametrize("together", [1, BLOCKS])
def test_the_last_of_many_lines_is_as_late_as_on_the_hardware(together: int) -> None:
    assert simulated(together) == pytest.approx(measured(together), rel=0.12)
