"""Find where a function writes its registers, and its products and sums of floats that may become one operation."""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property

from warpview.frontend.flow import DominatorTree
from warpview.frontend.ir import BasicBlock, Function, Instr, Reg, Value
from warpview.frontend.passes.liveness import count_uses
from warpview.isa.ops import Op

Place = tuple[BasicBlock, int]  # of an instruction, by its index in the block


def is_product(instr: Instr) -> bool:
    """Return whether a sum may take an instruction's result."""
    return instr.op == Op.MUL and instr.contracts and instr.guard is None


def is_sum(instr: Instr) -> bool:
    """Return whether an instruction may take a product."""
    return instr.op in (Op.ADD, Op.SUB) and instr.contracts and instr.guard is None and instr.srcs[0] != instr.srcs[1]


def is_copy(instr: Instr) -> bool:
    """Return whether an instruction copies a float."""
    return instr.op == Op.MOV and instr.type.is_float and instr.guard is None


class Places:
    """Know where a function writes its registers."""

    def __init__(self, function: Function) -> None:
        self._function = function
        _, self.writes = count_uses(function)
        self.written_at: dict[tuple[BasicBlock, Value], list[int]] = {}
        self.last: dict[Value, Place] = {}
        for block in function.blocks:
            for index, instr in enumerate(block.instrs):
                for dst in instr.dsts:
                    self.written_at.setdefault((block, dst), []).append(index)
                    self.last[dst] = block, index

    @cached_property
    def _tree(self) -> DominatorTree:
        return DominatorTree(self._function)

    def maker(self, value: Value | None) -> Place | None:
        """Return the only place that writes a register; None where there are several."""
        return self.last[value] if isinstance(value, Reg) and self.writes[value] == 1 else None

    def maker_before(self, value: Value, place: Place) -> Place | None:
        """Return the place that writes what a register holds at a place, where that is the only one that can."""
        if not isinstance(value, Reg) or self.writes[value] == 1:
            return self.maker(value)
        block, index = place
        written = self.written_at.get((block, value), ())
        at = bisect_left(written, index)
        return (block, written[at - 1]) if at and block.instrs[written[at - 1]].guard is None else None

    def is_same(self, first: Place, second: Place) -> bool:
        """Return whether the instruction at a place would give the same once more at another one."""
        sources = first[0].instrs[first[1]].srcs
        return self.comes_before(first, second) and all(self.is_unchanged(v, first, second) for v in sources)

    def is_unchanged(self, value: Value, first: Place, second: Place) -> bool:
        """Return whether a value is the same at two places, of which the first comes before the second."""
        if not isinstance(value, Reg) or not self.writes[value]:
            return True
        if first[0] is second[0]:
            writes = self.written_at.get((first[0], value), ())
            return bisect_left(writes, first[1]) == bisect_left(writes, second[1])
        maker = self.maker(value)
        return maker is not None and self.comes_before(maker, first)

    def comes_before(self, first: Place, second: Place) -> bool:
        """Return whether every way to the second place leads over the first."""
        if first[0] is second[0]:
            return first[1] < second[1]
        return self._tree.dominates(first[0], second[0])
