"""Execute launches that synchronise their whole grid (``grid.sync()`` of a cooperative launch).

All blocks are resident. Each goes on until it waits at a barrier of the grid or ends, one block after the other; when
all wait, all go on. In machine code the barrier is a word that blocks poll: they give way to one another while they do.
What comes before a barrier of the grid happens before what comes after it, in every block: the
race check looks at the stretches between them one by one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from warpview.isa.modes import BarrierScope
from warpview.isa.ops import Op
from warpview.sim.engine import Execution, HostThread
from warpview.sim.jit import machine_code
from warpview.sim.jit.machine import LaunchContext, Machine
from warpview.sim.jit.state import Status, Wait
from warpview.sim.launch import LONGEST_RUN


class GridExecution(Execution):
    """Execute all blocks of a launch from one barrier of the grid to the next, by one host thread."""

    def __init__(self, common: LaunchContext) -> None:
        super().__init__(common, np.arange(common.launch.n_blocks, dtype=np.int64), 1)

    def new_machine(self) -> Machine:
        return Machine(self.common, self.common.launch.n_blocks)

    def work(self, worker: HostThread) -> None:
        """Execute the launch to its end."""
        machine, live = worker.machine, list(range(self.common.launch.n_blocks))
        blocks_at = machine.blocks.ctypes.data + np.arange(len(live)) * machine.blocks.itemsize
        for block in live:
            machine_code.entry("start_block")(machine.address, int(blocks_at[block]), block)
        ended, waiting = 0, list[int]()
        while live:
            running = []
            for block in live:
                self._begin(machine, block)
                status = self._advance(machine, block, int(blocks_at[block]))
                worker.aborted = status == Status.ABORTED
                if status in (Status.ABORTED, Status.CANCELLED):
                    return
                if status == Status.WAITING:
                    waiting.append(block)
                elif status == Status.RAN:
                    running.append(block)
                else:
                    worker.last_block, ended = block, ended + 1
                    self.finished = ended
            if running:
                live = running
                continue
            if waiting and ended:  # the blocks that have ended never come to this barrier
                machine_code.entry("report_stuck")(machine.address, int(blocks_at[waiting[0]]))
                worker.aborted = True
                return
            for block in waiting:
                machine_code.entry("release")(machine.address, int(blocks_at[block]))
            self.log_marks.append(int(machine.record["n_log"][0]))
            if self.screen is not None:
                self.screen.pass_grid_barrier()
            live, waiting = waiting, []

    def _begin(self, machine: Machine, block: int) -> None:
        """Begin a turn of a block: what others did since the barrier of the grid is told from what it does."""
        machine.record["span"] += 1
        machine.blocks["first_span"][block] = machine.record["span"][0]
        if self.screen is not None:
            self.screen.begin_block(block, int(machine.record["span"][0]))

    def _advance(self, machine: Machine, block: int, address: int) -> Status:
        """Let a block go on; return DONE, ABORTED, CANCELLED, WAITING where it waits at a barrier of the grid, or RAN
        where a warp of it can go on."""
        warps = range(block * self.common.launch.warps, (block + 1) * self.common.launch.warps)
        while True:
            statuses = [self._run_warp(machine, warp) for warp in warps]
            for status in (Status.ABORTED, Status.CANCELLED):
                if status in statuses:
                    return status
            if all(status == Status.DONE for status in statuses):
                return Status.DONE
            if Status.RAN in statuses:
                return Status.RAN
            if machine_code.entry("settle_named")(machine.address, address):
                continue
            if not machine_code.entry("barrier_complete")(machine.address, address):
                machine_code.entry("report_stuck")(machine.address, address)
                return Status.ABORTED
            if is_at_grid_barrier(self.common, machine.warps[warps.start : warps.stop]):
                return Status.WAITING
            machine_code.entry("release")(machine.address, address)

    def _run_warp(self, machine: Machine, warp: int) -> Status:
        if self.common.cancel[0]:
            return Status.CANCELLED
        address = machine.warps.ctypes.data + warp * machine.warps.itemsize
        return Status(machine_code.entry("issue")(machine.address, address, LONGEST_RUN))


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
