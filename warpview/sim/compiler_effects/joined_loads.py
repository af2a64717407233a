"""Find the loads of shared memory that NVIDIA's compiler joins to wider ones.

Words that follow one another, by one address in straight code or from trip to trip of an unrolled loop, are loaded two
or four at a time where their address is a multiple of as many. The first load takes the time of all: its lanes meet as
many bank conflicts as those of the wider one, which takes a wavefront for each word of a lane.

The rules are those of NVRTC 13, by its code for sm_90 (``tests/sass/test_joined_loads.py``).
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field

from warpview.isa.ops import Op
from warpview.isa.program import NONE, Instruction, Program
from warpview.isa.types import Space
from warpview.sim.compiler_effects.absorbed_operations import straight_code
from warpview.sim.compiler_effects.loop_body import UNFIT, UnrolledLoop
from warpview.sim.compiler_effects.register_rows import Row, rows_read, rows_written

WORD = 4  # bytes
WIDTHS = (4, 2)  # words
ALIGNED = 32  # trailing zeros of 0: a multiple of everything


@dataclass(frozen=True)
class JoinedLoads:
    """Hold the loads that others do the work of, by these, and the trips for which a load is issued once."""

    members: dict[int, tuple[int, ...]] = field(default_factory=dict)
    trips: dict[int, int] = field(default_factory=dict)

    def by_member(self) -> dict[int, int]:
        """Return the load that does the work of each member of a wider one."""
        return {n: first for first, others in self.members.items() for n in others}

    def words(self, n: int) -> int:
        """Return the words a lane of a load that stands for several, 0 of others."""
        return len(self.members[n]) + 1 if n in self.members else self.trips.get(n, 0)


def joined_loads(program: Program, loops: Sequence[UnrolledLoop], repeated: Container[int]) -> JoinedLoads:
    """Return the loads of shared memory of code as written that the compiler joins; none of those that are
    ``repeated``."""
    loads = {n for n, i in enumerate(program.instructions) if _is_word(i) and n not in repeated}
    if program.native is not None or not loads:
        return JoinedLoads()
    zeros = _Zeros(program)
    members = dict(_members(program, zeros, loads))
    taken = {n for group in members.values() for n in group}
    trips = {}
    for loop in loops:
        for n in _in_turn(program, loop, loads):
            if n not in taken and n not in members:
                trips[n] = _trips(program, zeros, loop, n)
    return JoinedLoads(members, trips)


def _is_word(instruction: Instruction) -> bool:
    is_load = instruction.op == Op.LD and instruction.space == Space.SHARED and instruction.cached
    return is_load and instruction.type.bytes == WORD and instruction.vec == 1 and instruction.guard == NONE


# ------------------------------------------------------------------------------------------------ by one address


def _members(program: Program, zeros: _Zeros, loads: Container[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield those of the ``loads`` that follow one another in straight code, by the first of each wider load."""
    for places in straight_code(program):
        runs: list[list[int]] = []  # of loads by one address
        for n in places:
            instruction = program.instructions[n]
            if instruction.op in UNFIT or (instruction.op == Op.ST and instruction.space != Space.GLOBAL):
                yield from _wider(program, zeros, runs)
                runs = []
            written = set(rows_written(instruction))
            broken = [run for run in runs if written & {rows_read(program.instructions[run[0]])[0]}]
            yield from _wider(program, zeros, broken)
            runs = [run for run in runs if run not in broken]
            if n in loads:
                same = [run for run in runs if rows_read(program.instructions[run[0]]) == rows_read(instruction)]
                same[0].append(n) if same else runs.append([n])
        yield from _wider(program, zeros, runs)


