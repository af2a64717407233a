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
from record_hopper import THREADS, operands

RESULTS = np.load(Path(__file__).parent / "data" / "hopper_h200.npz")
BLOCK = 256
NAMES = [name for name in RESULTS.files if name[0] in "vfx"]
NOT_ON_HOPPER = ["v_5", "v_7", "v_12", "v_14"]  # .RELU of unsigned integers


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
    assert not differences(case(name, 64))


@pytest.mark.parametrize("name", NOT_ON_HOPPER)
def test_a_limit_that_the_hardware_does_not_have_is_refused(name: str) -> None:
    with pytest.raises(wv.CompileError, match=r"VIMNMX.*\.RELU"):
        case(name, BLOCK)
