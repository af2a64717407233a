"""Lower barriers in shared memory (mbarrier)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpview.frontend import features
from warpview.frontend.ir import const
from warpview.frontend.memory_barriers import MemoryBarrier, arrivals_awaited, parity_of
from warpview.frontend.ptx.syntax import PtxInstruction, PtxOperand
from warpview.isa.ops import MemoryScope
from warpview.isa.types import Type

if TYPE_CHECKING:
    from warpview.frontend.ptx.lowering import PtxCall

_ONE = const(Type.U32, 1)
_FORMS = frozenset({
    "init", "inval", "arrive", "arrive_drop", "expect_tx", "complete_tx", "test_wait", "try_wait", "parity",
    "pending_count", "noComplete", "shared", "shared::cta", "shared::cluster", "b64", "relaxed", "release", "acquire",
    "cta", "cluster",
})  # fmt: skip
_LATER = frozenset({"try_wait", "expect_tx", "complete_tx", "shared::cluster", "cluster"})


def operate(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower mbarrier in each of its forms."""
    low.require(features.BULK_COPIES if _LATER.intersection(ins.modifiers) else features.MEMORY_BARRIERS)
    form = ins.modifiers[0]
    if not _FORMS.issuperset(ins.modifiers):
        low.refuse(f"'{ins.name}'")
    if form == "inval":
        return
    if form == "pending_count":
        low.write(ins.operands[0], arrivals_awaited(low.builder, low.read(ins.operands[1], Type.U64)))
    elif form in ("arrive", "arrive_drop"):
        _arrive(low, ins)
    elif form in ("test_wait", "try_wait"):
        _ask(low, ins)
    else:
        barrier, count = _barrier(low, ins, ins.operands[0]), low.read(ins.operands[1], Type.U32)
        {"init": barrier.start, "expect_tx": barrier.await_bytes, "complete_tx": barrier.receive_bytes}[form](count)


def arrive_after_copies(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower cp.async.mbarrier.arrive, an arrival once the copies of the thread are there. Without ``noinc`` it is one
    more that the phase awaits, which changes no number."""
    low.require(features.MEMORY_BARRIERS)
    barrier = _barrier(low, ins, ins.operands[0])
    barrier.follow_copies()
    if "noinc" in ins.modifiers:
        barrier.arrive(_ONE)


def _arrive(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower mbarrier.arrive and mbarrier.arrive_drop: with a count, or with bytes that the phase awaits."""
    state, place, *more = ins.operands
    barrier, given = _barrier(low, ins, place), low.read(more[0], Type.U32) if more else _ONE
    leaves = ins.modifiers[0] == "arrive_drop"
    tells = "expect_tx" in ins.modifiers
    before = barrier.arrive(_ONE, given, leaves) if tells else barrier.arrive(given, leaves=leaves)
    low.write(state, before)


def _ask(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower mbarrier.test_wait and mbarrier.try_wait, which need not wait: of a phase by its parity or by a state."""
    answer, place, phase = ins.operands[:3]
    is_parity = "parity" in ins.modifiers
    parity = low.read(phase, Type.U32) if is_parity else parity_of(low.builder, low.read(phase, Type.U64))
    low.write(answer, _barrier(low, ins, place).is_over(parity))


def _barrier(low: PtxCall, ins: PtxInstruction, place: PtxOperand) -> MemoryBarrier:
    return MemoryBarrier(
        low.builder, *low.accesses.accessed(ins, place), scope_of_barriers(low, "cluster" in ins.modifiers)
    )


def scope_of_barriers(low: PtxCall, of_cluster: bool = False) -> MemoryScope:
    """Return the threads that a barrier orders: in a kernel that uses clusters the copies of other blocks, too."""
    return MemoryScope.DEVICE if of_cluster or low.function.names_blocks else MemoryScope.BLOCK
