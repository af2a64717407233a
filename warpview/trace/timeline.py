"""Compute the states of every warp slot over a span of cycles, for a timeline at any zoom, from the events."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from warpview.sim.history.events import Events, Residency, Stall
from warpview.trace.navigation import Navigator


def sample_stalls(
    navigator: Navigator,
    events: Events,
    residency: Sequence[Residency],
    cycles: NDArray[np.int64],
    slots: int,
    warps_per_block: int,
) -> NDArray[np.uint8]:
    """Return the stall of every warp slot in each of the ascending ``cycles``: uint8[slots, len(cycles)].

    For a picture of more cycles than pixels: one look a pixel costs the same however long the span.
    """
    out = np.full((slots, len(cycles)), Stall.EMPTY, dtype=np.uint8)
    bounds = np.searchsorted(cycles, np.array([(stay.start, stay.end) for stay in residency]).reshape(-1, 2))
    for stay, (low, high) in zip(residency, bounds.tolist(), strict=True):
        out[stay.first_slot : stay.first_slot + warps_per_block, low:high] = Stall.EXITED
    if not len(events):
        return out
    rows = navigator.next_rows_of(np.searchsorted(events.cycle, cycles, side="left"))
    known = rows < len(events)
    rows = np.minimum(rows, len(events) - 1)
    # Before an event's span begins the slot was empty, or its last warp had ended.
    known &= cycles >= events.since[rows]
    state = np.full(rows.shape, Stall.NOT_SELECTED, dtype=np.uint8)
    np.copyto(state, events.throttle[rows], where=cycles < events.free[rows])
    np.copyto(state, events.wait[rows], where=cycles < events.ready[rows])
    state[cycles == events.cycle[rows]] = Stall.SELECTED
    np.copyto(out[: len(rows)], state, where=known)
    return out


def step_at(events: Events, cycle: int) -> int:
    """Return the last step whose event was issued in ``cycle`` or before it; 0 before the first."""
    return int(np.searchsorted(events.cycle, cycle, side="right"))
