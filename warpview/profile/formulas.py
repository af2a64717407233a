"""Compute counters from totals: sums of raw columns, ratios of them, operations, and facts of the launch."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from warpview.isa.ops import Op
from warpview.isa.types import GLOBAL_SPACES, Space
from warpview.isa.work import Work
from warpview.profile.totals import Selector, Totals
from warpview.sim.raw_counts import Raw

Value = int | float | None
Compute = Callable[[Totals], Value]
Count = Callable[[Totals], int]

GLOBAL = frozenset(GLOBAL_SPACES)


def raw(column: Raw, ops: frozenset[Op], spaces: frozenset[Space] = frozenset(Space)) -> Count:
    """Return the sum of a raw column over instructions of these operations and spaces."""
    selector = Selector(ops, spaces)
    return lambda totals: totals.sum(column, selector)


def both(first: Compute, second: Compute) -> Compute:
    """Return the sum of two counters."""
    return lambda totals: (first(totals) or 0) + (second(totals) or 0)


def ratio(above: Compute, below: Compute, scale: float = 1.0) -> Compute:
    """Return one counter over another; None where the latter is 0."""

    def compute(totals: Totals) -> Value:
        denominator = below(totals)
        return scale * (above(totals) or 0) / denominator if denominator else None

    return compute


def difference(first: Compute, second: Compute) -> Compute:
    return lambda totals: (first(totals) or 0) - (second(totals) or 0)


def times(first: Compute, factor: int) -> Compute:
    return lambda totals: factor * (first(totals) or 0)


def wasted(ops: frozenset[Op]) -> Compute:
    """Return bytes moved beyond those asked for; an instruction whose lanes share addresses wastes none."""
    selector = Selector(ops, GLOBAL)

    def compute(totals: Totals) -> Value:
        rows = totals.counts[totals.chosen(selector)]
        return int(np.maximum(32 * rows[:, Raw.SECTORS] - rows[:, Raw.BYTES_REQUESTED], 0).sum())

    return compute


def operations(kind: Work) -> Compute:
    """Return the operations of a kind that lanes did."""
    return lambda totals: totals.operations(kind)


def fact(key: str) -> Compute:
    """Return a number of the launch; None where the engine does not know it."""
    return lambda totals: totals.facts.get(key)
