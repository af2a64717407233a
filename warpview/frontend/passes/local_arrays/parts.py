"""Give the parts of local variables registers, as far as the places of their accesses are known."""

from __future__ import annotations

from collections.abc import Iterable

from warpview.frontend.ir import Function, Instr, Reg, Slot
from warpview.frontend.passes.promote import accessed, are_apart, register_access
from warpview.isa.types import Type


class Parts:
    """Hold the registers of the parts of some slots by their offsets; ``refused`` are the slots whose accesses do not
    fit one another."""

    def __init__(self, function: Function, slots: Iterable[Slot]) -> None:
        self.function = function
        self.registers: dict[Slot, dict[int, Reg]] = {slot: {} for slot in slots}
        self.everywhere: set[Reg] = set()  # the registers of all parts
        self.refused: set[Slot] = set()

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
        """Return the copies of registers that an access ``offset`` bytes behind the start of a slot becomes."""
        registers = {}
        for index in range(instr.vec):
            at = instr.imm + index * instr.type.bytes
            registers[at] = self._register(slot, at + offset, instr.type)
        return register_access(instr, registers)

    def _register(self, slot: Slot, offset: int, type: Type) -> Reg:
        assert slot.types is not None
        found = self.registers[slot].get(offset)
        if found is None:
            found = self.registers[slot][offset] = self.function.reg(slot.types.get(offset, type), slot.name)
            self.everywhere.add(found)
        if found.type.bytes != type.bytes or (found.type != type and Type.PRED in (found.type, type)):
            self.refused.add(slot)
        return found

    def unfit(self) -> set[Slot]:
        """Return the slots that cannot live in these registers."""
        types = {slot: {o: reg.type for o, reg in parts.items()} for slot, parts in self.registers.items()}
        return self.refused | {x for x, t in types.items() if x.types is None or not are_apart(x, x.types, t)}
