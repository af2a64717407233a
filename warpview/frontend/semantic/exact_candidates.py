"""Find the functions of an overload set whose parameters have the types of the arguments.

Where one of them takes the arguments, no function with other parameters is better, so that those are not looked at: a
file with many overloads is compiled in linear time but for this one comparison.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpview.diagnostics import CompileError
from warpview.frontend import syntax as s
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.operands import TypedOperand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from warpview.frontend.semantic.analysis import Semantics

Types = tuple[t.CType, ...]


class ExactCandidates:
    """Remember the parameter types of functions that are no templates, which are the same in every call."""

    def __init__(self, semantics: Semantics) -> None:
        self.semantics = semantics
        self._known: dict[s.FunctionDeclaration, Types | None] = {}

    def among(
        self, declarations: list[s.FunctionDeclaration], arguments: Sequence[TypedOperand | s.InitList]
    ) -> list[s.FunctionDeclaration]:
        """Return the functions whose parameters have the types of the arguments, apart from references and qualifiers,
        and those of which that is not known: templates and functions with a parameter list of no fixed length. Where
        an argument has no type of its own, all are returned."""
        if any(isinstance(argument, s.InitList) or argument.functions is not None for argument in arguments):
            return declarations
        wanted = tuple(_compared(a.type) for a in arguments if isinstance(a, TypedOperand))
        return [d for d in declarations if (types := self._types(d)) is None or types == wanted]

    def _types(self, declaration: s.FunctionDeclaration) -> Types | None:
        """Return the types of a function's parameters, None where they depend on the call."""
        if declaration not in self._known:
            self._known[declaration] = self._resolved(declaration)
        return self._known[declaration]

    def _resolved(self, declaration: s.FunctionDeclaration) -> Types | None:
        is_fixed = declaration.template is None and not declaration.has_ellipsis
        if not is_fixed or any(p.default is not None for p in declaration.parameters):
            return None
        try:
            with self.semantics.names.scoped(self.semantics.names.namespaces.home(declaration)):
                return tuple(_compared(self.semantics.types.resolve(p.type)) for p in declaration.parameters)
        except CompileError:
            return None


def _compared(type: t.CType) -> t.CType:
    """Return what two types must share for one to fit the other exactly."""
    return t.unqualified(t.decayed(type))
