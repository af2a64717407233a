"""Lower cooperative groups: the block, tiles of a warp, and the lanes that happen to run together."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend.lower.builtins.lane_masks import lane_of_rank, packed, word
from warpview.frontend.lower.builtins.support import (
    FULL_MASK,
    Handler,
    as_type,
    check_count,
    evaluate,
    predicate,
    require,
    scalar_of,
)
from warpview.frontend.lower.builtins.warps import LANE_COUNTS, reduced, shuffled, voted
from warpview.frontend.preprocess.tokens import fail, refuse
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.values import Lvalue, Value, number
from warpview.isa.modes import BarrierScope
from warpview.isa.ops import Cmp, MatchMode, Op, ReduxOp, ShflMode, VoteMode
from warpview.isa.program import Special
from warpview.isa.types import Type

if TYPE_CHECKING:
    from warpview.frontend.lower.lowering import Lowering

Method = Callable[["Lowering", t.Group, Value, s.Call], "Value | Lvalue"]

BLOCK, GRID, TILE, COALESCED = "block", "grid", "tile", "coalesced"
_SHUFFLES = {"shfl": ShflMode.IDX, "shfl_up": ShflMode.UP, "shfl_down": ShflMode.DOWN, "shfl_xor": ShflMode.BFLY}
_VOTES = {"all": VoteMode.ALL, "any": VoteMode.ANY, "ballot": VoteMode.BALLOT}
_OPERATORS = {
    "plus": ("+", ReduxOp.ADD), "less": ("min", ReduxOp.MIN), "greater": ("max", ReduxOp.MAX),
    "bit_and": ("&", ReduxOp.AND), "bit_or": ("|", ReduxOp.OR), "bit_xor": ("^", ReduxOp.XOR),
}  # fmt: skip


def _special(special: Special) -> ir.Value:
    return ir.SpecialValue(special)


# ------------------------------------------------------------------------------------------- what they are
def _this_thread_block(low: Lowering, call: s.Call, name: str) -> Value:
    check_count(call, 0)
    return Value(t.Group(BLOCK))


def _this_grid(low: Lowering, call: s.Call, name: str) -> Value:
    check_count(call, 0)
    return Value(t.Group(GRID))


def _coalesced_threads(low: Lowering, call: s.Call, name: str) -> Value:
    check_count(call, 0)
    mask = low.context.emit(Op.ACTIVEMASK, Type.U32)
    return low.objects.kept(Value(t.Group(COALESCED), mask), "coalesced")


def _tiled_partition(low: Lowering, call: s.Call, name: str) -> Value:
    """Lower tiled_partition<N>(group), or tiled_partition(group, n) with a constant n."""
    check_count(call, 1, 2)
    low.expressions.rvalue(call.arguments[0])
    tile = low.semantics.typer.type_of(call)
    if isinstance(tile, t.Group) and tile.threads not in LANE_COUNTS:
        fail("a tile must have 1, 2, 4, 8, 16 or 32 threads", call.span)
    return Value(tile)


def _partition(low: Lowering, call: s.Call, name: str) -> Value:
    """Lower binary_partition(group, predicate) and labeled_partition(group, label): the lanes of a group whose
    predicate or label equals this thread's."""
    check_count(call, 2)
    group, value = _group_argument(low, call)
    if group.kind not in (TILE, COALESCED):
        fail(f"{name} needs a tile of a warp or coalesced threads", call.span)
    mask, argument = _mask(low, group, value), low.expressions.rvalue(call.arguments[1])
    if name == "labeled_partition":
        require(low, (7, 0), name)
        label = scalar_of(argument, call)
        alike = low.context.emit(Op.MATCH, label.isa, argument.scalar_operand, mask, mod=MatchMode.ANY)
    else:
        holds = predicate(low, argument, call.span)
        holding = voted(low, VoteMode.BALLOT, holds, mask).scalar_operand
        others = low.context.emit(Op.XOR, Type.U32, holding, mask)
        alike = low.context.emit(Op.SELP, Type.U32, holding, others, holds.scalar_operand)
    return low.objects.kept(Value(t.Group(COALESCED), alike), "partition")


