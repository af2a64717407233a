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

from warpview.sim.engine import Blocks, Execution, HostThread
from warpview.sim.jit import machine_code
from warpview.sim.jit.machine import LaunchContext, Machine
from warpview.sim.jit.state import Status

ROUNDS = 1 << 62  # of turns: as many as it takes


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
        machine, live = worker.machine, np.arange(len(group))
        blocks_at = machine.block_addresses
        for slot in live:
            machine_code.entry("start_block")(machine.address, blocks_at[slot], int(group[slot]))
        waiting, held = live[:0], live[:0]  # at the barrier of the grid, and of a cluster
        has_ended = False
        while live.size:
            statuses = self._take_turns(worker, live, ROUNDS if not held.size else 1)
            if statuses is None:
                return False
            ended = live[statuses == Status.DONE]
            self._end(worker, group[ended])
            has_ended |= ended.size > 0
            waiting = np.append(waiting, live[statuses == Status.WAITING])
            held = np.append(held, live[statuses == Status.PARKED])
            running = live[statuses == Status.RAN]
            if held.size and self._settle(machine):
                running, held = np.sort(np.append(running, held)), held[:0]
            if running.size:
                live = running
                continue
            # Blocks that have ended never come to the barrier of the grid.
            stuck = held if held.size else waiting[: len(waiting) if has_ended else 0]
            if stuck.size:
                machine_code.entry("report_stuck")(machine.address, blocks_at[stuck[0]])
                worker.aborted = True
                return False
            for slot in waiting:
                machine_code.entry("release")(machine.address, blocks_at[slot])
            if waiting.size:
                self._pass_grid_barrier(machine)
            live, waiting = waiting, waiting[:0]
        return True

    def _take_turns(self, worker: HostThread, slots: NDArray[np.int64], rounds: int) -> NDArray[np.int64] | None:
        """Give blocks their turns until one ends or waits for others, for so many rounds at most. Return the status of
        each, or None where the launch ends early."""
        machine, statuses = worker.machine, np.empty_like(slots)
        status = machine_code.entry("take_turns")(
            machine.address, slots.ctypes.data, statuses.ctypes.data, len(slots), rounds
        )
        worker.aborted = status == Status.ABORTED
        return statuses if status == Status.RAN else None

    def _end(self, worker: HostThread, blocks: Blocks) -> None:
        """Note that blocks have ended."""
        self.finished += len(blocks)
        if blocks.size:
            worker.last_block = int(blocks[-1])

    def _settle(self, machine: Machine) -> bool:
        """Let the clusters go on whose barrier is complete; return whether there is one."""
        first = machine.block_addresses[:: self.common.launch.cluster_blocks]
        settled = [machine_code.entry("settle_cluster")(machine.address, place) for place in first]
        return any(settled)

    def _pass_grid_barrier(self, machine: Machine) -> None:
        self.log_marks.append(int(machine.record["n_log"][0]))
        if self.screen is not None:
            self.screen.pass_grid_barrier()
