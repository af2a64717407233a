"""Compute with constants and with addresses of places in local variables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from warpview.frontend.ir import Const, Instr, Reg, Slot, const, signed
from warpview.frontend.passes.evaluate import evaluate, retype
from warpview.isa.ops import Op
from warpview.isa.types import Space, Type

_ORIGIN = 1 << 20  # of a variable, where two addresses within it are compared


@dataclass(frozen=True)
class SlotPlace:
    """Stand for the address of the byte ``offset`` of a slot: a 32-bit one of local memory, or a generic one of 64."""

    slot: Slot
    offset: int
    is_generic: bool = False

    def moved(self, by: int) -> SlotPlace:
        """Return the address ``by`` bytes further on."""
        return replace(self, offset=signed(self.offset + by, 64 if self.is_generic else 32))


@dataclass(frozen=True)
class AtMost:
    """Stand for a number that is not known and not above ``most``, of the same type."""

    most: Const


@dataclass(frozen=True)
class HalfDecided:
    """Stand for a truth value that is not known, but of which a part is: another trip may decide it."""


@dataclass(frozen=True)
class Choice:
    """Stand for an address that is one of several ``places``, constants among them being null pointers: the one whose
    number the register ``which`` holds."""

    which: Reg
    places: tuple[SlotPlace | Const, ...]


Known = Const | SlotPlace | AtMost | HalfDecided | Choice


def result(instr: Instr, operands: Sequence[Known | None]) -> Known | None:
    """Return what can be told of the result of an instruction without guard by what is known of its operands; None
    where that is nothing."""
    constants = tuple(v for v in operands if isinstance(v, Const))
    if len(constants) == len(operands):
        found = evaluate(replace(instr, srcs=constants))
        return None if found is None else retype(found, instr.dsts[0].type)
    places = [v for v in operands if isinstance(v, (Const, SlotPlace))]
    if len(places) == len(operands):
        return _address(instr, places) or _compared(instr, places)
    return _half_known(instr, operands)


def _half_known(instr: Instr, operands: Sequence[Known | None]) -> Known | None:
    """Return what one known operand tells of a result: of a minimum, a comparison with one, or a logical operation."""
    match instr.op, *operands:
        case Op.MOV, AtMost() | HalfDecided() as value:
            return value
        case ((Op.AND | Op.OR), left, right) if instr.type == Type.PRED:
            known = next((v for v in (left, right) if isinstance(v, Const)), None)
            if known is not None and bool(known.bits) == (instr.op == Op.OR):
                return known
            return None if left is right is None else HalfDecided()
        case (Op.MIN, Const() as bound, _) | (Op.MIN, _, Const() as bound) if not instr.type.is_float:
            return AtMost(Const(instr.type, bound.bits))
        case (Op.SETP, Const() as number, AtMost(most=most)) if most.type == instr.type:
            return _above(instr, number, most, swapped=False)
        case (Op.SETP, AtMost(most=most), Const() as number) if most.type == instr.type:
            return _above(instr, number, most, swapped=True)
    return None


def _above(instr: Instr, number: Const, most: Const, swapped: bool) -> Known:
    """Return how a number that is not below ``most`` compares with one that is at most that, where the next lower one
    compares as ``most`` does."""
    number = Const(instr.type, number.bits)
    below = const(most.type, int(most.value) - 1)
    if number.value < most.value:
        return HalfDecided()
    pairs = [(x, number) if swapped else (number, x) for x in (most, below)]
    one, other = (evaluate(replace(instr, srcs=pair)) for pair in pairs)
    return one if one is not None and one == other else HalfDecided()


def joined(one: Known | None, other: Known | None) -> Known | None:
    """Return what holds of a value whichever of two ways led here."""
    if one == other:
        return one
    bounds = [v.most if isinstance(v, AtMost) else v for v in (one, other)]
    left, right = bounds
    if not isinstance(left, Const) or not isinstance(right, Const) or left.type != right.type or left.type.is_float:
        return None
    return AtMost(max(left, right, key=lambda bound: bound.value))


def _address(instr: Instr, operands: Sequence[Const | SlotPlace]) -> SlotPlace | None:
    """Return the address that an instruction computes from another one."""
    match instr.op, *operands:
        case Op.MOV, SlotPlace() as place:
            return place
        case Op.CVT, SlotPlace(is_generic=False) as place if instr.space == Space.LOCAL:
            return replace(place, is_generic=True)
        case (Op.ADD, SlotPlace() as place, Const() as by) | (Op.ADD, Const() as by, SlotPlace() as place):
            return place.moved(_integer(by))
        case Op.SUB, SlotPlace() as place, Const() as by:
            return place.moved(-_integer(by))
        case ((Op.MAD | Op.MADWIDE), Const() as index, Const() as size, SlotPlace() as place):
            left, right = (int(Const(instr.type, v.bits).value) for v in (index, size))
            return place.moved(left * right)
        case Op.SELP, then, other, Const() as condition:
            chosen = then if condition.bits else other
            return chosen if isinstance(chosen, SlotPlace) else None
    return None


def _integer(value: Const) -> int:
    return signed(value.bits, 64 if value.type.is_wide else 32)


def _compared(instr: Instr, operands: Sequence[Const | SlotPlace]) -> Const | None:
    """Return the difference or the order of two addresses within one variable, or of one and the null pointer."""
    places = [v for v in operands if isinstance(v, SlotPlace)]
    nulls = all(isinstance(v, SlotPlace) or v.bits == 0 for v in operands)
    of_one = len({(v.slot, v.is_generic) for v in places}) == 1 and (len(places) == 2 or nulls)
    if instr.op not in (Op.SETP, Op.SUB) or not of_one or (instr.op == Op.SUB and len(places) < 2):
        return None
    type = Type.U64 if places[0].is_generic else Type.U32
    numbers = tuple(const(type, _ORIGIN + v.offset) if isinstance(v, SlotPlace) else v for v in operands)
    return evaluate(replace(instr, srcs=numbers))
