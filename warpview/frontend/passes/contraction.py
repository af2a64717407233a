"""Join products with the sums and differences that take them: the part that is common to all kinds of them.

What is a product and what a sum, which come first, and which of two products a sum takes is for a subclass to say:
``OfFloats`` (in ``contract_floats``), ``OfHalves`` (``contract_halves``) and ``OfQuotients`` (``contract_quotients``).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import ChainMap, deque
from collections.abc import Iterable, Mapping, MutableMapping
from dataclasses import dataclass, replace

from warpview.frontend.flow import predecessors, reverse_postorder
from warpview.frontend.interruption import checkpoint
from warpview.frontend.ir import BasicBlock, Const, Function, Instr, Reg, Value
from warpview.frontend.passes.liveness import liveness, terminator_reads
from warpview.frontend.passes.places import Place, Places
from warpview.isa.ops import Op
from warpview.isa.types import Type


@dataclass(eq=False)
class Factors:
    """Count the uses that are left of a product, wherever it is computed; ``joins`` while all of them are sums."""

    uses: int = 0
    joins: bool = True
    is_only_added: bool = True  # in the block of the product


@dataclass(eq=False)
class Product:
    place: Place
    instr: Instr
    of: Factors
    is_negative: bool = False  # the value is the opposite of the product
    other: Product | None = None  # the same with the other sign, once something needs it

    def opposite(self) -> Product:
        if self.other is None:
            self.other = Product(self.place, self.instr, self.of, not self.is_negative, self)
        return self.other


def is_addition(instr: Instr) -> bool:
    """Return whether an instruction is a sum to LLVM, which adds the opposite of a constant."""
    return instr.op == Op.ADD or (instr.op == Op.SUB and isinstance(instr.srcs[1], Const))


class Contraction(ABC):
    """Find what each product is needed for, and let sums take products in the order that a subclass says."""

    unites_equals = True  # products of the same factors count as one
    commutes = True  # in any order

    def __init__(self, function: Function) -> None:
        self.function = function
        self.places = Places(function)
        self.taken: dict[tuple[BasicBlock, int, Value], Product] = {}  # the products among the operands of sums
        self.copies: dict[tuple[Place, Reg], Reg] = {}  # of factors, made where their product is
        self.made: dict[Place, Product] = {}
        # By type, factors, and block where a factor changes: no product of another block is known to be the same then.
        self._alike: dict[tuple[Type, frozenset[Value], BasicBlock | None], list[Place]] = {}

    @abstractmethod
    def is_product(self, instr: Instr) -> bool:
        """Return whether a sum may take an instruction's result."""

    @abstractmethod
    def is_sum(self, instr: Instr) -> bool:
        """Return whether an instruction may take a product."""

    @abstractmethod
    def is_copy(self, instr: Instr) -> bool:
        """Return whether an instruction copies a number."""

    def is_opposite(self, instr: Instr) -> bool:
        """Return whether an instruction gives the opposite of its last operand, as a sum can take it."""
        return False

    def takes(self, instr: Instr, product: Product) -> bool:
        """Return whether an instruction is a sum of such numbers as the product is."""
        return self.is_sum(instr)

    @abstractmethod
    def joinable(self) -> Iterable[tuple[Place, bool]]:
        """Yield the places of sums in their order, each with whether it may take early joins alone."""

    @abstractmethod
    def rank(self, instr: Instr, product: Product) -> int:
        """Return a number that is the lower, the sooner a sum takes a product."""

    @abstractmethod
    def may_take(self, place: Place, instr: Instr, product: Product, is_early: bool) -> bool:
        """Return whether a sum may take a product that only sums need."""

    @abstractmethod
    def multiply_add(
        self, instr: Instr, product: Product, factors: tuple[Value, ...], addend: Value, position: int
    ) -> Iterable[Instr]:
        """Yield the operation of a product, at a position of a sum, and an addend, and what it needs before."""

    def run(self) -> None:
        self._find_uses()
        joined: dict[Place, list[Instr]] = {}
        for place, is_early in self.joinable():
            if place not in joined and (found := self._joined(place, place[0].instrs[place[1]], is_early)):
                joined[place] = found
        for (place, factor), copy in self.copies.items():
            product = place[0].instrs[place[1]]
            before = replace(product, op=Op.MOV, srcs=(factor,), dsts=(copy,), mod=0, contracts=False)
            joined[place] = [before, *joined.get(place, [product])]
        for block in self.function.blocks:
            instrs = enumerate(block.instrs)
            block.instrs = [new for index, instr in instrs for new in joined.get((block, index), [instr])]

    def _find_uses(self) -> None:
        """Note which operands are products, and which products something else than a sum takes."""
        everywhere = self._known_everywhere()
        starts = self._known_at_starts(everywhere)
        at_start = liveness(self.function).at_start
        for block, start in starts.items():
            here = dict(start)  # in registers that are written several times
            known = ChainMap(here, everywhere)
            for index, instr in enumerate(block.instrs):
                self._note_reads(instr, (block, index), known)
                self._note_writes(instr, (block, index), known)
            for target in block.successors:
                for value, product in here.items():
                    if value in at_start[target] and starts[target].get(value) is not product:
                        product.of.joins = False
            for value in terminator_reads(block):
                if (read := known.get(value)) is not None:
                    read.of.joins = False

    def _known_at_starts(self, everywhere: dict[Value, Product]) -> dict[BasicBlock, dict[Value, Product]]:
        """Return what products registers hold at the start of each block that are written several times: those that
        they hold on every way to it."""
        preds, order = predecessors(self.function), reverse_postorder(self.function)
        starts: dict[BasicBlock, dict[Value, Product]] = {}
        ends: dict[BasicBlock, dict[Value, Product]] = {}
        work = deque(order)
        while work:
            checkpoint()
            block = work.popleft()
            known = [ends[pred] for pred in preds[block] if pred in ends] if block is not order[0] else []
            here = {v: p for v, p in known[0].items() if all(e.get(v) is p for e in known)} if known else {}
            if starts.get(block) == here and block in ends:
                continue
            starts[block] = dict(here)
            for index, instr in enumerate(block.instrs):
                self._note_writes(instr, (block, index), ChainMap(here, everywhere))
            ends[block] = here
            work.extend(target for target in block.successors if target in ends)
        return starts

    def _known_everywhere(self) -> dict[Value, Product]:
        """Return the products, and copies of them, in registers that are written once."""
        found: dict[Value, Product] = {}
        for block in reverse_postorder(self.function):
            for index, instr in enumerate(block.instrs):
                if len(instr.dsts) != 1 or self.places.writes[instr.dsts[0]] != 1:
                    continue
                if self.is_product(instr):
                    found[instr.dsts[0]] = self.product((block, index), instr)
                elif (copied := self._copied(instr, found)) is not None:
                    found[instr.dsts[0]] = copied
        return found

    def _copied(self, instr: Instr, known: Mapping[Value, Product]) -> Product | None:
        """Return the product, or its opposite, that an instruction copies from a register."""
        product = known.get(instr.srcs[-1]) if instr.srcs else None
        if product is None or not (self.is_copy(instr) or self.is_opposite(instr)):
            return None
        return product.opposite() if self.is_opposite(instr) else product

    def product(self, place: Place, instr: Instr) -> Product:
        """Return the product at a place, which may count as the same as one that is at hand already."""
        if place not in self.made:
            same = self._same_product(place, instr) if self.unites_equals else None
            self.made[place] = Product(place, instr, Factors() if same is None else same.of)
        return self.made[place]

    def _same_product(self, place: Place, instr: Instr) -> Product | None:
        """Return an earlier product of the same factors as the one at a place."""
        changes = any(isinstance(v, Reg) and self.places.writes[v] > 1 for v in instr.srcs)
        alike = self._alike.setdefault((instr.type, frozenset(instr.srcs), place[0] if changes else None), [])
        same = next((earlier for earlier in alike if self._is_same(earlier, place)), None)
        alike.append(place)
        return None if same is None else self.made[same]

    def _is_same(self, earlier: Place, place: Place) -> bool:
        first, second = (at[0].instrs[at[1]].srcs for at in (earlier, place))
        return (first == second or self.commutes) and self.places.is_same(earlier, place)

    def _note_reads(self, instr: Instr, place: Place, known: Mapping[Value, Product]) -> None:
        """Note what an instruction does with the products that are ``known`` before it."""
        for value in () if self._copied(instr, known) is not None else instr.reads:
            if (product := known.get(value)) is not None:
                self.taken[*place, value] = product
                product.of.uses += 1
                product.of.joins &= self.takes(instr, product)
                product.of.is_only_added &= is_addition(instr) and place[0] is product.place[0]

    def _note_writes(self, instr: Instr, place: Place, known: MutableMapping[Value, Product]) -> None:
        """Note which products are ``known`` behind an instruction in registers that are written several times, and in
        copies of those."""
        copied = self._copied(instr, known)
        for dst in instr.dsts:
            if self.places.writes[dst] > 1:
                known.pop(dst, None)
                if self.is_product(instr):
                    known[dst] = self.product(place, instr)
            if copied is not None:
                known[dst] = copied

    def _joined(self, place: Place, instr: Instr, is_early: bool) -> list[Instr]:
        """Return the operation of a sum and a product that an instruction becomes; nothing where it stays itself."""
        operands = enumerate(instr.srcs if self.is_sum(instr) else ())
        products = [(p, position) for position, v in operands if (p := self.taken.get((*place, v))) is not None]
        products.sort(key=lambda found: self.rank(instr, found[0]))
        for product, position in products:
            if not product.of.joins or not self.may_take(place, instr, product, is_early):
                continue
            if not self.places.comes_before(product.place, place):
                continue
            product.of.uses -= 1
            other = instr.srcs[1 - position]
            if (addend := self.taken.get((*place, other))) is not None:
                addend.of.joins = False
            factors = tuple(self._kept(value, product.place, place) for value in product.instr.srcs)
            return list(self.multiply_add(instr, product, factors, other, position))
        return []

    def _kept(self, factor: Value, product: Place, place: Place) -> Value:
        """Return what holds a factor of a product at the place of a sum: a copy where it changes on the way."""
        if self.places.is_unchanged(factor, product, place):
            return factor
        assert isinstance(factor, Reg)
        if (product, factor) not in self.copies:
            self.copies[product, factor] = self.function.reg(factor.type)
        return self.copies[product, factor]
