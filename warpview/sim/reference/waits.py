"""Look up what a warp waits for: the rows of its next instruction, and in unrolled loops what several trips owe.

See sim/unrolled_loops.py and sim/load_groups.py.
"""

from __future__ import annotations

from warpview.isa.program import NONE
from warpview.sim.events import Stall
from warpview.sim.instruction_costs import InstructionCosts
from warpview.sim.reference.residents import ResidentWarp


class Waits:
    """Look up what warps wait for, by the costs of their instructions."""

    def __init__(self, costs: InstructionCosts) -> None:
        self.costs = costs

    def goes_ahead(self, resident: ResidentWarp, pc: int) -> bool:
        """Return whether the warp is in a trip of an unrolled loop that others follow before results are waited for."""
        return bool(self.costs.loop[pc]) and resident.trip + 1 < self.costs.together[pc]

    def is_free(self, resident: ResidentWarp, pc: int) -> bool:
        """Return whether the instruction takes no time in this trip."""
        return bool(self.costs.folded[pc]) and self.goes_ahead(resident, pc)

    def next_trip(self, resident: ResidentWarp, pc: int) -> tuple[int, Stall]:
        """Note in which trip of an unrolled loop the warp is; returns what is waited for now."""
        owed = (0, Stall.WAIT)
        if self.costs.loop[pc] != resident.loop:
            owed = resident.owed
            resident.loop, resident.trip, resident.owed = int(self.costs.loop[pc]), 0, (0, Stall.WAIT)
        elif self.costs.begins[pc]:
            resident.trip = resident.trip + 1 if self.goes_ahead(resident, pc) else 0
        if self.costs.settles[pc] and not self.goes_ahead(resident, pc):
            owed, resident.owed = max(owed, resident.owed), (0, Stall.WAIT)
        return owed

    def rows_ready(self, resident: ResidentWarp, pc: int) -> tuple[int, Stall]:
        """Return when the rows are there that an instruction waits for, and the stall of the last (the first such)."""
        latest, wait = 0, Stall.WAIT
        rows = self.costs.uses[self.costs.uses_start[pc] : self.costs.uses_start[pc + 1]]
        waits = self.costs.n_carried if self.goes_ahead(resident, pc) else self.costs.n_awaited
        for row in rows[: waits[pc]]:
            cycle, stall = resident.board.get(int(row), (0, Stall.WAIT))
            if cycle > latest:
                latest, wait = cycle, stall
        return latest, wait

    def note(self, resident: ResidentWarp, pc: int, result: int, sources_read: int) -> None:
        """Note when the result of an instruction is there, and when its sources have been read."""
        costs, wait = self.costs, Stall(self.costs.wait[pc])
        for row in costs.sets[costs.sets_start[pc] : costs.sets_start[pc + 1]]:
            resident.hold(int(row), (result, wait))
            if costs.owes[pc] or self.goes_ahead(resident, pc):
                resident.owed = max(resident.owed, (result, wait))
        if costs.releases[pc] != NONE:
            resident.hold(int(costs.releases[pc]), (sources_read, wait))
