"""Simplify one instruction by algebra: neutral elements, constants to the right, powers of two."""

from __future__ import annotations

from dataclasses import replace

from warpview.frontend.ir import ArrayBounds, Const, Instr, Value, const
from warpview.frontend.passes.evaluate import evaluate
from warpview.isa.ops import OPS, Cmp, Op
from warpview.isa.types import Type

_MIRRORED = {Cmp.EQ: Cmp.EQ, Cmp.NE: Cmp.NE, Cmp.LT: Cmp.GT, Cmp.LE: Cmp.GE, Cmp.GT: Cmp.LT, Cmp.GE: Cmp.LE}
# (operation, right operand that changes nothing), for integers of any width.
_NEUTRAL = {Op.ADD: 0, Op.SUB: 0, Op.OR: 0, Op.XOR: 0, Op.SHL: 0, Op.SHR: 0, Op.MUL: 1, Op.DIV: 1}


def simplify(instr: Instr) -> Instr:
    """Return an instruction of the same meaning that costs no more; the same object where there is nothing to do."""
    result = evaluate(instr)
    if result is not None:
        return instr if instr.op == Op.MOV else move(instr, result)
    instr = _constants_right(instr)
    if instr.op == Op.SELP:
        return _select(instr)
    if instr.type == Type.PRED:
        return _predicate_logic(instr)
    if instr.type.is_float or len(instr.srcs) < 2:
        return instr
    if instr.op in (Op.MAD, Op.MADWIDE):
        return _multiply_add(instr)
    right = instr.srcs[1]
    return _with_constant(instr, right) if isinstance(right, Const) else instr


def move(instr: Instr, value: Value) -> Instr:
    """Return the instruction turned into a copy of ``value`` to its result."""
    dst = instr.dsts[0]
    return Instr(
        Op.MOV, dst.type, (dst,), (value,), instr.span, guard=instr.guard, guard_negated=instr.guard_negated,
        kills=instr.kills,
    )  # fmt: skip


def _constants_right(instr: Instr) -> Instr:
    op, srcs = instr.op, instr.srcs
    if len(srcs) < 2 or not isinstance(srcs[0], Const) or isinstance(srcs[1], Const):
        return instr
    if OPS[op].commutes:
        return replace(instr, srcs=(srcs[1], srcs[0], *srcs[2:]), bounds=None)
    if op == Op.SETP:
        return replace(instr, srcs=(srcs[1], srcs[0]), mod=int(_MIRRORED[Cmp(instr.mod)]))
    return instr


def _select(instr: Instr) -> Instr:
    first, second, predicate = instr.srcs
    if isinstance(predicate, Const):
        return move(instr, first if predicate.bits else second)
    return move(instr, first) if first == second else instr


def _predicate_logic(instr: Instr) -> Instr:
    if instr.op not in (Op.AND, Op.OR, Op.XOR) or not isinstance(instr.srcs[1], Const):
        return instr
    left, right = instr.srcs[0], instr.srcs[1].bits
    if instr.op == Op.AND:
        return move(instr, left if right else const(Type.PRED, 0))
    if instr.op == Op.OR:
        return move(instr, const(Type.PRED, 1) if right else left)
    return replace(instr, op=Op.NOT, srcs=(left,)) if right else move(instr, left)


def _multiply_add(instr: Instr) -> Instr:
    """Simplify ``MAD`` and ``MADWIDE`` without an addend, of a constant product, and ``MAD`` by a factor of 0 or 1."""
    a, b, c = instr.srcs
    multiply = replace(instr, op=Op.MUL if instr.op == Op.MAD else Op.MULWIDE, srcs=(a, b))
    if isinstance(c, Const) and c.bits == 0:
        return simplify(multiply)
    if (product := evaluate(multiply)) and _is_within(a, instr.bounds):
        return simplify(Instr(Op.ADD, instr.src_types[2], instr.dsts, (c, product), instr.span, guard=instr.guard,
                              guard_negated=instr.guard_negated, kills=instr.kills))  # fmt: skip
    if instr.op == Op.MADWIDE or not isinstance(b, Const):
        return instr
    if b.bits == 0:
        return move(instr, c)
    if b.bits == 1:
        return simplify(replace(instr, op=Op.ADD, srcs=(a, c)))
    return instr


def _is_within(index: Value, bounds: ArrayBounds | None) -> bool:
    """Return whether a constant index lies in its array; one that does not stays for the checks to find."""
    return bounds is None or (isinstance(index, Const) and bounds.low <= int(index.value) < bounds.high)


def _with_constant(instr: Instr, right: Const) -> Instr:
    """Simplify integer operations with a constant right operand."""
    op, left = instr.op, instr.srcs[0]
    value = Const(instr.src_types[1], right.bits).value
    if instr.type.bytes >= 4:
        if op in _NEUTRAL and value == _NEUTRAL[op]:
            return move(instr, left)
        if op in (Op.MUL, Op.AND) and value == 0:
            return move(instr, const(instr.type, 0))
        if op == Op.SUB:
            return replace(instr, op=Op.ADD, srcs=(left, const(instr.type, -value)))
    return instr


def reduce_strength(instr: Instr) -> Instr:
    """Simplify multiplication, unsigned division and remainder by a power of two to a shift or a mask."""
    if instr.op not in (Op.MUL, Op.DIV, Op.REM) or instr.type.is_float or instr.type.bytes < 4:
        return instr
    right = instr.srcs[1]
    if not isinstance(right, Const) or right.bits == 0 or right.bits & (right.bits - 1):
        return instr
    count = const(Type.U32, right.bits.bit_length() - 1)
    if instr.op == Op.MUL:
        return replace(instr, op=Op.SHL, srcs=(instr.srcs[0], count))
    if instr.type.is_signed:
        return instr
    if instr.op == Op.DIV:
        return replace(instr, op=Op.SHR, srcs=(instr.srcs[0], count))
    return replace(instr, op=Op.AND, srcs=(instr.srcs[0], const(instr.type, right.bits - 1)))
