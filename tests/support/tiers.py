"""Say which tests are fast, and which tests and parameter sets ``--full`` runs: ``--exhaustive`` adds all others.

A person chooses those that stand for others in the test's table (``representatives``, ``leaving_out``), or the lines of
the package that each runs decide (``representatives.txt``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest
from _pytest.mark import ParameterSet

TESTS = Path(__file__).parents[1]
FAST = ("unit", "test_docs.py", "ui/test_keys.py", "host/test_thin_path.py")
SLOW = (
    "unit/cli/test_every_option.py",
    "unit/cli/test_output_fails.py",
    "unit/cli/test_report_file.py",
    "unit/frontend/test_cuda_functions.py",
    "unit/frontend/test_limits.py",
    "unit/frontend/test_memory_barriers.py",
    "unit/frontend/test_register_arrays.py",
    "unit/library/test_manifest.py::test_the_steps_of_a_family_have_the_same_input",
    "unit/library/test_kernels.py::test_every_mistake_is_found_in_its_large_launch",
    "unit/library/test_kernels.py::test_old_devices_agree_where_they_can_run_it",
    "unit/sim/jit/test_build.py",
    "unit/test_tiers.py::test_benchmarks_are_collected_without_a_warning",
    "unit/sim/test_clusters.py::test_later_devices_have_the_extents_of_clusters_elsewhere",
    "unit/trace/test_caption.py::test_no_arithmetic_of_the_library_is_told_as_a_value_for_a_line",
    "unit/ui/test_comparison_setups.py::test_the_large_launch_shows_what_first_add_gains_where_the_small_one_does_not",
    "unit/ui/test_instruction_words.py::test_every_instruction_of_the_library_has_one",
    "unit/ui/test_lessons_model.py::test_every_page_leads_somewhere",
    "unit/ui/test_lessons_model.py::test_words_in_the_texts",
)

T = TypeVar("T")


def is_fast(test: str) -> bool:
    """Whether a test, by its path below ``tests`` and its name, runs without ``--full``."""
    return test.startswith(FAST) and not test.startswith(SLOW)


def representatives(
    every: Iterable[T], chosen: Collection[str], name: Callable[[T], str] = str
) -> list[T | ParameterSet]:
    """Return parameter sets of which those whose ``name`` is not among the ``chosen`` wait for ``--exhaustive``.

    Raises ValueError where a chosen one does not exist.
    """
    sets = list(every)
    if missing := set(chosen) - {name(one) for one in sets}:
        raise ValueError(f"there is no {', '.join(sorted(missing))}")
    return [
        one if name(one) in chosen else pytest.param(one, marks=pytest.mark.exhaustive, id=name(one)) for one in sets
    ]


def leaving_out(
    every: Iterable[T], repeating: Collection[str], name: Callable[[T], str] = str
) -> list[T | ParameterSet]:
    """Return parameter sets of which those whose ``name`` is among the ``repeating`` wait for ``--exhaustive``."""
    sets = list(every)
    names = {name(one) for one in sets}
    if missing := set(repeating) - names:
        raise ValueError(f"there is no {', '.join(sorted(missing))}")
    return representatives(sets, names - set(repeating), name)


def by_test(items: Iterable[pytest.Item]) -> dict[str, list[pytest.Item]]:
    """Return the parameter sets of each test, which need not follow one another."""
    found: dict[str, list[pytest.Item]] = {}
    for item in items:
        found.setdefault(item.nodeid.partition("[")[0], []).append(item)
    return found


LIST = TESTS / "representatives.txt"


@cache
def listed() -> dict[str, tuple[int, frozenset[int]]]:
    """Return how many parameter sets a test had when it was chosen which stay, and their numbers, by test.

    ``record_representatives.py`` writes the list: a test, of how many sets, and the numbers of those that stay, if any.
    """
    lines = (line.split() for line in LIST.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    return {test: (int(count), frozenset(map(int, numbers))) for test, count, *numbers in lines}


def without_repetitions(test: str, sets: Sequence[T]) -> list[T]:
    """Return the parameter sets of a test that ``--full`` runs: all where the list has it not; of a table that has
    grown since the choice, as many as were chosen and those at its end."""
    if test not in listed():
        return list(sets)
    count, numbers = listed()[test]
    return [one for number, one in enumerate(sets) if number in numbers or number >= count]
