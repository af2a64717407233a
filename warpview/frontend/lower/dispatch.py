"""Lower a choice that is made when the kernel runs between functions to call: each is written in place, as all are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from warpview.diagnostics import Span
from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend.lower.part import LoweringPart
from warpview.frontend.lower.procedures import CallsItself
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.values import Lvalue, Value
from warpview.isa.ops import Cmp, Op
from warpview.isa.program import Print
from warpview.isa.types import Type

Write = Callable[[], Value | Lvalue]
Choice = tuple[tuple[int, ...], Write]  # the numbers that choose it, and what writes the call


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
            for numbers, write in choices:
                there, following = builder.new_block("call"), builder.new_block("test")
                self._test(number, numbers, there, following)
                builder.place(there)
                given = write()
                if place is not None and not isinstance(given.type, t.Void):
                    value = self._kept(given, kept, is_reference, node)
                    self.low.memory.store(place, value, span)
                builder.jump(done)
                builder.place(following)
            self.stop(otherwise, span)
            builder.place(done)
        if place is None:
            return Value(t.VOID)
        value = self.low.memory.load(place, span)
        return self.low.lvalues.dereferenced(value, span) if is_reference else self.low.destructors.temporary(value)

    def stop(self, message: str, span: Span) -> Value:
        """Stop the launch with a message."""
        self.context.function.asserts.append(Print(message, span, is_assertion=False))
        self.context.builder.effect(Op.TRAP, Type.U32, imm=len(self.context.function.asserts) - 1)
        return Value(t.VOID)

    def not_again(self, function: object, name: str, write: Write, span: Span) -> Write:
        """Return what writes a call. Where the function is being written already it may be a recursion, and is taken
        for one; by a pointer the launch stops there: which function is called is only known then."""
        if all(frame.function is not function for frame in self.context.frames):
            return write
        if isinstance(function, s.FunctionDeclaration):
            if function not in self.low.procedures.chosen:
                raise CallsItself(function)
            return write
        return partial(
            self.stop, f"'{name}' calls itself, which only NVIDIA's compiler supports (--compiler nvrtc)", span
        )

    def _test(self, number: ir.Value, numbers: tuple[int, ...], there: ir.BasicBlock, other: ir.BasicBlock) -> None:
        """Go to one block where a number is one of several, and to another one where it is none of them."""
        for chosen in numbers:
            following = other if chosen == numbers[-1] else self.context.builder.new_block("test")
            equal = self.context.emit(Op.SETP, Type.U64, number, ir.const(Type.U64, chosen), mod=Cmp.EQ)
            self.context.builder.branch(equal, there, following)
            if following is not other:
                self.context.builder.place(following)

    def _kept(self, given: Value | Lvalue, type: t.CType, is_reference: bool, node: s.Call) -> Value:
        """Return what is kept of the result of one of the calls: its address where it is a reference."""
        if is_reference and isinstance(given, Lvalue):
            return Value(type, address=self.low.objects.in_memory(given.address))
        value = self.low.conversions.convert(self.low.expressions.loaded(given, node.span), type, node.span)
        return self.low.destructors.adopt(value)
