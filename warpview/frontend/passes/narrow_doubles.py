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
    counts = Counter(dst for instr in instrs for dst in instr.dsts)
    uses = Counter(value for instr in instrs for value in (*instr.srcs, *instr.extra) if isinstance(value, Reg))
    made = {instr.dsts[0]: instr for instr in instrs if len(instr.dsts) == 1 and counts[instr.dsts[0]] == 1}

    def float_of(value: Value) -> Value | None:
        """Return the float that a double has the value of; None where there is none."""
        if isinstance(value, Const):
            narrow = const(Type.F32, value.value)
            return narrow if narrow.value == value.value else None
        source = made.get(value) if isinstance(value, Reg) else None
        while source is not None and source.op == Op.MOV and source.guard is None and isinstance(source.srcs[0], Reg):
            source = made.get(source.srcs[0])
        if source is None or source.op != Op.CVT or source.guard is not None or source.src_types[0] != Type.F32:
            return None
        single = source.srcs[0]
        stays = not isinstance(single, Reg) or counts[single] <= 1
        return single if stays and source.type == Type.F64 else None

    def narrowed(instr: Instr) -> Instr:
        if not _rounds(instr):
            return instr
        if not isinstance(instr.srcs[0], Const) and (same := float_of(instr.srcs[0])) is not None:
            return move(instr, same)
        source = made.get(instr.srcs[0]) if isinstance(instr.srcs[0], Reg) else None
        if source is None or source.op not in _NARROWED or source.type != Type.F64 or uses[source.dsts[0]] != 1:
            return instr
        sources = [float_of(value) for value in source.srcs]
        if source.guard is not None or source.mod or all(isinstance(value, Const) for value in source.srcs):
            return instr
        found = tuple(value for value in sources if value is not None)
        return instr if len(found) < 2 else replace(source, type=Type.F32, dsts=instr.dsts, srcs=found, span=instr.span)

    for block in function.blocks:
        block.instrs = [narrowed(instr) for instr in block.instrs]


def _rounds(instr: Instr) -> bool:
    """Return whether an instruction rounds a double to a float, to nearest."""
    is_conversion = instr.op == Op.CVT and instr.type == Type.F32 and instr.guard is None and not instr.mod
    return is_conversion and instr.src_types[0] == Type.F64
