"""Relate structs to their base classes: where a base lies in an object, and how far it is."""

from __future__ import annotations

from collections.abc import Iterator

from warpview.frontend import syntax as s
from warpview.frontend.semantic import types as t


def lineage(struct: t.Struct, offset: int = 0) -> Iterator[tuple[t.Struct, int]]:
    """Yield a struct and the base classes it has, nearest first, with the offset of each in its objects."""
    level = [(struct, offset)]
    while level:
        yield from level
        level = [
            (base.type, at + base.offset)
            for owner, at in level
            for base in owner.info.bases
            if isinstance(base.type, t.Struct)
        ]


def base_offset(derived: t.CType, base: t.CType) -> int | None:
    """Return the offset of a base class in a derived struct, 0 for the struct itself; None where it is no base."""
    struct, wanted = t.plain(derived), t.plain(base)
    if not isinstance(struct, t.Struct):
        return None
    return next((offset for found, offset in lineage(struct) if is_class(found, wanted)), None)


def base_class(derived: t.CType, base: t.CType) -> t.Struct | None:
    """Return the base class of a derived struct that a type means, the struct itself too; None where it is none."""
    struct, wanted = t.plain(derived), t.plain(base)
    found = lineage(struct) if isinstance(struct, t.Struct) else ()
    return next((part for part, _ in found if is_class(part, wanted)), None)


def is_class(struct: t.Struct, type: t.CType) -> bool:
    """Return whether a struct is the class that a type means, which a lambda has, too."""
    if isinstance(type, t.Closure):
        return struct.info.function == type
    return isinstance(type, t.Struct) and struct.info is type.info


def inheritance_depth(derived: t.CType, base: t.CType) -> int | None:
    """Return how many steps lead from a struct to a base class of it; None where the other is none."""
    struct, wanted = t.plain(derived), t.plain(base)
    if not isinstance(struct, t.Struct) or not isinstance(wanted, t.Struct):
        return None
    depths = [inheritance_depth(part.type, wanted) for part in struct.info.bases]
    known = [depth + 1 for depth in depths if depth is not None]
    return 0 if struct.info is wanted.info else min(known, default=None)


def cast_offset(source: t.CType, target: t.CType) -> int:
    """Return what a cast adds to an address, between a struct and one that it is derived from; else 0."""
    upwards = base_offset(source, target)
    if upwards is not None:
        return upwards
    return -(base_offset(target, source) or 0)


def cast_related(source: t.CType, target: t.CType) -> bool:
    """Return whether one of two types is a base class of the other."""
    return base_offset(source, target) is not None or base_offset(target, source) is not None


def declares(struct: t.Struct, name: str) -> bool:
    """Return whether a struct declares a member with a value or a function of that name itself."""
    syntax = struct.info.syntax
    if not isinstance(syntax, s.StructType):
        return False
    return any(f.name == name for f in syntax.fields) or any(m.name == name for m in syntax.methods)
