"""Find the rows that instructions read and write, basic blocks, and reads that may come before any write."""

from __future__ import annotations

from bisect import bisect_right

from warpview.cached_by_identity import cached_by_identity
from warpview.isa.ops import Op
from warpview.isa.program import NONE, Instruction, Program
from warpview.isa.types import Type
from warpview.sim.checks.intervals import successors

Row = tuple[bool, int]  # whether of 64 bits, number


def source_row(i: Instruction, k: int) -> Row:
    """Return the row of a source."""
    return i.src_types[k].is_wide, i.srcs[k]


def result_rows(i: Instruction) -> list[Row]:
    """Return the rows that an instruction writes."""
    return [] if i.dst_type is None else [(i.dst_type.is_wide, row) for row in i.result_rows]


def basic_blocks(program: Program) -> tuple[list[int], list[int]]:
    """Return the first instruction of each instruction's basic block, and all of these, ascending."""
    starts = {0}
    for pc, i in enumerate(program.instructions):
        if i.op in (Op.BRA, Op.EXIT):
            starts |= {pc + 1, *successors(program, pc)}
    ordered = sorted(start for start in starts if start < len(program.instructions))
    block_of = [ordered[bisect_right(ordered, pc) - 1] for pc in range(len(program.instructions))]
    return block_of, ordered


def ends(program: Program, starts: list[int]) -> dict[int, int]:
    """Return the instruction after each basic block, by its first."""
    return dict(zip(starts, [*starts[1:], len(program.instructions)], strict=True))


def _read_rows(i: Instruction) -> list[Row]:
    """Return the rows that an instruction reads."""
    found = [(type_.is_wide, row) for row, type_ in (*zip(i.srcs, i.src_types, strict=True), *i.extra)]
    return found if i.guard == NONE else [*found, (Type.PRED.is_wide, i.guard)]


@cached_by_identity
def may_read_undefined(program: Program) -> bool:
    """Return whether some path through a program reads a register before it is written."""
    if program.native is not None:
        return False
    _, starts = basic_blocks(program)
    end = ends(program, starts)
    needed: dict[int, set[Row]] = {start: set() for start in starts}  # read in a block or later, not written before
    before: dict[int, list[int]] = {start: [] for start in starts}
    for start in starts:
        for following in successors(program, end[start] - 1):
            if following in before:
                before[following].append(start)
    waiting = list(starts)
    while waiting:
        start = waiting.pop()
        rows: set[Row] = set()
        for following in successors(program, end[start] - 1):
            rows |= needed.get(following, set())
        for pc in range(end[start] - 1, start - 1, -1):
            instruction = program.instructions[pc]
            if instruction.guard == NONE:
                rows -= set(result_rows(instruction))
            rows |= {row for row in _read_rows(instruction) if _is_virtual(program, row)}
        if rows != needed[start]:
            needed[start] = rows
            waiting += before[start]
    return bool(needed[0])


def _is_virtual(program: Program, row: Row) -> bool:
    return row[1] >= (program.first_virtual64 if row[0] else program.first_virtual32)
