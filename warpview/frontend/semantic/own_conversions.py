"""Choose among the functions by which a struct converts itself to another type (C++17, 15.3.2)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from warpview.diagnostics import CompileError, Span
from warpview.frontend import syntax as s
from warpview.frontend.preprocess.preprocessor import is_own_header
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import declaring, is_explicit, own_methods
from warpview.frontend.semantic.deduction import deduced
from warpview.frontend.semantic.implicit_conversions import IDENTITY, ImplicitConversion, Rank, standard_conversion
from warpview.frontend.semantic.inheritance import base_offset, lineage
from warpview.frontend.semantic.operands import TypedOperand
from warpview.frontend.semantic.result_types import result_operand
from warpview.frontend.semantic.scopes import Scope, TemplateArgument
from warpview.frontend.semantic.type_resolution import scope_of
from warpview.frontend.semantic.values import Value

if TYPE_CHECKING:
    from warpview.frontend.semantic.analysis import Semantics

# A function with its template arguments, where it is a template.
Conversion = tuple[s.FunctionDeclaration, list[s.TypeSyntax | s.Expression] | None]


@dataclass(frozen=True)
class _Candidate:
    """Hold a function by which a struct becomes another type, in two steps: how the function takes its object, and how
    what it returns becomes that type; ``directness`` orders what a reference binds to."""

    function: Conversion
    of_object: ImplicitConversion
    behind: ImplicitConversion
    directness: int = 0

    def order(self, other: _Candidate) -> int:
        """Return a number below 0 where this function is the better one, above 0 where the other is (C++17, 16.3.3)."""
        given = self.function[1] is not None, other.function[1] is not None
        by_step = self.of_object.order(other.of_object) or self.behind.order(other.behind)
        return self.directness - other.directness or by_step or given[0] - given[1]


class OwnConversions:
    """Find the functions of structs that convert them."""

    def __init__(self, semantics: Semantics) -> None:
        self.types = semantics.types
        self.names = semantics.names

    def number_type(
        self, type: t.CType, explicit: bool = False, is_lvalue: bool | None = None
    ) -> t.Scalar | None:  # fmt: skip
        """Return the type that a value counts as in arithmetic: that of a conversion of its own for a struct, other
        ones than to bool first; None where there is none. Conversions that are explicit only count where ``explicit``
        says so, as in a condition, after all others. Of an object that may change, those count that may change it, and
        of those marked ``&`` or ``&&`` the ones for its kind, where ``is_lvalue`` tells it."""
        found = [
            (is_explicit(type, method), method.is_const, scalar.is_bool, scalar)
            for method, result in self._callable(type, is_lvalue)
            if (scalar := t.arithmetic(result)) is not None and (explicit or not is_explicit(type, method))
        ]
        return min(found, key=lambda f: f[:3])[3] if found else t.arithmetic(type)

    def operand_type(self, type: t.CType) -> t.CType:
        """Return the type that a value has as an operand of a pointer's operators: that of the pointer that a struct
        converts itself to, unless it converts itself to a number; anything else as it decays."""
        if not isinstance(t.plain(type), t.Struct) or self.number_type(type) is not None:
            return t.decayed(type)
        pointers = [
            (method.is_const, t.plain(result))
            for method, result in self._callable(type)
            if isinstance(t.plain(result), t.Pointer) and not is_explicit(type, method)
        ]
        return min(pointers, key=lambda found: found[0])[1] if pointers else t.decayed(type)

    def check_clear(self, type: t.CType, is_lvalue: bool, what: str, span: Span) -> None:
        """Refuse a struct as a number where several of its functions convert it to one as well as another: to different
        types, all of them functions for const objects or none (as NVRTC does; C++17, 16.3.3)."""
        for for_const in (False, True):
            numbers = dict.fromkeys(
                f"'{scalar}'"
                for method, result in self._callable(type, is_lvalue)
                if (scalar := t.arithmetic(result)) is not None
                and method.is_const == for_const
                and not (is_explicit(type, method) or is_own_header(method.span.source))
            )
            if len(numbers) > 1:
                fail(f"{what} is ambiguous for '{type}', which converts to {' and '.join(numbers)}", span)

    def _callable(
        self, type: t.CType, is_lvalue: bool | None = None
    ) -> list[tuple[s.FunctionDeclaration, t.CType]]:  # fmt: skip
        """Return the conversions of a struct that may be called on an object of a type, which may be const; on an
        lvalue or another one, where that is known."""
        return [found for found in self.conversions_of(type) if _takes(found[0], type, is_lvalue)]

    def reference_of(self, type: t.CType) -> tuple[s.FunctionDeclaration, t.CType] | None:
        """Return the function by which a struct gives the number that it stands for, which ``+=`` or ``++`` changes in
        its place, and the type of that number; None where it has none."""
        for method, result in self._callable(type):
            if isinstance(result, t.Reference) and not (result.to.const or is_explicit(type, method)):
                number = t.arithmetic(result.to)
                if number is not None:
                    return method, number
        return None

    def changed(self, operand: TypedOperand) -> TypedOperand:
        """Return what ``+=`` or ``++`` changes: the number that a struct stands for, or the operand itself."""
        found = self.reference_of(operand.type)
        return operand if found is None else TypedOperand(found[1], is_lvalue=True)

    def conversions_of(self, type: t.CType) -> list[tuple[s.FunctionDeclaration, t.CType]]:
        """Return the functions by which a struct converts itself, each with the type that it converts to."""
        found = list[tuple[t.Struct, s.FunctionDeclaration, t.CType]]()
        for owner, method in self._declared(type):
            if method.template is None:
                with self.names.scoped(scope_of(owner)):
                    to = self.types.resolve(method.result)
                if not any(nearer != owner and t.same(own, to) for nearer, _, own in found):
                    found.append((owner, method, to))
        return [(method, to) for _, method, to in found]

    @staticmethod
    def _declared(type: t.CType) -> Iterator[tuple[t.Struct, s.FunctionDeclaration]]:
        """Yield the functions that convert a struct, each with the class that declares it: its own, then those of base
        classes, which they do not hide unless they convert to the same type (C++17, 15.3.2)."""
        struct = t.plain(type)
        for owner, _ in lineage(struct) if isinstance(struct, t.Struct) else ():
            for method in own_methods(owner, s.CONVERSION):
                yield owner, method

    def converts_itself(self, type: t.CType, to: t.CType) -> bool:
        """Return whether a struct has a function that converts it to another type, without a cast."""
        own = (t.same(result, to) for method, result in self.conversions_of(type) if not is_explicit(type, method))
        return any(own) or self.conversion_template(type, to) is not None

    def conversion_template(self, type: t.CType, to: t.CType) -> Conversion | None:
        """Return the function template by which a struct converts itself to a type, with its template arguments; None
        where it has none."""
        for owner, method in self._declared(type):
            if method.template is not None:
                with self.names.scoped(scope_of(owner)):
                    names = frozenset(parameter.name for parameter in method.template)
                    found = deduced([method.result], [t.plain(to)], names, self.names.find_type)
                    known = [_written(found.get(parameter.name), method.span) for parameter in method.template]
                    given = [x for x in known if x is not None]
                if len(given) == len(known) and t.same(self._converted_to(type, method, given), t.plain(to)):
                    return method, given
        return None

    def _converted_to(
        self, type: t.CType, method: s.FunctionDeclaration, arguments: list[s.TypeSyntax | s.Expression]
    ) -> t.CType:
        """Return what a template of conversions of a struct gives for its template arguments."""
        scope = Scope(scope_of(declaring(type, method)[0]))
        values = self.types.template_values(arguments)
        self.types.bind_template(method.template or [], values, scope, method.span, method.name)
        with self.names.scoped(scope):
            return t.plain(self.types.resolve(method.result))

    def sequence(self, argument: TypedOperand, to: t.CType, explicit: bool = False) -> ImplicitConversion | None:
        """Return how a struct is passed to a parameter by a function of its own; None where it has none for it."""
        best, is_ambiguous = self._best(argument, to, explicit)
        if best is None:
            return None
        binds = ("&&" if to.rvalue else "&") if isinstance(to, t.Reference) else ""
        return ImplicitConversion(
            Rank.USER, binds=binds, function=None if is_ambiguous else best.function[0], behind=best.behind,
            is_ambiguous=is_ambiguous,
        )  # fmt: skip

    def function_for(
        self, struct: TypedOperand, to: t.CType, span: Span, explicit: bool = False
    ) -> Conversion | None:  # fmt: skip
        """Return the function by which a struct converts itself to a type, or to one that becomes it; an explicit one
        is only for its own type (C++17, 16.3.1.5), and counts only where ``explicit`` says so, by a cast or in a
        condition. None where the struct has none. Raises CompileError where several are as good."""
        best, is_ambiguous = self._best(struct, to, explicit)
        if is_ambiguous:
            fail(f"several functions of '{struct.type}' convert it to '{to}' equally well", span)
        return None if best is None else best.function

    def _best(self, struct: TypedOperand, to: t.CType, explicit: bool) -> tuple[_Candidate | None, bool]:
        """Return the best function for a conversion, and whether another one is as good."""
        found = self._candidates(struct, to, explicit)
        if not found:
            return None, False
        best = found[0]
        for candidate in found[1:]:
            best = candidate if candidate.order(best) < 0 else best
        return best, any(candidate is not best and candidate.order(best) <= 0 for candidate in found)

    def _candidates(self, object: TypedOperand, to: t.CType, explicit: bool) -> list[_Candidate]:
        """Return the functions by which a struct becomes a type, or what a reference binds to."""
        struct, found = object.type, []
        for method, result in self._callable(struct, object.is_lvalue):
            if is_explicit(struct, method) and not (explicit and t.same(result, to)):
                continue
            operand = result_operand(result)
            if isinstance(to, t.Reference) and to.rvalue and operand.is_lvalue:  # as NVRTC has it for any type
                continue
            with suppress(CompileError):  # it would drop const
                behind = standard_conversion(operand, to)
                found.append(_Candidate((method, None), _of_object(method, object), behind, _directness(operand, to)))
        is_place = isinstance(to, t.Reference) and not (to.to.const or to.rvalue)
        template = None if is_place else self.conversion_template(struct, to)
        if template is not None and _takes(template[0], struct, object.is_lvalue):
            found.append(_Candidate(template, _of_object(template[0], object), IDENTITY))
        return found


def _is_const(type: t.CType) -> bool:
    return type.to.const if isinstance(type, t.Reference) else type.const


def _takes(method: s.FunctionDeclaration, type: t.CType, is_lvalue: bool | None) -> bool:
    """Return whether a function may be called on an object of a type; on any lvalue or value where that is not known
    (C++17, 16.3.1)."""
    if _is_const(type) and not method.is_const:
        return False
    return {"&": is_lvalue is not False or method.is_const, "&&": is_lvalue is not True}.get(method.reference, True)


def _of_object(method: s.FunctionDeclaration, object: TypedOperand) -> ImplicitConversion:
    """Return how a function takes its object; one marked ``&&`` takes a value better than one marked ``&``."""
    added = int(method.is_const and not _is_const(object.type)) + ("volatile" in method.specifiers)
    is_rvalue = bool(method.reference) and not object.is_lvalue
    return ImplicitConversion(binds=method.reference or "&", added=added, is_rvalue=is_rvalue)


def _directness(given: TypedOperand, to: t.CType) -> int:
    """Return 0 where a reference binds to what a function gives, 1 where it does so to a value that is given, and 2
    where another value is made of it (C++17, 11.6.3); 0 for what is no reference."""
    if not isinstance(to, t.Reference):
        return 0
    is_related = t.same(given.type, to.to) or base_offset(given.type, to.to) is not None
    return 2 if not is_related else int(not given.is_lvalue)


def _written(argument: TemplateArgument | None, span: Span) -> s.TypeSyntax | s.Expression | None:
    """Return a template argument, a type or a number, as it may be written; None for any other."""
    if isinstance(argument, t.CType):
        return s.PlainType(span, argument)
    scalar = t.arithmetic(argument.type) if isinstance(argument, Value) else None
    if not isinstance(argument, Value) or scalar is None or argument.constant is None:
        return None
    return s.Literal(span, argument.constant, scalar)
