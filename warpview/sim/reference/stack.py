"""Model divergence up to CC 6.x: one reconvergence stack for each warp.

Entries (pc, rpc, mask), bottom first; only the top one runs. A branch on which lanes disagree leaves them on the
stack as two entries, the fall-through on top; an entry that arrives at its reconvergence point ``rpc`` is popped, and
its lanes go on in the entry below.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from warpview.isa.program import NONE
from warpview.sim.history.snapshot import PathView
from warpview.sim.reference.paths import Waiting, any_place


@dataclass
class StackEntry:
    pc: int
    rpc: int
    mask: int


class StackPaths:
    """Manage the paths of one warp under the stack model; see ``paths.Paths`` for the methods."""

    def __init__(self, live: int) -> None:
        self.entries = [StackEntry(0, NONE, live)] if live else []
        self._at_barrier = False

    @property
    def live(self) -> int:
        mask = 0
        for entry in self.entries:
            mask |= entry.mask
        return mask

    @property
    def at_barrier(self) -> int:
        return self.entries[-1].mask if self._at_barrier else 0

    @property
    def barrier_satisfied(self) -> bool:
        # Counted per warp: lanes parked further down do not matter.
        return self._at_barrier or not self.entries

    def current(self) -> tuple[int, int] | None:
        if self._at_barrier or not self.entries:
            return None
        return self.entries[-1].pc, self.entries[-1].mask

    def advance(self) -> None:
        self.entries[-1].pc += 1
        self._pop_arrived()

    def branch(self, taken: int, target: int, reconvergence: int, spins: bool = False) -> None:
        top = self.entries[-1]
        rest = top.mask & ~taken
        if not taken:
            top.pc += 1
        elif not rest:
            top.pc = target
        else:
            self._diverge(top, taken, rest, target, reconvergence)
        self._pop_arrived()

    def _diverge(self, top: StackEntry, taken: int, rest: int, target: int, reconvergence: int) -> None:
        fall_through = top.pc + 1
        if reconvergence == NONE:
            self.entries.pop()
            self.entries += [StackEntry(target, top.rpc, taken), StackEntry(fall_through, top.rpc, rest)]
            return
        if reconvergence == top.rpc:
            self.entries.pop()  # the entry below waits there already
        else:
            top.pc = reconvergence
        if target != reconvergence:
            self.entries.append(StackEntry(target, reconvergence, taken))
        if fall_through != reconvergence:
            self.entries.append(StackEntry(fall_through, reconvergence, rest))

    def exit(self, lanes: int) -> None:
        self.entries[-1].pc += 1
        for entry in self.entries:
            entry.mask &= ~lanes
        self.entries = [entry for entry in self.entries if entry.mask]
        self._pop_arrived()

    def _pop_arrived(self) -> None:
        while self.entries and self.entries[-1].rpc != NONE and self.entries[-1].pc == self.entries[-1].rpc:
            self.entries.pop()

    def block_barrier(self) -> None:
        self._at_barrier = True

    def release(self, is_meant: Callable[[int], bool] = any_place) -> None:
        if self._at_barrier:
            self._at_barrier = False
            self.advance()

    def joint(self, members: int) -> Sequence[int] | None:
        # No waiting for lanes elsewhere: a collective is carried out by the lanes that are here.
        return (self.entries[-1].mask,)

    def wait_collective(self, members: int) -> None:
        raise AssertionError("a collective never waits on this model")

    def waiting_at_barrier(self) -> list[tuple[int, int]]:
        return [(self.entries[-1].pc, self.entries[-1].mask)] if self._at_barrier else []

    def waiting_at_collective(self) -> list[tuple[int, int]]:
        return []

    def state(self) -> tuple[object, ...]:
        return self.view()

    def view(self) -> tuple[PathView, ...]:
        last = len(self.entries) - 1
        return tuple(
            PathView(
                e.pc,
                e.mask,
                e.rpc,
                Waiting.RECONVERGENCE if k < last else Waiting.BARRIER if self._at_barrier else Waiting.NO,
            )
            for k, e in enumerate(self.entries)
        )
