"""List the functions that CUDA provides: one table from the name to the code that lowers a call."""

from __future__ import annotations

from warpview.frontend.lower.builtins import (
    access,
    approximate,
    atomics,
    clusters,
    copies,
    halves,
    integers,
    lengths,
    maths,
    memory_barriers,
    packed,
    warps,
)
from warpview.frontend.lower.builtins.support import Handler

FUNCTIONS: dict[str, Handler] = {
    **maths.TABLE,
    **lengths.TABLE,
    **approximate.TABLE,
    **integers.TABLE,
    **packed.TABLE,
    **atomics.TABLE,
    **warps.TABLE,
    **access.TABLE,
    **clusters.TABLE,
    **copies.TABLE,
    **halves.TABLE,
    **memory_barriers.TABLE,
}
