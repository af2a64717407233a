"""Find the conversion of an argument to a parameter, by the language alone or by a function of a struct as well."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from warpview.diagnostics import CompileError
from warpview.frontend import syntax as s
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import constructors_of, converting_constructors
from warpview.frontend.semantic.implicit_conversions import (
    IDENTITY,
    ImplicitConversion,
    Rank,
    bound,
    standard_conversion,
)
from warpview.frontend.semantic.inheritance import base_offset
from warpview.frontend.semantic.initial_lists import listed_array
from warpview.frontend.semantic.narrowing import narrows
from warpview.frontend.semantic.operands import TypedOperand
from warpview.frontend.semantic.type_resolution import scope_of

if TYPE_CHECKING:
    from warpview.frontend.semantic.analysis import Semantics


class UserConversions:
    """Find how arguments become what parameters take (C++17, 16.3.3.1)."""

    def __init__(self, semantics: Semantics) -> None:
        self.semantics = semantics

    def conversion(self, argument: TypedOperand | s.InitList, parameter: t.CType) -> ImplicitConversion:
        """Return how an argument is passed to a parameter. Raises CompileError where it cannot be."""
        if isinstance(argument, s.InitList):
            return self._of_list(argument, parameter)
        return self.by_function(argument, parameter) or standard_conversion(argument, parameter)

    def by_function(self, argument: TypedOperand, parameter: t.CType) -> ImplicitConversion | None:
        """Return how a function of a struct makes of an argument what a parameter takes; None where none does, or none
        is needed."""
        source, target = t.plain(argument.type), t.plain(parameter)
        if not (isinstance(source, t.Struct) or isinstance(target, t.Struct)) or t.same(source, target):
            return None
        if base_offset(source, target) is not None:
            return None
        own = self.semantics.own_conversions.sequence(argument, parameter) if isinstance(source, t.Struct) else None
        is_place = isinstance(parameter, t.Reference) and not (t.is_const(parameter.to) or parameter.rvalue)
        made = None if is_place or not isinstance(target, t.Struct) else self._made(argument, target, parameter)
        if own is not None and made is not None:
            return replace(own, function=None, is_ambiguous=True)
        return own or made

    def _made(
        self, argument: TypedOperand | s.InitList, struct: t.Struct, parameter: t.CType
    ) -> ImplicitConversion | None:  # fmt: skip
        """Return how a constructor of a struct makes it of one argument as that is; None where none does."""
        binds = ("&&" if parameter.rvalue else "&") if isinstance(parameter, t.Reference) else ""
        found: list[tuple[ImplicitConversion, bool, s.FunctionDeclaration]] = []
        for constructor in converting_constructors(struct):
            taken = self._taken(constructor, struct, argument)
            if taken is not None:
                found.append((taken, constructor.template is not None, constructor))
        if not found:
            return None
        best = found[0]
        for candidate in found[1:]:
            order = candidate[0].order(best[0]) or candidate[1] - best[1]
            best = candidate if order < 0 else best
        behind = bound(struct, parameter, TypedOperand(struct)) if isinstance(parameter, t.Reference) else IDENTITY
        return ImplicitConversion(Rank.USER, binds=binds, is_rvalue=True, function=best[2], behind=behind)

    def _taken(
        self, constructor: s.FunctionDeclaration, struct: t.Struct, argument: TypedOperand | s.InitList
    ) -> ImplicitConversion | None:  # fmt: skip
        """Return how a constructor takes an argument as it is, without another conversion by a function; None where
        it does not."""
        try:
            scope = self.semantics.overloads.instance_scope(
                constructor, [], [argument], scope_of(struct), constructor.span
            )
            with self.semantics.names.scoped(scope):
                type = self.semantics.types.resolve(constructor.parameters[0].type)
            if isinstance(argument, s.InitList):
                return self._of_list(argument, type)
            argument = self.semantics.function_pointers.passed(argument, constructor.parameters[0].type, type)
            return standard_conversion(argument, type)
        except CompileError:
            return None

    # ------------------------------------------------------------------------------------------------ lists
    def _of_list(self, e: s.InitList, parameter: t.CType) -> ImplicitConversion:
        """Return how a list in braces is passed (C++17, 16.3.3.1.5)."""
        target = t.plain(parameter)
        items = [item for _, item in e.items]
        binds = ("&&" if parameter.rvalue else "&") if isinstance(parameter, t.Reference) else ""
        made = self._of_items(e, items, target)
        if isinstance(parameter, t.Reference) and not (t.is_const(parameter.to) or parameter.rvalue):
            fail(f"'{parameter}' needs a variable, not a value", None)
        if isinstance(parameter, t.Reference) and len(items) == 1 and self._narrows(items[0], target):
            fail(f"'{target}' has not all values of the type that is given", None)  # as NVRTC has it for references
        return replace(made, binds=binds, is_rvalue=True)

    def _of_items(self, e: s.InitList, items: list[s.Expression], target: t.CType) -> ImplicitConversion:
        listed = listed_array(target, e, self.semantics.typer.type_of)
        array = target if isinstance(target, t.Array) else listed
        if array is not None and (items or isinstance(target, t.Array)):
            each = [self._of_item(item, array.of) for item in items]
            return max(each, key=lambda conversion: (conversion.rank, conversion.step), default=IDENTITY)
        if not isinstance(target, t.Struct):
            if len(items) > 1 or (items and isinstance(items[0], s.InitList)):
                fail(f"'{target}' takes one value, and no list of several", None)
            return self._of_item(items[0], target) if items else IDENTITY
        if len(items) == 1 and not isinstance(items[0], s.InitList):
            operand = self.semantics.typer.operand(items[0])
            if base_offset(operand.type, target) is not None:
                return standard_conversion(operand, target)
        if constructors_of(target):
            return ImplicitConversion(Rank.USER)
        if len(items) > len(target.info.parts):
            fail(f"'{target}' has {len(target.info.parts)} members, {len(items)} values given", None)
        return ImplicitConversion(Rank.USER)

    def _narrows(self, item: s.Expression, target: t.CType) -> bool:
        if isinstance(item, s.InitList) or t.arithmetic(target) is None:
            return False
        return narrows(self.semantics.typer.type_of(item), target, self.semantics.evaluator.number(item))

    def _of_item(self, item: s.Expression, type: t.CType) -> ImplicitConversion:
        return self.conversion(item if isinstance(item, s.InitList) else self.semantics.typer.operand(item), type)
