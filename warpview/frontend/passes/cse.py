"""Common subexpressions: what was computed on the only way here is not computed again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count

from warpview.frontend.flow import dominators, predecessors, reverse_postorder
from warpview.frontend.interruption import checkpoint
from warpview.frontend.ir import BasicBlock, Function, Instr, Reg, Value
from warpview.frontend.passes.simplify import move
from warpview.isa.ops import MEMORY_OPS, OPS, SIDE_EFFECTS, Op
from warpview.isa.types import Type

# Operation with types and modifiers, then the sources, each with the version that it had.
Key = tuple[Op, Type, Type, int, int, tuple[tuple[Value, int], ...]]


@dataclass
class AvailableExpressions:
    """Knows the results at hand. Every write gives a register a new version, which makes what is known of the old one
    void."""

    results: dict[Key, tuple[Reg, int]] = field(default_factory=dict)
    versions: dict[Value, int] = field(default_factory=dict)

    def copy(self) -> AvailableExpressions:
        return AvailableExpressions(dict(self.results), dict(self.versions))

    def lasting(self, writes: Mapping[Reg, int]) -> AvailableExpressions:
        """Return the results that hold wherever this table's block dominates: all registers in them are assigned
        once."""
        kept = {
            key: (reg, version)
            for key, (reg, version) in self.results.items()
            if writes[reg] == 1 and all(writes[v] == 1 for v, _ in key[-1] if isinstance(v, Reg))
        }
        return AvailableExpressions(
            kept, {v: n for v, n in self.versions.items() if isinstance(v, Reg) and writes[v] == 1}
        )

    def key(self, instr: Instr) -> Key:
        """Return a key that is equal for instructions that compute the same."""
        srcs = tuple((v, self.versions.get(v, 0)) for v in instr.srcs)
        if OPS[instr.op].commutes:
            srcs = (*sorted(srcs[:2], key=str), *srcs[2:])
        return (instr.op, instr.type, instr.stype, instr.mod, instr.imm, srcs)


def eliminate_common_subexpressions(function: Function) -> bool:
    """Reuse results of pure operations; True if any was.

    Within trees of blocks with one way in each, whatever is still at hand. Where ways join, what the dominating
    block had computed from values that are assigned only once.
    """
    preds = predecessors(function)
    above = dominators(function)
    writes = Counter(dst for block in function.blocks for instr in block.instrs for dst in instr.dsts)
    numbers = count(1)
    at_end: dict[BasicBlock, AvailableExpressions] = {}
    found = False
    for block in reverse_postorder(function):
        checkpoint()
        table = AvailableExpressions()
        dominator = above[block]
        if dominator is not None:
            alone = preds[block] == [dominator]
            table = at_end[dominator].copy() if alone else at_end[dominator].lasting(writes)
        rewritten = [_reuse(instr, table, numbers) for instr in block.instrs]
        found |= any(new is not old for new, old in zip(rewritten, block.instrs, strict=True))
        block.instrs = rewritten
        at_end[block] = table
    return found


def _reuse(instr: Instr, table: AvailableExpressions, numbers: count[int]) -> Instr:
    """Return the instruction, or a copy of an earlier result; the table is brought up to date."""
    key = table.key(instr) if _is_pure(instr) else None
    result = instr
    if key is not None and key in table.results:
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
