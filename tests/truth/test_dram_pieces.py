"""Pieces of 4 KiB are near a multiprocessor or far from it, and steps of blocks that load a line a warp take as long as
on an H200, of one piece or of several (``pieces_h200.csv``, by ``times/queues/pieces.cu``)."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import warpview as wv
from warpview.devices import load_device
from warpview.sim.reference.l2_lines import dram_places
from warpview.sim.timing.model import OWN_SPREAD, PIECE_SHIFT

TABLE = Path(__file__).parent / "pieces_h200.csv"
WARPS = 8
SOURCE = """
__global__ void steps(const float *from, float *out, int different, int apart, int most, int rounds)
{
    __shared__ float tile[256];
    int place = blockIdx.x % different, warp = threadIdx.x / 32;
    const float *at = from + threadIdx.x % 32;
    at += (apart == 1 ? place * 8 + warp : place / 32 * 256 + warp * apart + place % 32) * 32;
    float sum = 0;
    #pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        tile[threadIdx.x] = at[r * most * 32];
        __syncthreads();
        sum += tile[255 - threadIdx.x];
        __syncthreads();
    }
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}
"""


def rows(figure: str) -> list[list[float]]:
    with TABLE.open(newline="") as file:
        return [[float(x) for x in row[1:]] for row in csv.reader(file) if row[0] == figure]


@pytest.mark.parametrize("kind", [0, 2], ids=["loads from DRAM", "atomics"])
def test_a_piece_is_near_one_half_of_the_multiprocessors(kind: int) -> None:
    """Of the two multiprocessors that were looked at, each is near what the other one is far from."""
    found = {0: set[int](), 2: set[int]()}
    for multiprocessor, of_kind, piece, _, _, median, *_ in rows("piece"):
        if of_kind == kind and median > (650 if kind == 0 else 400):
            found[int(multiprocessor)].add(int(piece))
    ours = {piece for piece in range(256) if dram_places(piece << PIECE_SHIFT)[0] >= OWN_SPREAD // 2}
    assert found == {0: ours, 2: set(range(256)) - ours}


def simulated(blocks: int, different: int, apart: int) -> float:
    """Return the cycles of one more step."""
    most, cycles = max(256, different * WARPS), []
    for rounds in (4, 20):
        data, out = np.zeros(21 * most * 32, np.float32), np.zeros(blocks * 256, np.float32)
        args = [data, out, different, apart, most, rounds]
        run = wv.simulate(wv.compile(SOURCE, "steps"), blocks, 256, args, device="h200", engine="sm", check=False)
        cycles.append(run.time_us * load_device("h200").clock_mhz)
    return (cycles[1] - cycles[0]) / 16


@pytest.mark.parametrize("apart", [1, 32], ids=["one piece", "eight pieces"])
@pytest.mark.parametrize(("blocks", "different"), [(1, 1), (128, 128), (128, 16), (128, 1)])
def test_steps_of_lines_of_pieces_take_as_long_as_on_the_hardware(blocks: int, different: int, apart: int) -> None:
    measured = {tuple(row[:4]): row[4] for row in rows("steps")}[blocks, different, apart, 0]
    assert simulated(blocks, different, apart) == pytest.approx(measured, rel=0.18)
