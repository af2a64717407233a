"""Tell which constructors a struct has that nobody wrote: the default one, and those that copy or move an object."""

from __future__ import annotations

from warpview.diagnostics import Span
from warpview.frontend import syntax as s
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import (
    CLASS,
    constructors_of,
    copy_constructors,
    member_value,
    refers_to,
    struct_of,
)
from warpview.frontend.syntax.facts import remembered


def is_default_constructible(type: t.Struct) -> bool:
    """Return whether the constructor without parameters of a struct is not deleted: said so, or where the compiler
    provides it for one of a part (C++17, 15.1). Which of its own constructors takes nothing is not asked here."""
    return _is_default_constructible(type.info)


@remembered
def _is_default_constructible(info: t.StructInfo) -> bool:
    struct, syntax = t.Struct(info), info.syntax
    if not isinstance(syntax, s.StructType):
        return True
    if ("delete", []) in syntax.without_body:
        return False
    provided = not constructors_of(struct) and syntax.name not in syntax.host_methods and not info.is_union
    return not provided or all(_gets_value(struct, part, syntax.span) for part in info.parts)


def check_constant_has_value(variable: s.DeclaredVariable, type: t.CType) -> None:
    """Check that a variable without an initialiser is not const, unless its class gives each part of it a value (C++17,
    11.6, paragraph 7)."""
    if t.is_const(type) and not _gives_itself_values(type):
        fail(f"the constant '{variable.name}' needs a value", variable.span)


def _gives_itself_values(type: t.CType) -> bool:
    """Return whether an object made of nothing has values: a constructor that somebody wrote gives them, or each member
    and base class has its own."""
    if isinstance(type, t.Array):
        return _gives_itself_values(type.of)
    info = struct_of(type)
    if info is None or not isinstance(info.syntax, s.StructType):
        return info is not None
    struct, syntax = t.Struct(info), info.syntax
    if constructors_of(struct) or syntax.name in syntax.host_methods or info.is_union:
        return True
    return all(
        part.name == CLASS
        or (part.name and member_value(struct, part.name, syntax.span) is not None)
        or _gives_itself_values(part.type)
        for part in info.parts
    )


def _gets_value(struct: t.Struct, part: t.StructField, span: Span) -> bool:
    """Return whether a base class or member of which nothing is said gets a value, or may be left without one."""
    if part.name == CLASS or (part.name and member_value(struct, part.name, span) is not None):
        return True
    if (info := struct_of(part.type)) is None:
        return not (isinstance(part.type, t.ReferenceMember) or t.is_const(part.type))
    own = constructors_of(t.Struct(info))
    takes_nothing = [all(p.default or isinstance(p.type, s.PackType) for p in c.parameters) for c in own]
    return (any(takes_nothing) or not own) and is_default_constructible(t.Struct(info))


def is_copyable(type: t.CType) -> bool:
    """Return whether the constructor that copies an object is not deleted: said so, for one that moves is declared, or
    for that of a part (C++17, 15.8.1)."""
    return (info := struct_of(type)) is None or _is_copyable(info)


@remembered
def _is_copyable(info: t.StructInfo) -> bool:
    declared = _declared(t.Struct(info), moves=False)
    if declared is None and _declared(t.Struct(info), moves=True) is None:
        return all(is_copyable(part.type) for part in (*info.bases, *info.fields))
    return declared is not None and declared != "delete"


def is_movable(type: t.CType) -> bool:
    """Return whether an object can be made of one that ends: moved, or copied where only the copy is declared."""
    return (info := struct_of(type)) is None or _is_movable(info)


@remembered
def _is_movable(info: t.StructInfo) -> bool:
    declared = _declared(t.Struct(info), moves=True)
    if declared is None and _declared(t.Struct(info), moves=False) is None:
        return all(is_movable(part.type) for part in (*info.bases, *info.fields))
    return _is_copyable(info) if declared is None else declared != "delete"


def check_assignable(type: t.CType, span: Span) -> None:
    """Check that an object can be assigned to member by member, as it is where its struct has no operator for that: no
    member is const or a reference (C++17, 15.8.2)."""
    info = struct_of(type)
    if info is None or not isinstance(info.syntax, s.StructType):
        return
    for part in info.fields:
        if isinstance(part.type, t.ReferenceMember) or (t.is_const(part.type) and part.name != CLASS):
            kind = "a reference" if isinstance(part.type, t.ReferenceMember) else "const"
            fail(f"{t.with_article(t.Struct(info))} cannot be assigned to: its member '{part.name}' is {kind}", span)
        check_assignable(part.type, span)


def _declared(struct: t.Struct, moves: bool) -> str | None:
    """Return how the constructor that copies or moves an object is declared: "delete", "default", "body"; None where it
    is not."""
    syntax = struct.info.syntax
    without_body = syntax.without_body if isinstance(syntax, s.StructType) else []
    declared = [(how, types[0]) for how, types in without_body if len(types) == 1]
    declared += [("body", constructor.parameters[0].type) for constructor in copy_constructors(struct)]
    own = (
        how for how, of in declared if isinstance(of, s.ReferenceType) and of.rvalue == moves and refers_to(of, struct)
    )
    return next(own, None)
