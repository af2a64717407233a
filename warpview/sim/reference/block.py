"""Execute one block: its warps in order, its barriers, and the end of a deadlock when no warp can go on."""

from __future__ import annotations

from collections.abc import Sequence

from warpview.devices import Device
from warpview.isa.modes import BarrierScope
from warpview.isa.ops import BarRedOp, Op
from warpview.isa.program import Program
from warpview.sim.arguments.constant_banks import constant_memory
from warpview.sim.checks.access_log import LoggedAccesses
from warpview.sim.checks.integer_traps import traps
from warpview.sim.launch import (
    LONGEST_RUN,
    FindingKind,
    Launch,
    Options,
    Party,
    driver_shared_start,
    runs_in_clusters,
    shared_memory_bytes,
)
from warpview.sim.reference.accesses import BlockMemory
from warpview.sim.reference.clusters import Cluster, is_wait
from warpview.sim.reference.collective import barrier_reduction
from warpview.sim.reference.livelock import never_ends
from warpview.sim.reference.memory import ConstantSegment, FindingLog, Segment, scratch
from warpview.sim.reference.named_barriers import NamedBarriers
from warpview.sim.reference.native.lane import NativeRegisters
from warpview.sim.reference.native.paths import NativePaths
from warpview.sim.reference.native.warp import NativeWarp
from warpview.sim.reference.paths import Paths
from warpview.sim.reference.registers import LANES, Registers
from warpview.sim.reference.splits import SplitPaths, lowest_lane
from warpview.sim.reference.stack import StackPaths
from warpview.sim.reference.warp import Counts, Warp, WarpShare, live_lanes
from warpview.sim.timing.contention import UnitTraffic


