"""Group the registers of vector accesses and of matrices side by side, and copy where one cannot be in two groups."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from warpview.frontend.ir import Function, Instr, Reg, Value
from warpview.isa.matrices import PRODUCTS
from warpview.isa.ops import Op
from warpview.isa.types import Type


def form_groups(function: Function) -> list[tuple[Reg, ...]]:
    """Return registers that must have consecutive rows, in this order; instructions are rewritten where needed."""
    groups: list[tuple[Reg, ...]] = []
    place: dict[Reg, tuple[int, int]] = {}  # register -> (index of its group, position in it)

    def fits(values: tuple[Value, ...]) -> bool:
        """Return true where the values are, or now become, neighbours in a group."""
        if len(set(values)) != len(values):
            return False
        regs = tuple(v for v in values if isinstance(v, Reg))
        if len(regs) != len(values) or len({r.type for r in regs}) != 1:
            return False
        if not any(r in place for r in regs):
            place.update({r: (len(groups), i) for i, r in enumerate(regs)})
            groups.append(regs)
            return True
        if not all(r in place for r in regs):
            return False
        group, first = place[regs[0]]
        return all(place[r] == (group, first + i) for i, r in enumerate(regs))

    def fresh(values: tuple[Value, ...], type_: Type) -> tuple[Reg, ...]:
        regs = tuple(function.reg(type_) for _ in values)
        assert fits(regs)
        return regs

    def parts_of(instr: Instr) -> list[tuple[Value, ...]]:
        """Return A, B and C of a product of matrices."""
        product = PRODUCTS[instr.mod]
        ends = (0, product.a, product.a + product.b, product.a + product.b + product.d)
        return [instr.srcs[first:end] for first, end in pairwise(ends)]

    def multiply(instr: Instr) -> list[Instr]:
        """Return a product with the registers of each of its matrices side by side."""
        product, parts = PRODUCTS[instr.mod], parts_of(instr)
        results = instr.dsts if fits(instr.dsts) else fresh(instr.dsts, product.type)
        types = (product.operand_type, product.operand_type, product.type)
        placed = [part if fits(part) else fresh(part, type_) for part, type_ in zip(parts, types, strict=True)]
        copies = [copy for own, part in zip(placed, parts, strict=True) for copy in _copies(instr, own, part)]
        sources = tuple(value for part in placed for value in part)
        return [*copies, *_with_results(replace(instr, srcs=(*sources, instr.srcs[-1])), results)]

    products = [instr for block in function.blocks for instr in block.instrs if instr.op == Op.MMA]
    for instr in products:  # first, for a vector of two may lie within a matrix and not the other way
        for part in (instr.dsts, *parts_of(instr)):
            fits(part)
    for block in function.blocks:
        out: list[Instr] = []
        for instr in block.instrs:
            if instr.op == Op.MMA:
                out += multiply(instr)
            elif instr.vec == 1:
                out.append(instr)
            elif instr.op == Op.LD:
                out += _with_results(instr, instr.dsts if fits(instr.dsts) else fresh(instr.dsts, instr.type))
            else:
                values = instr.srcs[1:]
                found = values if fits(values) else fresh(values, instr.type)
                out += [*_copies(instr, found, values), replace(instr, srcs=(instr.srcs[0], *found))]
        block.instrs = out
    return groups


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
