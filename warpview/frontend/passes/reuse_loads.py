"""Remove loads of values that the thread has just loaded or stored, and stores that it overwrites, as compilers do.

Only between synchronisations, only for accesses that are not volatile, and never across a write that might go to the
same place. This is what makes warp-synchronous code without ``volatile`` go wrong on real devices, and here.
"""

from __future__ import annotations

from dataclasses import dataclass

from warpview.frontend.flow import predecessors, reverse_postorder
from warpview.frontend.ir import BasicBlock, Const, Function, Instr, Value
from warpview.frontend.passes.simplify import move
from warpview.isa.ops import ATOMIC_OPS, BLOCK_BARRIERS, MEMORY_OPS, WARP_COLLECTIVES, Op
from warpview.isa.types import Space, Type

_SYNCHRONISING = BLOCK_BARRIERS | WARP_COLLECTIVES | {Op.MEMBAR}
_ENDS = frozenset({Op.EXIT, Op.TRAP, Op.PRINTF})
_DISJOINT = (Space.GLOBAL, Space.SHARED, Space.LOCAL, Space.CONST)


@dataclass(frozen=True)
class MemoryWord:
    """Name a word in memory. ``lasting`` where nobody writes while the kernel runs."""

    space: Space
    address: Value
    imm: int
    type: Type
    lasting: bool

    def may_overlap(self, instr: Instr) -> bool:
        """Return true where a write might change the word."""
        if self.lasting:
            return False
        if instr.space != self.space:
            return not (instr.space in _DISJOINT and self.space in _DISJOINT)
        start, other = self.imm, instr.imm
        address = instr.srcs[0]
        if isinstance(self.address, Const) and isinstance(address, Const):
            start, other = start + self.address.bits, other + address.bits
        elif address != self.address:
            return True
        return start < other + instr.type.bytes * instr.vec and other < start + self.type.bytes


KnownWords = dict[MemoryWord, Value]


def reuse_loads(function: Function) -> None:
    """Replace loads by copies of registers along single ways through the blocks."""
    preds = predecessors(function)
    at_end: dict[BasicBlock, KnownWords] = {}
    for block in reverse_postorder(function):
        sources = preds[block]
        known = dict(at_end[sources[0]]) if len(sources) == 1 and sources[0] in at_end else {}
        block.instrs = [_forwarded(instr, known) for instr in block.instrs]
        at_end[block] = known


def _forwarded(instr: Instr, known: KnownWords) -> Instr:
    """Return the instruction, or a copy in its place; ``known`` is brought up to date."""
    result = instr
    place = _word_of(instr)
    if instr.op == Op.LD and place is not None and place in known and _fits(known[place], instr.dsts[0].type):
        result = move(instr, known[place])
    for kept, value in list(known.items()):
        if _is_invalidated(kept, value, instr):
            del known[kept]
    if place is not None:
        value = instr.srcs[1] if instr.op == Op.ST else instr.dsts[0]
        if place.address is not value and _fits(value, place.type):
            known[place] = value
    return result


def _is_invalidated(place: MemoryWord, value: Value, instr: Instr) -> bool:
    """Return true where the instruction may make the register and the word differ."""
    if any(dst is value or dst is place.address for dst in instr.dsts):
        return True
    if instr.op in _SYNCHRONISING:
        return not place.lasting
    return (instr.op == Op.ST or instr.op in ATOMIC_OPS) and place.may_overlap(instr)


def _word_of(instr: Instr) -> MemoryWord | None:
    """Return the word that a plain access by all lanes reads or writes; None for other instructions."""
    if instr.op not in (Op.LD, Op.ST) or instr.guard is not None or instr.vec != 1 or not instr.cached:
        return None
    if instr.type.bytes < 4 or instr.space == Space.GENERIC:
        return None
    lasting = instr.read_only or instr.space == Space.CONST
    return MemoryWord(instr.space, instr.srcs[0], instr.imm, instr.type, lasting)


def _fits(value: Value, type: Type) -> bool:
    return value.type == type or (value.type in _WORDS and type in _WORDS)


_WORDS = frozenset({Type.U32, Type.S32})


def remove_overwritten_stores(function: Function) -> None:
    """Drop stores to a place that the thread stores to again before it may have been read, within a block."""
    for block in function.blocks:
        doomed: set[MemoryWord] = set()  # places whose present contents nobody will see
        keep = []
        for instr in reversed(block.instrs):
            place = _word_of(instr) if instr.op == Op.ST else None
            if place in doomed:
                continue
            doomed = {p for p in doomed if not _shows(p, instr)}
            if place is not None:
                doomed.add(place)
            keep.append(instr)
        block.instrs = keep[::-1]


def _shows(place: MemoryWord, instr: Instr) -> bool:
    """Return true where another thread, or the instruction itself, may look at the word, or its address is another
    before."""
    if instr.op in _SYNCHRONISING or instr.op in _ENDS or place.address in instr.dsts:
        return True
    return instr.op in MEMORY_OPS and instr.op != Op.ST and place.may_overlap(instr)
