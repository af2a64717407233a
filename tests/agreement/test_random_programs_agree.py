"""Reference and jitted engine agree on random programs with any jumps, faults, races and deadlocks."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from support import workshop
from support.agreement import assert_same
from support.random_programs import buffers, random_program

from warpview.devices import load_device
from warpview.sim.engine import run_profile
from warpview.sim.launch import Options
from warpview.sim.reference import run_reference


# Shrinking would take minutes with a simulator in Python.
@pytest.mark.sample(3)
@pytest.mark.parametrize("device", ["8800gtx", "c2050", "h200"])
@given(random=st.randoms(use_true_random=False), threads=st.sampled_from([32, 40, 64, 96]), check=st.booleans())
@settings(max_examples=20, deadline=None, derandomize=True, phases=[Phase.explicit, Phase.generate])
def test_engines_agree(device, random: Random, threads: int, check: bool):
    program = random_program(random)
    options = Options(check=check, step_budget=150, threads=1)  # blocks race: on two threads the outcome would be open
    outcomes = []
    for engine in (run_reference, run_profile):
        launch, memory = workshop.prepare(program, buffers(), (2, 1, 1), (threads, 1, 1))
        outcomes.append(engine(program, load_device(device), launch, memory, options))
    assert_same(program, *outcomes)
