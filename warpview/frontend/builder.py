"""Construct a function of the intermediate representation, block by block."""

from __future__ import annotations

from typing import Any

from warpview.frontend.interruption import checkpoint
from warpview.frontend.ir import BasicBlock, Branch, Exit, Function, Instr, Jump, Reg, Terminator, Value
from warpview.isa.ops import OPS, Op
from warpview.isa.program import operand_type
from warpview.isa.types import Space, Type


class Builder:
    """Append instructions to the current ``block`` of a function, with the current ``span`` as their place.

    Code after a terminator goes to an unreachable block, which is removed later.
    """

    def __init__(self, function: Function) -> None:
        self.function = function
        self.span = function.span
        self._labels = 0
        self.block = self.new_block("entry")
        function.blocks.append(self.block)

    @property
    def closed(self) -> bool:
        """Return true where the current block has ended, so that what follows cannot be reached from it."""
        return self.block.terminator is not None

    def reg(self, type: Type, name: str = "") -> Reg:
        return self.function.reg(type, name)

    def new_block(self, hint: str = "L") -> BasicBlock:
        """Return a block that has no place in the layout yet; see ``place``."""
        self._labels += 1
        return BasicBlock(f"{hint}{self._labels}")

    def place(self, block: BasicBlock) -> BasicBlock:
        """Put a block next in the layout and go on writing there; an open block before it falls into it."""
        if not self.closed:
            self.jump(block)
        self.function.blocks.append(block)
        self.block = block
        return block

    def emit(self, op: Op, type: Type, *srcs: Value, dst: Reg | None = None, **more: Any) -> Reg:
        """Append an operation with a result, into ``dst`` or a new register; ``more`` are fields of ``Instr``."""
        if dst is None:
            stype, space = more.get("stype", Type.U32), more.get("space", Space.NONE)
            dst = self.reg(operand_type(OPS[op].dst, type, stype, space))
        self._append(Instr(op, type, (dst,), srcs, self.span, **more))
        return dst

    def effect(self, op: Op, type: Type = Type.U32, *srcs: Value, **more: Any) -> None:
        """Append an operation without a result."""
        self._append(Instr(op, type, (), srcs, self.span, **more))

    def load_vector(self, type: Type, vec: int, space: Space, address: Value, **more: Any) -> tuple[Reg, ...]:
        """Load ``vec`` adjacent elements in one access."""
        dsts = tuple(self.reg(type) for _ in range(vec))
        self._append(Instr(Op.LD, type, dsts, (address,), self.span, space=space, vec=vec, **more))
        return dsts

    def store_vector(self, type: Type, space: Space, address: Value, values: tuple[Value, ...], **more: Any) -> None:
        """Store adjacent elements in one access."""
        self._append(Instr(Op.ST, type, (), (address, *values), self.span, space=space, vec=len(values), **more))

    def mov(self, dst: Reg, value: Value) -> None:
        """Copy the bits of a value to a register (of the same size) or wrap it to a narrower one."""
        self.emit(Op.MOV, dst.type, value, dst=dst)

    def jump(self, target: BasicBlock) -> None:
        self._close(Jump(target, self.span))

    def branch(self, condition: Value, then: BasicBlock, other: BasicBlock) -> None:
        self._close(Branch(condition, then, other, self.span))

    def exit(self) -> None:
        self._close(Exit(self.span))

    def _append(self, instr: Instr) -> None:
        checkpoint()
        if self.closed:
            self.place(self.new_block("unreachable"))
        self.block.instrs.append(instr)

    def _close(self, terminator: Terminator) -> None:
        if self.closed:
            self.place(self.new_block("unreachable"))
        self.block.terminator = terminator
