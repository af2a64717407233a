"""Write out parameter packs: a declaration with packs becomes one without, for a number of their elements.

A template parameter ``typename... T`` becomes as many parameters, ``T#0``, ``T#1``, whose names no program can have. So
does a parameter ``T... values`` of a function; each ``pattern...`` becomes its elements, and a fold its operations
(C++17, 17.5.3 and 8.1.6). What deduces, binds and lowers templates then knows nothing of packs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import takewhile
from typing import Any, TypeVar

from warpview.frontend import syntax as s
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.syntax.facts import remembered
from warpview.frontend.syntax.walk import walk

Declaration = TypeVar("Declaration", s.FunctionDeclaration, s.TypeDeclaration, s.StructType, s.Lambda)
_EMPTY = {"&&": 1, "||": 0}  # the values of folds over no elements


def has_packs(declaration: s.FunctionDeclaration | s.TypeDeclaration | s.StructType | s.Lambda) -> bool:
    """Return whether a template has a parameter pack."""
    return any(parameter.pack for parameter in declaration.template or ())


def call_length(declaration: s.FunctionDeclaration, given: int, arguments: int) -> int:
    """Return the elements of a function's packs, from the numbers of template arguments and arguments of a call.
    Raises CompileError where no number fits."""
    if not any(isinstance(parameter.type, s.PackType) for parameter in declaration.parameters):
        return argument_length(declaration, given)
    return _shared_out(declaration, arguments)


def for_arguments(function: s.Lambda, arguments: int, given: int = 0, listed: int | None = None) -> s.Lambda:
    """Return a lambda as it is called with numbers of arguments and template arguments, of which those of an argument
    may list so many. Raises CompileError where it cannot be."""
    if listed is not None:
        length = listed
    elif any(isinstance(parameter.type, s.PackType) for parameter in function.parameters):
        length = _shared_out(function, arguments)
    elif has_packs(function):
        length = argument_length(function, given)
    else:
        return function
    written: s.Lambda = written_out(function, length)
    return written


def _shared_out(function: s.FunctionDeclaration | s.Lambda, arguments: int) -> int:
    """Return how many arguments each parameter pack of a function gets."""
    packs = sum(isinstance(parameter.type, s.PackType) for parameter in function.parameters)
    fixed = len(function.parameters) - packs
    if arguments < fixed or (arguments - fixed) % packs:
        fail(f"it takes at least {fixed} arguments, {arguments} given", function.span)
    return (arguments - fixed) // packs


def argument_length(
    declaration: s.FunctionDeclaration | s.TypeDeclaration | s.StructType | s.Lambda, given: int
) -> int:
    """Return the elements of a template's pack, from the number of template arguments: those behind the parameters
    before it. Parameters behind the pack, of a function, are deduced."""
    before = list(takewhile(lambda parameter: not parameter.pack, declaration.template or ()))
    return max(0, given - len(before))


def listed_length(listed: Sequence[s.TypeSyntax | s.Expression], arguments: int) -> int | None:
    """Return the elements of the packs in a list of template arguments that stands for so many; None where it has no
    pack."""
    packs = sum(isinstance(argument, (s.PackType, s.PackExpansion)) for argument in listed)
    return max(0, arguments - (len(listed) - packs)) // packs if packs else None


@remembered
def written_out(declaration: Declaration, length: int) -> Declaration:
    """Return a declaration without packs, for packs of ``length`` elements: the same one each time."""
    names = {parameter.name for parameter in declaration.template or () if parameter.pack}
    if isinstance(declaration, s.FunctionDeclaration | s.Lambda):
        names |= {p.name for p in declaration.parameters if isinstance(p.type, s.PackType)}
    written = _Writer(frozenset(names), length).node(declaration)
    assert isinstance(written, type(declaration))
    return written


@dataclass(frozen=True)
class _Writer:
    """Copy a tree, writing out the packs of some names; ``index`` is the element within a pattern, else None."""

    names: frozenset[str]
    length: int
    index: int | None = None

    def node(self, node: s.Node) -> s.Node:
        """Return a copy of a node."""
        match node:
            case s.Fold():
                return self._fold(node)
            case s.PackLength(name=name) if name in self.names:
                return s.Literal(node.span, self.length, t.ULONG)
            case s.Name(name=name, scope=None) | s.NamedType(name=name, scope=None) if name in self.names:
                return self._element(node)
            case s.Name(qualifier=qualifier) | s.NamedType(qualifier=qualifier) if self._begins(qualifier):
                return self._copy(replace(node, qualifier=self._numbered_qualifier(node)))
            case s.FunctionDeclaration(parameters=parameters) | s.Lambda(parameters=parameters):
                own = {p.name for p in parameters if isinstance(p.type, s.PackType) and self._mentions(p.type.of)}
                captures = node.captures if isinstance(node, s.Lambda) else []
                own |= {n for n, _, value in captures if isinstance(value, s.PackExpansion) and self._mentions(value)}
                return replace(self, names=self.names | own)._copy(node)
        return self._copy(node)

    def _copy(self, node: s.Node) -> s.Node:
        changed: dict[str, Any] = {f.name: self._value(getattr(node, f.name)) for f in fields(node)}
        return replace(node, **changed)

    def _element(self, node: s.Name | s.NamedType) -> s.Node:
        if self.index is None:
            fail(f"'{node.name}' is a parameter pack: '...' is missing", node.span)
        return replace(node, name=_numbered(node.name, self.index))

    def _begins(self, qualifier: str) -> bool:
        """Return whether a qualifier, ``Types::``, begins with the name of a pack."""
        return bool(qualifier) and qualifier.partition("::")[0] in self.names

    def _numbered_qualifier(self, node: s.Name | s.NamedType) -> str:
        name, _, rest = node.qualifier.partition("::")
        if self.index is None:
            fail(f"'{name}' is a parameter pack: '...' is missing", node.span)
        return f"{_numbered(name, self.index)}::{rest}"

    def _value(self, value: object) -> object:
        if isinstance(value, s.Node):
            return self.node(value)
        if isinstance(value, list):
            return [item for listed in value for item in self._items(listed)]
        if isinstance(value, tuple):
            return tuple(map(self._value, value))
        return value

    def _items(self, item: object) -> Iterator[object]:
        """Yield what an item of a list becomes: several for a pack."""
        match item:
            case s.TemplateParameter(pack=True, name=name) if name in self.names:
                for index in range(self.length):
                    plain = replace(item, name=_numbered(name, index), pack=False)
                    yield self._of(index)._value(plain)
            case s.Parameter(type=s.PackType(of=of), name=name) if name in self.names or self._mentions(of):
                for index in range(self.length):
                    yield self._of(index).node(replace(item, name=_numbered(name, index), type=of))
            case s.PackExpansion(pattern=pattern) | s.PackType(of=pattern) if self._mentions(pattern):
                for index in range(self.length):
                    yield self._of(index).node(pattern)
            case s.ExpressionStatement(expression=s.PackExpansion(pattern=pattern)) if self._mentions(pattern):
                for index in range(self.length):  # of the list of a constructor
                    yield self._of(index)._value(replace(item, expression=pattern))
            case (str() as name, s.PackExpansion() as expansion):  # in braces
                for written in self._items(expansion):
                    yield name, written
            case (str() as name, bool() as reference, s.PackExpansion(pattern=pattern)) if self._mentions(pattern):
                for index in range(self.length):  # of what a lambda captures
                    yield _numbered(name, index), reference, self._of(index).node(pattern)
            case _:
                yield self._value(item)

    def _of(self, index: int) -> _Writer:
        return replace(self, index=index)

    def _mentions(self, pattern: s.Node | None) -> bool:
        """Return whether a pattern names a pack that is written out here, rather than one of a template within."""
        return pattern is not None and any(
            isinstance(node, (s.Name, s.NamedType)) and (node.name in self.names or self._begins(node.qualifier))
            for node in walk(pattern)
        )

    def _fold(self, fold: s.Fold) -> s.Node:
        from_left = fold.first is None or not self._mentions(fold.first)
        pattern, start = (fold.last, fold.first) if from_left else (fold.first, fold.last)
        if pattern is None or not self._mentions(pattern):
            return self._copy(fold)
        elements = [self._of(index).node(pattern) for index in range(self.length)]
        if start is not None:
            elements.insert(0 if from_left else len(elements), self.node(start))
        if not elements:
            return self._empty_fold(fold)
        ordered = elements if from_left else elements[::-1]
        result = ordered[0]
        for element in ordered[1:]:
            left, right = (result, element) if from_left else (element, result)
            assert isinstance(left, s.Expression)
            assert isinstance(right, s.Expression)
            result = s.Binary(fold.span, fold.operator, left, right)
        return result

    def _empty_fold(self, fold: s.Fold) -> s.Node:
        if fold.operator == ",":
            return s.Cast(fold.span, "c", s.PlainType(fold.span, t.VOID), s.Literal(fold.span, 0, t.INT))
        if fold.operator not in _EMPTY:
            fail(f"nothing is left to join by '{fold.operator}': the parameter pack is empty", fold.span)
        return s.Literal(fold.span, _EMPTY[fold.operator], t.BOOL)


def _numbered(name: str, index: int) -> str:
    return f"{name}#{index}"
