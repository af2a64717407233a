"""Check that an expression of which no code is made is valid: in ``decltype``, in ``requires`` (C++17, 17.8.2).

Templates are chosen by it. Where code is made of an expression, lowering finds the same faults, with better words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from warpview.diagnostics import CompileError, Span
from warpview.frontend import syntax as s
from warpview.frontend.preprocess.operators import COMPARISONS
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import (
    constructors_of,
    copy_constructors,
)
from warpview.frontend.semantic.checks import fail_not_applicable
from warpview.frontend.semantic.operands import TypedOperand
from warpview.frontend.semantic.special_members import is_copyable, is_default_constructible, is_movable

if TYPE_CHECKING:
    from warpview.frontend.semantic.typing import Typer

_OF_INTEGERS = frozenset({"%", "<<", ">>", "&", "|", "^", "~"})


def check_assignment(typer: Typer, e: s.Assign) -> None:
    """Fail unless a value can be assigned without an operator of the file."""
    target = typer.operand(e.target)
    type = t.plain(target.type)
    if isinstance(e.target, s.Call) and not (target.is_lvalue or isinstance(type, t.Struct)):
        fail("a value cannot be assigned to", e.span)
    if target.type.const:
        fail("a const object cannot be assigned to", e.span)
    if not isinstance(e.value, s.InitList):
        _check_conversion(typer, typer.operand(e.value), type, e)


def check_comparison(typer: Typer, e: s.Binary) -> None:
    """Fail unless operands can be compared, or tested, without an operator of the file."""
    if rewritten_comparison(typer, e) is not None:
        return
    is_tested, own = e.operator in ("&&", "||"), typer.semantics.own_conversions
    types = [own.operand_type(typer.operand(side).type) for side in (e.left, e.right)]
    numbers = [own.number_type(type, explicit=is_tested) is not None for type in types]
    pointers = [isinstance(type, t.Pointer) for type in types]
    if not all(is_number or is_pointer for is_number, is_pointer in zip(numbers, pointers, strict=True)):
        fail(f"'{e.operator}' cannot be applied to '{types[0]}' and '{types[1]}'", e.span)


def rewritten_comparison(typer: Typer, e: s.Binary) -> s.Expression | None:
    """Return what a comparison means by another operator of the file (C++20, 12.4.2.2): ``!(a == b)`` or ``b == a``,
    ``(a <=> b) < 0`` or ``0 < (b <=> a)``; None where no such operator takes its operands."""
    span = e.span
    if e.operator in ("==", "!="):
        for sides in ([e.left, e.right], [e.right, e.left]):
            if (e.operator == "!=" or sides[0] is e.right) and typer.operator("==", sides, span) is not None:
                equal = _comparison(e, "==", sides[0] is e.right)
                return s.Unary(span, "!", equal) if e.operator == "!=" else equal
    elif e.operator in COMPARISONS:
        zero = s.Literal(span, 0, t.INT)
        if typer.operator("<=>", [e.left, e.right], span) is not None:
            return s.Binary(span, e.operator, _comparison(e, "<=>", False), zero)
        if typer.operator("<=>", [e.right, e.left], span) is not None:
            return s.Binary(span, e.operator, zero, _comparison(e, "<=>", True))
    return None


def _comparison(e: s.Binary, operator: str, is_reversed: bool) -> s.Binary:
    """Return a comparison of the operands of another one, perhaps in the other order."""
    left, right = (e.right, e.left) if is_reversed else (e.left, e.right)
    return s.Binary(e.span, operator, left, right)


def check_construction(typer: Typer, type: t.CType, e: s.Construct) -> None:
    """Fail unless a type can be made from the arguments in parentheses."""
    plain, arguments = t.plain(type), typer.arguments(e.arguments)
    if not isinstance(plain, t.Struct):
        if len(arguments) > 1 or any(isinstance(a, TypedOperand) and not _is_scalar(typer, a.type) for a in arguments):
            fail(f"{t.with_article(type)} cannot be made from these", e.span)
        return
    constructors = [c for c in constructors_of(plain) if c not in copy_constructors(plain)]
    _check_deleted(plain, arguments, e)
    if len(arguments) == 1 and isinstance(argument := arguments[0], TypedOperand):
        try:
            _check_conversion(typer, argument, plain, e)
            return
        except CompileError:
            if not constructors:
                raise
    if constructors:
        typer.semantics.overloads.choose(constructors, None, e.span, arguments, plain)
    elif arguments:
        fail(f"'{plain}' has no constructor that takes {len(arguments)} arguments", e.span)


def _check_deleted(struct: t.Struct, arguments: Sequence[TypedOperand | s.InitList], e: s.Construct) -> None:
    """Fail where the constructor that makes a struct of nothing, or of another of its kind, is deleted."""
    if not arguments and not is_default_constructible(struct):
        fail(f"the constructor of '{struct}' without parameters is deleted", e.span)
    of = arguments[0] if len(arguments) == 1 else None
    if not isinstance(of, TypedOperand) or not t.same(t.plain(of.type), struct):
        return
    if not (is_copyable(struct) if of.is_lvalue else is_movable(struct)):
        fail(f"the {'copy' if of.is_lvalue else 'move'} of '{struct}' is deleted", e.span)


def check_operation(typer: Typer, op: str, operands: list[s.Expression], span: Span) -> None:
    """Fail unless an operator that the file does not define takes operands of these types."""
    types = [typer.operand(operand).type for operand in operands]
    own = typer.semantics.own_conversions
    numbers = [None if _is_scoped(type) else own.number_type(type) for type in types]
    pointers = [isinstance(own.operand_type(type), t.Pointer) for type in types]
    integers = [number is not None and not number.is_float for number in numbers]
    takes = None not in numbers
    if op in _OF_INTEGERS:
        takes = all(integers)
    elif op in ("++", "--", "!"):
        takes |= pointers[0]
    elif op == "+" and len(types) == 1:
        takes |= typer.semantics.function_pointers.as_pointer(typer.operand(operands[0])) is not None
    elif op in ("+", "-") and len(types) == 2:
        takes |= pointers[0] and (integers[1] or (op == "-" and pointers[1]))
        takes |= op == "+" and integers[0] and pointers[1]
    if not takes:
        shown = " and ".join(f"'{t.plain(type)}'" for type in types)
        fail_not_applicable(op, shown, span)


def _is_scoped(type: t.CType) -> bool:
    return isinstance(type, t.Enum) and type.scoped


def check_lambda_call(function: s.Lambda, arguments: int) -> None:
    """Fail unless a lambda takes so many arguments."""
    required = sum(p.default is None and not isinstance(p.type, s.PackType) for p in function.parameters)
    takes_any = any(isinstance(p.type, s.PackType) for p in function.parameters)
    if arguments < required or (arguments > len(function.parameters) and not takes_any):
        fail(f"the lambda takes {required} arguments, {arguments} given", function.span)


def check_pointer_call(typer: Typer, function: t.FunctionSignature, e: s.Call) -> None:
    """Fail unless the function that a pointer points to takes the arguments of a call."""
    if len(e.arguments) != len(function.parameters):
        fail(f"the function takes {len(function.parameters)} arguments, {len(e.arguments)} given", e.span)
    for argument, type in zip(typer.arguments(e.arguments), function.parameters, strict=True):
        if isinstance(argument, TypedOperand):
            _check_conversion(typer, argument, type, e)


def _is_scalar(typer: Typer, type: t.CType) -> bool:
    return isinstance(t.decayed(type), t.Pointer) or typer.semantics.own_conversions.number_type(type) is not None


def _check_conversion(typer: Typer, argument: TypedOperand, type: t.CType, e: s.Expression) -> None:
    typer.semantics.user_conversions.conversion(argument, type)
