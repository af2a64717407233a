"""Atomics on vectors of floats and halves are counted as Nsight Compute counts them on an H200, but for few sectors.

``data/atomics_h200.json.gz`` has what it counted of one warp a launch; ``record_hopper.py`` recorded it.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import warpview as wv

sys.path.insert(0, str(Path(__file__).parent))
from counted_tables import counter_keys, read
from engines import Case, differences, program
from record_hopper import counted_inputs

COUNTED: dict[str, list[dict[str, int]]] = read("atomics_h200.json.gz")
KEYS = counter_keys()
ATOMICS = [name for name in COUNTED if not name.startswith("bar")]
# Launches in which lanes far apart meet in a line: of their 27, 26 and 26 sectors one is counted otherwise.
ONE_SECTOR_OFF = {("red_1", 9), ("atom_2", 13), ("atom_4", 13)}


def case(kernel: str, number: int) -> Case:
    arguments = [np.zeros(65536, np.float32), *counted_inputs(kernel, number), 0]
    return Case(kernel, program("hopper_sm90.zip", "atomics.cubin", kernel), 1, 32, arguments)


@pytest.mark.parametrize("kernel", ATOMICS)
def test_an_atomic_counts_what_the_hardware_counts(kernel: str) -> None:
    for number, metrics in enumerate(COUNTED[kernel]):
        launch = case(kernel, number)
        run = wv.simulate(launch.program, 1, 32, launch.arguments, device="h200", check=False)
        wrong = {
            KEYS[metric]: run.counters[KEYS[metric]] - value
            for metric, value in metrics.items()
            if metric in KEYS and run.counters[KEYS[metric]] != value
        }
        sectors = wrong.pop("global_red_sectors", 0) or wrong.pop("global_atom_sectors", 0)
        assert abs(sectors) == ((kernel, number) in ONE_SECTOR_OFF), number
        assert not wrong, number


@pytest.mark.parametrize("kernel", ATOMICS)
def test_the_engines_agree_on_an_atomic(kernel: str) -> None:
    for number in (5, 7):
        assert not differences(case(kernel, number)), number
