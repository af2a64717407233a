"""Model the paths of a warp that executes NVIDIA's machine code.

A divergent branch parts the lanes, and where they meet again the program says, by its convergence barriers (BSSY and
BSYNC) and by WARPSYNC. The path with fewer lanes goes on first; the last that was put off is the next to run, and one
that has yielded comes after all others, together with those that stand where it does.

A warp has one set of convergence barriers. A BSYNC waits for the members that its barrier has now, but not for those
that have yielded and have not run since, nor in a warp that is stuck for those that wait at another kind of barrier; a
barrier without members stops nobody. Of the barriers at which lanes wait already one opens so after each YIELD, where
lanes wait that are no members only if all other paths have yielded. A path that is picked after another one has
diverged takes along all lanes that stand at its instruction, at a BSYNC those that wait there, too. All that are picked
together go on together, members or not. (Read from an H200.)
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
    the first one; all lanes where there is one place."""
    shared = Counter(places.values())
    first = next((place for place in places.values() if 2 * shared[place] <= len(places)), next(iter(places.values())))
    return sum(1 << lane for lane, place in places.items() if place == first)


@dataclass(frozen=True)
class Pick:
    """Tell that a path was picked at ``pc`` late, where it came on ``ways`` ways and ``waiting`` lanes had waited, or
    again (on no way) after it had waited there, which ``counts`` unless a YIELD has issued it since."""

    pc: int
    ways: int
    waiting: int = 0
    counts: bool = True


@dataclass(eq=False)
class NativeSplit(Split):
    """Hold a path with its ``turn``, the highest of which is the next. ``way`` is the branch that it fell through when
    it was put off, or NONE, ``late`` says that another path has diverged since, ``retried`` that its barrier has been
    issued again, ``again`` that its indirect branch has been, for lanes that go elsewhere. ``awaits`` is the
    convergence barrier that it waits at, or NONE, ``pick`` how it was picked."""

    turn: int = 0
    way: int = NONE
    late: bool = False
    retried: bool = False
    again: bool = False
    awaits: int = NONE
    pick: Pick | None = None


