"""Compute every counter from sums of the raw counts of a set of instructions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from warpview.isa.native import Bulk
from warpview.isa.ops import Op
from warpview.isa.program import NONE, Program
from warpview.isa.textures import Fetch
from warpview.isa.types import Space
from warpview.isa.work import Work
from warpview.profile.instruction_traits import InstructionTraits, traits_of
from warpview.sim.raw_counts import Raw


@lru_cache(maxsize=256)
def _flags(members: frozenset[int], size: int) -> NDArray[np.bool_]:
    """Return bool[size]: which numbers are members."""
    flags = np.zeros(size, dtype=np.bool_)
    flags[list(members)] = True
    return flags


@dataclass(frozen=True)
class Selector:
    """A selector is a set of instructions, given by operation, state space and, for branches, a guard."""

    ops: frozenset[Op] = frozenset(Op)
    spaces: frozenset[Space] = frozenset(Space)
    conditional: bool = False


@dataclass(frozen=True)
class Totals:
    """Totals are raw counts ``[n, N_RAW]`` of ``n`` instructions, with their traits, and launch facts.

    ``facts`` holds numbers that belong to the launch and not to an instruction (occupancy, cycles, time).
    """

    counts: NDArray[np.int64]
    traits: InstructionTraits
    facts: Mapping[str, float] = field(default_factory=dict)
    _sums: dict[Selector, NDArray[np.int64]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def of(cls, program: Program, counts: NDArray[np.int64], facts: Mapping[str, float] | None = None) -> Totals:
        """Return the totals of a whole program."""
        return cls(counts, traits_of(program), facts or {})

    def restricted(self, pcs: Iterable[int]) -> Totals:
        """Return the totals of some instructions only, without the launch facts, which do not apply to a part."""
        rows = np.fromiter(pcs, dtype=np.int64)
        return Totals(self.counts[rows], self.traits.of_rows(rows))

    def chosen(self, selector: Selector) -> NDArray[np.bool_]:
        """Return which of the instructions are selected: bool[n]."""
        chosen = (
            _flags(selector.ops, len(Op))[self.traits.ops] & _flags(selector.spaces, len(Space))[self.traits.spaces]
        )
        return chosen & (self.traits.guards != NONE) if selector.conditional else chosen

    def operations(self, kind: Work) -> int:
        """Return the operations of a kind that lanes did whose guard predicate held."""
        return int(self.counts[:, Raw.LANES_ON] @ self.traits.work[:, kind])

    def copied(self, column: int) -> int:
        """Return the sum of one raw column over asynchronous copies."""
        return int(self.counts[self.traits.copies, column].sum())

    def in_matrices(self, column: int, ops: Iterable[Op]) -> int:
        """Return the sum of one raw column over loads or stores of matrices in shared memory."""
        return int(self.counts[self.traits.matrices & np.isin(self.traits.ops, list(ops)), column].sum())

    def fetched(self, column: int, kinds: Sequence[Fetch]) -> int:
        """Return the sum of one raw column over texture instructions of some kinds."""
        return int(self.counts[np.isin(self.traits.fetches, kinds), column].sum())

    def bulk(self, column: int, kinds: Sequence[Bulk]) -> int:
        """Return the sum of one raw column over bulk copies of some kinds."""
        return int(self.counts[np.isin(self.traits.bulks, kinds), column].sum())

    def sum(self, column: int, selector: Selector) -> int:
        """Return the sum of one raw column over the selected instructions."""
        sums = self._sums.get(selector)  # the counters share few selectors
        if sums is None:
            sums = self._sums[selector] = self.counts[self.chosen(selector)].sum(axis=0)
        return int(sums[column])
