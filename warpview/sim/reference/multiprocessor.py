"""Simulate one multiprocessor cycle by cycle: the readable definition of the timing model (sim/timing has the numbers).

Every cycle, blocks that are due start, and every scheduler whose port is free issues from one of its warps: from the
one it issued from last if that is ready, else from the oldest ready one (blocks by order of arrival, warps by index, or
from the last one on: see ``last_warp_first``); those that have waited for its full queue take turns (``turns.py``).
A warp is ready when its instruction's rows are there and its pipe and queues take work. Warp slot ``s`` belongs to
scheduler ``s % schedulers``; the k-th resident block has the slots from ``k * warps``.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from warpview.devices import Device, block_shared
from warpview.isa.ops import BLOCK_BARRIERS, Op
from warpview.isa.program import Program
from warpview.sim.history.events import EVENT_COLUMNS, Events, Mark, SmOptions, Stall
from warpview.sim.launch import Launch, Options, Printed
from warpview.sim.memory import DeviceMemory
from warpview.sim.raw_counts import N_RAW, Raw
from warpview.sim.reference.accounts import Accounts
from warpview.sim.reference.block import ThreadBlock, blocks_released
from warpview.sim.reference.bulk_loads import BulkLoads
from warpview.sim.reference.clusters import Cluster
from warpview.sim.reference.code_lines import CodeLines
from warpview.sim.reference.counting import first_passes
from warpview.sim.reference.livelock import never_ends
from warpview.sim.reference.marks import marks_of
from warpview.sim.reference.memory import FindingLog, GlobalSegment
from warpview.sim.reference.memory_pipe import TRANSACTIONS, MemoryPipe, writes_global
from warpview.sim.reference.pipes import Pipes
from warpview.sim.reference.residents import ResidentBlock, ResidentWarp, finds_change, may_come, waits_for_others
from warpview.sim.reference.sm_caches import Served, SmCaches
from warpview.sim.reference.spinning import spin
from warpview.sim.reference.turns import pick
from warpview.sim.reference.waits import Waits
from warpview.sim.reference.warp import IssueRecord
from warpview.sim.resident_blocks import shared_of_block
from warpview.sim.timing.contention import Contention
from warpview.sim.timing.ideal_timing import without
from warpview.sim.timing.instruction_costs import CONTROL_PIPE, QUEUE, polls_word
from warpview.sim.timing.l2_share import shares_of, stores_held
from warpview.sim.timing.model import NEVER, Timing, timing_of


class Multiprocessor:
    """Simulate the machine of one launch. ``run`` executes the blocks given; then ``events``, ``stalls`` and so on are
    there."""

    def __init__(self, program: Program, device: Device, launch: Launch, memory: DeviceMemory, options: Options,
                 resident: int, contention: Contention, sm: SmOptions) -> None:  # fmt: skip
        self.program, self.device, self.launch, self.options = program, device, launch, options
        self.timing: Timing = without(timing_of(program, device, contention, launch.n_blocks), sm.without)
        self.waited, self.free_issues = np.zeros((2, len(program.instructions)), dtype=np.int64)
        shared = resident * block_shared(device, shared_of_block(program, launch, sm))
        self.caches = SmCaches(
            device, options.cache_global_in_l1, shared, program.local_bytes,
            shares_of(device, memory, launch.n_blocks), stores_held(device, launch.n_blocks),
            self.timing,
        )  # fmt: skip
        self.pipes, self.waits = Pipes(self.timing, self.timing.schedulers), Waits(self.timing.costs)
        self.memory = MemoryPipe(program, self.timing, self.pipes, device.l2 is not None, self.caches.l1_lines)
        self.bulk = BulkLoads(self.timing, self.caches, self.memory)
        self.counts = np.zeros((len(program.instructions), N_RAW), dtype=np.int64)
        self.log = FindingLog()
        self.segment = GlobalSegment(memory)
        self.resident_blocks: list[ResidentBlock | None] = [None] * resident
        self.due: list[int | None] = [0] * resident  # cycle at which a block slot takes the next block
        schedulers = self.timing.schedulers
        self.left = 0  # blocks that have not started
        self.draining = 0  # warp cycles from the end of warps until their stores had left
        self.active_until = 0  # when the last of these had
        # When all stores have reached the L2, and when the arrivals of all warps at barriers have been noted.
        self.drained = self.barrier_free = 0
        self.next_launch = 0  # the cycle from which on the device can start the next block here
        self.port_free = [0] * schedulers
        self.last: list[ResidentWarp | None] = [None] * schedulers
        self.rows: dict[str, list[int]] = {name: [] for name in EVENT_COLUMNS}
        self.accounts = Accounts(schedulers, launch.warps)
        self.started: list[tuple[int, int, int]] = []  # (events before it, block slot, block) of every block
        self.printed: list[Printed] = []
        self.code = CodeLines(self.timing)
        self.clusters: dict[int, Cluster] = {}
        self.cycle = 0
        self.aborted = False

    # ------------------------------------------------------------------------------------ cycles

    def run(self, blocks: list[int]) -> None:
        """Execute the blocks in order of arrival; returns early when the launch is aborted."""
        queue = iter(enumerate(blocks))
        self.left = self.caches.shares.blocks = len(blocks)
        while self._start_due(queue) and not self.aborted:
            for scheduler in range(self.timing.schedulers):
                while self.port_free[scheduler] <= self.cycle and self._schedule(scheduler):
                    pass
            self.cycle = self._next_cycle()
        self.accounts.count_rest(self.resident_blocks, self.cycles)

    def _next_cycle(self) -> int:
        """Return the cycle after this one; where nothing was issued, the next in which a block starts or a warp can
        issue, for nothing changes until then."""
        if self.cycles > self.cycle:
            return self.cycle + 1
        warps = [each for block in self.resident_blocks if block is not None for each in block.warps]
        issues = [self._issues_from(each, each.pc) for each in warps if each.pc is not None]
        return max(self.cycle + 1, min([*issues, *(due for due in self.due if due is not None)], default=0))

    def _issues_from(self, resident: ResidentWarp, pc: int) -> int:
        """Return from when on a warp can issue its next instruction, if nothing else is issued."""
        scheduler = resident.slot % self.timing.schedulers
        gate = 0 if self.waits.is_free(resident, pc) else self._gate(scheduler, pc)
        return max(resident.ready, self.port_free[scheduler], gate)

    def _start_due(self, queue: Iterator[tuple[int, int]]) -> bool:
        """Start the blocks whose time has come. False when all have ended."""
        for k, due in enumerate(self.due):
            if due is None or due > self.cycle:
                continue
            self.due[k] = None
            if self.left and self.next_launch > self.cycle:
                self.due[k] = self.next_launch
                continue
            following = next(queue, None)
            if following is not None:
                self.left -= 1
                self.started.append((len(self.rows["cycle"]), k, following[1]))
                is_full = len(self.started) >= len(self.resident_blocks)
                self.next_launch = self.cycle + (self.timing.block_interval if is_full else self.timing.first_interval)
                self.resident_blocks[k] = self._start(k, *following)
        return any(self.resident_blocks) or any(due is not None for due in self.due)

    def _start(self, k: int, number: int, index: int) -> ResidentBlock:
        cluster = self.launch.position(index) // self.launch.cluster_blocks
        block = ThreadBlock(
            self.program, self.device, self.launch, self.options, index, self.segment, self.counts, self.log,
            cluster=self.clusters.setdefault(cluster, Cluster(cluster, self.launch.cluster_blocks)),
        )  # fmt: skip
        block.share.printed, block.share.memory.sets, block.share.memory.arrivals = self.printed, {}, {}
        warps = []
        for warp in block.warps:
            warp.clock = lambda: self.cycle
            slot = k * self.launch.warps + warp.index
            rank = -warp.index if self.timing.last_warp_first else warp.index
            resident = ResidentWarp(warp, slot, (number, rank), self.cycle, self.cycle)
            self.pipes.note(resident)
            self._prepare(resident, self.cycle, Stall.WAIT)
            warps.append(resident)
        return ResidentBlock(block, number, warps, self.cycle)

    def _schedule(self, scheduler: int) -> bool:
        """Issue from one warp, if any is ready: twice where the scheduler can and the second need not wait. Returns
        whether that took no time, so that the scheduler can go on in this cycle."""
        resident_block, resident = self._pick(scheduler)
        if resident_block is None or resident is None or self.aborted:
            return False
        if self._issue(scheduler, resident_block, resident):
            return True
        for _ in range(self.timing.dispatch - 1):
            if self.aborted or not self._can_pair(scheduler, resident):
                return False
            resident.ready = self.cycle
            self._issue(scheduler, resident_block, resident)
        return False

    def _pick(self, scheduler: int) -> tuple[ResidentBlock, ResidentWarp] | tuple[None, None]:
        ready = [
            (resident_block, resident)
            for resident_block in filter(None, self.resident_blocks)
            for resident in resident_block.warps
            if resident.slot % self.timing.schedulers == scheduler and self._is_ready(scheduler, resident)
        ]
        full_until = min(self.pipes.free[scheduler][QUEUE], self.cycle)
        return pick(ready, self.last[scheduler], full_until, self.waits.goes_through_queue)

    def _is_ready(self, scheduler: int, resident: ResidentWarp) -> bool:
        """Return whether a warp's rows are there, and the pipe and the queues of its instruction take it, unless it
        takes no time."""
        pc, cycle = resident.pc, self.cycle
        if pc is None or resident.ready > cycle:
            return False
        return self.waits.is_free(resident, pc) or self._gate(scheduler, pc) <= cycle

    def _gate(self, scheduler: int, pc: int) -> int:
        """Return from when on the pipe and the queues that an instruction needs take it."""
        return max(self.pipes.gate(scheduler, pc), self.memory.gate(scheduler, pc))

    def _can_pair(self, scheduler: int, resident: ResidentWarp) -> bool:
        """Return whether the warp's next instruction can go with the one that it issued in this cycle."""
        pc = resident.pc
        if pc is None or self.timing.costs.pipe[pc] == CONTROL_PIPE or self.last_pipe == CONTROL_PIPE:
            return False
        return self.waits.rows_ready(resident, pc)[0] <= self.cycle and self._gate(scheduler, pc) <= self.cycle

    # ------------------------------------------------------------------------------------ issue

    def _issue(self, scheduler: int, resident_block: ResidentBlock, resident: ResidentWarp) -> bool:
        """Issue the warp's next instruction; returns whether that took no time."""
        pc, cycle, costs = resident.pc, self.cycle, self.timing.costs
        assert pc is not None
        present = (each.warp for block in self.resident_blocks if block is not None for each in block.warps)
        if resident.warp.issued >= self.options.step_budget or never_ends(resident.warp, present):
            resident_block.block.report_endless(resident.warp, *(resident.warp.path() or (pc, 0)))
            self._abort()
            return False
        before, findings = self.counts[pc].copy(), self.log.occurrences
        record = resident.warp.issue()
        assert record is not None
        assert record.pc == pc
        added = first_passes(self.program.instructions[pc], self.counts[pc] - before)
        transactions = int(added[list(TRANSACTIONS)].sum())
        units = int(added[Raw.WAVEFRONTS]) + transactions
        is_free = self.waits.is_free(resident, pc)
        if is_free:
            free, result, sources_read, following, reason = resident.ready, cycle, cycle, 0, Stall.WAIT
            self.free_issues[pc] += 1
            if transactions:
                self._look_up(resident_block, resident, record, scheduler)
        else:
            free = self.pipes.waited_until(resident, pc, cycle, self._gate(scheduler, pc))
            result, sources_read = self._execute(scheduler, resident_block, resident, record, added, units)
            fence = self.memory.pass_fence(cycle, pc, self.caches.pass_fence(pc))
            words = int(added[Raw.WAVEFRONTS])
            loop = spin(resident_block.spun, record, costs, words, cycle, self.device.shared_set_cycles)
            self.port_free[scheduler] = max(self.port_free[scheduler], cycle + self.timing.port + loop.slots)
            self.memory.shared_free += loop.further
            opens = resident_block.opens_in(cycle, self.program.instructions[pc], record)
            following, reason = max(int(costs.following[pc]) + self.pipes.held_up, fence, loop.cycles), costs.pause[pc]
            following, reason = (opens, Stall.BARRIER) if opens > following else (following, Stall(reason))
        place = self._place_in_grid(resident_block, resident)
        self.bulk.pass_load(resident_block.block.share.memory, pc, cycle, scheduler, *place)
        self.last[scheduler], self.last_pipe = resident, int(costs.pipe[pc])
        self.waits.note(resident, pc, resident_block.after_copies(costs, record, resident, result), sources_read)
        self.waited[pc] += self.accounts.count_issue(resident, cycle, Stall(costs.throttle[pc]), free)
        marks = marks_of(added, self.program.instructions[pc], record.on, self.log.occurrences > findings)
        marks |= resident_block.take_marks()
        event = {
            "cycle": cycle, "since": resident.since, "ready": resident.ready, "free": free,
            "slot": resident.slot, "block": resident_block.block.index, "warp": resident.warp.index, "pc": pc,
            "mask": record.mask, "on": record.on, "taken": record.taken, "marks": marks, "units": units,
            "scheduler": scheduler, "wait": resident.wait, "throttle": costs.throttle[pc],
            **self.caches.answered(transactions > 0),
        }  # fmt: skip
        for name, value in event.items():
            self.rows[name].append(int(value))
        if self.program.instructions[pc].op in BLOCK_BARRIERS and record.on:
            self.barrier_free = max(self.barrier_free, cycle) + self.timing.barrier_per_warp
        self._after_issue(resident_block, resident, cycle + following, reason)
        return is_free

    def _execute(
        self, scheduler: int, resident_block: ResidentBlock, resident: ResidentWarp, record: IssueRecord,
        added: NDArray[np.int64], units: int,
    ) -> tuple[int, int]:  # fmt: skip
        """Occupy what an instruction needs; return when its result is there and when its sources are read."""
        pc, cycle, timing = record.pc, self.cycle, self.timing
        self._occupy(scheduler, resident.slot, pc, added)
        self.memory.hand_on(cycle, scheduler, pc)
        if units:
            return self._access_memory(scheduler, resident_block, resident, record, added)
        start = self.memory.without_access(cycle, pc)
        sources_read = self.memory.sources_read(cycle, scheduler, pc, start)
        self.memory.enter_queue(cycle, scheduler, resident, pc)
        result = start + int(timing.costs.latency[pc])
        if timing.costs.loads_constant[pc]:
            result = max(result, self.code.constant_ready(pc, cycle))
        return result, sources_read

    def _occupy(self, scheduler: int, slot: int, pc: int, added: NDArray[np.int64]) -> None:
        """Occupy the scheduler's port, the pipe of the instruction and the register banks that it reads."""
        cycle, timing = self.cycle, self.timing
        replays = max(0, int(added[Raw.WAVEFRONTS] - added[Raw.IDEAL_WAVEFRONTS]))
        held = timing.port + int(timing.costs.held[pc]) + replays * timing.replay
        held += self.memory.is_held_in_turn(scheduler, pc)
        read = self.pipes.occupy(scheduler, slot, pc, cycle)
        self.port_free[scheduler] = max(self.port_free[scheduler], cycle + held, read)

    def _place_in_grid(self, resident_block: ResidentBlock, resident: ResidentWarp) -> tuple[int, int]:
        """Return the number of a warp in the grid, and how many blocks have started, 0 while the first ones run."""
        warp = resident_block.block.index * self.launch.warps + resident.warp.index
        return warp, 0 if resident_block.number < len(self.resident_blocks) else len(self.started)

    def _look_up(
        self, resident_block: ResidentBlock, resident: ResidentWarp, record: IssueRecord, scheduler: int
    ) -> Served:
        """Send an access through the caches, without taking any time."""
        instruction = self.program.instructions[record.pc]
        warp, started = self._place_in_grid(resident_block, resident)
        return self.caches.access(instruction, record.parts, warp, started, record.pc, self.cycle, scheduler)

    def _access_memory(
        self, scheduler: int, resident_block: ResidentBlock, resident: ResidentWarp, record: IssueRecord,
        added: NDArray[np.int64],
    ) -> tuple[int, int]:  # fmt: skip
        """Pass an access through caches and queues; return when its result is there and when its sources are read."""
        pc, cycle = record.pc, self.cycle
        instruction = self.program.instructions[pc]
        served = self._look_up(resident_block, resident, record, scheduler)
        self.memory.has_changed = polls_word(instruction) and finds_change(resident_block.block, resident, record)
        result, sources_read, left_at = self.memory.access(cycle, scheduler, resident, pc, added, served)
        self.memory.enter_queue(cycle, scheduler, resident, pc)
        if instruction.op != Op.ST:
            self.caches.note_filled(result)
        if instruction.op == Op.LD and served.from_l2:
            self.caches.loaded = max(self.caches.loaded, result)
        if writes_global(instruction) and self.device.l2 is not None:
            if instruction.op == Op.ST or self.timing.atomic_backlog:
                resident.drained = max(resident.drained, left_at)
            self.drained = max(self.drained, result)
        return result, sources_read

    # ------------------------------------------------------------------------------------ what follows

    def _after_issue(self, resident_block: ResidentBlock, resident: ResidentWarp, earliest: int, reason: Stall) -> None:
        """Prepare the warp's next instruction; then find out whether its block goes on, ends or is stuck."""
        resident.since = self.cycle + 1
        self.pipes.note(resident)
        self._prepare(resident, earliest, reason)
        if resident_block.block.in_clusters and resident_block.block.cluster.settle():
            for other in (b for b in self.resident_blocks if b is not None):
                if other.block.cluster is resident_block.block.cluster:
                    other.opens = self.cycle + self.timing.cluster_barrier
                    self._resume(other, self.timing.cluster_barrier)
        if resident_block.block.share.asserted:
            self.aborted = True
        elif resident_block.block.done:
            self._end(resident_block)
            self._check_grid()
        else:
            if resident_block.block.named.settle():
                self._resume(resident_block, self.timing.barrier)
            present = [b for b in self.resident_blocks if b is not None]
            blocks = blocks_released(resident_block.block, [b.block for b in present], self.launch.n_blocks)
            for released in (b for b in present if b.block in blocks):
                released.block.release_barrier()
                self._resume(released, self.timing.barrier)
            waits = waits_for_others(resident_block, self.resident_blocks, self.left)
            if all(warp.pc is None for warp in resident_block.warps) and not waits:
                resident_block.block.report_stuck()
                self._abort()

    def _check_grid(self) -> None:
        """Report a block that waits at a barrier of the grid to which no other block will come any more."""
        for waiting in (b.block for b in self.resident_blocks if b is not None and b.block.waits_for_grid):
            if not self.aborted and not may_come(self.resident_blocks, self.left):
                waiting.report_stuck()
                self._abort()

    def _prepare(self, resident: ResidentWarp, earliest: int, reason: Stall) -> None:
        """Find what the warp issues next, and when it can: from ``earliest`` on, for a ``reason``, and its rows."""
        resident.warp.arrivals = 0
        path = resident.warp.path()
        earliest += resident.warp.arrivals * self.timing.path_change
        if path is None:
            waiting = Stall.BARRIER if resident.warp.paths.at_barrier else Stall.RECONVERGENCE
            resident.pc, resident.ready, resident.wait = None, NEVER, waiting
            return
        resident.pc = path[0]
        rows, wait = max(self.waits.next_trip(resident, *path[:2]), self.waits.rows_ready(resident, path[0]))
        resident.ready, resident.wait = (rows, wait) if rows > earliest else (earliest, reason)
        fetched = self.code.ready(path[0], earliest, resident.ready)
        if fetched > resident.ready:
            resident.ready, resident.wait = fetched, Stall.NO_INSTRUCTION

    def _resume(self, resident_block: ResidentBlock, later: int) -> None:
        """Find what the warps issue next that have waited and can go on, so many cycles ``later``."""
        earliest = max(self.cycle, self.barrier_free) + later
        for resident in resident_block.warps:
            if resident.warp.paths.live and resident.pc is None:
                self._prepare(resident, earliest, Stall.BARRIER)
                resident.wait = Stall.BARRIER

    def _end(self, resident_block: ResidentBlock) -> None:
        end, k = self.cycle + 1, self.resident_blocks.index(resident_block)
        self.accounts.count_end(resident_block, k, end)
        self.resident_blocks[k] = None
        stored = [resident for resident in resident_block.warps if resident.drained]
        self.draining += sum(max(0, each.drained + self.timing.store_drain - each.since) for each in stored)
        self.active_until = max([self.active_until, *(each.drained + self.timing.store_drain for each in stored)])
        drained = max(end, *(resident.drained for resident in resident_block.warps))
        self.due[k] = drained + self.timing.block_start + self.timing.warp_start * self.launch.warps

    def _abort(self) -> None:
        """A finding that no instruction caused ends the launch: the last event shows it."""
        self.aborted = True
        if self.rows["marks"]:
            self.rows["marks"][-1] |= Mark.FINDING

    @property
    def cycles(self) -> int:
        """Return the cycles up to the last issue."""
        return self.rows["cycle"][-1] + 1 if self.rows["cycle"] else 0

    @property
    def events(self) -> Events:
        return Events(**{name: np.array(self.rows[name], dtype=kind) for name, kind in EVENT_COLUMNS.items()})
