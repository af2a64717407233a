"""Compute floats in place of doubles that are rounded to floats at once, as LLVM does (``visitFPTrunc``).

A float that becomes a double and a float again is itself, NaNs too; a sum, difference or product of doubles made from
two floats, rounded to a float, is that of the floats: 53 bits are more than twice 24 (S. Figueroa, 1995). It shows
where the result is joined with a product or a sum.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from warpview.frontend.ir import Const, Function, Instr, Reg, Value, const
from warpview.frontend.passes.simplify import move
from warpview.isa.ops import Op
from warpview.isa.types import Type

_NARROWED = frozenset({Op.ADD, Op.SUB, Op.MUL})


def narrow_doubles(function: Function) -> None:
    """Replace conversions of doubles to floats where what the doubles are made from is known."""
    instrs = [instr for block in function.blocks for instr in block.instrs]
    if not any(_rounds(instr) for instr in instrs):
        return
    registers = _Registers(instrs)
    for block in function.blocks:
        block.instrs = [_narrowed(instr, registers) for instr in block.instrs]


def _narrowed(instr: Instr, registers: _Registers) -> Instr:
    """Return the copy of a float, or the operation on floats, that gives what a conversion of a double gives; the
    instruction itself where there is none."""
    if not _rounds(instr):
        return instr
    if not isinstance(instr.srcs[0], Const) and (same := registers.float_of(instr.srcs[0])) is not None:
        return move(instr, same)
    source = registers.maker_of(instr.srcs[0])
    if source is None or source.op not in _NARROWED or source.type != Type.F64 or source.guard is not None:
        return instr
    is_constant = all(isinstance(value, Const) for value in source.srcs)
    if source.mod or is_constant or registers.uses[source.dsts[0]] != 1:
        return instr
    floats = tuple(value for value in map(registers.float_of, source.srcs) if value is not None)
    return instr if len(floats) < 2 else replace(source, type=Type.F32, dsts=instr.dsts, srcs=floats, span=instr.span)


class _Registers:
    """Say what the registers of a function are made from."""

    def __init__(self, instrs: list[Instr]) -> None:
        values = (value for instr in instrs for value in (*instr.srcs, *instr.extra))
        self.uses = Counter(value for value in values if isinstance(value, Reg))
        self._writes = Counter(dst for instr in instrs for dst in instr.dsts)
        alone = [instr for instr in instrs if len(instr.dsts) == 1]
        self._makers = {instr.dsts[0]: instr for instr in alone if self._writes[instr.dsts[0]] == 1}

    def maker_of(self, value: Value) -> Instr | None:
        """Return the only instruction that writes a register; None where there are several, and of a constant."""
        return self._makers.get(value) if isinstance(value, Reg) else None

    def float_of(self, double: Value) -> Value | None:
        """Return the float that a double has the value of; None where there is none."""
        if isinstance(double, Const):
            narrow = const(Type.F32, double.value)
            return narrow if narrow.value == double.value else None
        source = self.maker_of(double)
        while source is not None and source.op == Op.MOV and source.guard is None and isinstance(source.srcs[0], Reg):
            source = self.maker_of(source.srcs[0])
        if source is None or source.op != Op.CVT or source.guard is not None or source.src_types[0] != Type.F32:
            return None
        single = source.srcs[0]
        stays = not isinstance(single, Reg) or self._writes[single] <= 1
        return single if stays and source.type == Type.F64 else None


def _rounds(instr: Instr) -> bool:
    """Return whether an instruction rounds a double to a float, to nearest."""
    is_conversion = instr.op == Op.CVT and instr.type == Type.F32 and instr.guard is None and not instr.mod
    return is_conversion and instr.src_types[0] == Type.F64
