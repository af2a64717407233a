"""Common subexpressions: what was computed on the only way here is not computed again."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from itertools import count

from warpview.frontend.flow import predecessors, reverse_postorder
from warpview.frontend.ir import Block, Function, Instr, Reg, Value
from warpview.frontend.passes.simplify import move
from warpview.isa.ops import MEMORY_OPS, SIDE_EFFECTS, Op

_COMMUTATIVE = frozenset({Op.ADD, Op.MUL, Op.MULHI, Op.MULWIDE, Op.AND, Op.OR, Op.XOR})


@dataclass
class Table:
    """Results at hand. Every write gives a register a new version, which makes what is known of the old one void."""

    results: dict[Hashable, tuple[Reg, int]] = field(default_factory=dict)
    versions: dict[Value, int] = field(default_factory=dict)

    def copy(self) -> Table:
        return Table(dict(self.results), dict(self.versions))

    def key(self, instr: Instr) -> Hashable:
        """What makes two instructions compute the same."""
        srcs = tuple((v, self.versions.get(v, 0)) for v in instr.srcs)
        if instr.op in _COMMUTATIVE:
            srcs = tuple(sorted(srcs, key=str))
        return (instr.op, instr.type, instr.stype, instr.mod, instr.imm, srcs)


def share(function: Function) -> None:
    """Within extended basic blocks (trees of blocks with one way in), reuse results of pure operations."""
    preds = predecessors(function)
    numbers = count(1)
    at_end: dict[Block, Table] = {}
    for block in reverse_postorder(function):
        sources = preds[block]
        table = at_end[sources[0]].copy() if len(sources) == 1 and sources[0] in at_end else Table()
        block.instrs = [_look_up(instr, table, numbers) for instr in block.instrs]
        at_end[block] = table


def _look_up(instr: Instr, table: Table, numbers: count[int]) -> Instr:
    """The instruction, or a copy of an earlier result; the table is brought up to date."""
    key = table.key(instr) if _is_pure(instr) else None
    result = instr
    if key in table.results:
        earlier, version = table.results[key]
        if table.versions.get(earlier, 0) == version and earlier.type == instr.dsts[0].type:
            result = move(instr, earlier)
    for dst in instr.dsts:
        table.versions[dst] = next(numbers)
    if key is not None and result is instr:
        table.results[key] = (instr.dsts[0], table.versions[instr.dsts[0]])
    return result


def _is_pure(instr: Instr) -> bool:
    if instr.op in SIDE_EFFECTS or instr.op in MEMORY_OPS or instr.op == Op.MOV:
        return False
    return len(instr.dsts) == 1 and instr.guard is None
