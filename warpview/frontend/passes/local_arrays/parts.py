"""Give the parts of local variables registers, as far as the places of their accesses are known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from warpview.frontend.ir import Function, Instr, Reg, Slot
from warpview.frontend.passes.part_access import is_accessible, register_access
from warpview.frontend.passes.promote import accessed
from warpview.frontend.passes.slot_parts import SlotAccess, accesses_of, chosen_parts
from warpview.isa.ops import Op
from warpview.isa.types import Type

WIDEST = 8  # bytes of an element
Layouts = Mapping[Slot, Mapping[int, Type]]  # the types of the parts of slots, by byte offset


class Parts:
    """Hold the registers of the parts of some slots by their offsets. They are those of the ``layouts``; of a slot
    without one, and where an access does not fit, they are made as the accesses come."""

    def __init__(self, function: Function, slots: Iterable[Slot], layouts: Layouts) -> None:
        self.function = function
        self.accesses: dict[Slot, set[SlotAccess]] = {slot: set() for slot in slots}
        self.everywhere: set[Reg] = set()  # the registers of all parts
        self.registers: dict[Slot, dict[int, Reg]] = {slot: {} for slot in self.accesses}
        for slot in self.accesses:
            for offset, type in layouts.get(slot, {}).items():
                self._add(slot, offset, type)

    def direct(self, instrs: Iterable[Instr]) -> list[Instr]:
        """Return instructions with the accesses to fixed places of the slots as copies of registers."""
        out: list[Instr] = []
        for instr in instrs:
            slot = accessed(instr)
            if slot is None or slot not in self.registers:
                out.append(instr)
            else:
                out += self.access(instr, slot, 0)
        return out

    def access(self, instr: Instr, slot: Slot, offset: int) -> Iterable[Instr]:
        """Return what an access ``offset`` bytes behind the start of a slot becomes; where that does not fit the
        registers, a load of something unknown."""
        registers = self.registers[slot]
        for access in accesses_of(instr, offset):
            self.accesses[slot].add(access)
            if not any(at in registers for at in range(access.offset - WIDEST + 1, access.end)):
                for start, type in (chosen_parts(slot, [access]) or {access.offset: access.type}).items():
                    self._add(slot, start, type)
        if all(is_accessible(registers, access) for access in accesses_of(instr, offset)):
            return register_access(self.function, instr, registers, offset)
        unknown = ((dst, self.function.reg(dst.type)) for dst in instr.dsts)
        return [Instr(Op.MOV, dst.type, (dst,), (value,), instr.span) for dst, value in unknown]

    def _add(self, slot: Slot, offset: int, type: Type) -> None:
        register = self.registers[slot][offset] = self.function.reg(type, slot.name)
        self.everywhere.add(register)

    def unfit(self) -> dict[Slot, dict[int, Type] | None]:
        """Return the slots that other registers suit better, with the types of these by byte offset; None for a slot
        that cannot live in registers."""
        chosen = {slot: chosen_parts(slot, accesses) for slot, accesses in self.accesses.items()}
        given = {slot: {o: reg.type for o, reg in parts.items()} for slot, parts in self.registers.items()}
        return {slot: parts for slot, parts in chosen.items() if parts is None or parts != given[slot]}
