"""Lower the extended-precision arithmetic of PTX: add.cc, addc, sub.cc, subc, mad.cc and madc.

The carry flag of a thread is a predicate register. The operations have no carry, so it is found by comparisons. A
difference is the sum with the complement of what is taken off, as in NVIDIA's machine code: the flag is set where it
borrows nothing, so that a sum may follow a difference and the other way round.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpview.frontend.ir import Reg, Value, const
from warpview.frontend.ptx.syntax import PtxInstruction
from warpview.isa.modes import Cmp
from warpview.isa.ops import Op
from warpview.isa.types import Type

if TYPE_CHECKING:
    from warpview.frontend.ptx.lowering import PtxCall

_UNSIGNED = {Type.U32: Type.U32, Type.S32: Type.U32, Type.U64: Type.U64, Type.S64: Type.U64}


def has_carry(ins: PtxInstruction) -> bool:
    """Return whether an instruction reads or writes the carry flag."""
    return ins.opcode in ("addc", "subc", "madc") or "cc" in ins.modifiers


def with_carry(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower an instruction that reads or writes the carry flag."""
    if not {"cc", "lo", "hi", "u32", "s32", "u64", "s64"}.issuperset(ins.modifiers):
        low.refuse(f"'{ins.name}'")
    type_ = ins.types[-1]
    unsigned = _UNSIGNED[type_]
    sources: list[Value] = [low.read(operand, type_) for operand in ins.operands[1:]]
    if ins.opcode.startswith("mad"):
        product = Op.MULHI if "hi" in ins.modifiers else Op.MUL
        sources = [low.emit(product, type_, sources[0], sources[1]), sources[2]]
    left, right = sources
    op, flag = (Op.SUB if ins.opcode.startswith("sub") else Op.ADD), _flag(low)
    result, carry = _step(low, op, unsigned, left, right)
    if ins.opcode.endswith("c"):
        on, off = (1, 0) if op == Op.ADD else (0, 1)
        carried: Value = low.emit(Op.SELP, Type.U32, const(Type.U32, on), const(Type.U32, off), flag)
        if unsigned == Type.U64:
            carried = low.emit(Op.CVT, unsigned, carried, stype=Type.U32)
        result, second = _step(low, op, unsigned, result, carried)
        carry = low.emit(Op.OR, Type.PRED, carry, second)
    low.write(ins.operands[0], result)
    if "cc" in ins.modifiers:
        low.builder.mov(flag, carry if op == Op.ADD else low.emit(Op.NOT, Type.PRED, carry))


def _step(low: PtxCall, op: Op, unsigned: Type, left: Value, right: Value) -> tuple[Reg, Reg]:
    """Return a sum or a difference, and its carry or borrow."""
    result = low.emit(op, unsigned, left, right)
    compared = (result, left) if op == Op.ADD else (left, right)
    return result, low.emit(Op.SETP, unsigned, *compared, mod=Cmp.LT)


def _flag(low: PtxCall) -> Reg:
    """Return the register of the carry flag; a call has its own, as the PTX ISA does not keep it across calls."""
    if low.carry is None:
        low.carry = low.function.reg(Type.PRED)
    return low.carry
