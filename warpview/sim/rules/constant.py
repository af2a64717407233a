"""Count the passes of a constant-memory request: as many as it has different addresses."""

from __future__ import annotations

from collections.abc import Sequence

from warpview.sim.rules.access import Wavefront
from warpview.sim.rules.coalescing import bits, parts


def passes(offsets: Sequence[int], mask: int, group_lanes: int) -> list[Wavefront]:
    """Return one pass for each distinct address of a request (CUDA C Programming Guide 3.2, 5.3.2.4).

    ``group_lanes`` is 16 on CC 1.x, where the warp is split into half-warps first, else 32.
    """
    result: list[Wavefront] = []
    for _, lanes in parts(mask, group_lanes):
        for offset in dict.fromkeys(offsets[lane] for lane in lanes):
            served = [lane for lane in lanes if offsets[lane] == offset]
            result.append(Wavefront(bits(served), ((0, offset // 4),), len(served) > 1))
    return result
