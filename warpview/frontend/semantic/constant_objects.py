"""Keep the objects that exist during evaluation at compile time: creation, initialisation, loads and stores."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from warpview.diagnostics import Span
from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend.semantic import initial_lists
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import constructors_of, is_copied_as_bytes, is_destroyed, struct_of
from warpview.frontend.semantic.constant_operations import NotConstant, converted, reinterpreted
from warpview.frontend.semantic.inheritance import base_offset
from warpview.frontend.semantic.layout import (
    PartKey,
    bit_holders,
    default_parts,
    leaf_types,
    listed_parts,
    new_parts,
    valueless_parts,
)
from warpview.frontend.semantic.scopes import Scope
from warpview.frontend.semantic.type_resolution import scope_of
from warpview.frontend.semantic.values import NULL, Address, BoundObject, Lvalue, Value, number
from warpview.frontend.syntax.walk import is_deduced

if TYPE_CHECKING:
    from warpview.frontend.semantic.evaluation import Evaluator

MAX_OBJECT_BYTES = 1 << 18


class ConstantObjects:
    """Create, initialise, read and write objects (``BoundObject``s) whose parts hold constants."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.known_slots: dict[ir.Slot, BoundObject] = {}  # constant local arrays and structs

    def new_object(self, name: str, type: t.CType) -> Lvalue:
        """Return an object without a value."""
        if type.size > MAX_OBJECT_BYTES or not is_copied_as_bytes(type) or is_destroyed(type) or bit_holders(type):
            raise NotConstant
        plain = t.plain(type) if not isinstance(type, t.Array) else type
        return Lvalue(Address(cell=BoundObject(name, plain, new_parts(plain), folding=True)), type)

    def holding(self, name: str, type: t.CType, value: Value, span: Span) -> Lvalue:
        """Return a new object with a value."""
        place = self.new_object(name, type)
        self.store(place, value, span)
        return place

    def declared(self, variable: s.DeclaredVariable, type: t.CType) -> Lvalue | Value:
        """Return the object of a variable, with its initial value."""
        value = variable.initialiser
        if isinstance(value, s.Lambda) and is_deduced(variable.type):
            return self.evaluator.rvalue(value)
        if isinstance(type, t.Reference):
            if value is None:
                raise NotConstant
            found = self.evaluator.lvalue(value)
            return found if isinstance(found, Lvalue) else self.holding(variable.name, type.to, found, variable.span)
        place = self.new_object(variable.name, type)
        if variable.arguments is not None:
            construct = s.Construct(variable.span, s.PlainType(variable.span, type), variable.arguments, braces=False)
            self.store(place, self.construct(construct), variable.span)
        elif isinstance(value, s.InitList) and isinstance(t.plain(type), t.Struct) and constructors_of(type):
            construct = s.Construct(variable.span, s.PlainType(variable.span, type), [value], braces=True)
            self.store(place, self.construct(construct), variable.span)
        elif value is not None:
            self.initialise(place, value)
        elif constructors := constructors_of(type):
            self.evaluator.calls.invoke(constructors, None, [], variable.span, place)
        else:
            self.default_members(place, variable.span)
        return place

    def construct(self, e: s.Construct) -> Value:
        """Evaluate ``T(values)`` or ``T{values}``."""
        type = t.plain(self.evaluator.semantics.class_deduction.type_of(e.type, e.arguments))
        arguments = e.arguments
        if e.braces and len(arguments) == 1 and isinstance(arguments[0], s.InitList):
            arguments = initial_lists.arguments(constructors_of(type), arguments[0])
        if not isinstance(type, t.Struct):
            if len(arguments) > 1:
                raise NotConstant
            if not arguments:
                return converted(number(t.INT, 0), type, e.span)
            value = self.evaluator.numbered(self.evaluator.rvalue(arguments[0]), e.span, type, explicit=True)
            return converted(value, type, e.span)
        place = self.new_object("", type)
        if constructors := constructors_of(type):
            self.zero(place)
            candidates = initial_lists.chosen(constructors, arguments)
            self.evaluator.calls.invoke(candidates, None, arguments, e.span, place)
            return Value(type, address=place.address)
        only = arguments[0] if len(arguments) == 1 else None
        is_given = only is not None and not isinstance(only, s.InitList)
        if only is not None and is_given and t.same(self.evaluator.semantics.typer.type_of(only), type):
            return self.evaluator.rvalue(only)
        if e.braces:
            self.initialise(place, e.arguments[0])
        else:
            self.initialise(place, s.InitList(e.span, [("", a) for a in arguments]))
        return Value(type, address=place.address)

    def made(self, e: s.Expression, given: t.CType, type: t.CType) -> Value | None:
        """Return the object that a constructor makes of an expression of the type ``given`` where one of another type
        is needed; None where none is to be made."""
        to = t.plain(type.to if isinstance(type, t.Reference) else type)
        if not isinstance(to, t.Struct) or base_offset(given, to) is not None:
            return None
        return self.construct(s.Construct(e.span, s.PlainType(e.span, to), [e], braces=False))

    def initialise(self, place: Lvalue, e: s.Expression) -> None:
        """Give an object its value from a list (what is missing is 0) or an expression."""
        type = t.plain(place.type)
        if isinstance(e, s.StringLiteral) and isinstance(type, t.Array):
            e = s.InitList(e.span, [("", s.Literal(e.span, c, t.CHAR)) for c in e.characters])
        is_list = isinstance(e, s.InitList)
        if constructors_of(type) and (is_list or not t.same(self.evaluator.semantics.typer.type_of(e), type)):
            construct = s.Construct(e.span, s.PlainType(e.span, type), [e], braces=is_list)
            self.store(place, self.construct(construct), e.span)
            return
        if not isinstance(e, s.InitList):
            self.store(place, self.evaluator.rvalue(e), e.span)
            return
        if initial_lists.listed_array(type, e, self.evaluator.semantics.typer.type_of) is not None:
            raise NotConstant
        given: set[PartKey] = set()
        for (name, offset, part), item in listed_parts(type, e, self.evaluator.semantics.typer.type_of):
            self.initialise(Lvalue(place.address.plus(offset), part), item)
            given.add((name, offset))
        self.value_initialise(place, e.span, given)

    def value_initialise(self, place: Lvalue, span: Span, given: Collection[PartKey] = ()) -> None:
        """Initialise the parts of an object that a list has no values for; with none ``given``, the whole object."""
        for part, declared in valueless_parts(place, span, given):
            if declared is not None:
                self._default_value(declared[0], part, declared[1])
            else:
                self.zero(part)
                if constructors := constructors_of(part.type):
                    self.evaluator.calls.invoke(constructors, None, [], span, part)

    def default_members(self, place: Lvalue, span: Span, position: int | None = None) -> None:
        """Give the base classes and members of a struct, or the one at a position, the values of its definition."""
        for part, value in default_parts(place, span, position):
            if value is not None:
                self._default_value(place, part, value)
            elif (info := struct_of(part.type)) is not None and info.is_constructed:
                self.value_initialise(part, span)

    def _default_value(self, whole: Lvalue, member: Lvalue, value: s.Expression) -> None:
        if isinstance(value, s.Literal):
            self.initialise(member, value)
            return
        with self.evaluator.names.scoped(Scope(scope_of(whole.type), this=whole)):
            self.initialise(member, value)

    def zero(self, place: Lvalue) -> None:
        """Set all parts of an object to zero."""
        cell = place.address.cell
        assert cell is not None
        for at, part in leaf_types(place.type, place.address.offset):
            scalar = t.arithmetic(part)
            cell.leaves[at].bound = number(scalar, 0) if scalar is not None else Value(part, address=NULL)

    def modifiable(self, e: s.Expression) -> Lvalue:
        """Return the object that an expression names, which the evaluation itself has created."""
        found = self.evaluator.lvalue(e)
        if isinstance(found, Value) or found.address.cell is None or not found.address.cell.folding:
            raise NotConstant
        return found

    def loaded(self, found: Lvalue | Value) -> Value:
        """Return the value of an object that holds a constant; raise ``NotConstant`` where it does not."""
        if isinstance(found, Value):
            return found
        type, address = t.plain(found.type), found.address
        if isinstance(type, t.Struct):
            type = replace(type, const=found.type.const)
        if isinstance(address.base, ir.SlotAddress) and address.base.slot in self.known_slots:
            address = Address(cell=self.known_slots[address.base.slot], offset=address.offset)
        if isinstance(type, t.Struct) and not type.info.fields:  # there is nothing in it that is not known
            return Value(type, address=address, is_lvalue=not found.expiring)
        if address.cell is None:
            raise NotConstant
        if isinstance(type, t.Array):
            return Value(t.Pointer(type.of), address=address)
        if isinstance(type, t.Struct):
            return Value(type, address=address, is_lvalue=not found.expiring)
        part = address.cell.leaves.get(address.offset)
        value = part.bound if part is not None and part.type.size == type.size else None
        if value is None or (value.constant is None and value.object is None and value.address is None):
            raise NotConstant
        return value if t.same(value.type, type) else reinterpreted(value, type)

    def store(self, place: Lvalue, value: Value, span: Span) -> None:
        """Assign a constant to an object of the evaluator."""
        type, cell = t.plain(place.type), place.address.cell
        assert cell is not None
        if isinstance(type, t.Struct) and not type.info.fields and t.same(value.type, type):
            return
        if isinstance(type, t.Struct):
            source, at = value.address, base_offset(value.type, type)
            if source is None or source.cell is None or at is None:
                raise NotConstant
            given = source.cell.leaves
            for offset, _ in leaf_types(type):
                cell.leaves[place.address.offset + offset].bound = given[source.offset + at + offset].bound
            return
        part = cell.leaves.get(place.address.offset)
        if part is None:
            raise NotConstant
        part.bound = converted(self.evaluator.numbered(value, span, part.type), part.type, span)
