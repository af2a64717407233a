"""Deduce the template arguments of a class from what an object of it is made from (C++17, 16.3.1.8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from warpview.diagnostics import CompileError, Span
from warpview.frontend import syntax as s
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.operands import TypedOperand
from warpview.frontend.semantic.scopes import LazyType

if TYPE_CHECKING:
    from warpview.frontend.semantic.analysis import Semantics


class ClassDeduction:
    def __init__(self, semantics: Semantics, guides: Sequence[s.FunctionDeclaration]) -> None:
        self.semantics = semantics
        self.guides = guides
        self._made: dict[tuple[LazyType, int], list[s.FunctionDeclaration]] = {}

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
        written = [guide for guide in self.guides if guide.name == symbol.declaration.name]
        for guides in (written, self._implicit(symbol, len(operands))):
            if (guided := self._guided(guides, operands, named.span)) is not None:
                return guided
        return self.semantics.types.resolve(named)  # which says that arguments are missing

    def _implicit(self, symbol: LazyType, values: int) -> list[s.FunctionDeclaration]:
        """Return the guides that a class has by its constructors, or as the aggregate of so many values."""
        key = symbol, values
        if key not in self._made:
            self._made[key] = _guides(symbol.declaration, values)
            self.semantics.names.namespaces.made |= dict.fromkeys(self._made[key], symbol.scope)
        return self._made[key]

    def _guided(
        self, guides: list[s.FunctionDeclaration], operands: Sequence[TypedOperand | s.InitList], span: Span
    ) -> t.CType | None:  # fmt: skip
        """Return the type that the best of some deduction guides tells; None where none fits."""
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


def _as_argument(parameter: s.TemplateParameter) -> s.TypeSyntax | s.Expression:
    """Return a template parameter as the template argument that its name is."""
    span, name = parameter.span, parameter.name
    if parameter.type is not None:
        value = s.Name(span, name)
        return s.PackExpansion(span, value) if parameter.pack else value
    type = s.NamedType(span, name)
    return s.PackType(span, type) if parameter.pack else type


def _guides(declaration: s.TypeDeclaration, values: int) -> list[s.FunctionDeclaration]:
    """Return a guide for each constructor of a template of classes, or for its members as an aggregate."""
    struct, parameters = declaration.type, declaration.template or []
    assert isinstance(struct, s.StructType)
    own = [*map(_as_argument, parameters)]
    result = s.NamedType(declaration.span, declaration.name, own)
    constructors = [method for method in struct.methods if method.name == struct.name]
    return [
        replace(made, result=result, body=None, template=[*parameters, *(made.template or [])])
        for made in constructors or _aggregate(struct, values)
    ]
