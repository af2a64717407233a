"""Replace ``t = a + b; x = t`` by ``x = a + b``, also where t comes from either side of a branch."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, replace

from warpview.frontend.ir import BasicBlock, Branch, Function, Instr, Reg, Value
from warpview.frontend.passes.liveness import backwards, count_uses, liveness, terminator_reads
from warpview.isa.ops import Op
from warpview.isa.types import Type

MOST_ROUNDS = 16  # of joining, each of which may give one variable one temporary


def coalesce(function: Function) -> None:
    """Compute straight into a variable what is only copied to it."""
    reads, writes = count_uses(function)
    for block in function.blocks:
        _coalesce_block(block, reads, writes)


def coalesce_joins(function: Function) -> None:
    """Let a temporary that ends in a copy be the variable it is copied to, if the two are never alive together.

    So ``x = c ? a : b`` writes x on both sides and needs no copy behind them.
    """
    for _ in range(MOST_ROUNDS):
        pairs = _candidates(function)
        names = _not_alive_together(function, pairs)
        if not names:
            return
        held = {value for _, value in function.variables}
        function.variables = [
            (variable, names[value] if value in names and names[value] not in held else value)
            for variable, value in function.variables
        ]
        for block in function.blocks:
            block.instrs = [
                i.renamed(names) for i in block.instrs if not (i.op == Op.MOV and names.get(i.srcs[0]) is i.dsts[0])
            ]
            if isinstance(block.terminator, Branch):
                condition = block.terminator.condition
                block.terminator = replace(block.terminator, condition=names.get(condition, condition))


def _candidates(function: Function) -> dict[Reg, Reg]:
    """Return temporary -> variable, at most one pair for each of either."""
    pairs: dict[Reg, Reg] = {}
    taken: set[Reg] = set()
    for block in function.blocks:
        for instr in block.instrs:
            source = instr.srcs[0] if instr.op == Op.MOV else None
            if not isinstance(source, Reg) or source.name or not _fits(instr, source):
                continue
            dst = instr.dsts[0]
            if source not in taken and dst not in taken and source.type == dst.type:
                pairs[source] = dst
                taken |= {source, dst}
    return pairs


def _not_alive_together(function: Function, pairs: dict[Reg, Reg]) -> dict[Value, Reg]:
    """Return the pairs of which neither is written while the other's value is still needed."""
    if not pairs:
        return {}
    flow = liveness(function)
    partner = pairs | {dst: source for source, dst in pairs.items()}
    entry = flow.at_start[function.blocks[0]]
    apart: dict[Value, Reg] = {}
    for source, dst in pairs.items():
        if source not in entry and dst not in entry:  # else read before it is written: both would have to be zero
            apart[source] = dst
    for block in function.blocks:
        for _, instr, live in backwards(block, flow.at_end[block]):
            for reg in instr.dsts:
                other = partner.get(reg)
                copies = instr.op == Op.MOV and instr.srcs[0] is other
                if other is not None and other in live and not copies:
                    apart.pop(reg, None)
                    apart.pop(other, None)
    return apart


def _coalesce_block(block: BasicBlock, reads: Counter[Value], writes: Counter[Reg]) -> None:
    uses = _Uses.of(block)
    made: dict[Reg, int] = {}  # temporary of this block alone -> index in ``out`` of the instruction that makes it
    last_use: dict[Value, int] = {}  # register -> index in ``out`` of the last instruction that reads or writes it
    names: dict[Value, Reg] = {}  # temporary that is read again -> the variable whose value it is
    out: list[Instr] = []
    for index, instr in enumerate(block.instrs):
        source = instr.srcs[0] if instr.op == Op.MOV else None
        if isinstance(source, Reg) and source in made and _fits(instr, source):
            dst, maker = instr.dsts[0], out[made[source]]
            # Between the two nobody may look at the variable; the maker itself reads before it writes.
            unseen = last_use.get(dst, -1) <= made[source] and dst not in maker.dsts
            if unseen and (reads[source] == 1 or uses.last_read[source] <= uses.next_write(dst, index)):
                out[made[source]] = replace(maker, dsts=tuple(dst if d is source else d for d in maker.dsts))
                last_use[dst] = max(last_use.get(dst, -1), made.pop(source))
                if reads[source] > 1:
                    names[source] = dst
                continue
        position = len(out)
        out.append(instr)
        last_use.update(dict.fromkeys((*instr.reads, *instr.dsts), position))
        for value in instr.reads:
            if value in names:
                last_use[names[value]] = position
        if instr.guard is None:
            made.update(
                {d: position for d in instr.dsts if not d.name and writes[d] == 1 and reads[d] == uses.reads[d] > 0}
            )
    block.instrs = [instr.renamed(names) for instr in out] if names else out
    if isinstance(block.terminator, Branch) and block.terminator.condition in names:
        block.terminator = replace(block.terminator, condition=names[block.terminator.condition])


@dataclass(frozen=True)
class _Uses:
    """List the reads and writes of the registers of a block, by position in it."""

    reads: Counter[Value]
    last_read: dict[Value, int]
    writes: dict[Reg, list[int]]

    @classmethod
    def of(cls, block: BasicBlock) -> _Uses:
        reads: Counter[Value] = Counter()
        last_read: dict[Value, int] = {}
        writes: dict[Reg, list[int]] = {}
        for index, instr in enumerate(block.instrs):
            reads.update(instr.reads)
            last_read.update(dict.fromkeys(instr.reads, index))
            for dst in instr.dsts:
                writes.setdefault(dst, []).append(index)
        reads.update(terminator_reads(block))
        last_read.update(dict.fromkeys(terminator_reads(block), len(block.instrs)))
        return cls(reads, last_read, writes)

    def next_write(self, reg: Reg, after: int) -> int:
        """Return the position of the first write of ``reg`` behind ``after``; beyond the block where there is none."""
        positions = self.writes.get(reg, [])
        where = bisect_right(positions, after)
        return positions[where] if where < len(positions) else 1 << 60


def _fits(instr: Instr, source: Reg) -> bool:
    if instr.guard is not None:
        return False
    dst = instr.dsts[0]
    same_bits = dst.type == source.type or (dst.type in _WORDS and source.type in _WORDS)
    return same_bits or (dst.type in _LONGS and source.type in _LONGS)


_WORDS = frozenset({Type.U32, Type.S32})
_LONGS = frozenset({Type.U64, Type.S64})
