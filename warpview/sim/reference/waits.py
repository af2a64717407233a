"""Look up what a warp waits for: the rows of its next instruction, and in unrolled loops what several trips owe.

See sim/compiler_effects/unrolled_loops.py and sim/compiler_effects/load_groups.py.
"""

from __future__ import annotations

from warpview.isa.program import NONE
from warpview.sim.history.events import Free, Stall
from warpview.sim.reference.residents import ResidentWarp
from warpview.sim.timing.instruction_costs import InstructionCosts


class Waits:
    """Look up what warps wait for, by the costs of their instructions."""

    def __init__(self, costs: InstructionCosts) -> None:
        self.costs = costs

    def goes_ahead(self, resident: ResidentWarp, pc: int) -> bool:
        """Return whether the warp is in a trip of an unrolled loop that others follow before results are waited for."""
        if not self.costs.loop[pc]:
            return False
        following = resident.trip + 1
        return bool(following % self.costs.together[pc]) and following < self.costs.copies[pc]

    def is_passed_on(self, resident: ResidentWarp, pc: int) -> bool:
        """Return whether another instruction does the work of this one, or another trip."""
        trips = int(self.costs.joined_trips[pc])
        return bool(self.costs.free[pc] == Free.ABSORBED or (trips and resident.trip % trips))

    def is_free(self, resident: ResidentWarp, pc: int) -> bool:
        """Return whether the instruction takes no time, or none in this trip."""
        free = self.costs.free[pc]
        if free == Free.FOLDED and resident.trip + 1 < self.costs.copies[pc]:
            return True
        return bool(free == Free.PREDICATED) or self.is_passed_on(resident, pc)

    def next_trip(self, resident: ResidentWarp, pc: int) -> tuple[int, Stall]:
        """Note in which trip of an unrolled loop the warp is; returns what is waited for now."""
        owed = (0, Stall.WAIT)
        if self.costs.loop[pc] != resident.loop:
            owed = resident.owed
            resident.loop, resident.trip, resident.owed = int(self.costs.loop[pc]), 0, (0, Stall.WAIT)
        elif self.costs.begins[pc]:
            resident.trip = resident.trip + 1 if resident.trip + 1 < self.costs.copies[pc] else 0
        if self.costs.settles[pc] and not self.goes_ahead(resident, pc):
            owed, resident.owed = max(owed, resident.owed), (0, Stall.WAIT)
        return owed

    def rows_ready(self, resident: ResidentWarp, pc: int) -> tuple[int, Stall]:
        """Return when the rows are there that an instruction waits for, and the stall of the last (the first such)."""
        waits = self.costs.n_carried if self.goes_ahead(resident, pc) else self.costs.n_awaited
        return self._latest(resident, pc, 0 if self.is_passed_on(resident, pc) else int(waits[pc]))

    def _latest(self, resident: ResidentWarp, pc: int, n: int) -> tuple[int, Stall]:
        """Return when the row is there that comes last, of the first ``n`` that an instruction uses, and its stall."""
        latest, wait = 0, Stall.WAIT
        start, end = self.costs.uses_start[pc], self.costs.uses_start[pc + 1]
        for row in self.costs.uses[start:end][:n]:
            cycle, stall = resident.board.get(int(row), (0, Stall.WAIT))
            if cycle > latest:
                latest, wait = cycle, stall
        return latest, wait

    def note(self, resident: ResidentWarp, pc: int, result: int, sources_read: int) -> None:
        """Note when the result of an instruction is there, and when its sources have been read."""
        costs, wait, ahead = self.costs, Stall(self.costs.wait[pc]), self.goes_ahead(resident, pc)
        entry = owed = result, wait
        if self.is_passed_on(resident, pc):
            owed = self._latest(resident, pc, int(costs.uses_start[pc + 1] - costs.uses_start[pc]))
            entry = self._latest(resident, pc, int(costs.n_carried[pc])) if ahead else owed
        for row in costs.sets[costs.sets_start[pc] : costs.sets_start[pc + 1]]:
            if costs.loop[pc]:  # the compiler gives each value a register of its own there
                resident.board[int(row)] = entry
            else:
                resident.hold(int(row), entry)
            if costs.owes[pc] or ahead:
                resident.owed = max(resident.owed, owed)
        if costs.releases[pc] != NONE:
            resident.hold(int(costs.releases[pc]), (sources_read, wait))
