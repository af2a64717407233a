"""Evaluate an operation on constant operands: the bits are those of the simulated hardware, by the same table."""

from __future__ import annotations

from warpview.frontend.ir import Const, Instr, const
from warpview.isa.ops import OPS, OpKind, operation
from warpview.isa.program import operand_type
from warpview.isa.types import Type


def evaluate(instr: Instr) -> Const | None:
    """Return the result of an instruction whose sources are all constants; None where it does more than to compute,
    or is a function of the mathematical library, which is left to the simulator."""
    constants = [v.bits for v in instr.srcs if isinstance(v, Const)]
    if len(constants) != len(instr.srcs) or len(instr.dsts) != 1:
        return None
    info = OPS[instr.op]
    if info.compute is None or info.kind == OpKind.MATH:
        return None
    result = operation(instr.op, instr.type, instr.stype, instr.mod)(*constants)
    return Const(operand_type(info.dst, instr.type, instr.stype, instr.space), result)


def retype(value: Const, type: Type) -> Const:
    """Return the constant that a register of this type holds after a MOV of ``value``."""
    return const(type, value.bits) if type.bytes < 4 else Const(type, value.bits)
