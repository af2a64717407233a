"""Lower bulk copies and reductions (cp.async.bulk, cp.reduce.async.bulk).

They are loads and stores of the thread that asks for them: copies in parts of 16 bytes, reductions element by element.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from warpview.frontend import features
from warpview.frontend.ir import Reg, Value, const
from warpview.frontend.memory_barriers import MemoryBarrier
from warpview.frontend.ptx import clusters, table
from warpview.frontend.ptx.memory import OF_CLUSTER
from warpview.frontend.ptx.memory_barriers import scope_of_barriers
from warpview.frontend.ptx.syntax import HALVES, PtxInstruction, PtxOperand
from warpview.isa.modes import AtomOp, Cmp
from warpview.isa.ops import MemoryScope, Op
from warpview.isa.types import Space, Type

if TYPE_CHECKING:
    from warpview.frontend.ptx.lowering import PtxCall

_ONE = const(Type.U32, 1)
_PART, _PARTS_A_TRIP = 16, 8  # bytes; parts that a trip of the loop copies as long as there are so many
_MULTICAST, _MOST_RANKS = "multicast::cluster", 16
_GROUPS = frozenset({"commit_group", "wait_group"})
_COPIED = frozenset({"global", "shared::cta", "shared::cluster"})
_Place = tuple[Space, Value, int]  # a base and an offset in a space
_Cursor = tuple[Space, Reg, int]  # the same with a base that goes on


def copy_in_bulk(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower cp.async.bulk: a copy that tells a barrier of its bytes, or one that belongs to a group; and
    cp.reduce.async.bulk, which reduces what is there."""
    low.require(features.BULK_COPIES)
    if _GROUPS.intersection(ins.modifiers):
        return
    spaces = [m for m in ins.modifiers if m in _COPIED]
    if len(spaces) != 2 or "tensor" in ins.modifiers:
        low.refuse(f"'{ins.name}'")
    to, source, size, *more = ins.operands
    copy = _BulkCopy(low, ins, low.accesses.place(source, spaces[1]), low.read(size, Type.U32))
    if _MULTICAST in ins.modifiers:
        copy.to_ranks(to, more[0], low.read(more[1], Type.U16))
    else:
        copy.write(low.accesses.place(to, spaces[0]), [low.accesses.place(told, spaces[0]) for told in more])


class _BulkCopy:
    """Write the loops of one copy of ``size`` bytes, or of a reduction."""

    def __init__(self, low: PtxCall, ins: PtxInstruction, source: _Place, size: Value) -> None:
        self._low, self._source, self._size = low, source, size
        self._reduces = "reduce" in ins.modifiers
        name = next((m for m in ins.modifiers if m in table.ATOMICS), "")
        if self._reduces:
            self._op, self._type = table.ATOMICS[name], ins.types[-1]
            if ins.modifiers[-1] == "f16" and self._op == AtomOp.ADD:
                self._op = AtomOp.ADD_F16
            elif ins.modifiers[-1] in HALVES:
                low.refuse(f"'{ins.name}'")

    def write(self, to: _Place, told: Sequence[_Place]) -> None:
        """Write to one place, and tell barriers."""
        builder = self._low.builder
        written, read = (builder.emit(Op.MOV, base.type, base) for _, base, _ in (to, self._source))
        done = builder.emit(Op.MOV, Type.U32, const(Type.U32, 0))
        places = (to[0], written, to[2]), (self._source[0], read, self._source[2])
        for size in (self._type.bytes,) if self._reduces else (_PARTS_A_TRIP * _PART, _PART):
            self._loop(*places, done, size)
        for place in told:
            barrier = MemoryBarrier(builder, *place, scope_of_barriers(self._low))
            if not self._low.function.names_blocks:
                barrier.follow_copies()
            barrier.receive_bytes(self._size)

    def to_ranks(self, to: PtxOperand, told: PtxOperand, ranks: Value) -> None:
        """Write to the same place in each block of a mask of ranks, and tell the barriers there."""
        low, builder = self._low, self._low.builder
        low.require(features.CLUSTERS)
        low.function.names_blocks = True
        places = [low.accesses.place(operand, OF_CLUSTER) for operand in (to, told)]
        rank = builder.emit(Op.MOV, Type.U32, const(Type.U32, 0))
        ahead, body, then, further, behind = (builder.new_block() for _ in range(5))
        builder.place(ahead)
        builder.branch(builder.emit(Op.SETP, Type.U32, rank, const(Type.U32, _MOST_RANKS), mod=Cmp.LT), body, behind)
        builder.place(body)
        chosen = builder.emit(Op.AND, Type.U32, builder.emit(Op.SHR, Type.U32, ranks, rank), _ONE)
        builder.branch(builder.emit(Op.SETP, Type.U32, chosen, _ONE, mod=Cmp.EQ), then, further)
        builder.place(then)
        there = [(space, clusters.mapped(low, base, rank), offset) for space, base, offset in places]
        self.write(there[0], there[1:])
        builder.place(further)
        builder.emit(Op.ADD, Type.U32, rank, _ONE, dst=rank)
        builder.jump(ahead)
        builder.place(behind)

    def _loop(self, to: _Cursor, source: _Cursor, done: Reg, size: int) -> None:
        """Write the loop that moves so many bytes at a time, as long as there are so many left."""
        builder = self._low.builder
        ahead, body, behind = (builder.new_block() for _ in range(3))
        builder.place(ahead)
        reached = builder.emit(Op.ADD, Type.U32, done, const(Type.U32, size))
        builder.branch(builder.emit(Op.SETP, Type.U32, reached, self._size, mod=Cmp.LE), body, behind)
        builder.place(body)
        if self._reduces:
            self._reduce(to, source)
        else:
            for offset in range(0, size, _PART):
                self._copy(to, source, offset)
        for place in (to[1], source[1], done):
            builder.emit(Op.ADD, place.type, place, const(place.type, size), dst=place)
        builder.jump(ahead)
        builder.place(behind)

    def _copy(self, to: _Cursor, source: _Cursor, offset: int) -> None:
        """Copy a part, on the side where the device has that."""
        builder, more = self._low.builder, {"asynchronous": True}
        values = builder.load_vector(Type.U32, _PART // 4, source[0], source[1], imm=source[2] + offset, **more)
        builder.store_vector(Type.U32, to[0], to[1], values, imm=to[2] + offset, **more)

    def _reduce(self, to: _Cursor, source: _Cursor) -> None:
        """Reduce an element."""
        builder = self._low.builder
        (value,) = builder.load_vector(self._type, 1, source[0], source[1], imm=source[2])
        builder.effect(Op.RED, self._type, to[1], value, space=to[0], imm=to[2], mod=self._op, scope=MemoryScope.DEVICE)
