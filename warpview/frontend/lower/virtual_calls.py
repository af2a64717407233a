"""Lower calls of virtual functions: a choice by the number of the object's class."""

from __future__ import annotations

from functools import partial

from warpview.diagnostics import Span
from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend.lower.dispatch import Choice, Write
from warpview.frontend.lower.inlining import Argument
from warpview.frontend.lower.part import LoweringPart
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import DESTRUCTOR, class_offsets, is_destroyed, methods_of
from warpview.frontend.semantic.overload_resolution import Chosen
from warpview.frontend.semantic.scopes import Scope
from warpview.frontend.semantic.type_resolution import scope_of
from warpview.frontend.semantic.values import Lvalue, Value, number

NO_CLASS = "a call of a virtual function of an object that no kernel has constructed"


class VirtualCalls(LoweringPart):
    def set_class(self, place: Lvalue, span: Span) -> None:
        """Write the number of its class into an object that is being constructed or destroyed."""
        struct = t.plain(place.type)
        if isinstance(struct, t.Struct) and struct.info.is_polymorphic:
            value = number(t.ULONG, self.low.semantics.classes.number(struct, span))
            for offset in class_offsets(struct.info):
                self.low.memory.store(Lvalue(place.address.plus(offset), t.ULONG), value, span)

    def call(self, chosen: Chosen, arguments: list[Argument], node: s.Call, this: Lvalue) -> Value | Lvalue | None:
        """Call the function that the class of an object has in place of the one chosen; None where that one is not
        virtual."""
        object, classes = t.plain(this.type), self.low.semantics.classes
        if chosen.owner is None or not isinstance(object, t.Struct) or chosen.declaration.template is not None:
            return None
        owner = t.plain(chosen.owner)
        assert isinstance(owner, t.Struct)
        if not classes.is_virtual(chosen.declaration, owner):
            return None
        arguments = [*arguments, *self._defaults(chosen, len(arguments))]
        choices = []
        for found, numbers in classes.overriders(chosen.declaration, owner, object).items():
            part = Lvalue(this.address.plus(found.offset), found.owner)
            scope = Scope(scope_of(found.owner))
            write: Write = partial(self.low.inliner.inline, found.function, scope, arguments, node, part)
            write = self.low.dispatch.not_again(found.function, found.function.name, write, node.span)
            choices.append((tuple(numbers), write))
        with self.context.scoped(chosen.scope):
            result = self.low.semantics.types.resolve(chosen.declaration.result)
        return self.low.dispatch.one_of(self._class_of(this, node.span), choices, result, node, NO_CLASS)

    def _defaults(self, chosen: Chosen, given: int) -> list[Argument]:
        """Return the arguments that a call leaves out: those of the function that its type names, not of the one that
        overrides it (C++17, 11.3.6)."""
        rest = [p.default for p in chosen.declaration.parameters[given:] if p.default is not None]
        with self.context.scoped(chosen.scope):
            return self.low.calls.arguments(rest)

    def destroy(self, place: Lvalue, node: s.Call) -> None:
        """Destroy the whole object that a place is a part of, where its destructor is virtual."""
        struct = t.plain(place.type)
        destructors = methods_of(struct, DESTRUCTOR)
        classes = self.low.semantics.classes
        if not isinstance(struct, t.Struct) or not any(classes.is_virtual(d, struct) for d in destructors):
            self.low.destructors.destroy(place, node.span)
            return
        whole = [(n, type) for n, type, offset in classes.derived(struct) if not offset]
        plain = tuple(n for n, type in whole if not is_destroyed(type))
        choices: list[Choice] = [
            ((n,), partial(self._destroyed, Lvalue(place.address, type), node.span))
            for n, type in whole
            if is_destroyed(type)
        ]
        if plain:
            choices.append((plain, partial(Value, t.VOID)))
        self.low.dispatch.one_of(self._class_of(place, node.span), choices, t.VOID, node, NO_CLASS)

    def _destroyed(self, place: Lvalue, span: Span) -> Value:
        self.low.destructors.destroy(place, span)
        return Value(t.VOID)

    def _class_of(self, place: Lvalue, span: Span) -> ir.Value:
        struct = t.plain(place.type)
        assert isinstance(struct, t.Struct)
        at = Lvalue(place.address.plus(class_offsets(struct.info)[0]), t.ULONG)
        return self.low.memory.load(at, span).scalar_operand
