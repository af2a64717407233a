"""Asynchronous copies give the results of an H100, and its counters.

``data/copies_*`` hold what Nsight Compute counted of launches by one warp of the kernels of ``counted_copies.cu``;
``record_copies.py`` recorded them.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.tiers import representatives

import warpview as wv

sys.path.insert(0, str(Path(__file__).parent))
from counted_tables import counter_keys, read
from engines import DATA, Case, differences, program
from record_copies import COPIES, FEW, SOURCE_BYTES, WIDE, WORDS, copy_inputs, few_inputs, source_words

COUNTED: dict[str, list[dict[str, int]]] = read("copies_h100.json.gz")
RESULTS = np.load(DATA / "copies_results_h100.npz")["results"]
KERNELS = [kernel for kernel in COPIES if kernel not in WIDE]
UNKNOWN = "sectors", "global_ld_requests", "global_st_requests"  # ends of the names of counters with no known rule
KEYS = counter_keys()


@cache
def results() -> dict[tuple[str, int], tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]]:
    """Return what each launch wrote, and which bits of the source it changed, by kernel and number."""
    found, start = {}, 0
    for kernel, count in COPIES.items():
        for number in range(count):
            middle = start + WORDS + 128
            end = middle + (SOURCE_BYTES // 4 if kernel in WIDE else 0)
            found[kernel, number], start = (RESULTS[start:middle], RESULTS[middle:end]), end
    assert start + 32 * sum(FEW.values()) == len(RESULTS)
    return found


def case(kernel: str, number: int) -> Case:
    arrays, n = copy_inputs(kernel, number)
    arguments = [np.zeros(WORDS + 128, np.uint32), source_words(), *arrays, n]
    return Case(kernel, program("copies_sm90.zip", "copies.cubin", kernel), 1, 32, arguments)


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_copy_counts_what_the_hardware_counts(kernel: str) -> None:
    for number, metrics in enumerate(COUNTED[kernel]):
        launch = case(kernel, number)
        run = wv.simulate(launch.program, 1, 32, launch.arguments, device="h100", check=False)
        written, _ = results()[kernel, number]
        assert np.array_equal(np.asarray(run.buffers["arg0"]), written), number
        real = {KEYS[metric]: value for metric, value in metrics.items() if metric in KEYS}
        assert len(real) > 20
        assert {key: run.counters[key] for key in real} == real, number


@pytest.mark.parametrize("kernel", list(FEW))
def test_few_lanes_in_global_and_local_memory_count_all_but_their_sectors(kernel: str) -> None:
    """Which of their sectors count for both memories depends on where the lines lie, which no program knows: launches
    with one lane in each have four outcomes."""
    first = list(FEW)[: list(FEW).index(kernel)]
    start = len(RESULTS) - 32 * sum(FEW.values()) + 32 * sum(FEW[other] for other in first)
    for number, metrics in enumerate(COUNTED[kernel]):
        arrays, n = few_inputs(kernel, number)
        arguments = [np.zeros(32, np.uint32), *arrays, n]
        run = wv.simulate(program("counted_sm90.zip", "counted.cubin", kernel), 1, 32, arguments, device="h100")
        written = RESULTS[start + 32 * number : start + 32 * (number + 1)]
        assert np.array_equal(np.asarray(run.buffers["arg0"]), written), number
        real = {KEYS[metric]: value for metric, value in metrics.items() if metric in KEYS}
        unknown = {key for key, value in real.items() if run.counters[key] != value}
        assert all(key.endswith(UNKNOWN) for key in unknown), number


@pytest.mark.parametrize("number", representatives((1, 7, 11), ("7",)))
@pytest.mark.parametrize("kernel", KERNELS)
def test_the_engines_agree_on_a_copy(kernel: str, number: int) -> None:
    assert not differences(case(kernel, number))