# ------------------------------------------------------------------------------------------ rank and size
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


def _grid_block(low: Lowering) -> ir.Value:
    return _linear(low, (Special.CTAID_X, Special.CTAID_Y, Special.CTAID_Z), (Special.NCTAID_X, Special.NCTAID_Y))


def _thread_rank(low: Lowering, group: t.Group, value: Value, call: s.Call) -> Value:
    check_count(call, 0)
    return Value(t.UINT, _rank(low, group, value))


def _rank(low: Lowering, group: t.Group, value: Value) -> ir.Value:
    if group.kind == BLOCK:
        return _block_rank(low)
    if group.kind == GRID:
        return low.context.emit(Op.MAD, Type.U32, _grid_block(low), _block_size(low), _block_rank(low))
    lane = _special(Special.LANEID)
    if group.kind == TILE:
        return low.context.emit(Op.AND, Type.U32, lane, word(group.threads - 1))
    bit = low.context.emit(Op.SHL, Type.U32, word(1), lane)
    below = low.context.emit(Op.SUB, Type.U32, bit, word(1))
    return low.context.emit(Op.POPC, Type.U32, low.context.emit(Op.AND, Type.U32, below, value.scalar_operand))


def _size(low: Lowering, group: t.Group, value: Value, call: s.Call) -> Value:
    check_count(call, 0)
    if group.kind == TILE:
        return number(t.UINT, group.threads)
    if group.kind == COALESCED:
        return Value(t.UINT, low.context.emit(Op.POPC, Type.U32, value.scalar_operand))
    if group.kind == GRID:
        blocks = _product(low, Special.NCTAID_X, Special.NCTAID_Y, Special.NCTAID_Z)
        return Value(t.UINT, low.context.emit(Op.MUL, Type.U32, blocks, _block_size(low)))
    return Value(t.UINT, _block_size(low))


def _meta_rank(low: Lowering, group: t.Group, value: Value, call: s.Call) -> Value:
    check_count(call, 0)
    shift = word(_tile(group, call).bit_length() - 1)
    return Value(t.UINT, low.context.emit(Op.SHR, Type.U32, _block_rank(low), shift))


def _meta_size(low: Lowering, group: t.Group, value: Value, call: s.Call) -> Value:
    check_count(call, 0)
    threads = _tile(group, call)
    up = low.context.emit(Op.ADD, Type.U32, _block_size(low), word(threads - 1))
    return Value(t.UINT, low.context.emit(Op.SHR, Type.U32, up, word(threads.bit_length() - 1)))


def _dimensions(name: str) -> Method:
    def method(low: Lowering, group: t.Group, value: Value, call: s.Call) -> Lvalue:
        check_count(call, 0)
        if group.kind == TILE:
            fail("only the block and the grid have dimensions", call.span)
        return low.lvalues.place(s.Name(call.span, name))

    return method


# ------------------------------------------------------------------------------------------ what they do
def _tile(group: t.Group, call: s.Call) -> int:
    if group.kind != TILE:
        refuse(f"this function of '{group}' is not supported: that of a tile of a warp is", call.span)
    return group.threads


def _mask(low: Lowering, group: t.Group, value: Value) -> ir.Value:
    """Return the lanes of this thread's group."""
    if group.kind == COALESCED:
        return value.scalar_operand
    if group.threads == 32:
        return word(FULL_MASK)
    return low.context.emit(Op.SHL, Type.U32, word((1 << group.threads) - 1), _first_lane(low, group))


def _first_lane(low: Lowering, tile: t.Group) -> ir.Value:
    """Return the lowest lane of this thread's tile."""
    return low.context.emit(Op.AND, Type.U32, _special(Special.LANEID), word(-tile.threads))


