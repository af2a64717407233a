"""Compute the initial bytes of a file-scope variable."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpview.diagnostics import Span
from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import struct_of
from warpview.frontend.semantic.constant_operations import converted
from warpview.frontend.semantic.layout import leaf_types, listed_parts, only_value
from warpview.frontend.semantic.values import Address, Lvalue, Value

if TYPE_CHECKING:
    from warpview.frontend.lower.lowering import Lowering

UNKNOWN_VALUE = "the initial value must be known at compile time"


def image(low: Lowering, variable: s.DeclaredVariable, type: t.CType) -> bytes:
    """Return the initial bytes of a variable; zeros where nothing is written."""
    data = bytearray(type.size)
    info = struct_of(type)
    if info is not None and info.is_constructed:
        _fill_constructed(low, data, variable, type)
    elif variable.initialiser is not None:
        _fill(low, data, 0, variable.initialiser, type)
    return bytes(data)


def _fill_constructed(low: Lowering, data: bytearray, variable: s.DeclaredVariable, type: t.CType) -> None:
    """Write the bytes of structs whose members have values of their own or that constructors make."""
    evaluator = low.semantics.evaluator
    found = evaluator.attempt(lambda: evaluator.objects.declared(variable, type))
    if not isinstance(found, Lvalue) or found.address.cell is None:
        fail(UNKNOWN_VALUE, variable.span)
    _put_object(data, 0, found, type, variable.span)


def _put_object(data: bytearray, offset: int, found: Lvalue | Value, type: t.CType, span: Span) -> None:
    """Write the parts of an object that the evaluator made; zeros where it has none."""
    address = found.address
    assert address is not None
    assert address.cell is not None
    for at, _ in leaf_types(type):
        value = address.cell.leaves[address.offset + at].bound
        if value is not None:
            _put(data, offset + at, value, span)


def _put(data: bytearray, offset: int, value: Value, span: Span) -> None:
    """Write a number, a null pointer or a pointer to a function at its place."""
    is_null = value.address is not None and value.address.is_null
    operand = value.operand if value.address is None else value.address.base
    if not is_null and not isinstance(operand, ir.Const):
        fail(UNKNOWN_VALUE, span)
    bits = operand.bits if isinstance(operand, ir.Const) else 0
    size = value.type.size
    data[offset : offset + size] = (bits & ((1 << (8 * size)) - 1)).to_bytes(size, "little")


def _fill(low: Lowering, data: bytearray, offset: int, e: s.Expression, type: t.CType) -> None:
    bits, type = type, t.plain(type)
    if isinstance(e, s.Construct) and e.braces and len(e.arguments) == 1:
        e = e.arguments[0]
    if isinstance(type, t.Struct) and (copied := only_value(type, e, low.semantics.typer.type_of)) is not None:
        e = copied
    if isinstance(e, s.StringLiteral) and isinstance(type, t.Array):
        text = e.characters[: type.size]
        data[offset : offset + len(text)] = text
        return
    if isinstance(e, (s.InitList, s.Construct)) or _makes_vector(e, type):
        _fill_parts(low, data, offset, e, type)
        return
    if isinstance(type, t.Struct):
        _fill_copied(low, data, offset, e, type)
        return
    if isinstance(type, t.Pointer) and isinstance(e, s.StringLiteral):
        address = low.static_variables.string_address(e, offset)
        data[offset : offset + type.size] = address.to_bytes(type.size, "little")
        return
    if isinstance(type, t.Pointer):
        value = low.function_pointers.known(e, type) or _device_address(low, e, type, offset)
    elif t.arithmetic(type) is not None:
        value = low.semantics.evaluator.attempt(lambda: converted(low.semantics.evaluator.rvalue(e), type, e.span))
    else:
        fail(f"{t.with_article(type)} cannot be initialised here", e.span)
    if value is None:
        fail(UNKNOWN_VALUE, e.span)
    if isinstance(bits, t.BitMember) and isinstance(value.constant, int):
        _put_bits(data, offset, value.constant, bits)
    else:
        _put(data, offset, value, e.span)


def _device_address(low: Lowering, e: s.Expression, type: t.Pointer, offset: int) -> Value | None:
    """Return the null pointer that stands for the address of a part of a ``__device__`` variable, which the launch
    fills in; None for other expressions, and where such addresses cannot be filled in."""
    pointers = low.context.static_memory.pointers
    if pointers is None:
        return None
    value = low.conversions.convert(low.expressions.rvalue(e), type, e.span)
    address = value.address
    if address is None or not isinstance(address.base, ir.DeviceBase):
        return None
    pointers[offset] = address.offset
    return Value(type, address=Address())


def _makes_vector(e: s.Expression, type: t.CType) -> bool:
    """Return whether an expression is ``make_int2(x, y)`` and the like, whose arguments are the members."""
    is_call = isinstance(e, s.Call) and isinstance(e.callee, s.Name)
    return is_call and isinstance(type, t.Struct) and e.callee.name == f"make_{type.info.name}"  # type: ignore[attr-defined]


def _fill_copied(low: Lowering, data: bytearray, offset: int, e: s.Expression, type: t.CType) -> None:
    """Write the bytes of a struct that an expression comes to."""
    found = low.semantics.evaluator.value(e)
    if found is None or found.address is None or found.address.cell is None or not t.same(found.type, type):
        fail(UNKNOWN_VALUE, e.span)
    _put_object(data, offset, found, type, e.span)


def _put_bits(data: bytearray, offset: int, value: int, field: t.BitMember) -> None:
    """Write the lower bits of a number into zeros."""
    for piece in field.pieces:
        bits = (value >> piece.position & (1 << piece.width) - 1) << piece.shift
        for place, byte in enumerate(bits.to_bytes(piece.type.size, "little"), offset + piece.delta):
            data[place] |= byte


def _fill_parts(low: Lowering, data: bytearray, offset: int, e: s.Expression, type: t.CType) -> None:
    if not isinstance(e, s.InitList):
        e = s.InitList(e.span, [("", a) for a in e.arguments])  # type: ignore[attr-defined]
    for (_, place, part), item in listed_parts(type, e, low.semantics.typer.type_of):
        _fill(low, data, offset + place, item, part)
