"""Join products of halves and bfloat16 with the sums that take them, as ptxas does.

Its rule, read off machine code of ptxas 13.0 for compute capability 9.0: LLVM sees instructions of PTX that it cannot
join. Sums and differences come in the order of the code. Each takes an operand as a product where every use of that
product which is left is a sum or a difference: of two such operands the one with fewer uses, or else the first. An
opposite is an operand's sign. A product that is computed before the loop of a sum stays one where NVRTC does not write
the loop out, and two of the same factors are two. The numbers of a pair are joined with those of a pair, each with the
one of its place and both or neither.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from warpview.frontend.flow import reverse_postorder
from warpview.frontend.ir import Const, Function, Instr, Reg, Value
from warpview.frontend.passes.contraction import Contraction, Factors, Product
from warpview.frontend.passes.loop_homes import LoopHomes
from warpview.frontend.passes.places import Place
from warpview.frontend.passes.unroll_loops import short_loops
from warpview.isa.ops import HalfFn, Op
from warpview.isa.types import Type

MINUS_ZERO = 0x8000
_LOWER, _UPPER = 1, 2
_PRODUCTS = (HalfFn.MUL_F16, HalfFn.MUL_BF16)
_DIFFERENCES = (HalfFn.SUB_F16, HalfFn.SUB_BF16)
_SUMS = (HalfFn.ADD_F16, HalfFn.ADD_BF16, *_DIFFERENCES)


class OfHalves(Contraction):
    """Join products of numbers of 16 bits."""

    unites_equals = False

    def __init__(self, function: Function) -> None:
        super().__init__(function)
        self._homes = LoopHomes(function, self.places, {loop.head for loop in short_loops(function)})
        self._partners: dict[Factors, Factors] = {}  # of the numbers of a pair

    @staticmethod
    def is_product(instr: Instr) -> bool:
        return _contracts(instr) and instr.mod in _PRODUCTS

    @staticmethod
    def is_sum(instr: Instr) -> bool:
        return _contracts(instr) and instr.mod in _SUMS and instr.srcs[0] != instr.srcs[1]

    @staticmethod
    def is_copy(instr: Instr) -> bool:
        is_number = bool(instr.srcs) and isinstance(instr.srcs[0], Reg) and instr.srcs[0].type == Type.U16
        return instr.op == Op.MOV and instr.type == Type.U16 and is_number and instr.guard is None

    def is_opposite(self, instr: Instr) -> bool:
        is_difference = instr.op == Op.OP16 and instr.mod in _DIFFERENCES and instr.guard is None
        return is_difference and instr.srcs[0] == Const(Type.U16, MINUS_ZERO)

    def takes(self, instr: Instr, product: Product) -> bool:
        return self.is_sum(instr) and instr.lane == product.instr.lane and _is_bf16(instr) == _is_bf16(product.instr)

    def joinable(self) -> Iterator[tuple[Place, bool]]:
        self._find_partners()
        for block in reverse_postorder(self.function):
            for index in range(len(block.instrs)):
                yield (block, index), False

    def _find_partners(self) -> None:
        """Note which products are made as the two numbers of a pair: the upper one directly behind the lower one."""
        for block in self.function.blocks:
            lanes = [(i, instr) for i, instr in enumerate(block.instrs) if self.is_product(instr) and instr.lane]
            for (first, lower), (second, upper) in pairwise(lanes):
                if (lower.lane, upper.lane) == (_LOWER, _UPPER) and lower.mod == upper.mod:
                    one, other = self.product((block, first), lower).of, self.product((block, second), upper).of
                    self._partners[one], self._partners[other] = other, one

    def rank(self, instr: Instr, product: Product) -> int:
        partner = self._partners.get(product.of)
        return product.of.uses if partner is None else max(product.of.uses, partner.uses)

    def may_take(self, place: Place, instr: Instr, product: Product, is_early: bool) -> bool:
        partner = self._partners.get(product.of)
        return (partner is None or partner.joins) and not self._homes.is_deeper(place, product.place)

    def multiply_add(
        self, instr: Instr, product: Product, factors: tuple[Value, ...], addend: Value, position: int
    ) -> Iterator[Instr]:
        is_difference, first = instr.mod in _DIFFERENCES, factors[0]
        if is_difference and position == 0:
            signs, addend = self._with_sign(instr, addend)
            yield from signs
        if product.is_negative != (is_difference and position == 1):
            signs, first = self._with_sign(instr, first)
            yield from signs
        fn = HalfFn.FMA_BF16 if _is_bf16(instr) else HalfFn.FMA_F16
        yield replace(instr, op=Op.FMA16, srcs=(first, factors[1], addend), mod=fn, contracts=False)

    def _with_sign(self, instr: Instr, value: Value) -> tuple[list[Instr], Value]:
        """Return the opposite of a number, and what computes it."""
        if isinstance(value, Const):
            return [], Const(value.type, value.bits ^ MINUS_ZERO)
        negative = self.function.reg(Type.U16)
        fn = HalfFn.SUB_BF16 if _is_bf16(instr) else HalfFn.SUB_F16
        srcs = (Const(Type.U16, MINUS_ZERO), value)
        return [replace(instr, srcs=srcs, dsts=(negative,), mod=fn, contracts=False)], negative


def _contracts(instr: Instr) -> bool:
    return instr.op == Op.OP16 and instr.contracts and instr.guard is None


def _is_bf16(instr: Instr) -> bool:
    return HalfFn(instr.mod).is_bf16
