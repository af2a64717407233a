"""Choose the function that a call means among several of one name, and its template arguments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from warpview.diagnostics import CompileError, Span
from warpview.frontend import syntax as s
from warpview.frontend.preprocess.operators import PRECEDENCE
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import packs
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import DESTRUCTOR, converting_constructors, declarers
from warpview.frontend.semantic.checks import check_single
from warpview.frontend.semantic.concepts import UnclearConstraint
from warpview.frontend.semantic.conversion_cost import ELLIPSIS, PROMOTION, USER_CONVERSION, cost
from warpview.frontend.semantic.deduction import deduce, forwards, pack_length
from warpview.frontend.semantic.exact_candidates import ExactCandidates
from warpview.frontend.semantic.inheritance import base_offset
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
# What it costs that an object is const and a function is: a function that may change a const object is the last choice.
_MISFITS = {(False, False): 0, (False, True): 1, (True, True): 0, (True, False): 1_000_000}


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
    costs: tuple[int, ...]
    """of the conversions of its arguments, and what else makes it worse"""

    @property
    def price(self) -> int:
        return sum(self.costs)

    @property
    def rank(self) -> tuple[int, bool, bool]:
        """Return the key of comparison: the conversions, then whether it is a template, then whether it has a pack."""
        is_template = self.written.template is not None
        return self.price, is_template, packs.has_packs(self.written)


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
        if len(likely) < len(own) and not any(candidate.price < PROMOTION for candidate in found):
            found, reasons = self._fitting(own, callee, name, span, arguments, this)
        if found:
            best = self._best(found, name, callee.span if callee else span, arguments)
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
                scope = self._instance_scope(declaration, explicit, arguments, parent, span, is_template, owner)
                costs = *self._costs(declaration, scope, arguments), ELLIPSIS * written.has_ellipsis
                if owner is not None and "static" not in declaration.specifiers:
                    if for_const and not declaration.is_const:
                        fail("it may change its object, which is const", span)
                    costs = *costs, _MISFITS[for_const, declaration.is_const]
            except UnclearConstraint:
                raise
            except CompileError as error:
                if error.is_unsupported:
                    raise UnclearConstraint(error.diagnostics) from None
                reasons.append(error.diagnostics[0].message)
                continue
            if sum(costs) >= USER_CONVERSION and this is None and self._is_provided(name, arguments):
                continue
            found.append(_Candidate(Chosen(declaration, scope, owner, offset), written, costs))
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
        return syntax, self._instance_scope(declaration, explicit, arguments, function.scope, syntax.span, True)

    def _is_provided(self, name: str, arguments: Arguments) -> bool:
        """Return whether CUDA itself has a function, or C++ an operator, that takes these arguments without turning
        them into objects."""
        is_plain = all(isinstance(a, TypedOperand) and not isinstance(t.plain(a.type), t.Struct) for a in arguments)
        is_operator = name.removeprefix("operator") in PRECEDENCE
        return is_plain and (is_operator or name in self.semantics.names.builtin_functions)

    def _best(self, found: list[_Candidate], name: str, span: Span, arguments: Arguments) -> Chosen:
        """Return the best of the functions that take the arguments, the most specialised of equal templates; refused
        where one of two is better for one argument, and the other for another."""
        first = min(candidate.rank for candidate in found)
        equal = [candidate for candidate in found if candidate.rank == first]
        best = equal[0]
        ambiguous = f"the call of '{name}' is ambiguous: several functions take {_listed(arguments)}"
        is_exact = best.price < USER_CONVERSION and not any(isinstance(argument, s.InitList) for argument in arguments)
        for other in equal[1:]:
            one, two = other.written, best.written
            if one is not two and _ranks(other) != _ranks(best):
                fail(ambiguous, span)
            if is_exact and one is not two and one.template is two.template is None and not one.double:
                if self.semantics.concepts.is_more_constrained(one, two):
                    best = other
                elif one.body is not None and not self.semantics.concepts.is_more_constrained(two, one):
                    fail(ambiguous, span)
                continue
            if is_more_specialised(self.semantics, one, two, len(arguments)):
                best = other
            elif not is_more_specialised(self.semantics, two, one, len(arguments)):
                best = other if self.semantics.concepts.is_more_constrained(one, two) else best
        return best.chosen

    def _instance_scope(
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

    def _costs(self, declaration: s.FunctionDeclaration, scope: Scope, arguments: Arguments) -> list[int]:
        """Return the costs of the conversions that the arguments need; refused where there is none for one of them."""
        costs: list[int] = []
        scope = Scope(scope, is_parameters=True) if _names_parameters(declaration) else scope
        with self.semantics.names.scoped(scope):
            for parameter, argument in zip(declaration.parameters, arguments, strict=False):
                type = self.semantics.types.resolve(parameter.type)
                if scope.is_parameters:
                    scope.declare(parameter.name, typed_object(type), type)
                if isinstance(argument, s.InitList):
                    costs.append(0)
                    continue
                argument = self.semantics.function_pointers.passed(argument, parameter.type, type)
                if isinstance(type, t.Reference) and _binds_to_any(declaration, parameter.type):
                    type = replace(type, rvalue=not argument.is_lvalue)
                if self.is_converted(argument, type):
                    costs.append(USER_CONVERSION + self.semantics.own_conversions.cost_behind(argument.type, type))
                else:
                    costs.append(cost(argument, type))
        return costs

    def is_converted(self, argument: TypedOperand, parameter: t.CType) -> bool:
        """Return whether a function of a struct turns the argument into what the parameter takes."""
        if isinstance(parameter, t.Reference) and not parameter.to.const and not parameter.rvalue:
            return self.semantics.own_conversions.referred_by(argument.type, parameter) is not None
        source, target = t.plain(argument.type), t.plain(parameter)
        if isinstance(target, t.Struct) and t.arithmetic(source) is not None:
            return bool(converting_constructors(target))
        is_related = isinstance(source, t.Struct) and base_offset(source, target) is not None
        may_be_passed = isinstance(source, t.Struct | t.Array | t.Pointer | t.Closure) and not is_related
        if isinstance(target, t.Struct) and may_be_passed:
            return any(self._makes(constructor, target, argument) for constructor in converting_constructors(target))
        if not isinstance(source, t.Struct):
            return False
        own = self.semantics.own_conversions
        is_number = t.arithmetic(target) is not None and own.number_type(argument.type) is not None
        return is_number or own.conversion_template(argument.type, target) is not None

    def joint_class(self, a: TypedOperand, b: TypedOperand) -> t.CType | None:
        """Return the type of one of two values, one of them a struct, that a function of a struct turns the other one
        into (C++17, 8.16); None where none does, or each becomes the other."""
        types = t.plain(a.type), t.plain(b.type)
        if t.same(*types) or not any(isinstance(type, t.Struct) for type in types):
            return None
        found = [type for type, other in zip(types, (b, a), strict=True) if self.is_converted(other, type)]
        return found[0] if len(found) == 1 else None

    def _makes(self, constructor: s.FunctionDeclaration, struct: t.Struct, argument: TypedOperand) -> bool:
        """Return whether a constructor takes an argument as it is, without another conversion by a function."""
        try:
            scope = self._instance_scope(constructor, [], [argument], scope_of(struct), constructor.span)
            with self.semantics.names.scoped(scope):
                cost(argument, self.semantics.types.resolve(constructor.parameters[0].type))
        except CompileError:
            return False
        return True


def _ranks(candidate: _Candidate) -> list[int]:
    """Return the ranks of the conversions that the arguments of a call need for a function."""
    return [cost // PROMOTION for cost in candidate.costs]


def _listed(arguments: Arguments) -> str:
    """Return the types of arguments as a message lists them."""
    return f"({', '.join('{...}' if isinstance(a, s.InitList) else str(t.plain(a.type)) for a in arguments)})"


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
