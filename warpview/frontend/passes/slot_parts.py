"""Choose the registers that the parts of a local variable live in, by how its bytes are accessed.

Mostly each access goes to one scalar part. Bytes that are accessed in several sizes (a union, a float4 read as floats,
halves loaded as words) live in words of 32 bits from which the smaller accesses take their bytes, or in the smaller
parts where joining these takes fewer instructions. NVIDIA's compiler does likewise; LLVM calls it scalar replacement.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from warpview.frontend.ir import Const, Instr, Slot
from warpview.isa.ops import Op
from warpview.isa.types import Type

WORD = 4  # bytes
UNSIGNED = {1: Type.U8, 2: Type.U16, 4: Type.U32}


@dataclass(frozen=True)
class SlotAccess:
    """Describe an element that an instruction loads from a slot or stores there, ``is_constant`` where that is a
    number. ``offset`` is in bytes from the start of the slot."""

    offset: int
    type: Type
    is_load: bool
    is_constant: bool

    @property
    def size(self) -> int:
        return self.type.bytes

    @property
    def end(self) -> int:
        return self.offset + self.size


def accesses_of(instr: Instr, offset: int) -> Iterator[SlotAccess]:
    """Yield the elements that a load or store accesses whose address is ``offset`` bytes behind the start of a slot."""
    is_load = instr.op == Op.LD
    for index in range(instr.vec):
        is_constant = not is_load and isinstance(instr.srcs[1 + index], Const)
        yield SlotAccess(offset + instr.imm + index * instr.type.bytes, instr.type, is_load, is_constant)


def chosen_parts(slot: Slot, accesses: Collection[SlotAccess]) -> dict[int, Type] | None:
    """Return the types of the registers of a slot by byte offset, such that each of the accesses goes to one of them,
    to some bytes of one, or to several; None where it cannot live in registers."""
    if slot.types is None or any(a.offset < 0 or a.end > slot.size for a in accesses):
        return None
    parts: dict[int, Type] = {}
    for group in _overlapping(accesses):
        start, end = group[0].offset, max(a.end for a in group)
        if all(a.size == end - start for a in group):
            parts[start] = _type_of(slot, group)
        elif end - start > 2 * WORD or start % (end - start) or any(a.offset % a.size for a in group):
            return None
        else:
            for word in range(start, end, WORD):
                parts |= _within(slot, word, min(WORD, end - start), _in_word(group, word))
    return parts


def _overlapping(accesses: Iterable[SlotAccess]) -> Iterator[list[SlotAccess]]:
    """Yield the accesses in groups that share bytes, each in the order of the offsets."""
    group: list[SlotAccess] = []
    end = 0
    for access in sorted(accesses, key=lambda a: a.offset):
        if group and access.offset >= end:
            yield group
            group = []
        end = max(end, access.end) if group else access.end
        group.append(access)
    if group:
        yield group


def _in_word(group: list[SlotAccess], word: int) -> list[SlotAccess]:
    """Return what a group of accesses does to a word: those of 64 bits access all of it."""
    whole = [replace(a, offset=word, type=Type.U32) for a in group if a.size > WORD]
    return whole + [a for a in group if a.size <= WORD and a.offset // WORD == word // WORD]


def _within(slot: Slot, start: int, size: int, group: list[SlotAccess]) -> dict[int, Type]:
    """Return the parts of at most one word: itself, or the smaller ones where that takes fewer instructions."""
    smaller = [a for a in group if a.size < size]
    if not smaller:
        return {start: _type_of(slot, group)} if group else {}
    finest = list(_overlapping(smaller))
    wide = [a for a in group if a.size == size]
    is_tiled = sum(g[0].size for g in finest if all(a.size == g[0].size for a in g)) == size
    joins = sum(len(finest) - a.is_load for a in wide if not a.is_constant)
    if not is_tiled or joins >= len(smaller):
        return {start: UNSIGNED[size]}
    return {g[0].offset: _type_of(slot, g if joins == 0 else [*g, _as_bytes(g[0])]) for g in finest}


def _as_bytes(access: SlotAccess) -> SlotAccess:
    return replace(access, type=UNSIGNED[access.size])


def _type_of(slot: Slot, group: list[SlotAccess]) -> Type:
    """Return the type of a part that is accessed as a whole: the declared one where it fits all accesses."""
    types = {a.type for a in group}
    if Type.PRED in types:
        return Type.PRED if len(types) == 1 else Type.U8
    declared = (slot.types or {}).get(group[0].offset, group[0].type)
    return declared if declared != Type.PRED and declared.bytes == group[0].size else group[0].type
