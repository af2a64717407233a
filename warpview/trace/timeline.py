"""Compute the states of every warp slot over a span of cycles, for a timeline at any zoom, from the events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warpview.sim.events import Events, Residency, Stall
from warpview.trace.navigation import Navigator


@dataclass(frozen=True)
class StallSpans:
    """List spans of cycles [start, end) in which one warp slot was in one state; parallel arrays, by slot and
    start."""

    slot: NDArray[np.int64]
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    stall: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.slot)


def stall_spans(navigator: Navigator, events: Events, first: int, last: int) -> StallSpans:
    """Return every non-empty span of every warp slot that meets the cycles [first, last), cut to them."""
    parts = []
    begin, end = np.searchsorted(events.cycle, (first, last), side="left")
    for slot in navigator.slots():
        steps = navigator.steps_of_slot(slot)
        low, high = np.searchsorted(steps, (begin, end), side="right")
        # The issue after the last cycle says what the slot waited for before it.
        parts.append(_slot_spans(slot, events, steps[low : high + 1] - 1))
    whole = np.concatenate(parts) if parts else np.empty((0, 4), dtype=np.int64)
    start, end = np.maximum(whole[:, 1], first), np.minimum(whole[:, 2], last)
    keep = start < end
    return StallSpans(whole[keep, 0], start[keep], end[keep], whole[keep, 3].astype(np.uint8))


def _slot_spans(slot: int, events: Events, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return an event's wait, its wait for the unit, for its turn, and its issue, as int64[4 x rows, (slot, start, end,
    stall)]."""
    cycle, since, ready, free = (a[rows] for a in (events.cycle, events.since, events.ready, events.free))
    ready = np.clip(ready, since, cycle)
    free = np.clip(free, ready, cycle)
    bounds = np.stack([since, ready, free, cycle, cycle + 1], axis=1)
    out = np.empty((len(rows), 4, 4), dtype=np.int64)
    out[:, :, 0] = slot
    out[:, :, 1] = bounds[:, :-1]
    out[:, :, 2] = bounds[:, 1:]
    out[:, 0, 3] = events.wait[rows]
    out[:, 1, 3] = events.throttle[rows]
    out[:, 2:, 3] = (Stall.NOT_SELECTED, Stall.SELECTED)
    return out.reshape(-1, 4)


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
