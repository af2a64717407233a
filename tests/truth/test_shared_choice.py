"""The shared memory that a driver sets aside on a multiprocessor is what an H200 said.

``shared_choice_h200.csv`` holds what Nsight Compute said of launches with and without clusters, without a preferred
carve-out: ``launch__shared_mem_config_size`` and ``launch__occupancy_limit_shared_mem``.
"""

import csv
from pathlib import Path

import numpy as np
import pytest

import warpview as wv
from warpview.devices import load_capability, occupancy
from warpview.devices.shared_choice import chosen_shared, counted_limit

with (Path(__file__).parent / "shared_choice_h200.csv").open() as table:
    ROWS = [{key: int(value) for key, value in row.items()} for row in csv.DictReader(table)]
UNEXPLAINED = {(128, 64)}  # threads and bytes of the one kind of launch that has another size


def test_a_driver_makes_room_for_twice_the_blocks_that_run() -> None:
    chip, others = load_capability("9.0"), set()
    for row in ROWS:
        threads, shared = row["threads"], row["shared_bytes"]
        limits = occupancy(chip, threads, row["registers_per_thread"], shared)
        found = chosen_shared(chip, threads, shared, limits), counted_limit(chip, threads, shared, limits)
        if found != (row["config_bytes"], row["limit_blocks_shared"]):
            others.add((threads, shared))
    assert others == UNEXPLAINED


@pytest.mark.parametrize(("device", "limit"), [("h200", 28), ("a100", 145)])
def test_a_launch_counts_the_blocks_in_what_was_set_aside(device: str, limit: int) -> None:
    """Of 256 threads with 64 bytes: in 32 KiB on an H200; on devices that were not asked in the largest size."""
    source = """__global__ void k(int *out) {
        __shared__ int s[16];
        s[threadIdx.x % 16] = threadIdx.x;
        out[threadIdx.x] = s[0];
    }"""
    run = wv.simulate(wv.compile(source), 1, 256, [np.zeros(256, np.int32)], device=device, check=False)
    assert run.counters["limit_blocks_shared"] == limit


def test_what_cannot_run_or_is_not_known_has_no_choice() -> None:
    hopper, ampere = load_capability("9.0"), load_capability("8.0")
    assert chosen_shared(hopper, 1025, 64, occupancy(hopper, 1025, 16, 64)) is None
    for asked_by_nobody in (ampere, load_capability("10.0")):
        assert chosen_shared(asked_by_nobody, 256, 64, occupancy(asked_by_nobody, 256, 16, 64)) is None