def _wider(program: Program, zeros: _Zeros, runs: Sequence[Sequence[int]]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield the wider loads of runs of loads by one address."""
    for run in runs:
        by_offset = {program.instructions[n].imm: n for n in reversed(run)}
        base = zeros.of_address(run[0])
        left = sorted(by_offset)
        while left:
            width: int = next((w for w in WIDTHS if _fits(base, left[0], w) and _follows(left, w)), 1)
            first, *others = sorted(by_offset[offset] for offset in left[:width])
            if others:
                yield first, tuple(others)
            left = left[width:]


def _fits(zeros: int, offset: int, width: int) -> bool:
    """Return whether an address with so many trailing zeros and an offset are a multiple of ``width`` words."""
    return offset % (WORD * width) == 0 and 1 << zeros >= WORD * width


def _follows(offsets: Sequence[int], width: int) -> bool:
    return list(offsets[:width]) == [offsets[0] + WORD * k for k in range(width)]


# ------------------------------------------------------------------------------------------------ from trip to trip


def _trips(program: Program, zeros: _Zeros, loop: UnrolledLoop, n: int) -> int:
    """Return for how many trips of a loop the compiler issues a load once; 0 where it does for each."""
    base, offset = zeros.of_address(n, loop), program.instructions[n].imm
    return next((w for w in WIDTHS if loop.inner_copies % w == 0 and _fits(base, offset, w)), 0)


def _in_turn(program: Program, loop: UnrolledLoop, loads: Container[int]) -> Iterator[int]:
    """Yield those of the ``loads`` of shared memory whose address grows by a word from trip to trip."""
    places = range(loop.first, loop.last + 1)
    changed = {row for n in places for row in rows_written(program.instructions[n])}
    known = {loop.counter: loop.step}  # by how much rows grow, the counter times a constant and what stays the same
    for n in places:
        instruction = program.instructions[n]
        rows = rows_read(instruction)
        if n in loads and known.get(rows[0]) == WORD:
            yield n
        terms = [known.get(row) if row in changed else 0 for row in rows]
        slope = _slope(program, instruction, rows, terms)
        for row in rows_written(instruction):
            known.pop(row, None)
            if row == loop.counter:
                known[row] = loop.step
            elif slope is not None:
                known[row] = slope


def _slope(program: Program, instruction: Instruction, rows: Sequence[Row], terms: Sequence[int | None]) -> int | None:
    """Return by how much the result of an instruction grows; None where that is not known."""
    if not terms or None in terms or instruction.guard != NONE:
        return None
    first, *others = (term or 0 for term in terms)
    second, third = [*others, 0, 0][:2]
    factor = _constant(program, rows[1]) if len(rows) > 1 else None
    if not any(terms):
        return 0
    if instruction.op in (Op.MOV, Op.CVT):
        return first
    if instruction.op in (Op.ADD, Op.SUB):
        return first + second if instruction.op == Op.ADD else first - second
    if factor is None or second:
        return None
    if instruction.op in (Op.MUL, Op.MAD):
        return first * factor + third
    return first << factor if instruction.op == Op.SHL and factor < ALIGNED else None


def _constant(program: Program, row: Row) -> int | None:
    return (program.constants64 if row[0] else program.constants32).get(row[1])


# ------------------------------------------------------------------------------------------------ alignment


class _Zeros:
    """Tell how many trailing zeros numbers have at least, whatever the threads and arguments."""

    def __init__(self, program: Program) -> None:
        self.program, self.code = program, program.instructions
        self.definitions: dict[Row, list[int]] = {}
        self.before: dict[tuple[int, Row], int] = {}  # where straight code has written what an instruction reads
        for block in straight_code(program):
            last: dict[Row, int] = {}
            for n in block:
                self.before.update({(n, row): last[row] for row in rows_read(self.code[n]) if row in last})
                last.update(dict.fromkeys(rows_written(self.code[n]), n))
        for n, instruction in enumerate(self.code):
            for row in rows_written(instruction):
                self.definitions.setdefault(row, []).append(n)
        self.known = [ALIGNED] * len(self.code)
        changed = True
        while changed:
            found = [self._of_result(n, None) for n in range(len(self.code))]
            changed, self.known = found != self.known, found

    def of_address(self, n: int, loop: UnrolledLoop | None = None) -> int:
        """Return the trailing zeros of the address of an access without its offset, in the first trip of a loop."""
        return self._of_operand(n, rows_read(self.code[n])[0], loop)

    def _of_operand(self, n: int, row: Row, loop: UnrolledLoop | None) -> int:
        constant = _constant(self.program, row)
        if constant is not None:
            return _trailing_zeros(constant)
        before = self.before.get((n, row))
        if before is not None:
            return self._of_result(before, loop) if loop else self.known[before]
        if loop and row == loop.counter:
            return 0 if loop.start is None else _trailing_zeros(loop.start)
        return min((self.known[at] for at in self.definitions.get(row, [])), default=0)

    def _of_result(self, n: int, loop: UnrolledLoop | None) -> int:
        instruction = self.code[n]
        if instruction.op not in _KEEP_ZEROS or instruction.guard != NONE:
            return 0
        rows = rows_read(instruction)
        zeros = [self._of_operand(n, row, loop) for row in rows]
        op, shift = instruction.op, _constant(self.program, rows[1]) if len(rows) > 1 else None
        if op == Op.SHL:
            return 0 if shift is None else min(ALIGNED, zeros[0] + shift)
        if op in (Op.MUL, Op.MULWIDE, Op.MAD, Op.MADWIDE):
            return min(ALIGNED, zeros[0] + zeros[1], *zeros[2:])
        return max(zeros) if op == Op.AND else min(zeros)


_KEEP_ZEROS = frozenset({Op.MOV, Op.CVT, Op.ADD, Op.SUB, Op.NEG, Op.MUL, Op.MULWIDE, Op.MAD, Op.MADWIDE, Op.SHL, Op.AND,
                         Op.OR, Op.XOR})  # fmt: skip


def _trailing_zeros(number: int) -> int:
    return (number & -number).bit_length() - 1 if number else ALIGNED
