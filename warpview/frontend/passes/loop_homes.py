"""Find out of which loops LLVM takes an instruction, because it computes the same in each trip (its pass LICM)."""

from __future__ import annotations

from collections.abc import Set

from warpview.frontend.flow import reverse_postorder
from warpview.frontend.ir import BasicBlock, Function, Reg, Value
from warpview.frontend.passes.local_arrays.loop_nest import NestedLoop, Region, loop_nest
from warpview.frontend.passes.places import Place, Places
from warpview.isa.ops import OPS


class LoopHomes:
    """Know the innermost loop that each instruction stays in; None is the function itself.

    Loops that begin at blocks of ``written_out`` are none.
    """

    def __init__(self, function: Function, places: Places, written_out: Set[BasicBlock] = frozenset()) -> None:
        self._written_out = written_out
        self._nest = loop_nest(function)
        self._places = places
        self._known: dict[Place, Region] = {}
        if self._nest is not None and self._nest.loops:
            for block in reverse_postorder(function):
                for index in range(len(block.instrs)):
                    self._find((block, index))

    def is_deeper(self, inner: Place, outer: Place) -> bool:
        """Return whether an instruction stays in a loop that another one, around which it lies, does not stay in."""
        return self._is_within(self._known.get(inner), self._known.get(outer))

    def _find(self, place: Place) -> None:
        assert self._nest is not None
        loop = self._nest.innermost.get(place[0])
        while loop is not None and (loop.head in self._written_out or self._is_invariant(place, loop)):
            loop = loop.parent
        self._known[place] = loop

    def _is_within(self, region: Region, around: Region) -> bool:
        """Return whether a region is another one's part, and not the same."""
        while region is not None and region is not around:
            region = region.parent
            if region is around:
                return True
        return False

    def _is_invariant(self, place: Place, loop: NestedLoop) -> bool:
        instr = place[0].instrs[place[1]]
        computes = OPS[instr.op].compute is not None and instr.guard is None
        return computes and all(self._is_same_in_trips(value, loop) for value in instr.srcs)

    def _is_same_in_trips(self, value: Value, loop: NestedLoop) -> bool:
        if not isinstance(value, Reg) or not self._places.writes[value]:
            return True
        maker = self._places.maker(value)
        if maker is not None:
            return maker in self._known and self._is_within(loop, self._known[maker])
        return not any((block, value) in self._places.written_at for block in loop.blocks)
