"""Lower ranks and sizes of cooperative groups."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NoReturn

from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend.lower.builtins.lane_masks import word
from warpview.frontend.lower.builtins.support import check_count
from warpview.frontend.preprocess.tokens import fail, refuse
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.values import Lvalue, Value, number
from warpview.isa.ops import Op
from warpview.isa.program import Special
from warpview.isa.types import Type

if TYPE_CHECKING:
    from warpview.frontend.lower.lowering import Lowering

Method = Callable[["Lowering", t.Group, Value, s.Call], "Value | Lvalue"]

BLOCK, GRID, TILE, COALESCED = "block", "grid", "tile", "coalesced"


def _special(special: Special) -> ir.Value:
    return ir.SpecialValue(special)


def _linear(low: Lowering, rows: tuple[Special, Special, Special], sizes: tuple[Special, Special]) -> ir.Value:
    """Return x + y * size_x + z * size_x * size_y."""
    x, y, z = (_special(r) for r in rows)
    inner = low.context.emit(Op.MAD, Type.U32, z, _special(sizes[1]), y)
    return low.context.emit(Op.MAD, Type.U32, inner, _special(sizes[0]), x)


def _product(low: Lowering, *rows: Special) -> ir.Value:
    result = _special(rows[0])
    for row in rows[1:]:
        result = low.context.emit(Op.MUL, Type.U32, result, _special(row))
    return result


def _block_rank(low: Lowering) -> ir.Value:
    return _linear(low, (Special.TID_X, Special.TID_Y, Special.TID_Z), (Special.NTID_X, Special.NTID_Y))


def _block_size(low: Lowering) -> ir.Value:
    return _product(low, Special.NTID_X, Special.NTID_Y, Special.NTID_Z)


def _wide(low: Lowering, value: ir.Value) -> ir.Value:
    return low.conversions.convert_scalar(Value(t.UINT, value), t.UINT, t.ULONGLONG).scalar_operand


def _wide_sum(low: Lowering, factor: ir.Value, other: ir.Value, addend: ir.Value) -> Value:
    """Return factor * other + addend as 64 bits, of which each has 32 or 64."""
    factor, other, addend = (v if v.type.bytes == 8 else _wide(low, v) for v in (factor, other, addend))
    return Value(t.ULONGLONG, low.context.emit(Op.MAD, Type.U64, factor, other, addend))


def grid_block(low: Lowering) -> Value:
    """Return the number of the block in its grid."""
    row = low.context.emit(
        Op.MAD, Type.U32, _special(Special.CTAID_Z), _special(Special.NCTAID_Y), _special(Special.CTAID_Y)
    )
    return _wide_sum(low, row, _special(Special.NCTAID_X), _special(Special.CTAID_X))


def grid_blocks(low: Lowering) -> Value:
    """Return how many blocks the grid has."""
    rows = _product(low, Special.NCTAID_Y, Special.NCTAID_Z)
    factors = _wide(low, rows), _wide(low, _special(Special.NCTAID_X))
    return Value(t.ULONGLONG, low.context.emit(Op.MUL, Type.U64, *factors))


def thread_rank(low: Lowering, group: t.Group, value: Value, call: s.Call) -> Value:
    check_count(call, 0)
    return own_rank(low, group, value)


def own_rank(low: Lowering, group: t.Group, value: Value) -> Value:
    """Return the rank of this thread in its group: of a grid 64 bits, of others 32."""
    if group.kind == GRID:
        return _wide_sum(low, grid_block(low).scalar_operand, _block_size(low), _block_rank(low))
    return Value(t.UINT, rank_of(low, group, value))


def fail_no_function(group: t.Group, callee: s.Expression) -> NoReturn:
    assert isinstance(callee, s.Member)
    fail(f"'{group}' has no function '{callee.name}' that is supported", callee.span)


def of_grid(count: Callable[[Lowering], Value]) -> Method:
    """Return a function that the group of all threads of a launch has alone."""

    def method(low: Lowering, group: t.Group, value: Value, call: s.Call) -> Value:
        check_count(call, 0)
        if group.kind != GRID:
            fail_no_function(group, call.callee)
        return count(low)

    return method


def rank_of(low: Lowering, group: t.Group, value: Value) -> ir.Value:
    if group.kind == BLOCK:
        return _block_rank(low)
    lane = _special(Special.LANEID)
    if group.kind == TILE:
        return low.context.emit(Op.AND, Type.U32, lane, word(group.threads - 1))
    bit = low.context.emit(Op.SHL, Type.U32, word(1), lane)
    below = low.context.emit(Op.SUB, Type.U32, bit, word(1))
    return low.context.emit(Op.POPC, Type.U32, low.context.emit(Op.AND, Type.U32, below, value.scalar_operand))


def size(low: Lowering, group: t.Group, value: Value, call: s.Call) -> Value:
    check_count(call, 0)
    if group.kind == TILE:
        return number(t.UINT, group.threads)
    if group.kind == COALESCED:
        return Value(t.UINT, low.context.emit(Op.POPC, Type.U32, value.scalar_operand))
    if group.kind == GRID:
        factors = grid_blocks(low).scalar_operand, _wide(low, _block_size(low))
        return Value(t.ULONGLONG, low.context.emit(Op.MUL, Type.U64, *factors))
    return Value(t.UINT, _block_size(low))


def meta_rank(low: Lowering, group: t.Group, value: Value, call: s.Call) -> Value:
    check_count(call, 0)
    if group.kind == COALESCED:
        return Value(t.UINT, word(0) if value.among is None else value.among[0])
    shift = word(tile_width(group, call).bit_length() - 1)
    rank = _block_rank(low) if not group.parent else rank_of(low, t.Group(TILE, group.parent), value)
    return Value(t.UINT, low.context.emit(Op.SHR, Type.U32, rank, shift))


def meta_size(low: Lowering, group: t.Group, value: Value, call: s.Call) -> Value:
    check_count(call, 0)
    if group.kind == COALESCED:
        return Value(t.UINT, word(1) if value.among is None else value.among[1])
    threads = tile_width(group, call)
    if group.parent:
        return number(t.UINT, max(1, group.parent // threads))
    up = low.context.emit(Op.ADD, Type.U32, _block_size(low), word(threads - 1))
    return Value(t.UINT, low.context.emit(Op.SHR, Type.U32, up, word(threads.bit_length() - 1)))


def tile_width(group: t.Group, call: s.Call) -> int:
    if group.kind != TILE:
        refuse(f"this function of '{group}' is not supported: that of a tile of a warp is", call.span)
    return group.threads
