"""Lower expressions that name an object to the place of the object rather than its value."""

from __future__ import annotations

from dataclasses import replace

from warpview.diagnostics import Span
from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend.lower.memory import check_writable
from warpview.frontend.lower.part import LoweringPart
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import checks
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import member_type
from warpview.frontend.semantic.scopes import FunctionSet, LazyVariable, Symbol
from warpview.frontend.semantic.values import Address, Lvalue, Value


class Lvalues(LoweringPart):
    def place(self, e: s.Expression) -> Lvalue:
        """Return the object that an expression names."""
        if isinstance(e, s.Conditional):
            return self.low.expressions.conditional_place(e)
        if isinstance(e, s.Member) and self._is_of_choice(e):
            return self._object(self.referred(self.itself(e, self.place(e.base)), e.span), e.span)
        in_lambda = isinstance(e, s.Name) and isinstance(self.context.frames[-1].function, s.Lambda)
        hint = "a lambda that is marked 'mutable' may change what it has captured" if in_lambda else ""
        return self._object(self.low.expressions.lvalue(e), e.span, hint)

    def changed_place(self, e: s.Expression) -> Lvalue:
        """Return what ``+=`` or ``++`` changes: the number that a struct stands for, which need not have a place
        itself, or the object that an expression names."""
        conversion = self.low.semantics.own_conversions.reference_of(self.low.semantics.typer.operand(e).type)
        if conversion is None:
            return self.place(e)
        found = self.low.expressions.lvalue(e)
        if isinstance(found, Value) and found.address is not None:
            found = Lvalue(found.address, t.plain(found.type))
        number = self.low.calls.call_conversion(conversion[0], self._object(found, e.span), e.span)
        return self._object(number, e.span)

    @staticmethod
    def _object(result: Lvalue | Value, span: Span, hint: str = "") -> Lvalue:
        if isinstance(result, Value):
            fail("this is a value, not something that can be assigned to or pointed at", span, hint)
        return result

    def lookup(self, e: s.Name) -> Symbol | None:
        """Return what a name stands for; a file-scope variable gets its place in memory when it is first used."""
        found = self.low.semantics.names.lookup(e)
        return self.low.static_variables.global_variable(found) if isinstance(found, LazyVariable) else found

    def name(self, e: s.Name) -> Lvalue | Value:
        found = self.lookup(e)
        if isinstance(found, (Lvalue, Value)):
            return self.referred(found, e.span)
        return self.low.semantics.names.function_value(e, found)

    def referred(self, found: Lvalue | Value, span: Span) -> Lvalue | Value:
        """Return the object that a member which is a reference refers to, the lambda that a member is; anything else as
        it is."""
        if isinstance(found, Lvalue) and isinstance(t.plain(found.type), t.Closure):
            return self.low.memory.load(found, span)
        if not isinstance(found, Lvalue) or not isinstance(found.type, t.ReferenceMember):
            return found
        return self.dereferenced(self.low.memory.load(found, span), span)

    def dereferenced(self, pointer: Value, span: Span) -> Lvalue:
        type = checks.pointed_type(pointer.type, span)
        if isinstance(type, t.Void):
            fail("a 'void*' cannot be dereferenced", span, "cast it to the type it points at")
        assert pointer.address is not None
        return Lvalue(pointer.address, type)

    def pointed_object(self, e: s.Member) -> Lvalue:
        """Return the object whose member ``base->name`` is: what the base points to, or its ``operator->`` does."""
        found = self.low.calls.operator_function("->", [e.base], e.span)
        pointer = self.low.expressions.rvalue(e.base) if found is None else self.low.expressions.loaded(found, e.span)
        return self.dereferenced(pointer, e.span)

    def index(self, e: s.Index, past_end: bool = False) -> Lvalue | Value:
        """Lower base[index]: the constant part of the index goes into the address. A pointer may point ``past_end``."""
        if (overloaded := self.low.calls.operator_function("[]", [e.base, e.index], e.span)) is not None:
            return overloaded
        if isinstance(e.base, s.Member) and self._is_of_choice(e.base):
            base = self.low.memory.load(self.place(e.base), e.span)
        else:
            base = self.low.conversions.pointer_value(self.low.expressions.rvalue(e.base), e.span)
        index_syntax = e.index
        if not isinstance(t.plain(base.type), t.Pointer):
            other = self.low.conversions.pointer_value(self.low.expressions.rvalue(e.index), e.index.span)
            if not isinstance(t.plain(other.type), t.Pointer):
                checks.fail_not_indexable(base.type, e.span)
            base, index_syntax = other, e.base
        place = self.dereferenced(base, e.span)
        checks.check_complete(place.type, e.span)
        address = place.address
        if past_end and address.member is not None:
            address = replace(address, member=replace(address.member, high=address.member.high + place.type.size))
        address = self.indexed(address, index_syntax, place.type.size, e.span)
        array = place.address.member
        if array is not None and address.member is None:
            array = _row(address, place.type, array)
        return replace(place, address=replace(address, member=array))

    def indexed(self, address: Address, e: s.Expression, size: int, span: Span) -> Address:
        """Return ``address`` + e * size, with constants that are added to e taken apart where wrap-around allows it."""
        if isinstance(e, s.Binary) and e.operator in ("+", "-") and address.cell is None:
            for constant_side, other in ((e.right, e.left), (e.left, e.right)):
                if constant_side is e.left and e.operator == "-":
                    continue
                offset = self.low.semantics.evaluator.number(constant_side)
                if isinstance(offset, int) and self._splits(address, constant_side, other):
                    moved = address.plus(size * (offset if e.operator == "+" else -offset))
                    return self.indexed(moved, other, size, span)
        with self.context.at(e.span):
            return self.low.memory.advanced(address, self.low.expressions.rvalue(e), size, span)

    def _splits(self, address: Address, constant: s.Expression, other: s.Expression) -> bool:
        """Signed sums do not wrap; unsigned ones wrap as 32-bit addresses do, but not as 64-bit ones."""
        written = [self.low.semantics.typer.type_of(x) for x in (constant, other)]
        types = [None if isinstance(x, t.Enum) else t.arithmetic(x) for x in written]  # whose + may be the file's own
        if any(x is None or x.is_float for x in types):
            return False
        common = t.usual(*[x for x in types if x is not None])
        return common.is_signed or common.size == 8 or not (address.is_wide or address.is_null)

    def widened_index(self, index: Value, scalar: t.Scalar) -> Value:
        return self.low.conversions.convert_scalar(index, scalar, t.promoted(scalar))

    def member(self, e: s.Member) -> Lvalue | Value:
        return self.referred(self.itself(e), e.span)

    def changed_object(self, e: s.Expression) -> Lvalue | Value:
        """Return the object of a function that may change it: of one of two objects its place, and no copy."""
        return self.place(e) if self._is_of_choice(e) else self.low.expressions.lvalue(e)

    def _is_of_choice(self, base: s.Expression) -> bool:
        """Return whether an expression is one of two objects, ``condition ? a : b``, or a part of one."""
        typer = self.low.semantics.typer
        while (isinstance(base, s.Member) and not base.arrow) or (
            isinstance(base, s.Index) and isinstance(typer.type_of(base.base), t.Array)
        ):
            base = base.base
        return isinstance(base, s.Conditional) and typer.operand(base).is_lvalue

    def itself(self, e: s.Member, base: Lvalue | Value | None = None) -> Lvalue | Value:
        """Return a member of a known object or of what is written, which may be a reference."""
        if base is None:
            base = self.pointed_object(e) if e.arrow else self.low.expressions.lvalue(e.base)
        struct = checks.struct_with_members(base.type, e)
        address = base.address
        field = struct.field(e.name)
        self.low.semantics.names.check_accessible(struct, e.name, e.span)
        if field is None:
            if static := self._static_or_none(struct, e.name):
                return static
            checks.fail_no_member(struct, e.name, e.span)
        assert address is not None
        type = member_type(base.type, field)
        place = address.plus(field.offset)
        if isinstance(type, t.Array) and address.cell is None:
            array = _member_array(place, type, struct, e.name)
            place = replace(place, bounds=_member_bounds(place, type), member=array)
        return Lvalue(place, type, expiring=isinstance(base, Lvalue) and base.expiring)

    def _static_or_none(self, struct: t.Struct, name: str) -> Lvalue | Value | None:
        scope = struct.info.scope
        symbol = scope.names.get(name) if scope is not None else None  # type: ignore[attr-defined]
        if isinstance(symbol, LazyVariable):
            return self.low.static_variables.global_variable(symbol)
        return symbol if isinstance(symbol, Value) else None

    def address_of(self, e: s.Unary, past_end: bool = True) -> Value:
        """Lower &object. ``past_end`` allows the address behind the last element of an array, as C++ does. A function
        is passed on as itself."""
        if (member := self.low.semantics.member_pointers.named(e)) is not None:
            return member
        if isinstance(e.operand, s.Name) and isinstance(found := self.lookup(e.operand), FunctionSet):
            return self.low.semantics.names.function_value(e.operand, found)
        if past_end and isinstance(e.operand, s.Index):
            with self.context.at(e.operand.span):
                place = self._object(self.index(e.operand, past_end=True), e.operand.span)
        else:
            place = self.place(e.operand)
        if isinstance(place.type, t.BitMember):
            fail("a bit field has no address", e.span)
        return Value(t.Pointer(place.type), address=place.address)

    def referable(self, found: Lvalue | Value, to: t.Reference, span: Span) -> Lvalue | Value:
        """Return what a reference refers to: of a bit field, which has no address, a copy."""
        if not isinstance(found, Lvalue) or not isinstance(found.type, t.BitMember):
            return found
        if not to.to.const and not to.rvalue:
            fail("a bit field cannot be referred to by a reference that may change it", span)
        return self.low.memory.load(found, span)

    def check_assignable(self, place: Lvalue, span: Span, initialises: bool = False) -> None:
        type = place.type.to if isinstance(place.type, t.Reference) else place.type
        check_writable(place.address, span)
        if initialises:
            return
        if type.const:
            fail("this is const and cannot be assigned to", span)
        if isinstance(type, t.Array):
            fail("arrays cannot be assigned to; assign to their elements", span)


