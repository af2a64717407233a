"""Deduce the template arguments of a class from what an object of it is made from (C++17, 16.3.1.8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from warpview.diagnostics import CompileError, Span
from warpview.frontend import syntax as s
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.deduction import deduce
from warpview.frontend.semantic.operands import TypedOperand
from warpview.frontend.semantic.scopes import LazyType, TemplateArgument
from warpview.frontend.semantic.values import Value

if TYPE_CHECKING:
    from warpview.frontend.semantic.analysis import Semantics


class ClassDeduction:
    def __init__(self, semantics: Semantics, guides: Sequence[s.FunctionDeclaration]) -> None:
        self.semantics = semantics
        self.guides = guides

    def variable_type(self, variable: s.DeclaredVariable) -> t.CType:
        """Return the type of a variable as it is written, with what is deduced from its value."""
        value = variable.initialiser
        listed = variable.arguments or ([value] if value is not None else [])
        return self.type_of(variable.type, listed)

    def type_of(self, written: s.TypeSyntax, values: Sequence[s.Expression]) -> t.CType:
        """Return a type as it is written; where it is a template without arguments those that ``values`` tell."""
        const = False
        named = written
        while isinstance(named, s.QualifiedType):
            const |= named.const
            named = named.of
        symbol = self._template(named)
        if symbol is None:
            return self.semantics.types.resolve(written)
        assert isinstance(named, s.NamedType)
        if len(values) == 1 and isinstance(values[0], s.InitList):
            values = [e for _, e in values[0].items]
        operands = [e if isinstance(e, s.InitList) else self.semantics.typer.operand(e) for e in values]
        return replace(self._deduced(symbol, named, operands), const=const)

    def _template(self, named: s.TypeSyntax) -> LazyType | None:
        """Return the template of classes that a name without arguments means."""
        if not isinstance(named, s.NamedType) or named.arguments is not None or named.scope is not None:
            return None
        symbol = self.semantics.names.find_type(named)
        if not isinstance(symbol, LazyType) or symbol.declaration.template is None:
            return None
        return symbol if isinstance(symbol.declaration.type, s.StructType) else None

    def _deduced(
        self, symbol: LazyType, named: s.NamedType, operands: Sequence[TypedOperand | s.InitList]
    ) -> t.CType:  # fmt: skip
        first = t.plain(operands[0].type) if len(operands) == 1 and isinstance(operands[0], TypedOperand) else None
        if isinstance(first, t.Struct) and first.info.template is symbol:
            return first
        struct, parameters = symbol.declaration.type, symbol.declaration.template
        assert isinstance(struct, s.StructType)
        assert parameters is not None
        if (guided := self._guided(symbol, operands, named.span)) is not None:
            return guided
        constructors = [method for method in struct.methods if method.name == struct.name]
        for constructor in constructors or _aggregate(struct, len(operands)):
            taken = constructor.parameters
            if not sum(p.default is None for p in taken) <= len(operands) <= len(taken):
                continue
            whole = replace(constructor, template=[*parameters, *(constructor.template or [])])
            try:
                found = deduce(whole, [], operands, self.semantics.names.find_type)
            except CompileError:
                continue
            given = [found.get(parameter.name) for parameter in parameters]
            while given and given[-1] is None and parameters[len(given) - 1].default is not None:
                given.pop()
            if None not in given:
                arguments = [_written(value, named.span) for value in given if value is not None]
                return self.semantics.types.resolve(replace(named, arguments=arguments))
        return self.semantics.types.resolve(named)  # which says that arguments are missing

    def _guided(
        self, symbol: LazyType, operands: Sequence[TypedOperand | s.InitList], span: Span
    ) -> t.CType | None:  # fmt: skip
        """Return the type that the best deduction guide of a template tells; None where none fits."""
        guides = [guide for guide in self.guides if guide.name == symbol.declaration.name]
        try:
            chosen = self.semantics.overloads.choose(guides, None, span, operands, None) if guides else None
        except CompileError:
            return None
        if chosen is None:
            return None
        with self.semantics.names.scoped(chosen.scope):
            return self.semantics.types.resolve(chosen.declaration.result)


def _aggregate(struct: s.StructType, values: int) -> list[s.FunctionDeclaration]:
    """Return a struct without constructors as the one that takes so many values of its members (C++20, 12.2.2.9)."""
    if struct.bases or struct.is_union or values > len(struct.fields):
        return []
    parameters = [s.Parameter(field.span, field.name, field.type) for field in struct.fields[:values]]
    nothing = s.PlainType(struct.span, t.VOID)
    return [s.FunctionDeclaration(struct.span, struct.name, nothing, parameters, None, frozenset())]


def _written(value: TemplateArgument, span: Span) -> s.TypeSyntax | s.Expression:
    """Return a template argument as it could be written."""
    if isinstance(value, t.CType):
        return s.PlainType(span, value)
    assert isinstance(value, Value)
    assert value.constant is not None
    scalar = t.arithmetic(value.type)
    assert scalar is not None
    return s.Literal(span, value.constant, scalar)
