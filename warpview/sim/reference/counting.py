"""Add each issue to the raw counts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from warpview.isa.native import EXCLUSIVE
from warpview.isa.ops import AtomOp, Op
from warpview.isa.program import Instruction
from warpview.isa.types import Space
from warpview.sim.raw_counts import Raw, elsewhere, in_other_blocks, memory_counts
from warpview.sim.reference.accesses import SpaceAccess
from warpview.sim.rules.access import SharedAccess

Row = NDArray[np.int64]


def count_issue(row: Row, mask: int, on: int) -> None:
    """Count one issue of an instruction by a path; ``row`` int64[N_RAW] is the instruction's."""
    row[Raw.EXECUTED] += 1
    row[Raw.LANES] += mask.bit_count()
    row[Raw.LANES_ON] += on.bit_count()


def count_atomic(row: Row, parts: Sequence[SpaceAccess], asked: int, swaps: bool) -> None:
    """Count what an atomic of machine code asks of shared memory beyond its accesses, none of which is a conflict: one
    by a generic address the wavefronts ``asked`` that its width demands, also where no lane lies in the block's own,
    and a compare-and-swap a second one for each (measured on an H200). Others ask for none."""
    own = [part.access for part in parts if part.space == Space.SHARED and not part.is_distributed]
    again = sum(len(access.wavefronts) for access in own if isinstance(access, SharedAccess)) if swaps else 0
    row[[Raw.WAVEFRONTS, Raw.IDEAL_WAVEFRONTS]] += again
    if asked:
        in_vain = 0 if own else asked * (1 + swaps)
        row[[elsewhere(Raw.WAVEFRONTS), elsewhere(Raw.IDEAL_WAVEFRONTS)]] += again + in_vain


def first_passes(instruction: Instruction, added: Row) -> Row:
    """Return what an instruction added to the counts without the second wavefronts of a compare-and-swap of machine
    code: times were fitted to one wavefront each."""
    if instruction.native is None or instruction.op != Op.ATOM or instruction.mod != AtomOp.CAS:
        return added
    second = np.zeros_like(added)
    own = added[Raw.WAVEFRONTS] - added[in_other_blocks(Raw.WAVEFRONTS)]
    second[[Raw.WAVEFRONTS, Raw.IDEAL_WAVEFRONTS]] = own // 2
    return added - second


def count_branch(row: Row, mask: int, taken: int) -> None:
    row[Raw.TAKEN] += taken != 0
    row[Raw.DIVERGENT] += taken not in (0, mask)


def count_parting(row: Row, others: int, kind: int) -> None:
    """Count that the lanes of one member mask leave a WARPSYNC before others: the instruction counts once for all of
    them, the multiprocessor issues it again for the others, where it is .EXCLUSIVE as a divergent branch (measured on
    an H200)."""
    row[Raw.EXECUTED] -= others != 0
    row[Raw.REISSUED] += others != 0
    row[Raw.REISSUED_LANES] += others.bit_count()
    row[[Raw.DIVERGENT, Raw.FURTHER_TARGETS]] += others != 0 and kind == EXCLUSIVE


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


def count_late(row: Row, waiting: int, ways: int) -> None:
    """Count that paths come late to a BSYNC or WARPSYNC, together: the multiprocessor issues it once for them, with the
    lanes that wait there, and the instruction counts one for each way on which they came."""
    row[Raw.EXECUTED] += ways - 1
    row[Raw.REISSUED] -= ways - 1
    row[Raw.REISSUED_LANES] += waiting.bit_count()
