"""Lay out types: their scalar parts, and which may live in registers."""

from __future__ import annotations

from warpview.frontend import syntax as s
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.values import ScalarPart

MAX_REGISTER_PARTS = 256  # a larger array lives in local memory from the start


def leaf_types(type: t.CType, base: int = 0) -> list[tuple[int, t.CType]]:
    """Return the scalar parts of a type with their byte offsets; of a union those of its first member."""
    type = t.plain(type)
    match type:
        case t.Array(of=of, length=length):
            inner = leaf_types(of)
            size = of.size
            return [(base + i * size + o, leaf) for i in range(length or 0) for o, leaf in inner]
        case t.Struct(info=info):
            fields = info.fields[:1] if info.is_union else info.fields
            return [leaf for f in fields for leaf in leaf_types(f.type, base + f.offset)]
        case t.Scalar() | t.Enum() | t.Pointer():
            return [(base, type)]
    return []


def list_parts(type: t.CType, items: s.InitList) -> list[tuple[str, int, t.CType]]:
    """Return the parts of an object that the items of a list initialise: (member name, offset, type).

    A base class is one part where the first item is a list or object of its own; else its members are parts.
    """
    if isinstance(type, t.Array):
        return [("", i * type.of.size, type.of) for i in range(type.length or 0)]
    if not isinstance(type, t.Struct):
        return [("", 0, type)]
    fields = type.info.fields
    if type.info.bases and items.items and isinstance(items.items[0][1], (s.InitList, s.Construct)):
        fields = type.info.parts
    return [(f.name, f.offset, f.type) for f in fields]


def with_length_of(initialiser: s.Expression | None, type: t.CType) -> t.CType:
    """Return an array type without a length with that of its initialiser, and any other type as it is."""
    if isinstance(type, t.Array) and type.length is None:
        if isinstance(initialiser, s.InitList):
            return t.Array(type.of, len(initialiser.items))
        if isinstance(initialiser, s.StringLiteral):
            return t.Array(type.of, len(initialiser.value) + 1)
    return type


def first_scalar(type: t.CType) -> t.Scalar | None:
    """Return the arithmetic type that an object begins with; None where it begins with a pointer or nothing."""
    type = t.plain(type)
    while isinstance(type, (t.Array, t.Struct)):
        if isinstance(type, t.Struct) and not type.info.fields:
            return None
        type = t.plain(type.of if isinstance(type, t.Array) else type.info.fields[0].type)
    return t.arithmetic(type)


def new_parts(type: t.CType) -> dict[int, ScalarPart]:
    return {offset: ScalarPart(leaf, offset) for offset, leaf in leaf_types(type)}


def fits_registers(type: t.CType) -> bool:
    """Return whether a variable may live in registers at all."""
    return _count(type) <= MAX_REGISTER_PARTS


def _count(type: t.CType, limit: int = MAX_REGISTER_PARTS + 1) -> int:
    """Return the number of scalar parts of a type, as far as ``limit``."""
    type = t.plain(type)
    if isinstance(type, t.Array):
        return min(limit, (type.length or 0) * _count(type.of, limit))
    if not isinstance(type, t.Struct):
        return 1
    if type.info.is_union and len({(f.type.size, _count(f.type, limit)) for f in type.info.fields}) > 1:
        return limit
    total = 0
    for member in type.info.fields:
        if total >= limit:
            break
        total += _count(member.type, limit)
    return min(limit, total)


def holds_array(type: t.CType) -> bool:
    """Return whether an object of this type can be indexed, or has too many parts to be names for values."""
    return not fits_registers(type) or _array_within(type)


def _array_within(type: t.CType) -> bool:
    type = t.plain(type)
    if isinstance(type, t.Struct):
        return any(_array_within(f.type) for f in type.info.fields)
    return isinstance(type, t.Array)