def _sync(low: Lowering, group: t.Group, value: Value, call: s.Call) -> Value:
    if group.kind == GRID:
        require(low, (6, 0), "grid.sync()")
        low.context.builder.effect(Op.BAR_SYNC, mod=BarrierScope.GRID)
    elif group.kind == BLOCK:
        low.context.builder.effect(Op.BAR_SYNC)
    else:
        low.context.builder.effect(Op.WARPSYNC, Type.U32, _mask(low, group, value))
    return Value(t.VOID)


def _shuffle(mode: ShflMode) -> Method:
    def method(low: Lowering, group: t.Group, value: Value, call: s.Call) -> Value:
        what, where = evaluate(low, call, 2)
        scalar_of(what, call)
        if group.kind == COALESCED and mode != ShflMode.BFLY:
            return _coalesced_shuffle(low, mode, value, what, as_type(low, where, t.UINT, call.span))
        threads = _tile(group, call)
        return shuffled(
            low, mode, what, as_type(low, where, t.UINT, call.span), word(threads), _mask(low, group, value)
        )  # fmt: skip

    return method


def _coalesced_shuffle(low: Lowering, mode: ShflMode, group: Value, what: Value, where: ir.Value) -> Value:
    """Lower a shuffle among the lanes that happen to run together, which are counted by rank: beyond the first and the
    last a lane keeps its own value."""
    mask, rank = group.scalar_operand, where
    if mode != ShflMode.IDX:
        op, own = Op.ADD if mode == ShflMode.DOWN else Op.SUB, _rank(low, t.Group(COALESCED), group)
        rank = low.context.emit(op, Type.U32, own, where)
        size = low.context.emit(Op.POPC, Type.U32, mask)
        within = low.context.emit(Op.SETP, Type.U32, rank, size, mod=Cmp.LT)
        rank = low.context.emit(Op.SELP, Type.U32, rank, own, within)
    return shuffled(low, ShflMode.IDX, what, lane_of_rank(low, mask, rank), word(32), mask)


def _vote(mode: VoteMode) -> Method:
    def method(low: Lowering, group: t.Group, value: Value, call: s.Call) -> Value:
        holds = predicate(low, evaluate(low, call, 1)[0], call.span)
        if group.kind != COALESCED:
            _tile(group, call)
        vote = voted(low, mode, holds, _mask(low, group, value))
        return Value(t.UINT, _by_rank(low, group, value, vote.scalar_operand)) if mode == VoteMode.BALLOT else vote

    return method


def _by_rank(low: Lowering, group: t.Group, value: Value, lanes: ir.Value) -> ir.Value:
    """Return lanes of a group as bits of which bit k stands for the thread of rank k."""
    if group.kind == COALESCED:
        return packed(low, lanes, value.scalar_operand)
    if group.threads == 32:
        return lanes
    return low.context.emit(Op.SHR, Type.U32, lanes, _first_lane(low, group))


def _match_any(low: Lowering, group: t.Group, value: Value, call: s.Call) -> Value:
    (what,) = evaluate(low, call, 1)
    require(low, (7, 0), "match_any")
    scalar = scalar_of(what, call)
    type = scalar if scalar.size >= 4 else t.INT
    mask = _mask(low, group, value)
    lanes = low.context.emit(Op.MATCH, type.isa, as_type(low, what, type, call.span), mask, mod=MatchMode.ANY)
    return Value(t.UINT, _by_rank(low, group, value, lanes))


_METHODS: dict[str, Method] = {
    "sync": _sync,
    "thread_rank": _thread_rank,
    "size": _size,
    "num_threads": _size,
    "meta_group_rank": _meta_rank,
    "meta_group_size": _meta_size,
    "group_index": _dimensions("blockIdx"),
    "block_index": _dimensions("blockIdx"),
    "thread_index": _dimensions("threadIdx"),
    "group_dim": _dimensions("blockDim"),
    "dim_threads": _dimensions("blockDim"),
    "dim_blocks": _dimensions("gridDim"),
    "match_any": _match_any,
    **{name: _shuffle(mode) for name, mode in _SHUFFLES.items()},
    **{name: _vote(mode) for name, mode in _VOTES.items()},
}


