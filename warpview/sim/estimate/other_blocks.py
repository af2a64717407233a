"""Let the blocks of other multiprocessors change memory while an estimate runs one of them.

What an atomic finds there may decide what a block does next: into a table that the others fill as well, a key goes
after more tries. So where a program reads the results of atomics of global memory, the others are executed as the
profile engine does, those whose turn has come when the followed ones have got as far.

A compare-and-swap fails where others have changed the word since it was read, and a lock is taken when its holder has
let go of it. So the others of such a program go on with the followed ones, each warp by a clock of its own
(jit/pace.py).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from warpview.devices import Device
from warpview.isa.ops import ATOMIC_OPS, BLOCK_BARRIERS, MEMORY_OPS, WARP_COLLECTIVES, Op
from warpview.isa.program import Program
from warpview.isa.types import GLOBAL_SPACES, Space
from warpview.sim.jit import machine_code
from warpview.sim.jit.machine import LaunchContext, Machine
from warpview.sim.jit.state import PACE, Status
from warpview.sim.raw_counts import Raw
from warpview.sim.timing.instruction_costs import polls_word, reads_result, swaps_globally
from warpview.sim.timing.model import Timing

ENOUGH_EXECUTED = 16_000_000  # warp instructions of the other blocks, after which no further one is
ENDS_RUN = MEMORY_OPS | BLOCK_BARRIERS | WARP_COLLECTIVES | {Op.BRA, Op.EXIT, Op.CLOCK, Op.MEMBAR}
STEP = 64  # cycles of the followed blocks between two looks at those that keep pace
WINDOW = 4096  # cycles over which it is measured how fast the followed ones go on
LAST_STEP = 4096  # cycles at a time when the followed blocks have ended


def depends_on_others(program: Program) -> bool:
    """Return whether a program reads what atomics of global memory find, or volatile words."""
    return any(reads_result(instruction) or polls_word(instruction) for instruction in program.instructions)


def waits_for_others(program: Program) -> bool:
    """Return whether a block may have to wait for what others do: where a program exchanges or compares and swaps in
    global memory, or reads results of atomics there and volatile words."""
    instructions = program.instructions
    return any(swaps_globally(i) or polls_word(i) for i in instructions)


def other_blocks(
    context: LaunchContext, own: NDArray[np.int64], at_a_time: int, timing: Timing
) -> OtherBlocks | PacedBlocks:
    """Return how the blocks that are not followed are executed; the device runs ``at_a_time`` of the launch."""
    program, device, n_blocks = context.program, context.device, context.launch.n_blocks
    others = np.delete(np.arange(n_blocks, dtype=np.int64), own)
    if waits_for_others(program) and len(others):
        slots = min(len(others), at_a_time - at_a_time // device.multiprocessors)
        machine = Machine(context, slots)
        machine.record["looks"] = 0  # the followed blocks may be what these wait for
        return PacedBlocks(machine, others, nominal_cycles(program, device, timing), timing)
    return OtherBlocks(Machine(context), others, min(at_a_time, n_blocks))


class OtherBlocks:
    """Execute the blocks that other multiprocessors run, on a ``machine`` with the memory of the launch."""

    def __init__(self, machine: Machine, others: NDArray[np.int64], at_a_time: int) -> None:
        self._machine, self._half, self._left = machine, at_a_time // 2, others

    def follow(self, newest: int) -> None:
        """Execute the blocks that have had their turn when block ``newest`` has started: half of those that run."""
        count = int(np.searchsorted(self._left, max(newest - self._half, self._half)))
        due, self._left = np.ascontiguousarray(self._left[:count]), self._left[count:]
        if not len(due):
            return
        ran = machine_code.entry("run_blocks")(self._machine.address, due.ctypes.data, len(due))
        if ran != Status.RAN or self._machine.counts[:, Raw.EXECUTED].sum() > ENOUGH_EXECUTED:
            self._left = self._left[:0]


class PacedBlocks:
    """Execute the blocks of the other multiprocessors on a ``machine`` with a slot for each that runs at once, warp by
    warp as their clocks say: each instruction takes the cycles of ``nominal_cycles``. What delays the followed warps
    beyond that, or lets them go on earlier, is taken to do so with all others."""

    def __init__(self, machine: Machine, others: NDArray[np.int64], nominal: NDArray[np.int32], timing: Timing) -> None:
        self._machine, self._others, self._nominal = machine, others, nominal
        program, later = machine.common.program, machine.common.device.far_word_cycles
        asks = np.array([i.op == Op.MEMBAR or reads_result(i) for i in program.instructions], np.int32)
        self._runs, self._costs = runs_of(program, nominal - later * asks)
        self._far_costs = runs_of(program, nominal + later * asks)[1]
        self._polls = np.array([polls_word(i) for i in program.instructions], np.int32)[last_of(self._runs)]
        self._pace, self._changed_later = np.zeros(1, dtype=PACE), timing.changed_later
        values = {
            "machine_at": machine.address, "slots": len(machine.blocks),
            "runs_at": self._runs.ctypes.data, "costs_at": self._costs.ctypes.data,
            "queue_at": others.ctypes.data, "n_queue": len(others), "block_start": timing.block_start,
            "barrier": timing.barrier, "polls_at": self._polls.ctypes.data,
            "far_costs_at": self._far_costs.ctypes.data, "changed_later": timing.changed_later,
        }  # fmt: skip
        for name, value in values.items():
            self._pace[name] = value
        self._cycle, self._reached = 0, 0.0
        self._executed, self._worked, self._waited = 0.0, float(WINDOW), float(WINDOW)
        self.rate = 1.0  # cycles of the others' clocks in one of the followed blocks
        self.are_left, self.were_left = True, False  # to be executed; when enough had been
        self.gave_up = False  # had enough only after the followed ones had ended

    def follow(self, cycle: int, counts: NDArray[np.int64], changed: int, warps: int) -> None:
        """Execute the blocks up to a cycle of the followed ones, of which ``warps`` wait for no barrier, and whose
        instructions were executed as ``counts`` say; ``changed`` of their loads found a word changed."""
        executed, passed = float(counts @ self._nominal + changed * self._changed_later), cycle - self._cycle
        kept = math.exp(-passed / WINDOW)
        self._worked = kept * self._worked + executed - self._executed
        self._waited = kept * self._waited + passed * warps
        self._executed = executed
        if self._worked and self._waited:
            self.rate = self._worked / self._waited
        self._run_to(self._reached + (cycle - self._cycle) * self.rate)
        self._cycle = cycle

    def _run_to(self, reached: float) -> None:
        first, until, self._reached = int(self._reached), int(reached), reached
        if until == first or not self.are_left:
            return
        ran = machine_code.entry("keep_pace")(self._pace.ctypes.data, first, until)
        machine = self._machine
        is_enough = machine.record["stopped"][0] or machine.counts[:, Raw.EXECUTED].sum() >= ENOUGH_EXECUTED
        self.are_left, self.were_left = bool(ran and not is_enough), bool(ran and is_enough)

    def end(self) -> int:
        """Execute them to their end; return the cycle of the followed ones in which the last one has ended."""
        reached = self._reached
        goes_on = self.are_left
        while self.are_left:
            self._run_to(self._reached + LAST_STEP)
        self.gave_up = goes_on and self.were_left and not self._machine.record["stopped"][0]
        return self._cycle + round((int(self._pace["last_end"][0]) - reached) / self.rate)


def runs_of(program: Program, nominal: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return how many instructions are executed together from each one on, and their cycles, int32[instructions]: up to
    and with the next one that addresses memory, reads the time or may change the path."""
    lengths, cycles = np.ones_like(nominal), nominal.copy()
    for k in range(len(nominal) - 2, -1, -1):
        if program.instructions[k].op not in ENDS_RUN:
            lengths[k], cycles[k] = lengths[k + 1] + 1, nominal[k] + cycles[k + 1]
    return lengths, cycles


def last_of(runs: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the last of the instructions that are executed together from each one on, int64[instructions]."""
    return np.arange(len(runs)) + runs - 1


def nominal_cycles(program: Program, device: Device, timing: Timing) -> NDArray[np.int32]:
    """Return the cycles that each instruction takes a warp that waits for its result at once, int32[instructions]."""
    costs, given = timing.costs, program.native is not None
    sets = np.diff(costs.sets_start) > 0
    cycles = np.where(sets, costs.latency, 0) + costs.following if given else np.maximum(costs.latency, costs.following)
    cycles = np.where(costs.fences, np.maximum(cycles, int(np.mean(timing.fence_trips))), cycles)
    cycles = np.where(costs.free > 0, 0, cycles)
    for k, instruction in enumerate(program.instructions):
        if not sets[k] or instruction.op not in MEMORY_OPS:
            continue
        if instruction.space in GLOBAL_SPACES:
            cycles[k] += device.latency_l2 + (device.atomic_later_cycles if instruction.op in ATOMIC_OPS else 0)
        elif instruction.space == Space.SHARED:
            cycles[k] += int(costs.shared[k])
    return cycles.astype(np.int32)
