"""Join products of floats with the sums and differences that take them, as NVIDIA's compiler does.

Its rule, read off machine code that NVRTC 13.0 makes for compute capability 9.0: differences come first and then sums,
the last one of the code first. Each takes an operand as a product where every use of that product which is left is a
sum or a difference, wherever it stands. Of two such operands a difference takes the one with fewer uses, or else the
first; a sum takes the one that LLVM puts first (``ranks``). A product that anything else needs as well, a store or
another product, stays one; so does one that was added to a product, one that is added to itself, one by 2 in a
difference, which is a sum, and one of two registers that is computed before the loop of its sum (``loop_homes``). Signs
of products are brought to LLVM's form first (``product_signs``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from warpview.frontend.ir import Const, Function, Instr, Value
from warpview.frontend.passes.contraction import Contraction, Product, is_addition
from warpview.frontend.passes.loop_homes import LoopHomes
from warpview.frontend.passes.places import Place, is_copy, is_product, is_sum
from warpview.frontend.passes.ranks import ranks
from warpview.isa.ops import Op
from warpview.isa.types import Type

MANY_USES = 5  # from here on LLVM takes a product for needed anyway
TWO = {Type.F32: 0x40000000, Type.F64: 0x4000000000000000}


class OfFloats(Contraction):
    """Join products of F32 and F64 as LLVM does, and then ptxas."""

    is_product, is_sum, is_copy = staticmethod(is_product), staticmethod(is_sum), staticmethod(is_copy)

    def __init__(self, function: Function) -> None:
        super().__init__(function)
        self._ranks = ranks(function)
        self._homes = LoopHomes(function, self.places)

    def joinable(self) -> Iterator[tuple[Place, bool]]:
        for adds, is_early in ((True, True), (False, False), (True, False)):
            for block in reversed(self.function.blocks):
                for index in reversed(range(len(block.instrs))):
                    instr = block.instrs[index]
                    if is_sum(instr) and is_addition(instr) == adds:
                        yield (block, index), is_early

    def rank(self, instr: Instr, product: Product) -> int:
        return self._ranks[product.place] if instr.op == Op.ADD else product.of.uses

    def may_take(self, place: Place, instr: Instr, product: Product, is_early: bool) -> bool:
        if is_early and not (product.of.is_only_added and product.of.uses < MANY_USES):
            return False
        factors = product.instr.srcs
        if instr.op == Op.SUB and Const(instr.type, TWO[instr.type]) in factors:
            return False
        in_registers = not any(isinstance(factor, Const) for factor in factors)
        return not (in_registers and self._homes.is_deeper(place, product.place))

    def multiply_add(
        self, instr: Instr, product: Product, factors: tuple[Value, ...], addend: Value, position: int
    ) -> Iterator[Instr]:
        first, second = factors
        if instr.op == Op.SUB and position == 0:
            signs, addend = self._with_sign(instr, addend)
            yield from signs
        elif instr.op == Op.SUB:
            first, second = (second, first) if isinstance(second, Const) else (first, second)
            signs, first = self._with_sign(instr, first)
            yield from signs
        yield replace(instr, op=Op.FMA, srcs=(first, second, addend))

    def _with_sign(self, instr: Instr, value: Value) -> tuple[list[Instr], Value]:
        """Return the negative of a value, and what computes it."""
        if isinstance(value, Const):
            return [], Const(value.type, value.bits ^ (1 << (63 if instr.type == Type.F64 else 31)))
        negative = self.function.reg(instr.type)
        return [replace(instr, op=Op.NEG, srcs=(value,), dsts=(negative,), contracts=False)], negative
