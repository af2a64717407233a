"""Choose the function that a call means among several of one name, and its template arguments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from warpview.diagnostics import CompileError, Span
from warpview.frontend import syntax as s
from warpview.frontend.preprocess.operators import PRECEDENCE
from warpview.frontend.preprocess.preprocessor import is_own_header
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import packs
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import DESTRUCTOR, declarers
from warpview.frontend.semantic.checks import check_single
from warpview.frontend.semantic.concepts import UnclearConstraint
from warpview.frontend.semantic.deduction import deduce, forwards, pack_length
from warpview.frontend.semantic.exact_candidates import ExactCandidates
from warpview.frontend.semantic.implicit_conversions import IDENTITY, ImplicitConversion, Rank
from warpview.frontend.semantic.initial_lists import deducing
from warpview.frontend.semantic.operands import TypedOperand
from warpview.frontend.semantic.partial_ordering import is_more_specialised
from warpview.frontend.semantic.result_types import typed_object
from warpview.frontend.semantic.scopes import Scope, TemplateArgument, function_of
from warpview.frontend.semantic.specialisations import specialisation
from warpview.frontend.semantic.type_resolution import scope_of
from warpview.frontend.semantic.values import FunctionObject, Lvalue
from warpview.frontend.syntax.facts import remembered
from warpview.frontend.syntax.walk import walk

if TYPE_CHECKING:
    from warpview.frontend.semantic.analysis import Semantics

Arguments = Sequence[TypedOperand | s.InitList]


@dataclass(frozen=True)
class Chosen:
    """Name the function that a call means; ``scope`` holds its template arguments."""

    declaration: s.FunctionDeclaration
    scope: Scope
    owner: t.Struct | None = None
    """The struct that declares it, where it is a method: that of the object or one of its base classes"""
    offset: int = 0
    """of the owner in the object"""

    def on(self, this: Lvalue | None) -> Lvalue | None:
        """Return the part of an object that the method is called on."""
        if this is None or self.owner is None:
            return this
        return Lvalue(this.address.plus(self.offset), self.owner)


@dataclass(frozen=True)
class _Candidate:
    """Hold a function that takes the arguments of a call; ``written`` is the declaration with its packs."""

    chosen: Chosen
    written: s.FunctionDeclaration
    conversions: tuple[ImplicitConversion, ...]
    """of the arguments, then of the object"""

    @property
    def rank(self) -> Rank:
        """Return the rank of the worst conversion."""
        return max((conversion.rank for conversion in self.conversions), default=Rank.EXACT)

    def order(self, other: _Candidate) -> int | None:
        """Return a number below 0 where this function takes the arguments better, above 0 where the other does, and 0
        where they take them alike; None where each is better for another argument."""
        return order_of(self.conversions, other.conversions)


def order_of(ones: Sequence[ImplicitConversion], others: Sequence[ImplicitConversion]) -> int | None:
    """Compare the conversions by which two functions take the arguments, as ``_Candidate.order`` has it."""
    steps = [one.order(other) for one, other in zip(ones, others, strict=False)]
    is_better, is_worse = any(step < 0 for step in steps), any(step > 0 for step in steps)
    return None if is_better and is_worse else is_worse - is_better


class NoMatch(CompileError):
    """No candidate takes the arguments."""


class Overloads:
    """Resolve overloads by the costs of the conversions that the arguments need."""

    def __init__(self, semantics: Semantics) -> None:
        self.semantics = semantics
        self.exact = ExactCandidates(semantics)

    def choose(
        self, declarations: list[s.FunctionDeclaration], callee: s.Name | None, span: Span, arguments: Arguments,
        this: t.CType | None,
    ) -> Chosen:  # fmt: skip
        """Return the candidate that fits the arguments best; raise ``NoMatch`` where none does."""
        name = callee.name if callee else declarations[0].name
        own = candidates(declarations)
        likely = own if this is not None else self.exact.among(own, arguments)
        found, reasons = self._fitting(likely, callee, name, span, arguments, this)
        if len(likely) < len(own) and not any(candidate.rank == Rank.EXACT for candidate in found):
            found, reasons = self._fitting(own, callee, name, span, arguments, this)
        if found:
            object = TypedOperand(this, is_lvalue=True) if this is not None and callee is None else None
            best = self._best(found, name, callee.span if callee else span, arguments, object)
            check_single(best.declaration, span)
            special = specialisation(self.semantics, declarations, best.declaration, best.scope)
            return best if special is None else replace(best, declaration=special[0], scope=special[1])
        reason = f": {reasons[0]}" if len(set(reasons)) == 1 else ""
        try:
            fail(f"no function '{name}' takes {_listed(arguments)}{reason}", callee.span if callee else span)
        except CompileError as error:
            raise NoMatch(error.diagnostics) from None

    def _fitting(
        self, declarations: list[s.FunctionDeclaration], callee: s.Name | None, name: str, span: Span,
        arguments: Arguments, this: t.CType | None,
    ) -> tuple[list[_Candidate], list[str]]:  # fmt: skip
        """Return the functions that take the arguments, and why the others do not."""
        explicit = self.semantics.types.template_values(callee.arguments) if callee and callee.arguments else []
        is_template = callee is not None and callee.arguments is not None
        found: list[_Candidate] = []
        reasons: list[str] = []
        owned: list[tuple[s.FunctionDeclaration, t.Struct | None, int]] = [
            (written, *owner)
            for written in declarations
            for owner in (declarers(this, written) if this is not None else [(None, 0)])
        ]
        for written, owner, offset in owned:
            declaration = written
            if owner is not None and declaration.name in (owner.info.bare_name, DESTRUCTOR):
                owner = replace(owner, const=False)
            for_const = owner.const if owner is not None else False
            if owner is not None and declaration.is_const:
                owner = replace(owner, const=True)
            parent = self.semantics.names.namespaces.home(declaration) if owner is None else scope_of(owner)
            try:
                if packs.has_packs(declaration):
                    with self.semantics.names.scoped(parent):
                        length = pack_length(declaration, arguments, self.semantics.names.find_type)
                    if length is None:
                        length = packs.call_length(declaration, len(explicit), len(arguments))
                    declaration = packs.written_out(declaration, length)
                scope = self.instance_scope(declaration, explicit, arguments, parent, span, is_template, owner)
                conversions = self._conversions(declaration, scope, arguments)
                if written.has_ellipsis:
                    named = len(written.parameters) - 1
                    conversions[named:] = [ImplicitConversion(Rank.ELLIPSIS)] * (len(arguments) - named)
                if owner is not None and "static" not in declaration.specifiers:
                    if for_const and not declaration.is_const:
                        fail("it may change its object, which is const", span)
                    added = int(declaration.is_const and not for_const)
                    conversions.append(ImplicitConversion(binds="&", added=added))
            except UnclearConstraint:
                raise
            except CompileError as error:
                if error.is_unsupported:
                    raise UnclearConstraint(error.diagnostics) from None
                reasons.append(error.diagnostics[0].message)
                continue
            candidate = _Candidate(Chosen(declaration, scope, owner, offset), written, tuple(conversions))
            if candidate.rank >= Rank.USER and this is None and self._is_provided(name, arguments, candidate):
                continue
            found.append(candidate)
        return found, reasons

    def called_lambda(
        self, function: FunctionObject, callee: s.Expression | None, arguments: Arguments
    ) -> tuple[s.Lambda, Scope]:
        """Return a lambda as it is called, without packs, and the scope of its template arguments: those that
        ``f.operator()<...>`` gives, and those that follow from the arguments."""
        given = callee.arguments if isinstance(callee, s.Member) and callee.name == "operator()" else None
        explicit = self.semantics.types.template_values(given or [])
        syntax, listed = function.syntax, None
        if packs.has_packs(syntax):
            with self.semantics.names.scoped(function.scope):
                listed = pack_length(function_of(syntax), arguments, self.semantics.names.find_type)
        syntax = packs.for_arguments(syntax, len(arguments), len(explicit), listed)
        if syntax.template is None:
            return syntax, function.scope
        declaration = function_of(syntax)
        return syntax, self.instance_scope(declaration, explicit, arguments, function.scope, syntax.span, True)

    def _is_provided(self, name: str, arguments: Arguments, candidate: _Candidate) -> bool:
        """Return whether CUDA itself has a function that takes these arguments without turning them into objects, or
        C++ an operator of numbers that takes them better than a function of the file (C++17, 16.3.1.2)."""
        if name.removeprefix("operator") not in PRECEDENCE:
            is_plain = all(isinstance(a, TypedOperand) and not isinstance(t.plain(a.type), t.Struct) for a in arguments)
            return is_plain and name in self.semantics.names.builtin_functions
        provided = self._as_numbers(name.removeprefix("operator"), arguments)
        order = None if provided is None else order_of(provided, candidate.conversions)
        return order is not None and order < 0

    def _as_numbers(self, op: str, arguments: Arguments) -> list[ImplicitConversion] | None:
        """Return how arguments become the numbers that an operator of the language takes: truths, or what they are
        promoted to (C++17, 16.6). None where one of them does not; a pointer takes part in sums."""
        found = []
        for argument in arguments:
            if isinstance(argument, s.InitList):
                return None
            type = t.plain(argument.type)
            number = self.semantics.own_conversions.number_type(type)
            if isinstance(type, t.Pointer) and op in ("+", "-"):
                found.append(IDENTITY)
                continue
            if number is None or (isinstance(type, t.Enum) and type.scoped):
                return None
            to = number if isinstance(type, t.Struct) else t.BOOL if op in ("&&", "||") else t.promoted(number)
            found.append(self.semantics.user_conversions.conversion(argument, to))
        return found

    def _best(
        self, found: list[_Candidate], name: str, span: Span, arguments: Arguments, object: TypedOperand | None
    ) -> Chosen:  # fmt: skip
        """Return the best of the functions that take the arguments, the operator of an ``object`` or others; refused
        where another one is as good."""
        best = found[0]
        for candidate in found[1:]:
            if self._is_better(candidate, best, len(arguments)):
                best = candidate
        for other in found:
            if other is not best and self._is_as_good(other, best, len(arguments)):
                fail(f"the call of '{name}' is ambiguous: several functions take {_listed(arguments)}", span)
        op = name.removeprefix("operator")
        is_operator = op in PRECEDENCE and (best.chosen.owner is None or object is not None)
        operands = arguments if best.chosen.owner is None or object is None else [*arguments, object]
        provided = self._as_numbers(op, operands) if is_operator else None
        if provided is not None and order_of(provided, best.conversions) is None:
            fail(f"the call of '{name}' is ambiguous: C++ has one for {_listed(operands)} as numbers", span)
        if any(conversion.is_ambiguous for conversion in best.conversions):
            fail(f"the call of '{name}' is ambiguous: {_listed(arguments)} is converted in several ways", span)
        return best.chosen

    def _is_better(self, one: _Candidate, other: _Candidate, count: int) -> bool:
        """Return whether one of two functions is the better one for ``count`` arguments (C++17, 16.3.3): by its
        conversions, then as no template, then as the more specialised or the more constrained one."""
        order = one.order(other)
        if order != 0:
            return order is not None and order < 0
        a, b = one.written, other.written
        kinds = [(function.template is not None, packs.has_packs(function)) for function in (a, b)]
        if kinds[0] != kinds[1]:
            return kinds[0] < kinds[1]
        if a is b:
            return False
        if a.template is not None and b.template is not None:
            if is_more_specialised(self.semantics, a, b, count):
                return True
            if is_more_specialised(self.semantics, b, a, count):
                return False
        return self.semantics.concepts.is_more_constrained(a, b)

    def _is_as_good(self, other: _Candidate, best: _Candidate, count: int) -> bool:
        """Return whether another function makes a call of the best one ambiguous. A function may be declared several
        times, and the headers here have other functions than those of CUDA."""
        a, b = other.written, best.written
        is_known = a is b or a.double or a.body is None or a.template is not None or is_own_header(a.span.source)
        order = other.order(best)
        return (order is None or (order == 0 and not is_known)) and not self._is_better(best, other, count)

    def instance_scope(
        self, declaration: s.FunctionDeclaration, explicit: list[TemplateArgument], arguments: Arguments,
        parent: Scope, span: Span, is_template: bool = False, this: t.CType | None = None,
    ) -> Scope:  # fmt: skip
        """Return the scope of a function's template arguments, given or deduced."""
        types = self.semantics.types
        scope = Scope(parent)
        required = [p for p in declaration.parameters if p.default is None]
        if not len(required) <= len(arguments) <= len(declaration.parameters):
            fail(f"it takes {len(declaration.parameters)} arguments, {len(arguments)} given", span)
        if declaration.template is None:
            if is_template:
                fail("it is not a template", span)
            self.semantics.concepts.check(declaration.constraints, scope, span)
            return scope
        pointers = self.semantics.function_pointers
        passed = [
            self._list(p.type, a) if isinstance(a, s.InitList) else pointers.passed(a, p.type)
            for a, p in zip(arguments, declaration.parameters, strict=False)
        ]
        with self.semantics.names.scoped(parent):
            found = deduce(declaration, explicit, passed, self.semantics.names.find_type)
        values = [found.get(parameter.name) for parameter in declaration.template]
        for parameter, value in zip(declaration.template, values, strict=True):
            if value is None and parameter.default is None:
                fail(f"template argument '{parameter.name}' cannot be deduced", span)
        types.bind_template(declaration.template, values, scope, span, declaration.name)
        self.semantics.concepts.check(declaration.constraints, scope, span)
        if not any(isinstance(node, s.AutoType) for node in walk(declaration.result)):
            with self.semantics.names.scoped(self.with_parameters(declaration, scope, this)):
                types.resolve(declaration.result)  # std::enable_if or decltype may say that this is no candidate
        return scope

    def _list(self, parameter: s.TypeSyntax, argument: s.InitList) -> TypedOperand | s.InitList:
        """Return a list as what the type of a parameter is deduced from."""
        type = deducing(parameter, argument, self.semantics.typer.type_of)
        return argument if type is None else TypedOperand(self.semantics.types.resolve(type))

    def with_parameters(self, declaration: s.FunctionDeclaration, scope: Scope, this: t.CType | None) -> Scope:
        """Return a scope in which a result type may name the parameters of its function, and members of its object."""
        if not any(isinstance(node, s.DecltypeType) for node in walk(declaration.result)):
            return scope
        inner = Scope(scope, this=None if this is None else typed_object(this), is_parameters=True)
        with self.semantics.names.scoped(scope):
            for parameter in declaration.parameters:
                type = self.semantics.types.resolve(parameter.type)
                inner.declare(parameter.name, typed_object(type), type)
        return inner

    def _conversions(
        self, declaration: s.FunctionDeclaration, scope: Scope, arguments: Arguments
    ) -> list[ImplicitConversion]:  # fmt: skip
        """Return the conversions that the arguments need; refused where there is none for one of them."""
        scope = Scope(scope, is_parameters=True) if _names_parameters(declaration) else scope
        types = []
        with self.semantics.names.scoped(scope):
            for parameter in declaration.parameters[: len(arguments)]:
                types.append(self.semantics.types.resolve(parameter.type))
                if scope.is_parameters:
                    scope.declare(parameter.name, typed_object(types[-1]), types[-1])
        found: list[ImplicitConversion] = []
        for parameter, type, argument in zip(declaration.parameters, types, arguments, strict=False):
            if isinstance(argument, TypedOperand):
                argument = self.semantics.function_pointers.passed(argument, parameter.type, type)
                if isinstance(type, t.Reference) and _binds_to_any(declaration, parameter.type):
                    type = replace(type, rvalue=not argument.is_lvalue)
            found.append(self.semantics.user_conversions.conversion(argument, type))
        return found


