"""Say which parameter sets of a test ``--full`` runs: those that stand for all others, which ``--exhaustive`` adds.

A person chooses them in the test's table (``representatives``, ``leaving_out``), or the lines of the package that each
runs decide (``representatives.txt``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest
from _pytest.mark import ParameterSet

T = TypeVar("T")


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


LIST = Path(__file__).parents[1] / "representatives.txt"


@cache
def listed() -> dict[str, tuple[int, frozenset[int]]]:
    """Return how many parameter sets a test had when its representatives were chosen, and their numbers, by test.

    ``record_representatives.py`` writes the list: a test, of how many sets, and the numbers of those that stay.
    """
    lines = (line.split() for line in LIST.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    return {test: (int(count), frozenset(map(int, numbers))) for test, count, *numbers in lines}


def without_repetitions(test: str, sets: Sequence[T]) -> list[T]:
    """Return the parameter sets of a test that ``--full`` runs: all where the list has it not, or with other sets."""
    count, numbers = listed().get(test, (0, frozenset()))
    return [one for number, one in enumerate(sets) if number in numbers] if count == len(sets) else list(sets)
