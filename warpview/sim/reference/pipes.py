"""Keep when the pipes of the schedulers are free, and for how long warps have waited for them."""

from __future__ import annotations

from warpview.sim.reference.residents import ResidentWarp
from warpview.sim.timing.instruction_costs import CONTROL_PIPE, QUEUE, TURN_PIPES
from warpview.sim.timing.model import Timing


class Pipes:
    """Hold by scheduler and pipe, or the queue of memory instructions, when it is ``free`` and in how many cycles it
    was ``taken`` while the scheduler could have issued from another warp."""

    def __init__(self, timing: Timing, schedulers: int) -> None:
        self.timing, self.costs = timing, timing.costs
        self.free = [[0] * (QUEUE + 1) for _ in range(schedulers)]
        self.taken = [[0] * (QUEUE + 1) for _ in range(schedulers)]
        costs = timing.costs
        # How many registers each instruction reads from the banks, and where another warp has read since.
        self.banks, self.banks_alone = (costs.even, costs.odd), (costs.even_alone, costs.odd_alone)
        self.read = [[0, 0] for _ in range(schedulers)]  # when the banks have been read
        self.read_free = [0] * schedulers  # when another instruction can begin to read, behind the last one
        self.reader: list[int | None] = [None] * schedulers  # the slot of the warp that has read last
        self.held_up = 0

    def gate(self, scheduler: int, pc: int) -> int:
        """Return from when on the pipe of an instruction takes it."""
        return self.free[scheduler][int(self.costs.pipe[pc])]

    def occupy(self, scheduler: int, slot: int, pc: int, cycle: int) -> int:
        """Occupy the pipe of an instruction of a warp and the banks that it reads; return from when on the scheduler
        can issue again. ``held_up`` says for how many cycles it cannot."""
        self.held_up = 0
        pipe, occupancy = int(self.costs.pipe[pc]), int(self.costs.occupancy[pc])
        self.free[scheduler][pipe] = cycle + occupancy
        self.taken[scheduler][pipe] += max(0, occupancy - self.timing.port)
        if not any(bank[pc] for bank in self.banks_alone):
            return cycle
        banks = self.banks if self.reader[scheduler] == slot else self.banks_alone
        reads = [int(bank[pc]) for bank in banks]
        follows, free = max(cycle, self.read_free[scheduler]), self.read[scheduler]
        begins = max([follows, *(free[k] for k in range(2) if reads[k])])
        self.read[scheduler] = [begins + n if n else free[k] for k, n in enumerate(reads)]
        self.read_free[scheduler], self.reader[scheduler] = begins + 1, slot
        self.held_up = max(0, follows - cycle - 1)
        return follows

    def note_full(self, scheduler: int, cycle: int, until: int) -> None:
        """Note until when the queue of a scheduler is full that an access has just entered."""
        free, taken = self.free[scheduler], self.taken[scheduler]
        taken[QUEUE] += max(0, until - max(free[QUEUE], cycle + self.timing.port))
        free[QUEUE] = max(free[QUEUE], until)

    def note(self, resident: ResidentWarp) -> None:
        """Note for how many cycles each pipe had been taken, and the queue full, when the warp began to wait."""
        scheduler = resident.slot % self.timing.schedulers
        ahead = resident.since + self.timing.port - 1
        pairs = zip(self.taken[scheduler], self.free[scheduler], strict=True)
        resident.taken = [taken - max(0, free - ahead) for taken, free in pairs]

    def waited_until(self, resident: ResidentWarp, pc: int, cycle: int, gate: int) -> int:
        """Return until when a warp that issues is said to have waited for its queue or its pipe (the gate). Where warps
        take turns, the share of these in the cycles since the warp was ready is that in the cycles since its last issue
        in which they were taken; in the others another warp was issued from."""
        pipe = QUEUE if self.costs.room[pc] else int(self.costs.pipe[pc])
        if pipe != QUEUE and pipe not in TURN_PIPES:
            return resident.ready if pipe == CONTROL_PIPE else max(resident.ready, gate)
        ready = max(resident.ready, resident.since)
        if ready >= cycle:
            return resident.ready
        taken = self.taken[resident.slot % self.timing.schedulers][pipe] - resident.taken[pipe]
        return ready + (cycle - ready) * taken // (cycle - resident.since)
