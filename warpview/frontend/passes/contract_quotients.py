"""Join approximate quotients with the sums that take them, as ptxas does.

Such a quotient is the product of the dividend and the reciprocal of the divisor, both scaled where the divisor is
subnormal. LLVM does not see that product: a sum that it has left takes it, by the rule of halves (``contract_halves``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from warpview.frontend.flow import reverse_postorder
from warpview.frontend.ir import Const, Function, Instr, Reg, Value
from warpview.frontend.passes.contraction import Contraction, Product
from warpview.frontend.passes.loop_homes import LoopHomes
from warpview.frontend.passes.places import Place, is_copy, is_sum
from warpview.frontend.passes.unroll_loops import short_loops
from warpview.isa.ops import Approximation, Cmp, Op
from warpview.isa.types import Type

LEAST_NORMAL, ONE, RAISED = (Const(Type.F32, bits) for bits in (0x00800000, 0x3F800000, 0x4B800000))  # 2^-126, 1, 2^24


class OfQuotients(Contraction):
    """Join quotients of F32."""

    commutes = False
    is_copy = staticmethod(is_copy)

    def __init__(self, function: Function) -> None:
        super().__init__(function)
        self._homes = LoopHomes(function, self.places, {loop.head for loop in short_loops(function)})

    @staticmethod
    def is_product(instr: Instr) -> bool:
        return instr.op == Op.APPROX2 and instr.mod == Approximation.DIV and instr.contracts and instr.guard is None

    @staticmethod
    def is_sum(instr: Instr) -> bool:
        return instr.type == Type.F32 and is_sum(instr)

    def joinable(self) -> Iterator[tuple[Place, bool]]:
        for block in reverse_postorder(self.function):
            for index in range(len(block.instrs)):
                yield (block, index), False

    def rank(self, instr: Instr, product: Product) -> int:
        return product.of.uses

    def may_take(self, place: Place, instr: Instr, product: Product, is_early: bool) -> bool:
        return not self._homes.is_deeper(place, product.place)

    def multiply_add(
        self, instr: Instr, product: Product, factors: tuple[Value, ...], addend: Value, position: int
    ) -> Iterator[Instr]:
        made: list[Instr] = []

        def emit(op: Op, *srcs: Value, type: Type = Type.F32, mod: int = 0) -> Reg:
            result = self.function.reg(type)
            made.append(replace(instr, op=op, srcs=srcs, dsts=(result,), mod=mod, contracts=False))
            return result

        dividend, divisor = factors
        is_small = emit(Op.SETP, emit(Op.ABS, divisor), LEAST_NORMAL, type=Type.PRED, mod=Cmp.LT)
        scale = emit(Op.SELP, RAISED, ONE, is_small)
        reciprocal = emit(Op.APPROX1, emit(Op.MUL, divisor, scale), mod=Approximation.RCP_FTZ)
        numerator: Value = emit(Op.MUL, dividend, scale)
        if instr.op == Op.SUB and position == 0:
            addend = emit(Op.NEG, addend)
        elif instr.op == Op.SUB:
            numerator = emit(Op.NEG, numerator)
        yield from made
        yield replace(instr, op=Op.FMA, srcs=(reciprocal, numerator, addend), contracts=False)
