"""Integers in pairs of 16 bits, conversions to bfloat16 and masks of bits give an H200's bits.

``data/pairs_*`` hold what ``probes_pairs.cu`` left there, with the operands of ``record_probes.operands``.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import warpview as wv

sys.path.insert(0, str(Path(__file__).parent))
from engines import Case, differences, program
from test_probes import operands, recorder

RESULTS = np.load(Path(__file__).parent / "data" / "pairs_h200.npz")
THREADS = 256


def probe(name: str, threads: int) -> Case:
    columns = [column[:threads] for column in operands(200 + recorder().PAIRS.index(name))]
    arguments = [np.zeros(4 * threads, np.uint32), *columns, THREADS]
    return Case(name, program("pairs_sm90.zip", "pairs.cubin", name), 1, threads, arguments)


@pytest.mark.parametrize("name", RESULTS.files)
def test_pairs_give_the_bits_that_the_hardware_gives(name: str) -> None:
    case = probe(name, THREADS)
    run = wv.simulate(case.program, case.grid, case.block, case.arguments, device="h200", check=False)
    assert np.array_equal(np.asarray(run.buffers["arg0"]), RESULTS[name])


@pytest.mark.parametrize("name", [name for name in RESULTS.files if name != "s_single"])
def test_the_engines_agree_on_pairs(name: str) -> None:
    assert not differences(probe(name, 64))
