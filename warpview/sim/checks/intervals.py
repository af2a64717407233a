"""Find the loads of shared memory that no store can race with, by the block barriers between them.

Between two block barriers the threads of a block execute instructions of one interval: those that can be reached from
its first barrier (or from the start of the kernel) without passing another. A load of which no interval has a store to
shared memory is ordered by barriers with every store there is.
"""

from __future__ import annotations

from collections.abc import Iterable

from warpview.isa.ops import ATOMIC_OPS, BLOCK_BARRIERS, Op
from warpview.isa.program import Instruction, Program
from warpview.isa.types import Space
from warpview.sim.checks.indirect import INDIRECT, direct_successors, indirect_targets

SHARED = (Space.SHARED, Space.GENERIC)
_BARRIERS = BLOCK_BARRIERS - {Op.BAR_NAMED}  # at which all threads of a block wait for one another


def successors(program: Program, pc: int) -> Iterable[int]:
    """Return the instructions that may come after one."""
    native = program.instructions[pc].native
    if native is not None and native.meaning == INDIRECT:
        return indirect_targets(program)[pc] | {pc + 1}
    return direct_successors(program, pc)


def _interval(program: Program, start: int) -> set[int]:
    """Return the instructions that can be reached from ``start`` up to the next block barriers."""
    found: set[int] = set()
    waiting = [start]
    while waiting:
        pc = waiting.pop()
        if pc in found or pc >= len(program.instructions) or program.instructions[pc].op in _BARRIERS:
            continue
        found.add(pc)
        waiting += successors(program, pc)
    return found


def _may_write_shared(instruction: Instruction) -> bool:
    """Return whether an instruction may write to shared memory: an asynchronous or bulk copy of machine code does,
    whatever memory it loads from."""
    native = instruction.native
    if native is not None and (native.copy_target is not None or native.bulk is not None):
        return True
    return instruction.op in ATOMIC_OPS | {Op.ST} and instruction.space in SHARED


def ordered_loads(program: Program) -> frozenset[int]:
    """Return the loads of shared memory that block barriers order with every store to it."""
    instructions = program.instructions
    starts = [0, *(pc + 1 for pc, i in enumerate(instructions) if i.op in _BARRIERS)]
    loads = {pc for pc, i in enumerate(instructions) if i.op == Op.LD and i.space == Space.SHARED}
    writes = {pc for pc, instruction in enumerate(instructions) if _may_write_shared(instruction)}
    for start in starts:
        if not loads:
            break
        interval = _interval(program, start)
        if interval & writes:
            loads -= interval
    return frozenset(loads)
