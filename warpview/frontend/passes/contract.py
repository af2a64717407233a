"""Join products of floats with the sums and differences that take them, as NVIDIA's compiler does.

Its rule, read off machine code that NVRTC 13.0 makes for compute capability 9.0: differences come first and then sums,
the last one of the code first. Each takes an operand as a product where every use of that product which is left is a
sum or a difference, wherever it stands. Of two such operands a difference takes the one with fewer uses, or else the
first; a sum takes the one that LLVM puts first (``ranks``). A product that anything else needs as well, a store or
another product, stays one; so does one that was added to a product, and one that is added to itself.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import ChainMap
from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass, replace

from warpview.frontend.flow import DominatorTree, reverse_postorder
from warpview.frontend.ir import BasicBlock, Const, Function, Instr, Reg, Value
from warpview.frontend.passes.dce import remove_dead
from warpview.frontend.passes.liveness import count_uses, liveness, terminator_reads
from warpview.frontend.passes.ranks import ranks
from warpview.isa.ops import Op
from warpview.isa.types import Type

Place = tuple[BasicBlock, int]  # of an instruction, by its index in the block


def contract(function: Function) -> None:
    """Make one operation of each sum that takes a product; the products become dead."""
    if not any(_is_product(instr) for block in function.blocks for instr in block.instrs):
        return
    places = _Places(function)
    for block in function.blocks:
        block.instrs = [_without_sign(places, (block, index), instr) for index, instr in enumerate(block.instrs)]
    remove_dead(function)
    _Contraction(function).run()


def _is_product(instr: Instr) -> bool:
    return instr.op == Op.MUL and instr.contracts and instr.guard is None


def _is_sum(instr: Instr) -> bool:
    return instr.op in (Op.ADD, Op.SUB) and instr.contracts and instr.guard is None and instr.srcs[0] != instr.srcs[1]


def _is_copy(instr: Instr) -> bool:
    return instr.op == Op.MOV and instr.type.is_float and instr.guard is None


class _Places:
    """Know where a function writes its registers."""

    def __init__(self, function: Function) -> None:
        _, self.writes = count_uses(function)
        self.written_at: dict[tuple[BasicBlock, Value], list[int]] = {}
        self.last: dict[Value, Place] = {}
        for block in function.blocks:
            for index, instr in enumerate(block.instrs):
                for dst in instr.dsts:
                    self.written_at.setdefault((block, dst), []).append(index)
                    self.last[dst] = block, index
        self._tree = DominatorTree(function)

    def maker(self, value: Value | None) -> Place | None:
        """Return the only place that writes a register; None where there are several."""
        return self.last[value] if isinstance(value, Reg) and self.writes[value] == 1 else None

    def is_same(self, first: Place, second: Place) -> bool:
        """Return whether the instruction at a place would give the same once more at another one."""
        sources = first[0].instrs[first[1]].srcs
        return self.comes_before(first, second) and all(self.is_unchanged(v, first, second) for v in sources)

    def is_unchanged(self, value: Value, first: Place, second: Place) -> bool:
        """Return whether a value is the same at two places, of which the first comes before the second."""
        if not isinstance(value, Reg) or not self.writes[value]:
            return True
        if first[0] is second[0]:
            writes = self.written_at.get((first[0], value), ())
            return bisect_left(writes, first[1]) == bisect_left(writes, second[1])
        maker = self.maker(value)
        return maker is not None and self.comes_before(maker, first)

    def comes_before(self, first: Place, second: Place) -> bool:
        """Return whether every way to the second place leads over the first."""
        if first[0] is second[0]:
            return first[1] < second[1]
        return self._tree.dominates(first[0], second[0])


def _without_sign(places: _Places, place: Place, instr: Instr) -> Instr:
    """Return ``a + -b`` as ``a - b`` and ``a - -b`` as ``a + b``, where b is a product."""
    if not _is_sum(instr):
        return instr
    a, b = instr.srcs
    if instr.op == Op.ADD and _negated(places, a, place) is not None:
        a, b = b, a
    product = _negated(places, b, place)
    if product is None:
        return instr
    return replace(instr, op=Op.SUB if instr.op == Op.ADD else Op.ADD, srcs=(a, product))


def _negated(places: _Places, value: Value, place: Place) -> Value | None:
    """Return the product of which a value is the negative; None where it is of none."""
    negation = places.maker(value)
    if negation is None or negation[0].instrs[negation[1]].op != Op.NEG or not places.is_same(negation, place):
        return None
    product = negation[0].instrs[negation[1]].srcs[0]
    maker = places.maker(product)
    return product if maker is not None and _is_product(maker[0].instrs[maker[1]]) else None


@dataclass(eq=False)
class _Factors:
    """Count the uses that are left of a product, wherever it is computed; ``joins`` while all of them are sums."""

    uses: int = 0
    joins: bool = True


@dataclass(eq=False)
class _Product:
    place: Place
    instr: Instr
    of: _Factors


class _Contraction:
    def __init__(self, function: Function) -> None:
        self.function = function
        self.places = _Places(function)
        self.taken: dict[tuple[BasicBlock, int, Value], _Product] = {}  # the products among the operands of sums
        self.ranks = ranks(function)
        self.copies: dict[tuple[Place, Reg], Reg] = {}  # of factors, made where their product is
        self.products: dict[tuple[Type, frozenset[Value]], list[_Product]] = {}

    def run(self) -> None:
        self._find_uses()
        joined: dict[Place, list[Instr]] = {}
        for op in (Op.SUB, Op.ADD):
            for block in reversed(self.function.blocks):
                for index in reversed(range(len(block.instrs))):
                    if block.instrs[index].op == op:
                        joined[block, index] = list(self._joined((block, index), block.instrs[index]))
        for (place, factor), copy in self.copies.items():
            product = place[0].instrs[place[1]]
            before = replace(product, op=Op.MOV, srcs=(factor,), dsts=(copy,), contracts=False)
            joined[place] = [before, *joined.get(place, [product])]
        for block in self.function.blocks:
            instrs = enumerate(block.instrs)
            block.instrs = [new for index, instr in instrs for new in joined.get((block, index), [instr])]

    def _find_uses(self) -> None:
        """Note which operands are products, and which products something else than a sum takes."""
        everywhere = self._known_everywhere()
        at_end = liveness(self.function).at_end
        for block in self.function.blocks:
            here: dict[Value, _Product] = {}  # in registers that are written several times
            known = ChainMap(here, everywhere)
            for index, instr in enumerate(block.instrs):
                self._note(instr, (block, index), known)
            for value, product in here.items():
                product.of.joins &= value not in at_end[block]
            for value in terminator_reads(block):
                if (read := known.get(value)) is not None:
                    read.of.joins = False

    def _known_everywhere(self) -> dict[Value, _Product]:
        """Return the products, and copies of them, in registers that are written once."""
        found: dict[Value, _Product] = {}
        for block in reverse_postorder(self.function):
            for index, instr in enumerate(block.instrs):
                if len(instr.dsts) != 1 or self.places.writes[instr.dsts[0]] != 1:
                    continue
                if _is_product(instr):
                    found[instr.dsts[0]] = self._product((block, index), instr)
                elif _is_copy(instr) and instr.srcs[0] in found:
                    found[instr.dsts[0]] = found[instr.srcs[0]]
        return found

    def _product(self, place: Place, instr: Instr) -> _Product:
        """Return a product, which counts as the same as one that is at hand already."""
        alike = self.products.setdefault((instr.type, frozenset(instr.srcs)), [])
        same = next((p for p in alike if self.places.is_same(p.place, place)), None)
        alike.append(_Product(place, instr, _Factors() if same is None else same.of))
        return alike[-1]

    def _note(self, instr: Instr, place: Place, known: MutableMapping[Value, _Product]) -> None:
        """Note what an instruction does with the products that are ``known`` before it, and which are so behind it."""
        copied = known.get(instr.srcs[0]) if _is_copy(instr) else None
        for value in instr.reads if copied is None else ():
            if (product := known.get(value)) is not None:
                self.taken[*place, value] = product
                product.of.uses += 1
                product.of.joins &= _is_sum(instr)
        for dst in instr.dsts:
            if self.places.writes[dst] > 1:
                known.pop(dst, None)
                if _is_product(instr):
                    known[dst] = self._product(place, instr)
                elif copied is not None:
                    known[dst] = copied

    def _joined(self, place: Place, instr: Instr) -> Iterator[Instr]:
        """Yield what an instruction becomes: itself, or the operation of a sum and a product."""
        operands = enumerate(instr.srcs if _is_sum(instr) else ())
        products = [(p, position) for position, v in operands if (p := self.taken.get((*place, v))) is not None]
        products.sort(key=lambda found: self.ranks[found[0].place] if instr.op == Op.ADD else found[0].of.uses)
        for product, position in products:
            if not product.of.joins or not self.places.comes_before(product.place, place):
                continue
            product.of.uses -= 1
            other = instr.srcs[1 - position]
            if (addend := self.taken.get((*place, other))) is not None:
                addend.of.joins = False
            factors = tuple(self._kept(value, product.place, place) for value in product.instr.srcs)
            yield from self._multiply_add(instr, factors, other, position)
            return
        yield instr

    def _kept(self, factor: Value, product: Place, place: Place) -> Value:
        """Return what holds a factor of a product at the place of a sum: a copy where it changes on the way."""
        if self.places.is_unchanged(factor, product, place):
            return factor
        assert isinstance(factor, Reg)
        if (product, factor) not in self.copies:
            self.copies[product, factor] = self.function.reg(factor.type)
        return self.copies[product, factor]

    def _multiply_add(
        self, instr: Instr, factors: tuple[Value, ...], addend: Value, position: int
    ) -> Iterator[Instr]:  # fmt: skip
        """Yield the operation of a product, at a position of a sum, and an addend; in a difference behind a sign."""
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
