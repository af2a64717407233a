"""Group the registers of vector accesses and of matrices side by side, and copy where one cannot be in two groups."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TypeVar

from warpview.frontend.ir import Function, Instr, Reg, Value
from warpview.isa.matrices import PRODUCTS
from warpview.isa.ops import Op
from warpview.isa.types import Type

V = TypeVar("V", bound=Value)


def form_groups(function: Function) -> list[tuple[Reg, ...]]:
    """Return registers that must have consecutive rows, in this order; instructions are rewritten where needed."""
    groups = _Groups(function)
    products = [instr for block in function.blocks for instr in block.instrs if instr.op == Op.MMA]
    for instr in products:  # first, for a vector of two may lie within a matrix and not the other way
        for part in (instr.dsts, *_matrices(instr)):
            groups.fits(part)
    for block in function.blocks:
        block.instrs = [new for instr in block.instrs for new in groups.rewrite(instr)]
    return groups.formed


def _matrices(instr: Instr) -> list[tuple[Value, ...]]:
    """Return A, B and C of a product of matrices."""
    product = PRODUCTS[instr.mod]
    ends = (0, product.a, product.a + product.b, product.a + product.b + product.d)
    return [instr.srcs[first:end] for first, end in pairwise(ends)]


class _Groups:
    """Form groups of a function's registers, and let the instructions use them."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self.formed: list[tuple[Reg, ...]] = []
        self._place: dict[Reg, tuple[int, int]] = {}  # register -> (index of its group, position in it)

    def fits(self, values: tuple[Value, ...]) -> bool:
        """Return true where the values are, or now become, neighbours in a group."""
        if len(set(values)) != len(values):
            return False
        regs = tuple(v for v in values if isinstance(v, Reg))
        if len(regs) != len(values) or len({r.type for r in regs}) != 1:
            return False
        if not any(r in self._place for r in regs):
            self._place.update({r: (len(self.formed), i) for i, r in enumerate(regs)})
            self.formed.append(regs)
            return True
        if not all(r in self._place for r in regs):
            return False
        group, first = self._place[regs[0]]
        return all(self._place[r] == (group, first + i) for i, r in enumerate(regs))

    def rewrite(self, instr: Instr) -> list[Instr]:
        """Return an instruction with its vectors in groups, with the copies that this takes."""
        if instr.op == Op.MMA:
            return self._multiply(instr)
        if instr.vec == 1:
            return [instr]
        if instr.op in (Op.LD, Op.TEX):
            return _with_results(instr, self._grouped(instr.dsts, instr.type))
        values = instr.srcs[1:]
        found = self._grouped(values, instr.type)
        return [*_copies(instr, found, values), replace(instr, srcs=(instr.srcs[0], *found))]

    def _multiply(self, instr: Instr) -> list[Instr]:
        """Return a product with the registers of each of its matrices side by side."""
        product, parts = PRODUCTS[instr.mod], _matrices(instr)
        results = self._grouped(instr.dsts, product.type)
        types = (product.operand_type, product.operand_type, product.type)
        placed = [self._grouped(part, type_) for part, type_ in zip(parts, types, strict=True)]
        copies = [copy for own, part in zip(placed, parts, strict=True) for copy in _copies(instr, own, part)]
        sources = tuple(value for part in placed for value in part)
        return [*copies, *_with_results(replace(instr, srcs=(*sources, instr.srcs[-1])), results)]

    def _grouped(self, values: tuple[V, ...], type_: Type) -> tuple[V | Reg, ...]:
        """Return the values where they are neighbours in a group, else registers that are."""
        if self.fits(values):
            return values
        regs = tuple(self._function.reg(type_) for _ in values)
        assert self.fits(regs)
        return regs


def _with_results(instr: Instr, regs: tuple[Reg, ...]) -> list[Instr]:
    """Return an instruction that writes other registers, and the copies from these to those that it wrote."""
    pairs = zip(instr.dsts, regs, strict=True)
    return [replace(instr, dsts=regs), *(_copy(instr, dst, reg) for dst, reg in pairs if dst is not reg)]


def _copies(instr: Instr, regs: tuple[Value, ...], values: tuple[Value, ...]) -> list[Instr]:
    pairs = zip(regs, values, strict=True)
    return [_copy(instr, reg, value) for reg, value in pairs if isinstance(reg, Reg) and reg is not value]


def _copy(instr: Instr, dst: Reg, value: Value) -> Instr:
    return Instr(
        Op.MOV, dst.type, (dst,), (value,), instr.span, guard=instr.guard, guard_negated=instr.guard_negated,
        kills=instr.kills,
    )  # fmt: skip