def _member_bounds(place: Address, type: t.Array) -> ir.ArrayBounds | None:
    """Return the bounds of an array that is a member of a variable's struct, those of the variable where it has no
    fixed place in it."""
    bounds = place.bounds
    if bounds is None or not _is_fixed(place):
        return bounds
    return ir.ArrayBounds(place.offset, place.offset + type.size, bounds.slot)


def _member_array(place: Address, type: t.Array, struct: t.Struct, name: str) -> ir.ArrayBounds | None:
    """Return the bounds of an array that is a member of a struct whose address is known at run time only.

    An array of one element at the end of a struct has as many as were allocated, by an old convention of C.
    """
    if _is_fixed(place) or (type.size <= type.of.size and struct.info.fields[-1].name == name):
        return None
    return ir.ArrayBounds(place.offset, place.offset + type.size, member=name)


def _row(place: Address, type: t.CType, array: ir.ArrayBounds) -> ir.ArrayBounds | None:
    """Return the bounds of the row that an index known at run time selects of a member array of several dimensions.

    A constant index selects no row: ``m[0][k]`` may run through the whole array, by an old convention of C.
    """
    if not isinstance(t.plain(type), t.Array):
        return None
    return ir.ArrayBounds(place.offset, place.offset + type.size, member=f"{array.member}[...]")


def _is_fixed(place: Address) -> bool:
    return place.base is None or isinstance(place.base, ir.SlotAddress)
