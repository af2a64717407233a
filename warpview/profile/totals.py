"""Compute every counter from sums of the raw counts of a set of instructions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from warpview.cached_by_identity import cached_by_identity
from warpview.isa.native import Bulk
from warpview.isa.ops import Op
from warpview.isa.program import NONE, Program
from warpview.isa.textures import Fetch
from warpview.isa.types import Space
from warpview.isa.work import Work
from warpview.sim.raw_counts import Raw


@lru_cache(maxsize=256)
def _flags(members: frozenset[int], size: int) -> NDArray[np.bool_]:
    """Return bool[size]: which numbers are members."""
    flags = np.zeros(size, dtype=np.bool_)
    flags[list(members)] = True
    return flags


@cached_by_identity
def bulk_copies(program: Program) -> NDArray[np.int8]:
    """Return what the bulk copies of a program do, by ``Bulk``: int8[n], NONE for the others."""
    copies = [i.native.bulk if i.native is not None else None for i in program.instructions]
    return np.array([NONE if copy is None else copy.kind for copy in copies], dtype=np.int8)


@dataclass(frozen=True)
class Selector:
    """A selector is a set of instructions, given by operation, state space and, for branches, a guard."""

    ops: frozenset[Op] = frozenset(Op)
    spaces: frozenset[Space] = frozenset(Space)
    conditional: bool = False


@dataclass(frozen=True)
class Totals:
    """Totals are raw counts ``[n, N_RAW]`` of ``n`` instructions, with their operations, spaces, guards and arithmetic
    (``Program.work``), and launch facts.

    ``facts`` holds numbers that belong to the launch and not to an instruction (occupancy, cycles, time).
    """

    counts: NDArray[np.int64]
    ops: NDArray[np.int32]
    spaces: NDArray[np.int32]
    guards: NDArray[np.int32]
    work: NDArray[np.int64]
    facts: Mapping[str, float] = field(default_factory=dict)
    copies: NDArray[np.bool_] | None = None  # loads that store to shared memory what they have loaded; none where None
    fetches: NDArray[np.int8] | None = None  # what texture instructions do, as ``Program.fetches``; none where None
    bulks: NDArray[np.int8] | None = None  # what bulk copies do, by ``Bulk``, NONE for the others; none where None
    _sums: dict[Selector, NDArray[np.int64]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def of(cls, program: Program, counts: NDArray[np.int64], facts: Mapping[str, float] | None = None) -> Totals:
        """Return the totals of a whole program."""
        code = program.code
        # Nsight Compute counts every branch of machine code, our compiler's jumps it would never see.
        guards = code.guard if program.native is None else np.where(code.op == Op.BRA, 0, code.guard)
        return cls(counts, code.op, code.space, guards, program.work, facts or {}, program.copies, program.fetches,
                   bulk_copies(program))  # fmt: skip

    def restricted(self, pcs: Iterable[int]) -> Totals:
        """Return the totals of some instructions only, without the launch facts, which do not apply to a part."""
        rows = np.fromiter(pcs, dtype=np.int64)
        copies = None if self.copies is None else self.copies[rows]
        fetches = None if self.fetches is None else self.fetches[rows]
        return Totals(
            self.counts[rows], self.ops[rows], self.spaces[rows], self.guards[rows], self.work[rows], copies=copies,
            fetches=fetches, bulks=None if self.bulks is None else self.bulks[rows],
        )  # fmt: skip

    def chosen(self, selector: Selector) -> NDArray[np.bool_]:
        """Return which of the instructions are selected: bool[n]."""
        chosen = _flags(selector.ops, len(Op))[self.ops] & _flags(selector.spaces, len(Space))[self.spaces]
        return chosen & (self.guards != NONE) if selector.conditional else chosen

    def operations(self, kind: Work) -> int:
        """Return the operations of a kind that lanes did whose guard predicate held."""
        return int(self.counts[:, Raw.LANES_ON] @ self.work[:, kind])

    def copied(self, column: int) -> int:
        """Return the sum of one raw column over asynchronous copies."""
        return 0 if self.copies is None else int(self.counts[self.copies, column].sum())

    def fetched(self, column: int, kinds: Sequence[Fetch]) -> int:
        """Return the sum of one raw column over texture instructions of some kinds."""
        return 0 if self.fetches is None else int(self.counts[np.isin(self.fetches, kinds), column].sum())

    def bulk(self, column: int, kinds: Sequence[Bulk]) -> int:
        """Return the sum of one raw column over bulk copies of some kinds."""
        return 0 if self.bulks is None else int(self.counts[np.isin(self.bulks, kinds), column].sum())

    def sum(self, column: int, selector: Selector) -> int:
        """Return the sum of one raw column over the selected instructions."""
        sums = self._sums.get(selector)  # the counters share few selectors
        if sums is None:
            sums = self._sums[selector] = self.counts[self.chosen(selector)].sum(axis=0)
        return int(sums[column])
