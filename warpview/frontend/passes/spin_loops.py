"""Find loops that wait for other threads: lanes that got through must not wait there for those that still try.

``while (atomicCAS(&lock, 0, 1) != 0);`` leaves its loop lane by lane, and the lane that holds the lock has to go on
to release it. From compute capability 7.0 on the compiler therefore does not gather the lanes behind such a loop.
A loop that retries an update (``atomicCAS`` of computed values) ends by itself and is no such case.
"""

from __future__ import annotations

from warpview.frontend.interruption import checkpoint
from warpview.frontend.ir import BasicBlock, Branch, Const, Function, Instr, Reg
from warpview.isa.ops import AtomOp, Op


def spin_exits(function: Function) -> set[BasicBlock]:
    """Return the blocks whose branch leaves a loop depending on what another thread has written."""
    if not any(_looks_at_others(instr) for block in function.blocks for instr in block.instrs):
        return set()
    reach = {block: _reachable(block) for block in function.blocks}
    found = set()
    for block in function.blocks:
        if not isinstance(block.terminator, Branch) or block not in reach[block]:
            continue
        loop = {b for b in reach[block] if block in reach[b]}
        leaves = any(target not in loop for target in block.successors)
        if leaves and block.terminator.condition in _waited_for(loop):
            found.add(block)
    return found


def _reachable(start: BasicBlock) -> set[BasicBlock]:
    """Return the blocks that some path of at least one step leads to."""
    checkpoint()
    seen: set[BasicBlock] = set()
    work = [start]
    while work:
        for target in work.pop().successors:
            if target not in seen:
                seen.add(target)
                work.append(target)
    return seen


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
    return False
