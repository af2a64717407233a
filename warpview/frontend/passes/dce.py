"""Remove code that nobody needs: results never read, atomics' old values, assignments that are overwritten."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set
from dataclasses import replace

from warpview.frontend.ir import Const, Function, Instr, Reg
from warpview.frontend.passes.liveness import backwards, liveness, terminator_reads
from warpview.isa.ops import SIDE_EFFECTS, AtomOp, Op
from warpview.isa.textures import TextureOperation

# Atomics that exist without a result.
_REDUCTIONS = frozenset(AtomOp) - {AtomOp.EXCH, AtomOp.CAS}


def removable(instr: Instr) -> bool:
    """Return true where only the results matter. A volatile load happens whether or not its value is used."""
    return instr.op not in SIDE_EFFECTS and not (instr.op == Op.LD and not instr.cached)


def remove_dead(function: Function) -> None:
    """Drop instructions without effect; note the variables that thereby turn out to be constants."""
    definitions = Counter(dst for block in function.blocks for i in block.instrs for dst in i.dsts)
    needed = _needed(function)
    for block in function.blocks:
        keep = []
        for instr in block.instrs:
            if removable(instr) and not any(dst in needed for dst in instr.dsts):
                _note_constant(function, instr, definitions)
            else:
                keep.append(_fetching_less(instr, needed) if instr.op == Op.TEX else instr)
        block.instrs = keep
    _remove_overwritten(function, definitions)


def _fetching_less(instr: Instr, needed: Set[Reg]) -> Instr:
    """Return a fetch from a texture without the components that nobody reads."""
    operation = TextureOperation.of(instr.imm)
    kept = [(dst, k) for dst, k in zip(instr.dsts, operation.components, strict=True) if dst in needed]
    number = replace(operation, components=tuple(k for _, k in kept)).number
    return replace(instr, dsts=tuple(dst for dst, _ in kept), imm=number, vec=len(kept))


def _needed(function: Function) -> set[Reg]:
    """Return registers on which something with an effect depends. A counter that only counts itself is not."""
    sources: dict[Reg, set[Reg]] = {}
    needed: set[Reg] = set()
    for block in function.blocks:
        for instr in block.instrs:
            reads = {v for v in instr.reads if isinstance(v, Reg)}
            if removable(instr):
                for dst in instr.dsts:
                    sources.setdefault(dst, set()).update(reads)
            else:
                needed |= reads
        needed.update(v for v in terminator_reads(block) if isinstance(v, Reg))
    work = list(needed)
    while work:
        for reg in sources.get(work.pop(), ()):
            if reg not in needed:
                needed.add(reg)
                work.append(reg)
    return needed


def _remove_overwritten(function: Function, definitions: Counter[Reg]) -> None:
    flow = liveness(function)
    for block in function.blocks:
        keep: list[Instr] = []
        for _, instr, live in backwards(block, flow.at_end[block]):
            if any(dst in live for dst in instr.dsts) or not instr.dsts:
                keep.append(instr)
            elif instr.op == Op.ATOM and instr.mod in _REDUCTIONS:
                keep.append(replace(instr, op=Op.RED, dsts=()))
            elif not removable(instr):
                keep.append(instr)
            else:
                _note_constant(function, instr, definitions)
        block.instrs = keep[::-1]


def _note_constant(function: Function, instr: Instr, definitions: Counter[Reg]) -> None:
    """Note a variable's constant, so that the view can still show it when its only assignment is gone."""
    if instr.op == Op.MOV and instr.guard is None and isinstance(instr.srcs[0], Const):
        dst = instr.dsts[0]
        if dst.name and definitions[dst] == 1:
            function.folded[dst] = instr.srcs[0]
