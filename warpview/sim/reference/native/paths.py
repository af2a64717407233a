"""Model the paths of a warp that executes NVIDIA's machine code.

A divergent branch parts the lanes, and where they meet again the program says, by its convergence barriers (BSSY and
BSYNC) and by WARPSYNC. A convergence barrier does not wait for lanes that have yielded and have not run since, and of
a warp that is stuck none waits for lanes that wait elsewhere. The path with fewer lanes goes on first; the last that
was put off is the next to run, and one that has yielded comes after all others, together with those that stand where
it does (read from an H200).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

from warpview.isa.native import LONGEST_TURN
from warpview.isa.program import NONE
from warpview.sim.reference.paths import Waiting
from warpview.sim.reference.splits import Split, SplitPaths, lowest_lane


def first_together(places: Mapping[int, int]) -> int:
    """Return the lanes that go first, given where each goes: of the places to which no more than half of the lanes go
    that of the lowest lane; all lanes where there is one place."""
    shared = Counter(places.values())
    first = next((place for place in places.values() if 2 * shared[place] <= len(places)), next(iter(places.values())))
    return sum(1 << lane for lane, place in places.items() if place == first)


@dataclass(eq=False)
class NativeSplit(Split):
    """Hold a path with its ``turn``, the highest of which is the next. ``first`` is the instruction at which it was put
    off, ``way`` the branch that it fell through then, or NONE, ``late`` says that another path has diverged since,
    ``retried`` that its barrier has been issued again, ``again`` that its indirect branch has been, for lanes that go
    elsewhere."""

    turn: int = 0
    first: int = NONE
    way: int = NONE
    late: bool = False
    retried: bool = False
    again: bool = False

    @property
    def comes_late(self) -> bool:
        """Return whether the path stands where it was put off before another one diverged."""
        return self.waiting == Waiting.NO and self.late and self.pc == self.first


class NativePaths(SplitPaths):
    """Manage the paths of one warp; see ``paths.Paths`` for the methods."""

    def __init__(self, live: int) -> None:
        super().__init__(live)
        self.splits = [NativeSplit(0, live, None)] if live else []
        self._current = self.splits[0] if live else None
        self._turns = self._jumps = 0
        self.yielded = 0  # lanes that have yielded and have not run since
        self._excusing: list[Split] = []  # splits that wait at a convergence barrier

    # ---------------------------------------------------------------------------------------- turns

    def current(self) -> tuple[int, int] | None:
        if self._current is None:
            self._current = self._next_in_turn()
            if self._current is None and self._excuse_waiting():
                self._current = self._next_in_turn()
            if self._current is not None:
                self._begin(self._native(self._current))
        return None if self._current is None else (self._current.pc, self._current.mask)

    @staticmethod
    def _native(split: Split) -> NativeSplit:
        assert isinstance(split, NativeSplit)
        return split

    def _next_in_turn(self) -> Split | None:
        """Return the runnable path whose turn it is; those whose barrier has opened go before all others."""
        runnable = [self._native(s) for s in self.splits if self._runnable(s)]
        return max(runnable, key=lambda s: (s.waiting == Waiting.WARPSYNC, s.turn), default=None)

    def _begin(self, split: NativeSplit) -> None:
        """Let a path run; one that has yielded takes along those that have, too, and stand at its instruction."""
        if split.waiting == Waiting.NO and split.mask & self.yielded:
            for other in list(self.splits):
                alike = other.waiting == Waiting.NO and other.pc == split.pc and other.mask & self.yielded
                if other is not split and alike:
                    split.mask |= other.mask
                    self.splits.remove(other)
        if split.turn < 0:
            split.turn = self._next_turn()
        self.yielded &= ~split.mask
        self._jumps = 0

    def _next_turn(self) -> int:
        self._turns += 1
        return self._turns

    def _give_way(self, split: NativeSplit) -> None:
        split.turn = -self._next_turn()
        split.first = NONE
        self._pass_turn(split.lowest)

    def _put_off(self, pc: int, lanes: int, way: int = NONE) -> None:
        """Add a path that runs later."""
        self.splits.append(NativeSplit(pc, lanes, None, turn=self._next_turn(), first=pc, way=way))

    def _excuse_waiting(self) -> bool:
        """Let convergence barriers of a warp that is stuck wait no longer for lanes that wait at another kind of
        barrier, or where there are none for lanes at another convergence barrier; return whether any lanes wait at
        one."""
        converging = elsewhere = 0
        for split in self.splits:
            self._native(split).retried = True
            if split.waiting == Waiting.WARPSYNC and split in self._excusing:
                converging |= split.mask
            else:
                elsewhere |= split.mask
        self.yielded |= elsewhere if elsewhere & ~self.yielded else converging
        return converging != 0

    def yield_turn(self) -> Sequence[tuple[int, int]]:
        """Let other paths go first. Return the barriers of the warp that are issued again, with their lanes: those at
        which paths wait, the first of them together with the lanes of the paths that have been put off."""
        split = self._native(self._issuing())
        self.yielded |= split.mask
        split.pc += 1
        self._give_way(split)
        ready, again = 0, dict[int, int]()
        for other in sorted(map(self._native, self.splits), key=lambda s: s.lowest):
            if other.waiting == Waiting.WARPSYNC:
                again[other.pc] = again.get(other.pc, 0) | other.mask
                other.retried = True
            elif other.waiting == Waiting.NO and other.turn >= 0:
                ready |= other.mask
        return [(pc, lanes | (0 if k else ready)) for k, (pc, lanes) in enumerate(again.items())]

    # ---------------------------------------------------------------------------------------- branches

    def branch(self, taken: int, target: int, reconvergence: int = NONE, spins: bool = False) -> None:
        """Part the lanes, of which the fewer go on first, or those that fall through."""
        split = self._native(self._issuing())
        rest = split.mask & ~taken
        goes_back = bool(taken) and target <= split.pc
        if taken and rest:
            self._note_divergence(split)
            falls = rest.bit_count() <= taken.bit_count()
            self._put_off(*((target, taken) if falls else (split.pc + 1, rest, split.pc)))
            split.pc, split.mask, split.first = *((split.pc + 1, rest) if falls else (target, taken)), NONE
            return
        split.pc = target if taken else split.pc + 1
        if goes_back:
            self._jumps += 1
            if self._jumps == LONGEST_TURN:
                self._give_way(split)

    def _note_divergence(self, split: Split) -> None:
        """Note of the paths that have been put off that another one diverges."""
        for other in map(self._native, self.splits):
            if other is not split and other.waiting == Waiting.NO and other.pc == other.first:
                other.late = True

    def comes_late(self) -> tuple[int, int, int]:
        """Return the lanes that arrive together at a barrier before which they were put off before another path
        diverged, those that wait there, and how many of the paths that arrive came another way than the first: by
        falling through different branches, or by jumping; zeros where the current path is no such one."""
        split = self._native(self._issuing())
        if not split.comes_late:
            return 0, 0, 0
        joining = [s for s in map(self._native, self.splits) if s is not split and s.comes_late and s.pc == split.pc]
        for other in joining:
            split.mask |= other.mask
            self.splits.remove(other)
        split.late = False
        ways = {split.way, *(other.way for other in joining)}
        return split.mask, reduce(or_, (s.mask for s in self._together(split)[1:]), 0), len(ways) - 1

    def was_alone(self) -> bool:
        """Return whether the current path has waited at its barrier, which nobody has issued since."""
        split = self._native(self._issuing())
        return split.waiting == Waiting.WARPSYNC and not split.retried

    def go_to(self, lanes: int, target: int) -> None:
        """Let some lanes of the current path go to an instruction, while the others stay here."""
        split = self._native(self._issuing())
        if lanes == split.mask:
            split.again = False
            self.branch(lanes, target)
            return
        self._note_divergence(split)
        split.mask &= ~lanes
        split.again, split.turn = True, self._next_turn()
        self._put_off(target, lanes)
        self._pass_turn(lowest_lane(lanes))

    def state(self) -> tuple[object, ...]:
        order = sorted(map(self._native, self.splits), key=lambda split: split.turn)
        return *super().state(), tuple(split.mask for split in order), self.yielded, self._jumps

    @property
    def issues_again(self) -> bool:
        """Return whether the current path is what remains of an indirect branch that other lanes have taken."""
        return self._native(self._issuing()).again

    def part(self, lanes: int) -> None:
        """Let some lanes of the current path go on alone, while the others stand where they are."""
        split = self._issuing()
        if lanes != split.mask:
            self._put_off(split.pc, split.mask & ~lanes)
            split.mask = lanes

    # ---------------------------------------------------------------------------------------- collectives

    def _complete(self, split: Split, members: int) -> bool:
        here = 0
        for other in self._together(split):
            here |= other.mask
        missing = members & self.live & ~here
        if split in self._excusing:
            missing &= ~self.yielded
        return missing == 0

    def joint(self, members: int, excuses_yielded: bool = False) -> Sequence[int] | None:
        self._mark(excuses_yielded)
        return super().joint(members)

    def wait_collective(self, members: int, excuses_yielded: bool = False) -> None:
        self._mark(excuses_yielded)
        split = self._native(self._issuing())
        if split.waiting == Waiting.NO:
            split.retried = False
        super().wait_collective(members)

    def _mark(self, excuses_yielded: bool) -> None:
        split = self._issuing()
        self._excusing = [s for s in self._excusing if s is not split and s in self.splits]
        if excuses_yielded:
            self._excusing.append(split)
