"""Find what pointers to members are and mean: the offset of a member with a value, the number of a function."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from warpview.diagnostics import CompileError, Span
from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import declaring, methods_of
from warpview.frontend.semantic.inheritance import base_offset, lineage
from warpview.frontend.semantic.type_resolution import scope_of
from warpview.frontend.semantic.values import Lvalue, Value
from warpview.isa.types import Type

if TYPE_CHECKING:
    from warpview.frontend.semantic.analysis import Semantics

NUMBER_BYTES = 6  # of a function's number, which is a digest of where it stands: the same in every kernel of a file


@dataclass(frozen=True)
class MemberFunction:
    """Name a function that a pointer may point to, the struct that declares it and the offset of that in an object."""

    declaration: s.FunctionDeclaration
    owner: t.Struct
    offset: int

    @property
    def number(self) -> int:
        span = self.declaration.span
        place = f"{self.owner.info.name} {span.source.name}:{span.line}:{span.column}"
        return int.from_bytes(sha256(place.encode()).digest()[:NUMBER_BYTES]) + 1


class MemberPointers:
    """Name members by pointers, and find the members that pointers name."""

    def __init__(self, semantics: Semantics) -> None:
        self.semantics = semantics

    def named(self, e: s.Expression, to: t.CType | None = None) -> Value | None:
        """Return the pointer that ``&Struct::name`` is, of several functions to the one of the type ``to``; None for
        any other expression. Raises CompileError where no pointer can point to the member."""
        if not isinstance(e, s.Unary) or e.operator != "&" or not isinstance(e.operand, s.Name):
            return None
        name = e.operand
        if (struct := self.semantics.names.struct_named(name)) is None:
            return None
        if methods := [m for m in methods_of(struct, name.name) if "static" not in m.specifiers]:
            return self._function(struct, methods, e, None if to is None else t.plain(to))
        for owner, _ in lineage(struct):
            for field in owner.info.parts[len(owner.info.bases) :]:
                if field.name == name.name:
                    if isinstance(field.type, t.BitMember | t.ReferenceMember):
                        fail("a bit field or a reference has no address", e.span)
                    self.semantics.names.check_accessible(struct, name.name, e.span)
                    return _value(t.member_pointer(owner, field.type), field.offset)
        return None

    def assigned(self, e: s.Assign) -> Value | None:
        """Return the pointer to a member that an assignment gives its target; None where it names none."""
        is_address = isinstance(e.value, s.Unary) and e.value.operator == "&"
        return self.named(e.value, self.semantics.typer.type_of(e.target)) if is_address else None

    def _function(
        self, struct: t.Struct, methods: list[s.FunctionDeclaration], e: s.Unary, to: t.CType | None
    ) -> Value:
        """Return a pointer to the function of some methods that has the type ``to``, or to the only one."""
        self.semantics.names.check_accessible(struct, methods[0].name, e.span)
        found = [MemberFunction(m, *declaring(struct, m)) for m in methods if m.template is None]
        if len(found) > 1 and isinstance(to, t.MemberPointer):
            found = [f for f in found if self.type_of(f) == to.to]
        if len(found) != 1:
            fail(f"'{methods[0].name}' is the name of several functions or of a template: say which is meant", e.span)
        return _value(t.member_pointer(found[0].owner, self.type_of(found[0])), found[0].number)

    def type_of(self, function: MemberFunction) -> t.FunctionSignature:
        """Return the type of a function, as pointers to it have it."""
        declaration = function.declaration
        with self.semantics.names.scoped(scope_of(function.owner)):
            result = self.semantics.types.resolve(declaration.result)
            parameters = self.semantics.types.parameter_types(declaration.parameters)
        return t.FunctionSignature(
            result if isinstance(result, t.Reference) else t.plain(result), parameters, declaration.is_const
        )

    def functions(self, type: t.MemberPointer) -> Iterator[MemberFunction]:
        """Yield the functions that a pointer of a type may point to."""
        for owner, offset in lineage(type.owner) if isinstance(type.owner, t.Struct) else ():
            syntax = owner.info.syntax
            for method in syntax.methods if isinstance(syntax, s.StructType) else ():
                function = MemberFunction(method, owner, offset)
                if method.template is None and "static" not in method.specifiers and self._has_type(function, type):
                    yield function

    def _has_type(self, function: MemberFunction, type: t.MemberPointer) -> bool:
        try:
            return self.type_of(function) == type.to
        except CompileError:  # its result is deduced, or it names what there is not
            return False

    def pointer_type(self, type: t.CType, span: Span) -> t.MemberPointer:
        """Return the type of what stands behind ``.*``."""
        pointer = t.plain(type)
        if not isinstance(pointer, t.MemberPointer):
            fail(f"a pointer to a member is needed here, not {t.with_article(pointer)}", span)
        return pointer

    def member(self, object: Lvalue, pointer: t.CType, span: Span) -> Lvalue:
        """Return the member at offset 0 of an object that a pointer of a type can name; the value of the pointer is to
        be added to its address."""
        type = self.pointer_type(pointer, span)
        offset = None if type.owner is None else base_offset(object.type, type.owner)
        if offset is None or type.to is None:
            fail(f"{t.with_article(type)} points into no member of {t.with_article(t.plain(object.type))}", span)
        return Lvalue(object.address.plus(offset), t.qualified_member(object.type, type.to))

    def operand_type(self, e: s.PointedMember) -> t.CType:
        """Return the type of ``object.*pointer``."""
        typer = self.semantics.typer
        base = typer.operand(e.base).type
        type = self.pointer_type(typer.operand(e.pointer).type, e.span)
        if isinstance(t.plain(base), t.Pointer):
            fail(f"{t.with_article(t.plain(base))} is no object: '->*' is meant", e.span)
        assert type.to is not None
        return t.qualified_member(base, type.to)


def _value(type: t.MemberPointer, held: int) -> Value:
    return Value(type, ir.const(Type.S64, held))
