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

from collections import ChainMap, deque
from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass, replace

from warpview.frontend.flow import predecessors, reverse_postorder
from warpview.frontend.interruption import checkpoint
from warpview.frontend.ir import BasicBlock, Const, Function, Instr, Reg, Value
from warpview.frontend.passes.liveness import liveness, terminator_reads
from warpview.frontend.passes.loop_homes import LoopHomes
from warpview.frontend.passes.places import Place, Places, is_copy, is_product, is_sum
from warpview.frontend.passes.product_signs import carry_signs
from warpview.frontend.passes.ranks import ranks
from warpview.isa.ops import Op
from warpview.isa.types import Type

MANY_USES = 5  # from here on LLVM takes a product for needed anyway
TWO = {Type.F32: 0x40000000, Type.F64: 0x4000000000000000}


def contract(function: Function) -> None:
    """Make one operation of each sum that takes a product; the products become dead."""
    if not any(is_product(instr) for block in function.blocks for instr in block.instrs):
        return
    carry_signs(function)
    _Contraction(function).run()


def _is_addition(instr: Instr) -> bool:
    """Return whether an instruction is a sum to LLVM, which adds the opposite of a constant."""
    return instr.op == Op.ADD or (instr.op == Op.SUB and isinstance(instr.srcs[1], Const))


@dataclass(eq=False)
class _Factors:
    """Count the uses that are left of a product, wherever it is computed; ``joins`` while all of them are sums."""

    uses: int = 0
    joins: bool = True
    is_only_added: bool = True  # in the block of the product


@dataclass(eq=False)
class _Product:
    place: Place
    instr: Instr
    of: _Factors


class _Contraction:
    def __init__(self, function: Function) -> None:
        self.function = function
        self.places = Places(function)
        self.taken: dict[tuple[BasicBlock, int, Value], _Product] = {}  # the products among the operands of sums
        self.ranks = ranks(function)
        self.homes = LoopHomes(function, self.places)
        self.copies: dict[tuple[Place, Reg], Reg] = {}  # of factors, made where their product is
        self.made: dict[Place, _Product] = {}
        # By type, factors, and block where a factor changes: no product of another block is known to be the same then.
        self.products: dict[tuple[Type, frozenset[Value], BasicBlock | None], list[_Product]] = {}

    def run(self) -> None:
        self._find_uses()
        joined: dict[Place, list[Instr]] = {}
        for adds, is_early in ((True, True), (False, False), (True, False)):
            for block in reversed(self.function.blocks):
                for index in reversed(range(len(block.instrs))):
                    place = block, index
                    instr = block.instrs[index]
                    if is_sum(instr) and _is_addition(instr) == adds and place not in joined:
                        found = self._joined(place, instr, is_early)
                        if found:
                            joined[place] = found
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

    def _known_at_starts(self, everywhere: dict[Value, _Product]) -> dict[BasicBlock, dict[Value, _Product]]:
        """Return what products registers hold at the start of each block that are written several times: those that
        they hold on every way to it."""
        preds, order = predecessors(self.function), reverse_postorder(self.function)
        starts: dict[BasicBlock, dict[Value, _Product]] = {}
        ends: dict[BasicBlock, dict[Value, _Product]] = {}
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

    def _known_everywhere(self) -> dict[Value, _Product]:
        """Return the products, and copies of them, in registers that are written once."""
        found: dict[Value, _Product] = {}
        for block in reverse_postorder(self.function):
            for index, instr in enumerate(block.instrs):
                if len(instr.dsts) != 1 or self.places.writes[instr.dsts[0]] != 1:
                    continue
                if is_product(instr):
                    found[instr.dsts[0]] = self._product((block, index), instr)
                elif is_copy(instr) and instr.srcs[0] in found:
                    found[instr.dsts[0]] = found[instr.srcs[0]]
        return found

    def _product(self, place: Place, instr: Instr) -> _Product:
        """Return the product at a place, which counts as the same as one that is at hand already."""
        if place not in self.made:
            changes = any(isinstance(v, Reg) and self.places.writes[v] > 1 for v in instr.srcs)
            key = instr.type, frozenset(instr.srcs), place[0] if changes else None
            alike = self.products.setdefault(key, [])
            same = next((p for p in alike if self.places.is_same(p.place, place)), None)
            self.made[place] = _Product(place, instr, _Factors() if same is None else same.of)
            alike.append(self.made[place])
        return self.made[place]

    def _note_reads(self, instr: Instr, place: Place, known: Mapping[Value, _Product]) -> None:
        """Note what an instruction does with the products that are ``known`` before it."""
        for value in () if is_copy(instr) and instr.srcs[0] in known else instr.reads:
            if (product := known.get(value)) is not None:
                self.taken[*place, value] = product
                product.of.uses += 1
                product.of.joins &= is_sum(instr)
                product.of.is_only_added &= _is_addition(instr) and place[0] is product.place[0]

    def _note_writes(self, instr: Instr, place: Place, known: MutableMapping[Value, _Product]) -> None:
        """Note which products are ``known`` behind an instruction in registers that are written several times."""
        copied = known.get(instr.srcs[0]) if is_copy(instr) else None
        for dst in instr.dsts:
            if self.places.writes[dst] > 1:
                known.pop(dst, None)
                if is_product(instr):
                    known[dst] = self._product(place, instr)
                elif copied is not None:
                    known[dst] = copied

    def _joined(self, place: Place, instr: Instr, is_early: bool) -> list[Instr]:
        """Return the operation of a sum and a product that an instruction becomes; nothing where it stays itself."""
        operands = enumerate(instr.srcs if is_sum(instr) else ())
        products = [(p, position) for position, v in operands if (p := self.taken.get((*place, v))) is not None]
        products.sort(key=lambda found: self.ranks[found[0].place] if instr.op == Op.ADD else found[0].of.uses)
        for product, position in products:
            if is_early and not (product.of.is_only_added and product.of.uses < MANY_USES):
                continue
            if not product.of.joins or not self._may_take(place, instr, product):
                continue
            product.of.uses -= 1
            other = instr.srcs[1 - position]
            if (addend := self.taken.get((*place, other))) is not None:
                addend.of.joins = False
            factors = tuple(self._kept(value, product.place, place) for value in product.instr.srcs)
            return list(self._multiply_add(instr, factors, other, position))
        return []

    def _may_take(self, place: Place, instr: Instr, product: _Product) -> bool:
        """Return whether a sum may take a product where only sums need it."""
        factors = product.instr.srcs
        if instr.op == Op.SUB and Const(instr.type, TWO[instr.type]) in factors:
            return False
        in_registers = all(isinstance(factor, Reg) for factor in factors)
        if in_registers and self.homes.is_deeper(place, product.place):
            return False
        return self.places.comes_before(product.place, place)

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
