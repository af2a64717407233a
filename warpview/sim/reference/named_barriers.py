"""Keep the barriers of a block that have a number (PTX: bar.sync a, b and bar.arrive a, b).

A warp arrives once all its living lanes are at one barrier (where it has a stack: its running path), and counts as 32
threads. The barrier is complete when as many threads as it waits for have arrived; those who wait go on, and it begins
again. Without a number of threads it waits for all warps of the block that have not ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from warpview.isa.modes import ALL_THREADS, BARRIERS_A_BLOCK, BarRedOp, NamedBarrier
from warpview.isa.ops import Op
from warpview.sim.checks.access_log import LogKind
from warpview.sim.launch import BARRIER_NUMBER_SHIFT, FindingKind, Party
from warpview.sim.reference.clusters import is_wait
from warpview.sim.reference.collective import barrier_reduction
from warpview.sim.reference.registers import LANES
from warpview.sim.reference.splits import lowest_lane
from warpview.sim.reference.warp import BarrierArrival, Warp


@dataclass
class NamedBarrierState:
    """Hold what has happened at a barrier since it began: the threads that have arrived, how many the first of them
    waits for, its place, the warps that wait, and what they reduce."""

    threads: int
    first: Party
    arrived: int = 0
    waiting: list[Warp] = field(default_factory=list)
    reducing: list[BarrierArrival] = field(default_factory=list)


class NamedBarriers:
    """Count the arrivals of the ``warps`` of a block at its barriers with numbers."""

    def __init__(self, warps: Sequence[Warp]) -> None:
        self._warps = warps
        self._barriers: dict[int, NamedBarrierState] = {}

    def settle(self) -> bool:
        """Let the warps arrive that are at barriers, in order; return whether any can go on."""
        goes_on = False
        for warp in self._warps:
            number = None if self._waits(warp) else self.number_reached(warp)
            if number is not None and number < BARRIERS_A_BLOCK:
                goes_on |= self._arrive(warp, number)
                goes_on |= self._complete(number)
        for number in sorted(self._barriers):  # warps that have ended since are not waited for
            goes_on |= self._complete(number)
        return goes_on

    def _waits(self, warp: Warp) -> bool:
        return any(warp in barrier.waiting for barrier in self._barriers.values())

    @staticmethod
    def number_at(warp: Warp, pc: int, mask: int) -> int | None:
        """Return the number of the barrier that a path waits at; None for that of __syncthreads, which
        machine code may name by a register."""
        instruction = warp.share.program.instructions[pc]
        if instruction.op != Op.BAR_NAMED:
            return None
        number, threads = warp.barrier_operands(instruction, lowest_lane(mask))
        native, is_sync = instruction.native, instruction.mod == NamedBarrier.SYNC
        is_of_all = native is not None and is_sync and not native.extra and (number, threads) == (0, ALL_THREADS)
        return None if is_of_all else number

    def number_reached(self, warp: Warp) -> int | None:
        """Return the number of the barrier that all living lanes of a warp are at, None where they are at none."""
        numbers = {
            None if is_wait(warp, pc) else self.number_at(warp, pc, mask)
            for pc, mask in warp.paths.waiting_at_barrier()
        }
        if len(numbers) != 1 or not warp.paths.barrier_satisfied:
            return None
        return numbers.pop()

    def awaited(self, number: int, threads: int) -> int:
        """Return how many threads a barrier waits for."""
        if threads != ALL_THREADS:
            return threads
        return LANES * sum(1 for warp in self._warps if warp.paths.live)

    def _arrive(self, warp: Warp, number: int) -> bool:
        """Count a warp at a barrier; return whether it need not wait, and goes on."""
        pc, mask = min(warp.paths.waiting_at_barrier(), key=lambda path: lowest_lane(path[1]))
        instruction = warp.share.program.instructions[pc]
        _, threads = warp.barrier_operands(instruction, lowest_lane(mask))
        arrives = instruction.mod == NamedBarrier.ARRIVE
        thread = warp.index * LANES + lowest_lane(mask)
        state = self._barriers.get(number)
        if warp.share.memory.options.check:
            self._check_count(warp, pc, thread, number, threads, arrives)
        if state is None:
            first = Party(pc, warp.share.memory.block, thread)
            state = self._barriers[number] = NamedBarrierState(threads, first)
        state.arrived += LANES
        state.reducing += warp.reducing
        warp.reducing.clear()
        warp.note(LogKind.BARRIER_ARRIVED, pc, warp.paths.live, number)
        if arrives:
            warp.release()
        else:
            state.waiting.append(warp)
        return arrives

    def _check_count(self, warp: Warp, pc: int, thread: int, number: int, threads: int, arrives: bool) -> None:
        """Report a number of threads that the barrier cannot wait for, or that is not what others wait for at it."""
        state = self._barriers.get(number)
        address, other = threads, None
        if not (threads > len(self._warps) * LANES or (arrives and threads == ALL_THREADS)):
            if state is None or state.threads == threads:
                return
            address, other = state.threads, state.first
        warp.share.memory.log.report(
            FindingKind.BARRIER_COUNT, pc, warp.share.memory.block, thread, address, other=other,
            value=number << BARRIER_NUMBER_SHIFT | threads,
        )  # fmt: skip

    def _complete(self, number: int) -> bool:
        """Let the warps go on that wait at a barrier if it is complete; return whether it is."""
        state = self._barriers.get(number)
        if state is None or state.arrived < self.awaited(number, state.threads):
            return False
        del self._barriers[number]
        predicates = [held for arrival in state.reducing for held in arrival.predicates.values()]
        for arrival in state.reducing:
            assert arrival.instruction.native is not None
            value = barrier_reduction(BarRedOp(arrival.instruction.native.extra - 1), predicates)
            for lane in arrival.predicates:
                arrival.result[lane] = value
        for warp in sorted(state.waiting, key=lambda warp: warp.index):
            warp.note(LogKind.BARRIER_LEFT, state.first.pc, warp.paths.live, number)
            warp.release()
        return True

    def about(self, number: int, threads: int) -> tuple[int, int]:
        """Return the ``address`` and ``value`` of a finding about a barrier that cannot complete."""
        state = self._barriers.get(number)
        arrived, threads = (0, threads) if state is None else (state.arrived, state.threads)
        return arrived, number << BARRIER_NUMBER_SHIFT | self.awaited(number, threads)
