"""The records of ``state`` and ``sm_state`` as jitted code sees them: by address, without a copy."""

from __future__ import annotations

import numba

from warpview.sim.jit import sm_state, state
from warpview.sim.jit.compile import jit
from warpview.sim.jit.raw import address_of, record_at

Instruction = numba.from_dtype(state.INSTRUCTION)
instruction_at = record_at(Instruction)
warp_at = record_at(numba.from_dtype(state.WARP))
block_at = record_at(numba.from_dtype(state.BLOCK))
event_at = record_at(numba.from_dtype(state.EVENT))
finding_at = record_at(numba.from_dtype(state.FINDING))
pattern_at = record_at(numba.from_dtype(state.PATTERN))
suspect_at = record_at(numba.from_dtype(state.SUSPECT))
log_at = record_at(numba.from_dtype(state.LOG))
printed_at = record_at(numba.from_dtype(state.PRINTED))
machine_at = record_at(numba.from_dtype(state.MACHINE))

cache_at = record_at(numba.from_dtype(sm_state.CACHE))
cost_at = record_at(numba.from_dtype(sm_state.COST))
timed_at = record_at(numba.from_dtype(sm_state.TIMED))
resident_block_at = record_at(numba.from_dtype(sm_state.RESIDENT_BLOCK))
scheduler_at = record_at(numba.from_dtype(sm_state.SCHEDULER))
sm_at = record_at(numba.from_dtype(sm_state.SM))


def _scratch(name: str):
    """A function that gives the address of a scratch row of the machine."""
    offset = state.MACHINE.fields[name][1]

    @jit
    def at(m):
        return address_of(m) + offset

    return at


addresses_at, physical_at = _scratch("address"), _scratch("physical")
relative_at, shadow_row_at = _scratch("relative"), _scratch("shadow")
