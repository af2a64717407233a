"""Propagate constants and copies over the whole graph, with constant folding on the way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from warpview.frontend.flow import predecessors, reverse_postorder
from warpview.frontend.interruption import checkpoint
from warpview.frontend.ir import BasicBlock, Branch, Const, Function, Instr, Reg, SpecialValue, Value
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


@dataclass(frozen=True)
class BlockVisit:
    """Hold the outcome of a walk over a block: its instructions with what is known replaced, and the values known at
    its end, ``leaving`` of those that are read later. ``entering`` are the values known before it."""

    entering: dict[Reg, Value]
    instrs: list[Instr]
    known: KnownValues
    leaving: dict[Reg, Value]


def propagate(function: Function) -> None:
    """Replace what is known. Copies that become dead are left to ``remove_dead``."""
    for block, visit in _visits(function).items():
        block.instrs = visit.instrs
        if isinstance(block.terminator, Branch):
            condition = visit.known.look_up(block.terminator.condition)
            if condition is not block.terminator.condition:
                block.terminator = replace(block.terminator, condition=condition)


def known_at_end(function: Function) -> dict[BasicBlock, dict[Reg, Value]]:
    """Return for each reachable block: registers that are read later and that equal another value at its end."""
    return {block: visit.leaving for block, visit in _visits(function).items()}


def _visits(function: Function) -> dict[BasicBlock, BlockVisit]:
    """Walk the reachable blocks until nothing more becomes known; a block is walked again only where the values known
    before it differ from those of its last visit."""
    preds = predecessors(function)
    order = reverse_postorder(function)
    live = liveness(function).at_end
    visits: dict[BasicBlock, BlockVisit] = {}
    changed = True
    while changed:
        changed = False
        for block in order:
            known = _meet([visits[p].leaving for p in preds[block] if p in visits], entry=block is order[0])
            last = visits.get(block)
            if last is not None and last.entering == known.values:
                continue
            entering = dict(known.values)
            instrs = _walk(block, known)
            leaving = {reg: value for reg, value in known.values.items() if reg in live[block]}
            visits[block] = BlockVisit(entering, instrs, known, leaving)
            changed |= last is None or last.leaving != leaving
    return visits


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
    elif not dst.name and _same_reading(dst.type, value.type) and not _is_asked_again(value):
        known_values.learn(dst, value)


def _is_asked_again(value: Value) -> bool:
    """Return whether a value is fetched each time that the source asks for it."""
    return isinstance(value, SpecialValue) and value.is_volatile


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
