"""Look names up: scopes, members of the current object, static members, and messages about unknown names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn

from warpview.diagnostics import CompileError, Span
from warpview.frontend import syntax as s
from warpview.frontend.preprocess.tokens import fail, refuse
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import base_offset, methods_of
from warpview.frontend.semantic.checks import fail_host_function, fail_no_member
from warpview.frontend.semantic.scopes import FunctionSet, LazyType, Scope, Symbol, TypeSymbol
from warpview.frontend.semantic.values import FunctionObject, Lvalue, Value
from warpview.frontend.suggest import nearest
from warpview.frontend.unsupported import fail_unreadable, refuse_name

Resolve = Callable[[s.TypeSyntax], t.CType]


class Names:
    """Keep the current scope, and what is known of the names of the file."""

    def __init__(self, file_scope: Scope, builtin_functions: frozenset[str]) -> None:
        self.file_scope = file_scope
        self.scope = file_scope.child()
        self.builtin_functions = builtin_functions
        self.unreadable: dict[str, CompileError] = {}  # names of host code that could not be read, and why
        self.host_functions: set[str] = set()
        self.has_operators = False  # whether the file or a struct in it defines operators
        self.resolve: Resolve  # set by the type resolver, which needs names itself

    @contextmanager
    def scoped(self, scope: Scope | None = None) -> Iterator[Scope]:
        """Make names that are declared within visible within only."""
        before, self.scope = self.scope, scope or self.scope.child()
        try:
            yield self.scope
        finally:
            self.scope = before

    def lookup(self, e: s.Name) -> Symbol | None:
        """Return what a name stands for in the current scope; None where nothing of that name is declared."""
        if e.scope is not None:
            return self._static_member(e, self.resolve(e.scope))
        if e.qualifier:
            owner = e.qualifier.split("::")[-2]
            if isinstance(self.scope.find(owner), (TypeSymbol, LazyType)):
                return self._static_member(e, self.resolve(s.NamedType(e.span, owner)))
        return self.scope.find_local(e.name) or self._own_member(e.name) or self.scope.find(e.name)

    def _own_member(self, name: str, owner: t.CType | None = None) -> Lvalue | None:
        """Return a member of the object that a method was called on, by its bare name, or that of a base class
        ``owner``."""
        this = self.scope.find_this()
        if this is None:
            return None
        struct = t.plain(this.type if owner is None else owner)
        offset = base_offset(this.type, struct)
        if offset is not None and isinstance(struct, t.Struct) and (field := struct.field(name)):
            return Lvalue(this.address.plus(offset + field.offset), field.type)
        return None

    def own_methods(self, callee: s.Name) -> list[s.FunctionDeclaration] | None:
        """Return the functions that a bare name means in a method, or ``Base::name``; None where there are none."""
        this = self.scope.find_this()
        if this is None or self.scope.find_local(callee.name) is not None:
            return None
        owner = this.type
        if callee.scope is not None:
            owner = self.resolve(callee.scope)
        elif callee.qualifier:
            named = callee.qualifier.split("::")[-2]
            if isinstance(self.scope.find(named), (TypeSymbol, LazyType)):
                owner = self.resolve(s.NamedType(callee.span, named))
        if base_offset(this.type, owner) is None:
            return None
        return methods_of(owner, callee.name) or None

    def _static_member(self, e: s.Name, owner: t.CType) -> Symbol | None:
        owner = t.plain(owner)
        if isinstance(owner, t.Enum) and (value := self.scope.find(f"{owner.name}::{e.name}")) is not None:
            return value
        if (member := self._own_member(e.name, owner)) is not None:
            return member
        if isinstance(owner, t.Struct) and isinstance(owner.info.scope, Scope):
            with self.scoped(owner.info.scope):
                return self.lookup(s.Name(e.span, e.name, e.arguments))
        fail_no_member(owner, e.name, e.span)

    def function_value(self, e: s.Name, found: Symbol | None) -> Value:
        """Return the function that a name is ``found`` to be, as a value that can be passed on and called; stop at a
        type, at a function that this cannot be told of, or nothing."""
        if isinstance(found, FunctionSet) and (function := found.as_lambda) is not None:
            return Value(t.Closure(function), object=FunctionObject(function, self.file_scope))
        if isinstance(found, (TypeSymbol, LazyType)):
            fail(f"'{e.name}' is a type, not a value", e.span)
        if found is not None or e.name in self.builtin_functions:
            refuse(
                f"'{e.name}' as a value is not supported: only a single function of the file that is no template is",
                e.span,
            )
        self.unknown(e.name, "name", e.span)

    def fail_no_function(self, callee: s.Name, found: Symbol | None) -> NoReturn:
        """Stop at a name that is called and is ``found`` to be a type or nothing."""
        if isinstance(found, TypeSymbol):
            fail(f"'{callee.name}' is a type, not a function", callee.span)
        self.unknown(callee.name, "function", callee.span)

    def unknown(self, name: str, what: str, span: Span) -> NoReturn:
        """Stop at a name that stands for nothing here: say why, if that is known, or which one may be meant."""
        refuse_name(name, span)
        if name in self.host_functions:
            fail_host_function(f"'{name}'", span)
        if name in self.unreadable:
            fail_unreadable(name, self.unreadable[name], span)
        candidates = self.scope.visible() | self.builtin_functions | set(t.VECTORS)
        fail(f"unknown {what} '{name}'", span, nearest(name, candidates))
