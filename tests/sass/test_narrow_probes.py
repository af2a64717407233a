"""Barriers that reduce, 16-bit atomics, narrow conversions and formats of 8 bits agree with an H200 bit for bit.

``data/narrow_*`` hold the probes of ``probes_narrow.cu`` and their results; ``record_probes.py narrow`` recorded them.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import warpview as wv

sys.path.insert(0, str(Path(__file__).parent))
from engines import Case, differences, program
from test_probes import recorder

RESULTS = np.load(Path(__file__).parent / "data" / "narrow_h200.npz")
RECORDED_N, THREADS, FIRST_SEED = 8192, 256, 500
NAMES = RESULTS.files


def case(name: str, threads: int) -> Case:
    """Return a probe with the operands of its first threads."""
    columns = [column[:threads] for column in recorder().operands(FIRST_SEED + RESULTS.files.index(name))]
    arguments = [np.zeros(4 * threads, np.uint32), *columns, RECORDED_N]
    blocks = max(1, threads // THREADS)
    return Case(name, program("narrow_sm90.zip", "narrow.cubin", name), blocks, threads // blocks, arguments)


@pytest.mark.parametrize("name", NAMES)
def test_a_probe_gives_what_the_hardware_gives(name: str) -> None:
    launch = case(name, len(RESULTS[name]) // 4)
    run = wv.simulate(launch.program, launch.grid, launch.block, launch.arguments, device="h200", check=False)
    assert np.array_equal(np.asarray(run.buffers["arg0"]), RESULTS[name])


@pytest.mark.parametrize("name", NAMES)
def test_the_engines_agree_on_a_probe(name: str) -> None:
    assert not differences(case(name, THREADS if name.startswith("o_bar") else 64))
