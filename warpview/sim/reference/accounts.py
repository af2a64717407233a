"""Account for the cycles of warps by what they waited for, and for the time that blocks were resident."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from warpview.sim.history.events import N_STALL, Residency, Stall
from warpview.sim.reference.residents import ResidentBlock, ResidentWarp


class Accounts:
    """Hold ``stalls``, cycles of warp slots by scheduler and reason, and the ``residency`` of the blocks, which have so
    many ``warps`` each."""

    def __init__(self, schedulers: int, warps: int) -> None:
        self.stalls = np.zeros((schedulers, N_STALL), dtype=np.int64)
        self.residency: list[Residency] = []
        self._schedulers, self._warps = schedulers, warps

    def count_issue(self, resident: ResidentWarp, cycle: int, throttle: Stall, free: int) -> int:
        """Count the warp's cycles since its last issue by the reasons of its waiting; see Events. Return those that are
        the instruction's own: not those for which other warps had the arithmetic unit or were picked."""
        since = resident.since
        if since > cycle:  # the second instruction in one cycle
            return 0
        ready = min(max(resident.ready, since), cycle)
        free = min(max(free, ready), cycle)
        for stall, cycles in (
            (resident.wait, ready - since),
            (throttle, free - ready),
            (Stall.NOT_SELECTED, cycle - free),
            (Stall.SELECTED, 1),
        ):
            self._count(resident, stall, cycles)
        return (ready if throttle == Stall.MATH_PIPE_THROTTLE else free) + 1 - since

    def count_end(self, resident_block: ResidentBlock, k: int, end: int) -> None:
        """Count the cycles of warps that had exited when the block of slot ``k`` ended."""
        for resident in resident_block.warps:
            self._count(resident, Stall.EXITED, end - resident.since)
        self._leave(resident_block, k, end)

    def count_rest(self, resident_blocks: Sequence[ResidentBlock | None], cycles: int) -> None:
        """Count the cycles of warps that an abort cut short, and of slots that stood empty, in a run of so many
        cycles."""
        for k, resident_block in enumerate(resident_blocks):
            if resident_block is None:
                continue
            for resident in resident_block.warps:
                stall = resident.wait if resident.warp.paths.live else Stall.EXITED
                self._count(resident, stall, max(0, cycles - resident.since))
            self._leave(resident_block, k, cycles)
        for scheduler in range(self._schedulers):
            own = len(range(scheduler, len(resident_blocks) * self._warps, self._schedulers))
            self.stalls[scheduler, Stall.EMPTY] = own * cycles - self.stalls[scheduler].sum()

    def _count(self, resident: ResidentWarp, stall: Stall, cycles: int) -> None:
        self.stalls[resident.slot % self._schedulers, stall] += cycles

    def _leave(self, resident_block: ResidentBlock, k: int, end: int) -> None:
        stay = Residency(resident_block.block.index, k * self._warps, resident_block.start, end)
        self.residency.append(stay)
