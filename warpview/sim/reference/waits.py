"""Look up what a warp waits for: the rows of its next instruction, and in unrolled loops what several trips owe.

See sim/compiler_effects/unrolled_loops.py, remainder_trips.py and load_groups.py there.
"""

from __future__ import annotations

from operator import itemgetter

from warpview.isa.program import NONE
from warpview.isa.types import Type
from warpview.isa.values import signed
from warpview.sim.history.events import Free, Stall
from warpview.sim.reference.registers import lanes_of
from warpview.sim.reference.residents import ResidentWarp
from warpview.sim.timing.instruction_costs import InstructionCosts
from warpview.sim.timing.model import SECOND_PART


class Waits:
    """Look up what warps wait for, by the costs of their instructions."""

    def __init__(self, costs: InstructionCosts) -> None:
        self.costs = costs

    def goes_ahead(self, resident: ResidentWarp, pc: int) -> bool:
        """Return whether the warp is in a trip of an unrolled loop that others follow before results are waited for."""
        if not self.costs.loop[pc]:
            return False
        following = resident.trip + 1
        return bool(following % self.costs.together[pc]) and following < resident.copies

    def is_passed_on(self, resident: ResidentWarp, pc: int) -> bool:
        """Return whether another instruction does the work of this one, or another trip."""
        trips = int(self.costs.joined_trips[pc])
        return bool(self.costs.free[pc] == Free.ABSORBED or (trips and resident.trip % trips))

    def is_free(self, resident: ResidentWarp, pc: int) -> bool:
        """Return whether the instruction takes no time, or none in this trip."""
        free = self.costs.free[pc]
        if free == Free.FOLDED and resident.trip + 1 < resident.copies:
            return True
        return bool(free == Free.PREDICATED) or self.is_passed_on(resident, pc)

    def goes_through_queue(self, resident: ResidentWarp) -> bool:
        """Return whether the warp's next instruction goes through the queue of its scheduler."""
        pc = resident.pc
        return pc is not None and bool(self.costs.room[pc]) and not self.is_free(resident, pc)

    def next_trip(self, resident: ResidentWarp, pc: int, lanes: int) -> tuple[int, Stall]:
        """Note in which trip of an unrolled loop the warp is; returns what is waited for now."""
        owed = (0, Stall.WAIT)
        if self.costs.loop[pc] != resident.loop:
            owed = resident.owed
            resident.loop, resident.trip, resident.owed = int(self.costs.loop[pc]), 0, (0, Stall.WAIT)
            resident.copies = self._next_copies(resident, pc, lanes)
        elif self.costs.begins[pc]:
            resident.trip += 1
            if resident.trip >= resident.copies:
                resident.trip, resident.copies = 0, self._next_copies(resident, pc, lanes)
        if self.costs.settles[pc] and not self.goes_ahead(resident, pc):
            owed, resident.owed = max(owed, resident.owed), (0, Stall.WAIT)
        return owed

    def _next_copies(self, resident: ResidentWarp, pc: int, lanes: int) -> int:
        """Return how many trips the code has one after the other that a warp comes to: fewer where fewer are left to
        the lane that has most."""
        copies, step = int(self.costs.copies[pc]), int(self.costs.step[pc])
        if not step:
            return max(1, copies)
        rows = resident.warp.registers
        counter, bound = (rows.row(Type.S32, int(row[pc])) for row in (self.costs.counter, self.costs.bound))
        ways = [signed(bound[lane], 32) - signed(counter[lane], 32) for lane in lanes_of(lanes)]
        steps = [-(-(abs(step) // step * way + int(self.costs.inclusive[pc])) // abs(step)) for way in ways]
        left = max(1, *steps)
        while copies > left:
            copies = copies // 2 if copies > SECOND_PART else 1
        return copies

    def rows_ready(self, resident: ResidentWarp, pc: int) -> tuple[int, Stall]:
        """Return when the rows are there that an instruction waits for, and the stall of the last (the first such)."""
        waits = self.costs.n_carried if self.goes_ahead(resident, pc) else self.costs.n_awaited
        if self.is_passed_on(resident, pc):
            return 0, Stall.WAIT
        latest = self._latest(resident, pc, int(waits[pc]))
        if self.costs.groups_left[pc] == NONE:
            return latest
        earlier = resident.groups[: max(0, len(resident.groups) - int(self.costs.groups_left[pc]))]
        return max([latest, *earlier[-1:]], key=itemgetter(0))

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
        if costs.copied[pc]:
            resident.copied = max(resident.copied, entry)
        if costs.closes[pc]:
            entry = max(entry, resident.copied)
            resident.groups.append(resident.copied)
        for row in costs.sets[costs.sets_start[pc] : costs.sets_start[pc + 1]]:
            if costs.renames[pc]:
                resident.board[int(row)] = entry
            else:
                resident.hold(int(row), entry)
            if costs.owes[pc] or ahead:
                resident.owed = max(resident.owed, owed)
        if costs.releases[pc] != NONE:
            resident.hold(int(costs.releases[pc]), (sources_read, wait))
