"""``t = a + b; x = t`` becomes ``x = a + b``."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from warpview.frontend.ir import Block, Function, Instr, Reg, Value
from warpview.frontend.passes.liveness import terminator_reads
from warpview.isa.ops import Op
from warpview.isa.types import Type


def coalesce(function: Function) -> None:
    """Compute straight into a variable what is only copied to it."""
    reads: Counter[Value] = Counter()
    writes: Counter[Reg] = Counter()
    for block in function.blocks:
        for instr in block.instrs:
            reads.update(instr.reads)
            writes.update(instr.dsts)
        reads.update(terminator_reads(block))
    for block in function.blocks:
        _coalesce_block(block, reads, writes)


def _coalesce_block(block: Block, reads: Counter[Value], writes: Counter[Reg]) -> None:
    made: dict[Reg, int] = {}  # single-use temporary -> index of the instruction that makes it
    touched: dict[Value, int] = {}  # register -> index of the last instruction that reads or writes it
    out: list[Instr | None] = []
    for instr in block.instrs:
        source = instr.srcs[0] if instr.op == Op.MOV else None
        if isinstance(source, Reg) and source in made and _fits(instr, source):
            dst, index = instr.dsts[0], made[source]
            maker = out[index]
            # Between the two nobody may look at the variable; the maker itself reads before it writes.
            if maker is not None and touched.get(dst, -1) <= index:
                out[index] = replace(maker, dsts=tuple(dst if d is source else d for d in maker.dsts))
                touched[dst] = max(touched.get(dst, -1), index)
                continue
        position = len(out)
        out.append(instr)
        touched.update(dict.fromkeys((*instr.reads, *instr.dsts), position))
        if instr.guard is None:
            made.update({d: position for d in instr.dsts if not d.name and reads[d] == 1 and writes[d] == 1})
    block.instrs = [instr for instr in out if instr is not None]


def _fits(instr: Instr, source: Reg) -> bool:
    if instr.guard is not None:
        return False
    dst = instr.dsts[0]
    same_bits = dst.type == source.type or (dst.type in _WORDS and source.type in _WORDS)
    return same_bits or (dst.type in _LONGS and source.type in _LONGS)


_WORDS = frozenset({Type.U32, Type.S32})
_LONGS = frozenset({Type.U64, Type.S64})
