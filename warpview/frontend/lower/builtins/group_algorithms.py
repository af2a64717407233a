"""Lower reductions and scans over cooperative groups, by shuffles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend.lower.builtins.group_ranks import COALESCED, rank_of, tile_width
from warpview.frontend.lower.builtins.groups import (
    coalesced_shuffle,
    group_argument,
    lanes_of,
    library_call,
)
from warpview.frontend.lower.builtins.lane_masks import word
from warpview.frontend.lower.builtins.support import Handler, check_count, scalar_of
from warpview.frontend.lower.builtins.warps import reduced, shuffled
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.values import Value
from warpview.isa.ops import Cmp, Op, ReduxOp, ShflMode
from warpview.isa.types import Type

if TYPE_CHECKING:
    from warpview.frontend.lower.lowering import Lowering

_OPERATORS = {
    "plus": ("+", ReduxOp.ADD), "less": ("min", ReduxOp.MIN), "greater": ("max", ReduxOp.MAX),
    "bit_and": ("&", ReduxOp.AND), "bit_or": ("|", ReduxOp.OR), "bit_xor": ("^", ReduxOp.XOR),
}  # fmt: skip


def _combined(low: Lowering, call: s.Call, function: Value, a: Value, b: Value) -> Value:
    """Lower ``function`` of two values: plus and its like, or a lambda."""
    if function.object is not None:
        result = low.inliner.call_lambda(function.object, [a, b], call)
        return low.conversions.convert(low.expressions.loaded(result, call.span), a.type, call.span)
    operator, _ = _operator(function, call)
    scalar = scalar_of(a, call)
    if operator in ("min", "max"):
        op = Op.MIN if operator == "min" else Op.MAX
        return Value(scalar, low.context.emit(op, scalar.isa, a.scalar_operand, b.scalar_operand))
    return low.conversions.convert(low.arithmetic.binary_values(operator, a, b, call.span), scalar, call.span)


def _operator(function: Value, call: s.Call) -> tuple[str, ReduxOp]:
    name = str(t.plain(function.type)).rpartition("::")[2]
    if name not in _OPERATORS:
        fail("plus, less, greater, bit_and, bit_or, bit_xor or a lambda is needed here", call.span)
    return _OPERATORS[name]


def _is_of_numbers(low: Lowering, call: s.Call) -> bool:
    """Return whether a reduction combines numbers by a lambda or an operator."""
    value, function = (t.decayed(low.semantics.typer.type_of(argument)) for argument in call.arguments[1:3])
    is_operator = str(function).rpartition("::")[2] in _OPERATORS
    return t.arithmetic(value) is not None and (is_operator or isinstance(function, t.Closure))


def _reduce(low: Lowering, call: s.Call, name: str) -> Value:
    """Lower reduce(group, value, function): by shuffles; integers of coalesced lanes in one instruction."""
    check_count(call, 3)
    if not _is_of_numbers(low, call):
        return library_call(low, "wv_reduce", call.arguments, call)
    group, value = group_argument(low, call)
    operand, function = low.expressions.rvalue(call.arguments[1]), low.expressions.rvalue(call.arguments[2])
    scalar = scalar_of(operand, call)
    if group.kind == COALESCED and not scalar.is_float and scalar.size == 4 and function.object is None:
        return reduced(low, _operator(function, call)[1], operand, value.scalar_operand)
    if group.kind == COALESCED:
        return _coalesced_reduce(low, call, value, operand, function)
    threads, mask = tile_width(group, call), lanes_of(low, group, value)
    result = low.objects.kept(operand, "")
    step = threads // 2
    while step:
        other = shuffled(low, ShflMode.BFLY, result, word(step), word(threads), mask)
        result = _combined(low, call, function, result, other)
        step //= 2
    return result


def _coalesced_reduce(low: Lowering, call: s.Call, group: Value, operand: Value, function: Value) -> Value:
    """Lower a reduction over lanes that happen to run together: halves are added by rank, the sum is that of rank 0."""
    rank, size = rank_of(low, t.Group(COALESCED), group), low.context.emit(Op.POPC, Type.U32, group.scalar_operand)
    result = low.objects.kept(operand, "")
    for step in (16, 8, 4, 2, 1):
        other = coalesced_shuffle(low, ShflMode.DOWN, group, result, word(step))
        last = low.context.emit(Op.ADD, Type.U32, rank, word(step))
        holds = low.context.emit(Op.SETP, Type.U32, last, size, mod=Cmp.LT)
        result = _chosen(low, holds, _combined(low, call, function, result, other), result)
    return coalesced_shuffle(low, ShflMode.IDX, group, result, word(0))


def _chosen(low: Lowering, holds: ir.Value, then: Value, other: Value) -> Value:
    scalar = t.arithmetic(t.plain(then.type))
    assert scalar is not None
    operands = then.scalar_operand, other.scalar_operand
    return Value(scalar, low.context.emit(Op.SELP, scalar.register, *operands, holds))


def _from_below(low: Lowering, group: t.Group, value: Value, what: Value, step: int) -> Value:
    """Return the value of the thread ``step`` ranks below."""
    if group.kind == COALESCED:
        return coalesced_shuffle(low, ShflMode.UP, value, what, word(step))
    return shuffled(low, ShflMode.UP, what, word(step), word(group.threads), lanes_of(low, group, value))


def _scan(low: Lowering, call: s.Call, name: str) -> Value:
    """Lower inclusive_scan and exclusive_scan over a tile or coalesced lanes."""
    check_count(call, 2, 3)
    group, value = group_argument(low, call)
    threads, rank = 32 if group.kind == COALESCED else tile_width(group, call), rank_of(low, group, value)
    result = low.objects.kept(low.expressions.rvalue(call.arguments[1]), "")
    function = Value(t.Struct(t.StructInfo("plus")))
    if len(call.arguments) == 3:
        function = low.expressions.rvalue(call.arguments[2])
    scalar, step = scalar_of(result, call), 1
    while step < threads:
        other = _from_below(low, group, value, result, step)
        total = _combined(low, call, function, result, other)
        holds = low.context.emit(Op.SETP, Type.U32, rank, word(step), mod=Cmp.GE)
        result = _chosen(low, holds, total, result)
        step *= 2
    if name == "inclusive_scan":
        return result
    first = low.context.emit(Op.SETP, Type.U32, rank, word(0), mod=Cmp.EQ)
    zero = Value(scalar, ir.const(scalar.register, 0))
    return _chosen(low, first, zero, _from_below(low, group, value, result, 1))


GROUP_ALGORITHMS: dict[str, Handler] = {"reduce": _reduce, "inclusive_scan": _scan, "exclusive_scan": _scan}
