"""Generic addresses, calls by register and branches to several places give the results of an H200, and its counters.

``data/counted_*`` hold what Nsight Compute counted of 286 launches of the kernels of ``counted.cu``, of one block each;
``record_counted.py`` recorded them. Fifteen of them have a warp with lanes in global and in local memory at one
instruction for at most 32 bits a lane: how often their sectors and their requests of global memory count, the hardware
decides by a rule that is not known.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpview as wv

sys.path.insert(0, str(Path(__file__).parent))
from counted_inputs import LAUNCHES, inputs
from counted_tables import DATA, counter_keys, read
from engines import Case, differences, program

COUNTED: dict[str, list[dict[str, Any]]] = read("counted_h200.json.gz")
RESULTS = np.load(DATA / "counted_results_h200.npz")["results"]
KEYS = counter_keys()
UNKNOWN = "sectors", "global_ld_requests", "global_st_requests"  # how the names of counters end that have such a rule
LOCAL, GLOBAL = 1, 2  # of the third array of a kernel with generic addresses: where a lane's address points


@cache
def results() -> dict[tuple[str, int], np.ndarray[Any, Any]]:
    """Return what each launch wrote, by kernel and number."""
    found, start = {}, 0
    for name, count in LAUNCHES.items():
        for number in range(count):
            end = start + inputs(name, number)[0]
            found[name, number], start = RESULTS[start:end], end
    return found


def case(name: str, number: int) -> Case:
    threads, values, n = inputs(name, number)
    arguments = [np.zeros(threads, np.uint32), *values, n]
    return Case(name, program("counted_sm90.zip", "counted.cubin", name), 1, threads, arguments)


def reaches_global_and_local(name: str, number: int) -> bool:
    """Return whether a warp reaches both by one instruction."""
    _, (_, _, where), _ = inputs(name, number)
    warps = where.reshape(-1, 32) if name in ("g_mixed", "g_byte", "g_store") else where[:0]
    return any(LOCAL in warp and GLOBAL in warp for warp in warps)


@pytest.mark.parametrize("name", list(LAUNCHES))
def test_a_launch_counts_what_the_hardware_counts(name: str) -> None:
    for number, counted in enumerate(COUNTED[name]):
        launch = case(name, number)
        run = wv.simulate(launch.program, 1, launch.block, launch.arguments, device="h200", check=False)
        assert np.array_equal(np.asarray(run.buffers["arg0"]), results()[name, number]), number
        real = {KEYS[metric]: value for metric, value in counted["metrics"].items() if metric in KEYS}
        if reaches_global_and_local(name, number):
            real = {key: value for key, value in real.items() if not key.endswith(UNKNOWN)}
        assert {key: run.counters[key] for key in real} == real, number
        if instructions := counted["instructions"]:
            assert run.counts[: len(instructions), :3].tolist() == instructions, number


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", list(LAUNCHES))
def test_the_engines_agree_on_counted_launches(name: str) -> None:
    for number in range(0, LAUNCHES[name], max(3, LAUNCHES[name] // 4)):
        assert not differences(case(name, number)), number


def test_few_launches_reach_global_and_local_memory_at_once() -> None:
    mixed = [(name, number) for name, count in LAUNCHES.items() for number in range(count)]
    assert sum(reaches_global_and_local(*launch) for launch in mixed) == 15
