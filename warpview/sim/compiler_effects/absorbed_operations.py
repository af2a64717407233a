"""Find the instructions of code as written that NVIDIA's compiler has no instruction of its own for.

It joins logic of three numbers (LOP3), sums of three (IADD3), a shift by a constant and a sum (LEA), both halves of a
rotation (SHF) and of a pair of halves (HFMA2), and a test and the logic of predicates behind it (ISETP.AND); it takes
the opposite of a float as an operand, and copies none. The instruction that is left gives the result of both.

The rules are those of NVRTC 13, by its code for sm_75 and later (``tests/sass/test_absorbed.py``).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from itertools import pairwise

from warpview.isa.modes import Cmp
from warpview.isa.ops import Op
from warpview.isa.program import NONE, Instruction, Program
from warpview.isa.types import Type
from warpview.sim.compiler_effects.register_rows import Row, rows_read, rows_written

MOST_OPERANDS = 3  # of an instruction that joins several
_WORDS = frozenset({Type.U32, Type.S32})
_LOGIC = frozenset({Op.AND, Op.OR, Op.XOR, Op.NOT})
_SUMS = frozenset({Op.ADD, Op.SUB, Op.NEG})
_SIGNS = frozenset({Op.NEG, Op.ABS})
_TAKE_SIGNS = frozenset({Op.ADD, Op.SUB, Op.MUL, Op.FMA, Op.MIN, Op.MAX, Op.SETP, Op.NEG, Op.ABS})
_OF_HALVES = frozenset({Op.OP16, Op.FMA16})


def absorbed(program: Program, repeated: Mapping[int, int]) -> frozenset[int]:
    """Return the instructions of code as written that others do the work of, besides the ``repeated`` ones."""
    if program.native is not None:
        return frozenset()
    found = _unread_shuffles(program)
    lives_on = _read_before_written(program)
    for block in straight_code(program):
        found |= _Straight(program, block, lives_on, repeated).absorbed()
    return frozenset(found)


def _unread_shuffles(program: Program) -> set[int]:
    """Return the shuffles whose result nothing reads."""
    read = {row for instruction in program.instructions for row in rows_read(instruction)}
    shuffles = (n for n, i in enumerate(program.instructions) if i.op == Op.SHFL)
    return {n for n in shuffles if read.isdisjoint(rows_written(program.instructions[n]))}


def straight_code(program: Program) -> Iterator[range]:
    """Yield the instructions of each piece of straight code."""
    code = program.instructions
    starts = {i.target for i in code if i.op == Op.BRA} | {n + 1 for n, i in enumerate(code) if i.op == Op.BRA}
    edges = sorted({0, len(code), *(n for n in starts if 0 <= n < len(code))})
    for first, end in pairwise(edges):
        yield range(first, end)


class _Straight:
    """Look at straight code from its first to its last instruction."""

    def __init__(self, program: Program, places: range, lives_on: set[Row], repeated: Mapping[int, int]) -> None:
        self.program, self.code, self.places = program, program.instructions, places
        self.repeated, self.again = repeated, dict[int, list[int]]()
        self.found: set[int] = set()
        self.operands: dict[int, set[Row]] = {}  # of what joins several, by the one that is left
        self.lives_on = lives_on
        self.readers: dict[Row, list[int]] = {}
        self.writers: dict[Row, list[int]] = {}
        for n in places:
            if n in repeated:
                self.again.setdefault(repeated[n], []).append(n)
            for found, rows in ((self.readers, rows_read(self.code[n])), (self.writers, rows_written(self.code[n]))):
                for row in set(rows):
                    found.setdefault(row, []).append(n)

    def absorbed(self) -> set[int]:
        last: dict[Row, int] = {}  # where the rows were written last
        for n in self.places:
            instruction = self.code[n]
            if instruction.guard == NONE and n not in self.repeated:
                self._join(n, {row: last[row] for row in rows_read(instruction) if row in last})
            for row in rows_written(instruction):
                last[row] = n
        return self.found

    def _join(self, n: int, givers: dict[Row, int]) -> None:
        """Let an instruction take over those that give its operands, as far as it can, or be taken over itself."""
        instruction = self.code[n]
        if self._is_copy(instruction) or self._is_second_half(n):
            self.found.add(n)
            return
        self.operands[n] = set(rows_read(instruction))
        for row, giver in givers.items():
            if giver in self.found or giver in self.repeated or not self._is_needed_by(giver, row, n):
                continue
            is_of_tests = instruction.type == Type.PRED and instruction.op in _LOGIC and self.code[giver].op == Op.SETP
            is_of_product = instruction.op == Op.NEG and instruction.type.is_float and self.code[giver].op == Op.MUL
            if is_of_tests or is_of_product:
                self.found.add(n)
                return
            self._take_over(n, giver, row)
            if self._tests_bits(n, giver, row):
                self.found.add(giver)
        if instruction.op == Op.SETP and instruction.mod in (Cmp.EQ, Cmp.NE):
            self._join_test_of_tests(n, givers)

    def _tests_bits(self, n: int, giver: int, row: Row) -> bool:
        """Return whether an instruction compares what logic gives with 0, which this can do itself."""
        test, zero = self.code[n], {each for each in rows_read(self.code[n]) if each != row}
        is_zero = len(zero) == 1 and self.program.constants32.get(zero.pop()[1]) == 0
        is_test = test.op == Op.SETP and test.mod in (Cmp.EQ, Cmp.NE) and test.type in _WORDS
        return is_test and is_zero and self.code[giver].op in _LOGIC and self.code[giver].type in _WORDS

    def _join_test_of_tests(self, n: int, givers: dict[Row, int]) -> None:
        """Let a test of whether two tests agree be logic of these."""
        numbers = [at for row, at in givers.items() if self._is_truth(at) and self._is_needed_by(at, row, n)]
        if len(numbers) == len(rows_read(self.code[n])) == 2:
            self.found.update(numbers)
            if any(map(self._is_of_test, numbers)):
                self.found.add(n)

    def _is_of_test(self, n: int) -> bool:
        """Return whether what makes a number of a predicate is all that needs the test which gives this."""
        predicate = rows_read(self.code[n])[2]
        test = self._giver(n, predicate)
        return test != NONE and self.code[test].op == Op.SETP and self._is_needed_by(test, predicate, n)

    def _is_truth(self, n: int) -> bool:
        """Return whether an instruction makes 1 or 0 of a predicate."""
        rows = rows_read(self.code[n])
        return self.code[n].op == Op.SELP and self.code[n].guard == NONE and all(map(self._is_constant, rows[:2]))

    def _take_over(self, n: int, giver: int, row: Row) -> None:
        op, by, kind = self.code[n].op, self.code[giver].op, self.code[n].type
        joined = (self.operands[n] - {row}) | self.operands[giver]
        constants = sum(self._is_constant(each) for each in joined)
        is_small = len(joined) <= MOST_OPERANDS and constants <= 1
        logic = op in _LOGIC and by in _LOGIC and is_small
        total = op in _SUMS and by in _SUMS and is_small
        shifted = op in (Op.ADD, Op.SUB) and self._shifts_by_constant(giver) and len(self.operands[n]) == 2
        turned = op in (Op.OR, Op.XOR, Op.ADD) and self._is_rotation(n)
        if kind in _WORDS and self.code[giver].type in _WORDS and (logic or total or shifted or turned):
            self.found.add(giver)
            self.operands[n] = joined
        elif kind == Type.F32 and by in _SIGNS and op in _TAKE_SIGNS:
            self.found.add(giver)

    def _is_copy(self, instruction: Instruction) -> bool:
        """Return whether an instruction only gives a register another name."""
        if instruction.op != Op.MOV:
            return False
        is_wide, row = rows_read(instruction)[0]
        return row >= (self.program.first_virtual64 if is_wide else self.program.first_virtual32)

    def _is_second_half(self, n: int) -> bool:
        """Return whether an instruction is the second of an operation on a pair of halves."""
        if n == self.places[0] or self.code[n].op not in _OF_HALVES or n - 1 in self.found:
            return False
        first, second = self.code[n - 1], self.code[n]
        is_alike = (first.op, first.mod, first.span) == (second.op, second.mod, second.span)
        return is_alike and not set(rows_written(first)) & set(rows_read(second))

    def _is_needed_by(self, giver: int, row: Row, reader: int) -> bool:
        """Return whether nothing but one instruction reads what another one, or one that repeats it, has written."""
        repeats = [(n, each) for n in self.again.get(giver, []) for each in rows_written(self.code[n])]
        return self._readers_of(giver, row) == [reader] and not any(self._readers_of(*each) for each in repeats)

    def _readers_of(self, giver: int, row: Row) -> list[int]:
        """Return what reads what an instruction has written, without repeated instructions: with the end of the code
        where the row lives on."""
        writers, readers = self.writers[row], self.readers.get(row, [])
        following = bisect_right(writers, giver)
        is_last = following == len(writers)
        end = self.places.stop if is_last else writers[following]
        between = readers[bisect_right(readers, giver) : bisect_right(readers, end)]
        found = [n for n in between if n not in self.repeated]
        return [*found, self.places.stop] if is_last and row in self.lives_on else found

    def _shifts_by_constant(self, n: int) -> bool:
        instruction = self.code[n]
        return instruction.op in (Op.SHL, Op.SHR) and self._is_constant(rows_read(instruction)[1])

    def _is_rotation(self, n: int) -> bool:
        """Return whether an instruction joins the two parts of a number that was shifted both ways."""
        givers = [self._giver(n, row) for row in rows_read(self.code[n])]
        shifts = [self.code[at] for at in givers if at != NONE and self._shifts_by_constant(at)]
        ops, numbers = {i.op for i in shifts}, {rows_read(i)[0] for i in shifts}
        return len(shifts) == 2 and ops == {Op.SHL, Op.SHR} and len(numbers) == 1

    def _giver(self, n: int, row: Row) -> int:
        writers = self.writers.get(row, [])
        before = bisect_left(writers, n)
        return writers[before - 1] if before else NONE

    def _is_constant(self, row: Row) -> bool:
        return row[1] in (self.program.constants64 if row[0] else self.program.constants32)


def _read_before_written(program: Program) -> set[Row]:
    """Return the rows that some piece of straight code reads before it writes them: those that live on between them."""
    found: set[Row] = set()
    for block in straight_code(program):
        written: set[Row] = set()
        for n in block:
            found.update(row for row in rows_read(program.instructions[n]) if row not in written)
            if program.instructions[n].guard == NONE:
                written.update(rows_written(program.instructions[n]))
    return found
