"""Lower the video instructions of PTX, which compute with bytes and halves of words, alone (vadd) or side by side
(vadd4)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from warpview.frontend.ir import Value, const
from warpview.frontend.ptx import table
from warpview.frontend.ptx.syntax import PtxInstruction, PtxOperand
from warpview.isa.ops import Op
from warpview.isa.types import Type

if TYPE_CHECKING:
    from warpview.frontend.ptx.lowering import PtxCall

_SECOND = {"add": Op.ADD, "min": Op.MIN, "max": Op.MAX}
_SIMPLE = {"vadd": Op.ADD, "vsub": Op.SUB, "vmin": Op.MIN, "vmax": Op.MAX}
_SCALES = {"shr7": 7, "shr15": 15}
SCALAR = (*_SIMPLE, "vabsdiff", "vshl", "vshr", "vset")
OPCODES = ("vmad", *SCALAR, *(name + count for name in (*_SIMPLE, "vabsdiff", "vavrg", "vset") for count in "24"))


def compute(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower an instruction of ``OPCODES``."""
    known = {"u32", "s32", "sat"}
    known |= {"po", *_SCALES} if ins.opcode == "vmad" else {"clamp", "wrap", *_SECOND, *table.COMPARISONS}
    if not known.issuperset(ins.modifiers) or len(ins.operands) not in (3, 4):
        low.refuse(f"'{ins.name}'")
    lowering = _Product if ins.opcode == "vmad" else _SideBySide if ins.opcode[-1] in "24" else _Video
    lowering(low, ins).lower()


class _Video:
    """Lower an instruction on one part of each source. All is computed in 64 bits."""

    def __init__(self, low: PtxCall, ins: PtxInstruction) -> None:
        self.low, self.ins = low, ins
        signs = [m for m in ins.modifiers if m in ("u32", "s32")]
        is_set = ins.opcode.startswith("vset")
        self.result_sign, *self.signs = ["u32", *signs] if is_set else signs
        self.second = next((_SECOND[m] for m in ins.modifiers if m in _SECOND), None)
        self.sources = [_selected(operand) for operand in ins.operands]

    def emit(self, op: Op, *sources: Value, mod: int = 0) -> Value:
        return self.low.emit(op, Type.S64, *sources, mod=mod)

    def lower(self) -> None:
        (target, place), *sources = self.sources
        a, b = (self.part(*source, sign) for source, sign in zip(sources, self.signs, strict=False))
        width, first = _place(place)
        found = self.limited(self.value(self.ins.opcode, a, b), width)
        if len(sources) == 3:
            found = self.joined(found, sources[2][0], width, first)
        self.low.write(target, self.low.emit(Op.CVT, Type.U32, found, stype=Type.S64))

    def joined(self, found: Value, third: PtxOperand, width: int, first: int) -> Value:
        """Return the result of the second operation, or the third source with the result in its place."""
        old = self.part(third, "", self.result_sign)
        if self.second is not None:
            return self.emit(self.second, found, old)
        ones = (1 << width) - 1
        moved = self.emit(Op.SHL, self.emit(Op.AND, found, const(Type.S64, ones)), const(Type.U32, first))
        return self.emit(Op.OR, self.emit(Op.AND, old, const(Type.S64, ~(ones << first))), moved)

    def part(self, operand: PtxOperand, selector: str, sign: str) -> Value:
        """Return the selected part of a source, extended as its type says."""
        width, first = _place(selector)
        return self.extended(self.low.read(operand, Type.U32), width, first, sign)

    def extended(self, word: Value, width: int, first: int, sign: str) -> Value:
        """Return ``width`` bits of a word from bit ``first`` on as a number."""
        wide = self.low.emit(Op.CVT, Type.S64, word, stype=Type.U32)
        raised = self.emit(Op.SHL, wide, const(Type.U32, 64 - width - first))
        type_ = Type.S64 if sign == "s32" else Type.U64
        return self.low.emit(Op.SHR, type_, raised, const(Type.U32, 64 - width))

    def limited(self, found: Value, width: int) -> Value:
        """Return a result limited to the numbers of its part, where the instruction says so."""
        if "sat" not in self.ins.modifiers:
            return found
        is_signed = self.result_sign == "s32"
        least, most = (-(1 << width - 1), (1 << width - 1) - 1) if is_signed else (0, (1 << width) - 1)
        return self.emit(Op.MIN, self.emit(Op.MAX, found, const(Type.S64, least)), const(Type.S64, most))

    def value(self, name: str, a: Value, b: Value) -> Value:
        """Return the result of one operation."""
        if name in _SIMPLE:
            return self.emit(_SIMPLE[name], a, b)
        if name == "vabsdiff":
            return self.emit(Op.ABS, self.emit(Op.SUB, a, b))
        if name == "vavrg":  # rounded up, of negative sums down
            total = self.emit(Op.ADD, a, b)
            not_negative = self.emit(Op.XOR, self.emit(Op.SHR, total, const(Type.U32, 63)), const(Type.S64, -1))
            return self.emit(Op.SHR, self.emit(Op.SUB, total, not_negative), const(Type.U32, 1))
        if name == "vset":
            relation = next(m for m in self.ins.modifiers if m in table.COMPARISONS)
            holds = self.emit(Op.SETP, a, b, mod=table.COMPARISONS[relation])
            return self.emit(Op.SELP, const(Type.S64, 1), const(Type.S64, 0), holds)
        return self._shifted(name, a, b)

    def _shifted(self, name: str, a: Value, b: Value) -> Value:
        if "wrap" in self.ins.modifiers:
            count = self.emit(Op.AND, b, const(Type.S64, 31))
        else:
            count = self.emit(Op.MIN, b, const(Type.S64, 32))
        by = self.low.emit(Op.CVT, Type.U32, count, stype=Type.S64)
        return self.emit(Op.SHL if name == "vshl" else Op.SHR, a, by)


