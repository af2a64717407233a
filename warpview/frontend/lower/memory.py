"""Compute addresses, and load and store objects in any kind of memory."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from warpview.diagnostics import Span
from warpview.frontend import ir
from warpview.frontend.lower.part import LoweringPart
from warpview.frontend.passes.infer_spaces import WINDOWS, check_access, generic_constant
from warpview.frontend.preprocess.tokens import fail, refuse
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.checks import fail_not_convertible
from warpview.frontend.semantic.layout import leaf_types
from warpview.frontend.semantic.values import Address, Lvalue, Value
from warpview.isa.ops import Cmp, Op
from warpview.isa.types import Space, Type

_SIGNED_TWIN = {1: t.SCHAR, 2: t.SHORT, 4: t.INT, 8: t.LONG}


class Memory(LoweringPart):
    # ---------------------------------------------------------------------------------------- addresses
    def base_of(self, address: Address) -> ir.Value:
        """Return the register (or constant) that an access adds its offset to."""
        address = self.low.objects.in_memory(address)
        if address.base is not None:
            return address.base
        return ir.const(Type.U64 if address.is_wide or address.is_null else Type.U32, 0)

    def address_operand(self, address: Address) -> ir.Value:
        """Return an address as one operand."""
        base = self.base_of(address)
        if not address.offset:
            return base
        if isinstance(base, ir.Const):
            return ir.const(base.type, int(base.value) + address.offset)
        type = Type.U64 if address.is_wide else Type.U32
        return self.context.emit(Op.ADD, type, base, ir.const(type, address.offset))

    def generic_operand(self, address: Address) -> ir.Value:
        """Return an address as a 64-bit one of the generic space."""
        address = self.low.objects.in_memory(address)
        operand = self.address_operand(address)
        if address.space not in WINDOWS:
            return operand
        if isinstance(operand, ir.Const):
            return generic_constant(operand.bits, address.space)
        return self.context.emit(Op.CVT, Type.U64, operand, stype=Type.U32, space=address.space)

    def advanced(self, address: Address, index: Value, size: int, span: Span) -> Address:
        """Return ``address`` + ``index`` elements of ``size`` bytes."""
        if isinstance(t.plain(index.type), t.Struct):
            index, _ = self.low.conversions.arithmetic_value(index, span, "[]")
        scalar = t.arithmetic(index.type)
        if scalar is None or scalar.is_float:
            fail(f"an index must be an integer, not '{index.type}'", span)
        constant = index.constant
        if constant is not None:
            return address.plus(int(constant) * size)
        address = self.low.objects.in_memory(address)
        index = self.low.lvalues.widened_index(index, scalar)
        scalar = t.promoted(scalar)
        bounds = _index_bounds(address, size)
        if address.is_wide or address.is_null:
            base = self._wide_sum(address, index.scalar_operand, scalar, size, bounds)
        else:
            base = self._narrow_sum(address, index.scalar_operand, scalar, size, bounds)
        return replace(address, base=base, member=None)

    def _wide_sum(
        self, address: Address, index: ir.Value, scalar: t.Scalar, size: int, bounds: ir.ArrayBounds | None
    ) -> ir.Value:
        if scalar.size == 4:
            type = Type.S32 if scalar.is_signed else Type.U32
            scale = ir.const(type, size)
            if address.base is None:
                return self.context.emit(Op.MULWIDE, type, index, scale)
            return self.context.emit(Op.MADWIDE, type, index, scale, address.base, bounds=bounds)
        scaled = index
        if size != 1:
            scaled = self._scaled(index, size, scalar.isa, bounds)
        if address.base is None:
            return scaled
        return self.context.emit(Op.ADD, Type.U64, scaled, address.base, bounds=bounds if size == 1 else None)

    def _narrow_sum(
        self, address: Address, index: ir.Value, scalar: t.Scalar, size: int, bounds: ir.ArrayBounds | None
    ) -> ir.Value:
        if scalar.size == 8:
            index = self.context.emit(Op.CVT, Type.U32, index, stype=scalar.isa)
        if address.base is None:
            return index if size == 1 else self._scaled(index, size, Type.U32)
        if size == 1:
            return self.context.emit(Op.ADD, Type.U32, index, address.base, bounds=bounds)
        return self.context.emit(Op.MAD, Type.U32, index, ir.const(Type.U32, size), address.base, bounds=bounds)

    def _scaled(self, index: ir.Value, size: int, type: Type, bounds: ir.ArrayBounds | None = None) -> ir.Value:
        if size & (size - 1) == 0:
            return self.context.emit(Op.SHL, type, index, ir.const(Type.U32, size.bit_length() - 1), bounds=bounds)
        return self.context.emit(Op.MUL, type, index, ir.const(type, size), bounds=bounds)

    # --------------------------------------------------------------------------------------------- loads
    def load(self, place: Lvalue, span: Span) -> Value:
        """Return the value of an lvalue. Structs and arrays are not moved: their value is where they are."""
        if isinstance(place.type, t.BitMember):
            return self.low.bit_fields.load(place, place.type, span)
        address, type = place.address, t.plain(place.type)
        if isinstance(type, t.Closure):
            return Value(type, object=self.low.copies.held(place, span))
        if isinstance(type, t.Array):
            return Value(t.Pointer(type.of), address=address)
        if isinstance(type, t.FunctionSignature):
            return Value(t.Pointer(type), address=address)
        if isinstance(type, t.Group) and type.kind in t.KNOWN_GROUPS:
            return Value(type)
        if isinstance(type, (t.Struct, t.Group)):  # whose own conversions may depend on const
            return Value(replace(type, const=place.type.const), address=address)
        if address.cell is not None:
            value = self.low.objects.read_leaf(address, type)
            if value is not None:
                return value
            address = self.low.objects.in_memory(address)
        address = _in_memory(address)
        if (known := self._fixed_value(address, type)) is not None:
            return known
        if 0 < place.type.aligned < type.size:
            return self.low.bit_fields.load_in_pieces(Lvalue(address, place.type), span)
        with self.context.at(span):
            if isinstance(type, t.Pointer):
                operand = self._load(address, Type.U64, place.type.volatile)
                return Value(type, address=Address(Space.GENERIC, operand))
            scalar = t.arithmetic(type)
            if scalar is None:
                fail(f"a value of type '{type}' cannot be loaded", span)
            if isinstance(address.base, ir.SlotAddress):
                return Value(type, self._load(address, scalar.register, place.type.volatile))
            operand = self._load(address, scalar.isa, place.type.volatile)
            if scalar.is_bool:
                operand = self.context.emit(Op.SETP, Type.S32, operand, ir.const(Type.S32, 0), mod=Cmp.NE)
            return Value(type, operand)

    def _fixed_value(self, address: Address, type: t.CType) -> Value | None:
        """Return an element of a constant array of the source, at an index known at compile time."""
        scalar = t.arithmetic(type)
        if address.space != Space.CONST or address.base is not None or scalar is None:
            return None
        if not any(address.offset in part for part in self.context.static_memory.fixed):
            return None
        data = bytes(self.context.static_memory.constant[address.offset : address.offset + scalar.size])
        if len(data) < scalar.size:
            return None
        if scalar.is_bool:
            return Value(type, ir.const(Type.PRED, data[0]))
        twin = _SIGNED_TWIN[scalar.size]
        return self.low.conversions.reinterpret(Value(twin, ir.const(twin.isa, int.from_bytes(data, "little"))), scalar)

    def fixed_string(self, address: Address) -> str | None:
        """Return the characters of a constant of the source up to the zero that ends them; None where an address is
        that of anything else."""
        if address.space != Space.CONST or address.base is not None:
            return None
        part = next((part for part in self.context.static_memory.fixed if address.offset in part), range(0))
        characters, zero, _ = bytes(self.context.static_memory.constant[address.offset : part.stop]).partition(b"\0")
        return characters.decode("utf-8", "replace") if zero else None

    def _load(self, address: Address, type: Type, volatile: bool) -> ir.Reg:
        return self.context.emit(
            Op.LD, type, self.base_of(address), space=address.space, imm=address.offset, **_order(address, volatile),
            read_only=address.read_only and not volatile, bounds=access_bounds(address, type.bytes),
        )  # fmt: skip

    # -------------------------------------------------------------------------------------------- stores
    def store(self, place: Lvalue, value: Value, span: Span) -> None:
        """Write a value of the place's type."""
        if isinstance(place.type, t.BitMember):
            self.low.bit_fields.store(place, place.type, value, span)
            return
        address, type = place.address, t.plain(place.type)
        if isinstance(type, (t.Struct, t.Array)):
            assert value.address is not None
            self.copy(place, Lvalue(value.address, type), span)
            return
        if isinstance(type, t.Group):
            _check_same_group(value.type, type, span)
            return
        if value.object is not None:
            self.low.copies.hold(place, value.object)
            return
        if address.cell is not None:
            self.low.objects.write_leaf(address, replace(value, type=type))
            return
        check_writable(address, span)
        if 0 < place.type.aligned < type.size:
            self.low.bit_fields.store_in_pieces(place, value, span)
            return
        with self.context.at(span):
            operand, isa = self._stored(value, isinstance(address.base, ir.SlotAddress))
            address = _in_memory(address)
            base = self.base_of(address)
            self.context.builder.effect(
                Op.ST, isa, base, operand, space=address.space, imm=address.offset,
                bounds=access_bounds(address, isa.bytes), **_order(address, place.type.volatile),
            )  # fmt: skip

    def _stored(self, value: Value, in_slot: bool) -> tuple[ir.Value, Type]:
        """Return a scalar or pointer as it is written to memory: operand and type. A slot holds a bool as a
        predicate."""
        if isinstance(t.plain(value.type), t.Pointer):
            assert value.address is not None
            return self.generic_operand(value.address), Type.U64
        scalar = t.arithmetic(value.type)
        assert scalar is not None
        operand = value.scalar_operand
        if in_slot:
            return operand, scalar.register
        if operand.type == Type.PRED:
            if isinstance(operand, ir.Const):
                return ir.const(Type.U8, operand.bits), Type.U8
            return self.context.emit(Op.SELP, Type.U32, ir.const(Type.U32, 1), ir.const(Type.U32, 0), operand), Type.U8
        return operand, scalar.isa

    # -------------------------------------------------------------------------------- structs and arrays
    def copy(self, to: Lvalue, source: Lvalue, span: Span) -> None:
        """Copy a struct or array part by part, adjacent parts in one access where alignment allows."""
        self.low.copies.hold_copies(to, source)
        for group in access_groups(to.type):
            self.store_group(to, group, self.load_group(source, group, span), span)

    def load_group(self, source: Lvalue, group: list[tuple[int, t.CType]], span: Span) -> list[Value]:
        """Load the values of adjacent parts of an object, in one access where they are in memory."""
        if source.address.cell is not None or len(group) == 1:
            return [self.load(Lvalue(source.address.plus(o), self._part(source, p)), span) for o, p in group]
        address = _in_memory(source.address.plus(group[0][0]))
        scalar = t.arithmetic(group[0][1])
        assert scalar is not None
        with self.context.at(span):
            registers = self.context.builder.load_vector(
                scalar.isa, len(group), address.space, self.base_of(address), imm=address.offset,
                **_order(address, source.type.volatile), read_only=address.read_only,
                bounds=access_bounds(address, scalar.size * len(group)),
            )  # fmt: skip
        return [Value(scalar, r) for r in registers]

    def _part(self, whole: Lvalue, part: t.CType) -> t.CType:
        return replace(part, volatile=True) if whole.type.volatile else part

    def store_group(self, to: Lvalue, group: list[tuple[int, t.CType]], values: list[Value], span: Span) -> None:
        if to.address.cell is not None or len(group) == 1:
            for (offset, part), value in zip(group, values, strict=True):
                self.store(Lvalue(to.address.plus(offset), self._part(to, part)), value, span)
            return
        address = _in_memory(to.address.plus(group[0][0]))
        check_writable(address, span)
        scalar = t.arithmetic(group[0][1])
        assert scalar is not None
        with self.context.at(span):
            operands = tuple(v.scalar_operand for v in values)
            self.context.builder.store_vector(
                scalar.isa, address.space, self.base_of(address), operands, imm=address.offset,
                bounds=access_bounds(address, scalar.size * len(group)), **_order(address, to.type.volatile),
            )  # fmt: skip


