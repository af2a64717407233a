"""Find the registers that are live at each point, and how many hardware registers they take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from warpview.frontend.flow import predecessors
from warpview.frontend.interruption import checkpoint
from warpview.frontend.ir import BasicBlock, Branch, Function, Instr, Reg, SpecialValue, Value
from warpview.isa.program import Special
from warpview.isa.types import Type


@dataclass(frozen=True)
class Liveness:
    """Hold the registers whose value is read later, at the start and at the end of each block."""

    at_start: dict[BasicBlock, frozenset[Reg]]
    at_end: dict[BasicBlock, frozenset[Reg]]


def killed(instr: Instr) -> tuple[Reg, ...]:
    """Return the registers whose former value nobody can read after the instruction."""
    return instr.dsts if instr.guard is None or instr.kills else ()


def terminator_reads(block: BasicBlock) -> tuple[Value, ...]:
    return (block.terminator.condition,) if isinstance(block.terminator, Branch) else ()


def count_uses(function: Function) -> tuple[Counter[Value], Counter[Reg]]:
    """Count the instructions and branches that read each value, and the instructions that write each register."""
    reads: Counter[Value] = Counter()
    writes: Counter[Reg] = Counter()
    for block in function.blocks:
        for instr in block.instrs:
            reads.update(instr.reads)
            writes.update(instr.dsts)
        reads.update(terminator_reads(block))
    return reads, writes


def liveness(function: Function) -> Liveness:
    """Return the result of backward data flow over the blocks."""
    uses: dict[BasicBlock, set[Reg]] = {}
    defs: dict[BasicBlock, set[Reg]] = {}
    for block in function.blocks:
        checkpoint()
        used: set[Reg] = set()
        defined: set[Reg] = set()
        for instr in block.instrs:
            for value in instr.reads:
                if isinstance(value, Reg) and value not in defined:
                    used.add(value)
            defined.update(killed(instr))
        used.update(v for v in terminator_reads(block) if isinstance(v, Reg) and v not in defined)
        uses[block], defs[block] = used, defined
    preds = predecessors(function)
    start: dict[BasicBlock, frozenset[Reg]] = {b: frozenset() for b in function.blocks}
    end: dict[BasicBlock, frozenset[Reg]] = {b: frozenset() for b in function.blocks}
    work = list(function.blocks)
    waiting = set(work)
    while work:
        checkpoint()
        block = work.pop()
        waiting.discard(block)
        end[block] = frozenset().union(*(start[s] for s in block.successors))
        now = frozenset((end[block] - defs[block]) | uses[block])
        if now != start[block]:
            start[block] = now
            fresh = [p for p in preds[block] if p not in waiting]
            work += fresh
            waiting.update(fresh)
    return Liveness(start, end)


def backwards(block: BasicBlock, at_end: frozenset[Reg]) -> Iterator[tuple[int, Instr, set[Reg]]]:
    """Yield (index, instruction, registers live after it), from the last instruction to the first.

    The set is one object that goes on changing.
    """
    checkpoint()
    live = set(at_end)
    live.update(v for v in terminator_reads(block) if isinstance(v, Reg))
    for index in range(len(block.instrs) - 1, -1, -1):
        instr = block.instrs[index]
        yield index, instr, live
        live.difference_update(killed(instr))
        for value in instr.reads:
            if isinstance(value, Reg):
                live.add(value)


# An estimate, and only that: the stack pointer, and scratch for addresses of loads that are issued early. With 4 the
# library's kernels come out 2 below what nvcc 13 reports for sm_90 in the median; where nvcc unrolls loops it takes
# up to 20 more. The user can override the sum with what a compiler reported.
ABI_REGISTERS = 4
LEAST_REGISTERS = 8
# Read through special-register moves, so each takes a register from its first use to its last; the others
# of ``Special`` are constants of the launch, which instructions read in place.
_HELD_SPECIALS = frozenset(
    {Special.TID_X, Special.TID_Y, Special.TID_Z, Special.LANEID, Special.WARPID, Special.CTAID_X, Special.CTAID_Y,
     Special.CTAID_Z, Special.SMID}
)  # fmt: skip


def units(type: Type) -> int:
    """Return 32-bit registers that a value takes; predicates have a file of their own."""
    return 0 if type == Type.PRED else 2 if type.is_wide else 1


def registers_per_thread(function: Function) -> int:
    """Return the largest number of 32-bit registers in use at any point, plus ``ABI_REGISTERS``."""
    flow = liveness(function)
    most = max((_most_in_use(block, flow.at_end[block]) for block in function.blocks), default=0)
    return max(LEAST_REGISTERS, most + ABI_REGISTERS + _held_specials(function))


def _most_in_use(block: BasicBlock, at_end: frozenset[Reg]) -> int:
    """Return the largest number of 32-bit registers in use at any point of a block."""
    live_at_end = at_end | {v for v in terminator_reads(block) if isinstance(v, Reg)}
    most = in_use = sum(units(reg.type) for reg in live_at_end)
    for _, instr, live in backwards(block, at_end):
        most = max(most, in_use + sum(units(reg.type) for reg in instr.dsts if reg not in live))
        ends = {reg for reg in killed(instr) if reg in live}
        begins = {v for v in instr.reads if isinstance(v, Reg) and (v not in live or v in ends)}
        in_use += sum(units(reg.type) for reg in begins) - sum(units(reg.type) for reg in ends)
    return most


def _held_specials(function: Function) -> int:
    """Return special values that are read more than once (one read needs no register beyond that instruction)."""
    reads: dict[Special, int] = {}
    for block in function.blocks:
        for instr in block.instrs:
            for value in instr.reads:
                if isinstance(value, SpecialValue) and value.special in _HELD_SPECIALS:
                    reads[value.special] = reads.get(value.special, 0) + 1
    return sum(1 for count in reads.values() if count > 1)
