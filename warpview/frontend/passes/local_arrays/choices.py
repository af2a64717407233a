"""Access local variables by an address that is one of several, as that of ``c ? a : b`` is.

A register holds the number of the place that was chosen. A load reads all of them and selects, a store gives each the
new value or the one that it has, as NVIDIA's compiler does it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from warpview.diagnostics import Span
from warpview.frontend.ir import Const, Function, Instr, Reg, Value, const
from warpview.frontend.passes.local_arrays.parts import Parts
from warpview.frontend.passes.local_arrays.places import Choice, Known, SlotPlace, result
from warpview.isa.ops import Cmp, Op
from warpview.isa.types import Type

MOST_PLACES = 8
Places = tuple[SlotPlace | Const, ...]


def places_of(value: Known | None) -> Places:
    """Return the places that an address may be, the null pointer among them; none for what is no address."""
    if isinstance(value, Choice):
        return value.places
    is_address = isinstance(value, SlotPlace) or (isinstance(value, Const) and value.bits == 0)
    return (value,) if isinstance(value, (SlotPlace, Const)) and is_address else ()


def both_places(one: Known | None, other: Known | None) -> Places:
    """Return the places that one of two addresses may be, those of the first before those of the second; none where
    they are too many or one of the two is unknown."""
    first, second = places_of(one), places_of(other)
    are_known = first and second and any(isinstance(place, SlotPlace) for place in first + second)
    return first + second if are_known and len(first + second) <= MOST_PLACES else ()


def numbered(value: Known | None, first: int, to: Reg, span: Span) -> Instr:
    """Return the instruction that writes the number of an address to a register, its places counted from ``first``."""
    start = const(Type.U32, first)
    if isinstance(value, Choice):
        return Instr(Op.ADD, Type.U32, (to,), (value.which, start), span)
    return Instr(Op.MOV, Type.U32, (to,), (start,), span)


def computed(
    function: Function, instr: Instr, operands: Sequence[Known | None]
) -> tuple[Known | None, list[Instr]] | None:
    """Return the address that an instruction chooses or computes from one that was chosen, with the instructions that
    number it; or those that write its result where that is a number. None where there is nothing to tell."""
    if instr.op == Op.SELP and not isinstance(operands[2], Const):
        return _selected(function, instr, operands[0], operands[1])
    choices = [v for v in operands if isinstance(v, Choice)]
    if len(choices) != 1 or None in operands:
        return None
    which, places = choices[0].which, choices[0].places
    found = [result(instr, [place if v is choices[0] else v for v in operands]) for place in places]
    addresses = [place for v in found for place in places_of(v)]
    if any(isinstance(v, SlotPlace) for v in found):
        return (Choice(which, tuple(addresses)), []) if len(addresses) == len(found) else None
    values = [v for v in found if isinstance(v, Const)]
    if len(values) < len(found):
        return None
    return None, _one_of(function, instr, which, instr.dsts[0], list(enumerate(values)))


def _selected(
    function: Function, instr: Instr, then: Known | None, other: Known | None
) -> tuple[Known | None, list[Instr]] | None:
    places = both_places(then, other)
    if not places:
        return None
    left, right, which = (function.reg(Type.U32) for _ in range(3))
    out = [
        numbered(then, 0, left, instr.span),
        numbered(other, len(places_of(then)), right, instr.span),
        Instr(Op.SELP, Type.U32, (which,), (left, right, instr.srcs[2]), instr.span),
    ]
    return Choice(which, places), out


def access(parts: Parts, instr: Instr, choice: Choice) -> list[Instr]:
    """Return what an access becomes whose address was chosen. A place may be among the choices more than once: a store
    keeps there what it has just left."""
    out: list[Instr] = []
    function, places = parts.function, [(k, v) for k, v in enumerate(choice.places) if isinstance(v, SlotPlace)]
    loaded: list[tuple[Reg, ...]] = []
    for k, place in places:
        types = [dst.type for dst in instr.dsts] or [instr.type] * instr.vec
        held = tuple(map(function.reg, types))
        loaded.append(held)
        out += parts.access(replace(instr, op=Op.LD, dsts=held, srcs=instr.srcs[:1]), place.slot, place.offset)
        if instr.op == Op.ST:
            stored, instrs = _unless_elsewhere(function, instr, _is_number(function, choice.which, k, instr.span), held)
            out += [*instrs, *parts.access(replace(instr, srcs=(instr.srcs[0], *stored)), place.slot, place.offset)]
    for index, dst in enumerate(instr.dsts):
        values = [(k, held[index]) for (k, _), held in zip(places, loaded, strict=True)]
        out += _one_of(function, instr, choice.which, dst, values)
    return out


def _unless_elsewhere(
    function: Function, instr: Instr, test: Instr, held: tuple[Reg, ...]
) -> tuple[list[Reg], list[Instr]]:
    """Return what a store leaves at a place: its values where the ``test`` says that it goes there, else those that
    are ``held``; with the instructions that select."""
    type = Type.U32 if instr.type != Type.PRED and instr.type.bytes < Type.U32.bytes else instr.type
    stored = [function.reg(type) for _ in held]
    selections = [
        Instr(Op.SELP, type, (new,), (value, old, test.dsts[0]), instr.span)
        for new, value, old in zip(stored, instr.srcs[1:], held, strict=True)
    ]
    return stored, [test, *selections]


def _one_of(function: Function, instr: Instr, which: Reg, dst: Reg, values: Iterable[tuple[int, Value]]) -> list[Instr]:
    """Return the selection of a value by its number."""
    (_, value), *others = values
    out: list[Instr] = []
    for k, other in others:
        test = _is_number(function, which, k, instr.span)
        made = function.reg(dst.type)
        out += [test, Instr(Op.SELP, dst.type, (made,), (other, value, test.dsts[0]), instr.span)]
        value = made
    return [*out, Instr(Op.MOV, dst.type, (dst,), (value,), instr.span)]


def _is_number(function: Function, which: Reg, k: int, span: Span) -> Instr:
    return Instr(Op.SETP, Type.U32, (function.reg(Type.PRED),), (which, const(Type.U32, k)), span, mod=Cmp.EQ)
