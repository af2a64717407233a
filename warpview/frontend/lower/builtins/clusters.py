"""Lower what CUDA has for clusters of thread blocks (sm_90_rt.h): their barrier, ranks, and shared memory of others."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from warpview.frontend import features, ir
from warpview.frontend import syntax as s
from warpview.frontend.lower.builtins.support import Handler, as_type, evaluate, pointee, require
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.values import Address, Value
from warpview.isa.modes import MemoryScope
from warpview.isa.ops import Op
from warpview.isa.program import Special
from warpview.isa.types import RANK_SHIFT, SHARED_WINDOW, Space, Type

if TYPE_CHECKING:
    from warpview.frontend.lower.lowering import Lowering

RANKS = 0xFF << RANK_SHIFT


def use_clusters(low: Lowering) -> None:
    """Note that a kernel uses clusters: its generic addresses of shared memory name the block."""
    require(low, features.CLUSTERS)
    low.context.function.names_blocks = True


def _arrive(low: Lowering, call: s.Call, name: str) -> Value:
    evaluate(low, call, 0)
    use_clusters(low)
    if not name.endswith("relaxed"):
        low.context.builder.effect(Op.MEMBAR, mod=MemoryScope.DEVICE)
    low.context.builder.effect(Op.CLUSTER_ARRIVE)
    return Value(t.VOID)


def _wait(low: Lowering, call: s.Call, name: str) -> Value:
    evaluate(low, call, 0)
    use_clusters(low)
    low.context.builder.effect(Op.CLUSTER_WAIT)
    return Value(t.VOID)


def _rank(low: Lowering, call: s.Call, name: str) -> Value:
    evaluate(low, call, 0)
    use_clusters(low)
    rank = ir.SpecialValue(Special.CLUSTER_RANK, is_volatile=True)
    return Value(t.UINT, low.context.emit(Op.MOV, Type.U32, rank))


def _mapped(low: Lowering, call: s.Call, name: str) -> Value:
    """Lower the address of the same place in the shared memory of the block of a rank."""
    pointer, rank = evaluate(low, call, 2)
    use_clusters(low)
    where, number = low.objects.in_memory(pointee(pointer, call)[0]), as_type(low, rank, t.UINT, call.span)
    if where.space == Space.SHARED:
        named, shift = low.memory.address_operand(where), ir.const(Type.U32, 1 << RANK_SHIFT)
        named = low.context.emit(Op.MAD, Type.U32, number, shift, named)
        mapped = low.context.emit(Op.CVT, Type.U64, named, stype=Type.U32)
        mapped = low.context.emit(Op.OR, Type.U64, mapped, ir.const(Type.U64, SHARED_WINDOW))
        return replace(pointer, address=Address(Space.GENERIC, mapped), type=t.decayed(pointer.type))
    address, wide = low.memory.generic_operand(where), low.context.emit(Op.CVT, Type.U64, number, stype=Type.U32)
    shifted = low.context.emit(Op.SHL, Type.U64, wide, ir.const(Type.U32, RANK_SHIFT))
    place = low.context.emit(Op.AND, Type.U64, address, ir.const(Type.U64, ~RANKS & (1 << 64) - 1))
    mapped = low.context.emit(Op.OR, Type.U64, place, shifted)
    return replace(pointer, address=Address(Space.GENERIC, mapped), type=t.decayed(pointer.type))


def _queried(low: Lowering, call: s.Call, name: str) -> Value:
    """Lower the rank of the block in whose shared memory an address lies."""
    (pointer,) = evaluate(low, call, 1)
    use_clusters(low)
    address = low.memory.generic_operand(pointee(pointer, call)[0])
    narrow = low.context.emit(Op.CVT, Type.U32, address, stype=Type.U64)
    return Value(t.UINT, low.context.emit(Op.SHR, Type.U32, narrow, ir.const(Type.U32, RANK_SHIFT)))


ARRIVALS = ("__cluster_barrier_arrive", "__cluster_barrier_arrive_relaxed")
TABLE: dict[str, Handler] = {
    **dict.fromkeys(ARRIVALS, _arrive),
    "__cluster_barrier_wait": _wait,
    "__clusterRelativeBlockRank": _rank,
    "__cluster_map_shared_rank": _mapped,
    "__cluster_query_shared_rank": _queried,
}
