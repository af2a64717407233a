"""Lower copies of objects: into new objects, by assignment, into lambdas; by the functions that a struct has for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from warpview.diagnostics import Span
from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend.lower.part import LoweringPart
from warpview.frontend.preprocess.tokens import fail, refuse
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import (
    CLASS,
    assignments,
    copy_constructors,
    is_copied_as_bytes,
    is_destroyed,
)
from warpview.frontend.semantic.checks import this_object
from warpview.frontend.semantic.inheritance import base_offset
from warpview.frontend.semantic.layout import closure_offsets
from warpview.frontend.semantic.scopes import Scope
from warpview.frontend.semantic.special_members import is_copyable, is_movable
from warpview.frontend.semantic.values import Address, FunctionObject, Lvalue, Value
from warpview.frontend.syntax.walk import free_names, names_in, own_objects, result_object


class Copies(LoweringPart):
    def initial_value(self, e: s.Expression, to: t.CType | None = None) -> Value:
        """Return the value that a new object of type ``to`` gets from an expression, which copies or moves what the
        expression names. Without ``to`` the object has the type of the expression."""
        if to is not None and isinstance(t.plain(to), t.MemberPointer):
            named = self.low.semantics.member_pointers.named(e, to)
            return self.low.expressions.rvalue(e) if named is None else named
        if (pointer := self.low.function_pointers.named(e, to)) is not None:
            return pointer
        return self.copied_lambda(self.copied(self.low.expressions.lvalue(e), to, e.span), e)

    def copied(self, found: Lvalue | Value, to: t.CType | None, span: Span) -> Value:
        """Return the value that a new object of type ``to`` gets from another: by a constructor, where the struct
        declares one for that. An object is copied as the base class that ``to`` is."""
        type = t.plain(found.type if to is None else to)
        if not isinstance(type, t.Struct):
            return self.low.expressions.loaded(found, span)
        if (base := base_offset(found.type, type)) is None:
            own = self.low.semantics.own_conversions
            is_made = isinstance(found, Lvalue) and not own.converts_itself(found.type, type)
            made = self.low.construction.from_value(found, type, span) if is_made else None
            return made or self.low.expressions.loaded(found, span)
        if isinstance(found, Value):
            if found.address is None or t.same(found.type, type):
                return found
            found = Lvalue(found.address, found.type, expiring=True)
        if not (is_movable if found.expiring else is_copyable)(type):
            fail(f"{t.with_article(type)} cannot be copied: the constructor for that is deleted", span)
        source = replace(found, address=found.address.plus(base), type=replace(type, const=found.type.const))
        if constructors := copy_constructors(type):
            return self.low.construction.made_by(constructors, type, source, span)
        if is_copied_as_bytes(type):
            return self.low.memory.load(source, span)
        with self.low.objects.value_in_parts(type, _node(type, span)) as place:
            for part, target in self._parts(place, source, "copying", copy_constructors, span):
                self.low.memory.store(target, self.copied(part, part.type, span), span)
            self.low.virtual_calls.set_class(place, span)
        return self.low.memory.load(place, span)

    def assigned(self, place: Lvalue, value: Value, span: Span) -> None:
        """Assign a value of its type to an object: part by part where one of them has an assignment of its own."""
        type = t.plain(place.type)
        if not isinstance(type, t.Struct) or value.address is None or is_copied_as_bytes(type):
            self.low.memory.store(place, value, span)
            return
        source = Lvalue(value.address, type)
        for part, target in self._parts(place, source, "assigning", assignments, span):
            if functions := assignments(part.type):
                self.low.calls.call_candidates(functions, None, _node(type, span), [part], target)
            else:
                self.assigned(target, self.low.memory.load(part, span), span)

    def _parts(
        self, place: Lvalue, source: Lvalue, verb: str, own: Callable[[t.CType], object], span: Span
    ) -> Iterator[tuple[Lvalue, Lvalue]]:
        """Yield the base classes and members of a struct with the places that they are copied to."""
        struct = t.plain(place.type)
        assert isinstance(struct, t.Struct)
        for part in struct.info.parts:
            if part.name == CLASS:
                continue
            if isinstance(part.type, t.Array) and not is_copied_as_bytes(part.type):
                refuse(
                    f"{verb} {t.with_article(struct)} is not supported: it has an array of '{part.type.element}'", span
                )
            yield (
                replace(source, address=source.address.plus(part.offset), type=part.type),
                Lvalue(place.address.plus(part.offset), part.type),
            )

    def returned(self, e: s.Expression, result: t.CType | None) -> Value:
        """Return what a function gives back: the variable that all its returns name, another variable of its own moved,
        a copy of any other object."""
        if (pointer := self.low.function_pointers.named(e, result)) is not None:
            return pointer
        function = self.context.frame.function
        if not isinstance(e, s.Name) or not isinstance(function, (s.FunctionDeclaration, s.Lambda)):
            return self.initial_value(e, result)
        found = self.low.expressions.lvalue(e)
        if e.name == result_object(function) and (result is None or t.same(found.type, result)):
            return named(self.low.expressions.loaded(found, e.span), False)
        if not isinstance(found, Lvalue):
            value = self.low.expressions.loaded(found, e.span)
            return self.copied_lambda(value, e, expiring=e.name in own_objects(function))
        type = t.plain(found.type)
        if e.name in own_objects(function) and copy_constructors(type):
            if found.address.cell is not None:  # what is moved from may change, and values have no place
                last = self.low.objects.temporary(type, e)
                self.low.memory.store(last, self.low.memory.load(found, e.span), e.span)
                found = last
            found = replace(found, expiring=True)
        return self.copied(found, result, e.span)

    def make_lambda(self, syntax: s.Lambda) -> Value:
        """Return a lambda with what it captures; by value means the value now."""
        scope = Scope(self.context.scope)
        by_name = {name: (reference, value) for name, reference, value in syntax.captures}
        self._check_captures(syntax, set(by_name))
        for name in names_in(syntax.body) | set(by_name):
            reference, initialiser = by_name.get(name, (syntax.by_reference, None))
            if initialiser is not None and reference:
                scope.names[name] = self.low.expressions.lvalue(initialiser)
                continue
            if initialiser is not None:
                value = self.initial_value(initialiser)
                if value.object is not None or isinstance(t.plain(value.type), t.Group):
                    scope.names[name] = named(value)
                    continue
                changes = syntax.mutable and name == s.COPIED_THIS  # by the names of its members
                with self.context.scoped(scope):
                    held = self.low.variables.declare_value(
                        initialiser, name, value.type, value, initialiser.span, changes
                    )  # fmt: skip
                held = _unchanged(held, syntax) if isinstance(held, Lvalue) else held
                scope.names[name] = held
                if name == s.COPIED_THIS:
                    scope.this = held
                continue
            found = self.context.scope.find(name)
            if reference:
                continue
            if isinstance(found, Value):
                scope.names[name] = named(self.copied_lambda(found, syntax))
            elif isinstance(found, Lvalue) and found.is_local:
                scope.names[name] = self._captured(found, name, syntax, syntax)
        function = self.low.semantics.names.closures[syntax] = FunctionObject(syntax, scope)
        return Value(t.Closure(syntax), object=function)

    def _check_captures(self, syntax: s.Lambda, captured: set[str]) -> None:
        """Check that what a lambda captures exists, and that it captures the variables of the function that it uses."""
        for name, _, value in syntax.captures:
            if value is None and name != "this" and self.context.scope.find(name) is None:
                self.low.semantics.names.unknown(name, "name", syntax.span)
            if name == "this":
                this_object(self.context.scope, syntax.span)
        if syntax.captures_all:
            return
        for name in free_names(syntax) - captured:
            found = self.context.scope.find(name)
            if isinstance(found, Lvalue) and found.is_local and not self._is_constant(found, name, syntax.span):
                hint = f"write [{name}] or [&{name}]"
                fail(f"the lambda uses '{name}', which it does not capture", syntax.span, hint)

    def _is_constant(self, found: Lvalue, name: str, span: Span) -> bool:
        """Return whether a variable of the function can be used without being captured: its value is known."""
        if not t.is_const(found.type):
            return False
        is_scalar = t.arithmetic(found.type) is not None
        return not is_scalar or self.low.semantics.evaluator.number(s.Name(span, name)) is not None

    def hold(self, place: Lvalue, function: FunctionObject) -> None:
        """Let a member be a lambda: what it captures is known by the place of the member."""
        self.context.closures[_key(place.address)] = function

    def held(self, place: Lvalue, span: Span) -> FunctionObject:
        """Return the lambda that a member is."""
        function = self.context.closures.get(_key(place.address))
        if function is None:
            refuse("a lambda that is a member of an object known only when the kernel runs is not supported", span)
        return function

    def hold_copies(self, place: Lvalue, source: Lvalue) -> None:
        """Let the members of a copy be the lambdas that the original has."""
        if not self.context.closures:
            return
        for offset in closure_offsets(place.type):
            function = self.context.closures.get(_key(source.address.plus(offset)))
            if function is not None:
                self.context.closures[_key(place.address.plus(offset))] = function

    def copied_lambda(self, value: Value, owner: s.Node, expiring: bool = False) -> Value:
        """Return the copy of a lambda that ``owner`` is or names, with copies of the objects that it holds; the value
        itself where it is a temporary, or no lambda. ``expiring`` moves the objects."""
        function = value.object
        if function is None or not function.is_named:
            return value
        scope = Scope(function.scope.parent, this=function.scope.this)
        for name, held in function.scope.names.items():
            if any(reference and captured == name for captured, reference, _ in function.syntax.captures):
                scope.names[name] = held
            elif isinstance(held, Lvalue):
                # An object that it holds is const for its body alone.
                source = replace(held, type=replace(held.type, const=False), expiring=expiring)
                scope.names[name] = self._captured(source, name, function.syntax, owner)
            else:
                scope.names[name] = (
                    named(self.copied_lambda(held, owner, expiring)) if isinstance(held, Value) else held
                )
        return replace(value, object=replace(function, scope=scope, is_named=False))

    def _captured(self, found: Lvalue, name: str, syntax: s.Lambda, owner: s.Node) -> Lvalue | Value:
        """Return the copy of a variable that a lambda holds, which only a mutable one may change."""
        type = t.plain(found.type)
        is_object = isinstance(type, (t.Struct, t.Array))
        if is_object and not is_destroyed(type) and not syntax.mutable and self._stays(found, name):
            return _unchanged(replace(found, expiring=False), syntax)
        if isinstance(type, t.Array) and not is_copied_as_bytes(type):
            copy = self.low.objects.new_slot((owner, syntax, name), name, type, syntax.span)
            self.copy_elements(copy, found, type, syntax.span)
            return copy
        if is_destroyed(type):
            refuse("a lambda that holds a copy of an object with a destructor is not supported", syntax.span)
        value = self.copied(found, None, syntax.span)
        if not is_object and not syntax.mutable:
            return replace(self.low.objects.kept(value, name), product=None)
        copy = self.low.objects.new_slot((owner, syntax, name), name, type, syntax.span)
        self.low.memory.store(copy, value, syntax.span)
        return _unchanged(replace(copy, type=replace(type, const=found.type.const)), syntax)

    def copy_elements(self, place: Lvalue, source: Lvalue, type: t.Array, span: Span) -> None:
        """Copy an array element by element, as its structs say."""
        for offset in range(0, type.size, type.of.size):
            target = Lvalue(place.address.plus(offset), type.of)
            element = replace(source, address=source.address.plus(offset), type=type.of)
            if isinstance(type.of, t.Array):
                self.copy_elements(target, element, type.of, span)
            else:
                self.low.memory.store(target, self.copied(element, type.of, span), span)

    def _stays(self, found: Lvalue, name: str) -> bool:
        """Return whether a lambda may hold an object itself: it is copied as bytes, and it is a name for values, or
        nothing assigns to it under the name that it was declared with (an array may be written by a pointer)."""
        base = found.address.base
        if not isinstance(base, ir.SlotAddress) or not is_copied_as_bytes(found.type):
            return is_copied_as_bytes(found.type)
        is_variable = base.slot.name == name and not isinstance(found.type, t.Array)
        return is_variable and not any(frame.changes(name) for frame in self.context.frames)


def _unchanged(held: Lvalue, syntax: s.Lambda) -> Lvalue:
    """Return the copy of an object that a lambda holds as its body sees it: const, unless the lambda is mutable."""
    if syntax.mutable or isinstance(held.type, t.Array):
        return held
    return replace(held, type=replace(held.type, const=True))


def _key(address: Address) -> tuple[object, int]:
    return address.base if address.cell is None else address.cell, address.offset


def named(value: Value, is_named: bool = True) -> Value:
    """Return a value, of which a lambda is that of a variable, or else a temporary."""
    return value if value.object is None else replace(value, object=replace(value.object, is_named=is_named))


def _node(type: t.Struct, span: Span) -> s.Call:
    return s.Call(span, s.Name(span, type.info.name), [])
