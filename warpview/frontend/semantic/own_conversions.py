"""Choose among the functions by which a struct converts itself to another type (C++17, 15.3.2)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from warpview.diagnostics import CompileError, Span
from warpview.frontend import syntax as s
from warpview.frontend.preprocess.preprocessor import is_own_header
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import declaring, is_explicit, own_methods
from warpview.frontend.semantic.conversion_cost import cost
from warpview.frontend.semantic.deduction import deduced
from warpview.frontend.semantic.inheritance import base_offset, lineage
from warpview.frontend.semantic.operands import TypedOperand
from warpview.frontend.semantic.scopes import Scope, TemplateArgument
from warpview.frontend.semantic.type_resolution import scope_of
from warpview.frontend.semantic.values import Value

if TYPE_CHECKING:
    from warpview.frontend.semantic.analysis import Semantics

# A function with its template arguments, where it is a template.
Conversion = tuple[s.FunctionDeclaration, list[s.TypeSyntax | s.Expression] | None]


class OwnConversions:
    """Find the functions of structs that convert them."""

    def __init__(self, semantics: Semantics) -> None:
        self.types = semantics.types
        self.names = semantics.names

    def number_type(self, type: t.CType, explicit: bool = False) -> t.Scalar | None:
        """Return the type that a value counts as in arithmetic: that of a conversion of its own for a struct, other
        ones than to bool first; None where there is none. Conversions that are explicit only count where ``explicit``
        says so, as in a condition, after all others; those for const objects count after those that are not."""
        found = [
            (is_explicit(type, method), method.is_const, scalar.is_bool, scalar)
            for method, result in self.conversions_of(type)
            if (scalar := t.arithmetic(result)) is not None and (explicit or not is_explicit(type, method))
        ]
        return min(found, key=lambda f: f[:3])[3] if found else t.arithmetic(type)

    def pointer_type(self, type: t.CType) -> t.Pointer | None:
        """Return the pointer that a value is where one is needed: an array its first element's, a struct the first that
        it converts itself to; None where it is none."""
        own = (result for method, result in self.conversions_of(type) if not is_explicit(type, method))
        found = (t.decayed(each) for each in (type, *own))
        return next((each for each in found if isinstance(each, t.Pointer)), None)

    def operand_type(self, type: t.CType) -> t.CType:
        """Return the type of a value as an operand of the language's own operators: a struct that converts itself to a
        pointer and to no number counts as that pointer."""
        pointer = None if self.number_type(type) is not None else self.pointer_type(type)
        return pointer or (type if isinstance(type, t.Struct) else t.decayed(type))

    def check_clear(self, type: t.CType, what: str, span: Span) -> None:
        """Refuse a struct as a number where several of its functions convert it to one as well as another: to different
        types, all of them functions for const objects or none (as NVRTC does; C++17, 16.3.3)."""
        for for_const in (False, True):
            numbers = dict.fromkeys(
                f"'{scalar}'"
                for method, result in self.conversions_of(type)
                if (scalar := t.arithmetic(result)) is not None
                and method.is_const == for_const
                and not (is_explicit(type, method) or is_own_header(method.span.source))
            )
            if len(numbers) > 1:
                fail(f"{what} is ambiguous for '{type}', which converts to {' and '.join(numbers)}", span)

    def reference_of(self, type: t.CType) -> tuple[s.FunctionDeclaration, t.CType] | None:
        """Return the function by which a struct gives the number that it stands for, which ``+=`` or ``++`` changes in
        its place, and the type of that number; None where it has none."""
        for method, result in self._objects_of(type):
            if not result.const and (number := t.arithmetic(result)) is not None:
                return method, number
        return None

    def referred_by(self, type: t.CType, to: t.Reference) -> s.FunctionDeclaration | None:
        """Return the function by which a struct gives the object that a reference to another type refers to (C++17,
        16.3.1.6); None where it has none, or the reference refers to the struct itself."""
        if to.rvalue or base_offset(type, to.to) is not None:
            return None
        for method, result in self._objects_of(type):
            if t.same(result, to.to) and (to.to.const or not result.const):
                return method
        return None

    def _objects_of(self, type: t.CType) -> list[tuple[s.FunctionDeclaration, t.CType]]:
        """Return the functions by which a struct gives an object without a cast, each with the type of the object."""
        found = ((method, result) for method, result in self.conversions_of(type) if not is_explicit(type, method))
        return [(method, result.to) for method, result in found if isinstance(result, t.Reference)]

    def changed(self, operand: TypedOperand) -> TypedOperand:
        """Return what ``+=`` or ``++`` changes: the number that a struct stands for, or the operand itself."""
        found = self.reference_of(operand.type)
        return operand if found is None else TypedOperand(found[1], is_lvalue=True)

    def conversions_of(self, type: t.CType) -> list[tuple[s.FunctionDeclaration, t.CType]]:
        """Return the functions by which a struct converts itself, each with the type that it converts to: those for
        const objects last, and alone where the struct is const (C++17, 12.2.1)."""
        found = list[tuple[t.Struct, s.FunctionDeclaration, t.CType]]()
        for owner, method in self._declared(type):
            if method.template is None:
                with self.names.scoped(scope_of(owner)):
                    to = self.types.resolve(method.result)
                if not any(nearer != owner and t.same(own, to) for nearer, _, own in found):
                    found.append((owner, method, to))
        callable = [(method, to) for _, method, to in found if method.is_const or not t.is_const(type)]
        return sorted(callable, key=lambda each: each[0].is_const)

    @staticmethod
    def _declared(type: t.CType) -> Iterator[tuple[t.Struct, s.FunctionDeclaration]]:
        """Yield the functions that convert a struct, each with the class that declares it: its own, then those of base
        classes, which they do not hide (C++17, 15.3.2)."""
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
            if method.template is not None and (method.is_const or not t.is_const(type)):
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

    def cost_behind(self, struct: t.CType, to: t.CType) -> int:
        """Return what the conversion to a number costs of what a function of a struct gives, by which two functions
        that take the struct so are told apart (C++17, 16.3.3.2); 0 where it is converted otherwise."""
        number = t.arithmetic(t.plain(to))
        results = (result for method, result in self.conversions_of(struct) if not is_explicit(struct, method))
        given = [scalar for result in results if (scalar := t.arithmetic(result)) is not None]
        return 0 if number is None else min((cost(TypedOperand(scalar), number) for scalar in given), default=0)

    def function_for(self, struct: t.CType, to: t.CType, explicit: bool = False) -> Conversion | None:
        """Return the function by which a struct converts itself to a type, or to an arithmetic type that becomes it; an
        explicit one comes first for its own type (C++17, 16.3.1.5), and counts only where ``explicit`` says so, by a
        cast or in a condition. Where the object is not const, functions that may change it come first (16.3.3). None
        where the struct has none."""
        number = t.arithmetic(to)
        found = []
        for method, result in self.conversions_of(struct):
            if is_explicit(struct, method) and not explicit:
                continue
            exact, is_pointer = t.same(result, to), isinstance(t.plain(result), t.Pointer)
            becomes = t.arithmetic(result) is not None or (is_pointer and t.same(to, t.BOOL))
            if exact or (number is not None and becomes):
                with suppress(CompileError):  # it would drop const
                    price = cost(TypedOperand(result), number or to)
                    found.append((method.is_const, not exact, is_explicit(struct, method), price, method))
        best = min(found, key=lambda f: f[:4], default=None)
        template = self.conversion_template(struct, to)
        if template is not None and (best is None or best[1]):
            return template
        return None if best is None else (best[4], None)


def _written(argument: TemplateArgument | None, span: Span) -> s.TypeSyntax | s.Expression | None:
    """Return a template argument, a type or a number, as it may be written; None for any other."""
    if isinstance(argument, t.CType):
        return s.PlainType(span, argument)
    scalar = t.arithmetic(argument.type) if isinstance(argument, Value) else None
    if not isinstance(argument, Value) or scalar is None or argument.constant is None:
        return None
    return s.Literal(span, argument.constant, scalar)
