"""Describe an expression to overload resolution and typing without evaluating it."""

from __future__ import annotations

from dataclasses import dataclass

from warpview.frontend import syntax as s
from warpview.frontend.preprocess.tokens import fail, refuse
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.types import CType
from warpview.frontend.semantic.values import FunctionObject, Lvalue, Value


@dataclass(frozen=True)
class TypedOperand:
    """Describe an expression: its type, whether it names an object and whether it is a null pointer constant.

    A lambda comes with its ``object``; the name of several functions as the ``functions`` of which a parameter takes
    one, and no type.
    """

    type: CType
    is_lvalue: bool = False
    is_null: bool = False
    object: FunctionObject | None = None
    functions: s.Name | None = None

    @classmethod
    def of(cls, found: Lvalue | Value) -> TypedOperand:
        """Return the operand that an evaluated expression is."""
        if isinstance(found, Lvalue) and isinstance(found.type, t.ReferenceMember):
            return cls(found.type.to, is_lvalue=True)
        if isinstance(found, Lvalue):
            return cls(found.type, is_lvalue=not found.expiring)
        null = found.constant == 0 or (found.address is not None and found.address.is_null)
        is_struct = isinstance(t.plain(found.type), t.Struct)
        is_named = found.is_lvalue if is_struct else found.address is not None and not null
        return cls(found.type, is_lvalue=is_named, is_null=null, object=found.object)


TUPLE_OTHERS = "wv_others"  # the member of a tuple that holds all but its first (standard/tuple)


def part_named(e: s.BoundPart, type: t.CType) -> s.Expression:
    """Return the member or element that a name of a structured binding means, of an object of this type."""
    type = t.plain(type)
    if isinstance(type, t.Array):
        size: int = type.length or 0
        named: s.Expression = s.Index(e.span, e.base, s.Literal(e.span, e.position, t.INT))
    elif isinstance(type, t.Struct):
        parts = _parts(e.base, type)
        size = len(parts)
        named = parts[min(e.position, size - 1)] if parts else e
    else:
        refuse(f"structured bindings of a value of type '{type}' are not supported", e.span)
    if e.count != size:
        fail(f"'{type}' has {size} parts to bind names to, not {e.count}", e.span)
    return named


def _parts(object: s.Expression, struct: t.Struct) -> list[s.Expression]:
    """Return the members of an object that names can be bound to: those of a tuple lie one within the other, those of a
    ``std::array`` are its elements."""
    members: list[s.Expression] = []
    if struct.info.name == "std::array" and isinstance(elements := t.plain(struct.info.fields[0].type), t.Array):
        array = s.Member(object.span, object, struct.info.fields[0].name, arrow=False)
        return [s.Index(object.span, array, s.Literal(object.span, k, t.INT)) for k in range(elements.length or 0)]
    for field in struct.info.fields:
        member, type = s.Member(object.span, object, field.name, arrow=False), t.plain(field.type)
        if field.name == TUPLE_OTHERS and isinstance(type, t.Struct):
            members += _parts(member, type)
        else:
            members.append(member)
    return members


def operands_of_step(e: s.Unary | s.Postfix) -> list[s.Expression]:
    """Return what an operator ++ or -- of a struct is called with: behind its operand also with an int."""
    return [e.operand, s.Literal(e.span, 0, t.INT)] if isinstance(e, s.Postfix) else [e.operand]
