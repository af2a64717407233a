"""Choose the function that a call means among several of one name, and its template arguments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from warpview.diagnostics import CompileError, Span
from warpview.frontend import syntax as s
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import packs
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import base_offset, converting_constructors, declaring
from warpview.frontend.semantic.checks import check_single
from warpview.frontend.semantic.conversion_cost import cost
from warpview.frontend.semantic.deduction import deduce
from warpview.frontend.semantic.operands import TypedOperand
from warpview.frontend.semantic.scopes import Scope, TemplateArgument, as_symbol
from warpview.frontend.semantic.type_resolution import scope_of
from warpview.frontend.semantic.values import Lvalue
from warpview.frontend.syntax.walk import walk

if TYPE_CHECKING:
    from warpview.frontend.semantic.analysis import Semantics

Arguments = Sequence[TypedOperand | s.InitList]
# What it costs that an object is const and a function is: a function that may change a const object is the last choice.
_PACK = 0.25  # what it costs to have a pack: a template without one is the more specialised (C++17, 17.5.6.2)
_USER_CONVERSION = 5.0  # more than any conversion of the language
_MISFITS = {(False, False): 0.0, (False, True): 0.01, (True, True): 0.0, (True, False): 100.0}


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


class NoMatch(CompileError):
    """No candidate takes the arguments."""


class Overloads:
    """Resolve overloads by the costs of the conversions that the arguments need."""

    def __init__(self, semantics: Semantics) -> None:
        self.semantics = semantics

    def choose(
        self, declarations: list[s.FunctionDeclaration], callee: s.Name | None, span: Span, arguments: Arguments,
        this: t.CType | None,
    ) -> Chosen:  # fmt: skip
        """Return the candidate that fits the arguments best; raise ``NoMatch`` where none does."""
        name = callee.name if callee else declarations[0].name
        explicit = self.semantics.types.template_values(callee.arguments) if callee and callee.arguments else []
        best: tuple[float, Chosen] | None = None
        reasons: list[str] = []
        for declaration in defined(declarations):
            owner, offset = declaring(this, declaration) if this is not None else (None, 0)
            for_const = owner.const if owner is not None else False
            if owner is not None and declaration.is_const:
                owner = replace(owner, const=True)
            parent = self.semantics.names.file_scope if owner is None else scope_of(owner)
            try:
                price = 0.0
                if packs.has_packs(declaration):
                    length = packs.call_length(declaration, len(explicit), len(arguments))
                    declaration, price = packs.written_out(declaration, length), _PACK
                scope = self._instance_scope(declaration, explicit, arguments, parent, span)
                price += self._price(declaration, scope, arguments)
                if owner is not None and "static" not in declaration.specifiers:
                    price += _MISFITS[for_const, declaration.is_const]
            except CompileError as error:
                reasons.append(error.diagnostics[0].message)
                continue
            if best is None or price < best[0]:
                best = (price, Chosen(declaration, scope, owner, offset))
        if best is not None:
            check_single(best[1].declaration, span)
            return best[1]
        types = ", ".join("{...}" if isinstance(a, s.InitList) else str(t.plain(a.type)) for a in arguments)
        reason = f": {reasons[0]}" if len(set(reasons)) == 1 else ""
        try:
            fail(f"no function '{name}' takes ({types}){reason}", callee.span if callee else span)
        except CompileError as error:
            raise NoMatch(error.diagnostics) from None

    def _instance_scope(
        self, declaration: s.FunctionDeclaration, explicit: list[TemplateArgument], arguments: Arguments,
        parent: Scope, span: Span,
    ) -> Scope:  # fmt: skip
        """Return the scope of a function's template arguments, given or deduced."""
        types = self.semantics.types
        scope = Scope(parent)
        required = [p for p in declaration.parameters if p.default is None]
        if not len(required) <= len(arguments) <= len(declaration.parameters):
            fail(f"it takes {len(declaration.parameters)} arguments, {len(arguments)} given", span)
        if declaration.template is None:
            if explicit and declaration.specialises is None:
                fail("it is not a template", span)
            return scope
        if declaration.specialises is not None:  # explicit specialisation: only for exactly these arguments
            with self.semantics.names.scoped(parent):
                wanted = [types.key_of(as_symbol(a)) for a in types.template_values(declaration.specialises)]
            if explicit and [types.key_of(as_symbol(a)) for a in explicit] != wanted[: len(explicit)]:
                fail("it is specialised for other arguments", span)
            return scope
        found = deduce(declaration, explicit, arguments)
        values: list[TemplateArgument] = []
        for parameter in declaration.template:
            if parameter.name in found:
                values.append(found[parameter.name])
            elif parameter.default is not None:
                break
            else:
                fail(f"template argument '{parameter.name}' cannot be deduced", span)
        types.bind_template(declaration.template, values, scope, span, declaration.name)
        if not any(isinstance(node, s.DecltypeType | s.AutoType) for node in walk(declaration.result)):
            with self.semantics.names.scoped(scope):
                types.resolve(declaration.result)  # std::enable_if may say that this is no candidate
        return scope

    def _price(self, declaration: s.FunctionDeclaration, scope: Scope, arguments: Arguments) -> float:
        """Return the cost of the conversions that the arguments need; refused where there is none for one of them."""
        price = 0.5 if declaration.template is not None and declaration.specialises is None else 0.0
        with self.semantics.names.scoped(scope):
            for parameter, argument in zip(declaration.parameters, arguments, strict=False):
                type = self.semantics.types.resolve(parameter.type)
                if isinstance(argument, s.InitList):
                    continue
                if isinstance(type, t.Reference) and _forwards(declaration, parameter.type):
                    type = replace(type, rvalue=not argument.is_lvalue)
                price += _USER_CONVERSION if self._is_converted(argument, type) else cost(argument, type)
        return price

    def _is_converted(self, argument: TypedOperand, parameter: t.CType) -> bool:
        """Return whether a function of a struct turns the argument into what the parameter takes."""
        if isinstance(parameter, t.Reference) and not parameter.to.const and not parameter.rvalue:
            return False
        source, target = t.plain(argument.type), t.plain(parameter)
        if isinstance(target, t.Struct) and t.arithmetic(source) is not None:
            return bool(converting_constructors(target))
        if isinstance(target, t.Struct) and isinstance(source, t.Struct) and base_offset(source, target) is None:
            return any(self._makes(constructor, target, argument) for constructor in converting_constructors(target))
        is_number = t.arithmetic(target) is not None and isinstance(source, t.Struct)
        return is_number and self.semantics.types.number_type(source) is not None

    def _makes(self, constructor: s.FunctionDeclaration, struct: t.Struct, argument: TypedOperand) -> bool:
        """Return whether a constructor takes an argument as it is, without another conversion by a function."""
        try:
            scope = self._instance_scope(constructor, [], [argument], scope_of(struct), constructor.span)
            with self.semantics.names.scoped(scope):
                cost(argument, self.semantics.types.resolve(constructor.parameters[0].type))
        except CompileError:
            return False
        return True


def _forwards(declaration: s.FunctionDeclaration, type: s.TypeSyntax) -> bool:
    """Return whether a parameter is ``T&&`` of a template parameter ``T``, which any argument binds to."""
    if not isinstance(type, s.ReferenceType) or not type.rvalue:
        return False
    is_parameter = isinstance(type.to, s.NamedType) and type.to.name in {p.name for p in declaration.template or ()}
    return is_parameter or isinstance(type.to, s.AutoType)


def defined(declarations: list[s.FunctionDeclaration]) -> list[s.FunctionDeclaration]:
    """Return candidates in the order to try them: specialisations first, definitions rather than declarations."""
    with_body = [d for d in declarations if d.body is not None] or declarations
    return sorted(with_body, key=lambda d: d.specialises is None and d.template != [])
