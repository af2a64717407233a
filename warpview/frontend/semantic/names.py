"""Look names up: scopes, members of the current object, static members, and messages about unknown names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

from warpview.diagnostics import CompileError, Span
from warpview.frontend import syntax as s
from warpview.frontend.preprocess.preprocessor import is_own_header
from warpview.frontend.preprocess.tokens import fail, refuse
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import member_type, methods_of
from warpview.frontend.semantic.checks import fail_host_function, fail_no_member
from warpview.frontend.semantic.inheritance import base_class, base_offset, declares, lineage
from warpview.frontend.semantic.namespaces import Namespaces
from warpview.frontend.semantic.operands import TypedOperand
from warpview.frontend.semantic.scopes import FunctionSet, LazyType, Scope, Symbol, TypeSymbol, merged
from warpview.frontend.semantic.values import FunctionObject, Lvalue, Value
from warpview.frontend.suggest import nearest
from warpview.frontend.unsupported import fail_unreadable, refuse_name

Resolve = Callable[[s.TypeSyntax], t.CType]
FunctionOf = Callable[[s.Name, FunctionSet], FunctionObject | None]


class Names:
    """Keep the current scope, and what is known of the names of the file."""

    def __init__(
        self, namespaces: Namespaces, builtin_functions: frozenset[str], library: Callable[[], s.TranslationUnit]
    ) -> None:
        self.namespaces = namespaces
        self.file_scope = namespaces.file
        self.scope = self.file_scope.child()
        self.builtin_functions = builtin_functions
        self._library_unit = library
        self.unreadable: dict[str, CompileError] = {}  # names of host code that could not be read, and why
        self.host_functions: set[str] = set()
        self.has_operators = False  # whether the file or a struct in it defines operators
        self.has_destructors = False  # whether a struct has a destructor that does something
        self.has_function_pointers = False  # whether the file has types of functions
        self.closures: dict[s.Lambda, FunctionObject] = {}  # the lambda that each of the file's was the last time
        self.resolve: Resolve  # set by the type resolver, which needs names itself
        self.function_object: FunctionOf  # the function that a name means as a value, set in the same way

    @contextmanager
    def scoped(self, scope: Scope | None = None) -> Iterator[Scope]:
        """Make names that are declared within visible within only."""
        before, self.scope = self.scope, scope or self.scope.child()
        try:
            yield self.scope
        finally:
            self.scope = before

    def use(self, node: s.Use) -> None:
        """Make visible in the current scope what a using-declaration, a using-directive or an alias names."""
        if node.enum is None:
            if (constant := self._enumerator(node)) is not None:
                self.scope.names[node.name] = constant
            else:
                self.namespaces.bring(node, self.scope)
            return
        enum = t.plain(self.resolve(node.enum))
        if not isinstance(enum, t.Enum) or not isinstance(enum.home, Scope):
            fail(f"'using enum' needs an enum, not '{enum}'", node.enum.span)
        assert isinstance(enum.definition, s.EnumType)
        for name, *_ in enum.definition.values:
            self.scope.names[name] = enum.home.names[f"{enum.name}::{name}"]

    def _enumerator(self, node: s.Use) -> Symbol | None:
        """Return the constant of an enum that ``using Enum::name`` names; None for all other declarations."""
        named = s.Name(node.span, node.name, qualifier=node.qualifier, seen=node.seen)
        owner = self._owner_named(named) if node.name and not node.is_alias else None
        enum = None if owner is None else t.plain(self.resolve(owner))
        return self._static_member(named, enum) if isinstance(enum, t.Enum) else None

    def lookup(self, e: s.Name) -> Symbol | None:
        """Return what a name stands for in the current scope; None where nothing of that name is declared."""
        if e.scope is not None:
            return self._static_member(e, self.resolve(e.scope))
        if e.qualifier:
            owner = self._owner_named(e)
            return self._in_namespace(e) if owner is None else self._static_member(e, self.resolve(owner))
        found = self.scope.find_local(e.name) or self._own_member(e.name)
        return found or self.scope.find(e.name, e.seen.count) or self._in_library(e.name)

    def _in_library(self, name: str) -> Symbol | None:
        """Return the functions of CUDA of a name that are written in CUDA C++."""
        if name in self.builtin_functions:
            return None
        if self.namespaces.library is None:
            self.namespaces.library = Namespaces(self._library_unit())
            self.namespaces.library.file.parent = self.file_scope.parent
        return self.namespaces.library.file.names.get(name)

    def _owner_named(self, e: s.Name) -> s.NamedType | None:
        """Return the type that qualifies a name, where it was not known to be one when the name was read."""
        *path, owner = e.qualifier.split("::")[:-1]
        named = s.NamedType(e.span, owner, None, None, "".join(f"{part}::" for part in path), e.seen)
        return named if owner and isinstance(self.find_type(named), (TypeSymbol, LazyType)) else None

    def type_named(self, e: s.Name) -> s.NamedType | None:
        """Return ``T::name`` as a type where it is one, which is not known where T is an alias; None for others."""
        owner = e.scope if e.scope is not None else self._owner_named(e) if e.qualifier else None
        found = None if owner is None or self.unbound_member(e) is not None else self.lookup(e)
        return s.NamedType(e.span, e.name, e.arguments, owner) if isinstance(found, (TypeSymbol, LazyType)) else None

    def find_type(self, e: s.NamedType) -> Symbol | None:
        """Return what the name of a type means; a template where it has arguments."""
        if e.qualifier:
            return self._in_namespace(e)
        found = self.scope.find(e.name, e.seen.count)
        # In a struct template its bare name is this very struct.
        return found if e.arguments is None else self.scope.find_template(e.name, e.seen.count) or found

    def _in_namespace(self, e: s.Name | s.NamedType) -> Symbol | None:
        """Return what ``a::name`` means; what CUDA provides where the file has no such namespace, or nothing in it."""
        scope = self.namespaces.at(e.qualifier, self.scope)
        found = scope.qualified(e.name, e.seen.count) if scope is not None else []
        library = self.file_scope.parent
        if found:
            return merged(found)
        known = library.find(e.name) if library is not None else None
        return known or (self._in_library(e.name) if isinstance(e, s.Name) else None)

    def functions_called(
        self, callee: s.Name, found: Symbol | None, arguments: Callable[[], Sequence[TypedOperand | s.InitList]]
    ) -> Symbol | None:  # fmt: skip
        """Return the functions that a call means: those ``found`` by their name, or by the arguments' types."""
        if callee.qualifier or callee.scope is not None or not self.namespaces.has_others(callee.name):
            return found
        if found is not None and not isinstance(found, FunctionSet):
            return found
        types = [a.type for a in arguments() if isinstance(a, TypedOperand)]
        return self.namespaces.with_arguments(callee.name, found, types, callee.seen)

    def operator_functions(self, name: str, types: Sequence[t.CType | None]) -> list[s.FunctionDeclaration]:
        """Return the functions outside structs that may define an operator for operands of some types."""
        found = self.namespaces.with_arguments(name, self.scope.find(name), types, s.EVERYTHING)
        return found.declarations if isinstance(found, FunctionSet) else []

    def check_accessible(self, struct: t.Struct, name: str, span: Span) -> None:
        """Check that code outside of all structs names no member that is private or protected, unless the struct has
        friends: which these are is not looked at."""
        for owner, _ in lineage(struct):
            syntax = owner.info.syntax
            if not isinstance(syntax, s.StructType) or syntax.has_friends or is_own_header(syntax.span.source):
                return
            if name in syntax.hidden and not self.scope.is_in_struct():
                fail(f"'{name}' is private or protected in '{owner}'", span)
        self._check_inherited(struct, name, span)

    def _check_inherited(self, struct: t.Struct, name: str, span: Span) -> None:
        """Check that a member which a struct does not declare itself is that of one base class, and that this is no
        secret of the struct."""
        while struct.info.bases and not declares(struct, name):
            syntax = struct.info.syntax
            inherited = (base.type for base in struct.info.bases if isinstance(base.type, t.Struct))
            bases = [base for base in inherited if any(declares(owner, name) for owner, _ in lineage(base))]
            if not isinstance(syntax, s.StructType) or name in syntax.brought or not bases:
                return
            if len(bases) > 1:
                fail(f"'{name}' is ambiguous: '{bases[0]}' and '{bases[1]}' have a member of that name", span)
            if bases[0].info.bare_name in syntax.private_bases and not self.scope.is_in_struct():
                fail(f"'{name}' is private or protected in '{struct}', which inherits it from '{bases[0]}'", span)
            struct = bases[0]

    def _own_member(self, name: str, owner: t.CType | None = None) -> Lvalue | None:
        """Return a member of the object that a method was called on, by its bare name, or that of a base class
        ``owner``."""
        this = self.scope.find_this()
        if this is None:
            return None
        struct = t.plain(this.type if owner is None else owner)
        offset = base_offset(this.type, struct)
        if offset is not None and isinstance(struct, t.Struct) and (field := struct.field(name)):
            return Lvalue(this.address.plus(offset + field.offset), member_type(this.type, field))
        return None

    def unbound_member(self, e: s.Name) -> t.CType | None:
        """Return the type of the member that ``Struct::name`` means without an object, as it may where nothing is
        evaluated; None for all other names."""
        struct = self.struct_named(e)
        if struct is None or self._own_member(e.name, struct) is not None:
            return None
        field = struct.field(e.name)
        return None if field is None else field.type

    def struct_named(self, e: s.Name) -> t.Struct | None:
        """Return the struct that qualifies a name, ``Struct::name``; None where none does."""
        if e.scope is None and not e.qualifier:
            return None
        owner = e.scope if e.scope is not None else self._owner_named(e)
        struct = None if owner is None else t.plain(self.resolve(owner))
        return struct if isinstance(struct, t.Struct) else None

    def own_methods(self, callee: s.Name) -> list[s.FunctionDeclaration] | None:
        """Return the functions that a bare name means in a method, or ``Base::name``; None where there are none."""
        this = self.scope.find_this()
        if this is None or self.scope.find_local(callee.name) is not None:
            return None
        owner = this.type
        if callee.scope is not None:
            owner = self.resolve(callee.scope)
        elif callee.qualifier:
            if (named := self._owner_named(callee)) is None:
                return None
            owner = self.resolve(named)
        struct = base_class(this.type, owner)
        return None if struct is None else methods_of(struct, callee.name) or None

    def _static_member(self, e: s.Name, owner: t.CType) -> Symbol | None:
        owner = t.plain(owner)
        if isinstance(owner, t.Enum) and isinstance(owner.home, Scope):
            value = owner.home.names.get(f"{owner.name}::{e.name}")
            return value if value is not None else fail_no_member(owner, e.name, e.span)
        if (member := self._own_member(e.name, owner)) is not None:
            return member
        if isinstance(owner, t.Struct) and (owner.field(e.name) or methods_of(owner, e.name)):
            named = owner.info.scope.names.get(e.name) if isinstance(owner.info.scope, Scope) else None
            if named is None:
                fail(f"'{e.name}' is a member of '{owner}', and no object of it is named here", e.span)
        if isinstance(owner, t.Struct) and isinstance(owner.info.scope, Scope):
            with self.scoped(owner.info.scope):
                return self.lookup(s.Name(e.span, e.name, e.arguments))
        fail_no_member(owner, e.name, e.span)

    def function_value(self, e: s.Name, found: Symbol | None) -> Value:
        """Return the function that a name is ``found`` to be, as a value that can be passed on and called; stop at a
        type, at a function that this cannot be told of, or nothing."""
        if isinstance(found, FunctionSet) and (function := self.function_object(e, found)) is not None:
            self.closures[function.syntax] = function
            return Value(t.Closure(function.syntax), object=function)
        if isinstance(found, (TypeSymbol, LazyType)):
            fail(f"'{e.name}' is a type, not a value", e.span)
        if found is not None or e.name in self.builtin_functions:
            refuse(
                f"'{e.name}' as a value is not supported: only a single function of the file is, or a template's with "
                "its arguments",
                e.span,
            )
        self.unknown(e.name, "name", e.span)

    def fail_no_function(self, callee: s.Name, found: Symbol | None) -> NoReturn:
        """Stop at a name that is called and is ``found`` to be a type or nothing."""
        if isinstance(found, TypeSymbol):
            fail(f"'{callee.name}' is a type, not a function", callee.span)
        self.unknown(callee.name, "function", callee.span)

    def fail_operator(self, op: str, type: t.CType, message: str, span: Span, hint: str = "") -> NoReturn:
        """Stop at an operator that there is none of for operands of a type: say why, if that is known."""
        struct = t.plain(type)
        if isinstance(struct, t.Struct):
            name = f"{struct.info.bare_name}::operator{op}"
            if name in self.unreadable:
                fail_unreadable(name, self.unreadable[name], span)
            if op in self.host_functions:
                fail_host_function(f"'operator{op}'", span)
        fail(message, span, hint)

    def unknown(self, name: str, what: str, span: Span) -> NoReturn:
        """Stop at a name that stands for nothing here: say why, if that is known, or which one may be meant."""
        refuse_name(name, span)
        if name in self.host_functions:
            fail_host_function(f"'{name}'", span)
        if name in self.unreadable:
            fail_unreadable(name, self.unreadable[name], span)
        candidates = self.scope.visible() | self.builtin_functions | set(t.VECTORS)
        fail(f"unknown {what} '{name}'", span, nearest(name, candidates))
