"""Model divergence from CC 7.0 on: warp splits that meet at convergence barriers.

A split is a set of lanes with one pc. A divergent branch makes a convergence barrier at its reconvergence point, and
every lane of the branching split is a member; a split that gets there dissolves into the barrier, and when all
members that still live have arrived they go on as one split. Splits take turns, so that none starves.

A warp does not stand still as long as lanes are parked at convergence barriers. When no split can run, because some
wait at a block barrier or at a warp's collective, one convergence barrier is opened: of those where somebody has
arrived, the one with the lowest such lane. Those who have arrived there go on as one split under its parent, as after
a complete release; its other members do not wait when they come, but go on in the groups in which they come. This
happens again whenever the warp is stuck again; only when nobody is parked does the warp wait as a whole. (Measured on
an H200: the lanes that leave a loop with a barrier in it, in turns, do not meet behind it, even the last ones.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from warpview.isa.program import NONE
from warpview.sim.history.snapshot import PathView
from warpview.sim.reference.paths import Waiting, any_place


@dataclass(eq=False)
class Barrier:
    """Represent a convergence barrier. ``parent`` is the barrier of the split that made it; at an ``open`` one nobody
    waits."""

    rpc: int
    members: int
    arrived: int
    parent: Barrier | None
    open: bool = False


@dataclass(eq=False)
class Split:
    """Hold a warp split; ``members`` is the mask of the collective that it waits at."""

    pc: int
    mask: int
    barrier: Barrier | None
    waiting: Waiting = Waiting.NO
    members: int = 0

    @property
    def lowest(self) -> int:
        return lowest_lane(self.mask)


def lowest_lane(mask: int) -> int:
    return (mask & -mask).bit_length() - 1


class SplitPaths:
    """Manage the paths of one warp under independent thread scheduling; see ``paths.Paths`` for the methods."""

    def __init__(self, live: int) -> None:
        self.splits = [Split(0, live, None)] if live else []
        self.barriers: list[Barrier] = []
        self.live = live
        self._current: Split | None = self.splits[0] if live else None
        self._last_lane = -1  # lowest lane of the path that issued before the turn passed on
        self._group: list[Split] = []  # the splits of the joint collective being carried out

    # ---------------------------------------------------------------------------------------- turns

    def current(self) -> tuple[int, int] | None:
        if self._current is None:
            self._current = self._next_in_turn()
        while self._current is None and self._open_barrier():
            self._current = self._next_in_turn()
        return None if self._current is None else (self._current.pc, self._current.mask)

    def _next_in_turn(self) -> Split | None:
        """Return the runnable split with the next higher lowest lane, cyclically."""
        runnable = [s for s in self.splits if self._runnable(s)]
        return min(runnable, key=lambda s: (s.lowest <= self._last_lane, s.lowest), default=None)

    def _runnable(self, split: Split) -> bool:
        if split.waiting == Waiting.WARPSYNC:
            return self._complete(split, split.members)
        return split.waiting == Waiting.NO

    def _pass_turn(self, lane: int) -> None:
        self._last_lane = lane
        self._current = None

    # ---------------------------------------------------------------------------------------- control flow

    def _issuing(self) -> Split:
        assert self._current is not None
        return self._current

    def advance(self) -> None:
        split, group = self._issuing(), self._group or [self._issuing()]
        self._group = []
        lane = split.lowest
        if len(group) > 1 and all(s.barrier is split.barrier for s in group):
            for other in group:
                if other is not split:
                    split.mask |= other.mask
                    self.splits.remove(other)
            group = [split]
        for s in sorted(group, key=lambda s: s.lowest):
            s.waiting = Waiting.NO
            self._move(s, s.pc + 1)
        if split not in self.splits:
            self._pass_turn(lane)

    def branch(self, taken: int, target: int, reconvergence: int, spins: bool = False) -> None:
        split = self._issuing()
        if spins:  # the lanes that leave may be those that the others wait for, so they do not wait in turn
            reconvergence = NONE
        lane, pc, rest = split.lowest, split.pc, split.mask & ~taken
        if taken and rest:
            self._current = self._diverge(split, taken, rest, target, reconvergence)
        else:
            self._move(split, target if taken else pc + 1)
        if self._current not in self.splits or (taken and target <= pc):
            self._pass_turn(lane)

    def _diverge(self, split: Split, taken: int, rest: int, target: int, reconvergence: int) -> Split:
        """Split in two; returns the side that goes on: the fall-through if it does not arrive at once."""
        barrier = split.barrier
        if reconvergence != NONE and (barrier is None or barrier.rpc != reconvergence):
            barrier = Barrier(reconvergence, split.mask, 0, split.barrier)
            self.barriers.append(barrier)
        jumping = Split(target, taken, barrier)
        falling = Split(split.pc + 1, rest, barrier)
        self.splits.remove(split)
        self.splits += [falling, jumping]
        self._settle(falling)
        self._settle(jumping)
        return falling if falling in self.splits else jumping

    def _move(self, split: Split, pc: int) -> None:
        split.pc = pc
        self._settle(split)

    def _settle(self, split: Split) -> None:
        """A split that stands at its barrier dissolves into it, or walks through if it is open."""
        barrier = split.barrier
        while barrier is not None and barrier.open and split.pc == barrier.rpc:
            barrier.members &= ~split.mask
            self._try_release(barrier)
            split.barrier = barrier = barrier.parent
        if barrier is not None and split.pc == barrier.rpc:
            barrier.arrived |= split.mask
            self.splits.remove(split)
            self._try_release(barrier)

    def _try_release(self, barrier: Barrier) -> None:
        """Merge all living members into one split and let it go on, once all have arrived."""
        if barrier.arrived != barrier.members:
            return
        self.barriers.remove(barrier)
        if barrier.arrived:
            self._go_on(barrier, barrier.arrived)

    def _go_on(self, barrier: Barrier, lanes: int) -> None:
        merged = Split(barrier.rpc, lanes, barrier.parent)
        self.splits.append(merged)
        self._settle(merged)

    def _open_barrier(self) -> bool:
        """Open, of a warp that is stuck, the barrier with the lowest parked lane; False where nobody is
        parked."""
        barrier = min((b for b in self.barriers if b.arrived), key=lambda b: lowest_lane(b.arrived), default=None)
        if barrier is None:
            return False
        lanes = barrier.arrived
        barrier.members, barrier.arrived, barrier.open = barrier.members & ~lanes, 0, True
        self._go_on(barrier, lanes)
        return True

    def exit(self, lanes: int) -> None:
        split = self._issuing()
        lane = split.lowest
        self.live &= ~lanes
        split.mask &= ~lanes
        if split.mask:
            self._move(split, split.pc + 1)
        else:
            self.splits.remove(split)
        for barrier in list(self.barriers):
            barrier.members &= ~lanes
        for barrier in list(self.barriers):
            if barrier in self.barriers:
                self._try_release(barrier)
        if split not in self.splits:
            self._pass_turn(lane)

    # ---------------------------------------------------------------------------------------- block barrier

    @property
    def at_barrier(self) -> int:
        mask = 0
        for _, lanes in self.waiting_at_barrier():
            mask |= lanes
        return mask

    @property
    def barrier_satisfied(self) -> bool:
        return self.at_barrier == self.live  # every living thread waits

    def block_barrier(self) -> None:
        split = self._issuing()
        split.waiting = Waiting.BARRIER
        self._pass_turn(split.lowest)

    def release(self, is_meant: Callable[[int], bool] = any_place) -> None:
        for split in sorted(self.splits, key=lambda s: s.lowest):
            if split.waiting == Waiting.BARRIER and is_meant(split.pc):
                split.waiting = Waiting.NO
                self._move(split, split.pc + 1)

    # ---------------------------------------------------------------------------------------- warp collectives

    def _together(self, split: Split) -> list[Split]:
        """Return the split and those that wait at the same collective."""
        others = [s for s in self.splits if s.waiting == Waiting.WARPSYNC and s.pc == split.pc and s is not split]
        return [split, *others]

    def _complete(self, split: Split, members: int) -> bool:
        """Return whether all living lanes of ``members`` are at the collective."""
        here = 0
        for s in self._together(split):
            here |= s.mask
        return not members & self.live & ~here

    def joint(self, members: int) -> Sequence[int] | None:
        split = self._issuing()
        wanted = members & self.live
        if not self._complete(split, members):
            return None
        group = [s for s in self._together(split) if s is split or s.mask & wanted]
        self._group = sorted(group, key=lambda s: s.lowest)
        return [s.mask for s in self._group]

    def wait_collective(self, members: int) -> None:
        split = self._issuing()
        split.waiting, split.members = Waiting.WARPSYNC, members
        self._pass_turn(split.lowest)

    # ---------------------------------------------------------------------------------------- views

    def waiting_at_barrier(self) -> list[tuple[int, int]]:
        return [(s.pc, s.mask) for s in self.splits if s.waiting == Waiting.BARRIER]

    def waiting_at_collective(self) -> list[tuple[int, int]]:
        return [(s.pc, s.mask) for s in self.splits if s.waiting == Waiting.WARPSYNC]

    def state(self) -> tuple[object, ...]:
        return self.view(), self._current and self._current.mask, self._last_lane

    def view(self) -> tuple[PathView, ...]:
        running = [
            PathView(s.pc, s.mask, s.barrier.rpc if s.barrier else NONE, s.waiting)
            for s in sorted(self.splits, key=lambda s: s.lowest)
        ]
        arrived = [
            PathView(b.rpc, b.arrived, b.parent.rpc if b.parent else NONE, Waiting.RECONVERGENCE)
            for b in self.barriers
            if b.arrived
        ]
        return (*running, *arrived)
