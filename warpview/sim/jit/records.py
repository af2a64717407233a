"""Give jitted code the records of ``state`` and ``sm_state`` by address, without a copy."""

from __future__ import annotations

import numba
import numpy as np

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
pace_at = record_at(numba.from_dtype(state.PACE))

cache_at = record_at(numba.from_dtype(sm_state.CACHE))
cost_at = record_at(numba.from_dtype(sm_state.COST))
timed_at = record_at(numba.from_dtype(sm_state.TIMED))
resident_block_at = record_at(numba.from_dtype(sm_state.RESIDENT_BLOCK))
scheduler_at = record_at(numba.from_dtype(sm_state.SCHEDULER))
sm_at = record_at(numba.from_dtype(sm_state.SM))


def _field_at(record: np.dtype, name: str):
    """Make a function that returns the address of a field in a record."""
    offset = record.fields[name][1]

    @jit
    def at(r):
        return address_of(r) + offset

    return at


# Scratch rows of the machine.
addresses_at, physical_at = _field_at(state.MACHINE, "address"), _field_at(state.MACHINE, "physical")
relative_at, shadow_row_at = _field_at(state.MACHINE, "relative"), _field_at(state.MACHINE, "shadow")
kept_at = _field_at(state.MACHINE, "kept")
matrix_at = _field_at(state.MACHINE, "matrix")
# The first of the figures of an access.
pattern_figures_at = _field_at(state.PATTERN, state.FIGURE_NAMES[0])
event_figures_at = _field_at(state.EVENT, state.FIGURE_NAMES[0])


@jit
def transactions(r):
    """Return the transactions of all sizes, of a pattern or an event."""
    return r.transactions_32 + r.transactions_64 + r.transactions_96 + r.transactions_128
