"""Find out that a launch never ends: every warp goes in circles or waits for those that do.

A warp goes in circles when its paths and registers are what they were before, and nobody has changed memory since, nor
passed a barrier: what it does next depends on nothing else, as long as it does not read the time. It is looked at
again and again, and compared with its state at the first, second, fourth, eighth look and so on (Brent, An improved
Monte Carlo factorization algorithm, 1980), so that circles of any length are found. When all warps of the launch that
have not ended go in circles or wait at the barrier of their block, and still do so at the next look, it never ends: a
lock that is never released, or a word that nobody writes. A loop that counts is not found: its step budget ends it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from warpview.isa.ops import Op
from warpview.sim.launch import LOOK_EVERY

if TYPE_CHECKING:
    from warpview.sim.reference.warp import Warp


class StateSeen(NamedTuple):
    """Hold all that decides what a warp does next, and how often memory had been changed when it was so."""

    paths: tuple[object, ...]
    words: bytes
    pairs: bytes
    changes: int


class Looks:
    """Look at one warp from time to time."""

    def __init__(self, warp: Warp) -> None:
        self._warp, self._count, self._next = warp, 0, LOOK_EVERY
        self._seen: StateSeen | None = None
        self._circles = -1  # how often memory had been changed when the warp was found to go in circles

    @property
    def _changes(self) -> int:
        return self._warp.share.memory.globals.changes.count

    @property
    def stands_still(self) -> bool:
        """Return whether the warp has ended, goes in circles, or waits at a barrier of the grid, at one of its block
        without a number, or at that of its cluster, to which not all have come."""
        paths, program = self._warp.paths, self._warp.share.program
        waits_for = {program.instructions[pc].op for pc, _ in paths.waiting_at_barrier()}
        if Op.CLUSTER_WAIT in waits_for and self._warp.share.cluster.is_complete:
            return False
        waits = paths.barrier_satisfied and waits_for <= {Op.BAR_SYNC, Op.BAR_RED, Op.CLUSTER_WAIT}
        return waits or self._circles == self._changes

    def is_in_circles(self) -> bool:
        """Look at the warp where it is time for it; return whether it has gone in circles since the last look."""
        if self._warp.issued < self._next:
            return False
        self._count, self._next = self._count + 1, self._warp.issued + LOOK_EVERY
        words, pairs = self._warp.registers.arrays()
        state = StateSeen(self._warp.paths.state(), words.tobytes(), pairs.tobytes(), self._changes)
        if state == self._seen:
            was_known, self._circles = self._circles == state.changes, state.changes
            return was_known
        if self._count & (self._count - 1) == 0:
            self._seen = state
        return False


def never_ends(warp: Warp, present: Iterable[Warp]) -> bool:
    """Return whether the launch has come to where nothing ends it; ``present`` are all warps that have started."""
    return warp.looks.is_in_circles() and all(other.looks.stands_still for other in present)
