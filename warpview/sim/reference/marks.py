"""Mark an instruction for what its accesses and its branch did."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from warpview.isa.ops import BLOCK_BARRIERS
from warpview.isa.program import Instruction
from warpview.sim.history.events import Mark
from warpview.sim.raw_counts import Raw

_MARKS = {
    Raw.DIVERGENT: Mark.DIVERGENCE,
    Raw.SERIALIZED: Mark.CONFLICT,
    Raw.UNCOALESCED: Mark.UNCOALESCED,
    Raw.COLLISIONS: Mark.COLLISION,
}


def marks_of(added: NDArray[np.int64], instruction: Instruction, on: int, has_found: bool) -> Mark:
    """Return the marks of an instruction that the lanes ``on`` have executed, that has ``added`` these raw counts, and
    that has or has not ``has_found`` something wrong."""
    marks = Mark.FINDING if has_found else Mark.NONE
    if instruction.op in BLOCK_BARRIERS and on:
        marks |= Mark.BARRIER
    for column, mark in _MARKS.items():
        if added[column]:
            marks |= mark
    return marks
