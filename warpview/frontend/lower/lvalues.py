"""Expressions that name an object: where it is, rather than its value."""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn

from warpview.diagnostics import Span
from warpview.frontend import syntax as s
from warpview.frontend.lower.part import Part
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.scopes import FunctionSet, LazyType, LazyVariable, TypeSymbol
from warpview.frontend.semantic.values import Address, Lvalue, Value
from warpview.frontend.suggest import nearest
from warpview.frontend.unsupported import refuse_name
from warpview.isa.types import Space


class Lvalues(Part):
    # ---------------------------------------------------------------------------------------------------
    def is_lvalue(self, e: s.Expression) -> bool:
        """Whether an expression names an object (for those that can, without evaluating it)."""
        match e:
            case s.Name():
                return not isinstance(self.lookup(e), Value)
            case s.Index() | s.This():
                return True
            case s.Unary(operator="*"):
                return True
            case s.Member():
                return True
        return False

    def place(self, e: s.Expression) -> Lvalue:
        """The object that an expression names."""
        if isinstance(e, s.Conditional):
            return self.low.expressions.conditional_place(e)
        result = self.low.expressions.lvalue(e)
        if isinstance(result, Value):
            fail("this is a value, not something that can be assigned to or pointed at", e.span)
        return result

    def lookup(self, e: s.Name) -> object:
        """What a name stands for: a place or value; None for a function or an unknown name."""
        if e.scope is not None:
            return self._static_member(e, self.low.types.resolve(e.scope))
        name = e.name
        symbol = self.context.scope.find(name)
        if e.qualifier:
            owner = e.qualifier.split("::")[-2]
            if isinstance(self.context.scope.find(owner), (TypeSymbol, LazyType)):
                return self._static_member(e, self.low.types.resolve(s.NamedType(e.span, owner)))
        if isinstance(symbol, LazyVariable):
            return self.low.variables.global_variable(symbol)
        if symbol is None and (member := self._own_member(name)) is not None:
            return member
        return symbol

    def _own_member(self, name: str) -> Lvalue | None:
        """A member of the object that a method was called on, by its bare name."""
        this = self.context.scope.find_this()
        struct = t.plain(this.type) if this else None
        if this is not None and isinstance(struct, t.Struct) and (field := struct.field(name)):
            return Lvalue(this.address.plus(field.offset), field.type)
        return None

    def _static_member(self, e: s.Name, owner: t.CType) -> object:
        owner = t.plain(owner)
        if isinstance(owner, t.Enum) and (value := self.context.scope.find(f"{owner.name}::{e.name}")) is not None:
            return value
        if isinstance(owner, t.Struct) and owner.info.scope is not None:
            with self.context.scoped(owner.info.scope):  # type: ignore[arg-type]
                return self.lookup(s.Name(e.span, e.name, e.arguments))
        fail(f"'{owner}' has no member '{e.name}'", e.span)

    def name(self, e: s.Name) -> Lvalue | Value:
        found = self.lookup(e)
        if isinstance(found, (Lvalue, Value)):
            return found
        if isinstance(found, (TypeSymbol, LazyType)):
            fail(f"'{e.name}' is a type, not a value", e.span)
        if isinstance(found, FunctionSet) or e.name in self.low.builtins.known_functions():
            fail(f"the function '{e.name}' can only be called", e.span)
        self.unknown(e.name, "name", e.span)

    def unknown(self, name: str, what: str, span: Span) -> NoReturn:
        """A name that stands for nothing here: say why, if that is known, or which one may have been meant."""
        refuse_name(name, span)
        if name in self.context.host_functions:
            fail(f"'{name}' is a function of the host", span, "mark it __device__ to call it from a kernel")
        if name in self.context.unreadable:
            reason = self.context.unreadable[name].diagnostics[0]
            fail(f"'{name}' is declared in code that cannot be read: {reason.message}", reason.span or span)
        fail(
            f"unknown {what} '{name}'",
            span,
            nearest(name, self.context.scope.visible() | self.low.builtins.known_functions() | set(t.VECTORS)),
        )

    def dereferenced(self, pointer: Value, span: Span) -> Lvalue:
        type = t.plain(pointer.type)
        if not isinstance(type, t.Pointer):
            fail(f"only pointers can be dereferenced, not '{pointer.type}'", span)
        if isinstance(type.to, t.Void):
            fail("a 'void*' cannot be dereferenced", span, "cast it to the type it points at")
        assert pointer.address is not None
        return Lvalue(pointer.address, type.to)

    def index(self, e: s.Index) -> Lvalue | Value:
        """base[index]: the constant part of the index goes into the address."""
        if (overloaded := self.low.calls.operator_function("[]", [e.base, e.index], e.span)) is not None:
            return overloaded
        base = self.low.expressions.rvalue(e.base)
        index_syntax = e.index
        if not isinstance(t.plain(base.type), t.Pointer):
            other = self.low.expressions.rvalue(e.index)
            if not isinstance(t.plain(other.type), t.Pointer):
                fail(f"only arrays and pointers can be indexed, not '{base.type}'", e.span)
            base, index_syntax = other, e.base
        place = self.dereferenced(base, e.span)
        if place.type.size == 0 and not isinstance(place.type, t.Array):
            fail(f"'{place.type}' is not complete here", e.span)
        address = self.indexed(place.address, index_syntax, place.type.size, e.span)
        return replace(place, address=address)

    def indexed(self, address: Address, e: s.Expression, size: int, span: Span) -> Address:
        """``address`` + e * size, with constants that are added to e taken apart where wrap-around allows it."""
        if isinstance(e, s.Binary) and e.operator in ("+", "-") and address.cell is None:
            for constant_side, other in ((e.right, e.left), (e.left, e.right)):
                if constant_side is e.left and e.operator == "-":
                    continue
                offset = self.low.types.constant(constant_side)
                if isinstance(offset, int) and self._splits(address, constant_side, other):
                    moved = self.indexed(address, other, size, span)
                    return moved.plus(size * (offset if e.operator == "+" else -offset))
        with self.context.at(e.span):
            return self.low.memory.advanced(address, self.low.expressions.rvalue(e), size, span)

    def _splits(self, address: Address, constant: s.Expression, other: s.Expression) -> bool:
        """Signed sums do not wrap; unsigned ones wrap as 32-bit addresses do, but not as 64-bit ones."""
        types = [t.arithmetic(self.low.types.type_of(x)) for x in (constant, other)]
        if any(x is None or x.is_float for x in types):
            return False
        common = t.usual(*[x for x in types if x is not None])
        return common.is_signed or common.size == 8 or not (address.is_wide or address.is_null)

    def widened_index(self, index: Value, scalar: t.Scalar) -> Value:
        return self.low.conversions.convert_scalar(index, scalar, t.promoted(scalar))

    def member(self, e: s.Member) -> Lvalue | Value:
        base: Lvalue | Value
        if e.arrow:
            base = self.low.calls.operator_function("->", [e.base], e.span) or self.dereferenced(
                self.low.expressions.rvalue(e.base), e.span
            )
        else:
            base = self.low.expressions.lvalue(e.base)
        struct = t.plain(base.type)
        if isinstance(struct, t.Pointer):
            fail(f"'{struct}' is a pointer", e.span, f"write '->{e.name}'")
        if not isinstance(struct, t.Struct):
            fail(f"'{base.type}' has no members", e.span)
        address = base.address
        field = struct.field(e.name)
        if field is None:
            if static := self._static_or_none(struct, e.name):
                return static
            fail(f"'{struct}' has no member '{e.name}'", e.span, nearest(e.name, [f.name for f in struct.info.fields]))
        assert address is not None
        whole = base.type.to if isinstance(base.type, t.Reference) else base.type
        type = replace(field.type, volatile=True) if whole.volatile else field.type
        if whole.const and not isinstance(type, t.Array):
            type = replace(type, const=True)
        return Lvalue(address.plus(field.offset), type)

    def _static_or_none(self, struct: t.Struct, name: str) -> Lvalue | Value | None:
        scope = struct.info.scope
        symbol = scope.names.get(name) if scope is not None else None  # type: ignore[attr-defined]
        if isinstance(symbol, LazyVariable):
            return self.low.variables.global_variable(symbol)
        return symbol if isinstance(symbol, Value) else None

    def address_of(self, e: s.Unary) -> Value:
        place = self.place(e.operand)
        return Value(t.Pointer(place.type), address=place.address)

    def check_assignable(self, place: Lvalue, span: Span) -> None:
        type = place.type.to if isinstance(place.type, t.Reference) else place.type
        if place.address.space == Space.CONST:
            fail("__constant__ memory cannot be written by a kernel", span)
        if type.const:
            fail("this is const and cannot be assigned to", span)
        if isinstance(type, t.Array):
            fail("arrays cannot be assigned to; assign to their elements", span)
