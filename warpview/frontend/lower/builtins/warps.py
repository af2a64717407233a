"""Lower barriers, fences and the exchange of values between the lanes of a warp."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpview.frontend import features, ir
from warpview.frontend import syntax as s
from warpview.frontend.lower.builtins.support import (
    FULL_MASK,
    Handler,
    as_type,
    evaluate,
    pointee,
    predicate,
    require,
    scalar_of,
)
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.values import Lvalue, Value
from warpview.isa.modes import ALL_THREADS, BARRIERS_A_BLOCK, Clock, NamedBarrier
from warpview.isa.ops import BarRedOp, Cmp, MatchMode, MemoryScope, Op, ReduxOp, ShflMode, VoteMode
from warpview.isa.program import Special
from warpview.isa.types import Type

if TYPE_CHECKING:
    from warpview.frontend.lower.lowering import Lowering

SHUFFLES = {"": ShflMode.IDX, "_up": ShflMode.UP, "_down": ShflMode.DOWN, "_xor": ShflMode.BFLY}
LANE_COUNTS = (1, 2, 4, 8, 16, 32)  # lanes of a tile, or among which a shuffle exchanges
VOTES = {"all": VoteMode.ALL, "any": VoteMode.ANY, "uni": VoteMode.UNI, "ballot": VoteMode.BALLOT}
REDUCTIONS = {
    "add": ReduxOp.ADD, "min": ReduxOp.MIN, "max": ReduxOp.MAX, "and": ReduxOp.AND, "or": ReduxOp.OR,
    "xor": ReduxOp.XOR,
}  # fmt: skip
COUNTED = {"count": BarRedOp.POPC, "and": BarRedOp.AND, "or": BarRedOp.OR}


def shuffled(low: Lowering, mode: ShflMode, value: Value, lane: ir.Value, width: ir.Value, mask: ir.Value) -> Value:
    """Return the value of another lane; narrow integers travel as int."""
    require(low, features.SHUFFLES)
    scalar = t.arithmetic(value.type)
    assert scalar is not None
    type = scalar if scalar.size >= 4 else t.INT
    operand = low.conversions.convert_scalar(value, scalar, type).scalar_operand
    result = Value(type, low.context.emit(Op.SHFL, type.isa, operand, lane, width, mask, mod=mode))
    return low.conversions.convert_scalar(result, type, scalar)


def _shuffle(low: Lowering, call: s.Call, name: str) -> Value:
    synced = name.endswith("_sync")
    mode = SHUFFLES[name.removeprefix("__shfl").removesuffix("_sync")]
    values = evaluate(low, call, 3 if synced else 2, 4 if synced else 3)
    mask = as_type(low, values.pop(0), t.UINT, call.span) if synced else _legacy(low, name)
    what = low.conversions.convert(values[0], t.promoted(scalar_of(values[0], call)), call.span)
    lane = as_type(low, values[1], t.UINT, call.span)
    width = as_type(low, values[2], t.UINT, call.span) if len(values) > 2 else ir.const(Type.U32, 32)
    if isinstance(width, ir.Const) and width.bits not in LANE_COUNTS:
        fail("the width of a shuffle must be 1, 2, 4, 8, 16 or 32", call.span)
    return shuffled(low, mode, what, lane, width, mask)


def _legacy(low: Lowering, name: str) -> ir.Value:
    """Return the mask of a function that has none: the lanes that execute it, as before Volta."""
    low.context.function.last_capability = (6, 9)
    low.context.function.last_capability_reason = f"{name} without a mask (write {name}_sync)"
    return ir.const(Type.U32, FULL_MASK)


def voted(low: Lowering, mode: VoteMode, predicate: Value, mask: ir.Value) -> Value:
    require(low, features.vote(mode == VoteMode.BALLOT))
    result = low.context.emit(Op.VOTE, Type.U32, predicate.scalar_operand, mask, mod=mode)
    return Value(t.UINT if mode == VoteMode.BALLOT else t.INT, result)


def _vote(low: Lowering, call: s.Call, name: str) -> Value:
    synced = name.endswith("_sync")
    values = evaluate(low, call, 2 if synced else 1)
    mask = as_type(low, values[0], t.UINT, call.span) if synced else _legacy(low, name)
    holds = predicate(low, values[-1], call.span)
    return voted(low, VOTES[name.strip("_").removesuffix("_sync")], holds, mask)


def _match(low: Lowering, call: s.Call, name: str) -> Value:
    every = "all" in name
    values = evaluate(low, call, 3 if every else 2)
    require(low, features.MATCHES)
    mask = as_type(low, values[0], t.UINT, call.span)
    scalar = scalar_of(values[1], call)
    type = scalar if scalar.size >= 4 else t.INT
    operand = as_type(low, values[1], type, call.span)
    mode = MatchMode.ALL if every else MatchMode.ANY
    result = low.context.emit(Op.MATCH, type.isa, operand, mask, mod=mode)
    if every:
        address, to = pointee(values[2], call)
        holds = Value(t.BOOL, low.context.emit(Op.SETP, Type.U32, result, ir.const(Type.U32, 0), mod=Cmp.NE))
        low.memory.store(Lvalue(address, to), low.conversions.convert(holds, to, call.span), call.span)
    return Value(t.UINT, result)


def reduced(low: Lowering, op: ReduxOp, value: Value, mask: ir.Value) -> Value:
    require(low, features.REDUCTIONS)
    scalar = t.arithmetic(value.type)
    type = (
        t.INT if scalar is not None and scalar.is_signed and op in (ReduxOp.ADD, ReduxOp.MIN, ReduxOp.MAX) else t.UINT
    )
    operand = low.conversions.convert(value, type, low.context.builder.span).scalar_operand
    return Value(type, low.context.emit(Op.REDUX, type.isa, operand, mask, mod=op))


def _reduce(low: Lowering, call: s.Call, name: str) -> Value:
    mask, value = evaluate(low, call, 2)
    scalar = scalar_of(value, call)
    if scalar.is_float or scalar.size > 4:
        fail(f"{name} needs a 32-bit integer, not '{value.type}'", call.span)
    op = REDUCTIONS[name.removeprefix("__reduce_").removesuffix("_sync")]
    return reduced(low, op, value, as_type(low, mask, t.UINT, call.span))


def _syncthreads(low: Lowering, call: s.Call, name: str) -> Value:
    evaluate(low, call, 0)
    low.context.builder.effect(Op.BAR_SYNC)
    return Value(t.VOID)


def _named_barrier(low: Lowering, call: s.Call, name: str) -> Value:
    """Lower a barrier with a number, and perhaps with the number of threads that it waits for."""
    arrives = name == "bar.arrive"
    operands = [as_type(low, value, t.UINT, call.span) for value in evaluate(low, call, *NAMED_BARRIERS[name])]
    number, threads = operands[0], operands[1] if len(operands) > 1 else ir.const(Type.U32, ALL_THREADS)
    if isinstance(number, ir.Const) and number.bits >= BARRIERS_A_BLOCK:
        fail(f"there is no barrier {number.bits}: a block has barriers 0 to {BARRIERS_A_BLOCK - 1}", call.span)
    if isinstance(threads, ir.Const) and threads.bits % 32:
        fail(f"a barrier's number of threads must be a multiple of 32, not {threads.bits}", call.span)
    if isinstance(threads, ir.Const) and arrives and threads.bits == ALL_THREADS:
        fail("an arrival at a barrier must say for how many threads the barrier waits", call.span)
    if number == threads == ir.const(Type.U32, 0):
        low.context.builder.effect(Op.BAR_SYNC)
        return Value(t.VOID)
    require(low, features.NUMBERED_BARRIERS)
    mode = NamedBarrier.ARRIVE if arrives else NamedBarrier.SYNC
    low.context.builder.effect(Op.BAR_NAMED, Type.U32, number, threads, mod=mode)
    return Value(t.VOID)


def _counted(low: Lowering, call: s.Call, name: str) -> Value:
    require(low, features.REDUCING_BARRIERS)
    holds = predicate(low, evaluate(low, call, 1)[0], call.span).scalar_operand
    return Value(t.INT, low.context.emit(Op.BAR_RED, Type.U32, holds, mod=COUNTED[name.rpartition("_")[2]]))


def _syncwarp(low: Lowering, call: s.Call, name: str) -> Value:
    values = evaluate(low, call, 0, 1)
    mask = as_type(low, values[0], t.UINT, call.span) if values else ir.const(Type.U32, FULL_MASK)
    low.context.builder.effect(Op.WARPSYNC, Type.U32, mask)
    return Value(t.VOID)


FENCES = {
    "__threadfence": MemoryScope.DEVICE,
    "__threadfence_block": MemoryScope.BLOCK,
    "__threadfence_system": MemoryScope.SYSTEM,
}


def _fence(low: Lowering, call: s.Call, name: str) -> Value:
    evaluate(low, call, 0)
    low.context.builder.effect(Op.MEMBAR, mod=FENCES[name])
    return Value(t.VOID)


def _activemask(low: Lowering, call: s.Call, name: str) -> Value:
    evaluate(low, call, 0)
    return Value(t.UINT, low.context.emit(Op.ACTIVEMASK, Type.U32))


def _clock(low: Lowering, call: s.Call, name: str) -> Value:
    evaluate(low, call, 0)
    unit = Clock.NANOSECONDS if name == "%globaltimer" else Clock.CYCLES
    type = t.LONG if name in ("clock", "%clock") else t.LONGLONG
    return Value(type, low.context.emit(Op.CLOCK, Type.S64, mod=unit))


_READ_IN_PLACE = {
    "%laneid": Special.LANEID, "%warpid": Special.WARPID, "%smid": Special.SMID,
    "%cluster_ctarank": Special.CLUSTER_RANK, "%cluster_nctaid.x": Special.CLUSTER_X,
    "%cluster_nctaid.y": Special.CLUSTER_Y, "%cluster_nctaid.z": Special.CLUSTER_Z,
}  # fmt: skip


def _lane_register(low: Lowering, call: s.Call, name: str) -> Value:
    """Lower a read of one of PTX's registers about the lane: ``%laneid`` or a mask of the lanes around it."""
    if name in _READ_IN_PLACE:
        return Value(t.UINT, ir.SpecialValue(_READ_IN_PLACE[name]))
    emit = low.context.emit
    own = emit(Op.SHL, Type.U32, ir.const(Type.U32, 1), ir.SpecialValue(Special.LANEID))
    below = emit(Op.SUB, Type.U32, own, ir.const(Type.U32, 1))
    mask = {
        "eq": lambda: own,
        "lt": lambda: below,
        "le": lambda: emit(Op.OR, Type.U32, own, below),
        "gt": lambda: emit(Op.NOT, Type.U32, emit(Op.OR, Type.U32, own, below)),
        "ge": lambda: emit(Op.NOT, Type.U32, below),
    }
    return Value(t.UINT, mask[name.rpartition("_")[2]]())


