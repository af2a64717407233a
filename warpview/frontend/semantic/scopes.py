"""Map names to the things that they stand for, scope by scope."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from warpview.frontend import syntax as s
from warpview.frontend.semantic.types import CType, Reference, Struct
from warpview.frontend.semantic.values import Lvalue, Value
from warpview.frontend.syntax.facts import remembered

LAST = s.EVERYTHING.count


@dataclass(eq=False)
class TypeSymbol:
    type: CType


@dataclass(eq=False)
class LazyType:
    """Stand for a file-scope type, which is resolved when it is first used (or each time, for a template)."""

    declaration: s.TypeDeclaration
    scope: Scope
    resolved: dict[object, CType] = field(default_factory=dict)
    specialisations: list[s.StructType] = field(default_factory=list)
    busy: bool = False
    order: int = 0  # of its first declaration

    @property
    def qualified_name(self) -> str:
        """Return its name behind that of its namespace."""
        return f"{self.scope.path}{self.declaration.name}"

    def declare_again(self, declaration: s.TypeDeclaration) -> None:
        """Take the definition of a struct declared before; a template's default arguments may stand in either."""
        defaults = [p.default for p in self.declaration.template or ()]
        for parameter, default in zip(declaration.template or (), defaults, strict=False):
            parameter.default = parameter.default or default
        if not isinstance(declaration.type, s.StructType) or declaration.type.is_defined:
            self.declaration = declaration


@dataclass(eq=False)
class LazyVariable:
    """Stand for a file-scope variable, which is given its place when it is first used."""

    declaration: s.DeclaredVariable
    scope: Scope
    busy: bool = False
    order: int = 0


@dataclass(eq=False)
class FunctionSet:
    """Hold all functions of one name; ``owner`` is the struct whose static functions they are."""

    name: str
    declarations: list[s.FunctionDeclaration] = field(default_factory=list)
    owner: Struct | None = None

    def known_at(self, limit: int) -> FunctionSet | None:
        """Return the functions that the first ``limit`` declarations of the file hold; None where they hold none."""
        known = [f for f in self.declarations if f.order <= limit]
        if len(known) == len(self.declarations):
            return self
        return FunctionSet(self.name, known, self.owner) if known else None


@remembered
def as_lambda(function: s.FunctionDeclaration) -> s.Lambda:
    """Return a function that is no template as the lambda that it is when passed on, the same one each time."""
    return lambda_of(function)


def lambda_of(function: s.FunctionDeclaration) -> s.Lambda:
    """Return a function as a lambda."""
    assert function.body is not None
    return s.Lambda(function.span, False, [], function.parameters, function.result, function.body, name=function.name)


@remembered
def function_of(syntax: s.Lambda) -> s.FunctionDeclaration:
    """Return the function that a call of a lambda calls, the same one each time."""
    result = syntax.result or s.AutoType(syntax.span)
    return s.FunctionDeclaration(
        syntax.span, syntax.name, result, syntax.parameters, syntax.body, frozenset(), syntax.template,
        constraints=syntax.constraints,
    )  # fmt: skip


TemplateArgument = CType | Value | LazyType  # a type, a value, or a template of types
Symbol = TypeSymbol | LazyType | LazyVariable | FunctionSet | Lvalue | Value


def as_symbol(argument: TemplateArgument) -> TypeSymbol | LazyType | Value:
    """Return a template argument as a name may stand for it."""
    return argument if isinstance(argument, Value | LazyType) else TypeSymbol(argument)


def kind_of(parameter: s.TemplateParameter) -> str:
    """Return what a template parameter of types stands for, in words."""
    return "a template" if parameter.is_template else "a type"


def kind_of_argument(argument: TemplateArgument) -> str:
    """Return what a template argument is, in words."""
    return "a value" if isinstance(argument, Value) else "a template" if isinstance(argument, LazyType) else "a type"


def merged(symbols: list[Symbol]) -> Symbol:
    """Return what a name means that several namespaces declare: all of the functions, before anything else."""
    sets = [symbol for symbol in symbols if isinstance(symbol, FunctionSet)]
    if len(sets) <= 1:
        return sets[0] if sets else symbols[0]
    together = dict.fromkeys(f for functions in sets for f in functions.declarations)
    return FunctionSet(sets[0].name, list(together))


@dataclass(eq=False)
class NamespaceNames:
    """Hold what a scope has of namespaces: its own ``path``, as 'outer::inner::', None for a block; the namespaces in
    it, inline ones and unnamed ones also as its ``parts``; and what using-directives and using-declarations name."""

    path: str | None = None
    inner: dict[str, Scope] = field(default_factory=dict)
    parts: list[Scope] = field(default_factory=list)
    directives: list[tuple[s.Use, Scope]] = field(default_factory=list)
    brought: dict[str, list[tuple[s.Use, Scope]]] = field(default_factory=dict)

    def opened(self, limit: int) -> list[Scope]:
        """Return the namespaces that using-directives open, here and within those."""
        found: list[Scope] = []
        waiting: list[NamespaceNames] = [self]
        for space in waiting:
            for use, target in space.directives:
                if use.seen.count <= limit and target not in found:
                    found.append(target)
                    waiting += [target.space] if target.space is not None else []
            waiting += [part.space for part in space.parts if part.space is not None]
        return found


