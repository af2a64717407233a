"""Say what would have ordered the accesses of a race: a barrier, and its place in the flow of the kernel, or an atomic.

Races between one pair of lines are one story, however many instructions and directions they were met in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import IntEnum
from typing import NamedTuple

from warpview.isa.ops import ATOMIC_OPS, BLOCK_BARRIERS, WARP_COLLECTIVES, MemoryScope, Op
from warpview.isa.program import Instruction, Program
from warpview.sim.checks.intervals import successors
from warpview.sim.checks.races import ELEMENTS_KEPT
from warpview.sim.launch import Launch, RawFinding

LANES = 32
# What replaces a read, an operation and a write of one statement. Machine code subtracts by adding.
_ATOMICS = {
    Op.ADD: "atomicAdd", Op.SUB: "atomicSub", Op.FMA: "atomicAdd", Op.MAD: "atomicAdd", Op.AND: "atomicAnd",
    Op.OR: "atomicOr", Op.XOR: "atomicXor", Op.MIN: "atomicMin", Op.MAX: "atomicMax",
}  # fmt: skip


class Reach(IntEnum):
    """Name how far apart the threads of a race are, and so what can order them."""

    WARP = 0
    BLOCK = 1
    CLUSTER = 2
    GRID = 3


_BARRIERS = {Reach.WARP: "__syncwarp()", Reach.BLOCK: "__syncthreads()", Reach.CLUSTER: "cluster.sync()"}


class Gap(NamedTuple):
    """Name the lines between which nothing orders two accesses; ``is_next``: the second is in the next iteration."""

    first: int
    second: int
    is_next: bool

    @property
    def words(self) -> str:
        if self.first == self.second:
            where = f"line {self.first}"
            return f"after {where} in each iteration" if self.is_next else f"between the two accesses of {where}"
        return f"between line {self.first} and line {self.second}{' of the next iteration' if self.is_next else ''}"


class RaceRemedies:
    """Tell the remedies of the races of a launch. ``races`` are all of them."""

    def __init__(self, program: Program, launch: Launch, races: Iterable[RawFinding] = ()) -> None:
        self._program, self._launch = program, launch
        self._groups: dict[tuple[object, ...], list[RawFinding]] = {}
        for race in races:
            self._groups.setdefault(self._key(race), []).append(race)

    def merged(self) -> list[RawFinding]:
        """Return one race for each kind and pair of lines: of those whose threads are the farthest apart, one that came
        in the order of the flow if there is one; with the occurrences and places of all."""
        return [self._merge(group) for group in self._groups.values()]

    def of(self, race: RawFinding) -> str:
        """Return what would have ordered the accesses of a race, and of those between the same lines."""
        group = self._groups.get(self._key(race), [race])
        statements = [self._statement(each) for each in group]
        if all(statements):
            return f"a thread may write between the read and the write of another: use {statements[0]}"
        race = max(group, key=self._reach)
        assert race.other is not None
        if self._reach(race) == Reach.GRID:
            return self._between_blocks(self._instruction(race.other.pc), self._instruction(race.pc))
        if race.block == race.other.block and race.other.pc == race.pc and race.other.issue == race.issue:
            return "of several lanes that write one address in one instruction any may win: use an atomic"
        gaps = self._gaps(group)
        if race.pc == race.other.pc and not gaps:
            return "one statement of several threads has no order: let one of them execute it, or use an atomic"
        if (self._instruction(race.pc).op in ATOMIC_OPS) != (self._instruction(race.other.pc).op in ATOMIC_OPS):
            return f"{self._barrier(group, gaps)}, or an atomic in place of the plain access, would order them"
        return f"{self._barrier(group, gaps)} would order them"

    # ------------------------------------------------------------------------------------ groups of races

    def _instruction(self, pc: int) -> Instruction:
        return self._program.instructions[pc]

    def _lines(self, race: RawFinding) -> tuple[int, int]:
        """Return the lines of the earlier and of the later access."""
        assert race.other is not None
        return self._instruction(race.other.pc).span.line, self._instruction(race.pc).span.line

    def _key(self, race: RawFinding) -> tuple[object, ...]:
        return race.kind, race.space, frozenset(self._lines(race))

    def _merge(self, group: Sequence[RawFinding]) -> RawFinding:
        chosen = max(group, key=lambda race: (self._reach(race), self._is_in_order(race)))
        places = tuple(dict.fromkeys(place for race in (chosen, *group) for place in race.elements))
        are_all = all(len(race.elements) == race.n_elements for race in group)
        most = max(race.n_elements for race in group)
        return replace(
            chosen, count=sum(race.count for race in group), elements=places[:ELEMENTS_KEPT],
            n_elements=len(places) if are_all else most,
        )  # fmt: skip

    def _reach(self, race: RawFinding) -> Reach:
        assert race.other is not None
        if race.block != race.other.block:
            return Reach.CLUSTER if race.other.block in self._launch.cluster_of(race.block) else Reach.GRID
        return Reach.WARP if race.thread // LANES == race.other.thread // LANES else Reach.BLOCK

    def _is_in_order(self, race: RawFinding) -> bool:
        """Return whether the access that came first in the simulation is also the first in the flow of the kernel."""
        assert race.other is not None
        return race.pc in _reached(self._program, race.other.pc, forward=True)

    # ------------------------------------------------------------------------------------ atomics

    @staticmethod
    def _between_blocks(a: Instruction, b: Instruction) -> str:
        if a.op in ATOMIC_OPS and b.op in ATOMIC_OPS and MemoryScope.BLOCK in (a.scope, b.scope):
            return "atomics of the block's scope do not order other blocks: leave out _block"
        if Op.LD in (a.op, b.op):
            return "no barrier reaches other blocks: __threadfence() and an atomic flag, or a kernel each, would"
        return "no barrier reaches other blocks: use an atomic, or give each block an element of its own"

    def _statement(self, race: RawFinding) -> str:
        """Return the atomic that does what a statement does which reads, changes and writes one element; "" where the
        accesses of a race are not of such a statement, or only write in one instruction."""
        assert race.other is not None
        if race.block == race.other.block and race.other.pc == race.pc and race.other.issue == race.issue:
            return ""
        store = max(race.pc, race.other.pc)
        read, write = min(race.pc, race.other.pc), self._instruction(store)
        if write.op != Op.ST or write.vec > 1:
            return ""
        for pc in range(store - 1, -1, -1):
            before = self._instruction(pc)
            if before.span.line != write.span.line or (before.dst_type, before.dst) == (
                write.src_types[0],
                write.srcs[0],
            ):
                return ""
            if before.op == Op.LD and (before.srcs, before.imm, before.space) == (
                write.srcs[:1], write.imm, write.space,
            ):  # fmt: skip
                return self._atomic(store) if read in (pc, store) else ""
        return ""

    def _atomic(self, store: int) -> str:
        """Return the atomic in place of the operation whose result a store writes."""
        value = self._instruction(store).srcs[1]
        makes = next((i for i in reversed(self._program.instructions[:store]) if value in i.result_rows), None)
        return "an atomic" if makes is None else _ATOMICS.get(makes.op, "an atomic")

    # ------------------------------------------------------------------------------------ barriers

    def _barrier(self, group: Sequence[RawFinding], gaps: Sequence[Gap]) -> str:
        """Return the barrier that a group lacks, and its place. It orders the other races of that place, too."""
        race = max(group, key=self._reach)
        reach = self._reach(race)
        for others in self._groups.values():
            meets = any(
                gap.is_next == own.is_next and (gap.first == own.first or gap.second == own.second)
                for gap in self._gaps(others) for own in gaps
            )  # fmt: skip
            within = [each for each in map(self._reach, others) if each != Reach.GRID]
            reach = max([reach, *within]) if meets else reach
        if not gaps:
            first, second = sorted(self._lines(race))
            return f"a {_BARRIERS[reach]} that all threads reach between line {first} and line {second}"
        return f"a {_BARRIERS[reach]} {' and '.join(gap.words for gap in gaps)}"

    def _gaps(self, group: Sequence[RawFinding]) -> list[Gap]:
        """Return where a barrier is missing between the accesses of a group, in the order of the lines."""
        return sorted({gap for race in group if (gap := self._gap(race)) is not None})

    def _gap(self, race: RawFinding) -> Gap | None:
        """Return where a barrier is missing between two accesses: on the way from that which came earlier in the
        instructions of its warp, unless a barrier lies on it. None where no way is open."""
        assert race.other is not None
        ways = [(race.other.pc, race.pc), (race.pc, race.other.pc)]
        if race.other.issue > race.issue >= 0:
            ways.reverse()
        barriers = BLOCK_BARRIERS | WARP_COLLECTIVES if self._reach(race) == Reach.WARP else BLOCK_BARRIERS
        for first, second in ways:
            if second not in _reached(self._program, first, barriers - {Op.BAR_NAMED}):
                continue
            lines = self._instruction(first).span.line, self._instruction(second).span.line
            ahead = second in _reached(self._program, first, barriers - {Op.BAR_NAMED}, forward=True)
            return Gap(*lines, not ahead and first in _reached(self._program, second))
        return None


def _reached(
    program: Program, start: int, barriers: frozenset[Op] = frozenset(), forward: bool = False
) -> frozenset[int]:
    """Return the instructions that may come after one, with none of the ``barriers`` before them. ``forward``: on ways
    that never lead back in the code."""
    found: set[int] = set()
    waiting = [start]
    while waiting:
        pc = waiting.pop()
        for after in successors(program, pc):
            if after in found or after >= len(program.instructions) or (forward and after <= pc):
                continue
            found.add(after)
            if program.instructions[after].op not in barriers:
                waiting.append(after)
    return frozenset(found)