def _listed(arguments: Arguments) -> str:
    """Return the types of arguments as a message lists them."""
    shown = [
        "{...}" if isinstance(a, s.InitList) else a.functions.name if a.functions is not None else str(t.plain(a.type))
        for a in arguments
    ]
    return f"({', '.join(shown)})"


@remembered
def _names_parameters(declaration: s.FunctionDeclaration) -> bool:
    """Return whether the type of a parameter is that of an expression, which may name those before it."""
    return any(isinstance(node, s.DecltypeType) for p in declaration.parameters for node in walk(p.type))


def _binds_to_any(declaration: s.FunctionDeclaration, type: s.TypeSyntax) -> bool:
    """Return whether a parameter is ``auto&&``, or ``T&&`` of a template parameter."""
    is_auto = isinstance(type, s.ReferenceType) and type.rvalue and isinstance(type.to, s.AutoType)
    return is_auto or forwards(type, {p.name for p in declaration.template or ()})


def candidates(declarations: list[s.FunctionDeclaration]) -> list[s.FunctionDeclaration]:
    """Return the functions to choose from: no specialisations, and definitions rather than declarations; a template
    may be defined by its specialisations alone."""
    own = [d for d in declarations if not d.is_specialisation]
    with_body = [d for d in own if d.body is not None]
    if len(own) < len(declarations):
        return with_body + [d for d in own if d.body is None and d.template is not None]
    return with_body or own
