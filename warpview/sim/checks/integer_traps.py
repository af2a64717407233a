"""List the integer operations to check as a kernel runs: those that C++ leaves undefined for some operands, and
indices into member arrays.

Divisions and shifts are looked at unless their second operand is a constant that does no harm. Overflow of a signed
32-bit value is looked at where an address is computed from it: elsewhere much code relies on it, and it does no harm.
A value that passes a bitwise operation or a remainder on its way to the address is taken to overflow on purpose, as
that of a hash or of a generator of random numbers does. Where it passes a remainder or a division, and the access then
lies out of bounds, the overflow is told after all: the remainder of a negative number is negative.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence, Set

from warpview.isa.ops import MEMORY_OPS, Op
from warpview.isa.program import NONE, Instruction, Program
from warpview.isa.types import Type
from warpview.sim.checks.flow import Row, basic_blocks, ends, result_rows, source_row
from warpview.sim.checks.intervals import successors
from warpview.sim.checks.trap_codes import Trap

OVERFLOWS = {Op.ADD: Trap.ADD, Op.SUB: Trap.SUB, Op.MUL: Trap.MUL, Op.MAD: Trap.MAD}
# Operations whose result is an index if one of their operands is; the others end the search.
CARRIES = frozenset(OVERFLOWS) | {Op.MOV, Op.CVT, Op.SELP, Op.NEG, Op.SHL, Op.MULWIDE, Op.MADWIDE, Op.MIN, Op.MAX}
_DIVISIONS = frozenset({Op.DIV, Op.REM})
# What a division or a remainder by a constant is made of, too.
_HIDES = CARRIES | _DIVISIONS | {Op.SHR, Op.MULHI}


def traps(program: Program) -> dict[int, Trap]:
    """Return the checks of a program by instruction."""
    if program.native is not None:
        return {}
    # In PTX a shift beyond the width is defined, and a compiler may let sums of addresses wrap.
    found: dict[int, Trap] = {
        pc: trap for pc, i in enumerate(program.instructions) if (trap := _trap(program, i)) != Trap.NO
    }
    if program.is_compiled:
        return {pc: trap for pc, trap in found.items() if trap in (Trap.DIVISION_32, Trap.DIVISION_64)}
    overflowing = [pc for pc, i in enumerate(program.instructions) if i.op in OVERFLOWS and i.type == Type.S32]
    if overflowing:
        index = _Index(program).instructions(_HIDES)
        found |= {pc: OVERFLOWS[program.instructions[pc].op] for pc in overflowing if pc in index}
    return found


def is_harmless(program: Program, pc: int, outside: Sequence[int]) -> bool:
    """Return whether an overflow at an instruction is taken to be on purpose: it passes a division or a remainder on
    its way to addresses, and none of the accesses ``outside`` their bounds comes from it."""
    if pc in _Index(program).instructions(CARRIES):
        return False
    return pc not in _Index(program).instructions(_HIDES, outside)


def _trap(program: Program, i: Instruction) -> Trap:
    """Return the check of an index, a division or a shift."""
    if i.member and i.op not in MEMORY_OPS:
        return Trap.INDEX_64 if i.type.is_wide else Trap.INDEX_32
    if i.type.is_float or i.op not in (Op.DIV, Op.REM, Op.SHL, Op.SHR):
        return Trap.NO
    row, is_division = i.srcs[1], i.op in (Op.DIV, Op.REM)
    constants = program.constants64 if is_division and i.type.is_wide else program.constants32
    known = constants.get(row)
    width = 64 if i.type.is_wide else 32
    if known is not None and (known != 0 if is_division else known < width):
        return Trap.NO
    if is_division:
        return Trap.DIVISION_64 if i.type.is_wide else Trap.DIVISION_32
    return Trap.SHIFT_64 if i.type.is_wide else Trap.SHIFT_32


class _Index:
    """Find the instructions from whose results addresses are computed, backwards from the accesses of memory."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._block_of, self._starts = basic_blocks(program)
        self._before: dict[int, list[int]] = {start: [] for start in self._starts}
        for start, end in ends(program, self._starts).items():
            for following in successors(program, end - 1):
                if following in self._before:
                    self._before[following].append(start)
        self._seen: set[tuple[int, Row]] = set()  # rows that have been looked for at the end of a block
        self._writes: dict[tuple[int, Row], list[int]] = {}
        for pc, i in enumerate(program.instructions):
            for row in result_rows(i):
                self._writes.setdefault((self._block_of[pc], row), []).append(pc)

    def instructions(self, carries: Set[Op], accesses: Sequence[int] | None = None) -> set[int]:
        """Return the instructions whose result, or a value that operations of ``carries`` compute from it, is an
        address or an index, of all accesses or of some."""
        found: set[int] = set()
        waiting = [
            (pc, source_row(i, 0))
            for pc, i in enumerate(self._program.instructions)
            if i.op in MEMORY_OPS and (accesses is None or pc in accesses)
        ]
        while waiting:
            for pc in self._reaching(*waiting.pop()):
                instruction = self._program.instructions[pc]
                if pc in found or instruction.op not in carries:
                    continue
                found.add(pc)
                count = 2 if instruction.op == Op.SELP else len(instruction.srcs)
                waiting += [(pc, source_row(instruction, k)) for k in range(count)]
                if instruction.guard != NONE:
                    waiting.append((pc, result_rows(instruction)[0]))
        return found

    def _reaching(self, pc: int, row: Row) -> Iterator[int]:
        """Yield the instructions that may have written a row last as the one at ``pc`` reads it; each once only."""
        start = self._block_of[pc]
        writes = self._writes.get((start, row), [])
        if at := bisect_left(writes, pc):
            yield writes[at - 1]
            return
        blocks = list(self._before[start])
        while blocks:
            block = blocks.pop()
            if (block, row) in self._seen:
                continue
            self._seen.add((block, row))
            if last := self._writes.get((block, row)):
                yield last[-1]
            else:
                blocks += self._before[block]
