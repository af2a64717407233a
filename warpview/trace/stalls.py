"""Add up the warp cycles of a recorded run by stall reason: of instructions, of warps, or of any choice of events."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from warpview.sim.history.events import N_STALL, Events, Stall


def by_instruction(events: Events, n_instructions: int) -> NDArray[np.int64]:
    """Return the warp cycles spent waiting to issue each instruction, and issuing it: int64[n_instructions,
    N_STALL]."""
    return _tally(events, events.pc.astype(np.int64), n_instructions)


def _tally(events: Events, key: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    ready = np.clip(events.ready, events.since, events.cycle)
    free = np.clip(events.free, ready, events.cycle)
    total = np.zeros((size, N_STALL), dtype=np.int64)
    # The second instruction that a scheduler issues in one cycle waits for nothing and takes no cycle of its own.
    counts = events.since <= events.cycle
    for stall, cycles in (
        (events.wait, ready - events.since),
        (events.throttle, free - ready),
        (Stall.NOT_SELECTED, events.cycle - free),
        (Stall.SELECTED, np.ones(len(key), dtype=np.int64)),
    ):
        np.add.at(total, (key[counts], np.broadcast_to(stall, key.shape)[counts]), cycles[counts])
    return total
