"""Floats that are added in shared memory take as long as written as on an H200, where NVCC makes loops of them: see
times/queues/mechanisms.cu and swaps.cu."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import warpview as wv

HERE = Path(__file__).parent


def measured(table: str, figure: str, parameter: int) -> float:
    with (HERE / table).open(newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return float(next(r["value"] for r in rows if (r["figure"], r["parameter"]) == (figure, str(parameter))))


def cycles(source: str, kernel: str, blocks: int, warps: int, arguments: list[object], shared: int) -> float:
    """Return the mean cycles that the blocks of a multiprocessor note."""
    program = wv.compile(source, kernel)
    run = wv.simulate(
        program, grid=(132 * blocks,), block=(32 * warps,), args=arguments, shared_bytes=shared, device="h200",
        engine="sm", check=False,
    )  # fmt: skip
    clocks = next(buffer for buffer in run.buffers.values() if buffer.dtype == np.int64)
    return float(clocks[np.arange(blocks) * 132].mean())


@pytest.mark.parametrize("warps", [1, 16, 32])
def test_all_lanes_add_to_one_word(warps: int) -> None:
    text = (HERE / "times" / "queues" / "mechanisms.cu").read_text(encoding="utf-8")
    source = text[text.index("__global__ void add_floats(") : text.index("// Integers: the old")]
    arguments = [4, np.zeros(4096, np.int64), np.zeros(1024, np.float32)]
    each = cycles(source, "add_floats", 1, warps, arguments, 0) / 4
    assert each == pytest.approx(measured("mechanisms_h200.csv", "float_add_blocks_1", warps), rel=0.1)


@pytest.mark.parametrize(
    ("blocks", "warps", "words"), [(1, 1, 4), (1, 1, 4096), (1, 4, 256), (1, 32, 4), (1, 32, 4096), (4, 8, 4096)]
)
def test_lanes_add_to_random_words(blocks: int, warps: int, words: int) -> None:
    text = (HERE / "times" / "queues" / "swaps.cu").read_text(encoding="utf-8")
    source = text[text.index("__device__ __forceinline__") : text.index("// Each thread changes one random word")]
    arguments = [words - 1, 8, np.zeros(4096, np.int64), np.zeros(1 << 20, np.int32)]
    each = cycles(source, "change_shared<ADD_FLOAT>", blocks, warps, arguments, 16384) / 8
    assert each == pytest.approx(measured("swaps_h200.csv", f"shared_add_float_{blocks}_{warps}", words), rel=0.21)
