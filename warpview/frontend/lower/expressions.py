"""Lower expressions, with one method for each kind of node."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from warpview.diagnostics import Span
from warpview.frontend import ir, unsupported
from warpview.frontend import syntax as s
from warpview.frontend.lower.part import LoweringPart
from warpview.frontend.preprocess.tokens import fail, refuse
from warpview.frontend.semantic import checks
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import is_copied_as_bytes
from warpview.frontend.semantic.checks import fail_no_pack
from warpview.frontend.semantic.inheritance import base_offset, cast_offset
from warpview.frontend.semantic.operands import TypedOperand, operands_of_step, part_named
from warpview.frontend.semantic.purity import is_cheap
from warpview.frontend.semantic.validity import rewritten_comparison
from warpview.frontend.semantic.values import NULL, Address, Lvalue, Value, number
from warpview.isa.ops import Op
from warpview.isa.types import Space, Type


class Expressions(LoweringPart):
    # ------------------------------------------------------------------------------------------- rvalues
    def rvalue(self, e: s.Expression) -> Value:
        """Return the value of an expression; code for it is written where needed."""
        with self.context.at(e.span):
            match e:
                case s.Literal(value=value, type=type):
                    assert isinstance(type, t.Scalar)
                    return number(type, value)
                case s.NullPointer():
                    return Value(t.NULLPTR, address=NULL)
                case s.PackExpression():
                    fail_no_pack(e.span)
                case s.Unary():
                    return self.unary(e)
                case s.Postfix():
                    return self.step_after(e)
                case s.Binary():
                    return self.binary(e)
                case s.Assign():
                    return self.loaded(self.low.assignments.assign(e), e.span)
                case s.Conditional():
                    return self.conditional(e)
                case s.Call():
                    return self.loaded(self.low.calls.call(e), e.span)
                case s.Cast():
                    return self.cast(e)
                case s.Construct():
                    return self.low.construction.construct(e)
                case s.ConstructAt():
                    return self.low.construction.construct_at(e)
                case s.SizeOf():
                    return number(t.ULONG, self.low.semantics.typer.size_of(e))
                case s.Requires():
                    return number(t.BOOL, self.low.semantics.concepts.are_met(e))
                case s.Lambda():
                    return self.low.copies.make_lambda(e)
                case s.InitList():
                    checks.fail_list(e.span)
            return self.loaded(self.lvalue(e), e.span)

    def loaded(self, result: Lvalue | Value, span: Span) -> Value:
        if not isinstance(result, Lvalue):
            return result
        value = self.low.memory.load(result, span)
        is_object = isinstance(value.type, t.Struct) and not result.expiring
        return replace(value, is_lvalue=True) if is_object else value

    def string(self, e: s.StringLiteral) -> Lvalue:
        """Return the characters of a string, in constant memory."""
        place = self.context.static_memory.places.get(e)
        if place is None:
            data, text = self.context.static_memory.constant, e.characters
            address = Address(Space.CONST, None, len(data))
            place = self.context.static_memory.places[e] = Lvalue(address, t.text(len(text)))
            self.context.static_memory.fixed.append(range(len(data), len(data) + len(text)))
            data.extend(text + bytes(-len(text) % 4))
        return place

    def effect(self, e: s.Expression) -> None:
        """Evaluate an expression whose value nobody uses."""
        before, self.context.discarded = self.context.discarded, e
        try:
            if isinstance(e, s.Cast) and isinstance(e.type, s.PlainType) and isinstance(e.type.type, t.Void):
                self.effect(e.operand)
            elif isinstance(e, s.Binary) and e.operator == ",":
                if self.low.calls.operator_function(",", [e.left, e.right], e.span) is None:
                    self.effect(e.left)
                    self.effect(e.right)
            elif isinstance(e, s.Assign):
                self.low.assignments.assign(e)
            elif isinstance(e, s.Call):
                with self.context.at(e.span):
                    self.low.calls.call(e)
            else:
                self.rvalue(e)
        finally:
            self.context.discarded = before

    # ------------------------------------------------------------------------------------------- lvalues

    def lvalue(self, e: s.Expression) -> Lvalue | Value:
        """Return the object that an expression names, or its value where it names none."""
        with self.context.at(e.span):
            match e:
                case s.Name():
                    return self.low.lvalues.name(e)
                case s.StringLiteral():
                    return self.string(e)
                case s.Index():
                    return self.low.lvalues.index(e)
                case s.Member():
                    return self.low.lvalues.member(e)
                case s.PointedMember():
                    return self.low.member_pointers.place(e)
                case s.BoundPart(base=base):
                    return self.lvalue(part_named(e, self.low.semantics.typer.type_of(base)))
                case s.Unary(operator="*", operand=operand) if (element := self._element(operand)) is not None:
                    return self.low.lvalues.index(element)
                case s.Unary(operator="*", operand=operand):
                    if (overloaded := self.low.calls.operator_function("*", [operand], e.span)) is not None:
                        return overloaded
                    pointer = self.low.conversions.pointer_value(self.rvalue(operand), e.span)
                    return pointer if pointer.object is not None else self.low.lvalues.dereferenced(pointer, e.span)
                case s.Unary(operator="++" | "--"):
                    return self.step_before(e)
                case s.Assign():
                    return self.low.assignments.assign(e)
                case s.Call():
                    return self.low.calls.call(e)
                case s.LaunchByKernel():
                    return self.low.child_launches.launch(e)
                case s.Binary(operator=",", left=left, right=right):
                    overloaded = self.low.calls.operator_function(",", [left, right], e.span)
                    if overloaded is not None:
                        return overloaded
                    self.effect(left)
                    return self.lvalue(right)
                case s.This():
                    this = checks.this_object(self.context.scope, e.span)
                    return Value(t.Pointer(this.type), address=this.address)
                case s.Cast() if isinstance(e.type, s.ReferenceType):
                    if (function := self._lambda_named(e.operand)) is not None:
                        return function
                    place = self.low.lvalues.place(e.operand)
                    target = self.low.semantics.types.resolve(e.type)
                    assert isinstance(target, t.Reference)
                    address = place.address.plus(cast_offset(place.type, target.to))
                    return Lvalue(address, target.to, expiring=target.rvalue)
                case s.Conditional():
                    return self._chosen_object(e)
            return self.rvalue(e)

    def _lambda_named(self, e: s.Expression) -> Value | None:
        """Return the lambda that a name stands for, which has no place; None for anything else."""
        found = self.low.lvalues.name(e) if isinstance(e, s.Name) else None
        return found if isinstance(found, Value) and found.object is not None else None

    # --------------------------------------------------------------------------------- unary and binary
    def _element(self, e: s.Expression) -> s.Index | None:
        """Return the element of an array that a sum is the place of: ``*(a + k)`` is ``a[k]``; None for others."""
        if not isinstance(e, s.Binary) or e.operator not in ("+", "-"):
            return None
        if (before := self._element(e.left)) is not None:
            return s.Index(e.span, before.base, s.Binary(e.span, e.operator, before.index, e.right))
        is_array = isinstance(t.plain(self.low.semantics.typer.type_of(e.left)), t.Array)
        return s.Index(e.span, e.left, e.right) if is_array and e.operator == "+" else None

    def unary(self, e: s.Unary) -> Value:
        op = e.operator
        if op == "&":
            overloaded = self.low.calls.address_operator(e)
            return self.low.lvalues.address_of(e) if overloaded is None else self.loaded(overloaded, e.span)
        if op in ("*", "++", "--"):
            result = self.lvalue(e)
            return self.loaded(result, e.span) if op == "*" or self.context.discarded is not e else Value(t.VOID)
        overloaded = self.low.calls.operator_function(op, [e.operand], e.span)
        if overloaded is not None:
            return self.loaded(overloaded, e.span)
        value = self.rvalue(e.operand)
        pointer = self.low.semantics.function_pointers.as_pointer(TypedOperand.of(value)) if op == "+" else None
        if pointer is not None:
            return self.low.conversions.convert(value, pointer, e.span)
        if op == "!":
            return self.low.arithmetic.inverted(self.low.conversions.truth(value, e.span))
        value, scalar = self.low.conversions.arithmetic_value(value, e.span, f"'{op}'")
        type = t.promoted(scalar)
        value = self.low.conversions.convert_scalar(value, scalar, type)
        if op == "-":
            return self.low.arithmetic.negated(value, type)
        if op == "~":
            value, _ = self.low.conversions.integer_value(value, e.span, "'~'")
            if value.constant is not None:
                return number(type, t.wrap(~int(value.constant), type))
            return Value(type, self.context.emit(Op.NOT, type.isa, value.scalar_operand))
        return value

    def step_before(self, e: s.Unary) -> Lvalue | Value:
        """Lower ``++x`` and ``--x``; return the object, or the result of an operator of its struct."""
        overloaded = self.low.calls.operator_function(e.operator, operands_of_step(e), e.span)
        return overloaded if overloaded is not None else self._step(e)[0]

    def step_after(self, e: s.Postfix) -> Value:
        """Lower ``x++`` and ``x--``; return the value before, where it is needed."""
        overloaded = self.low.calls.operator_function(e.operator, operands_of_step(e), e.span)
        if overloaded is not None:
            return self.loaded(overloaded, e.span)
        before = self._step(e)[1]
        return before if self.context.discarded is not e else Value(t.VOID)

    def _step(self, e: s.Unary | s.Postfix) -> tuple[Lvalue, Value]:
        """Add or subtract one; return the object and its value before."""
        place, span = self.low.lvalues.changed_place(e.operand), e.span
        self.low.lvalues.check_assignable(place, span)
        if isinstance(type := t.plain(place.type), t.Enum):
            checks.fail_not_applicable(e.operator, f"a value of type '{type}'", span)
        with self.context.at(span):
            old = self.low.memory.load(place, span)
            result = self.low.arithmetic.binary_values(e.operator[0], old, number(t.INT, 1), span)
            stored = self.low.conversions.convert(result, t.plain(place.type), span, explicit=True)
            self.low.memory.store(place, stored, span)
        return place, old

    def binary(self, e: s.Binary) -> Value:
        overloaded = self.low.calls.operator_function(e.operator, [e.left, e.right], e.span)
        if overloaded is not None:
            return self.loaded(overloaded, e.span)
        if (meant := rewritten_comparison(self.low.semantics.typer, e)) is not None:
            return self.rvalue(meant)
        if e.operator == "<=>":
            unsupported.THREE_WAY.stop(e.span)
        if e.operator == ",":
            self.effect(e.left)
            return self.rvalue(e.right)
        if e.operator in ("&&", "||"):
            return self.logical(e)
        left = self.rvalue(e.left)
        right = self.rvalue(e.right)
        return self.low.arithmetic.binary_values(e.operator, left, right, e.span)

    def logical(self, e: s.Binary) -> Value:
        """Lower && and ||: predicate logic where the right side is cheap and harmless, else a branch around it."""
        stops = e.operator == "||"
        left = self.low.conversions.truth(self.rvalue(e.left), e.left.span)
        if left.constant is not None:
            return (
                number(t.BOOL, stops)
                if bool(left.constant) == stops
                else self.low.conversions.truth(self.rvalue(e.right), e.span)
            )
        if is_cheap(e.right, self.low):
            right = self.low.conversions.truth(self.rvalue(e.right), e.right.span)
            return self.low.arithmetic.combine_predicates("|" if stops else "&", left, right)
        result = self.low.objects.temporary(t.BOOL, e)
        rest, done = self.context.builder.new_block("rhs"), self.context.builder.new_block("end")
        self.low.memory.store(result, left, e.span)
        condition = self.low.memory.load(result, e.span).scalar_operand
        with self.low.destructors.fork():
            self.context.builder.branch(condition, *((done, rest) if stops else (rest, done)))
            self.context.builder.place(rest)
            self.low.memory.store(result, self.low.conversions.truth(self.rvalue(e.right), e.right.span), e.span)
        self.context.builder.place(done)
        return self.low.memory.load(result, e.span)

    def conditional(self, e: s.Conditional) -> Value:
        """Lower condition ? then : other; both cheap: a selection, else a branch."""
        condition = self.low.conversions.truth(self.rvalue(e.condition), e.condition.span)
        type = t.decayed(self.low.semantics.conditional_types.operand(e).type)
        if condition.constant is not None:
            value = self.rvalue(e.then if condition.constant else e.other)
            return value if t.same(value.type, type) else self.low.conversions.convert(value, type, e.span)
        if isinstance(type, t.Closure):
            refuse("choosing one of two functions or lambdas when the kernel runs is not supported", e.span)
        if isinstance(type, t.Void):
            self._choose(condition, e, None)
            return Value(t.VOID)
        scalar = t.arithmetic(type)
        if scalar is not None and is_cheap(e.then, self.low) and is_cheap(e.other, self.low):
            then = self.low.conversions.convert(self.rvalue(e.then), type, e.span)
            other_value = self.low.conversions.convert(self.rvalue(e.other), type, e.span)
            return Value(type, self._selected(scalar, condition, then, other_value))
        result = self.low.objects.temporary(type, e)
        self._choose(condition, e, result)
        return self.low.destructors.temporary(self.low.memory.load(result, e.span))

    def conditional_place(self, e: s.Conditional) -> Lvalue:
        """Return the object that ``condition ? then : other`` names, by its address."""
        type = self.chosen_type(e)
        condition = self.low.conversions.truth(self.rvalue(e.condition), e.condition.span)
        if condition.constant is not None:
            place = self.low.lvalues.place(e.then if condition.constant else e.other)
            return Lvalue(place.address.plus(base_offset(place.type, type) or 0), type)
        result = self.low.objects.temporary(t.Pointer(type), e)

        def note(arm: s.Expression) -> None:
            place = self.low.lvalues.place(arm)
            address = self.low.objects.in_memory(place.address).plus(base_offset(place.type, type) or 0)
            self.low.memory.store(result, Value(t.Pointer(type), address=address), arm.span)

        self.either(condition, e, note)
        return self.low.lvalues.dereferenced(self.low.memory.load(result, e.span), e.span)

    def _chosen_object(self, e: s.Conditional) -> Lvalue | Value:
        """Return one of two objects itself where its copy would not be the same; else its value."""
        found = self.low.semantics.conditional_types.operand(e)
        is_place = found.is_lvalue and not is_copied_as_bytes(found.type)
        return self.conditional_place(e) if is_place else self.conditional(e)

    def chosen_type(self, e: s.Conditional) -> t.CType:
        """Return the type of the two objects of which one is meant."""
        found = self.low.semantics.conditional_types.operand(e)
        if not found.is_lvalue:
            then, other = self.low.semantics.typer.type_of(e.then), self.low.semantics.typer.type_of(e.other)
            fail(f"the two objects of '?' have different types, '{then}' and '{other}'", e.span)
        return found.type

    def either(self, condition: Value, e: s.Conditional, write: Callable[[s.Expression], None]) -> None:
        """Write code for one of the two arms, by a branch."""
        then, other, done = (self.context.builder.new_block(h) for h in ("then", "else", "end"))
        with self.low.destructors.fork():
            self.context.builder.branch(condition.scalar_operand, then, other)
            for block, arm in ((then, e.then), (other, e.other)):
                self.context.builder.place(block)
                write(arm)
                self.context.builder.jump(done)
        self.context.builder.place(done)

    def _selected(self, scalar: t.Scalar, condition: Value, then: Value, other: Value) -> ir.Value:
        operands = (then.scalar_operand, other.scalar_operand, condition.scalar_operand)
        if scalar.register != Type.PRED:
            return self.context.emit(Op.SELP, scalar.register, *operands)
        return self.context.emit(Op.SELP, Type.PRED, *operands)

    def _choose(self, condition: Value, e: s.Conditional, result: Lvalue | None) -> None:
        """Evaluate one of the two arms, into ``result`` where there is one."""

        def write(arm: s.Expression) -> None:
            if result is None:
                self.effect(arm)
            else:
                value = self.low.copies.initial_value(arm, result.type)
                value = self.low.destructors.adopt(self.low.conversions.convert(value, result.type, arm.span))
                self.low.memory.store(result, value, arm.span)

        self.either(condition, e, write)

    # ----------------------------------------------------------------------------------------------- casts
    def cast(self, e: s.Cast) -> Value:
        if isinstance(e.type, s.ReferenceType):
            return self.loaded(self.lvalue(e), e.span)
        to = self.low.semantics.types.resolve(e.type)
        if isinstance(to, t.Void):
            self.effect(e.operand)
            return Value(t.VOID)
        if isinstance(to, t.Struct) and not isinstance(e.operand, s.InitList):
            return self.low.construction.construct(s.Construct(e.span, e.type, [e.operand], braces=False))
        pointer = self.low.function_pointers.named(e.operand, to)
        value = self.rvalue(e.operand) if pointer is None else pointer
        is_null = isinstance(e.operand, s.Literal) and value.constant == 0 and isinstance(to, t.Pointer)
        checks.check_pointer_cast("c" if is_null else e.style, value.type, to, e.span)
        return self.low.conversions.convert(value, to, e.span, explicit=True)
