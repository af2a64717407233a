"""Time accesses in the shared pipe and the memory queue of a multiprocessor, by the numbers of sim/timing/model.py."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

from warpview.isa.ops import ATOMIC_OPS, Op
from warpview.isa.program import Instruction, Program
from warpview.isa.types import GLOBAL_SPACES, Space
from warpview.sim.compiler_effects.asynchronous_copies import is_bulk
from warpview.sim.history.events import MemoryBusy
from warpview.sim.raw_counts import Raw, in_other_blocks
from warpview.sim.reference.pipes import Pipes
from warpview.sim.reference.residents import ResidentWarp
from warpview.sim.reference.sm_caches import Served
from warpview.sim.timing.instruction_costs import MEMORY_QUEUE, SHARED_QUEUE
from warpview.sim.timing.model import (
    FENCES_APART,
    FENCES_AT_ONCE,
    FENCES_JOIN,
    FRACTION,
    GAP_ENTRIES,
    LOAD_WINDOW,
    MANY_PIECES,
    MOST_LOAD,
    QUEUE_RING,
    SECTOR_BYTES,
    Timing,
)

_NOTHING_ADDED = np.zeros(len(Raw), dtype=np.int64)
TRANSACTIONS = (Raw.TRANSACTIONS_32, Raw.TRANSACTIONS_64, Raw.TRANSACTIONS_96, Raw.TRANSACTIONS_128)


def writes_global(instruction: Instruction) -> bool:
    """Return whether an instruction may write global memory."""
    return (instruction.op == Op.ST or instruction.op in ATOMIC_OPS) and instruction.space in GLOBAL_SPACES


class MemoryPipe:
    """Compute when accesses are served. ``shared_free`` is when the shared pipe takes the next one, ``memory_free`` and
    ``dram_free`` when the queues to L2 and to DRAM do, in 1 / FRACTION cycles; ``atomics_free`` when the units for
    atomics have carried out all, for which loads and stores do not wait."""

    def __init__(self, program: Program, timing: Timing, pipes: Pipes, has_l2: bool, l1_lines: int) -> None:
        self._pipes, self._l1_lines = pipes, l1_lines
        self.timing, self.costs = timing, timing.costs
        self._has_l2 = has_l2
        self._is_store = [instruction.op == Op.ST for instruction in program.instructions]
        self._is_load = [instruction.op == Op.LD or is_bulk(instruction) for instruction in program.instructions]
        self._is_atomic = [instruction.op in ATOMIC_OPS for instruction in program.instructions]
        self._writes_global = [writes_global(instruction) for instruction in program.instructions]
        self.shared_free = self.side_free = 0
        self._handing_free = [0] * timing.schedulers  # when each queue hands on its next access
        self._handed = 0  # when it hands on the one at hand
        self._accesses = [0] * timing.schedulers  # that each queue has had
        # When the last accesses of each scheduler have left its queue, and when the pipe has served them.
        self._left = [deque([0] * QUEUE_RING, maxlen=QUEUE_RING) for _ in range(timing.schedulers)]
        self._served = [deque([0] * QUEUE_RING, maxlen=QUEUE_RING) for _ in range(timing.schedulers)]
        self.memory_free = self.dram_free = self.atomics_free = 0
        self._flights: deque[tuple[int, int]] = deque()  # loads on their way: when their data are there, and lines
        # When L2 and DRAM would have taken up the stores if there were nothing else.
        self._stores_free = self._stores_dram_free = 0
        self.dram_sectors = 0
        self.busy = dict.fromkeys(MemoryBusy._fields, 0)
        # When all stores and atomics have left the multiprocessor, when the last round of fences begins, what it takes,
        # and from when on the next one may begin.
        self._all_left = self._round_begin = self._round_takes = self._next_round = 0
        # When what was sent to other multiprocessors has been moved, in 1 / FRACTION cycles; whether their shared
        # memory was accessed since the last fence.
        self._distributed_free, self._distributed = 0, False
        self.has_changed = False  # the load at hand finds a word changed since its warp loaded it
        # How busy memory was in the last window, in 1 / FRACTION; the end of this window, and the work noted in it.
        self.load = self.window_end = self.window_work = 0

    def gate(self, scheduler: int, pc: int) -> int:
        """Return from when on the queues that an instruction needs take it."""
        gate, room = 0, int(self.costs.room[pc])
        if self.costs.side_slots[pc]:
            gate = self.side_free - self.timing.shared_backlog
        if room:
            return max(gate, self._left[scheduler][-room])
        if self.costs.queues[pc] & SHARED_QUEUE:
            gate = max(gate, self.shared_free - self.timing.shared_backlog)
        if self.costs.queues[pc] & MEMORY_QUEUE:
            gate = max(gate, max(self.memory_free, self.dram_free) // FRACTION - self.timing.memory_backlog)
            if self.timing.l1_pass:
                gate = max(gate, self.shared_free - self.timing.shared_backlog)
        return gate

    def hand_on(self, cycle: int, scheduler: int, pc: int) -> None:
        """Let the queue of a scheduler hand on an instruction, behind those before it."""
        handing = int(self.costs.handing[pc])
        self._handed = max(cycle, self._handing_free[scheduler]) if handing else cycle
        if handing:
            self._handing_free[scheduler] = self._handed + handing

    def is_held_in_turn(self, scheduler: int, pc: int) -> bool:
        """Return whether it is an instruction's turn to keep its scheduler from issuing for a cycle more."""
        turns = int(self.costs.held_in_turn[pc])
        return turns > 0 and self._accesses[scheduler] % turns == 0

    def _take_pipe(self, earliest: int, busy: int) -> int:
        """Take the pipe for some cycles, not before ``earliest``; returns when it serves the instruction, which the
        queue of its scheduler has to hand on first. Those of other schedulers are served meanwhile."""
        start = max(earliest, self.shared_free)
        self.shared_free = start + busy
        return max(start, self._handed)

    def enter_queue(self, cycle: int, scheduler: int, resident: ResidentWarp, pc: int) -> None:
        """Note when the access issued last leaves the queue of its scheduler: when the pipe has served it, and its
        warp; a load as soon as few enough accesses wait for the pipe behind the queue."""
        if not self.costs.room[pc]:
            return
        self._accesses[scheduler] += 1
        beyond, left, before = int(self.costs.beyond[pc]), self._left[scheduler], self._served[scheduler]
        served = max(self.shared_free, resident.turn_free, self._handing_free[scheduler])
        left.append(min(served, max(left[-1], before[-beyond])) if beyond else served)
        before.append(served)
        self._pipes.note_full(scheduler, cycle, left[-int(self.costs.room[pc])])

    def sources_read(self, cycle: int, scheduler: int, pc: int, start: int) -> int:
        """Return when the sources of an instruction have been read that the pipe takes at ``start``: those of an access
        when few enough are before it in the queue."""
        ahead = self.timing.queue_read
        if self.costs.room[pc] and ahead:
            start = min(start, max(cycle, self._served[scheduler][-ahead]))
        return start + self.timing.reads_sources + int(self.costs.reads_later[pc])

    def without_access(self, cycle: int, pc: int) -> int:
        """Send an instruction that accesses nothing through the shared pipe or past it; returns when it starts
        there."""
        start, slots, side_slots = cycle, int(self.costs.slots[pc]), int(self.costs.side_slots[pc])
        if slots:
            start = self._take_pipe(cycle, slots)
            self.busy["shared"] += slots
        if side_slots:
            start = max(start, self.side_free)
            self.side_free = start + side_slots
        return start

    def _move_in_turn(self, resident: ResidentWarp, start: int, further: int) -> int:
        """Let the data of a warp's accesses be moved one after the other; returns when those of this one begin, which
        takes ``further`` cycles more than an ideal access."""
        begin = max(start, resident.turn_free)
        resident.turn_free = begin + self.timing.shared_slot + further
        return begin

    def access(
        self, cycle: int, scheduler: int, resident: ResidentWarp, pc: int, added: NDArray[np.int64], served: Served
    ) -> tuple[int, int, int]:
        """Send an access through the shared pipe and the memory queue; returns when its result is there, when its
        sources have been read, and when it has left the multiprocessor."""
        result = sources_read = left_at = cycle
        sources_read += self.timing.reads_sources
        if added[Raw.WAVEFRONTS]:
            result, sources_read = self._pass_shared(cycle, scheduler, resident, pc, added)
        if added[list(TRANSACTIONS)].any():
            result, sources_read, left_at = self._pass_l1(cycle, scheduler, resident, pc, added, served, result)
        return result, sources_read, left_at

    def _pass_shared(
        self, cycle: int, scheduler: int, resident: ResidentWarp, pc: int, added: NDArray[np.int64]
    ) -> tuple[int, int]:
        """Send an access through shared memory or the constants; return when its result is there, and when its sources
        have been read."""
        timing, wavefronts, ideal = self.timing, int(added[Raw.WAVEFRONTS]), int(added[Raw.IDEAL_WAVEFRONTS])
        joined = int(self.costs.joined[pc])
        if joined:  # lanes beside one another agree where one of the loads takes a single wavefront
            ideal = joined // 2 if wavefronts == 1 else joined
        constant, times = self.costs.space[pc] == Space.CONST, int(self.costs.shared_times[pc])
        again, passes = max(0, wavefronts - ideal), timing.shared_slot * (-(-ideal // timing.ideal_passes) - 1)
        busy = timing.shared_slot + passes + again * (timing.constant_pass if constant else timing.wavefront_busy)
        start = self._take_pipe(cycle, busy * times)
        self.busy["shared"] += busy * times
        further = (again * (timing.constant_pass if constant else timing.wavefront) + passes) * times
        begin = start if constant else self._move_in_turn(resident, start, further)
        latency = timing.constant_latency if constant else int(self.costs.shared[pc])
        later = self._reach_other_blocks(pc, added, start) if added[in_other_blocks(Raw.SECTORS)] else 0
        return begin + further + later + latency, self.sources_read(cycle, scheduler, pc, start)

    def _distributed_work(self, pc: int, added: NDArray[np.int64]) -> int:
        """Return for how long the multiprocessor moves what an access takes from, or brings to, other blocks' shared
        memory, in 1 / FRACTION cycles."""
        sectors, timing = int(added[in_other_blocks(Raw.SECTORS)]), self.timing
        if self._is_store[pc]:
            return sectors * timing.distributed_store
        if self._is_atomic[pc]:
            return sectors * timing.distributed_atomic
        wavefronts = int(added[in_other_blocks(Raw.WAVEFRONTS)])
        return max(sectors * timing.distributed_load, (wavefronts - 1) * timing.distributed_wavefront)

    def _reach_other_blocks(self, pc: int, added: NDArray[np.int64], start: int) -> int:
        """Send an access to the shared memory of other blocks, on other multiprocessors; return by how much its result
        is later for it."""
        timing, work = self.timing, self._distributed_work(pc, added)
        self.busy["distributed"] += work
        self._distributed_free = max(start * FRACTION, self._distributed_free) + work
        moved = -(-self._distributed_free // FRACTION)
        self.shared_free = max(self.shared_free, moved - timing.memory_backlog)
        if not self._is_load[pc]:
            self._all_left = max(self._all_left, moved)
        self._distributed = True
        return moved - start + timing.distributed_later

    def _pass_l1(
        self,
        cycle: int,
        scheduler: int,
        resident: ResidentWarp,
        pc: int,
        added: NDArray[np.int64],
        served: Served,
        earliest: int,
    ) -> tuple[int, int, int]:
        """Send an access through L1 and the queues behind it; return when its result is there, not before ``earliest``,
        when its sources have been read, and when it has left the multiprocessor."""
        timing, requested = self.timing, int(added[Raw.BYTES_REQUESTED])
        transactions = int(added[list(TRANSACTIONS)].sum())
        earliest_start = cycle
        if timing.coalesced:
            served, transactions = served.coalesced(requested), min(transactions, -(-requested // SECTOR_BYTES))
        lines = served.l2_lines if self._is_load[pc] and timing.loads_in_flight and self._l1_lines else 0
        if lines:
            earliest_start = self._find_room(max(cycle, self.shared_free), lines)
        is_partial = requested < SECTOR_BYTES * (served.from_l2 + served.merged)
        passes = served.passes * timing.l1_pass or transactions
        busy = max(timing.shared_slot, passes, self._port_busy(pc, served, is_partial))
        start = self._take_pipe(earliest_start, busy)
        self.busy["l1"] += busy
        self.dram_sectors += served.dram + served.read - served.undone
        left_at = start + busy - timing.shared_slot
        served_at, left_at = self._enter_queues(cycle, start, left_at, pc, added, served, is_partial)
        if self._writes_global[pc]:
            self._all_left = max(self._all_left, left_at)
        further = served.turns * timing.l1_wavefront
        moved = self._move_in_turn(resident, start, further) + further
        later = int(self.costs.merged_later[pc]) if self._is_merged(pc, requested) else 0
        result = max(earliest, served_at + self._latency(pc, served) + later)
        result = max(result, 0 if self._is_store[pc] else served.pending)
        if further and self._is_load[pc]:  # data return in the order in which a warp has asked for them
            moved += timing.l2_latency if served.from_l2 else timing.l1_latency
            result = resident.returned = max(result, moved, resident.returned + served.turns + 1)
        if lines:
            self._flights.append((max(result, self._flights[-1][0] if self._flights else 0), lines))
        return result, self.sources_read(cycle, scheduler, pc, start), left_at

    def pass_fence(self, cycle: int, pc: int, trip: int) -> int:
        """Return for how many cycles an instruction, if it is a fence, keeps its warp: until all stores have left the
        multiprocessor, and the slices of the L2 have answered that were asked for anything since the last fence, which
        takes a ``trip``."""
        if not self.costs.fences[pc]:
            return 0
        if self._distributed:
            trip, self._distributed = max(trip, self.timing.fence_distributed), False
        begin, interval = max(cycle, self.shared_free), self.timing.fence_interval
        self.shared_free = begin + interval
        start = max(cycle, begin - FENCES_AT_ONCE * interval, self._all_left if trip else 0)
        if not self._round_takes or start > self._round_begin + FENCES_JOIN:
            self._round_begin, self._round_takes = max(start, self._next_round), self.timing.fence
        self._round_takes = max(self._round_takes, trip)
        self._next_round = self._round_begin + self._round_takes - self.timing.fence + FENCES_APART
        return self._round_begin + self._round_takes - cycle

    def pass_part(self, cycle: int, start: int, pc: int, served: Served) -> int:
        """Take a part of a bulk load through the L2 and DRAM from ``start`` on; return when it is there."""
        timing = self.timing
        self.dram_sectors += served.dram
        served_at, _ = self._enter_queues(cycle, start, start, pc, _NOTHING_ADDED, served, is_partial=False)
        later = self._read_latency(served, 0) - timing.l2_latency if served.far else 0
        moved = served.from_l2 * SECTOR_BYTES // timing.bulk_bytes
        return max(served_at + timing.bulk_cycles + later + moved, served.pending)

    def _find_room(self, start: int, lines: int) -> int:
        """Return from when on, at least ``start``, so few loads are on their way that another one finds room, and lines
        of L1 that do not wait for data. The places of loads are free in the order in which they were taken."""
        while self._flights:
            waiting = sum(count for _, count in self._flights)
            full = len(self._flights) == self.timing.loads_in_flight or waiting + lines > self._l1_lines
            if self._flights[0][0] > start and not full:
                break
            start = max(start, self._flights.popleft()[0])
        return start

    def _enter_queues(
        self, cycle: int, start: int, left_at: int, pc: int, added: NDArray[np.int64], served: Served, is_partial: bool
    ) -> tuple[int, int]:
        """Let an access take its time of L2, of DRAM and of the units for atomics, from ``start`` on; returns when all
        of them have served it, at least ``left_at``, and when it leaves the multiprocessor: an atomic when few enough
        sectors are on their way."""
        for_dram, for_l2 = self._dram_work(pc, served, is_partial), self._l2_work(pc, served, is_partial)
        merged = self._is_merged(pc, int(added[Raw.BYTES_REQUESTED]))
        passes = max(1, served.from_l2) if merged else int(added[Raw.SECTORS])
        whole = not merged and int(added[Raw.BYTES_REQUESTED]) >= SECTOR_BYTES * passes
        for_atomics = self._atomic_work(pc, served, passes, whole)
        for name, work in (("l2", for_l2), ("dram", for_dram), ("atomics", for_atomics)):
            self.busy[name] += work
        if self.timing.dram_queue:
            self._note_load(cycle, for_dram)
        served_at = left_at
        if for_atomics and self._has_l2:
            self.atomics_free = max(start * FRACTION, self.atomics_free) + for_l2 + for_atomics
            served_at = max(served_at, -(-(self.atomics_free - int(self.timing.pass_apart[pc])) // FRACTION))
            if backlog := self.timing.atomic_backlog:
                on_their_way = (for_l2 + for_atomics) * backlog // max(1, passes)
                left_at = max(left_at, (self.atomics_free - on_their_way) // FRACTION)
                self.shared_free = max(self.shared_free, left_at)
        elif for_atomics:
            for_dram += for_atomics
        if for_l2:
            self.memory_free = max(start * FRACTION, self.memory_free) + for_l2
            served_at = max(served_at, -(-self.memory_free // FRACTION))
        if for_dram:
            self.dram_free = max(start * FRACTION, self.dram_free) + for_dram
            if not (self._is_store[pc] and self._has_l2):
                served_at = max(served_at, -(-self.dram_free // FRACTION))
        if self._is_store[pc] and self.costs.room[pc]:
            self._stores_free = max(start * FRACTION, self._stores_free) + for_l2
            self._stores_dram_free = max(start * FRACTION, self._stores_dram_free) + for_dram
            sent = max(self._stores_free, self._stores_dram_free) // FRACTION
            self.shared_free = max(self.shared_free, sent - self.timing.memory_backlog)
        return served_at, left_at

    def _dram_work(self, pc: int, served: Served, is_partial: bool) -> int:
        """Return what an access takes of memory's time."""
        timing, work, pieces = self.timing, served.dram * int(self.timing.sector_cost[pc]), served.pieces
        apart = 0
        if len(pieces) >= MANY_PIECES:
            apart = min((pieces[-1] - pieces[0]) // (len(pieces) - 1), GAP_ENTRIES - 1)
        if not self._is_store[pc]:
            if not pieces:
                return work
            # The second half of a line takes what is left of the time of both.
            first, second = timing.scattered[apart], 2 * FRACTION - timing.scattered[apart]
            scale = (len(pieces) - served.paired) * first + served.paired * second
            return work * scale // (FRACTION * len(pieces))
        if is_partial and len(pieces) >= MANY_PIECES:
            # Half of the time is that of reading what is missing, the other that of writing.
            read = served.read * int(timing.sector_cost[pc])
            work = (work + read) * timing.partial_stores[apart] // (2 * FRACTION)
        return work - served.undone * int(timing.sector_cost[pc])

    def _l2_work(self, pc: int, served: Served, is_partial: bool) -> int:
        """Return what an access takes of the time of L2, or of the way there."""
        timing, sector = self.timing, int(self.timing.l2_cost[pc])
        lines = served.l2_lines * int(timing.line_cost[pc])
        if self._is_load[pc] and served.near and timing.near_line:
            near = min(served.near, served.from_l2)
            near_lines = -(-served.l2_lines * near // served.from_l2)
            own = (served.from_l2 - near) * sector + (served.l2_lines - near_lines) * int(timing.line_cost[pc])
            return own + max(near * timing.port_cost, near * timing.near_cost + near_lines * timing.near_line)
        if not self._is_store[pc]:
            return served.from_l2 * sector + lines
        met = served.met * timing.met_cost // 2
        return served.from_l2 * (max(sector, timing.partial_cost) if is_partial else sector) + lines + met

    def _port_busy(self, pc: int, served: Served, is_partial: bool) -> int:
        """Return the cycles that the pipe takes at least to send what an access stores to L2."""
        if not self._is_store[pc]:
            return 0
        parts = served.l2_lines * self.timing.partial_port if is_partial else 0
        return -(-(served.from_l2 * self.timing.store_port + parts) // FRACTION)

    def _is_merged(self, pc: int, requested: int) -> bool:
        """Return whether the compiler carries out an atomic once for its warp."""
        return 0 < int(self.costs.merged_bytes[pc]) <= requested

    def _atomic_work(self, pc: int, served: Served, passes: int, whole: bool) -> int:
        """Return what an atomic takes of the units that carry it out, of ``whole`` sectors or of parts: a pass over a
        line that comes right behind another one follows when that has been added."""
        timing, lines = self.timing, max(1, served.l2_lines)
        work = passes * int((timing.pass_cost if whole else timing.pass_part)[pc])
        behind_others = -(-passes * lines // max(1, served.from_l2)) * int(timing.pass_again[pc])
        return work + max(0, behind_others - work) * int(timing.same_line[pc]) // FRACTION

    def _note_load(self, cycle: int, work: int) -> None:
        """Count what an access takes of memory's time, by windows."""
        if cycle >= self.window_end:
            idle = cycle >= self.window_end + LOAD_WINDOW
            self.load = 0 if idle else min(self.window_work // LOAD_WINDOW, MOST_LOAD)
            self.window_end, self.window_work = cycle + LOAD_WINDOW, 0
        self.window_work += work

    def _latency(self, pc: int, served: Served) -> int:
        """Return the latency of the last memory or cache that an access needs; stores need to reach L2 only."""
        if self._has_l2 and self._is_store[pc]:
            return self.timing.l2_latency
        later = self.timing.changed_later if self.has_changed else 0
        return self._read_latency(served, later) + (self.timing.atomic_later if self._is_atomic[pc] else 0)

    def _read_latency(self, served: Served, later: int) -> int:
        """Return the latency of the last memory or cache that an access has to read, the L2 so much ``later``."""
        if served.far:
            queue = self.timing.dram_queue * self.load // (FRACTION - self.load)
            later = served.dram_far_later if served.l2_lines >= MANY_PIECES else served.dram_later
            return self.timing.global_latency + later + queue
        return self.timing.l2_latency + served.l2_later + later if served.from_l2 else self.timing.l1_latency
