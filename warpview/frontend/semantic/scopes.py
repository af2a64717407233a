"""Map names to the things that they stand for, scope by scope."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from warpview.frontend import syntax as s
from warpview.frontend.semantic.types import CType, Struct
from warpview.frontend.semantic.values import Lvalue, Value


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


@dataclass(eq=False)
class FunctionSet:
    """Hold all functions of one name; ``owner`` is the struct whose static functions they are."""

    name: str
    declarations: list[s.FunctionDeclaration] = field(default_factory=list)
    owner: Struct | None = None

    @cached_property
    def as_lambda(self) -> s.Lambda | None:
        """The only function of the name, as what it is when it is passed on: a lambda; None where none is meant."""
        defined = [f for f in self.declarations if f.body is not None]
        if len(defined) != 1 or self.owner is not None or defined[0].template is not None or defined[0].is_kernel:
            return None
        (function,) = defined
        assert function.body is not None
        return s.Lambda(
            function.span, False, [], function.parameters, function.result, function.body, name=function.name
        )


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


@dataclass(eq=False)
class Scope:
    """Hold a block of names within another. ``this`` is the object that a method was called on."""

    parent: Scope | None = None
    names: dict[str, Symbol] = field(default_factory=dict)
    this: Lvalue | None = None
    is_parameters: bool = False  # whose names the function's outermost block may not declare again

    def declared_here(self, name: str) -> bool:
        """Return whether a declaration of ``name`` would be the second one in this block."""
        parameters = self.parent if self.parent is not None and self.parent.is_parameters else None
        return name in self.names or (parameters is not None and name in parameters.names)

    def find(self, name: str) -> Symbol | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None

    def find_template(self, name: str) -> LazyType | None:
        """Return the nearest template of types of that name."""
        scope: Scope | None = self
        while scope is not None:
            symbol = scope.names.get(name)
            if isinstance(symbol, LazyType) and symbol.declaration.template is not None:
                return symbol
            scope = scope.parent
        return None

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

    def is_within(self, outer: Scope) -> bool:
        """Return whether this is another scope, or a block in it."""
        scope: Scope | None = self
        while scope is not None and scope is not outer:
            scope = scope.parent
        return scope is outer

    def visible(self) -> set[str]:
        """Return every name that could be meant here."""
        names = set(self.names)
        return names | self.parent.visible() if self.parent else names

    def child(self) -> Scope:
        return Scope(self)
