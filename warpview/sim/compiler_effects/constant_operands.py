"""Find the loads of constant memory of code as written that are operands of other instructions in machine code.

An instruction names a word of constant memory by its place (``c[0x3][0x40]``) where the compiler knows that: at a
constant index, or one that follows from the counters of loops that are written out whole
(``tests/sass/test_constant_operands.py``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from warpview.isa.ops import OPS, Op
from warpview.isa.program import NONE, Program
from warpview.isa.types import Space
from warpview.sim.compiler_effects.loop_body import UnrolledLoop
from warpview.sim.compiler_effects.register_rows import Row, rows_read, rows_written

WORD = 4  # bytes; others are loaded


def constant_operands(program: Program, loops: Sequence[UnrolledLoop]) -> Iterator[int]:
    """Yield the loads of words of constant memory that take no instruction."""
    if program.native is not None:
        return
    at_constants = {n for n, i in enumerate(program.instructions) if i.op == Op.LD and _knows(program, set(), n)}
    for loop in loops:
        at_constants |= _at_known_places(program, loop) if loop.is_whole else set()
    for n in sorted(at_constants):
        instruction = program.instructions[n]
        is_plain = instruction.vec == 1 and instruction.guard == NONE
        if is_plain and instruction.space == Space.CONST and instruction.type.bytes == WORD:
            yield n


def _at_known_places(program: Program, loop: UnrolledLoop) -> set[int]:
    """Return the loads of a loop by addresses that are constants in each copy of its trips."""
    code = program.instructions
    backs = {n: code[n].target for n in range(loop.first, loop.last + 1) if loop.first <= code[n].target <= n}
    start = {row for n in range(loop.first, loop.last + 1) for row in rows_read(code[n])}
    # Rows that hold constants whenever lanes come to the start of a loop: fewer each time that one turns out not to.
    known_at = {target: set(start) for target in backs.values()}
    known_at[loop.first] = {row for row in start if _begins_with_constant(program, loop, row)}
    while True:
        found, known, is_stable = set[int](), set(known_at[loop.first]), True
        for n in range(loop.first, loop.last + 1):
            if n in known_at:
                known_at[n] &= known
                known = set(known_at[n])
            is_known = _knows(program, known, n)
            if is_known and code[n].op == Op.LD:
                found.add(n)
            known.difference_update(rows_written(code[n]))
            if is_known and code[n].guard == NONE and OPS[code[n].op].compute:
                known.update(rows_written(code[n]))
            if n in backs and not known_at[backs[n]] <= known:
                known_at[backs[n]] &= known
                is_stable = False
        if is_stable:
            return found


def _begins_with_constant(program: Program, loop: UnrolledLoop, row: Row) -> bool:
    """Return whether a row holds a constant when a loop begins."""
    before = next((i for i in program.instructions[loop.first - 1 :: -1] if row in rows_written(i)), None)
    return before is not None and before.op == Op.MOV and _is_constant(program, rows_read(before)[0])


def _knows(program: Program, known: set[Row], n: int) -> bool:
    """Return whether an instruction reads nothing but constants and ``known`` rows."""
    return all(row in known or _is_constant(program, row) for row in rows_read(program.instructions[n]))


def _is_constant(program: Program, row: Row) -> bool:
    return row[1] in (program.constants64 if row[0] else program.constants32)
