"""Keep the barrier of a cluster of blocks, and the shared memory of its blocks.

A thread arrives at the barrier, and waits there for the others. The phase is over when all threads of the cluster have
arrived or ended; who waits for a phase that is over goes on at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from warpview.isa.modes import BARRIERS_A_BLOCK
from warpview.isa.ops import Op
from warpview.sim.checks.access_log import LogKind

if TYPE_CHECKING:
    from warpview.sim.reference.accesses import BlockMemory
    from warpview.sim.reference.block import ThreadBlock
    from warpview.sim.reference.warp import Warp


@dataclass(eq=False)
class Cluster:
    """Hold the blocks of a cluster that have started, by rank."""

    number: int
    size: int
    blocks: dict[int, ThreadBlock] = field(default_factory=dict)

    @property
    def barrier(self) -> int:
        """Return the number by which the log of accesses knows the barrier."""
        return BARRIERS_A_BLOCK + self.number

    def _warps(self) -> Iterator[Warp]:
        for rank in sorted(self.blocks):
            yield from self.blocks[rank].warps

    def memory(self, rank: int) -> BlockMemory | None:
        """Return the memory of a block; None where there is none of this rank."""
        block = self.blocks.get(rank)
        return None if block is None else block.share.memory

    @property
    def is_complete(self) -> bool:
        """Return whether all threads have arrived at the barrier or ended, and one has arrived."""
        left = [warp for warp in self._warps() if warp.paths.live]
        return len(self.blocks) == self.size and bool(left) and not any(w.paths.live & ~w.cluster_arrived for w in left)

    def settle(self) -> bool:
        """Let those go on that wait at the barrier if its phase is over; return whether it is."""
        if not self.is_complete:
            return False
        for rank in sorted(self.blocks):
            self._pass(self.blocks[rank])
        return True

    def _pass(self, block: ThreadBlock) -> None:
        for warp in block.warps:
            warp.cluster_arrived = 0
            if warp.paths.live:
                warp.note(LogKind.BARRIER_LEFT, 0, warp.paths.live, self.barrier)
                warp.release(lambda pc, warp=warp: is_wait(warp, pc))  # type: ignore[misc]
        block.share.memory.epoch += 1


def is_wait(warp: Warp, pc: int) -> bool:
    """Return whether an instruction waits at the barrier of the cluster."""
    return warp.share.program.instructions[pc].op == Op.CLUSTER_WAIT
