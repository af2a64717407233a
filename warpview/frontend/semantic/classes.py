"""Number the classes with virtual functions, and find the function that each of them has in place of one.

An object of such a class holds the number of its class where C++ compilers have the address of a table (Itanium C++
ABI, 2.4). Every kernel of a file numbers them alike, as objects may outlive a kernel.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from warpview.diagnostics import CompileError, Span
from warpview.frontend import syntax as s
from warpview.frontend.preprocess.tokens import fail, refuse
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import DESTRUCTOR, declaring
from warpview.frontend.semantic.inheritance import base_offset, lineage
from warpview.frontend.semantic.scopes import Scope
from warpview.frontend.semantic.type_resolution import scope_of
from warpview.frontend.syntax.walk import is_deduced, walk

if TYPE_CHECKING:
    from warpview.frontend.semantic.analysis import Semantics


@dataclass(frozen=True)
class Overrider:
    """Name the function that an object of some classes has; ``offset`` leads from the object that the call names to
    the part of it, of type ``owner``, that the function is called on."""

    function: s.FunctionDeclaration
    owner: t.Struct
    offset: int


class Classes:
    def __init__(self, semantics: Semantics) -> None:
        self.semantics = semantics
        self.names = semantics.names
        self._numbered: dict[t.StructInfo, int] | None = None

    def number(self, struct: t.Struct, span: Span) -> int:
        """Return the number that objects of a class hold."""
        if struct.info not in self._all():
            refuse(f"'{struct}' is a class with virtual functions that depends on template arguments or is local", span)
        return self._all()[struct.info]

    def derived(self, base: t.Struct) -> Iterator[tuple[int, t.Struct, int]]:
        """Yield the classes that an object may have that is known to be a ``base``, with their number and the offset of
        the base in them."""
        for info, number in self._all().items():
            struct = t.Struct(info)
            if (offset := base_offset(struct, base)) is not None:
                yield number, struct, offset

    def overriders(
        self, function: s.FunctionDeclaration, owner: t.Struct, object: t.Struct
    ) -> dict[Overrider, list[int]]:
        """Return the functions that a call of a virtual ``function`` on an object may mean, each with the numbers of
        the classes for which it does."""
        found: dict[Overrider, list[int]] = {}
        for number, struct, base in self.derived(object):
            overrider = self._final(function, owner, struct)
            if overrider is not None:
                moved = Overrider(overrider.function, overrider.owner, overrider.offset - base)
                found.setdefault(moved, []).append(number)
        return found

    def check_complete(self, type: t.CType, span: Span) -> None:
        """Check that a class of which an object is made, or each of an array, has a function in place of each pure
        virtual one."""
        struct = t.plain(type)
        if isinstance(struct, t.Array):
            self.check_complete(struct.of, span)
        if not isinstance(struct, t.Struct) or not struct.info.is_polymorphic:
            return
        for part, _ in lineage(struct):
            syntax = part.info.syntax
            for method in syntax.methods if isinstance(syntax, s.StructType) else ():
                found = self._nearest(method, part, struct) if method.is_pure else None
                if found is not None and found[0].is_pure:
                    reason = f"nothing is in place of its pure virtual function '{method.name}'"
                    fail(f"'{struct}' is abstract: {reason}", span)

    def _final(self, function: s.FunctionDeclaration, owner: t.Struct, struct: t.Struct) -> Overrider | None:
        """Return the function that a class has in place of one, its own or the nearest base class's."""
        found = self._nearest(function, owner, struct)
        return None if found is None or found[0].body is None else Overrider(*found)

    def _nearest(
        self, function: s.FunctionDeclaration, owner: t.Struct, struct: t.Struct
    ) -> tuple[s.FunctionDeclaration, t.Struct, int] | None:
        """Return the declaration that a class has in place of one, and where; None where the host has one."""
        for part, offset in lineage(struct):
            syntax = part.info.syntax
            assert isinstance(syntax, s.StructType)
            if function.name in syntax.host_methods:
                return None
            for method in syntax.methods:
                if self._overrides(method, part, function, owner):
                    return method, part, offset
        return None

    def check_overriding(self, struct: t.Struct) -> None:
        """Check that each function of a struct that is marked so overrides a virtual one, and none a final one."""
        syntax = struct.info.syntax
        for method in syntax.methods if isinstance(syntax, s.StructType) else ():
            if not (struct.info.is_polymorphic or "override" in method.specifiers) or method.name == DESTRUCTOR:
                continue
            found = [
                other
                for part, _ in lineage(struct)
                if part.info is not struct.info and isinstance(part.info.syntax, s.StructType)
                for other in part.info.syntax.methods
                if self._overrides(method, struct, other, part)
            ]
            of_host = any(method.name in part.info.syntax.host_methods for part, _ in lineage(struct)
                          if isinstance(part.info.syntax, s.StructType))  # fmt: skip
            if "override" in method.specifiers and not of_host and not any(_is_virtual(other) for other in found):
                fail(f"'{method.name}' overrides no virtual function of a base class", method.span)
            self._check_result(method, struct, found)
            if any("final" in other.specifiers for other in found):
                fail(f"'{method.name}' overrides a final function", method.span)

    def _check_result(
        self, method: s.FunctionDeclaration, struct: t.Struct, overridden: list[s.FunctionDeclaration]
    ) -> None:  # fmt: skip
        """Check that a function which overrides virtual ones returns what they do, or a pointer or reference to what is
        derived from it (C++17, 13.3)."""
        for other in overridden:
            owner = declaring(struct, other)[0]
            if is_deduced(method.result) or is_deduced(other.result) or not _is_virtual(other):
                continue
            with self.names.scoped(scope_of(struct)):
                own = self.semantics.types.resolve(method.result)
            with self.names.scoped(scope_of(owner)):
                theirs = self.semantics.types.resolve(other.result)
            both = isinstance(own, t.Pointer | t.Reference) and isinstance(theirs, t.Pointer | t.Reference)
            if own != theirs and not (both and base_offset(_target(own), _target(theirs)) is not None):
                fail(f"'{method.name}' returns '{own}', but overrides a function that returns '{theirs}'", method.span)

    def is_virtual(self, function: s.FunctionDeclaration, owner: t.Struct) -> bool:
        """Return whether a function is virtual, or overrides one that is."""
        if not owner.info.is_polymorphic:
            return False
        return any(
            "virtual" in method.specifiers and self._overrides(function, owner, method, part)
            for part, _ in lineage(owner)
            if isinstance(part.info.syntax, s.StructType)
            for method in part.info.syntax.methods
        )

    def _overrides(self, a: s.FunctionDeclaration, at: t.Struct, b: s.FunctionDeclaration, bt: t.Struct) -> bool:
        """Return whether one function has the name and the parameters of another; all destructors have."""
        if a is b or a.name == b.name == DESTRUCTOR:
            return True
        if (a.name, a.is_const, len(a.parameters)) != (b.name, b.is_const, len(b.parameters)):
            return False
        return a.template is None and self._parameters(a, at) == self._parameters(b, bt)

    def _parameters(self, function: s.FunctionDeclaration, owner: t.Struct) -> tuple[t.CType, ...]:
        assert isinstance(owner.info.scope, Scope)
        with self.names.scoped(owner.info.scope):
            return self.semantics.types.parameter_types(function.parameters)

    def _all(self) -> dict[t.StructInfo, int]:
        if self._numbered is None:
            self._numbered = {}
            infos = dict.fromkeys(struct.info for struct in self._declared() if struct.info.is_polymorphic)
            self._numbered = {info: number for number, info in enumerate(infos, 1)}
        return self._numbered

    def _declared(self) -> Iterator[t.Struct]:
        """Yield the classes that the file names where no template's arguments are needed to know them."""
        unit, namespaces = self.names.namespaces.unit, self.names.namespaces
        for declaration in (*unit.types, *unit.variables, *unit.functions):
            named = [s.NamedType(declaration.span, declaration.name)] if declaration in unit.types else []
            with self.names.scoped(namespaces.around(declaration)):
                for syntax in (*named, *(n for n in walk(declaration) if isinstance(n, s.NamedType))):
                    try:
                        if syntax.scope is None and self.names.find_type(syntax) is None:
                            continue
                        type = t.plain(self.semantics.types.resolve(syntax))
                    except CompileError:
                        continue
                    if isinstance(type, t.Struct):
                        yield type


def _is_virtual(function: s.FunctionDeclaration) -> bool:
    return not function.specifiers.isdisjoint({"virtual", "override", "final"})


def _target(type: t.CType) -> t.CType:
    """Return what a pointer or reference leads to."""
    return type.to if isinstance(type, t.Pointer | t.Reference) else type
