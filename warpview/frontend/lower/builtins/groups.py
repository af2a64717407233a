"""Lower cooperative groups: the block, tiles of a warp, and the lanes that happen to run together."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from warpview.frontend import features, ir
from warpview.frontend import syntax as s
from warpview.frontend.lower.builtins.group_ranks import (
    BLOCK,
    COALESCED,
    GRID,
    TILE,
    Method,
    fail_no_function,
    grid_block,
    grid_blocks,
    meta_rank,
    meta_size,
    of_grid,
    own_rank,
    rank_of,
    size,
    thread_rank,
    tile_width,
)
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
from warpview.frontend.lower.builtins.warps import LANE_COUNTS, shuffled, voted
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.values import Lvalue, Value, number
from warpview.isa.modes import BarrierScope
from warpview.isa.ops import Cmp, MatchMode, Op, ShflMode, VoteMode
from warpview.isa.program import Special
from warpview.isa.types import Type

if TYPE_CHECKING:
    from warpview.frontend.lower.lowering import Lowering


_SHUFFLES = {"shfl": ShflMode.IDX, "shfl_up": ShflMode.UP, "shfl_down": ShflMode.DOWN, "shfl_xor": ShflMode.BFLY}
_VOTES = {"all": VoteMode.ALL, "any": VoteMode.ANY, "ballot": VoteMode.BALLOT}


# ------------------------------------------------------------------------------------------- what they are
def _this_thread_block(low: Lowering, call: s.Call, name: str) -> Value:
    check_count(call, 0)
    return Value(t.Group(BLOCK))


def _this_grid(low: Lowering, call: s.Call, name: str) -> Value:
    check_count(call, 0)
    return Value(t.Group(GRID))


def _this_thread(low: Lowering, call: s.Call, name: str) -> Value:
    check_count(call, 0)
    return Value(t.Group(TILE, 1))


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
    group, value = group_argument(low, call)
    if group.kind not in (TILE, COALESCED):
        fail(f"{name} needs a tile of a warp or coalesced threads", call.span)
    mask, argument = lanes_of(low, group, value), low.expressions.rvalue(call.arguments[1])
    scalar = scalar_of(argument, call)
    if name == "labeled_partition":
        require(low, features.MATCHES)
    if name == "labeled_partition" and not scalar.is_bool:
        alike = low.context.emit(Op.MATCH, scalar.isa, argument.scalar_operand, mask, mod=MatchMode.ANY)
        kept = low.objects.kept(Value(t.Group(COALESCED), alike), "partition")
        return replace(kept, among=_among_labels(low, mask, kept))
    holds = predicate(low, argument, call.span)
    holding = voted(low, VoteMode.BALLOT, holds, mask).scalar_operand
    others = low.context.emit(Op.XOR, Type.U32, holding, mask)
    alike = low.context.emit(Op.SELP, Type.U32, holding, others, holds.scalar_operand)
    kept = low.objects.kept(Value(t.Group(COALESCED), alike), "partition")
    return replace(kept, among=_among_two(low, mask, kept, holds))


def _among_two(low: Lowering, whole: ir.Value, group: Value, holds: Value) -> tuple[ir.Value, ir.Value]:
    """Return the rank of a group and the number of groups, which are one or two: the second one's predicate holds."""
    parted = low.context.emit(Op.SETP, Type.U32, group.scalar_operand, whole, mod=Cmp.NE)
    second = low.context.emit(Op.SELP, Type.U32, word(1), word(0), holds.scalar_operand)
    rank = low.context.emit(Op.SELP, Type.U32, second, word(0), parted)
    return rank, low.context.emit(Op.SELP, Type.U32, word(2), word(1), parted)


def _among_labels(low: Lowering, whole: ir.Value, group: Value) -> tuple[ir.Value, ir.Value]:
    """Return the rank of a group and the number of groups; they are in the order of their lowest lanes."""
    lanes = group.scalar_operand
    rank = rank_of(low, t.Group(COALESCED), group)
    leads = low.context.emit(Op.SETP, Type.U32, rank, word(0), mod=Cmp.EQ)
    leaders = voted(low, VoteMode.BALLOT, Value(t.BOOL, leads), whole).scalar_operand
    lowest = low.context.emit(Op.AND, Type.U32, lanes, low.context.emit(Op.SUB, Type.U32, word(0), lanes))
    below = low.context.emit(Op.AND, Type.U32, leaders, low.context.emit(Op.SUB, Type.U32, lowest, word(1)))
    return low.context.emit(Op.POPC, Type.U32, below), low.context.emit(Op.POPC, Type.U32, leaders)


def _dimensions(of_block: str, of_grid: str = "") -> Method:
    def method(low: Lowering, group: t.Group, value: Value, call: s.Call) -> Lvalue:
        check_count(call, 0)
        if group.kind == TILE:
            fail("only the block and the grid have dimensions", call.span)
        return low.lvalues.place(s.Name(call.span, of_grid if of_grid and group.kind == GRID else of_block))

    return method


# ------------------------------------------------------------------------------------------ what they do
def lanes_of(low: Lowering, group: t.Group, value: Value) -> ir.Value:
    """Return the lanes of this thread's group."""
    if group.kind == COALESCED:
        return value.scalar_operand
    if group.threads == 32:
        return word(FULL_MASK)
    return low.context.emit(Op.SHL, Type.U32, word((1 << group.threads) - 1), _first_lane(low, group))


def _first_lane(low: Lowering, tile: t.Group) -> ir.Value:
    """Return the lowest lane of this thread's tile."""
    return low.context.emit(Op.AND, Type.U32, ir.SpecialValue(Special.LANEID), word(-tile.threads))


