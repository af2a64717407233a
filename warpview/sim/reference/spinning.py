"""Time additions of floats in shared memory, of which NVIDIA's compiler makes loops: a lane loads its word and
exchanges it for the sum, unless another lane has changed it.

Each trip of a warp's loop stores for one lane of each bank. For some cycles after a word was stored to, lanes of other
warps of the block fail there.
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from warpview.sim.reference.registers import lanes_of
from warpview.sim.reference.warp import IssueRecord
from warpview.sim.rules.banks import WORD
from warpview.sim.timing.instruction_costs import InstructionCosts

BANKS = 32
Spun = dict[int, tuple[int, int]]  # by bank: the word that was stored to last, and from when on another warp can


class Spinning(NamedTuple):
    """Hold what such a loop takes: the cycles of its warp, the slots of its scheduler, and the cycles of the pipe of
    shared memory beyond those of its first trip."""

    cycles: int = 0
    slots: int = 0
    further: int = 0


def spin(
    spun: Spun, record: IssueRecord, costs: InstructionCosts, words: int, cycle: int, window: int
) -> Spinning:  # fmt: skip
    """Return what an instruction takes as such a loop, nothing where it is none; ``spun`` of the block is changed. In
    each trip the words of a bank that are left take a pass each, of ``words`` at first."""
    trip, of_bank = int(costs.spins[record.pc]), defaultdict[int, list[int]](list)
    if not trip or not record.parts:
        return Spinning()
    access = record.parts[0]
    for lane in lanes_of(access.mask):
        of_bank[access.addresses[lane] // WORD % BANKS].append(access.addresses[lane])
    end = cycle
    for bank, places in of_bank.items():
        word, free = spun.get(bank, (-1, 0))
        start = max(cycle, free) if word in places else cycle
        spun[bank] = places[-1], start + len(places) * window
        end = max(end, start + len(places) * trip)
    trips = max((len(places) for places in of_bank.values()), default=0)
    further = max(0, trips + words * (words - 1) // 2 - words)
    times = int(costs.shared_times[record.pc])
    return Spinning(end - cycle, trips * int(costs.held[record.pc]), times * further)
