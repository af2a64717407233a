"""Lay out types: their scalar parts, and which may live in registers."""

from __future__ import annotations

from collections.abc import Callable

from warpview.frontend import syntax as s
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import base_offset, constructors_of
from warpview.frontend.semantic.values import ScalarPart

TypeOf = Callable[[s.Expression], t.CType]  # of an expression where the list stands
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


def fully_braced(type: t.CType, items: s.InitList, type_of: TypeOf) -> s.InitList:
    """Return a list in which every array and struct within an object has braces of its own: written without them, it
    takes as many items as it has parts (C++17, 11.6.1)."""
    if any(name for name, _ in items.items):
        return items
    rest = [item for _, item in reversed(items.items)]
    taken = _taken(type, items, rest, type_of)
    return s.InitList(items.span, [*taken, *(("", item) for item in reversed(rest))])


def _taken(
    type: t.CType, items: s.InitList, rest: list[s.Expression], type_of: TypeOf
) -> list[tuple[str, s.Expression]]:
    """Return the items that the parts of an object take, from the end of ``rest``."""
    taken: list[tuple[str, s.Expression]] = []
    parts = list_parts(type, items)
    for _, _, part in parts[:1] if isinstance(type, t.Struct) and type.info.is_union else parts:
        if not rest:
            break
        item = rest[-1]
        if _takes_items(part, item, type_of):
            item = s.InitList(item.span, _taken(t.plain(part), s.InitList(item.span, [("", item)]), rest, type_of))
        else:
            rest.pop()
        taken.append(("", item))
    return taken


def _takes_items(part: t.CType, item: s.Expression, type_of: TypeOf) -> bool:
    """Return whether an array or struct has no braces of its own: the item is a value for its first part."""
    if isinstance(item, (s.InitList, s.StringLiteral)) or not isinstance(part, (t.Array, t.Struct)):
        return False
    return isinstance(part, t.Array) or not (constructors_of(part) or base_offset(type_of(item), part) is not None)


def with_length_of(initialiser: s.Expression | None, type: t.CType, type_of: TypeOf) -> t.CType:
    """Return an array type without a length with that of its initialiser, and any other type as it is."""
    if isinstance(type, t.Array) and type.length is None:
        if isinstance(initialiser, s.InitList):
            longest = t.Array(type.of, len(initialiser.items))
            return t.Array(type.of, len(fully_braced(longest, initialiser, type_of).items))
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
