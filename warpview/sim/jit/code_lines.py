"""Time the first use of machine code and constants, as sim/reference/code_lines.py does."""

from __future__ import annotations

from warpview.sim.jit.compile import jit
from warpview.sim.jit.raw import load_i64, store_64
from warpview.sim.jit.records import cost_at
from warpview.sim.jit.sm_state import COST_BYTES, NOT_RUNNABLE
from warpview.sim.timing.model import CODE_LINE, PREFETCHED_LINES


@jit
def code_ready(sm, pc, earliest, others):
    """Return when the line of code of an instruction is there that is needed from ``earliest`` on, and the constant
    that it needs once ``others`` are there: what was used before stays in the cache."""
    if sm.cold_start == 0 or pc == NOT_RUNNABLE:
        return earliest
    line = pc // CODE_LINE
    place = sm.code_at + 8 * line
    if load_i64(place) == 0:
        further = sm.cold_line if line >= PREFETCHED_LINES else 0
        sm.code_free = max(sm.code_free, earliest) + (sm.cold_start if sm.code_free == 0 else further)
        store_64(place, sm.code_free)
    fetched = max(earliest, load_i64(place))
    cost = cost_at(sm.costs_at + pc * COST_BYTES)
    if cost.loads_constant:
        return fetched
    return max(fetched, constant_ready(sm, cost.constant_line, max(fetched, others)))


@jit
def constant_ready(sm, line, cycle):
    """Return when the constant is there that an instruction asks for in ``cycle``."""
    if line == 0 or sm.cold_start == 0:
        return 0
    place = sm.constants_at + 8 * line
    if load_i64(place) == 0:
        if sm.first_constant == 0:
            sm.first_constant = cycle + sm.cold_constant
            store_64(place, sm.first_constant)
        else:
            store_64(place, max(sm.first_constant, cycle) + sm.cold_constant_line)
    return load_i64(place)
