"""Order what a constructor does before its body (C++17, 15.6.2): base classes, then members, as they are declared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from warpview.frontend import syntax as s
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import constructors_of, copy_constructors
from warpview.frontend.syntax.facts import remembered
from warpview.frontend.syntax.walk import same_syntax


@remembered
def constructor_body(info: t.StructInfo, constructor: s.FunctionDeclaration) -> s.Compound:
    """Return the body of a constructor with the initialisation of every base class and member at its start, in the
    order of the struct, however the constructor lists them."""
    assert constructor.body is not None
    statements = constructor.body.body
    listed = [node for node in statements if _target(node) is not None]
    rest = statements[len(listed) :]
    if any(isinstance(_target(node), s.Unary) for node in listed):  # another constructor does it all
        return constructor.body
    _check_targets(listed, info)
    ordered: list[s.Statement] = [s.SetClass(constructor.span)] if info.is_polymorphic and not info.bases else []
    for position, part in enumerate(info.parts):
        own = [node for node in listed if _initialises(node, info, position)]
        is_default = not own or not (part.name or position < len(info.bases))
        if is_default and not _is_alternative(info, part, listed):
            ordered.append(s.DefaultPart(constructor.span, position))
        ordered += own
        if info.is_polymorphic and position == len(info.bases) - 1:
            ordered.append(s.SetClass(constructor.span))
    return s.Compound(constructor.body.span, [*ordered, *rest], constructor.body.end)


def inherit_constructors(
    syntax: s.StructType, info: t.StructInfo,
    as_resolved: Callable[[s.FunctionDeclaration, t.CType], s.FunctionDeclaration],
) -> None:  # fmt: skip
    """Give a struct the constructors that ``using Base::Base;`` names: each initialises that base class (C++17,
    15.6.3). ``as_resolved`` returns one with types that do not depend on the scope of its struct."""
    for base, position in zip(info.bases, info.base_positions, strict=True):
        written = syntax.named_bases[position]
        if written.name not in syntax.inherits:
            continue
        syntax.inherits.remove(written.name)
        copying = copy_constructors(base.type)
        own = [method.parameters for method in syntax.methods if method.name == syntax.name]
        for inherited in constructors_of(base.type):
            types = [parameter.type for parameter in inherited.parameters]
            if inherited not in copying and not any(same_syntax([p.type for p in known], types) for known in own):
                syntax.methods.append(_inheriting(syntax, written, as_resolved(inherited, base.type)))


def _inheriting(
    syntax: s.StructType, written: s.NamedType, inherited: s.FunctionDeclaration
) -> s.FunctionDeclaration:  # fmt: skip
    span = inherited.span
    target = s.Cast(span, "static_cast", s.ReferenceType(span, written), s.Unary(span, "*", s.This(span)))
    given: list[s.Expression] = [s.Name(span, parameter.name) for parameter in inherited.parameters]
    value = s.Construct(span, written, given, braces=False)
    body = s.ExpressionStatement(span, s.Assign(span, "", target, value, initialises=True))
    return replace(inherited, name=syntax.name, body=s.Compound(span, [body], span))


def _target(node: s.Statement) -> s.Expression | None:
    """Return the part that an item of a constructor's list initialises; None for statements of its body."""
    if isinstance(node, s.ExpressionStatement) and isinstance(node.expression, s.Assign):
        return node.expression.target if node.expression.initialises else None
    return None


def _initialises(node: s.Statement, info: t.StructInfo, position: int) -> bool:
    """Return whether an item of a constructor's list is for the part of a struct at a position, or a part of it."""
    target, part = _target(node), info.parts[position]
    syntax = info.syntax
    if isinstance(target, s.Cast) and isinstance(target.type, s.ReferenceType):
        assert isinstance(syntax, s.StructType)
        written = syntax.named_bases[info.base_positions[position]] if position < len(info.bases) else None
        return same_syntax(target.type.to, written)
    if not isinstance(target, s.Member) or position < len(info.bases):
        return False
    unnamed = t.plain(part.type)
    is_within = not part.name and isinstance(unnamed, t.Struct) and unnamed.field(target.name) is not None
    return is_within or part.name == target.name


def _is_alternative(info: t.StructInfo, part: t.StructField, listed: list[s.Statement]) -> bool:
    """Return whether another member of the union that a part belongs to is initialised in its place."""
    around = [u.type for u in info.unnamed if isinstance(u.type, t.Struct) and u.type.info.is_union]
    unions = [info, *(u.info for u in around)] if info.is_union else [u.info for u in around]
    names = {target.name for node in listed if isinstance(target := _target(node), s.Member)}
    members = [{field.name for field in union.fields} for union in unions]
    return any(part.name in own and names & own for own in members)


def _check_targets(listed: list[s.Statement], info: t.StructInfo) -> None:
    """Refuse an item of a constructor's list that initialises no part of the struct."""
    done: set[int] = set()
    for node in listed:
        own = {position for position in range(len(info.parts)) if _initialises(node, info, position)}
        if not own:
            fail(f"this initialises no member and no base class of '{info.name}'", node.span)
        if own & done and all(info.parts[position].name or position < len(info.bases) for position in own):
            fail("this part of the object is initialised twice", node.span)
        done |= own
