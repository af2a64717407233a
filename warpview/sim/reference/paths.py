"""Define what the two divergence models have in common: the paths of control of one warp."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Protocol

from warpview.sim.history.snapshot import PathView


def any_place(pc: int) -> bool:
    """Name every instruction."""
    return True


class Waiting(StrEnum):
    """A path that does not run waits for one of these. The stack's lower entries wait for reconvergence."""

    NO = ""
    RECONVERGENCE = "reconvergence"
    BARRIER = "barrier"
    WARPSYNC = "warpsync"


class Paths(Protocol):
    """Manage the paths of a warp. The *current* path is the one that issues next; all changes happen to it.

    After the effects of an instruction exactly one of ``advance``, ``branch``, ``exit``, ``block_barrier`` is called.
    """

    @property
    def live(self) -> int:
        """Return the lanes that have not exited."""

    @property
    def at_barrier(self) -> int:
        """Return the lanes that wait at a block barrier."""

    @property
    def barrier_satisfied(self) -> bool:
        """Return whether this warp does not hold the block barrier back."""

    def current(self) -> tuple[int, int] | None:
        """Return (pc, mask) of the current path; None where none can run."""

    def advance(self) -> None:
        """Move the current path (all paths of a joint collective) to the next instruction."""

    def branch(self, taken: int, target: int, reconvergence: int, spins: bool = False) -> None:
        """Send the lanes ``taken`` of the current path to ``target``, and its other lanes to the next instruction.

        ``spins`` says that the branch leaves a loop that waits for other threads.
        """

    def exit(self, lanes: int) -> None:
        """End some lanes of the current path, and let its other lanes go on."""

    def block_barrier(self) -> None:
        """Let the current path wait at a block barrier, at which it has arrived."""

    def release(self, is_meant: Callable[[int], bool] = any_place) -> None:
        """Let the paths go on that wait at a barrier, which is complete: at an instruction that is meant."""

    def joint(self, members: int) -> Sequence[int] | None:
        """Return the masks of the paths that carry out the collective of the current path together; None if it must
        wait."""

    def wait_collective(self, members: int) -> None:
        """Let the current path wait at its collective until the lanes ``members`` come there."""

    def waiting_at_barrier(self) -> list[tuple[int, int]]:
        """Return (pc, mask) of the paths that wait at a block barrier."""

    def waiting_at_collective(self) -> list[tuple[int, int]]:
        """Return (pc, mask) of the paths that wait at a collective."""

    def state(self) -> tuple[object, ...]:
        """Return all that decides which path issues next, but the turns that have been: see ``livelock``."""

    def view(self) -> tuple[PathView, ...]:
        """Return all paths, for a view and for the tests."""
