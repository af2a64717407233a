"""Model the paths of a warp that executes NVIDIA's machine code.

A divergent branch parts the lanes, and where they meet again the program says, by its convergence barriers (BSSY and
BSYNC) and by WARPSYNC. A convergence barrier does not wait for lanes that have yielded and have not run since, and of
a warp that is stuck none waits for lanes that wait elsewhere (read from an H200).
"""

from __future__ import annotations

from collections.abc import Sequence

from warpview.isa.program import NONE
from warpview.sim.reference.paths import Waiting
from warpview.sim.reference.splits import Split, SplitPaths


class NativePaths(SplitPaths):
    """Manage the paths of one warp; see ``paths.Paths`` for the methods."""

    def __init__(self, live: int) -> None:
        super().__init__(live)
        self.yielded = 0  # lanes that have yielded and have not run since
        self._excusing: list[Split] = []  # splits that wait at a convergence barrier

    # ---------------------------------------------------------------------------------------- turns

    def current(self) -> tuple[int, int] | None:
        if self._current is None:
            self._current = self._next_in_turn()
            if self._current is None and self._excuse_waiting():
                self._current = self._next_in_turn()
            if self._current is not None:
                self.yielded &= ~self._current.mask
        return None if self._current is None else (self._current.pc, self._current.mask)

    def _excuse_waiting(self) -> bool:
        """Let convergence barriers of a warp that is stuck wait no longer for lanes that wait at another kind of
        barrier, or where there are none for lanes at another convergence barrier; return whether any lanes wait at
        one."""
        converging = elsewhere = 0
        for split in self.splits:
            if split.waiting == Waiting.WARPSYNC and split in self._excusing:
                converging |= split.mask
            else:
                elsewhere |= split.mask
        self.yielded |= elsewhere if elsewhere & ~self.yielded else converging
        return converging != 0

    def yield_turn(self) -> None:
        """Let other paths go first."""
        split = self._issuing()
        self.yielded |= split.mask
        split.pc += 1
        self._pass_turn(split.lowest)

    # ---------------------------------------------------------------------------------------- branches

    def branch(self, taken: int, target: int, reconvergence: int = NONE, spins: bool = False) -> None:
        """Part the lanes, of which those that fall through go on first."""
        split = self._issuing()
        rest = split.mask & ~taken
        if taken and rest:
            split.mask, split.pc = rest, split.pc + 1
            self.splits.append(Split(target, taken, None))
            return
        goes_back = bool(taken) and target <= split.pc
        split.pc = target if taken else split.pc + 1
        if goes_back:
            self._pass_turn(split.lowest)

    def go_to(self, lanes: int, target: int) -> None:
        """Let some lanes of the current path go to an instruction, while the others stay here."""
        split = self._issuing()
        if lanes == split.mask:
            self.branch(lanes, target)
            return
        split.mask &= ~lanes
        self.splits.append(Split(target, lanes, None))
        self._pass_turn((lanes & -lanes).bit_length() - 1)

    def part(self, lanes: int) -> None:
        """Let some lanes of the current path go on alone, while the others stand where they are."""
        split = self._issuing()
        if lanes != split.mask:
            self.splits.append(Split(split.pc, split.mask & ~lanes, None))
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
        super().wait_collective(members)

    def _mark(self, excuses_yielded: bool) -> None:
        split = self._issuing()
        self._excusing = [s for s in self._excusing if s is not split and s in self.splits]
        if excuses_yielded:
            self._excusing.append(split)
