"""Find loops that wait for other threads: lanes that got through must not wait there for those that still try.

``while (atomicCAS(&lock, 0, 1) != 0);`` leaves its loop lane by lane, and the lane that holds the lock has to go on
to release it. From compute capability 7.0 on the compiler therefore does not gather the lanes behind such a loop.
A loop that retries an update (``atomicCAS`` of computed values) ends by itself and is no such case.
"""

from __future__ import annotations

from collections.abc import Mapping

from warpview.frontend.flow import dominators, natural_loop, predecessors
from warpview.frontend.interruption import checkpoint
from warpview.frontend.ir import BasicBlock, Branch, Const, Function, Instr, Reg
from warpview.isa.ops import AtomOp, Op

READS_BY_ZERO = frozenset({AtomOp.ADD, AtomOp.OR, AtomOp.XOR})  # atomics that only read where their operand is 0


def spin_exits(function: Function) -> dict[BasicBlock, set[BasicBlock]]:
    """Return the blocks whose branch leaves a loop depending on what another thread has written, with the blocks of the
    loop."""
    if not any(_looks_at_others(instr) for block in function.blocks for instr in block.instrs):
        return {}
    found = {}
    for loop in sorted(_loops(function), key=len, reverse=True):
        waited_for = _waited_for(loop)
        for block in loop:
            ending = block.terminator
            leaves = any(target not in loop for target in block.successors)
            if leaves and isinstance(ending, Branch) and ending.condition in waited_for:
                found[block] = loop
    return found


def _loops(function: Function) -> list[set[BasicBlock]]:
    """Return the natural loops of a function; those that share a head are one."""
    preds, above = predecessors(function), dominators(function)
    loops: dict[BasicBlock, set[BasicBlock]] = {}
    for latch in function.blocks:
        checkpoint()
        for head in latch.successors:
            if _dominates(head, latch, above):
                loops.setdefault(head, set()).update(natural_loop(head, latch, preds))
    return list(loops.values())


def _dominates(head: BasicBlock, block: BasicBlock | None, above: Mapping[BasicBlock, BasicBlock | None]) -> bool:
    while block is not None and block is not head:
        block = above.get(block)
    return block is head


def _waited_for(loop: set[BasicBlock]) -> set[object]:
    """Return registers that depend on a lock's state or a volatile load within the loop."""
    instrs = [instr for block in loop for instr in block.instrs]
    tainted: set[object] = {dst for instr in instrs if _looks_at_others(instr) for dst in instr.dsts}
    grown = bool(tainted)
    while grown:
        more = {d for i in instrs if any(v in tainted for v in i.reads if isinstance(v, Reg)) for d in i.dsts}
        grown = not more <= tainted
        tainted |= more
    return tainted


def _looks_at_others(instr: Instr) -> bool:
    if instr.op == Op.LD:
        return not instr.cached
    if instr.op == Op.ATOM and instr.mod in (AtomOp.CAS, AtomOp.EXCH):
        return all(isinstance(value, Const) for value in instr.srcs[1:])
    if instr.op == Op.ATOM and instr.mod in READS_BY_ZERO:
        return isinstance(instr.srcs[1], Const) and instr.srcs[1].bits == 0
    return False
