"""Declare what ``union {...};`` within a function does: an object without a name, with names for its members."""

from __future__ import annotations

from warpview.frontend import syntax as s
from warpview.frontend.parse.attributes import Specifiers
from warpview.frontend.parse.stream import VALUE, Cursor
from warpview.frontend.parse.words import UNNAMED


def unnamed_union(found: Specifiers, cursor: Cursor) -> s.Statement | None:
    """Return the declarations of the object and of references to its members; None for a type that has a name."""
    union = found.type
    if found.defined is None or not isinstance(union, s.StructType) or not union.is_union or union.name != UNNAMED:
        return None
    union.name = found.defined.name = f"(union at {union.span.line}:{union.span.column})"
    whole, type = f"object of {union.name}", s.NamedType(found.span, union.name)
    variables = [s.DeclaredVariable(found.span, whole, type, frozenset(found.storage), align=found.align)]
    for field in union.fields:
        cursor.declare(field.name, VALUE)
        part = s.Member(field.span, s.Name(field.span, whole), field.name, False)
        refers = s.ReferenceType(field.span, s.AutoType(field.span))
        variables.append(s.DeclaredVariable(field.span, field.name, refers, frozenset(), part))
    return s.Compound(found.span, [found.defined, s.Declaration(found.span, variables)], found.span, is_block=False)
