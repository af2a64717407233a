"""Kernels as courses and libraries have them leave what an H200 leaves, and are counted as Nsight Compute counts them.

Scans, sorts, sparse matrices, graphs, particles, filters, transforms, dynamic programming, rows of neural networks,
strings and bits, attention, hashes, pipelines, over odd sizes, written before any of them was simulated;
``record_courses.py`` recorded them.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpview as wv

sys.path.insert(0, str(Path(__file__).parent))
from counted_tables import counter_keys, read
from engines import Case, differences, program
from record_counted import COLUMNS, pages
from record_courses import ARCHIVE, Launch, case, digest, names, scalar
from support.tiers import representatives

RECORDED: dict[str, dict[str, Any]] = read("courses_h200.json.gz")
KEYS = counter_keys()
# The counts of some instructions are not those that Nsight Compute finds with code of its own.
TOGETHER = frozenset({"cholesky_column", "merge_sort_bottomup", "string_search_naive", "string_wordcount_upper"})


def arguments(launch: Launch, arrays: dict[str, np.ndarray]) -> list[Any]:
    return [arrays[a] if isinstance(a, str) else scalar(a) for a in launch.arguments]


@pytest.mark.sample(8)
@pytest.mark.parametrize("name", RECORDED)
def test_launches_leave_and_count_what_the_hardware_does(name: str) -> None:
    arrays, launches = case(name)
    for launch, recorded in zip(launches, RECORDED[name]["launches"], strict=True):
        kernel = program(ARCHIVE.name, f"{name}.cubin", launch.kernel)
        given, options = arguments(launch, arrays), {"device": "h200", "shared_bytes": launch.shared_bytes}
        run = wv.simulate(kernel, launch.grid, launch.block, given, check=False, **options)
        for number, argument in enumerate(launch.arguments):
            if isinstance(argument, str):
                arrays[argument] = np.asarray(run.buffers[f"arg{number}"])
        real = {KEYS[metric]: value for metric, value in recorded["metrics"].items() if metric in KEYS}
        assert {key: run.counters[key] for key in real} == real
        instructions = recorded["instructions"]
        assert name in TOGETHER or run.counts[: len(instructions), :3].tolist() == instructions
    assert {key: digest(array) for key, array in arrays.items()} == RECORDED[name]["results"]


@pytest.mark.parametrize("name", representatives(list(RECORDED), ["compact_ballot", "dp_lcs_antidiagonal"]))
def test_the_engines_agree(name: str) -> None:
    arrays, launches = case(name)
    for launch in launches:
        kernel = program(ARCHIVE.name, f"{name}.cubin", launch.kernel)
        given = arguments(launch, arrays)
        assert not differences(Case(name, kernel, launch.grid, launch.block, given, launch.shared_bytes))


def test_each_kernel_was_recorded() -> None:
    assert set(names()) == set(RECORDED)


def test_pages_that_an_export_has_twice_count_once(tmp_path: Path) -> None:
    def page(number: int) -> str:
        return f'"Kernel Name","f"\n"Address",{",".join(COLUMNS)}\n"0x0",{number},{number},{number}\n'

    source = tmp_path / "source.csv"
    for twice in ("", "012", "01"):
        source.write_text("".join(page(n) * (1 + (str(n) in twice)) for n in range(3)))
        assert pages(source, [2, 1]) == [[[n] * 3] for n in range(3)]
    with pytest.raises(ValueError, match="5 pages of 4 launches"):
        pages(source, [2, 2])