def _nothing(low: Lowering, call: s.Call, name: str) -> Value:
    for argument in call.arguments:
        low.expressions.effect(argument)
    return Value(t.VOID)


def _nanosleep(low: Lowering, call: s.Call, name: str) -> Value:
    """Sleep for no time, as a device may: between none and twice the time (PTX ISA, nanosleep)."""
    require(low, features.NANOSLEEP)
    evaluate(low, call, 1)
    return Value(t.VOID)


# Barriers with a number, and how many operands each may have.
NAMED_BARRIERS = {"bar.sync": (1, 2), "bar.arrive": (2, 2), "__barrier_sync": (1, 1), "__barrier_sync_count": (2, 2)}

# Registers that inline PTX may read.
LANE_REGISTERS = (
    *_READ_IN_PLACE, "%lanemask_lt", "%lanemask_le", "%lanemask_gt", "%lanemask_ge", "%lanemask_eq",
)  # fmt: skip

TABLE: dict[str, Handler] = {
    **{f"__shfl{kind}{sync}": _shuffle for kind in SHUFFLES for sync in ("", "_sync")},
    **{f"__{kind}{sync}": _vote for kind in VOTES for sync in ("", "_sync")},
    **dict.fromkeys(("__match_any_sync", "__match_all_sync"), _match),
    **{f"__reduce_{kind}_sync": _reduce for kind in REDUCTIONS},
    **{f"__syncthreads_{kind}": _counted for kind in COUNTED},
    "__syncthreads": _syncthreads,
    **dict.fromkeys(NAMED_BARRIERS, _named_barrier),
    "__syncwarp": _syncwarp,
    **dict.fromkeys(FENCES, _fence),
    "__activemask": _activemask,
    "clock": _clock,
    "clock64": _clock,
    "%clock": _clock,
    "%clock64": _clock,
    "%globaltimer": _clock,
    **dict.fromkeys(LANE_REGISTERS, _lane_register),
    "__prof_trigger": _nothing,
    "__nanosleep": _nanosleep,
}
