"""Execute launches whose blocks wait for one another: for the whole grid (``grid.sync()`` of a cooperative launch), or
for the other blocks of their cluster.

The blocks of a group are resident together: all of the grid, or those of a cluster. Each goes on until it waits for
others or ends, one block after the other; those whose barrier is complete go on. In machine code the barrier of the
grid is a word that blocks poll: they give way to one another while they do. What comes before a barrier of the grid
happens before what comes after it, in every block: the race check looks at the stretches between them one by one. What
a barrier of a cluster orders is in the log.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from warpview.isa.modes import BarrierScope
from warpview.isa.ops import Op
from warpview.sim.engine import Blocks, Execution, HostThread
from warpview.sim.jit import machine_code
from warpview.sim.jit.machine import LaunchContext, Machine
from warpview.sim.jit.state import Status, Wait
from warpview.sim.launch import LONGEST_RUN


class GroupExecution(Execution):
    """Execute groups of blocks one after the other, the blocks of a group together, by one host thread."""

    def __init__(self, common: LaunchContext, blocks: Blocks) -> None:
        self._whole_grid = common.program.synchronises_grid
        super().__init__(common, blocks, 1)

    def new_machine(self) -> Machine:
        launch = self.common.launch
        return Machine(self.common, launch.n_blocks if self._whole_grid else launch.cluster_blocks)

    def _groups(self) -> Iterator[Blocks]:
        """Yield the blocks of each group, those of a cluster by rank."""
        clusters = self.common.launch.clusters()
        if self._whole_grid:
            yield clusters.ravel()
        else:
            yield from clusters[np.isin(clusters, self.blocks).any(axis=1)]

    def work(self, worker: HostThread) -> None:
        """Execute all groups."""
        for group in self._groups():
            if not self._execute(worker, group):
                return

    def _execute(self, worker: HostThread, group: Blocks) -> bool:
        """Execute a group of blocks to their end; return False where the launch ends before."""
        machine, live = worker.machine, list(range(len(group)))
        blocks_at = machine.block_addresses
        for slot in live:
            machine_code.entry("start_block")(machine.address, blocks_at[slot], int(group[slot]))
        ended, waiting, held = 0, list[int](), list[int]()  # at the barrier of the grid, and of a cluster
        while live:
            running = []
            for slot in live:
                self._begin(machine, slot)
                status = self._advance(machine, slot)
                worker.aborted = status == Status.ABORTED
                match status:
                    case Status.ABORTED | Status.CANCELLED:
                        return False
                    case Status.WAITING:
                        waiting.append(slot)
                    case Status.PARKED:
                        held.append(slot)
                    case Status.RAN:
                        running.append(slot)
                    case _:
                        worker.last_block, ended = int(group[slot]), ended + 1
                        self.finished += 1
            if held and self._settle(machine):
                running, held = sorted(running + held), []
            if running:
                live = running
                continue
            stuck = held or (waiting if ended else [])  # blocks that have ended never come to the barrier of the grid
            if stuck:
                machine_code.entry("report_stuck")(machine.address, blocks_at[stuck[0]])
                worker.aborted = True
                return False
            for slot in waiting:
                machine_code.entry("release")(machine.address, blocks_at[slot])
            if waiting:
                self._pass_grid_barrier(machine)
            live, waiting = waiting, []
        return True

    def _settle(self, machine: Machine) -> bool:
        """Let the clusters go on whose barrier is complete; return whether there is one."""
        first = machine.block_addresses[:: self.common.launch.cluster_blocks]
        settled = [machine_code.entry("settle_cluster")(machine.address, place) for place in first]
        return any(settled)

    def _pass_grid_barrier(self, machine: Machine) -> None:
        self.log_marks.append(int(machine.record["n_log"][0]))
        if self.screen is not None:
            self.screen.pass_grid_barrier()

    def _begin(self, machine: Machine, slot: int) -> None:
        """Begin a turn of a block: what others did since the barrier of the grid is told from what it does."""
        machine.record["span"] += 1
        machine.blocks["first_span"][slot] = machine.record["span"][0]
        if self.screen is not None:
            self.screen.begin_block(int(machine.blocks["block"][slot]), int(machine.record["span"][0]))

    def _advance(self, machine: Machine, slot: int) -> Status:
        """Let a block go on; return DONE, ABORTED, CANCELLED, WAITING where it waits at a barrier of the grid, PARKED
        where it waits at one of the cluster, or RAN where a warp of it can go on."""
        n, address = self.common.launch.warps, machine.block_addresses[slot]
        warps = slice(slot * n, (slot + 1) * n)
        issue = machine_code.entry("issue")
        while True:
            if self.common.cancel[0]:
                return Status.CANCELLED
            statuses = []
            for warp in machine.warp_addresses[warps]:
                statuses.append(issue(machine.address, warp, LONGEST_RUN))
                if statuses[-1] == Status.ABORTED:
                    return Status.ABORTED
            if all(status == Status.DONE for status in statuses):
                return Status.DONE
            settled = machine_code.entry("settle_named")(machine.address, address)
            if Status.RAN in statuses:
                return Status.RAN
            if settled:
                continue
            if not machine_code.entry("barrier_complete")(machine.address, address):
                if machine_code.entry("is_held_by_cluster")(machine.address, address):
                    return Status.PARKED
                machine_code.entry("report_stuck")(machine.address, address)
                return Status.ABORTED
            if is_at_grid_barrier(self.common, machine.warps[warps]):
                return Status.WAITING
            machine_code.entry("release")(machine.address, address)


def is_at_grid_barrier(common: LaunchContext, warps: NDArray[np.void]) -> bool:
    """Return whether the first thread of a block, all of whose ``warps`` wait at barriers, does so at one of the
    grid."""
    for warp in warps:
        if not warp["live"]:
            continue
        if common.device.divergence == "its":
            paths = range(int(warp["n_paths"]))
            path = next(k for k in paths if warp["path_mask"][k] and warp["path_wait"][k] == Wait.BLOCK_BARRIER)
        else:
            path = int(warp["n_paths"]) - 1
        instruction = common.program.instructions[int(warp["path_pc"][path])]
        return instruction.op == Op.BAR_SYNC and instruction.mod == BarrierScope.GRID
    return False
