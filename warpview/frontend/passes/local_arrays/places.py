"""Compute with constants and with addresses of places in local variables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from warpview.frontend.ir import Const, Instr, Slot, const, signed
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


Known = Const | SlotPlace


def result(instr: Instr, operands: Sequence[Known]) -> Known | None:
    """Return what an instruction without guard computes from operands that are known; None where that cannot be
    told."""
    if not any(isinstance(v, SlotPlace) for v in operands):
        constants = tuple(v for v in operands if isinstance(v, Const))
        found = evaluate(replace(instr, srcs=constants))
        return None if found is None else retype(found, instr.dsts[0].type)
    return _address(instr, operands) or _compared(instr, operands)


def _address(instr: Instr, operands: Sequence[Known]) -> SlotPlace | None:
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


def _compared(instr: Instr, operands: Sequence[Known]) -> Const | None:
    """Return the difference or the order of two addresses within one variable, or of one and the null pointer."""
    places = [v for v in operands if isinstance(v, SlotPlace)]
    nulls = all(isinstance(v, SlotPlace) or v.bits == 0 for v in operands)
    of_one = len({(v.slot, v.is_generic) for v in places}) == 1 and (len(places) == 2 or nulls)
    if instr.op not in (Op.SETP, Op.SUB) or not of_one or (instr.op == Op.SUB and len(places) < 2):
        return None
    type = Type.U64 if places[0].is_generic else Type.U32
    numbers = tuple(const(type, _ORIGIN + v.offset) if isinstance(v, SlotPlace) else v for v in operands)
    return evaluate(replace(instr, srcs=numbers))
