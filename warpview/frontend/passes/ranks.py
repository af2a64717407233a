"""Rank values as LLVM's pass Reassociate does, which puts the operand of lower rank first in a sum (``getRank``)."""

from __future__ import annotations

from collections.abc import Mapping

from warpview.frontend.flow import reverse_postorder
from warpview.frontend.ir import BasicBlock, Const, Function, ParamValue, Reg, Value
from warpview.frontend.passes.liveness import count_uses
from warpview.isa.ops import Op

_OF_OPERANDS = frozenset({Op.ADD, Op.SUB, Op.MUL, Op.MAD, Op.MULWIDE, Op.MADWIDE, Op.CVT, Op.SHL, Op.SHR, Op.AND, Op.OR,
                          Op.XOR, Op.SELP, Op.SETP, Op.NOT})  # fmt: skip
_AS_OPERAND = frozenset({Op.MOV, Op.NEG})
_BEHIND_PARAMETERS = 1 << 12  # the first rank that no parameter has
_OF_BLOCK = 1 << 16


def ranks(function: Function) -> dict[tuple[BasicBlock, int], int]:
    """Return the rank of what each instruction gives, by its block and index.

    A constant has rank 0, parameters have theirs in order. A load, a quotient, a call and a value on which ways join
    have a rank of their own, in the order of the code; any other operation has one more than the highest of its
    operands.
    """
    _, writes = count_uses(function)
    found: dict[tuple[BasicBlock, int], int] = {}
    known: dict[Value, int] = {}
    for number, block in enumerate(reverse_postorder(function), 1):
        joined = own = number * _OF_BLOCK
        local: dict[Value, int] = {}  # of registers that are written several times, by the writes in this block
        for index, instr in enumerate(block.instrs):
            own += 1
            rank = own
            if instr.op in _OF_OPERANDS or instr.op in _AS_OPERAND:
                operands = (local.get(v, joined) if _is_joined(v, writes) else _of_value(v, known) for v in instr.srcs)
                rank = max(operands) + (instr.op in _OF_OPERANDS)
            found[block, index] = rank
            for dst in instr.dsts:
                (known if writes[dst] == 1 else local)[dst] = rank
    return found


def _is_joined(value: Value, writes: Mapping[Reg, int]) -> bool:
    return isinstance(value, Reg) and writes[value] > 1


def _of_value(value: Value, known: Mapping[Value, int]) -> int:
    if isinstance(value, Const):
        return 0
    if isinstance(value, ParamValue):
        return 1 + value.index
    return known.get(value, _BEHIND_PARAMETERS)
