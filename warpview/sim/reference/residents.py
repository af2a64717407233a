"""Describe the warps and blocks in the slots of the multiprocessor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from warpview.isa.ops import Op
from warpview.isa.program import Instruction
from warpview.isa.types import Space
from warpview.sim.history.events import Mark, Stall
from warpview.sim.reference.block import ThreadBlock
from warpview.sim.reference.registers import lanes_of
from warpview.sim.reference.spinning import Spun
from warpview.sim.reference.splits import lowest_lane
from warpview.sim.reference.warp import IssueRecord, Warp
from warpview.sim.rules.bulk import slot_of
from warpview.sim.timing.instruction_costs import InstructionCosts


@dataclass
class ResidentWarp:
    """Describe a warp in its slot. From ``since`` it waits for the reason ``wait`` until ``ready``; ``pc`` is what it
    will issue, None while nothing can run. ``board[row]`` is when a row can be read, and what its readers wait for."""

    warp: Warp
    slot: int
    age: tuple[int, int]
    since: int
    ready: int
    wait: Stall = Stall.WAIT
    pc: int | None = None
    drained: int = 0  # when its stores have left the multiprocessor
    turn_free: int = 0  # when the data of its accesses have been moved
    returned: int = 0  # when those of its last load with further passes are there
    loop: int = 0  # that of ``pc`` which the compiler unrolls, or 0
    trip: int = 0  # of the ``copies`` of the loop that are written one after the other
    copies: int = 1
    polled: tuple[int, int] | None = None  # the word that it loaded from the L2 last, and what it found there
    owed: tuple[int, Stall] = (0, Stall.WAIT)  # the last of the results for which trips have not waited
    copied: tuple[int, Stall] = (0, Stall.WAIT)  # the last of its asynchronous copies so far
    groups: list[tuple[int, Stall]] = field(default_factory=list)  # what that was when each group of them was closed
    taken: list[int] = field(default_factory=list)  # cycles in which pipes had been taken in the cycle ``since``
    board: dict[int, tuple[int, Stall]] = field(default_factory=dict)

    def hold(self, row: int, entry: tuple[int, Stall]) -> None:
        """Make the readers of a row, or those that wait for a scoreboard, wait for a further entry."""
        self.board[row] = max(self.board.get(row, entry), entry)


@dataclass
class ResidentBlock:
    """Describe a block in its block slot."""

    block: ThreadBlock
    number: int
    warps: list[ResidentWarp]
    start: int
    fresh: bool = True  # nothing issued yet
    spun: Spun = field(default_factory=dict)
    opens: int = 0  # when its warps go on from the barrier of the cluster that was complete last

    told: dict[int, tuple[int, int]] = field(default_factory=dict)  # by slot: a barrier's place, when its copies are

    def after_copies(self, costs: InstructionCosts, record: IssueRecord, warp: ResidentWarp, result: int) -> int:
        """Note when the copies of a warp are there of which barriers in shared memory are told; return when the result
        of an instruction is, that of a barrier which is asked for its phase once these are."""
        if not costs.tells_barrier[record.pc] and not costs.asks_barrier[record.pc]:
            return result
        for place in {part.addresses[lane] for part in record.parts for lane in lanes_of(part.mask)}:
            before = self.told.get(slot_of(place), (place, 0))
            cycle = before[1] if before[0] == place else 0
            if costs.tells_barrier[record.pc]:
                self.told[slot_of(place)] = place, max(cycle, warp.copied[0])
            else:
                result = max(result, cycle)
        return result

    def opens_in(self, cycle: int, instruction: Instruction, record: IssueRecord) -> int:
        """Return how many cycles later lanes go on that find the barrier of their cluster complete; 0 for others."""
        return max(0, self.opens - cycle) if instruction.op == Op.CLUSTER_WAIT and record.on else 0

    def take_marks(self) -> Mark:
        """Return the marks of an issue that begins or ends the block."""
        marks, self.fresh = Mark.BLOCK_START if self.fresh else Mark.NONE, False
        return marks | Mark.BLOCK_END if self.block.done else marks


def finds_change(block: ThreadBlock, resident: ResidentWarp, record: IssueRecord) -> bool:
    """Return whether a load finds another value than the last one of its warp from the L2 at the same word, that of its
    first lane: then the copy is gone that the near half of the L2 had of it."""
    part = next((part for part in record.parts if part.space == Space.GLOBAL), None)
    if part is None or part.mask == 0:
        return False
    word, before = part.addresses[lowest_lane(part.mask)] & ~3, resident.polled
    resident.polled = word, block.share.memory.globals.read(word, 4)
    return before is not None and before[0] == word and before != resident.polled


def may_come(blocks: Sequence[ResidentBlock | None], left: int) -> bool:
    """Return whether a block may still come to the barrier of the grid at which others wait; ``left`` are to start."""
    return bool(left) or any(not each.block.waits_for_grid for each in blocks if each is not None)


def waits_for_others(waiting: ResidentBlock, blocks: Sequence[ResidentBlock | None], left: int) -> bool:
    """Return whether a block waits at the barrier of the grid or of its cluster, to which others may still come."""
    if waiting.block.waits_for_grid:
        return may_come(blocks, left)
    if not waiting.block.waits_for_cluster:
        return False
    has_room = bool(left) and None in blocks
    return has_room or any(warp.pc is not None for each in blocks if each is not None for warp in each.warps)
