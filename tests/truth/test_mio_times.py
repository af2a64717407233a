"""Loops of arithmetic, and of what goes through the queue of memory instructions, take as long as on an H200."""

from __future__ import annotations

import csv
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

try:
    from warpview.sass import nvrtc

    HAS_NVRTC = nvrtc.is_installed()
except ImportError:
    HAS_NVRTC = False

import warpview as wv

sys.path.insert(0, str(Path(__file__).parent / "times" / "queues"))

import pipes

import mio
from mio import PLACES, SHARED_BYTES, WARPS

pytestmark = pytest.mark.skipif(not HAS_NVRTC, reason="NVRTC is not installed")

HERE = Path(__file__).parent
ROUNDS, WHOLE = 8, (4, 4)  # all schedulers, four warps each
# A barrier waits for the last arrival, and a block of 16 warps that all go on at once for one another: not so long in a
# row as between other instructions. A number of a thread after a store takes less than after anything else.
NOT_MODELLED = {"barrier", "barrier_off", "store+thread"}
MEMORY, ARITHMETIC = cache(mio.cubins), cache(pipes.cubins)


@cache
def measured(table: str) -> dict[tuple[str, int, int], float]:
    with (HERE / table).open(newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {(row["mix"], int(row["schedulers"]), int(row["warps"])): float(row["cycles"]) for row in rows}


def cycles(code: bytes, schedulers: int, warps: int, folder: Path, rounds: int = ROUNDS) -> float:
    """Return the cycles for one instruction of each warp that runs."""
    path = folder / "loop.cubin"
    path.write_bytes(code)
    arguments = [np.zeros(16384, np.uint32), np.zeros(2 * WARPS, np.int64), rounds, schedulers, warps, 0]
    run = wv.simulate(
        wv.compile(path, kernel="loop"), grid=(1,), block=(32 * WARPS,), args=arguments, shared_bytes=SHARED_BYTES,
        device="h200", engine="sm", check=False,
    )  # fmt: skip
    both = next(b for b in run.buffers.values() if b.dtype == np.int64).reshape(WARPS, 2)
    ran = both[both[:, 1] > 0]
    assert len(ran) == schedulers * warps
    return float((ran[:, 1].max() - ran[:, 0].min()) / (PLACES * rounds))


@pytest.mark.sample(4)
@pytest.mark.parametrize("mix", [mix for mix in mio.mixes() if mix not in NOT_MODELLED])
def test_sixteen_warps_share_the_units_of_the_multiprocessor(mix: str, tmp_path: Path) -> None:
    assert cycles(MEMORY()[mix], *WHOLE, tmp_path) == pytest.approx(measured("mio_h200.csv")[mix, *WHOLE], rel=0.06)


@pytest.mark.parametrize("mix", ["load", "store", "store16", "add", "shuffle", "load+store", "load+thread", "ex2"])
def test_a_scheduler_reads_the_registers_of_one_instruction_after_the_other(mix: str, tmp_path: Path) -> None:
    assert cycles(MEMORY()[mix], 1, 4, tmp_path) == pytest.approx(measured("mio_h200.csv")[mix, 1, 4], rel=0.06)


@pytest.mark.sample(9)
@pytest.mark.parametrize("mix", pipes.mixes())
def test_arithmetic_shares_the_pipes_of_the_hardware(mix: str, tmp_path: Path) -> None:
    """Sums of VIADD run where products do, on half of the lanes; floats have the other half beside them."""
    ran = cycles(ARITHMETIC()[mix], *WHOLE, tmp_path, mio.ROUNDS)
    assert ran == pytest.approx(measured("pipes_h200.csv")[mix, *WHOLE], rel=0.06)
