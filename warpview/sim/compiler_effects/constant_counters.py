"""Count the trips of a loop whose counter follows from constants alone, such as ``for (int d = 16; d; d /= 2)``.

LLVM, on which NVIDIA's compiler rests, carries out up to 100 trips of such a counter to find out how often a loop runs
(``MaxBruteForceIterations`` of its ScalarEvolution).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence

from warpview.isa.modes import Cmp
from warpview.isa.ops import Op
from warpview.isa.program import NONE, Instruction
from warpview.sim.compiler_effects.register_rows import Row, rows_read, rows_written

MOST_CARRIED_OUT = 100
COMPARISONS: dict[Cmp, Callable[[int, int], bool]] = {
    Cmp.EQ: operator.eq, Cmp.NE: operator.ne, Cmp.LT: operator.lt, Cmp.LE: operator.le, Cmp.GT: operator.gt,
    Cmp.GE: operator.ge,
}  # fmt: skip
_OPERATIONS: dict[Op, Callable[..., int]] = {
    Op.MOV: operator.pos, Op.MAD: lambda value, by, more: value * by + more,
    Op.ADD: operator.add, Op.SUB: operator.sub, Op.MUL: operator.mul, Op.AND: operator.and_, Op.OR: operator.or_,
    Op.XOR: operator.xor, Op.SHL: lambda value, by: value << (by & 63), Op.SHR: lambda value, by: value >> (by & 63),
}  # fmt: skip
ConstantOf = Callable[[Row, Instruction], int | None]


def chain_of(
    code: Sequence[Instruction], definitions: Mapping[Row, Sequence[int]], counter: Row, constant: ConstantOf
) -> list[int]:
    """Return the instructions of a loop that compute a counter from its last value and constants, in their order; none
    where others have a part in it. ``definitions`` are the instructions of the loop that write a row."""
    if len(definitions.get(counter, [])) != 1:
        return []
    found, work = set[int](), [definitions[counter][0]]
    while work:
        n = work.pop()
        if n in found:
            continue
        if code[n].op not in _OPERATIONS or code[n].guard != NONE:
            return []
        found.add(n)
        for row in rows_read(code[n]):
            before = [at for at in definitions.get(row, []) if at < n]
            if row != counter and before:
                work.append(before[-1])
            elif row != counter and constant(row, code[n]) is None:
                return []
    return sorted(found)


def trips_of(
    code: Sequence[Instruction], chain: Sequence[int], test: int, back: Instruction, counter: Row, start: int,
    constant: ConstantOf,
) -> int:  # fmt: skip
    """Return how many trips a loop has whose counter begins with ``start``; ``test`` decides whether it goes ``back``.
    0 where these are too many, or where the test needs something else."""
    values = {counter: start}
    for trip in range(1, MOST_CARRIED_OUT + 1):
        for n in sorted([*chain, test]):
            rows = rows_read(code[n])
            known = [values.get(row, constant(row, code[n])) for row in rows]
            if None in known:
                return 0
            numbers = [value for value in known if value is not None]
            if n == test:
                goes_on = COMPARISONS[Cmp(code[n].mod)](*numbers) != back.guard_negated
            else:
                values[rows_written(code[n])[0]] = _wrapped(_OPERATIONS[code[n].op](*numbers), code[n])
        if not goes_on:
            return trip
    return 0


def _wrapped(value: int, instruction: Instruction) -> int:
    """Return a number as an instruction's type holds it."""
    bits = 8 * instruction.type.bytes
    value &= (1 << bits) - 1
    return value - (1 << bits) if instruction.type.is_signed and value >> (bits - 1) else value
