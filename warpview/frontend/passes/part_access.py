"""Write the accesses of a local variable that lives in registers as operations on these."""

from __future__ import annotations

from collections.abc import Mapping

from warpview.frontend.ir import Const, Function, Instr, Reg, Value, const
from warpview.frontend.passes.slot_parts import WORD, SlotAccess, accesses_of
from warpview.isa.modes import KEEPS_OTHERS
from warpview.isa.ops import Cmp, Op
from warpview.isa.types import Type


def is_accessible(registers: Mapping[int, Reg], access: SlotAccess) -> bool:
    """Return whether parts by byte offset have all bytes of an access: one of its size, a word that holds it, or
    several that it holds."""
    whole = registers.get(access.offset)
    if whole is not None and whole.type.bytes == access.size:
        return True
    wanted = set(range(access.offset, access.end))
    for start in range(access.offset - WORD + 1, access.end):
        part = registers.get(start)
        if part is None:
            continue
        held = set(range(start, start + part.type.bytes))
        if len(held) <= WORD and held > wanted:
            return True
        if held <= set(range(access.offset, access.end)):
            wanted -= held
    return not wanted


def register_access(function: Function, instr: Instr, registers: Mapping[int, Reg], offset: int = 0) -> list[Instr]:
    """Return what a load or store becomes whose address is ``offset`` bytes behind the start of a slot with these
    registers, by byte offset: copies, and where a part and the access differ in size shifts and choices of bytes."""
    writer = _Writer(function, instr, registers)
    for index, access in enumerate(accesses_of(instr, offset)):
        if access.is_load:
            writer.load(instr.dsts[index], access.type, access.offset)
        else:
            writer.store(instr.srcs[1 + index], access.type, access.offset)
    return writer.out


