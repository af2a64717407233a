"""Check which code may name the members of a struct that are private or protected (C++17, 14).

The friends of a struct are not looked at: where it has any, all code may name its members, and so may all code those of
the headers that come with warpview.
"""

from __future__ import annotations

from warpview.diagnostics import Span
from warpview.frontend import syntax as s
from warpview.frontend.preprocess.preprocessor import is_own_header
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.inheritance import base_class, declares, lineage
from warpview.frontend.semantic.scopes import Scope
from warpview.frontend.syntax.walk import walk


def check_accessible(struct: t.Struct, name: str, scope: Scope, span: Span) -> None:
    """Check that code in a scope may name a member of a struct, or of a base class of it. Raises CompileError where it
    may not, and where several base classes have a member of that name."""
    for owner, _ in lineage(struct):
        syntax = owner.info.syntax
        if not isinstance(syntax, s.StructType) or syntax.has_friends or is_own_header(syntax.span.source):
            return
        if name in syntax.hidden and not _may_name(scope, owner, syntax.hidden[name]):
            shown = "the constructor" if name == owner.info.bare_name else f"'{name}'"
            fail(f"{shown} is {syntax.hidden[name]} in '{owner}'", span)
        if name in syntax.brought or name in syntax.member_names:
            break
    _check_inherited(struct, name, scope, span)


def _check_inherited(struct: t.Struct, name: str, scope: Scope, span: Span) -> None:
    """Check that a member which a struct does not declare itself is that of one base class, and that this is no secret
    of the struct."""
    while struct.info.bases and not declares(struct, name):
        syntax = struct.info.syntax
        inherited = (base.type for base in struct.info.bases if isinstance(base.type, t.Struct))
        bases = [base for base in inherited if any(declares(owner, name) for owner, _ in lineage(base))]
        if not isinstance(syntax, s.StructType) or name in syntax.brought or not bases:
            return
        if len(bases) > 1:
            fail(f"'{name}' is ambiguous: '{bases[0]}' and '{bases[1]}' have a member of that name", span)
        if _is_secret(struct, bases[0], scope):
            fail(f"'{name}' is private or protected in '{struct}', which inherits it from '{bases[0]}'", span)
        struct = bases[0]


def check_found(struct: t.Struct, name: str, span: Span) -> None:
    """Check that a function of a struct may name a member by its bare name: a template does not look into base classes
    that depend on its arguments (C++17, 17.6.2)."""
    syntax = struct.info.syntax
    if not isinstance(syntax, s.StructType) or is_own_header(syntax.span.source):
        return
    if not syntax.template or name in syntax.brought or name in syntax.member_names:
        return
    parameters = {parameter.name for parameter in syntax.template}
    for base, position in zip(struct.info.bases, struct.info.base_positions, strict=True):
        if not isinstance(base.type, t.Struct) or not any(declares(owner, name) for owner, _ in lineage(base.type)):
            continue
        written = syntax.named_bases[position]
        if any(isinstance(node, s.NamedType | s.Name) and node.name in parameters for node in walk(written)):
            fail(f"'{name}' is a member of a base class that is only known with its template", span, f"this->{name}")
        return


def check_base(derived: t.CType, base: t.CType, scope: Scope, span: Span) -> None:
    """Check that code in a scope may take an object of a struct as one of a base class."""
    struct = t.plain(derived)
    while isinstance(struct, t.Struct) and not t.same(struct, base):
        nearer = [part.type for part in struct.info.bases if base_class(part.type, base) is not None]
        if not nearer:
            return
        if isinstance(nearer[0], t.Struct) and _is_secret(struct, nearer[0], scope):
            fail(f"'{nearer[0]}' is a private or protected base class of '{struct}'", span)
        struct = nearer[0]


def _is_secret(struct: t.Struct, base: t.Struct, scope: Scope) -> bool:
    """Return whether code in a scope must not know that a struct has a base class."""
    syntax = struct.info.syntax
    is_private = isinstance(syntax, s.StructType) and base.info.bare_name in syntax.private_bases
    return is_private and not _may_name(scope, struct, s.PROTECTED)


def _may_name(scope: Scope, owner: t.Struct, access: str) -> bool:
    """Return whether code in a scope belongs to a struct, or where ``access`` is protected to one derived from it. All
    structs that are made from one template count as one."""
    for struct in scope.structs():
        related = [struct] if access == s.PRIVATE else [part for part, _ in lineage(struct)]
        if any(part.info.bare_name == owner.info.bare_name for part in related):
            return True
    return False
