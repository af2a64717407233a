"""Limits that tell which source they took, sums of small floats, and what sm_90 brought give an H200's bits.

``data/hopper_*`` hold the probes of ``probes_hopper.cu`` and their results; ``record_hopper.py`` recorded them.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import warpview as wv

sys.path.insert(0, str(Path(__file__).parent))
from engines import Case, differences, program
from record_hopper import BARRIERS, STEPS, THREADS, operands, steps

RESULTS = np.load(Path(__file__).parent / "data" / "hopper_h200.npz")
BLOCK = 256
NAMES = [name for name in RESULTS.files if name not in ("w_numbers", "y_barrier", "y_copies")]


def case(name: str, threads: int) -> Case:
    """Return a probe with the operands of its first threads."""
    arguments = [np.zeros(4 * threads, np.uint32), *(column[:threads] for column in operands(name)), BLOCK]
    block = min(threads, BLOCK)
    return Case(name, program("hopper_sm90.zip", "hopper.cubin", name), threads // block, block, arguments)


@pytest.mark.parametrize("name", NAMES)
def test_a_probe_gives_what_the_hardware_gives(name: str) -> None:
    launch = case(name, THREADS[name[0]])
    run = wv.simulate(launch.program, launch.grid, launch.block, launch.arguments, device="h200", check=False)
    assert np.array_equal(np.asarray(run.buffers["arg0"]), RESULTS[name])


@pytest.mark.parametrize("name", NAMES)
def test_the_engines_agree_on_a_probe(name: str) -> None:
    assert not differences(case(name, BLOCK if name == "w_store" else 64))


def barriers() -> Case:
    """Return the launch whose threads go through operations on barriers of their own."""
    arguments = [np.zeros((STEPS + 2) * BARRIERS * 8, np.uint32), *steps(), 0]
    return Case("y_barrier", program("hopper_sm90.zip", "hopper.cubin", "y_barrier"), 1, BARRIERS, arguments)


def test_a_barrier_in_shared_memory_changes_as_on_the_hardware() -> None:
    launch = barriers()
    run = wv.simulate(launch.program, 1, BARRIERS, launch.arguments, device="h200", check=False)
    found, expected = (np.asarray(x).reshape(-1, 8) for x in (run.buffers["arg0"], RESULTS["y_barrier"]))
    # A plain load of a barrier, the first two words, may find what lay there before.
    assert np.array_equal(found[:, 2:], expected[:, 2:])
    assert np.mean(found[:, :2] == expected[:, :2]) > 0.7


def test_copies_of_every_kind_arrive_as_on_the_hardware() -> None:
    launch = case("y_copies", BLOCK)
    run = wv.simulate(launch.program, 1, BLOCK, launch.arguments, device="h200", check=False)
    found, expected = (np.asarray(x).reshape(-1, 4) for x in (run.buffers["arg0"], RESULTS["y_copies"]))
    # The last word is a plain load of a barrier, which may find what lay there before.
    assert np.array_equal(found[:, :3], expected[: len(found), :3])


@pytest.mark.exhaustive
def test_the_engines_agree_on_barriers_in_shared_memory() -> None:
    assert not differences(barriers())


def test_numbers_of_the_machine() -> None:
    launch = case("w_numbers", BLOCK)
    run = wv.simulate(launch.program, 1, BLOCK, launch.arguments, device="h200")
    found, expected = (np.asarray(x).reshape(-1, 4) for x in (run.buffers["arg0"], RESULTS["w_numbers"]))
    # Which multiprocessor ran the block, and in which slots its warps were, depends on what ran before.
    assert np.array_equal(found[:, 1] >> 16, expected[: len(found), 1] >> 16)
    assert np.array_equal(found[:, 1] & 0xFFFF, np.arange(BLOCK) // 32)
    assert np.array_equal(found[:, 2:], expected[: len(found), 2:])
