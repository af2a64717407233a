"""Say which parameter sets of a test ``--full`` runs: those that stand for all others, which ``--exhaustive`` adds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
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
