"""Lower the SIMD intrinsics: integer arithmetic on the two halves or the four bytes of a word."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend.lower.builtins.support import Handler, as_type, evaluate
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.values import Value
from warpview.isa.ops import Cmp, Op
from warpview.isa.types import Type

if TYPE_CHECKING:
    from warpview.frontend.lower.lowering import Lowering

# The operands and the result of a lane are S32: a byte or a half word never overflows it.
Lane = Callable[["Lowering", list[ir.Value]], ir.Value]


def _number(value: int) -> ir.Value:
    return ir.const(Type.S32, value)


def _plain(*ops: Op) -> Lane:
    """Apply operations one after the other, the first to all operands."""

    def lane(low: Lowering, operands: list[ir.Value]) -> ir.Value:
        result = low.context.emit(ops[0], Type.S32, *operands)
        for op in ops[1:]:
            result = low.context.emit(op, Type.S32, result)
        return result

    return lane


def _saturated(lane: Lane, least: int, most: int) -> Lane:
    def clamped(low: Lowering, operands: list[ir.Value]) -> ir.Value:
        at_least = low.context.emit(Op.MAX, Type.S32, lane(low, operands), _number(least))
        return low.context.emit(Op.MIN, Type.S32, at_least, _number(most))

    return clamped


def _averaged(up: bool) -> Lane:
    """Return the average, rounded down or up."""

    def lane(low: Lowering, operands: list[ir.Value]) -> ir.Value:
        total = low.context.emit(Op.ADD, Type.S32, *operands)
        total = low.context.emit(Op.ADD, Type.S32, total, _number(1)) if up else total
        return low.context.emit(Op.SHR, Type.S32, total, ir.const(Type.U32, 1))

    return lane


def _compared(comparison: Cmp, true: int) -> Lane:
    def lane(low: Lowering, operands: list[ir.Value]) -> ir.Value:
        holds = low.context.emit(Op.SETP, Type.S32, *operands, mod=comparison)
        return low.context.emit(Op.SELP, Type.S32, _number(true), _number(0), holds)

    return lane


def _lanes(bits: int) -> dict[str, tuple[bool, int, Lane]]:
    """Return for each name without its digit whether lanes are signed, how many operands it has, what a lane gives."""
    most = (1 << bits) - 1
    signed = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
    add, subtract, negate, absolute = (_plain(op) for op in (Op.ADD, Op.SUB, Op.NEG, Op.ABS))
    difference = _plain(Op.SUB, Op.ABS)
    table: dict[str, tuple[bool, int, Lane]] = {
        "add": (False, 2, add), "sub": (False, 2, subtract), "neg": (True, 1, negate), "abs": (True, 1, absolute),
        "addss": (True, 2, _saturated(add, *signed)), "addus": (False, 2, _saturated(add, 0, most)),
        "subss": (True, 2, _saturated(subtract, *signed)), "subus": (False, 2, _saturated(subtract, 0, most)),
        "negss": (True, 1, _saturated(negate, *signed)), "absss": (True, 1, _saturated(absolute, *signed)),
        "absdiffs": (True, 2, difference), "absdiffu": (False, 2, difference),
        "maxs": (True, 2, _plain(Op.MAX)), "maxu": (False, 2, _plain(Op.MAX)),
        "mins": (True, 2, _plain(Op.MIN)), "minu": (False, 2, _plain(Op.MIN)),
        "avgu": (False, 2, _averaged(up=True)), "haddu": (False, 2, _averaged(up=False)),
    }  # fmt: skip
    for kind, true in (("cmp", most), ("set", 1)):
        for name, comparison in (("eq", Cmp.EQ), ("ne", Cmp.NE)):
            table[kind + name] = False, 2, _compared(comparison, true)
        for name, comparison in (("ge", Cmp.GE), ("gt", Cmp.GT), ("le", Cmp.LE), ("lt", Cmp.LT)):
            table[f"{kind}{name}s"] = True, 2, _compared(comparison, true)
            table[f"{kind}{name}u"] = False, 2, _compared(comparison, true)
    return table


_ROWS = {f"__v{name}{32 // bits}": (bits, *row) for bits in (8, 16) for name, row in _lanes(bits).items()}
# Sums of absolute differences: name -> (bits of a lane, whether it is signed).
_SUMS = {f"__vsad{sign}{32 // bits}": (bits, sign == "s") for bits in (8, 16) for sign in "su"}


def _lane_of(low: Lowering, word: ir.Value, start: int, bits: int, signed: bool) -> ir.Value:
    """Return a lane of a word as a number."""
    type = Type.S32 if signed else Type.U32
    above = 32 - bits - start
    if above:
        word = low.context.emit(Op.SHL, type, word, ir.const(Type.U32, above))
    return low.context.emit(Op.SHR, type, word, ir.const(Type.U32, 32 - bits))


def _each_lane(
    low: Lowering, call: s.Call, count: int, bits: int, signed: bool, lane: Lane
) -> list[tuple[int, ir.Value]]:
    """Return where each lane starts in the word, and its result."""
    words = [as_type(low, value, t.UINT, call.span) for value in evaluate(low, call, count)]
    return [
        (start, lane(low, [_lane_of(low, word, start, bits, signed) for word in words]))
        for start in range(0, 32, bits)
    ]  # fmt: skip


def _packed(low: Lowering, call: s.Call, name: str) -> Value:
    bits, signed, count, lane = _ROWS[name]
    word: ir.Value | None = None
    for start, result in _each_lane(low, call, count, bits, signed, lane):
        if start + bits < 32:
            result = low.context.emit(Op.AND, Type.U32, result, ir.const(Type.U32, (1 << bits) - 1))
        if start:
            result = low.context.emit(Op.SHL, Type.U32, result, ir.const(Type.U32, start))
        word = result if word is None else low.context.emit(Op.OR, Type.U32, word, result)
    assert word is not None
    return Value(t.UINT, word)


def _sum_of_differences(low: Lowering, call: s.Call, name: str) -> Value:
    bits, signed = _SUMS[name]
    (_, total), *others = _each_lane(low, call, 2, bits, signed, _plain(Op.SUB, Op.ABS))
    for _, result in others:
        total = low.context.emit(Op.ADD, Type.U32, total, result)
    return Value(t.UINT, total)


TABLE: dict[str, Handler] = {**dict.fromkeys(_ROWS, _packed), **dict.fromkeys(_SUMS, _sum_of_differences)}