class ThreadBlock:
    """Simulate a resident block. ``run`` executes it to the end in the order of the profile engine; the cycle-level
    machine issues from ``warps`` in its own order and calls ``release_barrier`` when ``barrier_complete``."""

    def __init__(self, program: Program, device: Device, launch: Launch, options: Options, index: int,
                 memory: Segment, counts: Counts, log: FindingLog,
                 traffic: UnitTraffic | None = None, accesses: LoggedAccesses | None = None,
                 cluster: Cluster | None = None) -> None:  # fmt: skip
        self.index = index
        self.cluster = cluster or Cluster(launch.position(index) // launch.cluster_blocks, launch.cluster_blocks)
        self.in_clusters = runs_in_clusters(program, launch)
        names_blocks = self.in_clusters and (program.native is not None or program.names_blocks)
        self.options = options
        own = driver_shared_start(program, launch.dynamic_shared_bytes)
        shared = scratch(shared_memory_bytes(program, launch), memory.changes, own)
        local = [scratch(program.local_bytes, memory.changes) for _ in range(launch.warps * LANES)]
        constants = ConstantSegment(constant_memory(program, launch))
        block_memory = BlockMemory(
            device, options, log, index, memory, constants, shared, local, traffic=traffic, accesses=accesses,
            rank=launch.rank(index) if names_blocks else None, of_rank=self.cluster.memory,
        )  # fmt: skip
        looked_at = traps(program) if options.check and options.source_checks else {}
        self.share = WarpShare(program, block_memory, counts, self.cluster, traps=looked_at)
        self.cluster.blocks[launch.rank(index)] = self
        self.warps = [
            _warp(self.share, device, launch, index, w, live_lanes(launch.threads, w)) for w in range(launch.warps)
        ]

        self.named = NamedBarriers(self.warps)
        self.yielding = False  # a warp let the others go first
        self.warps_together = self.warps  # with those of the blocks that are executed together with it

    @property
    def done(self) -> bool:
        return not any(warp.paths.live for warp in self.warps)

    def run(self) -> bool:
        """Execute the block: each warp until it waits, yields or ends, in order, again and again, up to its end, a
        barrier of the grid or of the cluster, or a yield where blocks wait for one another. False: aborted."""
        if self.waits_for_grid:
            self.release_barrier()
        while True:
            self.yielding = False
            for warp in self.warps:
                if not self._run_warp(warp):
                    return False
            if self.done:
                return True
            settled = self.named.settle()
            if self.yielding and (self.share.program.synchronises_grid or self.in_clusters):
                return True
            if self.yielding or settled:
                continue
            if not self.barrier_complete:
                if self.waits_for_cluster:
                    return True
                self.report_stuck()
                return False
            if self.is_at_grid_barrier:
                return True
            self.release_barrier()

    def _run_warp(self, warp: Warp) -> bool:
        """Execute a warp until it waits, yields or ends, for LONGEST_RUN instructions at most. False: aborted."""
        for _ in range(LONGEST_RUN):
            if (path := warp.path()) is None:
                return True
            if warp.issued >= self.options.step_budget or never_ends(warp, self.warps_together):
                self.report_endless(warp, *path)
                return False
            if isinstance(warp, NativeWarp) and warp.stays():
                break
            warp.issue()
            if self.share.asserted:
                return False
            if warp.gives_way:
                break
        self.yielding = True
        return True

    # ---------------------------------------------------------------------------------------- block barrier

    @property
    def barrier_complete(self) -> bool:
        """Return true where some warp waits at the barrier of __syncthreads and none holds it back."""
        at_another = any(
            is_wait(warp, pc) or self.named.number_at(warp, pc, mask) is not None
            for warp in self.warps
            for pc, mask in warp.paths.waiting_at_barrier()
        )
        return (
            not at_another
            and any(warp.paths.at_barrier for warp in self.warps)
            and all(warp.paths.barrier_satisfied for warp in self.warps)
        )

    @property
    def is_at_grid_barrier(self) -> bool:
        """Return whether the first warp that waits at a barrier does so at one of the whole grid."""
        waiting = (pc for warp in self.warps for pc, _ in warp.paths.waiting_at_barrier())
        pc = next(waiting, None)
        if pc is None:
            return False
        instruction = self.share.program.instructions[pc]
        return instruction.op == Op.BAR_SYNC and instruction.mod == BarrierScope.GRID

    @property
    def waits_for_cluster(self) -> bool:
        """Return whether some lanes wait at the barrier of the cluster."""
        return any(is_wait(warp, pc) for warp in self.warps for pc, _ in warp.paths.waiting_at_barrier())

    @property
    def waits_for_grid(self) -> bool:
        """Return whether all of the block waits at a barrier of the whole grid."""
        return self.barrier_complete and self.is_at_grid_barrier

    def release_barrier(self) -> None:
        """Let all warps go on from the barrier, and give reductions their results."""
        if self.options.check:
            self._check_barrier()
        arrivals = self.share.arrivals
        predicates = [p for arrival in arrivals for p in arrival.predicates.values()]
        for arrival in arrivals:
            value = barrier_reduction(BarRedOp(arrival.instruction.mod), predicates)
            for lane in arrival.predicates:
                arrival.result[lane] = value
        arrivals.clear()
        self.share.memory.epoch += 1
        for warp in self.warps:
            warp.release()

    def _check_barrier(self) -> None:
        """Report threads that exited before the barrier, and threads that wait at another barrier than the first."""
        waiting = sorted(
            (warp.index * LANES + lowest_lane(mask), pc)
            for warp in self.warps
            for pc, mask in warp.paths.waiting_at_barrier()
        )
        first_thread, first_pc = waiting[0]
        places = self.share.program.barrier_places
        for warp in self.warps:
            if exited := warp.first_live & ~warp.paths.live:
                other = Party(warp.exit_pc, self.index, warp.index * LANES + lowest_lane(exited))
                self._report(FindingKind.EXITED_BEFORE_BARRIER, first_pc, first_thread, other)
                break
        for thread, pc in waiting:
            if len({places.get(k) for k in (pc, first_pc)} - {None}) > 1:
                other = Party(first_pc, self.index, first_thread)
                self._report(FindingKind.DIVERGENT_BARRIER, pc, thread, other)
                break

    def _report(self, kind: FindingKind, pc: int, thread: int, other: Party | None = None) -> None:
        self.share.memory.log.report(kind, pc, self.index, thread, other=other)

    def report_endless(self, warp: Warp, pc: int, mask: int) -> None:
        """Report a warp whose path goes in circles, or that has used up its step budget."""
        in_circles = int(warp.issued < self.options.step_budget)
        thread = warp.index * LANES + lowest_lane(mask)
        self.share.memory.log.report(FindingKind.ENDLESS, pc, self.index, thread, value=in_circles)

    def report_stuck(self) -> None:
        """Report that no warp can run: at the lowest thread at a block barrier, or else the lowest at a collective."""
        waiting = [
            (FindingKind.BARRIER, warp.index * LANES + lowest_lane(mask), pc)
            for warp in self.warps
            for pc, mask in warp.paths.waiting_at_barrier()
        ] or [
            (FindingKind.DEADLOCK, warp.index * LANES + lowest_lane(mask), pc)
            for warp in self.warps
            for pc, mask in warp.paths.waiting_at_collective()
        ]
        kind, thread, pc = min(waiting, key=lambda entry: entry[1])
        address, value = 0, 0
        instruction = self.share.program.instructions[pc]
        if instruction.op == Op.BAR_NAMED:
            number, threads = self.warps[thread // LANES].barrier_operands(instruction, thread % LANES)
            address, value = self.named.about(number, threads)
        self.share.memory.log.report(kind, pc, self.index, thread, address, value=value)


def _warp(share: WarpShare, device: Device, launch: Launch, block: int, warp: int, live: int) -> Warp:
    """Return a warp of a block, with ``live`` lanes, for the instruction set of the program."""
    program = share.program
    place = (program, launch, block, warp, device.multiprocessors)
    if program.native is not None:
        return NativeWarp(share, warp, NativeRegisters(*place), NativePaths(live))
    paths: Paths = StackPaths(live) if device.divergence == "stack" else SplitPaths(live)
    return Warp(share, warp, Registers(*place), paths)


def blocks_released(block: ThreadBlock, present: Sequence[ThreadBlock], n_blocks: int) -> Sequence[ThreadBlock]:
    """Return the blocks whose barrier is complete now that a warp of ``block`` waits: that block, at a barrier of the
    grid all ``n_blocks``, or none. ``present`` are those on the multiprocessor."""
    if not block.barrier_complete:
        return ()
    if not block.is_at_grid_barrier:
        return (block,)
    return present if len(present) == n_blocks and all(other.waits_for_grid for other in present) else ()
