"""Lay out types: their scalar parts, and which may live in registers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from warpview.diagnostics import Span
from warpview.frontend import syntax as s
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import checks
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import constructors_of, member_value, struct_of
from warpview.frontend.semantic.inheritance import base_offset
from warpview.frontend.semantic.values import Lvalue, ScalarPart

TypeOf = Callable[[s.Expression], t.CType]  # of an expression where the list stands
PartKey = tuple[str, int]  # of a part that a list has a value for: its name, and its offset
MAX_REGISTER_PARTS = 256  # a larger array lives in local memory from the start


def leaf_types(type: t.CType, base: int = 0) -> list[tuple[int, t.CType]]:
    """Return the scalar parts of a type with their byte offsets; of members that lie over one another, parts that
    hold all bytes of any of them."""
    type = t.plain(type)
    match type:
        case t.Array(of=of, length=length):
            inner = leaf_types(of)
            size = of.size
            return [(base + i * size + o, leaf) for i in range(length or 0) for o, leaf in inner]
        case t.Struct(info=info) if len(parts := info.all_stored) > len(info.stored_parts):
            return _leaves_of_union(parts, base)
        case t.Struct(info=info):
            return [leaf for f in info.stored_parts for leaf in leaf_types(f.type, base + f.offset)]
        case t.Scalar() | t.Enum() | t.Pointer():
            return [(base, type)]
    return []


def _leaves_of_union(members: Sequence[t.StructField], base: int) -> list[tuple[int, t.CType]]:
    """Return parts that hold every byte of members which lie over one another: those of the largest member, a long one
    as words where a member ends within, since it may be the one that has been written; then what these leave out."""
    ends = {member.offset + member.type.size for member in members}
    found: list[tuple[int, t.CType]] = []
    taken = bytearray(max(ends))
    for member in sorted(members, key=lambda m: -m.type.size):
        for offset, leaf in leaf_types(member.type, member.offset):
            end = offset + leaf.size
            free = [at for at in range(offset, end) if not taken[at]]
            if len(free) == leaf.size and not any(offset < e < end and (e - offset) % t.UINT.size == 0 for e in ends):
                found.append((offset, leaf))
            else:
                found += _words(free)
            taken[offset:end] = b"\1" * leaf.size
    return sorted(((base + offset, leaf) for offset, leaf in found), key=lambda leaf: leaf[0])


def _words(free: list[int]) -> list[tuple[int, t.CType]]:
    """Return integers of 4, 2 or 1 bytes that hold some bytes, given in order."""
    found: list[tuple[int, t.CType]] = []
    while free:
        start = free[0]
        word = next(w for w in (t.UINT, t.USHORT, t.UCHAR)
                    if start % w.size == 0 and free[: w.size] == [*range(start, start + w.size)])  # fmt: skip
        found.append((start, word))
        free = free[word.size :]
    return found


def list_parts(type: t.CType) -> list[tuple[str, int, t.CType]]:
    """Return the parts of an object that the items of a list initialise: (base class or member, offset, type)."""
    if isinstance(type, t.Array):
        return [("", i * type.of.size, type.of) for i in range(type.length or 0)]
    if not isinstance(type, t.Struct):
        return [("", 0, type)]
    return [(f.name, f.offset, f.type) for f in type.info.first_alternatives]


def listed_parts(
    type: t.CType, initialiser: s.InitList, type_of: TypeOf
) -> list[tuple[tuple[str, int, t.CType], s.Expression]]:
    """Return the parts of an object that a list has values for, each with its value; ``.name = value`` names its part.

    Raises
    ------
    CompileError
        If there are more values than parts, no part of a name, or parts that a list may not give values to.
    """
    _check_is_aggregate(type, initialiser)
    initialiser = fully_braced(type, initialiser, type_of)
    parts = list_parts(type)
    found: list[tuple[tuple[str, int, t.CType], s.Expression]] = []
    if len(initialiser.items) > len(parts):
        checks.fail_too_many_values(type, initialiser.items[len(parts)][1].span)
    for part, (name, item) in zip(parts, initialiser.items, strict=False):
        field = type.field(name) if name and isinstance(type, t.Struct) else None
        if name and field is None:
            checks.fail_no_member(type, name, item.span)
        if field is not None and found and field.offset < found[-1][0][1]:
            fail(f"'{name}' is a member before the one that is named before it", item.span)
        found.append((part if field is None else (name, field.offset, field.type), item))
    return found


def _check_is_aggregate(type: t.CType, initialiser: s.InitList) -> None:
    """Refuse values for a struct with members that are private or protected, or virtual functions (C++17, 11.6.1)."""
    syntax = type.info.syntax if isinstance(type, t.Struct) else None
    if isinstance(syntax, s.StructType) and initialiser.items and (syntax.hides_fields or syntax.private_bases):
        fail(f"a list cannot give '{type}' values: some of its parts are private or protected", initialiser.span)
    if isinstance(syntax, s.StructType) and initialiser.items and syntax.has_virtual:
        fail(f"a list cannot give '{type}' values: it has virtual functions", initialiser.span)


def only_value(type: t.CType, e: s.Expression, type_of: TypeOf) -> s.Expression | None:
    """Return the value in ``{value}`` that an object of its type is a copy of (C++17, 11.6.4); None for others."""
    if not isinstance(e, s.InitList) or len(e.items) != 1 or e.items[0][0]:
        return None
    value = e.items[0][1]
    return value if not isinstance(value, s.InitList) and t.same(type_of(value), type) else None


def valueless_parts(
    place: Lvalue, span: Span, given: Collection[PartKey] = ()
) -> Iterator[tuple[Lvalue, tuple[Lvalue, s.Expression] | None]]:
    """Yield the parts of an object for which a list has no values (C++17, 11.6.1 and 11.6.4).

    Parameters
    ----------
    place
        The object.
    span
        Where the list stands.
    given
        The parts that the list has values for, as (name, empty for base classes; offset); empty for an empty list.

    Yields
    ------
    The part, and with it the object that it is a member of and the value that the member's declaration gives it. A part
    without such a value is constructed without arguments if it has constructors, and is zero if it has none.
    """
    type = t.plain(place.type)
    info = struct_of(type)
    if not given and (info is None or not info.is_constructed or constructors_of(type)):
        yield place, None
        return
    if isinstance(type, t.Struct) and type.info.is_union:
        if not given:
            part, value = next(default_parts(place, span), (place, None))
            yield part, None if value is None else (place, value)
        return
    for name, offset, part_type in list_parts(type):
        if (name, offset) in given:
            continue
        part = Lvalue(place.address.plus(offset), part_type)
        if inside := _within(name, offset, part_type, given):
            yield from valueless_parts(part, span, inside)
            continue
        value = member_value(type, name, span) if isinstance(type, t.Struct) else None
        if value is None:
            yield from valueless_parts(part, span)
        else:
            yield part, (place, value)


def _within(name: str, offset: int, part: t.CType, given: Collection[PartKey]) -> set[PartKey]:
    """Return those of the parts that are given which lie in an unnamed struct, as parts of that."""
    if name != t.UNNAMED_MEMBER or not isinstance(part, t.Struct):
        return set()
    return {(f.name, f.offset) for f in part.info.fields if (f.name, offset + f.offset) in given}


def default_parts(
    place: Lvalue, span: Span, position: int | None = None
) -> Iterator[tuple[Lvalue, s.Expression | None]]:  # fmt: skip
    """Yield the base classes and members of a struct that are initialised without being mentioned, or the one at a
    position: each part, and the value that its declaration gives it, None where it gives none."""
    struct = t.plain(place.type)
    parts = struct.info.parts if isinstance(struct, t.Struct) else ()
    for part in parts if position is None else parts[position : position + 1]:
        assert isinstance(struct, t.Struct)
        value = member_value(struct, part.name, span)
        if value is not None or not struct.info.is_union:
            yield Lvalue(place.address.plus(part.offset), part.type), value


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
    for _, _, part in list_parts(type):
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
            if not initialiser.items:
                fail("an empty list gives this array no length", initialiser.span)
            longest = t.Array(type.of, len(initialiser.items))
            return t.Array(type.of, len(fully_braced(longest, initialiser, type_of).items))
        if isinstance(initialiser, s.StringLiteral):
            return t.Array(type.of, len(initialiser.characters))
    return type


def holds_function_pointer(type: t.CType) -> bool:
    """Return whether a type is a pointer to a function, or a part of it is."""
    match t.plain(type):
        case t.Array(of=of):
            return holds_function_pointer(of)
        case t.Struct(info=info):
            return any(holds_function_pointer(field.type) for field in info.fields)
        case t.Pointer(to=to):
            return isinstance(to, t.FunctionSignature)
    return False


def closure_offsets(type: t.CType, base: int = 0) -> list[int]:
    """Return where in an object there are members that are lambdas."""
    match t.plain(type):
        case t.Closure():
            return [base]
        case t.Struct(info=info):
            return [offset for field in info.fields for offset in closure_offsets(field.type, base + field.offset)]
    return []


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
    """Return whether each scalar part of a variable may be a register."""
    return not _lies_over(type) and may_be_promoted(type)


def may_be_promoted(type: t.CType) -> bool:
    """Return whether a variable may live in registers at all, which accesses of all sizes may share."""
    return _count(type) <= MAX_REGISTER_PARTS


def _lies_over(type: t.CType) -> bool:
    """Return whether scalar parts of a type lie over others that they are not alike."""
    type = t.plain(type)
    if isinstance(type, t.Array):
        return _lies_over(type.of)
    if not isinstance(type, t.Struct):
        return False
    fields = type.info.fields
    differ = type.info.is_union and len({(f.type.size, _count(f.type)) for f in fields}) > 1
    return differ or any(_lies_over(f.type) for f in fields)


def _count(type: t.CType, limit: int = MAX_REGISTER_PARTS + 1) -> int:
    """Return the number of scalar parts of a type, as far as ``limit``."""
    type = t.plain(type)
    if isinstance(type, t.Array):
        return min(limit, (type.length or 0) * _count(type.of, limit))
    if not isinstance(type, t.Struct):
        return 1
    total = 0
    for member in type.info.fields:
        if total >= limit:
            break
        total += _count(member.type, limit)
    return min(limit, total)


def holds_array(type: t.CType) -> bool:
    """Return whether an object of this type can be indexed, has too many parts to be names for values, or parts that
    are written several times: those that hold bit fields, the number of a class, and mutable members."""
    return not fits_registers(type) or _array_within(type)


def _array_within(type: t.CType) -> bool:
    type = t.plain(type)
    if isinstance(type, t.Struct):
        info = type.info
        is_written = (
            info.holds_bits or info.holds_class or (isinstance(info.syntax, s.StructType) and info.syntax.mutable)
        )
        return bool(is_written) or any(_array_within(f.type) for f in info.fields)
    return isinstance(type, t.Array)


def bit_holders(type: t.CType, base: int = 0) -> list[tuple[int, t.Scalar]]:
    """Return the integers that hold bit fields in an object, with their offsets."""
    type = t.plain(type)
    if isinstance(type, t.Array):
        if not (inner := bit_holders(type.of)):
            return []
        return [(base + i * type.of.size + o, holder) for i in range(type.length or 0) for o, holder in inner]
    if not isinstance(type, t.Struct) or not type.info.holds_bits:
        return []
    members = {(f.name, f.offset) for f in type.info.fields}
    found = [hold for f in type.info.stored_parts for hold in bit_holders(f.type, base + f.offset)]
    for part in type.info.stored or ():
        if (part.name, part.offset) not in members and isinstance(part.type, t.Scalar):
            found.append((base + part.offset, part.type))
    return found
