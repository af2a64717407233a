"""The result of the profile engine does not depend on how many host threads share the blocks, even when they race."""

from __future__ import annotations

from random import Random

import pytest
from support import workshop
from support.agreement import assert_same
from support.random_programs import buffers, random_program

from warpview.devices import load_device
from warpview.sim.engine import run_profile
from warpview.sim.launch import Options

BLOCKS, THREADS = 70, 96  # enough warps to be worth several host threads


@pytest.mark.sample(8)
@pytest.mark.parametrize("device", ["c2050", "h200"])
@pytest.mark.parametrize("seed", range(20))
def test_host_threads_make_no_difference(device, seed):
    program = random_program(Random(seed))
    outcomes = []
    for threads in (1, 2, 3):
        launch, memory = workshop.prepare(program, buffers(), (BLOCKS, 1, 1), (THREADS, 1, 1))
        options = Options(step_budget=100, threads=threads)
        outcomes.append(run_profile(program, load_device(device), launch, memory, options))
    assert_same(program, outcomes[0], outcomes[1])
    assert_same(program, outcomes[0], outcomes[2])