class _SideBySide(_Video):
    """Lower an instruction on two halves or four bytes of each source."""

    def lower(self) -> None:
        (target, mask), *sources = self.sources
        count = int(self.ins.opcode[-1])
        width = 32 // count
        words = [self.low.read(operand, Type.U32) for operand, _ in sources]
        every = [str(k) for k in range(2 * count)]
        chosen = [selector[1:][::-1] or "".join(every[start : start + count])
                  for (_, selector), start in zip(sources, (0, count), strict=False)]  # fmt: skip
        results: dict[int, Value] = {}
        for k in range(count):
            if mask and str(k) not in mask:
                continue
            lanes = zip((int(picks[k]) for picks in chosen), self.signs, strict=False)
            a, b = (self._lane(words, number, count, sign) for number, sign in lanes)
            results[k] = self.limited(self.value(self.ins.opcode[:-1], a, b), width)
        if len(words) == 3 and self.second == Op.ADD:
            total = self.extended(words[2], 32, 0, self.result_sign)
            for found in results.values():
                total = self.emit(Op.ADD, total, found)
        else:
            total = self._packed(results, words[2] if len(words) == 3 else const(Type.U32, 0), width)
        self.low.write(target, self.low.emit(Op.CVT, Type.U32, total, stype=Type.S64))

    def _lane(self, words: list[Value], number: int, count: int, sign: str) -> Value:
        width = 32 // count
        return self.extended(words[number // count], width, width * (number % count), sign)

    def _packed(self, results: dict[int, Value], third: Value, width: int) -> Value:
        ones = (1 << width) - 1
        kept = ~sum(ones << width * k for k in results)
        total = self.emit(Op.AND, self.extended(third, 32, 0, "u32"), const(Type.S64, kept))
        for k, found in results.items():
            bits = self.emit(Op.AND, found, const(Type.S64, ones))
            total = self.emit(Op.OR, total, self.emit(Op.SHL, bits, const(Type.U32, width * k)))
        return total


class _Product(_Video):
    """Lower vmad: a product of parts, plus a word, shifted right. Sums of 64 bits are exact, but for those of a negated
    product of two unsigned words, or less a word."""

    def lower(self) -> None:
        target, *sources = self.sources
        negated = [operand.negated for operand in self.ins.operands[1:]]
        a, b, c = ((replace(operand, negated=False), selector) for operand, selector in sources)
        is_signed = "s32" in self.signs or any(negated)
        if any(negated) and "s32" not in self.signs and {"sat", *_SCALES} & set(self.ins.modifiers):
            self.low.refuse(f"'{self.ins.name}' of unsigned sources with a sign")
        total = self.emit(Op.MUL, self.part(*a, self.signs[0]), self.part(*b, self.signs[1]))
        third = self.part(*c, "s32" if is_signed else "u32")
        if negated[0] != negated[1]:
            total = self.emit(Op.SUB, third, total)
        else:
            total = self.emit(Op.SUB if negated[2] else Op.ADD, total, third)
        if "po" in self.ins.modifiers:
            total = self.emit(Op.ADD, total, const(Type.S64, 1))
        type_ = Type.S64 if is_signed else Type.U64
        shift = next((_SCALES[m] for m in self.ins.modifiers if m in _SCALES), 0)
        total = self.low.emit(Op.SHR, type_, total, const(Type.U32, shift))
        if "sat" in self.ins.modifiers:
            least, most = (-(1 << 31), (1 << 31) - 1) if is_signed else (0, (1 << 32) - 1)
            total = self.low.emit(Op.MAX, type_, total, const(type_, least))
            total = self.low.emit(Op.MIN, type_, total, const(type_, most))
        self.low.write(target[0], self.low.emit(Op.CVT, Type.U32, total, stype=Type.S64))


def _selected(operand: PtxOperand) -> tuple[PtxOperand, str]:
    """Return an operand without its selector, and the selector, such as "b0"; empty where there is none."""
    name, _, selector = operand.text.partition(".")
    return (replace(operand, text=name), selector) if operand.kind == "name" else (operand, "")


def _place(selector: str) -> tuple[int, int]:
    """Return the width of the part that a selector names, and its first bit."""
    if not selector:
        return 32, 0
    width = {"b": 8, "h": 16}[selector[0]]
    return width, width * int(selector[1:])
