"""Keep what a thread prints."""

from __future__ import annotations

from collections.abc import Sequence

from warpview.isa.program import Instruction, Program
from warpview.isa.values import Number
from warpview.sim.launch import PRINTED_KEPT, Printed
from warpview.sim.reference.accesses import BlockMemory


def keep_line(
    printed: list[Printed], program: Program, memory: BlockMemory, ins: Instruction, thread: int,
    values: Sequence[Number], shared_base: int = 0,
) -> None:  # fmt: skip
    """Add a call of printf to those that are kept, if there is room, with its strings as they are now.

    ``thread`` is the index in the block; ``shared_base`` bytes of shared memory are the driver's.
    """
    if len(printed) == PRINTED_KEPT:
        return
    call = program.prints[ins.imm]
    told = [
        memory.text_at(int(value), thread, shared_base) if call.is_string(place, type_) else value
        for place, (value, type_) in enumerate(zip(values, ins.printed_types, strict=True))
    ]
    printed.append((ins.imm, memory.block, thread, tuple(told)))
