"""Find the type of ``condition ? then : other`` (C++17, 8.16)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from warpview.frontend import syntax as s
from warpview.frontend.semantic import checks
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.inheritance import inheritance_depth
from warpview.frontend.semantic.operands import TypedOperand

if TYPE_CHECKING:
    from warpview.frontend.semantic.analysis import Semantics


class ConditionalTypes:
    def __init__(self, semantics: Semantics) -> None:
        self.semantics = semantics

    def operand(self, e: s.Conditional) -> TypedOperand:
        """Return what an expression ``?:`` is: one of two objects, or a value. Raises CompileError where its arms have
        no type in common."""
        then, other = (self.semantics.typer.operand(arm) for arm in (e.then, e.other))
        if then.is_lvalue and other.is_lvalue and (place := _place_type(then.type, other.type)) is not None:
            return TypedOperand(place, is_lvalue=True)
        return TypedOperand(self._value_type(then, other, e))

    def _value_type(self, then: TypedOperand, other: TypedOperand, e: s.Conditional) -> t.CType:
        a, b = t.decayed(then.type), t.decayed(other.type)
        pointer = t.joint_pointer(a, b) or self.semantics.function_pointers.either(then, other)
        if (joint := pointer or self._joint_class(then, other)) is not None:
            return joint
        if t.same(a, b):
            return a
        x, y = (self.semantics.own_conversions.number_type(operand.type) for operand in (then, other))
        if x is not None and y is not None:
            return t.usual(x, y)
        composite = _composite_pointer(then, other)
        if composite is None and not (isinstance(a, t.Closure | t.MemberPointer) and isinstance(b, type(a))):
            checks.fail_different_arms(a, b, e.span)
        return composite or a

    def _joint_class(self, a: TypedOperand, b: TypedOperand) -> t.CType | None:
        """Return the type of one of two values, one of them a struct, that the other one becomes as its base class or
        by a function; None where none does, or each becomes the other."""
        types = t.plain(a.type), t.plain(b.type)
        if t.same(*types) or not any(isinstance(type, t.Struct) for type in types):
            return None
        for derived, base in (types, types[::-1]):
            if inheritance_depth(derived, base) is not None:
                return base
        conversions = self.semantics.user_conversions
        pairs = zip(types, (b, a), strict=True)
        found = [type for type, other in pairs if conversions.by_function(other, type) is not None]
        return found[0] if len(found) == 1 else None


def _place_type(a: t.CType, b: t.CType) -> t.CType | None:
    """Return the type as which either of two objects can be named: that of one of them, which the other is derived
    from or has with fewer qualifiers; None where there is none."""
    for one, other in ((a, b), (b, a)):
        adds = one.const >= other.const and one.volatile >= other.volatile
        if adds and t.identity(t.plain(one)) == t.identity(t.plain(other)):
            return one
        if adds and inheritance_depth(other, one) is not None:
            return one
    return None


def _composite_pointer(then: TypedOperand, other: TypedOperand) -> t.CType | None:
    """Return the type that two pointers become, of which one may be a null pointer constant (C++17, 8.14): a pointer to
    the base class or to void, to what is const where either is; None where they become none."""
    a, b = t.decayed(then.type), t.decayed(other.type)
    for pointer, null in ((a, other), (b, then)):
        if isinstance(pointer, t.Pointer | t.MemberPointer) and null.is_null:
            return pointer
    if not (isinstance(a, t.Pointer) and isinstance(b, t.Pointer)):
        return None
    for wide, narrow in ((a, b), (b, a)):
        if isinstance(wide.to, t.Void) or inheritance_depth(narrow.to, wide.to) is not None:
            to = replace(
                wide.to, const=wide.to.const or narrow.to.const, volatile=wide.to.volatile or narrow.to.volatile
            )
            return replace(wide, to=to)
    return None
