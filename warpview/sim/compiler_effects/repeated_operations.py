"""Find the instructions of code as written that compute once more what an earlier one has computed.

NVIDIA's compiler computes a value once that the source names several times: an operation without side effects on the
same values, a shuffle in straight code, and a load from the same place where nothing in between may have changed it. An
instruction is repeated where an earlier one, which has been executed on every way there, has its value (global value
numbering: Alpern, Wegman, Zadeck, "Detecting equality of variables in programs", 1988). Copies, constants and what a
predicate guards stay; what a loop writes is another value in each trip.

The rules are those of NVRTC 13 (``tests/sass/test_repeated_operations.py``).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field

from warpview.isa.ops import OPS, Op
from warpview.isa.program import NONE, Instruction, Program
from warpview.isa.types import Space
from warpview.sim.compiler_effects.absorbed_operations import straight_code
from warpview.sim.compiler_effects.loop_body import UNFIT
from warpview.sim.compiler_effects.register_rows import Row, rows_read, rows_written

Value = int  # the number of what a register holds: the same number, the same value
Expression = tuple[Hashable, ...]  # what tells the result of an instruction from others
Place = tuple[Space, bool]  # of a load: its space, and whether nothing changes what it reads


@dataclass
class _Known:
    """Hold what is known at a place: the values of the rows that were written, and which instruction has computed an
    expression or loaded it from a place."""

    values: dict[Row, Value] = field(default_factory=dict)
    computed: dict[Expression, int] = field(default_factory=dict)
    loaded: dict[tuple[Place, Expression], int] = field(default_factory=dict)

    def copy(self) -> _Known:
        return _Known(dict(self.values), dict(self.computed), dict(self.loaded))


def repeated_operations(program: Program) -> dict[int, int]:
    """Return the instructions of code as written that are repeated, by the one that has computed their value."""
    return {} if program.native is not None else _Numbering(program).repeated()


class _Numbering:
    """Walk along a program and give values numbers."""

    def __init__(self, program: Program) -> None:
        self.program, self.code = program, program.instructions
        self.loops: dict[int, int] = {}  # where they begin, and the last branch back there
        for n, instruction in enumerate(self.code):
            if instruction.op == Op.BRA and NONE < instruction.target <= n:
                self.loops[instruction.target] = n
        self.pieces = {n: places.start for places in straight_code(program) for n in places}
        self.numbers: dict[Hashable, Value] = {}
        self.found: dict[int, int] = {}

    def repeated(self) -> dict[int, int]:
        known: _Known | None = _Known()
        arriving: dict[int, list[_Known]] = {}  # by the target of branches
        for n, instruction in enumerate(self.code):
            ways = arriving.pop(n, []) + ([known] if known is not None else [])
            if not ways:  # nothing comes here
                continue
            known = self._met(ways)
            if n in self.loops:
                self._enter_loop(n, known)
            self._execute(n, instruction, known)
            if instruction.op == Op.BRA and instruction.target > n:
                arriving.setdefault(instruction.target, []).append(known.copy())
            if instruction.op in (Op.BRA, Op.EXIT) and instruction.guard == NONE:
                known = None
        return self.found

    def _met(self, ways: list[_Known]) -> _Known:
        """Return what is known on all ways."""
        known, *others = ways
        for other in others:
            for row in {*known.values, *other.values}:
                if self._value(row, known) != self._value(row, other):
                    known.values[row] = self._new()
            known.computed = dict(known.computed.items() & other.computed.items())
            known.loaded = dict(known.loaded.items() & other.loaded.items())
        return known

    def _enter_loop(self, first: int, known: _Known) -> None:
        """Forget what a loop changes in its trips."""
        body = self.code[first : self.loops[first] + 1]
        for row in {row for instruction in body for row in rows_written(instruction)}:
            known.values[row] = self._new()
        _forget_loads(known, body)

    def _execute(self, n: int, instruction: Instruction, known: _Known) -> None:
        _forget_loads(known, [instruction])
        rows, expression = rows_written(instruction), self._expression(n, instruction, known)
        if expression is None:
            known.values.update({row: self._new() for row in rows})
            return
        if instruction.op == Op.MOV:
            known.values[rows[0]] = self._value(rows_read(instruction)[0], known)
            return
        if instruction.op == Op.LD:
            first = known.loaded.setdefault(((instruction.space, instruction.read_only), expression), n)
        else:
            first = known.computed.setdefault(expression, n)
        if first != n:
            self.found[n] = first
        known.values.update({row: self._number((first, k)) for k, row in enumerate(rows)})

    def _expression(self, n: int, instruction: Instruction, known: _Known) -> Expression | None:
        """Return what tells the result of an instruction from others; None where it is not that of its operands. That
        of a shuffle is the same in straight code."""
        is_fit = OPS[instruction.op].compute or instruction.op in (Op.LD, Op.SHFL)
        if instruction.guard != NONE or not is_fit or not instruction.cached or not rows_written(instruction):
            return None
        operands = [self._value(row, known) for row in rows_read(instruction)]
        if OPS[instruction.op].commutes:
            operands[:2] = sorted(operands[:2])
        form = (instruction.op, instruction.type, instruction.stype, instruction.mod)
        piece = self.pieces[n] if instruction.op == Op.SHFL else NONE
        return (*form, piece, instruction.imm, instruction.vec, *operands)

    def _value(self, row: Row, known: _Known) -> Value:
        """Return the number of what a row holds: its own from the start where nothing has written it."""
        is_wide, number = row
        constant = (self.program.constants64 if is_wide else self.program.constants32).get(number)
        if constant is not None:
            return self._number(("constant", is_wide, constant))
        return known.values[row] if row in known.values else self._number(("start", row))

    def _number(self, of: Hashable) -> Value:
        return self.numbers.setdefault(of, len(self.numbers))

    def _new(self) -> Value:
        return self._number(("new", len(self.numbers)))


def _forget_loads(known: _Known, instructions: Iterable[Instruction]) -> None:
    """Forget what instructions may change in memory, or let others change."""
    changing = [i for i in instructions if i.op == Op.ST or i.op in UNFIT]
    if changing:
        known.loaded = {key: n for key, n in known.loaded.items() if not any(_may_change(i, *key[0]) for i in changing)}


def _may_change(instruction: Instruction, space: Space, read_only: bool) -> bool:
    stores = instruction.op == Op.ST and (instruction.space == space or Space.GENERIC in (instruction.space, space))
    return not read_only and (stores or instruction.op in UNFIT)
