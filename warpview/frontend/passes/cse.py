"""Eliminate common subexpressions: a value computed on the only way here is not computed again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import count
from typing import Any

from warpview.frontend.flow import dominators, predecessors
from warpview.frontend.interruption import checkpoint
from warpview.frontend.ir import ArrayBounds, BasicBlock, Function, Instr, Reg, Value
from warpview.frontend.passes.liveness import liveness
from warpview.frontend.passes.simplify import move
from warpview.isa.ops import MEMORY_OPS, OPS, SIDE_EFFECTS, Op
from warpview.isa.types import Type

# Operation with types and modifiers, then the sources, each with the version that it had.
Key = tuple[Op, Type, Type, int, int, ArrayBounds | None, tuple[tuple[Value, int], ...]]


Undo = tuple[dict[Any, Any], object, object]  # a table, a key, and what the table had there


class AvailableExpressions:
    """Hold the results at hand at a point of the function, as one walks down the tree of dominators and back.

    Every write gives a register a new version, which makes what is known of the old one void. Where ways join, all
    registers but those that are assigned once get new versions: a stretch without joins is an epoch.
    """

    def __init__(self, writes: Mapping[Reg, int]) -> None:
        self._writes = writes
        self._results: dict[Key, tuple[Reg, int]] = {}
        self._versions: dict[Reg, tuple[int, int]] = {}  # epoch and version of the last write
        self._numbers = count(1)
        self._epoch = 0
        self._undo: list[Undo] = []

    def version(self, value: Value) -> int:
        """Return a number that tells the contents of a register from those before; 0 for any other value."""
        if not isinstance(value, Reg):
            return 0
        epoch, number = self._versions.get(value, (0, 0))
        return number if epoch == self._epoch or self._writes[value] == 1 else -self._epoch

    def enter(self, joins: bool) -> tuple[int, int]:
        """Go down to a block, at whose start ways join or not; return what ``leave`` wants."""
        mark = len(self._undo), self._epoch
        if joins:
            self._epoch = next(self._numbers)
        return mark

    def leave(self, mark: tuple[int, int]) -> None:
        """Forget what the blocks since ``enter`` have computed."""
        changes, self._epoch = mark
        while len(self._undo) > changes:
            table, key, before = self._undo.pop()
            if before is None:
                del table[key]
            else:
                table[key] = before

    def earlier(self, key: Key) -> Reg | None:
        """Return the register that still holds the result of a computation."""
        reg, version = self._results.get(key, (None, 0))
        return reg if reg is not None and self.version(reg) == version else None

    def write(self, reg: Reg) -> None:
        """Note that a register is assigned."""
        self._set(self._versions, reg, (self._epoch, next(self._numbers)))

    def keep(self, key: Key, reg: Reg) -> None:
        """Note that a register holds the result of a computation."""
        self._set(self._results, key, (reg, self.version(reg)))

    def _set(self, table: dict[Any, Any], key: object, value: object) -> None:
        self._undo.append((table, key, table.get(key)))
        table[key] = value

    def key(self, instr: Instr) -> Key:
        """Return a key that is equal for instructions that compute the same."""
        srcs = tuple((v, self.version(v)) for v in instr.srcs)
        if OPS[instr.op].commutes:
            srcs = (*sorted(srcs[:2], key=str), *srcs[2:])
        return (instr.op, instr.type, instr.stype, instr.mod, instr.imm, instr.bounds, srcs)


def eliminate_common_subexpressions(function: Function) -> bool:
    """Reuse results of pure operations; True if any was.

    Within trees of blocks with one way in each, whatever is still at hand. Where ways join, what the dominating
    block had computed from values that are assigned only once.
    """
    preds = predecessors(function)
    below: dict[BasicBlock, list[BasicBlock]] = {block: [] for block in function.blocks}
    for block, dominator in dominators(function).items():
        if dominator is not None:
            below[dominator].append(block)
    writes = Counter(dst for block in function.blocks for instr in block.instrs for dst in instr.dsts)
    # A register that is read before it is written is zero first: one write makes two values of it.
    writes.update(value for value in liveness(function).at_start[function.blocks[0]] if isinstance(value, Reg))
    table = AvailableExpressions(writes)
    found = False
    waiting: list[tuple[BasicBlock, tuple[int, int] | None]] = [(function.blocks[0], None)]
    while waiting:
        block, mark = waiting.pop()
        if mark is not None:
            table.leave(mark)
            continue
        checkpoint()
        waiting.append((block, table.enter(joins=len(preds[block]) > 1)))
        rewritten = [_reuse(instr, table) for instr in block.instrs]
        found |= any(new is not old for new, old in zip(rewritten, block.instrs, strict=True))
        block.instrs = rewritten
        waiting += [(child, None) for child in reversed(below[block])]
    return found


def _reuse(instr: Instr, table: AvailableExpressions) -> Instr:
    """Return the instruction, or a copy of an earlier result; the table is brought up to date."""
    key = table.key(instr) if _is_pure(instr) else None
    result = instr
    if key is not None:
        earlier = table.earlier(key)
        if earlier is not None and earlier.type == instr.dsts[0].type:
            result = move(instr, earlier)
    for dst in instr.dsts:
        table.write(dst)
    if key is not None and result is instr:
        table.keep(key, instr.dsts[0])
    return result


def _is_pure(instr: Instr) -> bool:
    if instr.op in SIDE_EFFECTS or instr.op in MEMORY_OPS or instr.op in (Op.MOV, Op.TEX):
        return False
    return len(instr.dsts) == 1 and instr.guard is None