def group_method(low: Lowering, group: t.Group, value: Value, node: s.Call, member: s.Member) -> Value | Lvalue:
    """Lower group.function(...)."""
    method = _METHODS.get(member.name)
    if method is None:
        fail(f"'{group}' has no function '{member.name}' that is supported", member.span)
    return method(low, group, value, node)


# -------------------------------------------------------------------------------------- reduce and scan
def _group_argument(low: Lowering, call: s.Call) -> tuple[t.Group, Value]:
    value = low.expressions.rvalue(call.arguments[0])
    group = t.plain(value.type)
    if not isinstance(group, t.Group):
        fail(f"a cooperative group is needed here, not '{value.type}'", call.span)
    return group, value


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


def _reduce(low: Lowering, call: s.Call, name: str) -> Value:
    """Lower reduce(group, value, function): over a tile by shuffles, over coalesced lanes in one instruction."""
    check_count(call, 3)
    group, value = _group_argument(low, call)
    operand, function = low.expressions.rvalue(call.arguments[1]), low.expressions.rvalue(call.arguments[2])
    scalar = scalar_of(operand, call)
    if group.kind == COALESCED and not scalar.is_float and scalar.size == 4:
        return reduced(low, _operator(function, call)[1], operand, value.scalar_operand)
    threads, mask = _tile(group, call), _mask(low, group, value)
    result = low.objects.kept(operand, "")
    step = threads // 2
    while step:
        other = shuffled(low, ShflMode.BFLY, result, word(step), word(threads), mask)
        result = _combined(low, call, function, result, other)
        step //= 2
    return result


def _scan(low: Lowering, call: s.Call, name: str) -> Value:
    """Lower inclusive_scan and exclusive_scan over a tile."""
    check_count(call, 2, 3)
    group, value = _group_argument(low, call)
    threads, mask, rank = _tile(group, call), _mask(low, group, value), _rank(low, group, value)
    result = low.objects.kept(low.expressions.rvalue(call.arguments[1]), "")
    function = Value(t.Struct(t.StructInfo("plus")))
    if len(call.arguments) == 3:
        function = low.expressions.rvalue(call.arguments[2])
    scalar, step = scalar_of(result, call), 1
    while step < threads:
        other = shuffled(low, ShflMode.UP, result, word(step), word(threads), mask)
        total = _combined(low, call, function, result, other)
        holds = low.context.emit(Op.SETP, Type.U32, rank, word(step), mod=Cmp.GE)
        result = Value(
            scalar, low.context.emit(Op.SELP, scalar.register, total.scalar_operand, result.scalar_operand, holds)
        )  # fmt: skip
        step *= 2
    if name == "inclusive_scan":
        return result
    before = shuffled(low, ShflMode.UP, result, word(1), word(threads), mask)
    first = low.context.emit(Op.SETP, Type.U32, rank, word(0), mod=Cmp.EQ)
    zero = ir.const(scalar.register, 0)
    return Value(scalar, low.context.emit(Op.SELP, scalar.register, zero, before.scalar_operand, first))


def _sync_function(low: Lowering, call: s.Call, name: str) -> Value:
    check_count(call, 1)
    group, value = _group_argument(low, call)
    return _sync(low, group, value, call)


def _rank_function(low: Lowering, call: s.Call, name: str) -> Value:
    check_count(call, 1)
    group, value = _group_argument(low, call)
    return Value(t.UINT, _rank(low, group, value))


GROUP_FUNCTIONS: dict[str, Handler] = {
    "this_thread_block": _this_thread_block,
    "this_grid": _this_grid,
    "coalesced_threads": _coalesced_threads,
    "tiled_partition": _tiled_partition,
    "binary_partition": _partition,
    "labeled_partition": _partition,
    "reduce": _reduce,
    "inclusive_scan": _scan,
    "exclusive_scan": _scan,
    "sync": _sync_function,
    "thread_rank": _rank_function,
}
