"""Lower operations on barriers in memory, for the headers of ours that declare them (``cuda/barrier``).

The last argument of each that has an order is a ``cuda::thread_scope``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpview.frontend import features
from warpview.frontend import syntax as s
from warpview.frontend.lower.builtins.support import Handler, as_type, check_count, pointee, require
from warpview.frontend.memory_barriers import MemoryBarrier, arrivals_awaited, parity_of
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.values import Value
from warpview.isa.ops import AtomOp, MemoryScope
from warpview.isa.types import Space, Type

if TYPE_CHECKING:
    from warpview.frontend.lower.lowering import Lowering

_SCOPES = (MemoryScope.SYSTEM, MemoryScope.DEVICE, MemoryScope.BLOCK, MemoryScope.BLOCK)  # of each thread_scope


def _barrier(low: Lowering, call: s.Call, scope: MemoryScope = MemoryScope.BLOCK) -> MemoryBarrier:
    """Return the barrier that the first argument points to."""
    where, _ = pointee(low.expressions.rvalue(call.arguments[0]), call)
    where = low.objects.in_memory(where)
    require(low, features.atomic(AtomOp.ADD, Type.U64, where.space == Space.SHARED))
    return MemoryBarrier(low.context.builder, where.space, low.memory.base_of(where), where.offset, scope)


def _scope(low: Lowering, call: s.Call) -> MemoryScope:
    return _SCOPES[low.semantics.evaluator.folded_integer(call.arguments[-1], "the scope of a barrier")]


def _start(low: Lowering, call: s.Call, name: str) -> Value:
    check_count(call, 2)
    count = as_type(low, low.expressions.rvalue(call.arguments[1]), t.UINT, call.span)
    _barrier(low, call).start(count)
    return Value(t.VOID)


def _arrive(low: Lowering, call: s.Call, name: str) -> Value:
    """Lower an arrival (barrier, count, bytes to await, scope), or that of a thread that is not awaited again."""
    check_count(call, 4)
    count, awaited = (as_type(low, low.expressions.rvalue(a), t.UINT, call.span) for a in call.arguments[1:3])
    barrier = _barrier(low, call, _scope(low, call))
    return Value(t.ULONGLONG, barrier.arrive(count, awaited, leaves=name == "__wv_barrier_leave"))


def _bytes(low: Lowering, call: s.Call, name: str) -> Value:
    """Lower telling a barrier of bytes (barrier, bytes, scope) that it awaits, or that have come."""
    check_count(call, 3)
    count = as_type(low, low.expressions.rvalue(call.arguments[1]), t.UINT, call.span)
    barrier = _barrier(low, call, _scope(low, call))
    (barrier.await_bytes if name == "__wv_barrier_await_bytes" else barrier.receive_bytes)(count)
    return Value(t.VOID)


def _follow_copies(low: Lowering, call: s.Call, name: str) -> Value:
    check_count(call, 1)
    _barrier(low, call).follow_copies()
    return Value(t.VOID)


def _is_over(low: Lowering, call: s.Call, name: str) -> Value:
    """Lower the question (barrier, parity, scope) whether a phase is over."""
    check_count(call, 3)
    parity = as_type(low, low.expressions.rvalue(call.arguments[1]), t.UINT, call.span)
    return Value(t.BOOL, _barrier(low, call, _scope(low, call)).is_over(parity))


def _of_word(low: Lowering, call: s.Call, name: str) -> Value:
    """Lower what a token, the word before an arrival, tells."""
    check_count(call, 1)
    word = as_type(low, low.expressions.rvalue(call.arguments[0]), t.ULONGLONG, call.span)
    tell = parity_of if name == "__wv_barrier_parity" else arrivals_awaited
    return Value(t.UINT, tell(low.context.builder, word))


TABLE: dict[str, Handler] = {
    "__wv_barrier_start": _start,
    "__wv_barrier_arrive": _arrive,
    "__wv_barrier_leave": _arrive,
    "__wv_barrier_await_bytes": _bytes,
    "__wv_barrier_receive_bytes": _bytes,
    "__wv_barrier_follow_copies": _follow_copies,
    "__wv_barrier_is_over": _is_over,
    "__wv_barrier_parity": _of_word,
    "__wv_barrier_awaited": _of_word,
}
RESULTS = {
    **dict.fromkeys(TABLE, t.VOID),
    **dict.fromkeys(("__wv_barrier_arrive", "__wv_barrier_leave"), t.ULONGLONG),
    **dict.fromkeys(("__wv_barrier_parity", "__wv_barrier_awaited"), t.UINT),
    "__wv_barrier_is_over": t.BOOL,
}
