"""Tell how an argument becomes what a parameter takes, and which of two such conversions is better (C++17, 16.3.3)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING

from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.checks import fail_needs_value
from warpview.frontend.semantic.inheritance import inheritance_depth
from warpview.frontend.semantic.operands import TypedOperand

if TYPE_CHECKING:
    from warpview.frontend import syntax as s


class Rank(IntEnum):
    """Order conversions: any of a rank is better than any of the next one."""

    EXACT = 0
    PROMOTION = 1
    CONVERSION = 2
    USER = 3  # by a function of a struct
    ELLIPSIS = 4


# What tells two conversions of one rank of one type apart; a base class counts by how far it is.
_TO_VOID = 500
_TO_BOOL = 900
_LAMBDA_IN_PLACE = 1  # a lambda may have no place that a reference can name: any other parameter is better


@dataclass(frozen=True)
class ImplicitConversion:
    """Describe a conversion by its ``rank`` and by what tells it from others of that rank.

    ``step`` orders those of one type, ``qualifiers`` counts what a pointer adds to what it points to. ``binds`` is the
    kind of a reference, "&" or "&&", and empty for a value; ``added`` counts what the reference adds, and
    ``is_rvalue`` says that it is bound to a value. A conversion by a struct names its ``function`` and the conversion
    ``behind`` it of what that returns; it is ``ambiguous`` where several functions do it as well.
    """

    rank: Rank = Rank.EXACT
    step: int = 0
    qualifiers: int = 0
    binds: str = ""
    added: int = 0
    is_rvalue: bool = False
    function: s.FunctionDeclaration | None = None
    behind: ImplicitConversion | None = None
    is_ambiguous: bool = False

    def order(self, other: ImplicitConversion) -> int:
        """Return a number below 0 where this conversion is better, above 0 where the other is, and 0 where neither
        is."""
        if self.rank != other.rank:
            return self.rank - other.rank
        if self.rank == Rank.USER:
            if self.function is None or self.function is not other.function:
                return 0
            return (self.behind or IDENTITY).order(other.behind or IDENTITY)
        if self.step != other.step:
            return self.step - other.step
        if self.binds and other.binds and self.binds != other.binds and self.is_rvalue and other.is_rvalue:
            return -1 if self.binds == "&&" else 1
        if self.qualifiers != other.qualifiers:
            return self.qualifiers - other.qualifiers
        return self.added - other.added if self.binds and other.binds else 0


IDENTITY = ImplicitConversion()


def standard_conversion(argument: TypedOperand, parameter: t.CType) -> ImplicitConversion:
    """Return how an argument is passed without a function of a struct. Raises CompileError where it cannot be."""
    source, target = t.plain(argument.type), t.plain(parameter)
    if isinstance(source, t.Group) and isinstance(target, t.Group):
        if target.kind != "any" and source != target:
            _no(source, target)
        return ImplicitConversion(Rank.CONVERSION if target.kind == "any" and source != target else Rank.EXACT)
    if isinstance(parameter, t.Reference):
        return bound(source, parameter, argument)
    return _by_value(source, target, argument)


def bound(source: t.CType, parameter: t.Reference, argument: TypedOperand) -> ImplicitConversion:
    """Return how a reference is bound: to the argument itself, or to a value that is made of it."""
    target = parameter.to
    whole = argument.type.to if isinstance(argument.type, t.Reference) else argument.type
    is_same = t.same(source, target)
    depth = None if is_same else inheritance_depth(source, target)
    kind = "&&" if parameter.rvalue else "&"
    if is_same and isinstance(source, t.Pointer):
        is_same = t.identity(source) == t.identity(t.plain(target))
    if not is_same and depth is None:
        if not (t.is_const(target) or parameter.rvalue):
            _no(source, parameter)
        made = _by_value(source, t.plain(target), argument)
        return replace(made, binds=kind, is_rvalue=True)
    is_const = t.is_const(whole)
    drops = (is_const and not t.is_const(target)) or (whole.volatile and not target.volatile)
    if parameter.rvalue and argument.is_lvalue and not isinstance(source, t.FunctionSignature):
        fail_needs_value(parameter, None)
    in_place = argument.is_lvalue or isinstance(source, t.Closure) or parameter.rvalue
    if drops or not (in_place or t.is_const(target)):
        fail(f"'{parameter}' needs a variable{' that is not const' if drops else ', not a value'}", None)
    added = int(t.is_const(target) and not is_const) + int(target.volatile and not whole.volatile)
    in_doubt = isinstance(source, t.Closure) and not target.const and not parameter.rvalue
    rank = Rank.EXACT if depth is None else Rank.CONVERSION
    step = _LAMBDA_IN_PLACE * in_doubt + (depth or 0)
    return ImplicitConversion(rank, step, binds=kind, added=added, is_rvalue=not argument.is_lvalue)


def _by_value(source: t.CType, target: t.CType, argument: TypedOperand) -> ImplicitConversion:
    if isinstance(source, t.Array):
        source = t.Pointer(source.of)
    if isinstance(target, (t.Array, t.FunctionSignature)):
        target = t.decayed(target)
    if t.same(source, target) and isinstance(source, t.NullPointerType):
        return IDENTITY
    if isinstance(source, t.NullPointerType) or isinstance(target, t.NullPointerType):
        return _null_pointers(source, target, argument)
    if isinstance(source, t.Pointer) and isinstance(target, t.Pointer):
        return _pointers(source, target, argument)
    if t.same(source, target):
        return IDENTITY
    if (depth := inheritance_depth(source, target)) is not None:
        return ImplicitConversion(Rank.CONVERSION, depth)
    if isinstance(source, t.MemberPointer) or isinstance(target, t.MemberPointer):
        return _member_pointers(source, target, argument)
    a, b = t.arithmetic(source), t.arithmetic(target)
    if a is not None and b is not None:
        if isinstance(target, t.Enum) or (isinstance(source, t.Enum) and source.scoped):
            _no(source, target)
        return _numbers(source, a, b)
    if isinstance(target, t.Pointer) and argument.is_null:
        return ImplicitConversion(Rank.CONVERSION)
    if isinstance(source, t.Pointer) and b is not None and b.is_bool and not argument.is_null:
        return ImplicitConversion(Rank.CONVERSION, _TO_BOOL)
    if isinstance(target, (t.Closure, t.Group)) or isinstance(source, (t.Closure, t.Group)):
        _no(source, target)
    if isinstance(target, t.Struct) and a is not None and target.info.name == "dim3":
        return ImplicitConversion(Rank.CONVERSION)
    _no(source, target)
    return IDENTITY


def _numbers(source: t.CType, a: t.Scalar, b: t.Scalar) -> ImplicitConversion:
    """Return how one arithmetic type becomes another; an enum of a fixed type is also promoted to that, which is better
    than what that is promoted to (C++17, 7.6 and 16.3.3.2)."""
    is_fixed = isinstance(source, t.Enum) and getattr(source.definition, "underlying", None) is not None
    if is_fixed and a == b:
        return ImplicitConversion(Rank.PROMOTION)
    is_narrow = isinstance(source, t.Enum) or a != t.promoted(a)
    is_promoted = (not a.is_float and b == t.promoted(a) and is_narrow) or (a == t.FLOAT and b == t.DOUBLE)
    return ImplicitConversion(Rank.PROMOTION if is_promoted else Rank.CONVERSION, int(is_promoted and is_fixed))


def _pointers(source: t.Pointer, target: t.Pointer, argument: TypedOperand) -> ImplicitConversion:
    is_null = argument.is_null
    if t.is_const(source.to) and not t.is_const(target.to) and not is_null:
        _no(source, target)
    added = int(t.is_const(target.to) and not t.is_const(source.to))
    added += int(target.to.volatile and not source.to.volatile)
    if t.same(source.to, target.to):
        return ImplicitConversion(qualifiers=added)
    if (depth := inheritance_depth(source.to, target.to)) is not None:
        return ImplicitConversion(Rank.CONVERSION, depth, added)
    if is_null:
        return ImplicitConversion(Rank.CONVERSION)
    if isinstance(target.to, t.Void):
        return ImplicitConversion(Rank.CONVERSION, _TO_VOID, added)
    _no(source, target)
    return IDENTITY


def _null_pointers(source: t.CType, target: t.CType, argument: TypedOperand) -> ImplicitConversion:
    """Return how ``nullptr`` becomes a pointer, or a constant 0 becomes ``nullptr``."""
    becomes = (
        isinstance(target, (t.Pointer, t.MemberPointer)) if isinstance(source, t.NullPointerType) else argument.is_null
    )
    if not becomes:
        _no(source, target)
    return ImplicitConversion(Rank.CONVERSION)


def _member_pointers(source: t.CType, target: t.CType, argument: TypedOperand) -> ImplicitConversion:
    if isinstance(source, t.MemberPointer) and t.same(target, t.BOOL):
        return ImplicitConversion(Rank.CONVERSION, _TO_BOOL)
    if isinstance(source, t.MemberPointer) and isinstance(target, t.MemberPointer) and source.owner and target.owner:
        depth = inheritance_depth(target.owner, source.owner)
        if depth is not None and source.to == target.to:
            return ImplicitConversion(Rank.CONVERSION, depth)
    if not (isinstance(target, t.MemberPointer) and argument.is_null):
        _no(source, target)
    return ImplicitConversion(Rank.CONVERSION)


def _no(source: t.CType, target: t.CType) -> None:
    reason = f"does not convert to '{target}'"
    fail(f"{t.with_article(source)} {reason}", None)
