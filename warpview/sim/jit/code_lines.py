"""Machine code that runs for the first time: sim/reference/code_lines.py."""

from __future__ import annotations

from warpview.sim.jit.compile import jit
from warpview.sim.jit.raw import load_i64, store_64
from warpview.sim.jit.sm_state import NOT_RUNNABLE
from warpview.sim.timing import CODE_LINE, PREFETCHED_LINES


@jit
def code_ready(sm, pc, earliest):
    """Return when the line of code of an instruction is there that is needed from ``earliest`` on: what has run before
    stays in the cache."""
    if sm.cold_start == 0 or pc == NOT_RUNNABLE:
        return earliest
    line = pc // CODE_LINE
    place = sm.code_at + 8 * line
    if load_i64(place) == 0:
        cost = sm.cold_line if line >= PREFETCHED_LINES else 0
        sm.code_free = max(sm.code_free, earliest) + (sm.cold_start if sm.code_free == 0 else cost)
        store_64(place, sm.code_free)
    return max(earliest, load_i64(place))
