"""Rank values as LLVM's pass Reassociate does, which puts the operand of lower rank first in a sum (``getRank``)."""

from __future__ import annotations

from warpview.frontend.flow import reverse_postorder
from warpview.frontend.ir import BasicBlock, Const, Function, Instr, ParamValue, Reg, Value
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
        local = {register: joined for register, count in writes.items() if count > 1}
        for index, instr in enumerate(block.instrs):
            own += 1
            rank = _rank(instr, known, local, own)
            found[block, index] = rank
            for dst in instr.dsts:
                (known if writes[dst] == 1 else local)[dst] = rank
    return found


def _rank(instr: Instr, known: dict[Value, int], local: dict[Reg, int], own: int) -> int:
    if instr.op not in _OF_OPERANDS and instr.op not in _AS_OPERAND:
        return own
    return max(_of_value(v, known, local) for v in instr.srcs) + (instr.op in _OF_OPERANDS)


def _of_value(value: Value, known: dict[Value, int], local: dict[Reg, int]) -> int:
    if isinstance(value, Const):
        return 0
    if isinstance(value, ParamValue):
        return 1 + value.index
    if isinstance(value, Reg):
        return local.get(value, known.get(value, _BEHIND_PARAMETERS))
    return _BEHIND_PARAMETERS
