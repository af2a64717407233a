"""Find which registers of code as written hold the same value in all lanes of a warp, as a compiler can tell.

A row differs between lanes where it is computed from the number of a thread or of a lane, loaded from an address that
differs, or the result of an atomic or a shuffle; and where lanes have gone different ways through what writes it, from
where they meet on. (LLVM's divergence analysis; Karrenberg, "Automatic SIMD Vectorization of SSA-based Control Flow
Graphs", 2015.)
"""

from __future__ import annotations

from collections import defaultdict

from warpview.isa.ops import Op
from warpview.isa.program import NONE, Instruction, Program, Special
from warpview.isa.types import Space
from warpview.sim.compiler_effects.register_rows import Row, rows_read, rows_written

_OWN = frozenset(
    (False, int(special)) for special in (Special.TID_X, Special.TID_Y, Special.TID_Z, Special.LANEID, Special.WARPID)
)
_DIFFERS = frozenset({Op.ATOM, Op.SHFL, Op.MATCH, Op.CLOCK, Op.MBARRIER, Op.MMA, Op.MOVM})
_SAME = frozenset({Op.VOTE, Op.ACTIVEMASK, Op.REDUX, Op.BAR_RED})


def differing_rows(program: Program) -> list[set[Row]]:
    """Return, for each instruction of code as written, the rows that may differ between the lanes that come to it."""
    code = program.instructions
    before: list[set[Row]] = [set() for _ in code]
    met: dict[int, set[Row]] = defaultdict(set)  # rows that differ from there on, as lanes have gone different ways
    reached = [False] * len(code)
    work = [0] if code else []
    before[0:1] = [set(_OWN)]
    while work:
        n = work.pop()
        reached[n] = True
        instruction, rows = code[n], before[n] | met[n]
        if instruction.op == Op.BRA and _guard(instruction) & rows:
            again = _part_ways(program, n, met)
            work += [k for k in again if k < len(code) and reached[k]]
        after = _after(instruction, rows)
        for k in _next(instruction, n):
            if k < len(code) and (not reached[k] or not after <= before[k]):
                before[k] |= after
                work.append(k)
    return [rows | met[n] for n, rows in enumerate(before)]


def _guard(instruction: Instruction) -> set[Row]:
    return {(False, instruction.guard)} if instruction.guard != NONE else set()


def _next(instruction: Instruction, n: int) -> list[int]:
    if instruction.op == Op.BRA:
        return [instruction.target] if instruction.guard == NONE else [instruction.target, n + 1]
    return [] if instruction.op == Op.EXIT and instruction.guard == NONE else [n + 1]


def _after(instruction: Instruction, rows: set[Row]) -> set[Row]:
    """Return the rows that differ behind an instruction."""
    written = set(rows_written(instruction))
    differs = instruction.op in _DIFFERS or (instruction.op == Op.LD and instruction.space == Space.LOCAL)
    if differs or (instruction.op not in _SAME and not rows.isdisjoint(rows_read(instruction))):
        return rows | written
    return rows if instruction.guard != NONE else rows - written


def _part_ways(program: Program, n: int, met: dict[int, set[Row]]) -> list[int]:
    """Note what is written where lanes go different ways from branch ``n`` on, for the place where they meet; returns
    that place if it has changed. Where they leave a loop in different trips, that is all that the loop writes."""
    branch = program.instructions[n]
    meet = max(n + 1, branch.target if branch.reconvergence == NONE else branch.reconvergence)
    first = min(n + 1, branch.target)
    for back, instruction in enumerate(program.instructions):
        if instruction.op == Op.BRA and instruction.target <= n <= back < meet:
            first = min(first, instruction.target)
    written = {row for k in range(first, min(meet, len(program.instructions)))
               for row in rows_written(program.instructions[k])}  # fmt: skip
    if written <= met[meet]:
        return []
    met[meet] |= written
    return [meet]