def _check_same_group(group: t.CType, kept: t.Group, span: Span) -> None:
    """Check that the type of a member tells the group that it is given: nothing of it is in memory."""
    group = t.plain(group)
    if not isinstance(group, t.Group) or group != kept:
        fail_not_convertible(t.with_article(group), kept, span)
    if group.parent != kept.parent:
        refuse(f"a member of type '{kept}' that is a part of another tile is not supported", span)


def check_writable(address: Address, span: Span) -> None:
    """Check that an address is not one of constant memory."""
    check_access(Op.ST, address.space, span)


def _order(address: Address, volatile: bool) -> dict[str, Any]:
    """Return the attributes of an instruction that say how an access is ordered with others."""
    if address.relaxed is None:
        return {"cached": not volatile, "asynchronous": address.asynchronous}
    return {"cached": False, "relaxed": True, "scope": address.relaxed}


def _in_memory(address: Address) -> Address:
    """Return an address with the memory that it is accessed in: a null pointer is taken for one of global memory."""
    return replace(address, space=Space.GLOBAL) if address.is_null else address


def _index_bounds(address: Address, size: int) -> ir.ArrayBounds | None:
    """Return the indices of elements of ``size`` bytes, counted from an address, that lie in its member array."""
    array = address.member
    if array is None or size <= 0:
        return None
    first, last = -(-(array.low - address.offset) // size), (array.high - address.offset - size) // size
    return ir.ArrayBounds(first, last + 1, member=array.member)


def access_bounds(address: Address, width: int) -> ir.ArrayBounds | None:
    """Return the bounds of an access: those of its variable, or none that hold where it lies outside its member
    array."""
    array = address.member
    if array is None or array.low <= address.offset <= array.high - width:
        return address.bounds
    return ir.ArrayBounds(1, 1, member=array.member)


def access_groups(type: t.CType) -> list[list[tuple[int, t.CType]]]:
    """Return the parts of a type in the groups that one access can move: 2 or 4 alike, aligned, at most 16 bytes."""
    parts, groups = leaf_types(type), []
    position = 0
    while position < len(parts):
        count = next((n for n in (4, 2) if _vectorises(parts[position : position + n], n, type.align)), 1)
        groups.append(parts[position : position + count])
        position += count
    return groups


def _vectorises(parts: list[tuple[int, t.CType]], count: int, align: int) -> bool:
    first = t.arithmetic(parts[0][1])
    if len(parts) != count or first is None or first.is_bool:
        return False
    width = first.size * count
    offset = parts[0][0]
    if width > 16 or align % width or offset % width:
        return False
    return all(o == offset + i * first.size and p == parts[0][1] for i, (o, p) in enumerate(parts))