def _sync(low: Lowering, group: t.Group, value: Value, call: s.Call) -> Value:
    if group.kind == GRID:
        require(low, features.GRID_SYNC)
        low.context.builder.effect(Op.BAR_SYNC, mod=BarrierScope.GRID)
    elif group.kind == BLOCK:
        low.context.builder.effect(Op.BAR_SYNC)
    else:
        low.context.builder.effect(Op.WARPSYNC, Type.U32, lanes_of(low, group, value))
    return Value(t.VOID)


def library_call(low: Lowering, name: str, arguments: list[s.Expression], call: s.Call) -> Value:
    """Call a function of ``headers/device`` in the place of a call."""
    return low.expressions.rvalue(s.Call(call.span, s.Name(call.span, name), arguments))


def _shuffle(name: str, mode: ShflMode) -> Method:
    def method(low: Lowering, group: t.Group, value: Value, call: s.Call) -> Value:
        if call.arguments and isinstance(t.decayed(low.semantics.typer.type_of(call.arguments[0])), t.Struct):
            assert isinstance(call.callee, s.Member)
            return library_call(low, f"wv_{name}", [call.callee.base, *call.arguments], call)
        what, where = evaluate(low, call, 2)
        scalar_of(what, call)
        if group.kind == COALESCED and mode != ShflMode.BFLY:
            return coalesced_shuffle(low, mode, value, what, as_type(low, where, t.UINT, call.span))
        threads = tile_width(group, call)
        return shuffled(
            low, mode, what, as_type(low, where, t.UINT, call.span), word(threads), lanes_of(low, group, value)
        )  # fmt: skip

    return method


def coalesced_shuffle(low: Lowering, mode: ShflMode, group: Value, what: Value, where: ir.Value) -> Value:
    """Lower a shuffle among the lanes that happen to run together, which are counted by rank: beyond the first and the
    last a lane keeps its own value."""
    mask, rank = group.scalar_operand, where
    if mode != ShflMode.IDX:
        op, own = Op.ADD if mode == ShflMode.DOWN else Op.SUB, rank_of(low, t.Group(COALESCED), group)
        rank = low.context.emit(op, Type.U32, own, where)
        size = low.context.emit(Op.POPC, Type.U32, mask)
        within = low.context.emit(Op.SETP, Type.U32, rank, size, mod=Cmp.LT)
        rank = low.context.emit(Op.SELP, Type.U32, rank, own, within)
    return shuffled(low, ShflMode.IDX, what, lane_of_rank(low, mask, rank), word(32), mask)


def _vote(mode: VoteMode) -> Method:
    def method(low: Lowering, group: t.Group, value: Value, call: s.Call) -> Value:
        holds = predicate(low, evaluate(low, call, 1)[0], call.span)
        if group.kind != COALESCED:
            tile_width(group, call)
        vote = voted(low, mode, holds, lanes_of(low, group, value))
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
    require(low, features.MATCHES)
    scalar = scalar_of(what, call)
    type = scalar if scalar.size >= 4 else t.INT
    mask = lanes_of(low, group, value)
    lanes = low.context.emit(Op.MATCH, type.isa, as_type(low, what, type, call.span), mask, mod=MatchMode.ANY)
    return Value(t.UINT, _by_rank(low, group, value, lanes))


_METHODS: dict[str, Method] = {
    "sync": _sync,
    "thread_rank": thread_rank,
    "size": size,
    "num_threads": size,
    "meta_group_rank": meta_rank,
    "meta_group_size": meta_size,
    "group_index": _dimensions("blockIdx"),
    "block_index": _dimensions("blockIdx"),
    "thread_index": _dimensions("threadIdx"),
    "group_dim": _dimensions("blockDim", "gridDim"),
    "dim_threads": _dimensions("blockDim"),
    "dim_blocks": _dimensions("gridDim"),
    "num_blocks": of_grid(grid_blocks),
    "block_rank": of_grid(grid_block),
    "is_valid": of_grid(lambda low: number(t.BOOL, 1)),
    "match_any": _match_any,
    **{name: _shuffle(name, mode) for name, mode in _SHUFFLES.items()},
    **{name: _vote(mode) for name, mode in _VOTES.items()},
}


def group_method(low: Lowering, group: t.Group, value: Value, node: s.Call, member: s.Member) -> Value | Lvalue:
    """Lower group.function(...)."""
    method = _METHODS.get(member.name)
    if method is None:
        fail_no_function(group, member)
    return method(low, group, value, node)


def group_argument(low: Lowering, call: s.Call) -> tuple[t.Group, Value]:
    value = low.expressions.rvalue(call.arguments[0])
    group = t.plain(value.type)
    if not isinstance(group, t.Group):
        fail(f"a cooperative group is needed here, not '{value.type}'", call.span)
    return group, value


def _sync_function(low: Lowering, call: s.Call, name: str) -> Value:
    check_count(call, 1)
    group, value = group_argument(low, call)
    return _sync(low, group, value, call)


def _rank_function(low: Lowering, call: s.Call, name: str) -> Value:
    check_count(call, 1)
    group, value = group_argument(low, call)
    return own_rank(low, group, value)


GROUP_FUNCTIONS: dict[str, Handler] = {
    "this_thread_block": _this_thread_block,
    "this_grid": _this_grid,
    "this_thread": _this_thread,
    "coalesced_threads": _coalesced_threads,
    "tiled_partition": _tiled_partition,
    "binary_partition": _partition,
    "labeled_partition": _partition,
    "sync": _sync_function,
    "thread_rank": _rank_function,
}
