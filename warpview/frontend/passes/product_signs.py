"""Bring the signs of products into the form that LLVM gives them, on which it depends what a sum takes (``contract``).

Read off the PTX that NVRTC 13.0 makes: the sign of a factor becomes that of the product, or of a constant factor; a sum
with a negative product, or with one by a negative constant that nothing else needs, is a difference, and the other way
round. A sign that is left before a product, as the first operand of a difference, becomes that of a factor again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from warpview.frontend.flow import reverse_postorder
from warpview.frontend.ir import BasicBlock, Const, Function, Instr, Reg, Value
from warpview.frontend.passes.dce import remove_dead
from warpview.frontend.passes.liveness import count_uses, liveness, terminator_reads
from warpview.frontend.passes.places import Place, Places, is_product, is_sum
from warpview.isa.ops import Op
from warpview.isa.types import Type

MINUS_ONE = {Type.F32: Const(Type.F32, 0xBF800000), Type.F64: Const(Type.F64, 0xBFF0000000000000)}


def carry_signs(function: Function) -> None:
    """Give every product its sign, and every sum that of its products."""
    _Signs(function).leave_products()
    _Signs(function).enter_constants()
    remove_dead(function)
    signs = _Signs(function)
    signs.enter_sums()
    signs.leave_constants()
    remove_dead(function)
    _Signs(function).enter_first_operands()
    remove_dead(function)


def _opposite(constant: Const) -> Const:
    return Const(constant.type, constant.bits ^ (1 << (63 if constant.type == Type.F64 else 31)))


def _is_negative(value: Value) -> bool:
    return isinstance(value, Const) and value.bits >> (63 if value.type == Type.F64 else 31) == 1


class _Signs:
    def __init__(self, function: Function) -> None:
        self.function = function
        self.places = Places(function)
        self.reads, _ = count_uses(function)
        self.new: dict[Place, list[Instr]] = {}
        self.sizes: dict[Place, Value] = {}  # of products that got a sign: the product without it

    @cached_property
    def _at_end(self) -> dict[BasicBlock, frozenset[Reg]]:
        return liveness(self.function).at_end

    def _maker(self, value: Value, before: Place) -> tuple[Place, Instr] | None:
        place = self.places.maker_before(value, before)
        return None if place is None else (place, place[0].instrs[place[1]])

    def _is_read_once(self, place: Place) -> bool:
        """Return whether one instruction alone reads what the one at a place gives."""
        block, index = place
        value = block.instrs[index].dsts[0]
        if self.places.writes[value] == 1:
            return self.reads[value] == 1
        written = self.places.written_at[block, value]
        later = written[written.index(index) + 1 :]
        end = later[0] + 1 if later else len(block.instrs)
        count = sum(instr.reads.count(value) for instr in block.instrs[index + 1 : end])
        leaves = not later and (value in self._at_end[block] or value in terminator_reads(block))
        return count == 1 and not leaves

    def _renew(self) -> None:
        for block in self.function.blocks:
            instrs = enumerate(block.instrs)
            block.instrs = [new for index, instr in instrs for new in self.new.get((block, index), [instr])]

    # ------------------------------------------------------------------------------------------------ products

    def leave_products(self) -> None:
        """Compute ``-x * y`` as ``-(x * y)``, or by the opposite of a constant y."""
        for block in reverse_postorder(self.function):
            for index, instr in enumerate(block.instrs):
                if is_product(instr):
                    self._leave_product((block, index), instr)
        self._renew()

    def _leave_product(self, place: Place, instr: Instr) -> None:
        other = next((b for a, b in zip(instr.srcs, instr.srcs[::-1], strict=True) if a == MINUS_ONE[a.type]), None)
        if other is not None:
            self.new[place] = [replace(instr, op=Op.NEG, srcs=(other,), contracts=False)]
            return
        sizes = [self._without_sign(value, place) for value in instr.srcs]
        if sizes == [None, None]:
            return
        factors = [size or value for size, value in zip(sizes, instr.srcs, strict=True)]
        if None not in sizes:
            self.new[place] = [replace(instr, srcs=tuple(factors))]
        elif any(isinstance(value, Const) for value in factors):
            opposites = (_opposite(value) if isinstance(value, Const) else value for value in factors)
            self.new[place] = [replace(instr, srcs=tuple(opposites))]
        else:
            size = self.function.reg(instr.type)
            negation = replace(instr, op=Op.NEG, srcs=(size,), contracts=False)
            self.new[place] = [replace(instr, srcs=tuple(factors), dsts=(size,)), negation]
            self.sizes[place] = size

    def _without_sign(self, value: Value, place: Place) -> Value | None:
        """Return what a value is the negative of; None where it has no sign."""
        made = self._maker(value, place)
        if made is None:
            return None
        if made[0] in self.sizes:
            return self.sizes[made[0]]
        is_negation = made[1].op == Op.NEG and made[1].guard is None
        return made[1].srcs[0] if is_negation and self.places.is_same(made[0], place) else None

    def enter_constants(self) -> None:
        """Compute ``-(x * 3)`` as ``x * -3`` where nothing else needs the product."""
        for place, negation, (maker, product) in self._negations():
            if any(isinstance(value, Const) for value in product.srcs) and self._is_read_once(maker):
                opposites = tuple(_opposite(v) if isinstance(v, Const) else v for v in product.srcs)
                if self.places.is_same(maker, place):
                    self.new[place] = [replace(product, srcs=opposites, dsts=negation.dsts, span=negation.span)]
        self._renew()

    def _negations(self) -> list[tuple[Place, Instr, tuple[Place, Instr]]]:
        """Return the negations of products: each with its place, and the product with its own."""
        return [
            ((block, index), instr, made)
            for block in self.function.blocks
            for index, instr in enumerate(block.instrs)
            if instr.op == Op.NEG and instr.guard is None
            if (made := self._maker(instr.srcs[0], (block, index))) is not None and is_product(made[1])
        ]

    def enter_first_operands(self) -> None:
        """Compute ``-(x * y) - z`` as ``(-x * y) - z`` where nothing else needs the product."""
        differences = {
            self.places.maker_before(instr.srcs[0], (block, index))
            for block in self.function.blocks
            for index, instr in enumerate(block.instrs)
            if instr.op == Op.SUB and is_sum(instr)
        }
        for place, negation, (maker, product) in self._negations():
            once = self._is_read_once(maker) and self._is_read_once(place)
            if place in differences and once and self.places.is_same(maker, place):
                factor = self.function.reg(product.type)
                sign = replace(negation, srcs=product.srcs[:1], dsts=(factor,))
                self.new[place] = [sign, replace(product, srcs=(factor, product.srcs[1]), dsts=negation.dsts)]
        self._renew()

    # ------------------------------------------------------------------------------------------------ sums

    def enter_sums(self) -> None:
        """Compute ``a + -b`` as ``a - b`` and ``a - -b`` as ``a + b``, where b is a product."""
        for block in self.function.blocks:
            for index, instr in enumerate(block.instrs):
                once = self._without_signs((block, index), instr)
                block.instrs[index] = self._without_signs((block, index), once)

    def _without_signs(self, place: Place, instr: Instr) -> Instr:
        if not is_sum(instr):
            return instr
        a, b = instr.srcs
        if instr.op == Op.ADD and self._negated(a, place) is not None:
            a, b = b, a
        product = self._negated(b, place)
        if product is None:
            return instr
        return replace(instr, op=Op.SUB if instr.op == Op.ADD else Op.ADD, srcs=(a, product))

    def _negated(self, value: Value, place: Place) -> Value | None:
        """Return the product of which a value is the negative; None where it is of none."""
        made = self._maker(value, place)
        if made is None or made[1].op != Op.NEG or not self.places.is_same(made[0], place):
            return None
        product = self._maker(made[1].srcs[0], made[0])
        return made[1].srcs[0] if product is not None and is_product(product[1]) else None

    def leave_constants(self) -> None:
        """Compute ``a + b * -3`` as ``a - b * 3``, and ``a - b * -3`` or ``a - b * -3 * c`` as a sum, where nothing
        else needs the products; the first one of the code comes first."""
        readers = {
            maker: (block, index)
            for block in self.function.blocks
            for index, instr in enumerate(block.instrs)
            if is_sum(instr) or is_product(instr)
            for value in instr.srcs
            if (maker := self.places.maker_before(value, (block, index))) is not None
        }
        for block in reverse_postorder(self.function):
            for index, product in enumerate(block.instrs):
                is_negative = is_product(product) and any(map(_is_negative, product.srcs))
                if is_negative and self._is_flipped((block, index), readers):
                    sizes = tuple(_opposite(v) if _is_negative(v) else v for v in product.srcs)  # type: ignore[arg-type]
                    block.instrs[index] = replace(product, srcs=sizes)

    def _is_flipped(self, place: Place, readers: Mapping[Place, Place]) -> bool:
        """Make a difference of a sum, or a sum of a difference, that a product ends; return whether there is one."""
        is_direct, product, passed = True, place[0].instrs[place[1]], {place}
        while self._is_read_once(place) and (reader := readers.get(place)) is not None:
            instr = reader[0].instrs[reader[1]]
            if is_product(instr):
                if reader in passed:
                    return False  # of a variable that has no value at first
                passed.add(reader)
                is_direct, place, product = False, reader, instr
                continue
            a, b = instr.srcs
            if instr.op == Op.ADD and is_direct and a == product.dsts[0]:
                a, b = b, a
            if b != product.dsts[0] or (instr.op == Op.ADD and not is_direct):
                return False
            opposite = Op.SUB if instr.op == Op.ADD else Op.ADD
            reader[0].instrs[reader[1]] = replace(instr, op=opposite, srcs=(a, b))
            return True
        return False
