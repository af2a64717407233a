"""Look names up: scopes, members of the current object, static members, and messages about unknown names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

from warpview.diagnostics import CompileError, Span
from warpview.frontend import syntax as s
from warpview.frontend.preprocess.system_headers import NAMESPACES
from warpview.frontend.preprocess.tokens import fail, refuse
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.access import check_accessible, check_base, check_found
from warpview.frontend.semantic.bases import member_type, methods_of
from warpview.frontend.semantic.checks import fail_host_function, fail_no_member
from warpview.frontend.semantic.inheritance import base_class, base_offset
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
        if not self.use_constants(node):
            self.namespaces.bring(node, self.scope)

    def use_constants(self, node: s.Use) -> bool:
        """Make constants of an enum visible in the current scope, if it is these that a declaration names; check that
        there is what it names."""
        if node.enum is None:
            self.check_used(node)
            if (constant := self._enumerator(node)) is not None:
                self.scope.names[node.name] = constant
            return constant is not None
        enum = t.plain(self.resolve(node.enum))
        if not isinstance(enum, t.Enum) or not isinstance(enum.home, Scope):
            fail(f"'using enum' needs an enum, not '{enum}'", node.enum.span)
        assert isinstance(enum.definition, s.EnumType)
        for name, *_ in enum.definition.values:
            self.scope.names[name] = enum.home.names[f"{enum.name}::{name}"]
        return True

    def check_used(self, node: s.Use) -> None:
        """Check that there is what a using-declaration, a using-directive or an alias names. Names of libraries, of
        files that were not found, and of host code are not known."""
        path = [name for name in node.qualifier.split("::") if name]
        known = self.unreadable.keys() | self.host_functions | NAMESPACES | self.namespaces.foreign
        if not path or path[0] in known or self.namespaces.unit.lacks_files:
            return
        target = self.namespaces.at(node.qualifier, self.scope)
        shown = "::".join(path)
        if target is None:
            named = s.Name(node.span, node.name, qualifier=node.qualifier, seen=node.seen)
            if self._owner_named(named) is None:  # else a type, whose member is named
                fail(f"there is no namespace '{shown}'", node.span)
        elif node.name and node.name not in known and not target.has(node.name) and not node.is_alias:
            fail(f"namespace '{shown}' has no member '{node.name}'", node.span)

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
        if (found := self.scope.find_local(e.name)) is not None:
            return found
        this = self.scope.find_this()
        if this is not None and (member := self._own_member(e.name)) is not None:
            self._check_own(e, this.type)
            return member
        return self.scope.find(e.name, e.seen.count) or self._in_library(e.name)

    def _check_own(self, e: s.Name, type: t.CType) -> None:
        """Check that the function at hand may name a member of its object's ``type``, or of a base class of it."""
        struct = t.plain(type)
        if isinstance(struct, t.Struct) and struct.info.bases:
            self.check_accessible(struct, e.name, e.span)
            if not e.qualifier and e.scope is None:
                check_found(struct, e.name, e.span)

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
        """Check that the code at hand may name a member of a struct. Raises CompileError where it may not."""
        check_accessible(struct, name, self.scope, span)

    def check_base(self, derived: t.CType, base: t.CType, span: Span) -> None:
        """Check that the code at hand may take an object of a struct as one of its base class."""
        check_base(derived, base, self.scope, span)

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
        if struct is None:
            return None if e.scope is not None or e.qualifier else self._member_around(e.name)
        if self._own_member(e.name, struct) is not None:
            return None
        field = struct.field(e.name)
        return None if field is None else field.type

    def _member_around(self, name: str) -> t.CType | None:
        """Return the type of the member that a bare name means among the declarations of its struct, where there is no
        object; None where a nearer block, or none, declares the name."""
        scope: Scope | None = self.scope
        while scope is not None and scope.this is None and scope.space is None and name not in scope.names:
            for struct in scope.own_structs():
                if (type := self._declared_member(struct, name)) is not None:
                    return type
            scope = scope.parent
        return None

    def _declared_member(self, struct: t.Struct, name: str) -> t.CType | None:
        """Return the type of a member of a struct whose definition may not be complete."""
        if (field := struct.field(name)) is not None:
            return field.type
        written = struct.info.syntax.fields if isinstance(struct.info.syntax, s.StructType) else []
        return next((self.resolve(member.type) for member in written if member.name == name), None)

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
        if struct is None or not (found := methods_of(struct, callee.name)):
            return None
        self._check_own(callee, struct)
        return found

    def _static_member(self, e: s.Name, owner: t.CType) -> Symbol | None:
        owner = t.plain(owner)
        if isinstance(owner, t.Enum) and isinstance(owner.home, Scope):
            value = owner.home.names.get(f"{owner.name}::{e.name}")
            return value if value is not None else fail_no_member(owner, e.name, e.span)
        if (member := self._own_member(e.name, owner)) is not None:
            return member
        if isinstance(owner, t.Struct):
            self.check_accessible(owner, e.name, e.span)
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
        if name in self.namespaces.unit.declared_in_blocks:
            fail(f"'{name}' is declared as a function", span, f"without '()' it is a variable: write '{name}{{}}'")
        candidates = self.scope.visible() | self.builtin_functions | set(t.VECTORS)
        fail(f"unknown {what} '{name}'", span, nearest(name, candidates))
