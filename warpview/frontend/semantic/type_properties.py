"""Say which properties a type has that GCC and NVIDIA's compilers know by name, such as ``__is_enum(T)``.

The traits of C++'s <type_traits> that no template can express ask for them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from warpview.frontend import syntax as s
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import ASSIGNMENT, copy_constructors, has_trivial_destructor, methods_of
from warpview.frontend.semantic.checks import check_defined


def measured(type: t.CType, e: s.SizeOf) -> int:
    """Return what ``sizeof`` and its kin say of a type."""
    if e.measure in _PROPERTIES:
        return int(has_property(type, e.measure))
    check_defined(type, e.span)
    if isinstance(type, t.Array) and type.length is None:
        fail("the size of this array is only known at launch", e.span)
    if e.measure == "length":
        if not isinstance(type, t.Array):
            loop = "a range-based for loop goes over an array or object with begin() and end()"
            fail(f"{loop}, not '{type}'", e.span)
        return type.length or 0
    return type.align if e.measure == "alignof" else type.size


def has_property(type: t.CType, name: str) -> bool:
    """Return whether a type has the property of a name among ``syntax.TYPE_PROPERTIES``."""
    return _PROPERTIES[name](t.plain(type))


def _info(type: t.CType) -> t.StructInfo | None:
    """Return the definition of a struct; None for other types, arrays of structs among them."""
    return type.info if isinstance(type, t.Struct) else None


def _is_class(type: t.CType) -> bool:
    info = _info(type)
    return isinstance(type, t.Closure) or (info is not None and not info.is_union)


def _is_union(type: t.CType) -> bool:
    info = _info(type)
    return info is not None and info.is_union


def _is_polymorphic(type: t.CType) -> bool:
    info = _info(type)
    return info is not None and info.is_polymorphic


def _is_empty(type: t.CType) -> bool:
    info = _info(type)
    return info is not None and not (info.fields or info.is_polymorphic or info.is_union)


def _is_trivially_copyable(type: t.CType) -> bool:
    """Return whether copying the bytes copies an object (C++17, 12): nothing of its own copies, assigns or destroys it
    or a part of it."""
    if isinstance(type, t.Array):
        return _is_trivially_copyable(t.plain(type.of))
    info = _info(type)
    if info is None:
        return True
    own = info.is_polymorphic or copy_constructors(type) or methods_of(type, ASSIGNMENT)
    return (
        not own
        and has_trivial_destructor(type)
        and all(_is_trivially_copyable(t.plain(part.type)) for part in info.parts)
    )


_PROPERTIES: Mapping[str, Callable[[t.CType], bool]] = {
    "__has_trivial_destructor": has_trivial_destructor,
    "__is_class": _is_class,
    "__is_empty": _is_empty,
    "__is_enum": lambda type: isinstance(type, t.Enum) and not isinstance(type, t.MemberPointer),
    "__is_polymorphic": _is_polymorphic,
    "__is_trivially_copyable": _is_trivially_copyable,
    "__is_union": _is_union,
}
