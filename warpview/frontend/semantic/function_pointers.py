"""Number the functions of a file that are used as values: a pointer to a function holds the function's number.

Every kernel of a file numbers them alike, so that the host may fetch a pointer from one and pass it to another.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from warpview.diagnostics import CompileError, Span
from warpview.frontend import syntax as s
from warpview.frontend.preprocess.tokens import fail, refuse
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.checks import fail_not_convertible
from warpview.frontend.semantic.deduction import deduced
from warpview.frontend.semantic.operands import TypedOperand
from warpview.frontend.semantic.scopes import FunctionSet, Scope, TemplateArgument, as_lambda, lambda_of
from warpview.frontend.semantic.type_resolution import scope_of
from warpview.frontend.semantic.values import FunctionObject
from warpview.frontend.syntax.walk import walk

if TYPE_CHECKING:
    from warpview.frontend.semantic.analysis import Semantics


class FunctionPointers:
    def __init__(self, semantics: Semantics) -> None:
        self.semantics = semantics
        self.names = semantics.names
        self._instances: dict[object, s.Lambda] = {}  # of function templates
        self._numbered: dict[s.Lambda, FunctionObject] | None = None
        self._written: list[t.FunctionSignature] | None = None

    # ----------------------------------------------------------------------------------- names as values
    def function(self, e: s.Name, found: FunctionSet, type: t.FunctionSignature | None = None) -> FunctionObject | None:
        """Return the function that a name means as a value, of several the one of a ``type``, for which a template is
        made where no other function has it; None where it may mean any of several."""
        owner = scope_of(found.owner) if found.owner is not None else None
        defined = [f for f in found.declarations if f.body is not None and not f.is_kernel]
        homes = {f: owner or self.names.namespaces.home(f) for f in defined}
        functions = [
            self._instance(f, e, homes[f])
            for f in defined
            if f.template is None or (e.arguments is not None and (type is None or len(f.template) == len(e.arguments)))
        ]
        if type is not None:
            functions = [f for f in functions if self.type_of(f) == type]
        if type is not None and not functions:
            made = (self._made_for(f, e, homes[f], type) for f in defined if f.template is not None)
            functions = [f for f in made if f is not None and self.type_of(f) == type]
        return functions[0] if len(functions) == 1 else None

    def unsettled(self, e: s.Expression) -> s.Name | None:
        """Return the name of several functions, or of a template, of which an expression means the one that its
        context takes (C++17, 16.4); None for any other expression."""
        name = e.operand if isinstance(e, s.Unary) and e.operator == "&" else e
        if not isinstance(name, s.Name) or self.names.unbound_member(name) is not None:
            return None
        try:
            found = self.names.lookup(name)
        except CompileError:  # a function of objects, which has pointers of its own
            return None
        return name if isinstance(found, FunctionSet) and self.function(name, found) is None else None

    def _made_for(
        self, declaration: s.FunctionDeclaration, e: s.Name, home: Scope, type: t.FunctionSignature
    ) -> FunctionObject | None:
        """Return the function that a template makes for the parameters of a type (C++17, 17.8.2.2)."""
        template, scope = declaration.template or [], Scope(home)
        written = s.FunctionType(e.span, declaration.result, declaration.parameters)
        names = frozenset(parameter.name for parameter in template)
        try:
            values: list[TemplateArgument | None] = [*self.semantics.types.template_values(e.arguments or [])]
            with self.names.scoped(home):
                found = deduced([written], [type], names, self.names.find_type)
            values += [found.get(parameter.name) for parameter in template[len(values) :]]
            self.semantics.types.bind_template(template, values, scope, e.span, e.name)
            self.semantics.concepts.check(declaration.constraints, scope, e.span)
        except CompileError:
            return None
        return self._made(declaration, scope)

    def _instance(self, declaration: s.FunctionDeclaration, e: s.Name, home: Scope) -> FunctionObject:
        if declaration.template is None:
            return FunctionObject(as_lambda(declaration), home)
        scope, types = Scope(home), self.semantics.types
        types.bind_template(declaration.template, types.template_values(e.arguments or []), scope, e.span, e.name)
        return self._made(declaration, scope)

    def _made(self, declaration: s.FunctionDeclaration, scope: Scope) -> FunctionObject:
        """Return the function that a template is with its arguments, the same one each time."""
        key = (declaration, *(self.semantics.types.key_of(v) for v in scope.names.values()))
        instance = self._instances.setdefault(key, lambda_of(declaration))
        return FunctionObject(instance, scope)

    def type_of(self, function: FunctionObject) -> t.FunctionSignature | None:
        """Return the type of a function or of a lambda that captures nothing; None where it has none of its own."""
        return self._signature(function) if self.names.has_function_pointers else None

    def _signature(self, function: FunctionObject) -> t.FunctionSignature | None:
        syntax = function.syntax
        if syntax.captures or syntax.captures_all:
            return None
        with self.names.scoped(function.scope):
            try:
                parameters = self.semantics.types.parameter_types(syntax.parameters)
                result = self.semantics.typer.results.of_lambda(function, None, [*map(TypedOperand, parameters)])
                written = None if syntax.result is None else self.semantics.types.resolve(syntax.result)
            except CompileError:
                return None
        return t.FunctionSignature(
            t.plain(result.type) if not isinstance(written, t.Reference) else written, parameters
        )

    def either(self, a: TypedOperand, b: TypedOperand) -> t.Pointer | None:
        """Return the type of one of two operands where one of them is a function that becomes a pointer."""
        functions = [x.object for x in (a, b) if x.object is not None]
        if not functions or not (self.names.has_function_pointers or all(map(_is_named, functions))):
            return None
        found = [t.decayed(x.type) if x.object is None else self._pointer_to(x.object) for x in (a, b)]
        pointers = [type for type in found if isinstance(type, t.Pointer) and isinstance(type.to, t.FunctionSignature)]
        is_null = a.is_null or b.is_null
        return pointers[0] if pointers and (is_null or pointers == [pointers[0]] * 2) else None

    def passed(self, argument: TypedOperand, written: s.TypeSyntax, type: t.CType | None = None) -> TypedOperand:
        """Return an argument as a parameter takes it: a function as a pointer or as itself, where that is its type."""
        refers = isinstance(written, s.ReferenceType) and isinstance(written.to, s.FunctionType)
        refers = refers or (isinstance(type, t.Reference) and isinstance(type.to, t.FunctionSignature))
        if argument.functions is not None and type is not None:
            argument = self.settled(argument.functions, type)
        if argument.object is not None and refers:
            return TypedOperand(self.type_of(argument.object) or t.VOID, is_lvalue=True)
        to = None if type is None else t.decayed(type)
        points = isinstance(to, t.Pointer) and isinstance(to.to, t.FunctionSignature)
        if argument.object is None or not (points or _is_pattern(written, argument.object)):
            return argument
        return TypedOperand(self._pointer_to(argument.object))

    def settled(self, e: s.Name, type: t.CType) -> TypedOperand:
        """Return the one of several functions that a parameter of a type takes. Raises CompileError where there is
        none."""
        pointer = t.decayed(type)
        signature = pointer.to if isinstance(pointer, t.Pointer) else None
        found = self.names.lookup(e)
        function = None
        if isinstance(signature, t.FunctionSignature) and isinstance(found, FunctionSet):
            function = self.function(e, found, signature)
        if function is None:
            fail(f"no function '{e.name}' is of the type '{type}'", e.span)
        return TypedOperand(t.Closure(function.syntax), object=function)

    def as_pointer(self, operand: TypedOperand) -> t.Pointer | None:
        """Return the type of the pointer that an operand is or becomes, as an array or a function does; None for
        others."""
        own = operand.object if self.names.has_function_pointers else None
        type = t.decayed(operand.type) if own is None else self._pointer_to(own)
        return type if isinstance(type, t.Pointer) else None

    def _pointer_to(self, function: FunctionObject) -> t.CType:
        type = self._signature(function)
        return t.VOID if type is None else t.Pointer(type)

    # ------------------------------------------------------------------------------------------- numbers
    def number(self, function: FunctionObject, to: t.FunctionSignature, span: Span) -> int:
        """Return what a pointer of a type to a function holds."""
        if self._signature(function) != to:
            fail_not_convertible(f"'{function.syntax.name}'", t.Pointer(to), span)
        if function.syntax not in self._all():
            refuse("a pointer to this function is not supported: it depends on template arguments", span)
        return list(self._all()).index(function.syntax) + 1

    def of_type(self, type: t.FunctionSignature) -> list[tuple[int, FunctionObject]]:
        """Return the functions that a pointer of a type may point to, with their numbers."""
        everything = enumerate(self._all().values(), 1)
        return [(number, function) for number, function in everything if self._signature(function) == type]

    def _all(self) -> dict[s.Lambda, FunctionObject]:
        if self._numbered is None:
            self._numbered = {}
            self._numbered = {function.syntax: function for function in self._used_as_values()}
        return self._numbered

    def _used_as_values(self) -> Iterator[FunctionObject]:
        """Yield the functions that the file names without calling them, and its lambdas that capture nothing."""
        unit, namespaces = self.names.namespaces.unit, self.names.namespaces
        for declaration in (*unit.variables, *unit.functions, *unit.types):
            nodes = list(walk(declaration))
            called = {node.callee for node in nodes if isinstance(node, s.Call)}
            with self.names.scoped(namespaces.around(declaration)):
                for node in sorted(set(nodes) - called, key=lambda n: (n.span.line, n.span.column)):
                    if isinstance(node, s.Lambda) and not (node.captures or node.captures_all):
                        yield FunctionObject(node, self.names.scope)
                    elif isinstance(node, s.Name):
                        yield from self._named(node)

    def _named(self, e: s.Name) -> Iterator[FunctionObject]:
        """Yield the functions that a name may mean as a value."""
        try:
            found = self.names.lookup(e)
        except CompileError:
            return
        if not isinstance(found, FunctionSet):
            return
        with suppress(CompileError):  # where a template lacks arguments
            if (function := self.function(e, found)) is not None:
                yield function
                return
        for declaration in found.declarations:
            if declaration.body is None or declaration.is_kernel:
                continue
            home = self.names.namespaces.home(declaration)
            if declaration.template is not None:
                made = ((self._made_for(declaration, e, home, type), type) for type in self._signatures())
                yield from (f for f, type in made if f is not None and self._signature(f) == type)
            elif e.arguments is None:
                yield FunctionObject(as_lambda(declaration), home)

    def _signatures(self) -> list[t.FunctionSignature]:
        """Return the types of functions that the file writes, but for those that depend on template arguments."""
        if self._written is None:
            unit, self._written = self.names.namespaces.unit, []
            for declaration in (*unit.variables, *unit.functions, *unit.types):
                with self.names.scoped(self.names.namespaces.around(declaration)):
                    for node in (n for n in walk(declaration) if isinstance(n, s.FunctionType)):
                        with suppress(CompileError):
                            type = self.semantics.types.resolve(node)
                            self._written += [type] if isinstance(type, t.FunctionSignature) else []
        return list(dict.fromkeys(self._written))


def _is_pattern(written: s.TypeSyntax, function: FunctionObject) -> bool:
    """Return whether template arguments follow from a parameter that points to a function, or to anything: a lambda
    does not become the latter."""
    if not isinstance(written, s.PointerType):
        return False
    return isinstance(written.to, s.FunctionType) or (isinstance(written.to, s.NamedType) and _is_named(function))


def _is_named(function: FunctionObject) -> bool:
    """Return whether this is a function of the file, and no lambda."""
    return function.syntax.name != s.Lambda.name
