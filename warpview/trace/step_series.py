"""Computes series over the steps of a trace: active lanes, and counters as they grow."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from warpview.sim.events import Events, Mark
from warpview.sim.raw_counts import Raw

_BITS_OF_BYTE = np.array([bin(b).count("1") for b in range(256)], dtype=np.uint8)


def popcount(masks: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """Set bits of each 32-bit mask."""
    words = np.ascontiguousarray(masks, dtype=np.uint32)
    return np.asarray(_BITS_OF_BYTE[words.view(np.uint8)].reshape(*words.shape, 4).sum(axis=-1), dtype=np.uint8)


def active_lanes(events: Events, first: int, last: int, columns: int) -> NDArray[np.float64]:
    """Return the mean number of active lanes (0 to 32) over the steps first + 1 .. last, in at most ``columns`` equal
    pieces.

    Fewer steps than columns give one value a step.
    """
    lanes = popcount(events.on[first:last]).astype(np.float64)
    return _means(lanes, columns)


def lane_activity(events: Events, steps: NDArray[np.int64], columns: int) -> NDArray[np.float64]:
    """Return how large a part of ``steps`` (a warp's, say) each lane was active in, by piece: float64[32, pieces]."""
    on = events.on[steps - 1]
    bits = ((on[None, :] >> np.arange(32, dtype=np.uint32)[:, None]) & 1).astype(np.float64)
    return np.stack([_means(row, columns) for row in bits])


def _means(values: NDArray[np.float64], columns: int) -> NDArray[np.float64]:
    if len(values) <= columns:
        return values
    edges = np.linspace(0, len(values), columns + 1).astype(np.int64)
    return np.asarray(np.add.reduceat(values, edges[:-1]) / np.diff(edges), dtype=np.float64)


# Of these raw counts the events tell how much each added.
_PER_EVENT_MARK = {
    Raw.DIVERGENT: Mark.DIVERGENCE,
    Raw.SERIALIZED: Mark.CONFLICT,
    Raw.UNCOALESCED: Mark.UNCOALESCED,
}


def per_event(events: Events, column: Raw) -> NDArray[np.int64] | None:
    """Return what each event added to a raw count; None for a count that the events do not tell."""
    if column == Raw.EXECUTED:
        return np.ones(len(events), dtype=np.int64)
    masks = {Raw.LANES: events.mask, Raw.LANES_ON: events.on}.get(column)
    if masks is not None:
        return np.asarray(popcount(masks), dtype=np.int64)
    if column == Raw.TAKEN:
        return np.asarray(events.taken != 0, dtype=np.int64)
    if column == Raw.WAVEFRONTS:
        return np.asarray(events.units, dtype=np.int64)
    mark = _PER_EVENT_MARK.get(column)
    if mark is None:
        return None
    return np.asarray((events.marks & int(mark)) != 0, dtype=np.int64)


def sparkline(
    events: Events, column: Raw, pcs: NDArray[np.bool_], points: int, truth: tuple[NDArray[np.int64], NDArray[np.int64]]
) -> NDArray[np.float64]:
    """Return a raw count, added up over the instructions in ``pcs`` (bool[n_instructions]), at ``points`` equidistant
    steps.

    ``truth`` = (steps, counts int64[k, n_instructions]) of that column where it is known exactly: between these a
    count that the events do not tell is drawn as straight lines.
    """
    at = np.linspace(0, len(events), points).astype(np.int64)
    added = per_event(events, column)
    if added is None:
        steps, counts = truth
        return np.asarray(np.interp(at, steps, counts[:, pcs].sum(axis=1)), dtype=np.float64)
    total = np.concatenate([[0], np.cumsum(np.where(pcs[events.pc], added, 0))])
    return total[at].astype(np.float64)
