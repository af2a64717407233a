"""Lower assignments, plain and compound."""

from __future__ import annotations

from warpview.frontend import syntax as s
from warpview.frontend.lower.part import LoweringPart
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.special_members import check_assignable
from warpview.frontend.semantic.values import Lvalue, Value
from warpview.frontend.syntax.walk import has_effects


class Assignments(LoweringPart):
    def assign(self, e: s.Assign) -> Lvalue | Value:
        """Lower an assignment; return the object, or the result of an operator of its struct."""
        op = f"{e.operator}=" if e.operator else "="
        overloaded = None if e.initialises else self.low.calls.operator_function(op, [e.target, e.value], e.span)
        if overloaded is not None:
            return overloaded
        with self.context.at(e.span):
            if e.initialises and isinstance(e.target, s.Member):
                member = self.low.lvalues.itself(e.target)
                if isinstance(member, Lvalue) and isinstance(member.type, t.ReferenceMember):
                    self.low.initialisers.refer(member, e.value, e.span)
                    return member
                if isinstance(member, Lvalue) and isinstance(t.plain(member.type), t.Closure):
                    self.low.initialisers.initialise(member, e.value, e.span)
                    return member
            if isinstance(e.value, s.InitList):
                place = self.low.lvalues.place(e.target)
                self.low.lvalues.check_assignable(place, e.span, e.initialises)
                self.low.initialisers.initialise(place, e.value, e.span)
                return place
            if self.context.discarded is e and isinstance(e.target, s.Conditional):
                return self._assign_one_of(e, e.target)
            if not e.operator:
                return self._plain_assignment(e)
            # The right side comes first in C++17; that only shows where it changes something.
            value = self.low.expressions.rvalue(e.value) if has_effects(e.value) or has_effects(e.target) else None
            place = self.low.lvalues.changed_place(e.target)
            self.low.lvalues.check_assignable(place, e.span, e.initialises)
            old = self.low.memory.load(place, e.span)
            value = value or self.low.expressions.rvalue(e.value)
            result = self.low.arithmetic.binary_values(e.operator, old, value, e.span)
            self.low.memory.store(
                place, self.low.conversions.convert(result, place.type, e.span, explicit=True), e.span
            )
            return place

    def _assign_one_of(self, e: s.Assign, target: s.Conditional) -> Value:
        """Lower ``(condition ? a : b) = value`` by a branch, so that both variables can stay in registers."""
        value = self.low.expressions.rvalue(e.value)
        condition = self.low.conversions.truth(self.low.expressions.rvalue(target.condition), target.condition.span)
        self.low.expressions.chosen_type(target)

        def assign(arm: s.Expression) -> None:
            place = self.low.lvalues.changed_place(arm) if e.operator else self.low.lvalues.place(arm)
            self.low.lvalues.check_assignable(place, e.span, e.initialises)
            result = value
            if e.operator:
                result = self.low.arithmetic.binary_values(
                    e.operator, self.low.memory.load(place, e.span), value, e.span
                )
            self.low.memory.store(
                place, self.low.conversions.convert(result, place.type, e.span, explicit=bool(e.operator)), e.span
            )

        if condition.constant is not None:
            assign(target.then if condition.constant else target.other)
        else:
            self.low.expressions.either(condition, target, assign)
        return Value(t.VOID)

    def _plain_assignment(self, e: s.Assign) -> Lvalue:
        """Return the right side first, as C++17 has it."""
        if e.initialises:
            value = self.low.copies.initial_value(e.value, self.low.semantics.typer.type_of(e.target))
        else:
            named = self.low.semantics.member_pointers.assigned(e)
            to = self.low.semantics.typer.type_of(e.target)
            named = self.low.function_pointers.named(e.value, to) if named is None else named
            value = self.low.expressions.rvalue(e.value) if named is None else named
        place = self.low.lvalues.place(e.target)
        self.low.lvalues.check_assignable(place, e.span, e.initialises)
        value = self.low.conversions.convert(value, place.type, e.span)
        if not e.initialises:
            check_assignable(place.type, e.span)
        if e.initialises:
            self.low.memory.store(place, self.low.destructors.adopt(value), e.span)
        else:
            self.low.copies.assigned(place, value, e.span)
        return place
