"""Tell what the addresses of accesses to local variables are computed from, and which loops that change in."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from warpview.frontend.ir import Branch, Const, Function, Instr, Reg, Slot, SlotAddress, Value
from warpview.frontend.passes.liveness import Liveness, liveness
from warpview.frontend.passes.local_arrays.loop_nest import LoopNest, NestedLoop
from warpview.frontend.passes.local_arrays.parts import Parts
from warpview.isa.ops import OPS, Op, OpKind
from warpview.isa.types import Type

# What computes an address from another one; a comparison or a difference of two tells about them.
_CARRIES = frozenset({Op.MOV, Op.CVT, Op.ADD, Op.SUB, Op.MAD, Op.MADWIDE, Op.SELP, Op.SETP})


class AddressSources:
    """Describe how the registers of a function depend on one another, whatever way control takes."""

    def __init__(self, function: Function, nest: LoopNest, parts: Parts) -> None:
        self.function = function
        self.nest = nest
        self.parts = parts
        self.definitions: dict[Reg, list[Instr]] = {}
        self.users: dict[Value, list[Instr]] = {}
        self.defined_in: dict[Reg, set[NestedLoop]] = {}
        self.addresses: dict[Slot, set[SlotAddress]] = {}
        self.read_in: dict[Value, set[NestedLoop]] = {}
        for block in function.blocks:
            around = nest.around(block)
            for instr in block.instrs:
                for dst in instr.dsts:
                    self.definitions.setdefault(dst, []).append(instr)
                    self.defined_in.setdefault(dst, set()).update(around)
                for value in instr.reads:
                    self.users.setdefault(value, []).append(instr)
                    self.read_in.setdefault(value, set()).update(around)
                    if isinstance(value, SlotAddress):
                        self.addresses.setdefault(value.slot, set()).add(value)

    @cached_property
    def live(self) -> Liveness:
        return liveness(self.function)

    @cached_property
    def static(self) -> set[Reg]:
        """Return the registers that are computed from constants alone."""
        found = {reg for reg, instrs in self.definitions.items() if all(map(_is_computed, instrs))}
        work = [dst for reg in self.definitions if reg not in found for dst in self._dependents(reg)]
        while work:
            reg = work.pop()
            if reg in found:
                found.remove(reg)
                work += self._dependents(reg)
        return found

    def _dependents(self, value: Value) -> list[Reg]:
        return [dst for instr in self.users.get(value, ()) for dst in instr.dsts]

    def pointers_into(self, slot: Slot) -> set[Reg]:
        """Return the registers that may hold an address within a slot, or what was computed from one."""
        found: set[Reg] = set()
        work: list[Value] = list(self.addresses.get(slot, ()))
        while work:
            for instr in self.users.get(work.pop(), ()):
                fresh = [dst for dst in instr.dsts if instr.op in _CARRIES and dst not in found]
                found.update(fresh)
                work += fresh
        return found

    def sources(self, registers: Iterable[Reg]) -> set[Reg]:
        """Return registers with all those that they are computed from."""
        found = set(registers)
        work = list(found)
        while work:
            for instr in self.definitions.get(work.pop(), ()):
                read = instr.reads if _is_arithmetic(instr) else self._read_from_arrays(instr)
                fresh = [v for v in read if isinstance(v, Reg) and v not in found]
                found.update(fresh)
                work += fresh
        return found

    def _read_from_arrays(self, instr: Instr) -> Iterable[Value]:
        """Return what an element of an array is read from: its address, and the registers of all elements."""
        if instr.op != Op.LD or instr.srcs[0] not in self.arrays:
            return ()
        return (
            *instr.srcs,
            *(reg for slot in self.arrays[instr.srcs[0]] for reg in self.parts.registers[slot].values()),
        )

    @cached_property
    def arrays(self) -> dict[Value, set[Slot]]:
        """Return for each register that may hold an address within slots which these are."""
        found: dict[Value, set[Slot]] = {}
        for slot in self.parts.registers:
            for reg in self.pointers_into(slot):
                found.setdefault(reg, set()).add(slot)
        return found

    def loops_to_write_out(self, slot: Slot) -> tuple[set[NestedLoop], set[Reg]]:
        """Return the loops in whose trips the addresses within a slot differ, and the registers that decide on
        them."""
        pointers = self.pointers_into(slot)
        decisive = self.sources(pointers)
        around = self.indexed_in(slot)
        chosen: set[NestedLoop] = set()
        while True:
            more = {loop for loop in around - chosen if self._changes(loop, decisive)}
            if not more:
                return chosen, decisive
            chosen |= more
            for loop in more:
                decisive |= self._decided_exits(loop, decisive)
                around |= set(self.nest.around(loop.head))

    def indexed_in(self, slot: Slot) -> set[NestedLoop]:
        """Return the loops in which an address within a slot is computed or read."""
        values: list[Value] = [*self.addresses.get(slot, ()), *self.pointers_into(slot)]
        return set[NestedLoop]().union(*(self.read_in.get(v, ()) for v in values))

    def _changes(self, loop: NestedLoop, registers: set[Reg]) -> bool:
        """Return whether a loop carries one of the registers from trip to trip and changes it."""
        carried = self.live.at_start[loop.head]
        return any(reg in carried and loop in self.defined_in.get(reg, ()) for reg in registers)

    def _decided_exits(self, loop: NestedLoop, decisive: set[Reg]) -> set[Reg]:
        """Return what decides on the ways out of a loop, where constants and the ``decisive`` registers do."""
        found: set[Reg] = set()
        for block in loop.exits():
            if isinstance(block.terminator, Branch) and isinstance(condition := block.terminator.condition, Reg):
                found |= self._deciding(condition, decisive)
        return found

    def _deciding(self, reg: Reg, decisive: set[Reg]) -> set[Reg]:
        """Return what a register is computed from, where constants and the ``decisive`` registers are all; else the
        part that can be told without the rest: of a logical operation, a minimum or a comparison with one."""
        needed = self.sources([reg])
        if all(reg in self.static or reg in decisive or self._follows(reg) for reg in needed):
            return needed
        definitions = self.definitions.get(reg, [])
        if len(definitions) != 1:
            return set()
        (instr,) = definitions
        parts = [
            self._deciding(v, decisive) if isinstance(v, Reg) else {reg} if isinstance(v, Const) else set[Reg]()
            for v in instr.srcs
        ]
        is_told = all(parts) if instr.op in (Op.SETP, Op.MOV) else any(parts) and _is_told_by_half(instr)
        return set().union({reg}, *parts) if is_told else set()

    def _follows(self, reg: Reg) -> bool:
        return all(map(_is_computed, self.definitions.get(reg, ())))

    def static_conditions(self) -> set[Reg]:
        """Return what the conditions of branches that constants decide on are computed from."""
        ends = (block.terminator for block in self.function.blocks)
        conditions = {end.condition for end in ends if isinstance(end, Branch)}
        return self.sources({c for c in conditions if isinstance(c, Reg) and c in self.static})


def _is_arithmetic(instr: Instr) -> bool:
    return OPS[instr.op].compute is not None and OPS[instr.op].kind != OpKind.MATH and len(instr.dsts) == 1


def _is_told_by_half(instr: Instr) -> bool:
    """Return whether one operand may tell the result of an instruction, or that it is not above a constant."""
    return instr.op == Op.MIN or (instr.op in (Op.AND, Op.OR) and instr.type == Type.PRED)


def _is_computed(instr: Instr) -> bool:
    """Return whether an instruction computes its result from registers, constants and addresses of variables."""
    operands_known = all(isinstance(v, (Reg, Const, SlotAddress)) for v in instr.reads)
    return instr.guard is None and _is_arithmetic(instr) and operands_known
