"""Read and write bit fields and packed members, by shifts and masks on the integers that hold them."""

from __future__ import annotations

from dataclasses import replace

from warpview.diagnostics import Span
from warpview.frontend import ir
from warpview.frontend.lower.part import LoweringPart
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.values import Address, Lvalue, Value, number
from warpview.isa.modes import KEEPS_OTHERS
from warpview.isa.types import Space

_UNSIGNED = {1: t.UCHAR, 2: t.USHORT, 4: t.UINT, 8: t.ULONGLONG}


class BitFields(LoweringPart):
    def load(self, place: Lvalue, field: t.BitMember, span: Span) -> Value:
        """Return the value of a bit field, which keeps its type: arithmetic takes it as an int where that holds it."""
        work = _work_type(field.width)
        total: Value | None = None
        for piece in field.pieces:
            part = self._shifted(">>", self._held(place, field, piece, span), piece.shift, span)
            if piece.shift + piece.width < 8 * piece.type.size:
                part = self._calculated("&", part, (1 << piece.width) - 1, span)
            part = self.low.conversions.convert(part, work, span)
            part = self._shifted("<<", part, piece.position, span)
            total = part if total is None else self.low.arithmetic.binary_values("|", total, part, span)
        assert total is not None
        if field.is_signed:
            signed = t.INT if work == t.UINT else t.LONGLONG
            unused = 8 * work.size - field.width
            total = self.low.conversions.convert(self._shifted("<<", total, unused, span), signed, span)
            total = self._shifted(">>", total, unused, span)
        value = self.low.conversions.convert(total, field.to, span, explicit=True)
        return replace(value, type=field)

    def store(self, place: Lvalue, field: t.BitMember, value: Value, span: Span) -> None:
        """Write a value of its type to a bit field: as many of its lower bits as there are."""
        raw = self.low.conversions.convert(value, _work_type(field.width), span, explicit=True)
        for piece in field.pieces:
            mask = (1 << piece.width) - 1
            holder = t.ULONGLONG if piece.type.size == 8 else t.UINT
            part = self.low.conversions.convert(self._shifted(">>", raw, piece.position, span), holder, span)
            if piece.width < 8 * piece.type.size:
                part = self._shifted("<<", self._calculated("&", part, mask, span), piece.shift, span)
                others = (1 << 8 * piece.type.size) - 1 & ~(mask << piece.shift)
                held = self.low.conversions.convert(self._held(place, field, piece, span), holder, span)
                kept = self._kept(held, others, span)
                part = self.low.arithmetic.binary_values("|", kept, part, span)
            part = self.low.conversions.convert(part, piece.type, span, explicit=True)
            self.low.memory.store(self._holder(place, field, piece), part, span)

    def load_in_pieces(self, place: Lvalue, span: Span) -> Value:
        """Return the value of a member of a packed struct, which its alignment makes several accesses of."""
        field, type = _in_pieces(place.type), t.plain(place.type)
        whole = replace(self.load(place, field, span), type=field.to)
        if isinstance(type, t.Pointer):
            return Value(type, address=Address(Space.GENERIC, whole.scalar_operand))
        scalar = t.arithmetic(type)
        assert scalar is not None
        if scalar.is_float:
            return replace(self.low.conversions.reinterpret(whole, scalar), type=type)
        return self.low.conversions.convert(whole, type, span, explicit=True)

    def store_in_pieces(self, place: Lvalue, value: Value, span: Span) -> None:
        """Write a member of a packed struct, which its alignment makes several accesses of."""
        field = _in_pieces(place.type)
        assert isinstance(field.to, t.Scalar)
        if value.address is not None:
            value = Value(field.to, self.low.memory.generic_operand(value.address))
        elif (scalar := t.arithmetic(value.type)) is not None and scalar.is_float:
            value = self.low.conversions.reinterpret(value, field.to)
        self.store(place, field, value, span)

    def _kept(self, held: Value, others: int, span: Span) -> Value:
        """Return the bits of the other members, marked as such: they may be undefined without harm."""
        kept = self._calculated("&", held, others, span)
        instrs = self.context.builder.block.instrs
        if isinstance(kept.operand, ir.Reg) and self.context.just_computed(kept.operand):
            instrs[-1] = replace(instrs[-1], mod=KEEPS_OTHERS)
        return kept

    def _holder(self, place: Lvalue, field: t.BitMember, piece: t.BitPiece) -> Lvalue:
        return Lvalue(place.address.plus(piece.delta), replace(piece.type, volatile=field.to.volatile))

    def _held(self, place: Lvalue, field: t.BitMember, piece: t.BitPiece, span: Span) -> Value:
        return self.low.memory.load(self._holder(place, field, piece), span)

    def _shifted(self, op: str, value: Value, by: int, span: Span) -> Value:
        return self.low.arithmetic.binary_values(op, value, number(t.INT, by), span) if by else value

    def _calculated(self, op: str, value: Value, operand: int, span: Span) -> Value:
        type = t.ULONGLONG if value.type == t.ULONGLONG else t.UINT
        return self.low.arithmetic.binary_values(op, value, number(type, operand), span)


def _in_pieces(type: t.CType) -> t.BitMember:
    """Return a member of a packed struct as a bit field: integers of the size that it is aligned to."""
    step, size = type.aligned, type.size
    pieces = tuple(t.BitPiece(at, _UNSIGNED[step], 0, 8 * step, 8 * at) for at in range(0, size, step))
    whole = replace(_UNSIGNED[size], volatile=type.volatile)
    return t.BitMember(whole, pieces=pieces, width=8 * size, is_signed=False)


def _work_type(width: int) -> t.Scalar:
    return t.UINT if width <= 8 * t.UINT.size else t.ULONGLONG
