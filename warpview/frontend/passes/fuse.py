"""Fuse two instructions that the hardware has as one: multiply-add, widening multiply, comparison of a comparison."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from warpview.frontend.ir import BasicBlock, Branch, Const, Function, Instr, Reg, Value, const
from warpview.frontend.passes.liveness import count_uses
from warpview.frontend.passes.simplify import move
from warpview.isa.ops import Cmp, Op
from warpview.isa.types import Type

Maker = Callable[[Value], Instr | None]

_INTEGERS = frozenset({Type.U32, Type.S32, Type.U64, Type.S64})
_INVERSE = {Cmp.EQ: Cmp.NE, Cmp.NE: Cmp.EQ, Cmp.LT: Cmp.GE, Cmp.LE: Cmp.GT, Cmp.GT: Cmp.LE, Cmp.GE: Cmp.LT}


def fuse(function: Function) -> None:
    """Rewrite consumers of single-use temporaries; the instructions that made these become dead."""
    reads, writes = count_uses(function)
    single = {r for r in writes if not r.name and writes[r] == 1 and reads[r] == 1}
    for block in function.blocks:
        _fuse_block(block, single)


def _fuse_block(block: BasicBlock, single: set[Reg]) -> None:
    makers: dict[Value, tuple[int, Instr]] = {}
    written: dict[Value, int] = {}  # register -> index of its last write in the block
    out: list[Instr] = []

    def maker(value: Value) -> Instr | None:
        """Return the instruction that makes a single-use temporary, if its operands still hold what they did."""
        found = makers.get(value)
        if found is None or any(written.get(v, -1) > found[0] for v in found[1].srcs):
            return None
        return found[1]

    for instr in block.instrs:
        if instr.guard is None:
            instr = _fused(instr, maker)
            if len(instr.dsts) == 1 and instr.dsts[0] in single:
                makers[instr.dsts[0]] = (len(out), instr)
        written.update(dict.fromkeys(instr.dsts, len(out)))
        out.append(instr)
    block.instrs = out
    _turn_branch(block, maker)


def _fused(instr: Instr, maker: Maker) -> Instr:
    if instr.op == Op.ADD and instr.type in _INTEGERS:
        return _multiply_add(instr, maker)
    if instr.op in (Op.SHL, Op.MUL) and instr.type in (Type.U64, Type.S64):
        return _widening_multiply(instr, maker)
    if instr.op == Op.SETP:
        return _truth(instr, maker)
    if instr.op == Op.NOT and instr.type == Type.PRED:
        inner = maker(instr.srcs[0])
        if inner and inner.op == Op.SETP and not inner.type.is_float:
            return replace(inner, dsts=instr.dsts, mod=int(_INVERSE[Cmp(inner.mod)]), span=instr.span)
    return instr


def _multiply_add(instr: Instr, maker: Maker) -> Instr:
    """Fuse ``a * b + c``; a product by a power of two stays a shift and a sum."""
    for product, addend in (instr.srcs, instr.srcs[::-1]):
        inner = maker(product)
        if inner is None:
            continue
        if inner.op == Op.MULWIDE and instr.type.is_wide:
            return replace(inner, op=Op.MADWIDE, dsts=instr.dsts, srcs=(*inner.srcs, addend), span=instr.span)
        same = inner.op == Op.MUL and inner.type in _INTEGERS and inner.type.bytes == instr.type.bytes
        if same and not _power_of_two(inner.srcs[1]):
            return replace(inner, op=Op.MAD, dsts=instr.dsts, srcs=(*inner.srcs, addend), span=instr.span)
    return instr


def _power_of_two(value: Value) -> bool:
    return isinstance(value, Const) and value.bits & (value.bits - 1) == 0


def _widening_multiply(instr: Instr, maker: Maker) -> Instr:
    """Return a 32-bit index widened and scaled: ``mul.wide``."""
    factor = instr.srcs[1]
    inner = maker(instr.srcs[0])
    if inner is None or inner.op != Op.CVT or inner.stype not in (Type.U32, Type.S32) or not isinstance(factor, Const):
        return instr
    scale = 1 << factor.bits if instr.op == Op.SHL and factor.bits < 31 else factor.bits
    if not 0 < scale < 1 << 31 or (instr.op == Op.SHL and factor.bits >= 31) or not inner.type.is_wide:
        return instr
    return replace(
        instr, op=Op.MULWIDE, type=inner.stype, srcs=(inner.srcs[0], const(inner.stype, scale)), stype=Type.U32
    )


def _truth(instr: Instr, maker: Maker) -> Instr:
    """Replace ``(p ? 1 : 0) != 0`` by p."""
    zero = instr.srcs[1]
    inner = maker(instr.srcs[0])
    if inner is None or inner.op != Op.SELP or not isinstance(zero, Const) or zero.bits:
        return instr
    if instr.mod not in (Cmp.EQ, Cmp.NE) or inner.type.is_float or instr.type.is_float:
        return instr
    first, second, predicate = inner.srcs
    if not (isinstance(first, Const) and isinstance(second, Const) and bool(first.bits) != bool(second.bits)):
        return instr
    same = bool(first.bits) == (instr.mod == Cmp.NE)
    if same:
        return move(instr, predicate)
    return replace(instr, op=Op.NOT, type=Type.PRED, srcs=(predicate,), mod=0)


def _turn_branch(block: BasicBlock, maker: Maker) -> None:
    """Turn a branch on the complement of a predicate into the opposite branch on the predicate."""
    branch = block.terminator
    if isinstance(branch, Branch):
        inner = maker(branch.condition)
        if inner and inner.op == Op.NOT:
            block.terminator = replace(branch, condition=inner.srcs[0], then=branch.other, other=branch.then)
