"""Keep the registers of one warp: rows of 32 lanes, as bit patterns."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from warpview.isa.program import Program, Special
from warpview.isa.types import Type
from warpview.sim.launch import Launch, coordinates

LANES = 32


@lru_cache(maxsize=4096)
def lanes_of(mask: int) -> tuple[int, ...]:
    """Return the lanes of a mask, ascending."""
    return tuple(lane for lane in range(LANES) if mask >> lane & 1)


class Registers:
    """Hold ``rows32[row][lane]`` and ``rows64[row][lane]``: uniform rows, then virtual registers, which start at
    zero."""

    def __init__(self, program: Program, launch: Launch, block: int, warp: int, multiprocessors: int) -> None:
        self.rows32 = [[int(bits)] * LANES for bits in launch.uniform32[: program.first_virtual32]]
        self.rows64 = [[int(bits)] * LANES for bits in launch.uniform64[: program.first_virtual64]]
        self.rows32 += [[0] * LANES for _ in range(program.rows32 - len(self.rows32))]
        self.rows64 += [[0] * LANES for _ in range(program.rows64 - len(self.rows64))]
        self._fill_special(launch, block, warp)
        self.rows32[Special.CLUSTER_RANK] = [launch.rank(block)] * LANES
        self.rows32[Special.SMID] = [block % multiprocessors] * LANES

    def _fill_special(self, launch: Launch, block: int, warp: int) -> None:
        # Lanes beyond the block get the coordinates that the numbering would give them.
        width, height, _ = launch.block
        threads = range(warp * LANES, (warp + 1) * LANES)
        self.rows32[Special.TID_X] = [t % width for t in threads]
        self.rows32[Special.TID_Y] = [t // width % height for t in threads]
        self.rows32[Special.TID_Z] = [t // (width * height) for t in threads]
        self.rows32[Special.LANEID] = list(range(LANES))
        self.rows32[Special.WARPID] = [warp] * LANES
        for row, value in zip(
            (Special.CTAID_X, Special.CTAID_Y, Special.CTAID_Z), coordinates(block, launch.grid), strict=True
        ):
            self.rows32[row] = [value] * LANES

    def row(self, type_: Type, row: int) -> list[int]:
        """Return the 32 lanes of a row in the file that holds values of the type."""
        return self.rows64[row] if type_.is_wide else self.rows32[row]

    def guarded(self, row: int, negated: bool, mask: int) -> int:
        """Return the lanes of ``mask`` where the predicate in ``row`` holds."""
        return sum(1 << lane for lane in lanes_of(mask) if bool(self.rows32[row][lane]) != negated)

    def arrays(self) -> tuple[NDArray[np.uint32], NDArray[np.uint64]]:
        """Return the registers as uint32[rows32, 32] and uint64[rows64, 32]."""
        return (
            np.array(self.rows32, dtype=np.uint32).reshape(-1, LANES),
            np.array(self.rows64, dtype=np.uint64).reshape(-1, LANES),
        )
