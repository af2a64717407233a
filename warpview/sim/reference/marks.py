"""Mark an instruction for what its accesses and its branch did."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from warpview.sim.events import Mark
from warpview.sim.raw_counts import Raw

_MARKS = {
    Raw.DIVERGENT: Mark.DIVERGENCE,
    Raw.SERIALIZED: Mark.CONFLICT,
    Raw.UNCOALESCED: Mark.UNCOALESCED,
    Raw.COLLISIONS: Mark.COLLISION,
}


def marks_of(added: NDArray[np.int64]) -> Mark:
    """Return the marks of an instruction that has ``added`` these raw counts."""
    marks = Mark.NONE
    for column, mark in _MARKS.items():
        if added[column]:
            marks |= mark
    return marks
