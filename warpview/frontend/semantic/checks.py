"""Check the rules of C++ that typing, evaluation and lowering all apply, so that each message is written once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn

from warpview.diagnostics import Span
from warpview.frontend import syntax as s
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.inheritance import cast_related
from warpview.frontend.semantic.operands import TypedOperand
from warpview.frontend.semantic.scopes import LazyType, LazyVariable, Scope
from warpview.frontend.semantic.values import Lvalue
from warpview.frontend.suggest import nearest
from warpview.frontend.syntax.walk import refers_to_const

MAX_ALIGNMENT = 4096


# ----------------------------------------------------------------------------------------- expressions
def this_object(scope: Scope, span: Span) -> Lvalue:
    """Return the object that the method being compiled is called on."""
    this = scope.find_this()
    if this is None:
        fail("'this' only exists in the functions of a struct", span)
    return this


def fail_list(span: Span) -> NoReturn:
    """Stop at a list in braces that stands in place of a value."""
    fail("a list of values is not allowed here", span)


def pointed_type(type: t.CType, span: Span) -> t.CType:
    """Return the type that a pointer or array points to."""
    pointer = t.decayed(type)
    if not isinstance(pointer, t.Pointer):
        fail(f"only pointers can be dereferenced, not '{type}'", span)
    return pointer.to


def fail_not_indexable(type: t.CType, span: Span) -> NoReturn:
    """Stop at an index behind something that has no elements."""
    fail(f"only arrays and pointers can be indexed, not '{type}'", span)


def struct_with_members(type: t.CType, member: s.Member) -> t.Struct:
    """Return the struct whose member ``type.name`` means."""
    struct = t.plain(type)
    if isinstance(struct, t.Pointer):
        fail(f"'{struct}' is a pointer", member.span, f"write '->{member.name}'")
    if not isinstance(struct, t.Struct):
        fail(f"'{type}' has no members", member.span)
    return struct


def fail_no_member(owner: t.CType, name: str, span: Span) -> NoReturn:
    """Stop at a member that a struct or enum does not have, and name the one that may be meant."""
    syntax = owner.info.syntax if isinstance(owner, t.Struct) else None
    if isinstance(syntax, s.StructType) and any(method.name == name for method in syntax.methods):
        fail(f"'{name}' is a function of '{owner}'", span, f"write '{name}()' to call it")
    known = [field.name for field in owner.info.fields] if isinstance(owner, t.Struct) else []
    fail(f"'{owner}' has no member '{name}'", span, nearest(name, known))


# ------------------------------------------------------------------------------------ calls, conversions
def fail_not_referable(source: t.CType, to: t.CType, span: Span) -> NoReturn:
    """Stop at a reference to an object of another type."""
    fail(f"{t.with_article(source)} cannot be referred to as '{to}'", span)


def fail_needs_value(type: t.Reference, span: Span | None) -> NoReturn:
    """Stop at a reference to a value that is to refer to a variable."""
    fail(f"'{type}' needs a value, not a variable: write std::move", span)


def fail_not_convertible(shown: str, to: t.CType, span: Span) -> NoReturn:
    """Stop at the conversion of something to a type that it does not become."""
    fail(f"{shown} does not convert to '{to}'", span)


def fail_not_applicable(op: str, operands: str, span: Span) -> NoReturn:
    """Stop at an operator that does not take its operands."""
    fail(f"'{op}' cannot be applied to {operands}", span)


def fail_host_function(described: str, span: Span) -> NoReturn:
    """Stop at the use of a function that is compiled for the host only."""
    fail(f"{described} is a function of the host", span, "mark it __device__ to call it from a kernel")


def fail_kernel_result(span: Span) -> NoReturn:
    """Stop at a kernel that is declared to give something back."""
    fail("a kernel must return void", span)


def fail_not_callable(type: t.CType, span: Span) -> NoReturn:
    """Stop at the call of a value that is no function."""
    fail(f"a value of type '{type}' cannot be called", span)


def check_pointer_cast(style: str, type: t.CType, to: t.CType, span: Span) -> None:
    """Check that a cast of a pointer changes what its kind of cast may change: only const_cast drops const, and only
    reinterpret_cast turns a pointer into one to something else."""
    source = t.plain(type)
    is_pointer = isinstance(source, t.Pointer) or isinstance(to, t.Pointer)
    are_pointers = isinstance(source, t.Pointer) and isinstance(to, t.Pointer)
    if style == "static_cast" and is_pointer and not are_pointers:
        _fail_static_cast(source, to, span)
    if style == "reinterpret_cast" and not is_pointer and not t.same(source, to):
        fail(f"reinterpret_cast does not convert {t.with_article(source)} to '{to}'", span, "use static_cast")
    if style == "const_cast" and not isinstance(to, t.Pointer):
        fail(f"const_cast gives a pointer or a reference, not '{to}'", span)
    if style == "c" or not (isinstance(source, t.Pointer) and isinstance(to, t.Pointer)):
        return
    if style == "const_cast":
        if not t.same(source, to):
            fail(f"const_cast changes 'const' alone, not '{source}' into '{to}'", span, "use reinterpret_cast")
        return
    if source.to.const and not to.to.const:
        fail(f"{style} cannot drop 'const'", span, "use const_cast")
    related = t.same(source.to, to.to) or isinstance(source.to, t.Void) or isinstance(to.to, t.Void)
    if style == "static_cast" and not related and not cast_related(source.to, to.to):
        _fail_static_cast(source, to, span)


def _fail_static_cast(source: t.CType, to: t.CType, span: Span) -> NoReturn:
    fail(f"static_cast does not convert '{source}' to '{to}'", span, "use reinterpret_cast")


def fail_different_arms(then: t.CType, other: t.CType, span: Span) -> NoReturn:
    """Stop at ``condition ? then : other`` of types that have none in common."""
    fail(f"the two values of '?' have different types, '{then}' and '{other}'", span)


# ----------------------------------------------------------------------------------------- declarations
def check_single(declaration: s.FunctionDeclaration | s.DeclaredVariable | s.TypeDeclaration, span: Span) -> None:
    """Check that the name of a declaration means nothing else in the file."""
    if declaration.double:
        fail(declaration.double, span)


@contextmanager
def being_defined(symbol: LazyType | LazyVariable, may_recur: bool = False) -> Iterator[None]:
    """Mark a symbol as being defined within; fail where it already is, unless it ``may_recur``."""
    check_single(symbol.declaration, symbol.declaration.span)
    if symbol.busy and not may_recur:
        fail(f"'{symbol.declaration.name}' is defined by itself", symbol.declaration.span)
    symbol.busy = True
    try:
        yield
    finally:
        symbol.busy = False


def deduced_from(variable: s.DeclaredVariable) -> s.Expression:
    """Return the initialiser that gives an ``auto`` variable its type."""
    if variable.first_value is None:
        fail("'auto' needs an initialiser", variable.span)
    return variable.first_value


def check_deduced(
    variable: s.DeclaredVariable, value: s.Expression, operand_of: Callable[[s.Expression], TypedOperand]
) -> None:  # fmt: skip
    """Check that ``auto *`` is given a pointer and ``auto &`` an object."""
    syntax = variable.type
    while isinstance(syntax, s.QualifiedType):
        syntax = syntax.of
    if not isinstance(syntax, s.PointerType | s.ReferenceType):
        return
    operand = operand_of(value)
    if operand.object is not None:
        return
    if isinstance(syntax, s.PointerType):
        if not isinstance(t.decayed(operand.type), t.Pointer):
            fail(f"'auto *' needs a pointer, not {t.with_article(operand.type)}", variable.span)
        return
    is_named = operand.is_lvalue or isinstance(value, s.Name | s.Member | s.Index | s.BoundPart | s.PointedMember)
    if not (is_named or syntax.rvalue or refers_to_const(syntax)):
        fail_not_referable(operand.type, t.Reference(t.plain(operand.type)), variable.span)


def check_complete(type: t.CType, span: Span) -> None:
    """Check that the size of a type is known."""
    if type.size == 0 and not isinstance(type, t.Array):
        fail(f"'{type}' is an incomplete type here", span)


def check_defined(type: t.CType, span: Span) -> None:
    """Check that a struct of which there is to be an object is more than declared."""
    struct = t.plain(type)
    syntax = struct.info.syntax if isinstance(struct, t.Struct) else None
    if isinstance(syntax, s.StructType) and not syntax.is_defined:
        fail(f"'{type}' is an incomplete type: it is only declared", span)


def checked_alignment(align: int, span: Span) -> int:
    """Return an alignment in bytes, which must be a power of two and at most ``MAX_ALIGNMENT``."""
    if align & (align - 1) or not 0 < align <= MAX_ALIGNMENT:
        fail("an alignment must be a power of two", span)
    return align


def check_assertion(assertion: s.StaticAssert, holds: int | float | None) -> None:
    """Check that the condition of a static assertion, where it is known, is not 0."""
    if holds == 0:
        message = f": {assertion.message}" if assertion.message else ""
        fail(f"static assertion failed{message}", assertion.condition.span)


def fail_no_pack(span: Span) -> NoReturn:
    """Stop at '...' where no parameter pack is named."""
    fail("'...' stands for the elements of a parameter pack, and none is named here", span)


def fail_too_many_values(type: t.CType, span: Span) -> NoReturn:
    """Stop at the first value of a list that has no part of the object left to initialise."""
    fail(f"too many values for '{type}'", span)
