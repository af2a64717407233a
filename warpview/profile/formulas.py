"""Compute counters from totals: sums of raw columns, ratios of them, operations, and facts of the launch."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from warpview.isa.native import Bulk
from warpview.isa.ops import Op
from warpview.isa.textures import Fetch
from warpview.isa.types import GLOBAL_SPACES, Space
from warpview.isa.work import Work
from warpview.profile.totals import Selector, Totals
from warpview.sim.raw_counts import Raw, elsewhere, in_other_blocks

Value = int | float | None
Compute = Callable[[Totals], Value]
Count = Callable[[Totals], int]

GLOBAL = frozenset(GLOBAL_SPACES)
GENERIC = frozenset({Space.GENERIC})


def raw(column: int, ops: frozenset[Op], spaces: frozenset[Space] = frozenset(Space)) -> Count:
    """Return the sum of a raw column over instructions of these operations and spaces."""
    selector = Selector(ops, spaces)
    return lambda totals: totals.sum(column, selector)


def without_copies(column: int, ops: frozenset[Op], spaces: frozenset[Space]) -> Count:
    """Return ``raw`` without the asynchronous copies, which load from global memory, too."""
    count = raw(column, ops, spaces)
    return (lambda totals: count(totals) - totals.copied(column)) if Op.LD in ops else count


def without_matrices(column: int, ops: frozenset[Op], spaces: frozenset[Space]) -> Count:
    """Return ``raw`` without the accesses to matrices in shared memory, which Nsight Compute counts by themselves."""
    count = raw(column, ops, spaces)
    return lambda totals: count(totals) - totals.in_matrices(column, ops)


def plus(first: Count, second: Count) -> Count:
    return lambda totals: first(totals) + second(totals)


def minus(first: Count, second: Count) -> Count:
    return lambda totals: first(totals) - second(totals)


def in_global(figure: Raw, ops: frozenset[Op]) -> Count:
    """Return a figure of the accesses to global memory, and of what generic ones do there."""
    outside = plus(raw(elsewhere(figure), ops, GENERIC), distributed(figure, ops))
    return minus(raw(figure, ops, GLOBAL), outside)


def in_shared(figure: Raw, ops: frozenset[Op]) -> Count:
    """Return a figure of the accesses to shared memory, and of what generic ones do there."""
    count = plus(raw(figure, ops, frozenset({Space.SHARED})), raw(elsewhere(figure), ops, GENERIC))
    return minus(count, raw(Raw.IN_LOCAL, ops, GENERIC)) if figure == Raw.REQUESTS else count


def distributed(figure: Raw, ops: frozenset[Op]) -> Count:
    """Return a figure of the accesses to the shared memory of other blocks."""
    return raw(in_other_blocks(figure), ops, GENERIC)


def in_local(figure: Raw, ops: frozenset[Op]) -> Count:
    """Return a figure of the accesses to local memory that shared memory has not, and of what generic ones do there."""
    of_generic = Raw.IN_LOCAL if figure == Raw.REQUESTS else elsewhere(figure)
    return plus(raw(figure, ops, frozenset({Space.LOCAL})), raw(of_generic, ops, GENERIC))


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
        sectors, asked = (
            rows[:, k] - rows[:, elsewhere(k)] - rows[:, in_other_blocks(k)] for k in (Raw.SECTORS, Raw.BYTES_REQUESTED)
        )
        return int(np.maximum(32 * sectors - asked, 0).sum())

    return compute


def fetched(column: int, *kinds: Fetch) -> Count:
    """Return the sum of a raw column over texture instructions of some kinds."""
    return lambda totals: totals.fetched(column, kinds)


def in_bulk(column: int, *kinds: Bulk) -> Count:
    """Return the sum of a raw column over bulk copies of some kinds."""
    return lambda totals: totals.bulk(column, kinds)


def operations(kind: Work) -> Compute:
    """Return the operations of a kind that lanes did."""
    return lambda totals: totals.operations(kind)


def fact(key: str) -> Compute:
    """Return a number of the launch; None where the engine does not know it."""
    return lambda totals: totals.facts.get(key)
