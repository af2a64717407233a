"""Every pass keeps what a kernel computes: random functions as lowered, simplified and predicated."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from warpview.devices import load_device
from warpview.frontend.emit import finish
from warpview.frontend.verify import verify
from warpview.sim.launch import Launch, Options
from warpview.sim.memory import DeviceMemory
from warpview.sim.reference import run_reference

_spec = importlib.util.spec_from_file_location("random_functions", Path(__file__).with_name("random_functions.py"))
assert _spec
assert _spec.loader
random_functions = importlib.util.module_from_spec(_spec)
sys.modules["random_functions"] = random_functions
_spec.loader.exec_module(random_functions)

BLOCKS, THREADS = 2, 40


def run(seed: int, device: str, **how: bool) -> tuple[np.ndarray, int]:
    """The memory after the run, and how many instructions were issued."""
    function = random_functions.RandomFunction(seed).build()
    verify(function)
    program = finish(function, **how)
    memory = DeviceMemory()
    size = random_functions.RESULT_BYTES + random_functions.READ_ONLY_BYTES
    words = np.random.default_rng(seed).integers(0, 255, size, dtype=np.uint8)
    base = memory.allocate("out", size, words).base
    uniform32, uniform64 = np.zeros(program.first_virtual32, np.uint32), np.zeros(program.first_virtual64, np.uint64)
    for file, constants in ((uniform32, program.constants32), (uniform64, program.constants64)):
        for row, bits in constants.items():
            file[row] = bits
    uniform64[program.params[0].row] = base
    uniform32[program.params[1].row] = 5
    uniform32[8:14] = (THREADS, 1, 1, BLOCKS, 1, 1)
    launch = Launch((BLOCKS, 1, 1), (THREADS, 1, 1), 0, uniform32, uniform64)
    outcome = run_reference(program, load_device(device), launch, memory, Options(check=False, step_budget=20_000))
    assert not outcome.aborted
    return outcome.memory.data, int(outcome.counts[:, 0].sum())


@given(st.integers(0, 2**32))
@example(1737364)  # a variable that is read before its only assignment, around a loop
@settings(max_examples=8, deadline=None)
def test_passes_keep_the_meaning(seed: int) -> None:
    plain, before = run(seed, "c2050", simplify=False)
    simple, after = run(seed, "c2050")
    predicated, _ = run(seed, "c2050", predicate=True)
    np.testing.assert_array_equal(plain, simple)
    np.testing.assert_array_equal(plain, predicated)
    assert after <= before


@pytest.mark.parametrize("seed", range(8))
def test_the_same_under_independent_thread_scheduling(seed: int) -> None:
    plain, _ = run(seed, "h200", simplify=False)
    np.testing.assert_array_equal(plain, run(seed, "h200")[0])
    np.testing.assert_array_equal(plain, run(seed, "h200", predicate=True)[0])
