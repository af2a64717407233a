"""Lower declarations of variables: choose the memory of each, and initialise it."""

from __future__ import annotations

from dataclasses import replace

from warpview.diagnostics import Span
from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend.lower.copies import named
from warpview.frontend.lower.memory import access_groups
from warpview.frontend.lower.part import LoweringPart
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import checks, initial_lists
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import constructors_of, is_destroyed, struct_of
from warpview.frontend.semantic.constant_operations import converted
from warpview.frontend.semantic.inheritance import base_offset
from warpview.frontend.semantic.layout import holds_array, leaf_types, new_parts, with_length_of
from warpview.frontend.semantic.special_members import check_constant_has_value, is_default_constructible
from warpview.frontend.semantic.values import Address, BoundObject, Lvalue, Value
from warpview.frontend.syntax.walk import is_deduced, names_itself, refers_to_const


class Variables(LoweringPart):
    """Lower the variables of functions, in registers where that can be."""

    def declaration(self, node: s.Declaration) -> None:
        for variable in node.variables:
            self.declare(variable)
        if len(node.variables) > 1:
            self._check_deduced_alike(node.variables)

    def _check_deduced_alike(self, variables: list[s.DeclaredVariable]) -> None:
        """Check that ``auto a = 1, b = 2`` stands for one type."""
        plain = [v for v in variables if isinstance(v.type, s.AutoType) and not v.name.startswith("[")]
        types = [t.plain(symbol.type) for v in plain
                 if isinstance(symbol := self.context.scope.names.get(v.name), Lvalue | Value)]  # fmt: skip
        for variable, type in zip(plain, types, strict=False):
            if not t.same(type, types[0]):
                fail(f"'auto' is '{types[0]}' before and would be '{type}' here", variable.span)

    def declare(self, variable: s.DeclaredVariable) -> None:
        """Declare a variable of a function."""
        if self.context.scope.declared_here(variable.name):
            fail(f"'{variable.name}' is already declared in this block", variable.span)
        with self.context.at(variable.span):
            with self.low.destructors.expression():
                declared = self._declared(variable)
            self.context.scope.names[variable.name] = declared

    def _declared(self, variable: s.DeclaredVariable) -> Lvalue | Value:
        if "__shared__" in variable.storage:
            return self.low.static_variables.shared_variable(variable)
        if variable.storage & {"__constant__", "__device__", "__managed__"}:
            if "static" not in variable.storage or "__managed__" in variable.storage:
                fail("variables of this kind can only be declared outside functions", variable.span)
            return self.low.static_variables.function_variable(variable)
        if "extern" in variable.storage:
            fail("only __shared__ arrays can be 'extern' in a kernel", variable.span)
        if isinstance(variable.initialiser, s.Lambda) and is_deduced(variable.type):
            return named(self.low.copies.make_lambda(variable.initialiser))
        if is_deduced(variable.type):
            return self._deduced_variable(variable)
        type = self.low.semantics.class_deduction.variable_type(variable)
        if isinstance(type, t.Reference):
            return self._reference(variable, type)
        if "static" in variable.storage and not t.is_const(type):
            return self.low.static_variables.function_variable(variable)
        type = self.complete(type, variable)
        if names_itself(variable) and not isinstance(type, t.Group) and "constexpr" not in variable.storage:
            return self._known_to_itself(variable, type)
        return self.local_variable(variable, type)

    def _known_to_itself(self, variable: s.DeclaredVariable, type: t.CType) -> Lvalue:
        """Return a variable in memory, which its initialiser may refer to: it is declared before it has a value."""
        place = self.low.objects.new_slot(variable, variable.name, type, variable.span, self.alignment(variable, type))
        self.context.scope.names[variable.name] = place
        value = self._initial_value(variable, type)
        if value is None:
            self._initialise_list(place, variable)
        else:
            self.low.memory.store(place, self.low.destructors.adopt(value), variable.span)
        return self.low.destructors.variable(place)

    def complete(self, type: t.CType, variable: s.DeclaredVariable) -> t.CType:
        """Return an array with the length of its initialiser, where none is written."""
        type = with_length_of(variable.initialiser, type, self.low.semantics.typer.type_of)
        if isinstance(type, t.Array) and type.length is None:
            hint = "write 'extern' if the launch gives it" if "__shared__" in variable.storage else ""
            fail("the length of this array is missing", variable.span, hint)
        _check_not_void(type, variable.span)
        checks.check_defined(type, variable.span)
        self.low.semantics.classes.check_complete(type, variable.span)
        return type

    def _deduced_variable(self, variable: s.DeclaredVariable) -> Lvalue | Value:
        """Lower auto x = value; with const, * or & around the auto. A list gives a ``std::initializer_list``."""
        if isinstance(variable.initialiser, s.InitList):
            typer = self.low.semantics.typer
            return self._declared(replace(variable, type=initial_lists.deduced(variable.initialiser, typer.type_of)))
        initialiser = checks.deduced_from(variable)
        if (array := self.low.semantics.typer.bound_array(variable)) is not None:
            place = self.low.objects.new_slot(variable, variable.name, array, variable.span)
            self.low.copies.copy_elements(place, self.low.lvalues.place(initialiser), array, variable.span)
            return self.low.destructors.variable(place)
        checks.check_deduced(variable, initialiser, self.low.semantics.typer.operand)
        if _is_reference(variable.type):
            found = self.low.lvalues.changed_object(initialiser)
            if not isinstance(initialiser, s.BoundPart):
                found = self.low.lvalues.referable(found, t.Reference(found.type), variable.span)
            if refers_to_const(variable.type) and not isinstance(found.type, t.Array):
                found = replace(found, type=replace(found.type, const=True))
            self.context.scope.references[variable.name] = t.Reference(found.type)
            if isinstance(found, Lvalue):
                return found
            value = found
        else:
            constant = self._constant_struct(variable, self.low.semantics.typer.type_of(initialiser))
            value = constant or self.low.copies.initial_value(initialiser)
        if value.object is not None or isinstance(t.plain(value.type), t.Group):
            return named(value)
        _check_not_void(value.type, variable.span)
        const = isinstance(variable.type, s.QualifiedType) and variable.type.const
        type = replace(value.type, const=const)
        mutable = not const and self.is_assigned(variable, type)
        place = self.new_variable(variable, variable.name, type, value, variable.span, mutable)
        if holds_array(type) and "constexpr" in variable.storage:
            self._remember_constants(place, variable)
        return self.low.destructors.variable(place)

    def _reference(self, variable: s.DeclaredVariable, type: t.Reference) -> Lvalue:
        self.context.scope.references[variable.name] = type
        initialiser = variable.first_value
        if initialiser is None:
            fail("a reference needs something to refer to", variable.span)
        if isinstance(type.to, t.FunctionSignature):
            return self._reference_to_function(initialiser, t.Pointer(type.to), variable.span)
        if isinstance(initialiser, s.InitList):
            made = s.PlainType(variable.span, t.plain(type.to))
            initialiser = s.Construct(variable.span, made, [initialiser], braces=True)
        is_object = self.low.semantics.typer.operand(initialiser).is_lvalue
        one_of_two = isinstance(initialiser, s.Conditional) and is_object
        found = (self.low.lvalues.place if one_of_two else self.low.expressions.lvalue)(initialiser)
        itself = self.low.lvalues.referable(found, type, variable.span)
        found = self.low.calls.given_by_object(itself, type, variable.span)
        is_object = is_object and found is itself
        self.low.semantics.names.check_base(found.type, type.to, variable.span)
        offset = base_offset(found.type, type.to)
        if type.rvalue and is_object and (offset is not None or t.same(found.type, type.to)):
            checks.fail_needs_value(type, variable.span)
        if isinstance(found, Lvalue) and (offset is not None or t.same(found.type, type.to)):
            if t.is_const(found.type) and not t.is_const(type.to):
                fail(f"'{type}' cannot refer to what is const", variable.span)
            return Lvalue(found.address.plus(offset or 0), type.to)
        if not type.to.const and not type.rvalue:
            checks.fail_not_referable(found.type, type, variable.span)
        value = self.low.conversions.convert(self.low.expressions.loaded(found, variable.span), type.to, variable.span)
        return self.low.destructors.variable(self.declare_value(variable, variable.name, type.to, value, variable.span))

    def _reference_to_function(self, initialiser: s.Expression, type: t.Pointer, span: Span) -> Lvalue:
        known = self.low.function_pointers.known(initialiser, type)
        pointer = self.low.conversions.convert(self.low.expressions.rvalue(initialiser), type, span)
        return self.low.lvalues.dereferenced(known or pointer, span)

    # -------------------------------------------------------------------------------- local variables
    def is_assigned(self, key: s.DeclaredVariable | s.Parameter | object, type: t.CType, name: str = "") -> bool:
        """Return whether anything assigns to a variable after its declaration."""
        if is_destroyed(type):
            return True
        if t.is_const(type) or (isinstance(key, s.DeclaredVariable) and "constexpr" in key.storage):
            return False  # what is assigned is another variable of the same name
        name = getattr(key, "name", name)
        if name in self.context.frame.assigned:
            return True
        return name in self.context.frame.assigned_parts and not isinstance(t.plain(type), t.Pointer)

    def local_variable(self, variable: s.DeclaredVariable, type: t.CType) -> Lvalue | Value:
        """Return a variable in registers, or in local memory where that cannot be."""
        if isinstance(type, t.Group):
            return self._group_value(variable)
        value = self._constant_struct(variable, type) or self._initial_value(variable, type)
        has_list = value is None and (variable.initialiser is not None or variable.arguments is not None)
        mutable = self.is_assigned(variable, type)
        if has_list and not mutable and not holds_array(type):
            return self._bound_list(variable, type)
        place = self.new_variable(variable, variable.name, type, value, variable.span, mutable)
        self._note_computed(place, variable, value)
        if has_list:
            self._initialise_list(place, variable)
            self._remember_constants(place, variable)
        elif value is None:
            check_constant_has_value(variable, type)
            self._default_members(place, variable)
        elif holds_array(type) and "constexpr" in variable.storage:
            self._remember_constants(place, variable)
        return self.low.destructors.variable(place)

    def _constant_struct(self, variable: s.DeclaredVariable, type: t.CType) -> Value | None:
        """Return the value of a ``constexpr`` struct that a constructor or an expression makes; None for all others."""
        if "constexpr" not in variable.storage or not isinstance(t.plain(type), t.Struct):
            return None
        is_listed = isinstance(variable.initialiser, s.InitList)
        points = any(isinstance(part, t.Pointer) for _, part in leaf_types(type))  # to what has no place in memory
        if not constructors_of(type) and (is_listed or points):
            return None
        evaluator = self.low.semantics.evaluator
        found = evaluator.attempt(lambda: evaluator.objects.declared(variable, type), is_manifest=True)
        return Value(t.plain(type), address=found.address) if isinstance(found, Lvalue) else None

    def _note_computed(self, place: Lvalue, variable: s.DeclaredVariable, value: Value | None) -> None:
        """Note of a variable that is const whether its initialiser is no constant, though its value is known here."""
        cell, initialiser = place.address.cell, variable.first_value
        if cell is None or value is None or value.constant is None or not t.is_const(place.type) or initialiser is None:
            return
        evaluator = self.low.semantics.evaluator
        if "constexpr" not in variable.storage and not isinstance(initialiser, s.InitList):
            cell.is_computed = evaluator.attempt(lambda: evaluator.rvalue(initialiser), is_manifest=True) is None

    def _remember_constants(self, place: Lvalue, variable: s.DeclaredVariable) -> None:
        """Let a constant array be read at compile time, where all its values are known."""
        type, slot = place.type, place.address.base
        if not t.is_const(type) or not isinstance(slot, ir.SlotAddress):
            return
        evaluator = self.low.semantics.evaluator
        known = evaluator.attempt(lambda: evaluator.objects.declared(variable, type))
        if isinstance(known, Lvalue) and known.address.cell is not None:
            evaluator.objects.known_slots[slot.slot] = known.address.cell

    def _group_value(self, variable: s.DeclaredVariable) -> Value:
        initialiser = variable.first_value
        if initialiser is None:
            fail("a group needs an initialiser", variable.span)
        if isinstance(initialiser, s.InitList) and len(initialiser.items) == 1:
            initialiser = initialiser.items[0][1]
        value = self.low.expressions.rvalue(initialiser)
        if not isinstance(t.plain(value.type), t.Group):
            fail(f"{t.with_article(value.type)} is not a cooperative group", variable.span)
        return value

    def _of_enum(self, item: s.Expression, type: t.CType) -> s.Expression:
        """Return the value of ``E e{item}``: of an enumeration it is an integer, too (C++17, 11.6.4)."""
        if not isinstance(t.plain(type), t.Enum) or not isinstance(self.low.semantics.typer.type_of(item), t.Scalar):
            return item
        return s.Cast(item.span, "static_cast", s.PlainType(item.span, type), item)

    def _initial_value(self, variable: s.DeclaredVariable, type: t.CType) -> Value | None:
        """Return the initialiser as one value; None where there is none, or a list."""
        initialiser = variable.initialiser
        if isinstance(initialiser, s.InitList) and t.arithmetic(type) is not None and len(initialiser.items) < 2:
            item = initialiser.items[0][1] if initialiser.items else s.Literal(variable.span, 0, t.INT)
            initialiser = self._of_enum(item, type)
        elif isinstance(initialiser, s.InitList) and isinstance(type, t.Pointer) and len(initialiser.items) < 2:
            initialiser = initialiser.items[0][1] if initialiser.items else s.NullPointer(variable.span)
        if "constexpr" in variable.storage and initialiser is not None and t.arithmetic(type) is not None:
            evaluator = self.low.semantics.evaluator
            value = evaluator.required(initialiser, f"the value of '{variable.name}'")
            return converted(value, type, variable.span)
        if isinstance(initialiser, s.InitList) and constructors_of(type):
            construct = s.Construct(variable.span, s.PlainType(variable.span, type), [initialiser], braces=True)
            return self.low.construction.construct(construct)
        if variable.arguments is not None:
            if isinstance(t.plain(type), t.Struct):
                return self.low.construction.construct(
                    s.Construct(variable.span, s.PlainType(variable.span, type), variable.arguments, braces=False)
                )
            if len(variable.arguments) > 1:
                fail("too many values for one variable", variable.span)
            initialiser = variable.arguments[0] if variable.arguments else s.Literal(variable.span, 0, t.INT)
            if isinstance(initialiser, s.InitList):
                made = s.PlainType(variable.span, t.plain(type))
                initialiser = s.Construct(variable.span, made, [initialiser], braces=True)
        if initialiser is None or isinstance(initialiser, (s.InitList, s.StringLiteral)):
            return None
        if isinstance(type, t.Array):
            fail("an array needs a list of values in braces", variable.span)
        value = self.low.copies.initial_value(initialiser, type)
        source = t.plain(value.type)
        if isinstance(type, t.Pointer) and isinstance(source, t.Pointer):
            self.low.semantics.names.check_base(source.to, type.to, variable.span)
        is_direct = variable.arguments is not None or isinstance(variable.initialiser, s.InitList)
        is_truth = isinstance(source, t.NullPointerType) and t.same(type, t.BOOL)
        may_be_explicit = is_truth or isinstance(source, t.Struct)
        return self.low.conversions.convert(value, type, variable.span, is_direct and may_be_explicit)

    def declare_value(
        self, key: object, name: str, type: t.CType, value: Value | None, span: Span, changes: bool = False
    ) -> Lvalue:  # fmt: skip
        """Return a variable that starts with ``value`` and ``changes``, or is assigned to by its name; assigned names
        are those of the function being called."""
        if value is not None and value.object is not None:
            fail("a lambda is not allowed here", span)
        mutable = changes or is_destroyed(type) or (not type.const and self.is_assigned_in_callee(name, type))
        return self.new_variable(key, name, type, value, span, mutable)

    def is_assigned_in_callee(self, name: str, type: t.CType) -> bool:
        """Parameters are declared before their function's frame is entered."""
        assigned = self.context.parameter_names
        if name in assigned.whole:
            return True
        return name in assigned.parts and not isinstance(t.plain(type), t.Pointer)

    def new_variable(
        self, key: object, name: str, type: t.CType, value: Value | None, span: Span, mutable: bool
    ) -> Lvalue:
        """Make room for a variable and put ``value`` into it."""
        type = type.to if isinstance(type, t.Reference) else type
        if value is None or mutable or type.volatile or holds_array(type):
            align = self.alignment(key, type) if isinstance(key, s.DeclaredVariable) else 4
            place = self.low.objects.new_slot(key, name, type, span, align)
            if value is not None:
                self.low.memory.store(place, self.low.destructors.adopt(value), span)
            return place
        return self._bound(key, name, type, value, span)

    def _bound(self, key: object, name: str, type: t.CType, value: Value, span: Span) -> Lvalue:
        """Return a variable that nothing assigns to: a name for its value."""
        cell = BoundObject(name, type, new_parts(type))
        self.low.objects.describe((key, self.context.path), cell, type, span)
        place = Lvalue(Address(cell=cell), type)
        if isinstance(t.plain(type), t.Struct):
            assert value.address is not None
            source = Lvalue(value.address, value.type)
            self.low.copies.hold_copies(place, source)
            for group in access_groups(type):
                for (offset, _), part in zip(group, self.low.memory.load_group(source, group, span), strict=True):
                    self.low.objects.write_leaf(Address(cell=cell, offset=offset), part)
        else:
            self.low.objects.write_leaf(place.address, value)
        return place

    def _bound_list(self, variable: s.DeclaredVariable, type: t.CType) -> Lvalue:
        """Make a struct that nothing assigns to names for the values of its list."""
        cell = BoundObject(variable.name, type, new_parts(type))
        self.low.objects.describe((variable, self.context.path), cell, type, variable.span)
        place = Lvalue(Address(cell=cell), type)
        self._initialise_list(place, variable)
        return place

    def alignment(self, variable: s.DeclaredVariable, type: t.CType) -> int:
        """Return the alignment of a variable: that of __align__, at least that of its type, at least a word."""
        asked = (
            self.low.semantics.evaluator.integer(variable.align, "an alignment") if variable.align is not None else 1
        )
        return max(4, type.align, checks.checked_alignment(asked, variable.span))

    # -------------------------------------------------------------------------------- lists of values
    def _initialise_list(self, place: Lvalue, variable: s.DeclaredVariable) -> None:
        assert variable.initialiser is not None
        self.low.initialisers.initialise(place, variable.initialiser, variable.span)

    def _default_members(self, place: Lvalue, variable: s.DeclaredVariable) -> None:
        """Initialise structs without initialiser by their default constructor and their members' own initialisers."""
        info = struct_of(place.type)
        is_host_made = (
            info is not None and isinstance(info.syntax, s.StructType) and info.syntax.name in info.syntax.host_methods
        )
        if info is not None and is_host_made and not constructors_of(t.Struct(info)):
            self.low.calls.refuse_host_constructor(t.Struct(info), variable.span)
        if info is not None:
            self.low.semantics.names.check_accessible(t.Struct(info), info.bare_name, variable.span)
        self.low.initialisers.default_construct(place, variable.span)
        if info is not None and not is_default_constructible(t.Struct(info)):
            why = "its constructor without parameters is deleted, or a part of it needs a value"
            fail(f"a '{t.Struct(info)}' cannot be made of nothing: {why}", variable.span)


def _check_not_void(type: t.CType, span: Span) -> None:
    if isinstance(t.plain(type), t.Void):
        fail("a variable cannot be void", span)


def _is_reference(syntax: s.TypeSyntax) -> bool:
    return isinstance(syntax, s.ReferenceType)