class NativePaths(SplitPaths):
    """Manage the paths of one warp; see ``paths.Paths`` for the methods."""

    def __init__(self, live: int) -> None:
        super().__init__(live)
        self.splits = [NativeSplit(0, live, None)] if live else []
        self._current = self.splits[0] if live else None
        self._turns = self._jumps = 0
        self.yielded = 0  # lanes that have yielded and have not run since
        self.members: list[int] = []  # lanes of the convergence barriers, by number: registers of the warp
        self.restored: list[bool] = []  # whether BMOV has set them, since when they have let nobody go on
        self._excuses = False  # whether a barrier at which lanes wait opens without those that have yielded
        self._failures = 0  # how often barriers of a stuck warp have been issued in vain
        self._opens = False  # whether the next barrier opens, whoever is missing
        self._last = NONE, 0  # BSYNC at which a path began to wait last, and its lanes

    # ---------------------------------------------------------------------------------------- turns

    def current(self) -> tuple[int, int] | None:
        if self._current is None:
            following = self._next_in_turn()
            if following is None and self._excuse_waiting():
                following = self._next_in_turn() or self._pick_blocked()
            if following is not None:
                self._current = split = self._pick(self._native(following))
                self._begin(split)
        return None if self._current is None else (self._current.pc, self._current.mask)

    @staticmethod
    def _native(split: Split) -> NativeSplit:
        assert isinstance(split, NativeSplit)
        return split

    def _runnable(self, split: Split) -> bool:
        awaits = self._native(split).awaits
        if awaits == NONE:
            return super()._runnable(split)
        is_tried = split.mask & self.members[awaits] or (self._excuses and self._all_others_yielded(split))
        return bool(is_tried) and not self._missing(split, awaits)

    def _all_others_yielded(self, split: Split) -> bool:
        """Return whether there are other paths that do not wait, and all of them have yielded."""
        others = [s for s in self.splits if s.waiting == Waiting.NO and s is not split]
        return bool(others) and not any(s.mask & ~self.yielded for s in others)

    def _next_in_turn(self) -> Split | None:
        """Return the runnable path whose turn it is; those whose barrier may open go before all others."""
        runnable = [self._native(s) for s in self.splits if self._runnable(s)]
        return max(runnable, key=lambda s: (s.waiting == Waiting.WARPSYNC, s.turn), default=None)

    def _pick(self, split: NativeSplit) -> NativeSplit:
        """Return the path that runs: of a late one with all lanes that stand at its instruction, of a BSYNC at which
        lanes wait with those that try again."""
        if split.awaits != NONE:
            return self._retry(split.pc, split.awaits)
        if split.late:
            here = [s for s in map(self._native, self.splits) if s.pc == split.pc and s is not split]
            ready = [s for s in here if s.waiting == Waiting.NO]
            blocked = [s for s in here if s.awaits != NONE]
            waiting = reduce(or_, (s.mask for s in blocked), 0)
            split.pick = Pick(split.pc, len({split.way, *(s.way for s in ready)}), waiting)
            split.mask |= reduce(or_, (s.mask for s in (*ready, *blocked)), 0)
            self.splits = [s for s in self.splits if s not in ready and s not in blocked]
            split.late = False
        return split

    def _retry(self, pc: int, barrier: int) -> NativeSplit:
        """Take the members of a barrier that wait at a BSYNC, and those that came there last, or all if there are none,
        to issue it again."""
        blocked = [s for s in map(self._native, self.splits) if s.pc == pc and s.awaits != NONE]
        here = reduce(or_, (s.mask for s in blocked), 0)
        wanted = self.members[barrier] | (self._last[1] if self._last[0] == pc else 0)
        taken = here & wanted or here
        counts = not any(s.retried for s in blocked)
        turn = max(s.turn for s in blocked if s.mask & taken)
        for split in blocked:
            split.mask &= ~taken
        self.splits = [s for s in self.splits if s.mask]
        split = NativeSplit(pc, taken, None, turn=turn, pick=Pick(pc, 0, counts=counts))
        self.splits.append(split)
        return split

    def _pick_blocked(self) -> Split | None:
        """Return a path of a stuck warp that waits at a convergence barrier, in turn, if there are any one that has
        members there; after all of these were issued in vain, the next barrier opens."""
        waiting = (s for s in map(self._native, self.splits) if s.awaits != NONE)
        order = sorted(waiting, key=lambda s: (-s.turn, lowest_lane(s.mask)))
        places = {s.pc: s for s in reversed(order)}
        turns = [s for s in order if places[s.pc] is s]
        having = [s for s in turns if self.waiting_at(s.pc) & self.members[s.awaits]]
        self._failures += 1
        self._opens = self._failures > len(having)
        among = having or turns
        return among[(self._failures - 1) % len(among)] if among else None

    def _begin(self, split: NativeSplit) -> None:
        if split.turn < 0:
            split.turn = self._next_turn()
        self.yielded &= ~split.mask
        self._jumps = 0

    def _next_turn(self) -> int:
        self._turns += 1
        return self._turns

    def _give_way(self, split: NativeSplit) -> None:
        split.turn = -self._next_turn()
        self._pass_turn(split.lowest)

    def _put_off(self, pc: int, lanes: int, way: int = NONE) -> None:
        """Add a path that runs later."""
        self.splits.append(NativeSplit(pc, lanes, None, turn=self._next_turn(), way=way))

    def _excuse_waiting(self) -> bool:
        """Let convergence barriers of a warp that is stuck wait no longer for lanes that wait at another kind of
        barrier; return whether any lanes wait at a convergence barrier."""
        blocked = [s for s in map(self._native, self.splits) if s.awaits != NONE]
        elsewhere = reduce(or_, (s.mask for s in self.splits if s not in blocked), 0)
        if elsewhere & ~self.yielded:
            for split in blocked:
                split.retried = True
        self.yielded |= elsewhere
        self._excuses = True
        return bool(blocked)

    def yield_turn(self) -> Sequence[tuple[int, int]]:
        """Let other paths go first; where all have yielded, the one that did so first is ready again. Return the
        barriers of the warp that are issued again, with their lanes."""
        split = self._native(self._issuing())
        self.yielded |= split.mask
        split.pc += 1
        self._give_way(split)
        older = [s for s in self._giving_way() if s is not split]
        together = next((s for s in older if s.pc == split.pc), None)
        if together is not None:
            together.mask |= split.mask
            self.splits.remove(split)
        if older and self._all_others_yielded(split):
            self.yielded &= ~max(older, key=lambda s: s.turn).mask
        if together is not None:
            return []
        self._excuses = True
        return self._issued_again()

    def _giving_way(self) -> list[NativeSplit]:
        """Return the paths that have let others go first and have not run since, by their lowest lanes."""
        return sorted((s for s in map(self._native, self.splits) if s.turn < 0), key=lambda s: s.lowest)

    def _issued_again(self) -> Sequence[tuple[int, int]]:
        """Return the barriers that a YIELD issues again, with their lanes: those at which paths wait, the first of them
        together with the lanes of the paths that have been put off."""
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
            split.pc, split.mask = (split.pc + 1, rest) if falls else (target, taken)
            return
        split.pc = target if taken else split.pc + 1
        if goes_back and len(self.splits) > 1:
            self._jumps += 1
            if self._jumps == LONGEST_TURN:
                self._give_way(split)

    def _note_divergence(self, split: Split) -> None:
        """Note of the paths whose turn comes later that another one diverges."""
        for other in map(self._native, self.splits):
            if other is not split and other.waiting == Waiting.NO:
                other.late = True

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
        excused = self.yielded, self._excuses
        return *super().state(), tuple(split.mask for split in order), excused, self._jumps, self._failures

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

    def waiting_at(self, pc: int) -> int:
        """Return the lanes that wait at a BSYNC."""
        return reduce(or_, (s.mask for s in map(self._native, self.splits) if s.pc == pc and s.awaits != NONE), 0)

    def _missing(self, split: Split, barrier: int) -> int:
        """Return the members of a barrier that a path at a BSYNC would wait for."""
        missing = self.members[barrier] & self.live & ~self.waiting_at(split.pc) & ~split.mask
        return missing & ~self.yielded if self._excuses or self._native(split).awaits == NONE else missing

    def picked(self) -> Pick | None:
        """Return how the current path was picked, if that was at its instruction."""
        split = self._native(self._issuing())
        return split.pick if split.pick is not None and split.pick.pc == split.pc else None

    def take_pick(self) -> Pick | None:
        """Return how the current path was picked, if that was at its instruction, and forget it."""
        pick, self._native(self._issuing()).pick = self.picked(), None
        return pick

    def wait_collective(self, members: int) -> None:
        self.take_pick()
        super().wait_collective(members)

    @property
    def has_waited(self) -> bool:
        """Return whether the current path has waited at its collective."""
        return self._issuing().waiting == Waiting.WARPSYNC

    def may_pass(self, barrier: int) -> bool:
        """Return whether the current path goes on at its BSYNC. A barrier that BMOV has set opens to paths that are
        picked there alone."""
        if self._opens or not self.members[barrier]:
            return True
        return not self._missing(self._issuing(), barrier) and (not self.restored[barrier] or self.picked() is not None)

    def wait_at(self, barrier: int) -> None:
        """Let the current path wait at its BSYNC."""
        split = self._native(self._issuing())
        split.waiting, split.awaits, split.retried, split.pick = Waiting.WARPSYNC, barrier, False, None
        self._last = split.pc, split.mask
        self._pass_turn(split.lowest)

    def converge(self, barrier: int) -> None:
        """Let the current path go on from its BSYNC with the members that wait there, and empty the barrier."""
        split = self._native(self._issuing())
        if self.members[barrier] & self.live & ~self.waiting_at(split.pc) & ~split.mask & self.yielded:
            self._use_excuse_up()
        blocked = [s for s in map(self._native, self.splits) if s.pc == split.pc and s.awaits != NONE]
        going = self.members[barrier] & self.live
        for other in blocked:
            split.mask |= other.mask & going
            other.mask &= ~going
        self.splits = [s for s in self.splits if s.mask]
        self.members[barrier], self.restored[barrier] = 0, False
        self._failures, self._opens, split.pick = 0, False, None
        self.advance()

    def _use_excuse_up(self) -> None:
        """Note that a barrier opens without lanes that have yielded, whose turns are then those of their lowest
        lanes."""
        self._excuses = False
        for other in self._giving_way():
            other.turn = -self._next_turn()
