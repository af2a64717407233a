"""Give each namespace of a file its scope, and find the namespaces that a call's arguments belong to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from warpview.frontend import syntax as s
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import friends_named, is_made_of_template
from warpview.frontend.semantic.inheritance import lineage
from warpview.frontend.semantic.scopes import (
    LAST,
    FunctionSet,
    LazyType,
    LazyVariable,
    NamespaceNames,
    Scope,
    Symbol,
    TypeSymbol,
    merged,
)
from warpview.frontend.syntax.walk import same_syntax


@dataclass(eq=False)
class Namespaces:
    """Hold the scopes of a file's namespaces, and the scope that each function of the file is declared in."""

    unit: s.TranslationUnit
    file: Scope = field(default_factory=lambda: Scope(space=NamespaceNames("")))
    library: Namespaces | None = None  # of the functions of CUDA that are written in CUDA C++, once they are needed
    foreign: set[str] = field(default_factory=set)  # aliases of namespaces that the file does not declare
    made: dict[s.FunctionDeclaration, Scope] = field(default_factory=dict)  # of functions that no namespace declares

    def __post_init__(self) -> None:
        self.functions = frozenset(self.unit.functions)
        self.by_path = {"": self.file}
        for path in self.unit.namespaces.values():
            self._enter(path)
        for function in self.unit.functions:
            self._declare_function(function)
        for scope in self.by_path.values():
            for functions in scope.names.values():
                if isinstance(functions, FunctionSet):
                    _order_by_first_declarations(functions.declarations)
        for variable in self.unit.variables:
            scope = self.around(variable)
            scope.names[variable.name] = LazyVariable(variable, scope, order=variable.order)
        for type in self.unit.types:
            self._declare_type(type)
        for use in self.unit.uses:
            if use.enum is None:  # else it waits for the enum's constants
                self.bring(use, self.around(use))
        structs = [type.type for type in self.unit.types if isinstance(type.type, s.StructType)]
        friends = (f.name for struct in structs if is_made_of_template(struct) for f in struct.friends)
        others = (f.name for f in self.unit.functions if self.around(f) is not self.file)
        self._names_of_others = frozenset((*others, *friends))

    def around(self, node: s.Node) -> Scope:
        """Return the namespace in which a declaration of the file stands."""
        return self.by_path[self.unit.namespaces.get(node, "")]

    def home(self, function: s.FunctionDeclaration) -> Scope:
        """Return the scope whose names a function sees: its namespace, the struct of a friend, or that of the file for
        what is no function of the file or of the library."""
        if self.library is not None and function in self.library.functions:
            return self.library.file
        return self.made.get(function) or self.around(function)

    def shown_name(self, variable: s.DeclaredVariable) -> str:
        """Return the name of a variable of the file to show: with its namespace where others have the name, too."""
        is_only = sum(other.name == variable.name for other in self.unit.variables) <= 1
        return variable.name if is_only else f"{self.around(variable).path}{variable.name}"

    def _enter(self, path: str) -> Scope:
        """Return the scope of a namespace."""
        if path not in self.by_path:
            *outer, name = path.split("::")[:-1]
            around = self._enter("".join(f"{part}::" for part in outer))
            scope = self.by_path[path] = Scope(around, space=NamespaceNames(path))
            assert around.space is not None
            around.space.inner[name] = scope
            if path in self.unit.inline_namespaces:
                around.space.parts.append(scope)
        return self.by_path[path]

    # ----------------------------------------------------------------------------------------- declarations
    def _declare_function(self, function: s.FunctionDeclaration) -> None:
        known = self.around(function).names.setdefault(function.name, FunctionSet(function.name))
        if isinstance(known, FunctionSet):
            known.declarations.append(function)

    def _declare_type(self, type: s.TypeDeclaration) -> None:
        scope = self.around(type)
        general = scope.names.get(type.name)
        if isinstance(type.type, s.StructType) and type.type.specialises is not None:
            if general is None and isinstance(found := scope.find(type.name), LazyType):
                general = found  # a specialisation may stand in a namespace around its template's
            if isinstance(general, LazyType):
                general.specialisations.append(type.type)
        elif isinstance(general, LazyType) and isinstance(general.declaration.type, s.StructType):
            general.declare_again(type)
        elif not isinstance(general, FunctionSet):
            scope.names[type.name] = LazyType(type, scope, order=type.order)

    # ------------------------------------------------------------------------------------------------- paths
    def at(self, qualifier: str, scope: Scope) -> Scope | None:
        """Return the namespace that ``a::b::`` means in a scope; None where the file has none of that name."""
        first, *rest = qualifier.split("::")[:-1]
        found: Scope | None = self.file if not first else None
        around: Scope | None = scope
        while found is None and around is not None:
            found = around.namespace(first)
            around = around.parent
        for name in rest:
            found = found.namespace(name) if found is not None else None
        return found

    def bring(self, use: s.Use, scope: Scope) -> None:
        """Make visible in a scope what a using-declaration, a using-directive or an alias names there. Libraries have
        no namespaces of their own here: nothing need be done for their names."""
        target = self.at(use.qualifier, scope)
        if target is None:
            self.foreign |= {use.name} if use.is_alias else set()
            return
        space = scope.make_space()
        if use.is_alias:
            space.inner[use.name] = target
        elif not use.name:
            space.directives.append((use, target))
        elif space.path is not None:
            space.brought.setdefault(use.name, []).append((use, target))
        elif symbols := target.qualified(use.name, use.seen.count):
            scope.names[use.name] = merged(symbols)

    # ------------------------------------------------------------------------------------------- arguments
    def has_others(self, name: str) -> bool:
        """Return whether some namespace other than the file's own, or a struct template that defines friends, has
        functions of a name."""
        return name in self._names_of_others

    def with_arguments(
        self, name: str, found: Symbol | None, types: Sequence[t.CType | None], seen: s.Seen
    ) -> Symbol | None:  # fmt: skip
        """Return the functions that a call by an unqualified name means: those ``found``, and those of the namespaces
        that the arguments' types belong to (C++17, 6.4.2). Friends that a struct template defines come first."""
        if found is not None and (not isinstance(found, FunctionSet) or found.owner is not None):
            return found
        friends = friends_named(name, types)
        if friends is not None and any(len(f.parameters) == len(types) for f in friends.declarations):
            owner = friends.owner
            return FunctionSet(name, friends.declarations, owner if isinstance(owner, t.Struct) else None)
        limit = LAST if seen.in_template else seen.count
        sets: list[Symbol] = [] if found is None else [found]
        for scope in dict.fromkeys(x for type in types if type is not None for x in self._associated(type, set())):
            if scope.space is not None and scope is not self.file:
                sets += [symbol for symbol in scope.declared(name, limit) if isinstance(symbol, FunctionSet)]
            elif isinstance(own := self.file.names.get(name), FunctionSet) and (known := own.known_at(limit)):
                sets.append(known)
        return merged(sets) if sets else found

    def _associated(self, type: t.CType, seen: set[t.StructInfo]) -> Iterator[Scope]:
        """Yield the namespaces that a type belongs to; a struct that was ``seen`` may be a template argument of its own
        base class."""
        type = t.plain(type)
        if isinstance(type, t.Pointer):
            yield from self._associated(type.to, seen)
        elif isinstance(type, t.Array):
            yield from self._associated(type.of, seen)
        elif isinstance(type, t.Enum) and isinstance(type.home, Scope):
            yield from _namespace_of(type.home)
        elif isinstance(type, t.Struct) and type.info not in seen:
            seen.add(type.info)
            for struct, _ in lineage(type):
                if isinstance(struct.info.scope, Scope):
                    yield from _namespace_of(struct.info.scope)
                    yield from self._of_arguments(struct.info.scope.parent, seen)

    def _of_arguments(self, scope: Scope | None, seen: set[t.StructInfo]) -> Iterable[Scope]:
        """Yield the namespaces of the types among the template arguments that a scope holds."""
        if scope is None or scope.space is not None:
            return
        for symbol in scope.names.values():
            if isinstance(symbol, TypeSymbol):
                yield from self._associated(symbol.type, seen)


