"""Group the registers of vector accesses side by side, and copy where a register cannot be in two groups."""

from __future__ import annotations

from dataclasses import replace

from warpview.frontend.ir import Function, Instr, Reg, Value
from warpview.isa.ops import Op


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

    def fresh(values: tuple[Value, ...], instr: Instr) -> tuple[Reg, ...]:
        regs = tuple(function.reg(instr.type) for _ in values)
        assert fits(regs)
        return regs

    for block in function.blocks:
        out: list[Instr] = []
        for instr in block.instrs:
            if instr.vec == 1:
                out.append(instr)
            elif instr.op == Op.LD:
                out += _load(instr, instr.dsts if fits(instr.dsts) else fresh(instr.dsts, instr))
            else:
                values = instr.srcs[1:]
                out += _store(instr, values if fits(values) else fresh(values, instr))
        block.instrs = out
    return groups


def _load(instr: Instr, regs: tuple[Reg, ...]) -> list[Instr]:
    if regs == instr.dsts:
        return [instr]
    pairs = zip(instr.dsts, regs, strict=True)
    return [replace(instr, dsts=regs), *(_copy(instr, dst, reg) for dst, reg in pairs)]


def _store(instr: Instr, regs: tuple[Value, ...]) -> list[Instr]:
    values = instr.srcs[1:]
    if regs == values:
        return [instr]
    pairs = zip(regs, values, strict=True)
    copies = [_copy(instr, reg, value) for reg, value in pairs if isinstance(reg, Reg)]
    return [*copies, replace(instr, srcs=(instr.srcs[0], *regs))]


def _copy(instr: Instr, dst: Reg, value: Value) -> Instr:
    return Instr(
        Op.MOV, dst.type, (dst,), (value,), instr.span, guard=instr.guard, guard_negated=instr.guard_negated,
        kills=instr.kills,
    )  # fmt: skip