@dataclass(eq=False)
class Scope:
    """Hold a block of names within another. ``this`` is the object that a method was called on."""

    parent: Scope | None = None
    names: dict[str, Symbol] = field(default_factory=dict)
    references: dict[str, Reference] = field(default_factory=dict)  # the types of those names that are references
    this: Lvalue | None = None
    is_parameters: bool = False  # of a function or a loop, whose names its outermost block may not declare again
    space: NamespaceNames | None = None

    @property
    def path(self) -> str:
        """Return the name of a namespace, as 'outer::inner::'; '' for others."""
        return self.space.path or "" if self.space is not None else ""

    def declared_here(self, name: str) -> bool:
        """Return whether a declaration of ``name`` would be the second one in this block."""
        parameters = self.parent if self.parent is not None and self.parent.is_parameters else None
        return name in self.names or (parameters is not None and name in parameters.names)

    def find(self, name: str, limit: int = LAST) -> Symbol | None:
        """Return what a name means among the first ``limit`` declarations of the file: what the nearest block,
        struct or namespace declares (C++17, 6.4.1)."""
        return next(self._meanings(name, limit), None)

    def declare(self, name: str, symbol: Symbol, type: CType) -> None:
        """Declare a variable of a function or a parameter; a reference is known by the object that it refers to."""
        self.names[name] = symbol
        if isinstance(type, Reference):
            self.references[name] = type

    def declared_reference(self, name: str) -> Reference | None:
        """Return the type of a variable that is a reference; None for anything else of that name."""
        scope: Scope | None = self
        while scope is not None and name not in scope.names:
            scope = scope.parent
        return scope.references.get(name) if scope is not None else None

    def find_template(self, name: str, limit: int = LAST) -> LazyType | None:
        """Return the nearest template of types of that name."""
        for symbol in self._meanings(name, limit):
            if isinstance(symbol, LazyType) and symbol.declaration.template is not None:
                return symbol
        return None

    def _meanings(self, name: str, limit: int) -> Iterator[Symbol]:
        """Yield what the scopes around declare under a name, from inside outwards."""
        opened: list[Scope] = []  # by using-directives: their names count as those of a namespace around
        scope: Scope | None = self
        while scope is not None:
            if scope.space is None:
                if (symbol := scope.names.get(name)) is not None:
                    yield symbol
            else:
                opened += scope.space.opened(limit)
                inside = [other for other in opened if scope.space.path is not None and other.is_within(scope)]
                found = list(scope.declared(name, limit))
                for other in inside:
                    found += other.declared(name, limit)
                if found:
                    yield merged(found)
            scope = scope.parent

    def declared(self, name: str, limit: int) -> Iterator[Symbol]:
        """Yield what this namespace declares under a name, by itself, by using-declarations and in its inline parts."""
        own = self.names.get(name)
        if self.space is not None and self.space.path is not None:  # a block has what was declared before
            own = own.known_at(limit) if isinstance(own, FunctionSet) else own
            own = None if isinstance(own, LazyType | LazyVariable) and own.order > limit else own
        if own is not None:
            yield own
        if self.space is not None:
            for use, target in self.space.brought.get(name, ()):
                if use.seen.count <= limit:
                    yield from target.qualified(name, use.seen.count)
            for part in self.space.parts:
                yield from part.declared(name, limit)

    def qualified(self, name: str, limit: int) -> list[Symbol]:
        """Return what ``namespace::name`` means: what the namespace declares, else what its using-directives bring."""
        found = list(self.declared(name, limit))
        for other in self.space.opened(limit) if self.space is not None and not found else ():
            found += other.declared(name, limit)
        return found

    def has(self, name: str) -> bool:
        """Return whether ``namespace::name`` means anything."""
        return bool(self.qualified(name, LAST)) or self.namespace(name) is not None

    def namespace(self, name: str) -> Scope | None:
        """Return a namespace in this one, or that an alias here means."""
        if self.space is None:
            return None
        for scope in (self, *self.space.parts, *self.space.opened(LAST)):
            if scope.space is not None and name in scope.space.inner:
                return scope.space.inner[name]
        return None

    def make_space(self) -> NamespaceNames:
        """Return what this block has of namespaces, from now on."""
        self.space = self.space or NamespaceNames()
        return self.space

    def find_local(self, name: str) -> Symbol | None:
        """Return what a method declares under a name, in its parameters or body; None outside methods."""
        scope: Scope | None = self
        found: Symbol | None = None
        while scope is not None:
            found = found or scope.names.get(name)
            if scope.this is not None:
                return found
            scope = scope.parent
        return None

    def find_this(self) -> Lvalue | None:
        scope: Scope | None = self
        while scope is not None:
            if scope.this is not None:
                return scope.this
            scope = scope.parent
        return None

    def structs(self) -> Iterator[Struct]:
        """Yield the structs of whose functions or declarations this is a block."""
        scope: Scope | None = self
        while scope is not None:
            if scope.this is not None and isinstance(scope.this.type, Struct):
                yield scope.this.type
            yield from scope.own_structs()
            scope = scope.parent

    def own_structs(self) -> Iterator[Struct]:
        """Yield the struct of whose declarations this is the block."""
        own = (symbol.type for symbol in self.names.values() if isinstance(symbol, TypeSymbol))
        yield from (x for x in own if isinstance(x, Struct) and x.info.scope is self)

    def is_within(self, outer: Scope) -> bool:
        """Return whether this is another scope, or a block in it."""
        scope: Scope | None = self
        while scope is not None and scope is not outer:
            scope = scope.parent
        return scope is outer

    def visible(self) -> set[str]:
        """Return every name that could be meant here."""
        names = set(self.names)
        for other in self.space.opened(LAST) if self.space is not None else ():
            names |= set(other.names)
        return names | self.parent.visible() if self.parent else names

    def child(self) -> Scope:
        return Scope(self)
