"""Propagate constants and copies over the whole graph, with constant folding on the way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from warpview.frontend.flow import predecessors, reverse_postorder
from warpview.frontend.interruption import checkpoint
from warpview.frontend.ir import BasicBlock, Branch, Const, Function, Instr, Reg, Value
from warpview.frontend.passes.evaluate import retype
from warpview.frontend.passes.liveness import liveness
from warpview.frontend.passes.simplify import simplify
from warpview.isa.ops import Op
from warpview.isa.types import Type


@dataclass
class KnownValues:
    """Hold the registers that equal another value at one point of a function. ``users`` has for a register those that
    equal it."""

    values: dict[Reg, Value] = field(default_factory=dict)
    users: dict[Reg, set[Reg]] = field(default_factory=dict)

    def learn(self, reg: Reg, value: Value) -> None:
        self.values[reg] = value
        if isinstance(value, Reg):
            self.users.setdefault(value, set()).add(reg)

    def forget(self, reg: Reg) -> None:
        """Drop what is known of a register that gets another value, and of those that equal it."""
        self.values.pop(reg, None)
        for user in self.users.pop(reg, ()):
            if self.values.get(user) is reg:
                del self.values[user]

    def look_up(self, value: Value) -> Value:
        return self.values.get(value, value) if isinstance(value, Reg) else value


def propagate(function: Function) -> bool:
    """Replace what is known; True if anything changed. Copies that become dead are left to ``remove_dead``."""
    preds = predecessors(function)
    order = reverse_postorder(function)
    known = known_at_end(function)
    rewritten = [_rewrite(block, _meet([known[p] for p in preds[block]], block is order[0])) for block in order]
    return any(rewritten)


def known_at_end(function: Function) -> dict[BasicBlock, dict[Reg, Value]]:
    """Return for each reachable block: registers that are read later and that equal another value at its end."""
    preds = predecessors(function)
    order = reverse_postorder(function)
    live = liveness(function).at_end
    known: dict[BasicBlock, dict[Reg, Value]] = {}
    changed = True
    while changed:
        changed = False
        for block in order:
            known_values = _meet([known[p] for p in preds[block] if p in known], entry=block is order[0])
            _walk(block, known_values)
            out = {reg: value for reg, value in known_values.values.items() if reg in live[block]}
            if known.get(block) != out:
                known[block] = out
                changed = True
    return known


def _meet(incoming: Iterable[dict[Reg, Value]], entry: bool) -> KnownValues:
    """Return the copies that hold on every way into a block; none hold where the kernel starts."""
    known_values = KnownValues()
    maps = list(incoming)
    if not maps or entry:
        return known_values
    for reg, value in maps[0].items():
        if all(reg in other and other[reg] == value for other in maps[1:]):
            known_values.learn(reg, value)
    return known_values


def _rewrite(block: BasicBlock, known_values: KnownValues) -> bool:
    before = block.instrs
    block.instrs = _walk(block, known_values)
    changed = len(before) != len(block.instrs) or any(
        new is not old for new, old in zip(block.instrs, before, strict=True)
    )
    if isinstance(block.terminator, Branch):
        condition = known_values.look_up(block.terminator.condition)
        if condition is not block.terminator.condition:
            block.terminator = replace(block.terminator, condition=condition)
            changed = True
    return changed


def _walk(block: BasicBlock, known_values: KnownValues) -> list[Instr]:
    """Return the block's instructions with what is known replaced; ``known_values`` become those at its end."""
    checkpoint()
    out: list[Instr] = []
    for old in block.instrs:
        instr = simplify(_substitute(old, known_values))
        if isinstance(instr.guard, Const):
            if bool(instr.guard.bits) == instr.guard_negated:
                continue
            instr = replace(instr, guard=None, guard_negated=False)
        if instr.op == Op.MOV and instr.srcs[0] == instr.dsts[0]:
            continue
        for dst in instr.dsts:
            known_values.forget(dst)
        if instr.op == Op.MOV and instr.guard is None:
            _learn_copy(known_values, instr)
        out.append(instr)
    return out


def _learn_copy(known_values: KnownValues, instr: Instr) -> None:
    """Learn from a copy. A variable of the source keeps its register, so that it can be watched; constants spread."""
    dst, value = instr.dsts[0], instr.srcs[0]
    if isinstance(value, Const):
        known_values.learn(dst, retype(value, dst.type))
    elif not dst.name and _same_reading(dst.type, value.type):
        known_values.learn(dst, value)


def _same_reading(a: Type, b: Type) -> bool:
    """Return true where a register of one type may stand for one of the other in every instruction."""
    return a == b or (
        a.bytes == b.bytes and a.bytes >= 4 and not (a.is_float or b.is_float)
    )  # u32 and s32, u64 and s64


def _substitute(instr: Instr, known_values: KnownValues) -> Instr:
    if not known_values.values:
        return instr
    srcs = tuple(known_values.look_up(v) for v in instr.srcs)
    extra = tuple(known_values.look_up(v) for v in instr.extra)
    guard = instr.guard if instr.guard is None else known_values.look_up(instr.guard)
    if srcs == instr.srcs and extra == instr.extra and guard is instr.guard:
        return instr
    return replace(instr, srcs=srcs, extra=extra, guard=guard)
