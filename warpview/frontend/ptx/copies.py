"""Lower PTX's asynchronous copies to shared memory (cp.async), as loads and stores that are carried out at once: only
times wait for their groups."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from warpview.frontend import features
from warpview.frontend.ir import Const, Instr, Reg, Value, const
from warpview.frontend.ptx.bulk_copies import copy_in_bulk
from warpview.frontend.ptx.memory_barriers import arrive_after_copies
from warpview.frontend.ptx.syntax import PtxInstruction
from warpview.isa.modes import Cmp, CopyGroup
from warpview.isa.ops import Op
from warpview.isa.types import Space, Type

if TYPE_CHECKING:
    from warpview.frontend.ptx.lowering import PtxCall

_CLOSES, _WAITS = frozenset({"commit_group", "wait_all"}), frozenset({"wait_group", "wait_all"})
_KNOWN = frozenset({"async", "ca", "cg", "shared", "shared::cta", "global", "L2::64B", "L2::128B", "L2::256B"})
_SIZES = {"ca": (4, 8, 16), "cg": (16,)}  # in bytes, by the cache that a copy goes through
_WORD = 4


def copy(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower cp.async and what waits for it. A copy of fewer bytes than its size (``src-size``, or none where a
    predicate says so) fills the rest with zeros."""
    low.require(features.ASYNCHRONOUS_COPIES)
    if ins.modifiers[:3] == ("async", "bulk", "prefetch"):
        return  # to the L2 cache, which holds here what is accessed
    if "bulk" in ins.modifiers:
        copy_in_bulk(low, ins)
        return
    if "mbarrier" in ins.modifiers:
        arrive_after_copies(low, ins)
        return
    if ins.modifiers[:1] == ("async",) and (_CLOSES | _WAITS).intersection(ins.modifiers) and len(ins.modifiers) == 2:
        _groups(low, ins)
        return
    size = ins.operands[2].value if len(ins.operands) in (3, 4) else 0
    level = next((m for m in ins.modifiers if m in _SIZES), "")
    if not _KNOWN.issuperset(ins.modifiers) or size not in _SIZES.get(level, ()):
        low.refuse(f"'{ins.name}'")
    moved = _Copy(low, ins, size)
    if len(ins.operands) == 3:
        moved.whole()
        return
    given = low.read(ins.operands[3], Type.U32) if not moved.is_predicate else low.read(ins.operands[3], Type.PRED)
    if moved.is_predicate:
        moved.choose(given, moved.zeros, moved.whole)
    elif isinstance(given, Const):
        moved.part(given)
    else:
        is_whole = low.emit(Op.SETP, Type.U32, given, const(Type.U32, size), mod=Cmp.EQ)
        moved.choose(is_whole, moved.whole, lambda: moved.part(given))


def _groups(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower the end of a group, and the wait for all but the last ones; ``wait_all`` is both (PTX ISA)."""
    if _CLOSES.intersection(ins.modifiers):
        low.builder.effect(Op.CP_ASYNC, mod=CopyGroup.COMMIT_GROUP)
    if _WAITS.intersection(ins.modifiers):
        left = low.constant(ins.operands[0]) if ins.operands else 0
        low.builder.effect(Op.CP_ASYNC, mod=CopyGroup.WAIT_GROUP, imm=left or 0)


class _Copy:
    """Write the accesses of one copy of ``size`` bytes."""

    def __init__(self, low: PtxCall, ins: PtxInstruction, size: int) -> None:
        self._low, self._ins, self._size = low, ins, size
        self._to = low.accesses.address(ins.operands[0], Space.SHARED)
        self._from = low.accesses.address(ins.operands[1], Space.GLOBAL)

    @property
    def is_predicate(self) -> bool:
        """Return whether the last operand says that nothing is copied, not how many bytes are."""
        operand = self._ins.operands[3]
        return operand.kind == "name" and self._low.code.registers.get(operand.text) == Type.PRED

    def choose(self, condition: Value, then: Callable[[], None], other: Callable[[], None]) -> None:
        """Go one of two ways."""
        builder = self._low.builder
        yes, no, after = builder.new_block(), builder.new_block(), builder.new_block()
        builder.branch(condition, yes, no)
        for block, write in ((yes, then), (no, other)):
            builder.place(block)
            write()
            builder.jump(after)
        builder.place(after)

    def whole(self) -> None:
        """Copy all bytes in one access."""
        words = tuple(self._low.function.reg(Type.U32) for _ in range(self._size // _WORD))
        self._access(Op.LD, Type.U32, self._from, words)
        self._access(Op.ST, Type.U32, self._to, (), words)

    def zeros(self) -> None:
        """Fill all bytes with zeros."""
        self._access(Op.ST, Type.U32, self._to, (), (const(Type.U32, 0),) * (self._size // _WORD))

    def part(self, given: Value) -> None:
        """Copy ``given`` bytes one by one into zeros."""
        self.zeros()
        for byte in range(self._size):
            is_copied = self._low.emit(Op.SETP, Type.U32, given, const(Type.U32, byte), mod=Cmp.GT)
            self.choose(is_copied, partial(self._one, byte), lambda: None)

    def _one(self, byte: int) -> None:
        value = self._low.function.reg(Type.U8)
        self._access(Op.LD, Type.U8, self._from, (value,), (), byte)
        self._access(Op.ST, Type.U8, self._to, (), (value,), byte)

    def _access(
        self, op: Op, type_: Type, place: tuple[Space, Value, int], loaded: tuple[Reg, ...],
        stored: tuple[Value, ...] = (), further: int = 0,
    ) -> None:  # fmt: skip
        space, base, offset = place
        vec = len(loaded) or len(stored)
        is_zero = all(isinstance(value, Const) for value in stored) and op == Op.ST
        self._low.append(Instr(op, type_, loaded, (base, *stored), self._ins.span, space=space, vec=vec,
                               imm=offset + further, asynchronous=not is_zero))  # fmt: skip