def _namespace_of(scope: Scope) -> Iterator[Scope]:
    """Yield the namespace around a scope, and the one that it is an inline part of."""
    while scope.space is None or scope.space.path is None:
        if scope.parent is None:
            return
        scope = scope.parent
    yield scope
    around = scope.parent
    if around is not None and around.space is not None and scope in around.space.parts:
        yield from _namespace_of(around)


def _order_by_first_declarations(functions: list[s.FunctionDeclaration]) -> None:
    """Let each function of one name be known from its first declaration on, and a specialisation with its template.

    A declaration whose parameters are written as in no definition is that of any with as many.
    """
    declared = [f for f in functions if f.body is None]
    plain: list[s.FunctionDeclaration] = []
    for function in functions:
        if function.is_specialisation:
            function.specialised_at = function.specialised_at or function.order
            function.order = min((f.order for f in functions if not f.is_specialisation), default=function.order)
        elif function.body is not None:
            same = [f for f in declared if _same_parameters(f, function)]
            function.order = min((f.order for f in same), default=function.order)
            _take_defaults(function, same)
            plain += [] if same else [function]
    lonely = [f for f in declared if not any(g.body is not None and _same_parameters(f, g) for g in functions)]
    for function in plain:
        alike = [f for f in lonely if len(f.parameters) == len(function.parameters)]
        function.order = min([function.order, *(f.order for f in alike)])
        _take_defaults(function, alike if len(alike) == 1 else [])


def _take_defaults(function: s.FunctionDeclaration, declared: list[s.FunctionDeclaration]) -> None:
    """Give the parameters of a definition the default arguments of its declarations."""
    for earlier in declared:
        for parameter, known in zip(function.parameters, earlier.parameters, strict=True):
            if parameter.default is not None and known.default is not None and parameter.default is not known.default:
                function.double = f"the default value of '{parameter.name}' is given twice"
            parameter.default = parameter.default or known.default


def _same_parameters(a: s.FunctionDeclaration, b: s.FunctionDeclaration) -> bool:
    return same_syntax([p.type for p in a.parameters], [p.type for p in b.parameters])
