"""Lay out the members of a struct as C does; bit fields as the Itanium C++ ABI has it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from warpview.diagnostics import Span
from warpview.frontend.preprocess.tokens import fail, refuse
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import free_offset

_HOLDERS = (t.ULONGLONG, t.UINT, t.USHORT, t.UCHAR)  # integers that hold bit fields


@dataclass(frozen=True)
class _Bits:
    """Remember a bit field until it is known what holds it."""

    name: str
    type: t.CType
    start: int
    width: int
    is_signed: bool


@dataclass(frozen=True)
class _Member:
    """Hold what a member declares, more than one name for an unnamed struct, and what of it is in memory."""

    offset: int
    fields: tuple[t.StructField, ...]
    stored: tuple[t.StructField, ...]


@dataclass
class StructLayout:
    """Place members one behind another; of a union over one another. ``bits`` is the end of the last one; ``empty``
    are the empty parts of base classes, with their offsets; ``packing`` is the greatest alignment of members, 0 where
    there is none."""

    is_union: bool
    fields: list[t.StructField]
    packing: int = 0
    bits: int = 0
    align: int = 1
    empty: set[tuple[int, int]] = field(default_factory=set)
    unnamed: list[t.StructField] = field(default_factory=list)
    _placed: list[_Member | _Bits] = field(default_factory=list)

    @property
    def size(self) -> int:
        """Return the bytes up to the end of the last member."""
        return -(-self.bits // 8)

    def add(self, name: str, type: t.CType, given: int, span: Span, packing: int = 0) -> None:
        """Place a member, for which an alignment may be ``given``; of an unnamed struct or union its members.
        ``packing`` is the greatest alignment of this member alone, 0 where there is none."""
        align = max(_capped(type.align, packing or self.packing), given)
        if align < type.align:
            type = _less_aligned(type, align, span)
        offset = 0 if self.is_union else -(-self.bits // (8 * align)) * align
        offset = free_offset(type, offset, align, self.empty)
        if name:
            fields = (t.StructField(name, type, offset),)
            self._placed.append(_Member(offset, fields, fields))
        elif isinstance(type, t.Struct):
            own, stored = (
                tuple(t.StructField(f.name, f.type, offset + f.offset) for f in parts)
                for parts in (type.info.fields, type.info.stored or type.info.fields)
            )
            self._placed.append(_Member(offset, own, stored))
            self.unnamed.append(t.StructField(t.UNNAMED_MEMBER, type, offset))
        self.bits, self.align = max(self.bits, 8 * (offset + type.size)), max(self.align, align)

    def add_bits(self, name: str, type: t.CType, width: int, is_signed: bool, span: Span, packing: int = 0) -> None:
        """Place a bit field; one without a name is padding, up to the next integer of its type where it has no bits."""
        scalar = t.arithmetic(type)
        if scalar is None or scalar.is_float:
            fail(f"a bit field cannot have the type '{type}'", span)
        unit = 8 * scalar.size
        if width > unit:
            self._add_wide(name, type, width, is_signed)
            return
        if width > unit or width < 0 or (name and not width):
            fail(f"a bit field of type '{type}' cannot have {width} bits", span)
        if width == 32 and unit == 64:
            refuse("bit fields of 32 bits and a longer type are not supported", span)
        packing = packing or self.packing
        start, aligned = 0 if self.is_union else self.bits, 8 * _capped(scalar.size, packing)
        if not width or (start % unit + width > unit and not packing):
            start = -(-start // aligned) * aligned
        self.bits = max(self.bits, start + width)
        if name:
            self.align = max(self.align, aligned // 8)
            self._placed.append(_Bits(name, type, start, width, is_signed))

    def _add_wide(self, name: str, type: t.CType, width: int, is_signed: bool) -> None:
        """Place a bit field that is longer than its type, whose further bits are padding: where the largest integer
        that is no longer than the field could be placed (Itanium C++ ABI, 2.4)."""
        aligned = max(size for size in (1, 2, 4, 8) if 8 * size <= width)
        start = 0 if self.is_union else -(-self.bits // (8 * aligned)) * 8 * aligned
        self.bits = max(self.bits, start + width)
        if name:
            self.align = max(self.align, aligned)
            self._placed.append(_Bits(name, type, start, 8 * type.size, is_signed))

    def finish(self) -> tuple[t.StructField, ...] | None:
        """Complete ``fields``; return what is in memory, None where that is the same."""
        own, stored = list(self._placed), list[t.StructField]()
        while own:
            part = own.pop(0)
            if isinstance(part, _Member):
                self.fields += part.fields
                stored += part.stored
                continue
            run = [part]
            while own and isinstance(own[0], _Bits) and not self.is_union:
                run.append(own.pop(0))  # type: ignore[arg-type]
            following = next((other.offset for other in own if isinstance(other, _Member)), None)
            end = -(-self.size // self.align) * self.align
            holders = _holders(run, end if following is None or self.is_union else following)
            stored += holders
            self.fields += [_field(bits, holders) for bits in run]
        is_plain = all(isinstance(part, _Member) and part.fields == part.stored for part in self._placed)
        return None if is_plain else tuple(stored)


def _capped(align: int, packing: int) -> int:
    """Return an alignment, no greater than a packing allows."""
    return min(align, packing or align)


def _less_aligned(type: t.CType, align: int, span: Span) -> t.CType:
    """Return the type of a member that is aligned to fewer bytes than its type asks for."""
    if isinstance(type, t.Array):
        return replace(type, of=_less_aligned(type.of, align, span))
    if not isinstance(type, t.Scalar | t.Enum | t.Pointer):
        refuse(f"a member of type '{type}' that is aligned to {align} bytes is not supported", span)
    return replace(type, aligned=align)


def _holders(bits: list[_Bits], limit: int) -> list[t.StructField]:
    """Return integers that hold a run of bit fields and end before ``limit``, each as long as can be."""
    found: list[t.StructField] = []
    place, end = bits[0].start // 8, -(-max(part.start + part.width for part in bits) // 8)
    longest = max(t.plain(part.type).size for part in bits)
    while place < end:
        holder = next(h for h in _HOLDERS if h.size <= longest and not place % h.size and place + h.size <= limit)
        low, high = 8 * place, 8 * (place + holder.size)
        inside = [part.name for part in bits if low < part.start + part.width and part.start < high]
        found.append(t.StructField("|".join(inside) or "padding", holder, place))
        place += holder.size
    return found


def _field(bits: _Bits, holders: list[t.StructField]) -> t.StructField:
    """Return a bit field as a member, with its pieces in the integers that hold it."""
    pieces: list[t.BitPiece] = []
    first: int | None = None
    end = bits.start + bits.width
    for holder in holders:
        low, high = max(bits.start, holder.first_bit), min(end, holder.end_bit)
        if low < high and isinstance(holder.type, t.Scalar):
            first = holder.offset if first is None else first
            shift = low - holder.first_bit
            pieces.append(t.BitPiece(holder.offset - first, holder.type, shift, high - low, low - bits.start))
    assert first is not None
    type = t.BitMember(bits.type, pieces=tuple(pieces), width=bits.width, is_signed=bits.is_signed)
    return t.StructField(bits.name, type, first)