class _Writer:
    def __init__(self, function: Function, instr: Instr, registers: Mapping[int, Reg]) -> None:
        self.out: list[Instr] = []
        self._function = function
        self._instr = instr
        self._registers = registers

    # ----------------------------------------------------------------------------------------------- loads
    def load(self, dst: Reg, type: Type, at: int) -> None:
        """Write a load of the bytes from ``at`` on."""
        part = self._registers.get(at)
        if part is not None and part.type.bytes == type.bytes:
            self._read(dst, type, part)
        elif type.bytes > WORD:
            self._guarded(Op.MOV, dst.type, dst, self._pair(at))
        elif (start := self._holder(at)) < at or (part is not None and part.type.bytes > type.bytes):
            self._read(dst, type, self._shifted(self._registers[start], at - start))
        else:
            self._guarded(Op.MOV, type, dst, self._joined(at, type.bytes))

    def _read(self, dst: Reg, type: Type, part: Value) -> None:
        """Write a copy of a part, or of its lower bytes; a truth value is a byte that is not zero."""
        if type == Type.PRED and part.type != Type.PRED:
            byte = part if part.type.bytes == 1 else self._made(Op.MOV, Type.U8, part)
            self._guarded(Op.SETP, Type.S32, dst, byte, const(Type.S32, 0), mod=Cmp.NE)
        else:
            self._guarded(Op.MOV, dst.type if part.type.bytes == type.bytes else type, dst, part)

    def _pair(self, at: int) -> Reg:
        """Return the 64 bits of two words."""
        low, high = (self._made(Op.CVT, Type.U64, self._word(at + k), stype=Type.U32) for k in (0, WORD))
        return self._made(Op.OR, Type.U64, self._made(Op.SHL, Type.U64, high, const(Type.U32, 32)), low)

    def _word(self, at: int) -> Reg:
        word = self._function.reg(Type.U32)
        instr = self._instr
        self._instr = Instr(Op.MOV, Type.U32, (), (), instr.span)  # the guard is of the last operation alone
        self.load(word, Type.U32, at)
        self._instr = instr
        return word

    def _joined(self, at: int, size: int) -> Value:
        """Return the bytes of several parts in one word."""
        joined: Value = self._registers[at]
        for offset in range(1, size):
            part = self._registers.get(at + offset)
            if part is not None:
                joined = self._inserted(joined, part, part.type.bytes, offset)
        return joined

    # ---------------------------------------------------------------------------------------------- stores
    def store(self, value: Value, type: Type, at: int) -> None:
        """Write a store of a value to the bytes from ``at`` on."""
        part = self._registers.get(at)
        if part is not None and part.type.bytes == type.bytes:
            value = value if part.type == Type.PRED else self._as_bits(value)
            self._guarded(Op.MOV, part.type, part, value)
        elif (start := self._holder(at)) < at or (part is not None and part.type.bytes > type.bytes):
            part = self._registers[start]
            self._guarded(Op.MOV, part.type, part, self._beside(part, self._as_bits(value), type.bytes, at - start))
        elif type.bytes > WORD:
            for half in (0, WORD):
                self.store(self._half(value, half), Type.U32, at + half)
        else:
            for offset in range(type.bytes):
                if at + offset in self._registers:
                    part = self._registers[at + offset]
                    self._guarded(Op.MOV, part.type, part, self._taken(value, offset, part.type))

    def _half(self, value: Value, start: int) -> Value:
        """Return a word of 64 bits."""
        if isinstance(value, Const):
            return const(Type.U32, value.bits >> 8 * start)
        if value.type == Type.F64:
            value = self._made(Op.MOV, Type.U64, value)
        if start:
            value = self._made(Op.SHR, Type.U64, value, const(Type.U32, 8 * start))
        return self._made(Op.CVT, Type.U32, value, stype=Type.U64)

    def _taken(self, value: Value, start: int, type: Type) -> Value:
        """Return the bytes of a value from ``start`` on that a part of a type takes."""
        if isinstance(value, Const):
            bits = value.bits >> 8 * start & (1 << 8 * type.bytes) - 1
            return const(type, bits)
        return self._shifted(value, start)

    # ------------------------------------------------------------------------------------------------ bits
    def _holder(self, at: int) -> int:
        """Return the offset of the part that holds the byte ``at``."""
        return next(start for start in range(at, at - WORD, -1) if start in self._registers)

    def _as_bits(self, value: Value) -> Value:
        """Return a value as a number; a truth value is 0 or 1."""
        if value.type != Type.PRED:
            return value
        if isinstance(value, Const):
            return const(Type.U8, value.bits)
        return self._made(Op.SELP, Type.U32, const(Type.U32, 1), const(Type.U32, 0), value)

    def _shifted(self, value: Value, start: int) -> Value:
        """Return the bytes of a word from ``start`` on, the others above them."""
        if value.type == Type.F32:
            value = self._made(Op.MOV, Type.U32, value)
        return self._made(Op.SHR, Type.U32, value, const(Type.U32, 8 * start)) if start else value

    def _beside(self, word: Value, value: Value, size: int, start: int) -> Reg:
        """Return a word with the lower bytes of a value, beside others that may be undefined without harm."""
        others = const(Type.U32, ~(((1 << 8 * size) - 1) << 8 * start))
        kept = self._made(Op.AND, Type.U32, word, others, mod=KEEPS_OTHERS)
        return self._inserted(kept, value, size, start)

    def _inserted(self, word: Value, value: Value, size: int, start: int) -> Reg:
        """Return a word with the lower bytes of a value from byte ``start`` on."""
        chosen = (WORD + k - start if start <= k < start + size else k for k in range(WORD))
        selector = sum(choice << 4 * k for k, choice in enumerate(chosen))
        if isinstance(value, Const):
            value = const(Type.U32, value.bits)
        elif value.type == Type.F32:
            value = self._made(Op.MOV, Type.U32, value)
        return self._made(Op.PRMT, Type.U32, word, value, const(Type.U32, selector))

    def _made(self, op: Op, type: Type, *srcs: Value, mod: int = 0, stype: Type = Type.U32) -> Reg:
        dst = self._function.reg(type)
        self.out.append(Instr(op, type, (dst,), srcs, self._instr.span, mod=mod, stype=stype))
        return dst

    def _guarded(self, op: Op, type: Type, dst: Reg, *srcs: Value, mod: int = 0) -> None:
        """Write what the access itself does."""
        guard, negated = self._instr.guard, self._instr.guard_negated
        self.out.append(Instr(op, type, (dst,), srcs, self._instr.span, guard=guard, guard_negated=negated, mod=mod))
