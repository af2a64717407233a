"""Remove loads of values that the thread has just loaded or stored, and stores that it overwrites, as compilers do.

Only between synchronisations, only for accesses that are not volatile, and never across a write that might go to the
same place. This is what makes warp-synchronous code without ``volatile`` go wrong on real devices, and here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from warpview.frontend.flow import predecessors
from warpview.frontend.ir import BasicBlock, Const, Function, Instr, Reg, Value
from warpview.frontend.passes.simplify import move
from warpview.isa.ops import ATOMIC_OPS, BLOCK_BARRIERS, MEMORY_OPS, WARP_COLLECTIVES, Op
from warpview.isa.types import Space, Type

_SYNCHRONISING = BLOCK_BARRIERS | WARP_COLLECTIVES | {Op.MEMBAR}
_ENDS = frozenset({Op.EXIT, Op.TRAP, Op.PRINTF})
WIDEST_WORD = 8  # bytes
_DISJOINT = (Space.GLOBAL, Space.SHARED, Space.LOCAL, Space.CONST)


@dataclass(frozen=True)
class MemoryWord:
    """Name a word in memory. ``lasting`` where nobody writes while the kernel runs."""

    space: Space
    address: Value
    imm: int
    type: Type
    lasting: bool

    @property
    def base(self) -> Base:
        return _base(self.space, self.address)

    @property
    def position(self) -> int:
        """Return the distance of its first byte from what its address counts from."""
        return self.imm + _position(self.address)


Base = tuple[Space, Value | None]  # what addresses count from: a register, or, where they are constants, the space


def _base(space: Space, address: Value) -> Base:
    return space, None if isinstance(address, Const) else address


def _position(address: Value) -> int:
    return address.bits if isinstance(address, Const) else 0


class KnownWords:
    """Hold words of memory with the registers that have their values, where any has; ``changing`` are those that a
    write may change, by what their addresses count from."""

    def __init__(self) -> None:
        self.values: dict[MemoryWord, Value | None] = {}
        self.changing: dict[Base, dict[int, set[MemoryWord]]] = {}
        self._users: dict[Value, set[MemoryWord]] = {}
        self._before: list[tuple[MemoryWord, bool, Value | None]] = []  # whether it was held before a change, and how

    def add(self, word: MemoryWord, value: Value | None = None) -> None:
        """Hold a word, with another value than before where it was held."""
        self._before.append((word, word in self.values, self.values.get(word)))
        self.values[word] = value
        for needed in (word.address, value):
            if isinstance(needed, Reg):
                self._users.setdefault(needed, set()).add(word)
        if not word.lasting:
            self.changing.setdefault(word.base, {}).setdefault(word.position, set()).add(word)

    def drop(self, words: Iterable[MemoryWord]) -> None:
        """Hold these words no longer."""
        for word in words:
            if word in self.values:
                self._before.append((word, True, self.values.pop(word)))
            if not word.lasting and word.base in self.changing:
                self.changing[word.base].get(word.position, set()).discard(word)

    def mark(self) -> int:
        """Return what ``go_back`` takes to come back to the present state."""
        return len(self._before)

    def go_back(self, mark: int) -> None:
        """Undo all changes since a ``mark``."""
        for word, was_held, value in self._before[: mark - 1 if mark else None : -1]:
            if was_held:
                self.add(word, value)
            else:
                self.drop([word])
        del self._before[mark:]

    def drop_changing(self, base: Base | None = None) -> None:
        """Drop all words that may change, or those whose addresses count from a ``base``."""
        for each in list(self.changing) if base is None else [base]:
            self.drop([word for words in self.changing.pop(each).values() for word in words])

    def drop_users(self, reg: Reg) -> None:
        """Drop what is held of a register that gets another value."""
        users = self._users.pop(reg, ())
        self.drop([word for word in users if reg is word.address or reg is self.values.get(word)])

    def drop_touched(self, instr: Instr) -> None:
        """Drop the words that an access may go to."""
        accessed = _base(instr.space, instr.srcs[0])
        first = instr.imm + _position(instr.srcs[0])
        end = first + instr.type.bytes * instr.vec
        for base in list(self.changing):
            if base == accessed:
                near = (self.changing[base].get(at, ()) for at in range(first - WIDEST_WORD + 1, end))
                self.drop([word for words in near for word in words if word.position + word.type.bytes > first])
            elif base[0] == instr.space or not (base[0] in _DISJOINT and instr.space in _DISJOINT):
                self.drop_changing(base)


def reuse_loads(function: Function) -> None:
    """Replace loads by copies of registers along paths through the blocks that no other path joins."""
    preds = predecessors(function)
    for block in function.blocks:
        if len(preds[block]) != 1 or block is function.blocks[0]:
            _reuse_below(block, preds)


def _reuse_below(root: BasicBlock, preds: Mapping[BasicBlock, list[BasicBlock]]) -> None:
    """Replace loads in a block and in those that can only be reached through it, one predecessor each."""
    known = KnownWords()
    waiting: list[tuple[BasicBlock, int | None]] = [(root, None)]
    while waiting:
        block, mark = waiting.pop()
        if mark is not None:
            known.go_back(mark)
            continue
        waiting.append((block, known.mark()))
        block.instrs = [_forwarded(instr, known) for instr in block.instrs]
        waiting += [(below, None) for below in block.successors if len(preds[below]) == 1 and below is not root]


def _forwarded(instr: Instr, known: KnownWords) -> Instr:
    """Return the instruction, or a copy in its place; ``known`` is brought up to date."""
    result = instr
    place = _word_of(instr)
    held = None if place is None else known.values.get(place)
    if instr.op == Op.LD and held is not None and _fits(held, instr.dsts[0].type):
        result = move(instr, held)
    for dst in instr.dsts:
        known.drop_users(dst)
    if instr.op in _SYNCHRONISING:
        known.drop_changing()
    elif instr.op == Op.ST or instr.op in ATOMIC_OPS:
        known.drop_touched(instr)
    if place is not None:
        value = instr.srcs[1] if instr.op == Op.ST else instr.dsts[0]
        if place.address is not value and _fits(value, place.type):
            known.add(place, value)
    return result


def _word_of(instr: Instr) -> MemoryWord | None:
    """Return the word that a plain access by all lanes reads or writes; None for other instructions."""
    if instr.op not in (Op.LD, Op.ST) or instr.guard is not None or instr.vec != 1 or not instr.cached:
        return None
    if instr.type.bytes < 4 or instr.space == Space.GENERIC or instr.asynchronous:
        return None
    lasting = instr.read_only or instr.space == Space.CONST
    return MemoryWord(instr.space, instr.srcs[0], instr.imm, instr.type, lasting)


def _fits(value: Value, type: Type) -> bool:
    return value.type == type or (value.type in _WORDS and type in _WORDS)


_WORDS = frozenset({Type.U32, Type.S32})


def remove_overwritten_stores(function: Function) -> None:
    """Drop stores to a place that the thread stores to again before it may have been read, within a block."""
    for block in function.blocks:
        doomed = KnownWords()  # places whose present contents nobody will see
        keep = []
        for instr in reversed(block.instrs):
            place = _word_of(instr) if instr.op == Op.ST else None
            if place in doomed.values:
                continue
            _drop_visible(instr, doomed)
            if place is not None:
                doomed.add(place)
            keep.append(instr)
        block.instrs = keep[::-1]


def _drop_visible(instr: Instr, doomed: KnownWords) -> None:
    """Drop the words that another thread or the instruction may read, and those whose address the instruction sets: it
    is another one before."""
    if instr.op in _SYNCHRONISING or instr.op in _ENDS:
        doomed.drop_changing()
    for dst in instr.dsts:
        doomed.drop_users(dst)
    if instr.op in MEMORY_OPS and instr.op != Op.ST:
        doomed.drop_touched(instr)
