"""Write operations on barriers in memory (``mbarrier`` objects, ``cuda::barrier``) as atomics on one word of 64 bits.

Programs do not look into the word (PTX ISA, "Contents of the mbarrier object"). Here it holds, from its low end:

=====  ==============================================================
bits   field
=====  ==============================================================
0-19   arrivals that the current phase still awaits
20-39  arrivals that a phase awaits in all
40-62  bytes of copies that the current phase awaits, plus ``NO_BYTES``
63     parity of the phase
=====  ==============================================================
"""

from __future__ import annotations

from dataclasses import dataclass

from warpview.frontend.builder import Builder
from warpview.frontend.ir import Const, Reg, Value, const
from warpview.isa.modes import AtomOp, Cmp
from warpview.isa.ops import MemoryScope, Op
from warpview.isa.types import Space, Type

MOST_ARRIVALS = (1 << 20) - 1
_EXPECTED_AT, _BYTES_AT, _PARITY_AT = 20, 40, 63
_NO_BYTES = 1 << 22
_FIELDS_OF_PHASE = MOST_ARRIVALS | ((1 << _PARITY_AT) - (1 << _BYTES_AT))


@dataclass(frozen=True)
class MemoryBarrier:
    """Write what threads do with the barrier at ``base`` plus ``offset`` in ``space``: arrivals release, and questions
    acquire, among the threads of ``scope``."""

    builder: Builder
    space: Space
    base: Value
    offset: int = 0
    scope: MemoryScope = MemoryScope.BLOCK

    def start(self, count: Value) -> None:
        """Begin the first phase, which awaits ``count`` arrivals."""
        counts = self._times(count, 1 | 1 << _EXPECTED_AT)
        word = self._emit(Op.ADD, counts, const(Type.U64, _NO_BYTES << _BYTES_AT))
        self.builder.store_vector(Type.U64, self.space, self.base, (word,), imm=self.offset)

    def arrive(self, count: Value, awaited_bytes: Value | None = None, leaves: bool = False) -> Reg:
        """Arrive ``count`` times, after the phase is told of bytes that it awaits; return the word before.

        Who ``leaves`` is not awaited in the phases that follow either.
        """
        change = self._times(count, -1 - (leaves << _EXPECTED_AT))
        if awaited_bytes is not None:
            change = self._emit(Op.ADD, change, self._times(awaited_bytes, 1 << _BYTES_AT))
        self._fence()
        return self._change(change)

    def await_bytes(self, count: Value) -> None:
        """Tell the phase of bytes that it awaits."""
        self._atomic(self._times(count, 1 << _BYTES_AT))

    def receive_bytes(self, count: Value) -> None:
        """Tell the phase of bytes that have come, which may end it."""
        self._fence()
        self._change(self._times(count, -1 << _BYTES_AT))

    def follow_copies(self) -> None:
        """Let the phase be over no earlier than the asynchronous copies of this thread so far are there, which matters
        to times alone: the copies themselves are loads and stores."""
        self.builder.effect(
            Op.RED, Type.U64, self.base, const(Type.U64, 0), space=self.space, imm=self.offset, mod=AtomOp.ADD,
            scope=self.scope, asynchronous=True,
        )  # fmt: skip

    def is_over(self, parity: Value) -> Reg:
        """Return whether the phase of a parity is over."""
        (word,) = self.builder.load_vector(
            Type.U64, 1, self.space, self.base, imm=self.offset, cached=False, relaxed=True, scope=self.scope,
            asynchronous=True,
        )  # fmt: skip
        self._fence()
        return self.builder.emit(Op.SETP, Type.U32, parity_of(self.builder, word), parity, mod=Cmp.NE)

    def _change(self, change: Value) -> Reg:
        """Change the word, and begin the next phase where nothing more is awaited; return the word before."""
        builder = self.builder
        before = self._atomic(change)
        after = self._emit(Op.ADD, before, change)
        awaited = self._emit(Op.AND, after, const(Type.U64, _FIELDS_OF_PHASE))
        is_over = builder.emit(Op.SETP, Type.U64, awaited, const(Type.U64, _NO_BYTES << _BYTES_AT), mod=Cmp.EQ)
        then, behind = builder.new_block(), builder.new_block()
        builder.branch(is_over, then, behind)
        builder.place(then)
        self._fence()
        counts = self._emit(Op.AND, after, const(Type.U64, MOST_ARRIVALS << _EXPECTED_AT))
        awaited_next = builder.emit(Op.SHR, Type.U64, counts, const(Type.U32, _EXPECTED_AT))
        self._atomic(self._emit(Op.OR, awaited_next, const(Type.U64, 1 << _PARITY_AT)))
        builder.place(behind)
        return before

    def _atomic(self, change: Value) -> Reg:
        return self.builder.emit(
            Op.ATOM, Type.U64, self.base, change, space=self.space, imm=self.offset, mod=AtomOp.ADD, scope=self.scope
        )

    def _emit(self, op: Op, a: Value, b: Value) -> Reg:
        return self.builder.emit(op, Type.U64, a, b)

    def _times(self, count: Value, unit: int) -> Value:
        """Return a count of 32 bits times the unit of a field, or of several."""
        if isinstance(count, Const):
            return const(Type.U64, int(count.value) * unit & (1 << 64) - 1)
        wide = self.builder.emit(Op.CVT, Type.U64, count, stype=Type.U32)
        return self._emit(Op.MUL, wide, const(Type.U64, unit & (1 << 64) - 1))

    def _fence(self) -> None:
        self.builder.effect(Op.MEMBAR, mod=self.scope)


def parity_of(builder: Builder, word: Value) -> Reg:
    """Return the parity of the phase in which a barrier was, 0 or 1."""
    upper = builder.emit(Op.SHR, Type.U64, word, const(Type.U32, _PARITY_AT))
    return builder.emit(Op.CVT, Type.U32, upper, stype=Type.U64)


def arrivals_awaited(builder: Builder, word: Value) -> Reg:
    """Return how many arrivals the phase in which a barrier was still awaited."""
    low = builder.emit(Op.CVT, Type.U32, word, stype=Type.U64)
    return builder.emit(Op.AND, Type.U32, low, const(Type.U32, MOST_ARRIVALS))
