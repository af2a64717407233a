"""Keep when the pipes of the schedulers are free, and for how long warps have waited for them."""

from __future__ import annotations

from warpview.sim.instruction_costs import CONTROL_PIPE, N_PIPES, READ_WINDOW, TURN_PIPES
from warpview.sim.reference.residents import ResidentWarp
from warpview.sim.timing import Timing


class Pipes:
    """Hold by scheduler and pipe when it is ``free`` and in how many cycles it was ``taken`` while the scheduler could
    have issued from another warp."""

    def __init__(self, timing: Timing, schedulers: int) -> None:
        self.timing, self.costs = timing, timing.costs
        self.free = [[0] * N_PIPES for _ in range(schedulers)]
        self.taken = [[0] * N_PIPES for _ in range(schedulers)]
        self.banks = timing.costs.even, timing.costs.odd  # of registers: how many each instruction reads
        self.read = [[0, 0] for _ in range(schedulers)]  # when the banks have been read

    def gate(self, scheduler: int, pc: int) -> int:
        """Return from when on the pipe of an instruction and the banks that it reads take it."""
        gate = self.free[scheduler][int(self.costs.pipe[pc])]
        for reads, free in zip(self.banks, self.read[scheduler], strict=True):
            if reads[pc]:
                gate = max(gate, free + int(reads[pc]) - READ_WINDOW)
        return gate

    def occupy(self, scheduler: int, pc: int, cycle: int) -> None:
        """Occupy the pipe of an instruction and the banks that it reads."""
        pipe, occupancy = int(self.costs.pipe[pc]), int(self.costs.occupancy[pc])
        self.free[scheduler][pipe] = cycle + occupancy
        self.taken[scheduler][pipe] += max(0, occupancy - self.timing.port)
        pairs = zip(self.banks, self.read[scheduler], strict=True)
        self.read[scheduler] = [max(free, cycle) + int(reads[pc]) for reads, free in pairs]

    def note(self, resident: ResidentWarp) -> None:
        """Note for how many cycles each pipe had been taken when the warp began to wait."""
        scheduler = resident.slot % self.timing.schedulers
        ahead = resident.since + self.timing.port - 1
        pairs = zip(self.taken[scheduler], self.free[scheduler], strict=True)
        resident.taken = [taken - max(0, free - ahead) for taken, free in pairs]

    def waited_until(self, resident: ResidentWarp, pc: int, cycle: int, gate: int) -> int:
        """Return until when a warp that issues is said to have waited for its queue (the gate) or its pipe. Where warps
        take turns, the pipe's share of the cycles since the warp was ready is that of the cycles since its last issue
        in which the pipe was taken; in the others another warp was issued from."""
        pipe = int(self.costs.pipe[pc])
        if pipe not in TURN_PIPES:
            return resident.ready if pipe == CONTROL_PIPE else max(resident.ready, gate)
        ready = max(resident.ready, resident.since)
        if ready >= cycle:
            return resident.ready
        taken = self.taken[resident.slot % self.timing.schedulers][pipe] - resident.taken[pipe]
        return ready + (cycle - ready) * taken // (cycle - resident.since)
