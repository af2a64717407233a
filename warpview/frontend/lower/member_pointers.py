"""Lower uses of pointers to members: a place in an object, and a call as a choice between functions."""

from __future__ import annotations

from functools import partial

from warpview.frontend import syntax as s
from warpview.frontend.lower.dispatch import Choice
from warpview.frontend.lower.part import LoweringPart
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.values import Lvalue, Value

NO_MEMBER = "a call by a pointer to a member that points to no function"


class MemberPointerUses(LoweringPart):
    def is_function(self, e: s.PointedMember) -> bool:
        """Return whether a function is what a pointer names, and not a member with a value."""
        typer = self.low.semantics.typer
        return self.low.semantics.member_pointers.pointer_type(typer.type_of(e.pointer), e.span).is_of_function

    def place(self, e: s.PointedMember) -> Lvalue:
        """Return the member of an object that a pointer names."""
        if self.is_function(e):
            fail("a function that a pointer to a member names can only be called", e.span)
        object, pointer = self._object(e), self.low.expressions.rvalue(e.pointer)
        place = self.low.semantics.member_pointers.member(object, pointer.type, e.span)
        address = self.low.memory.advanced(place.address, pointer, 1, e.span)
        return Lvalue(address, place.type)

    def call(self, e: s.PointedMember, node: s.Call) -> Value | Lvalue:
        """Call the function that a pointer names, directly where that is known."""
        members = self.low.semantics.member_pointers
        object, pointer = self._object(e), self.low.expressions.rvalue(e.pointer)
        type = members.pointer_type(pointer.type, e.span)
        assert isinstance(type.to, t.FunctionSignature)
        part = members.member(object, type, e.span)
        arguments = self.low.function_pointers.arguments(type.to, node)
        choices: list[Choice] = []
        for function in members.functions(type):
            owner = t.qualified_member(object.type, function.owner)
            this = Lvalue(part.address.plus(function.offset), owner)
            methods = [function.declaration]
            this = self.low.calls.changeable(this, methods)
            write = partial(self.low.calls.call_candidates, methods, None, node, arguments, this)
            if pointer.constant == function.number:
                return write()
            choices.append(((function.number,), write))
        return self.low.dispatch.one_of(pointer.scalar_operand, choices, type.to.result, node, NO_MEMBER)

    def _object(self, e: s.PointedMember) -> Lvalue:
        """Return the object whose member is meant."""
        base = self.low.expressions.lvalue(e.base)
        if isinstance(base, Lvalue):
            return base
        if base.address is None or not isinstance(t.plain(base.type), t.Struct):
            fail(f"{t.with_article(t.plain(base.type))} has no members to point to", e.span)
        return Lvalue(base.address, base.type)
