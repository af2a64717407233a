"""Tell the accesses that take part in synchronisation, the strong ones of PTX's memory model, from plain ones."""

from __future__ import annotations

from collections.abc import Sequence

from warpview.isa.native import SpecialAtomic
from warpview.isa.ops import ATOMIC_OPS, Op
from warpview.isa.program import Instruction
from warpview.isa.types import Space
from warpview.sim.checks.access_log import LogKind, LogRecord

# Of machine code: an access of this order at a generic address is one of cuda::atomic or cuda::barrier.
SCOPED = (".STRONG.SM", ".STRONG.GPU")


def is_strong(instruction: Instruction, space: int) -> bool:
    """Return whether an access takes part in synchronisation: an atomic or relaxed one, or a volatile one to global
    memory."""
    if instruction.op in ATOMIC_OPS or instruction.relaxed or (space == Space.GLOBAL and not instruction.cached):
        return True
    native = instruction.native
    return native is not None and instruction.space == Space.GENERIC and native.mnemonic.endswith(SCOPED)


def changes_barrier(instruction: Instruction, record: LogRecord) -> bool:
    """Return whether an access is an operation on a barrier of sm_90, as a bulk copy ends with one."""
    is_bulk = instruction.native is not None and instruction.native.bulk is not None
    return instruction.op == Op.MBARRIER or (is_bulk and record.kind == LogKind.ATOMIC and record.space == Space.SHARED)


def reads_of_atomics(instructions: Sequence[Instruction]) -> frozenset[int]:
    """Return the places of machine code that read shared memory for an atomic: in the loops of ATOMS.CAST.SPIN."""
    found: set[int] = set()
    for place, instruction in enumerate(instructions):
        native = instruction.native
        if native is None or instruction.op not in ATOMIC_OPS or native.extra != SpecialAtomic.TEST:
            continue
        behind = (each.target for each in instructions[place:] if each.op == Op.BRA and 0 <= each.target <= place)
        loop = range(next(behind, place), place)
        found.update(k for k in loop if instructions[k].op == Op.LD and instructions[k].space == Space.SHARED)
    return frozenset(found)
