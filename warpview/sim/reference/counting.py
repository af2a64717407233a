"""Add each issue to the raw counts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from warpview.isa.types import Space
from warpview.sim.raw_counts import Raw, elsewhere, in_other_blocks, memory_counts
from warpview.sim.reference.accesses import SpaceAccess

Row = NDArray[np.int64]


def count_issue(row: Row, mask: int, on: int) -> None:
    """Count one issue of an instruction by a path; ``row`` int64[N_RAW] is the instruction's."""
    row[Raw.EXECUTED] += 1
    row[Raw.LANES] += mask.bit_count()
    row[Raw.LANES_ON] += on.bit_count()


def count_branch(row: Row, mask: int, taken: int) -> None:
    row[Raw.TAKEN] += taken != 0
    row[Raw.DIVERGENT] += taken not in (0, mask)


def count_access(row: Row, parts: Sequence[SpaceAccess], is_generic: bool = False, is_copy: bool = False) -> None:
    """Count a memory instruction; a generic one is a request for each space that it reaches, and what it does in
    shared and local memory, and in the shared memory of other blocks, counts apart, too. Constants are global memory
    to it. A copy to shared memory is a request of what it loads alone."""
    for part in parts:
        for column, count in memory_counts(part.access).items():
            if is_copy and part.space == Space.SHARED and column in (Raw.REQUESTS, Raw.BYTES_REQUESTED):
                continue
            row[column] += count
            if part.is_distributed:
                row[in_other_blocks(column)] += count
            elif is_generic and part.space in (Space.SHARED, Space.LOCAL):
                row[elsewhere(column)] += count
    spaces = {part.space for part in parts}
    row[Raw.IN_LOCAL] += is_generic and Space.LOCAL in spaces
    row[Raw.REQUESTS] -= {Space.GLOBAL, Space.CONST} <= spaces
