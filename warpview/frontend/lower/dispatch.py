"""Lower a choice that is made when the kernel runs between functions to call: each is written in place, as all are."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend.lower.part import LoweringPart
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.values import Lvalue, Value
from warpview.isa.ops import Cmp, Op
from warpview.isa.program import Print
from warpview.isa.types import Type

Choice = tuple[int, Callable[[], Value | Lvalue]]  # the number that chooses it, and what writes the call


class Dispatch(LoweringPart):
    def one_of(
        self, number: ir.Value, choices: Sequence[Choice], result: t.CType, node: s.Call, otherwise: str
    ) -> Value | Lvalue:  # fmt: skip
        """Return the result of the call that a 64-bit number chooses; the launch stops where it chooses none, with
        ``otherwise`` as the message."""
        builder, span = self.context.builder, node.span
        is_reference, is_void = isinstance(result, t.Reference), isinstance(t.plain(result), t.Void)
        kept = t.Pointer(t.plain(result)) if is_reference else t.plain(result)
        place = None if is_void else self.low.objects.temporary(kept, node)
        done = builder.new_block("end")
        with self.low.destructors.fork():
            for chosen, write in choices:
                there, following = builder.new_block("call"), builder.new_block("test")
                equal = self.context.emit(Op.SETP, Type.U64, number, ir.const(Type.U64, chosen), mod=Cmp.EQ)
                builder.branch(equal, there, following)
                builder.place(there)
                given = write()
                if place is not None:
                    value = self._kept(given, kept, is_reference, node)
                    self.low.memory.store(place, value, span)
                builder.jump(done)
                builder.place(following)
            self.context.function.asserts.append(Print(otherwise, span))
            builder.effect(Op.TRAP, Type.U32, imm=len(self.context.function.asserts) - 1)
            builder.place(done)
        if place is None:
            return Value(t.VOID)
        value = self.low.memory.load(place, span)
        return self.low.lvalues.dereferenced(value, span) if is_reference else self.low.destructors.temporary(value)

    def _kept(self, given: Value | Lvalue, type: t.CType, is_reference: bool, node: s.Call) -> Value:
        """Return what is kept of the result of one of the calls: its address where it is a reference."""
        if is_reference and isinstance(given, Lvalue):
            return Value(type, address=self.low.objects.in_memory(given.address))
        value = self.low.conversions.convert(self.low.expressions.loaded(given, node.span), type, node.span)
        return self.low.destructors.adopt(value)
