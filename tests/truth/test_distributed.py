"""Accesses to the shared memory of other blocks count what an H100 counts.

Measured by Nsight Compute (CUDA 13.0, nvcc for sm_90) on two NVIDIA H100 80GB HBM3: ``distributed_h100.csv``, and
``distributed_many_h100.csv``, whose warps access up to four blocks in one instruction.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from support.clusters import ACCESSES, HISTOGRAM, MANY_BLOCKS, NEIGHBOURS

import warpview as wv
from warpview.devices import clusters_at_once, load_device
from warpview.sass import nvrtc

Row = dict[str, str]


def rows_of(name: str) -> list[Row]:
    with Path(__file__).with_name(name).open(newline="") as file:
        return list(csv.DictReader(file))


ROWS, MANY = rows_of("distributed_h100.csv"), rows_of("distributed_many_h100.csv")
WHAT = ("kernel", "kind", "stride")
# The hardware's count by instruction (smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared) is 266 and 48.
UNEXPLAINED = {"histogram": {"shared_atom_wavefronts": (267, 266)}, "neighbours": {"shared_ld_wavefronts": (50, 48)}}
# cudaOccupancyMaxActiveClusters on that H100 for clusters of 1 to 17 blocks, of which so many fit on a multiprocessor.
AT_ONCE = {
    1: (132, 66, 39, 30, 22, 17, 15, 15, 9, 7, 7, 7, 7, 7, 7, 7, 2),
    2: (264, 132, 79, 62, 47, 39, 32, 30, 23, 21, 16, 16, 14, 14, 14, 14, 4),
}


def launched(row: Row, compiler: str) -> wv.Run:
    data = np.array([k * 7919 % 71 - 3 for k in range(4096)], np.int32)
    text, grid, block, args, shared = {
        "histogram": (HISTOGRAM, 8, 64, [np.zeros(64, np.int32), 64, 32, data, 4096], 128),
        "neighbours": (NEIGHBOURS, (4, 2), 64, [np.zeros(512, np.float32), np.zeros(96, np.uint32)], 0),
        "accesses": (ACCESSES, 4, 32, [np.zeros(128, np.int32), int(row["stride"] or 0), int(row["kind"] or 0)], 0),
    }[row["kernel"]]
    program = wv.compile(text, compiler=compiler, device="h100")
    return wv.simulate(program, grid, block, args, shared_bytes=shared, device="h100")


def check(row: Row, compiler: str, left_out: tuple[str, ...] = ()) -> None:
    run = launched(row, compiler)
    measured = {key: int(value) for key, value in row.items() if key not in (*WHAT, *left_out)}
    different = {key: (value, run.counters[key]) for key, value in measured.items() if run.counters[key] != value}
    assert different == UNEXPLAINED.get(row["kernel"], {})


def name(row: Row) -> str:
    return "-".join(row[key] for key in WHAT if row[key])


@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
@pytest.mark.parametrize("row", ROWS, ids=name)
def test_machine_code_counts_what_the_hardware_counts(row: Row) -> None:
    check(row, "nvrtc")


@pytest.mark.parametrize("row", ROWS, ids=name)
def test_as_written_the_accesses_are_those_of_the_hardware(row: Row) -> None:
    # An atomic that reaches no lane's own memory asks it in vain, in machine code.
    in_vain = ("shared_atom_wavefronts",) if row["kind"] == "5" else ()
    check(row, "warpview", ("inst_executed", *in_vain))


def check_many(row: Row, compiler: str) -> None:
    program = wv.compile(MANY_BLOCKS, kernel=row["kernel"], compiler=compiler, device="h100")
    numbers = [int(row[name]) for name in ("stride", "share", "blocks", "kind", "lanes")]
    out = np.zeros(2048, np.uint64 if "long" in row["kernel"] else np.int32)
    counters = wv.simulate(program, 4, 32, [out, *numbers], device="h100").counters
    kind = "atom" if "sums" in row["kernel"] else ("ld", "st")[int(row["kind"])]
    for figure in ("requests", "sectors", "wavefronts"):
        assert counters[f"distributed_{kind}_{figure}"] == int(row[figure]), figure


@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
@pytest.mark.sample(12)
@pytest.mark.parametrize("row", MANY, ids=lambda row: "-".join(row.values()))
def test_accesses_to_many_blocks_as_machine_code(row: Row) -> None:
    check_many(row, "nvrtc")


@pytest.mark.sample(12)
@pytest.mark.parametrize("row", MANY, ids=lambda row: "-".join(row.values()))
def test_accesses_to_many_blocks_as_written(row: Row) -> None:
    check_many(row, "warpview")


@pytest.mark.parametrize("resident", AT_ONCE)
def test_as_many_clusters_fit_as_the_hardware_says(resident: int) -> None:
    device = load_device("h100")
    assert tuple(clusters_at_once(device, resident, size) for size in range(1, 18)) == AT_ONCE[resident]
