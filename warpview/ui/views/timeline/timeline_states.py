"""Compute the arrays that a timeline shows of a run: the cycles in sight, the state of every warp slot, how busy the
schedulers are, where the time went."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warpview.sim.history.events import Residency
from warpview.trace.frame import Stall
from warpview.trace.timeline import sample_stalls
from warpview.trace.trace import Trace

LEAST_SPAN = 24.0  # cycles across the whole width at the closest zoom


@dataclass(frozen=True)
class Window:
    """Hold the cycles in sight: [first, first + span)."""

    first: float
    span: float

    @property
    def last(self) -> float:
        return self.first + self.span

    def clamped(self, total: float) -> Window:
        span = min(max(LEAST_SPAN, self.span), max(LEAST_SPAN, total))
        return Window(max(0.0, min(self.first, total - span)), span)

    def zoomed(self, factor: float, about: float, total: float) -> Window:
        """Return the window of ``factor`` times as many cycles; cycle ``about`` stays where it is in the picture."""
        span = min(max(LEAST_SPAN, self.span * factor), max(LEAST_SPAN, total))
        share = (about - self.first) / self.span
        return Window(about - share * span, span).clamped(total)

    def moved(self, cycles: float, total: float) -> Window:
        return Window(self.first + cycles, self.span).clamped(total)

    def showing(self, cycle: float, total: float) -> Window:
        """Return the same span, moved so that ``cycle`` is in sight; unchanged where it is already."""
        if self.first <= cycle <= self.last - 0.02 * self.span:
            return self
        return Window(cycle - 0.3 * self.span, self.span).clamped(total)


class ResidencyIntervals:
    """Hold arrays of when blocks came and went: a long run has thousands of them."""

    def __init__(self, trace: Trace) -> None:
        self.all = tuple(trace.residency)
        self.start = np.array([r.start for r in self.all], np.int64)
        self.end = np.array([r.end for r in self.all], np.int64)
        self.slot = np.array([r.first_slot for r in self.all], np.int64)
        self.warps = int(trace.launch.warps)  # of each block
        self.slots = int(self.slot.max()) + self.warps if self.all else 0  # warp slots that some block was in

    def meeting(self, first: float, last: float, least: float = 0.0) -> NDArray[np.int64]:
        """Return the indices of the residencies that meet the cycles [first, last) and last at least so many cycles."""
        return np.flatnonzero((self.end > first) & (self.start < last) & (self.end - self.start >= least))

    def between(self, first: float, last: float) -> list[Residency]:
        """Return the residencies that meet the cycles [first, last)."""
        return [self.all[k] for k in self.meeting(first, last).tolist()]


@dataclass(frozen=True, eq=False)  # found by identity
class WindowColumns:
    """Hold the states of a window at every pixel column: of the slots, and how busy the schedulers are."""

    states: NDArray[np.uint8]
    issue: NDArray[np.uint8]


class StateColumns:
    """Compute the columns that a timeline shows of a run, and keep them because most steps do not change them."""

    def __init__(self, trace: Trace) -> None:
        self.residencies, self.shares = ResidencyIntervals(trace), tuple(stall_shares(trace))  # of the time, by state
        self._issued: tuple[NDArray[np.int64], ...] = ()
        self._seen: tuple[tuple[Window, int], WindowColumns] | None = None

    def columns(self, trace: Trace, window: Window, columns: int) -> WindowColumns:
        """Return the columns of a window, computed anew for another window or width only."""
        if self._seen is None or self._seen[0] != (window, columns):
            self._issued = self._issued or issued(trace)
            found = WindowColumns(
                states(trace, self.residencies, window, columns), issue_heat(self._issued, window, columns)
            )
            self._seen = ((window, columns), found)
        return self._seen[1]


def states(trace: Trace, residencies: ResidencyIntervals, window: Window, columns: int) -> NDArray[np.uint8]:
    """Return the stall of every slot at the middle of every pixel column: uint8[slots, columns]."""
    cycles = np.floor(window.first + (np.arange(columns) + 0.5) * window.span / columns).astype(np.int64)
    return states_at(trace, residencies, cycles)


def states_at(trace: Trace, residencies: ResidencyIntervals, cycles: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return the stall of every slot in some ascending cycles: uint8[slots, len(cycles)]."""
    near = residencies.between(float(cycles[0]), float(cycles[-1]) + 1)
    return sample_stalls(trace.navigator, trace.arrays, near, cycles, residencies.slots, trace.launch.warps)


def issued(trace: Trace) -> tuple[NDArray[np.int64], ...]:
    """Return the cycles in which each scheduler issued, ascending."""
    count = trace.device.schedulers
    cycle, scheduler = np.asarray(trace.arrays.cycle), np.asarray(trace.arrays.scheduler)
    return (cycle,) if count == 1 else tuple(cycle[scheduler == k] for k in range(count))


def issue_heat(issued: tuple[NDArray[np.int64], ...], window: Window, columns: int) -> NDArray[np.uint8]:
    """Return how busy each scheduler is at every pixel column, 0 to 8 eighths of its cycles: uint8[schedulers,
    columns].

    Looks up the edges of the columns, so that it costs the same however many cycles are in sight.
    """
    # Whole numbers: for others the array of all cycles would be made into floats first.
    edges = np.ceil(window.first + np.arange(columns + 1) * window.span / columns).astype(np.int64)
    counts = np.stack([np.diff(np.searchsorted(cycles, edges)) for cycles in issued])
    return np.minimum(8, np.ceil(8 * counts / max(1.0, window.span / columns))).astype(np.uint8)


def stall_shares(trace: Trace) -> list[tuple[Stall, float]]:
    """Return the share of each state in the cycles that resident warps spent, largest first."""
    totals = np.asarray(trace.stall_cycles).sum(axis=0)[: Stall.EXITED]
    whole = float(totals.sum())
    if not whole:
        return []
    shares = [(Stall(k), float(v) / whole) for k, v in enumerate(totals.tolist()) if v]
    return sorted(shares, key=lambda s: -s[1])


@dataclass(frozen=True)
class StateInterval:
    """Hold the cycles [start, end) of a warp slot in one state; ``step`` is the instruction that it then issues."""

    stall: Stall
    start: int
    end: int
    step: int


def stretch_at(trace: Trace, slot: int, cycle: int) -> StateInterval | None:
    """Return the state of a slot around a cycle; None where it holds no warp that will issue again."""
    arrays, steps = trace.arrays, trace.navigator.steps_of_slot(slot)
    k = int(np.searchsorted(arrays.cycle[steps - 1], cycle))
    if k == len(steps):
        return None
    row = int(steps[k]) - 1
    since, ready, free, issued = (int(a[row]) for a in (arrays.since, arrays.ready, arrays.free, arrays.cycle))
    if cycle < since:
        return None
    ready = min(max(ready, since), issued)
    free = min(max(free, ready), issued)
    parts = ((Stall(int(arrays.wait[row])), since, ready), (Stall(int(arrays.throttle[row])), ready, free),
             (Stall.NOT_SELECTED, free, issued), (Stall.SELECTED, issued, issued + 1))  # fmt: skip
    stall, start, end = next(part for part in parts if cycle < part[2])
    return StateInterval(stall, start, end, row + 1)


def runs_of(states: NDArray[np.uint8], least: int) -> list[tuple[int, int, int, int]]:
    """Return stretches of one state at least ``least`` columns long: (row, first column, length, state)."""
    rows, columns = states.shape
    begins = np.ones((rows, columns), np.bool_)
    np.not_equal(states[:, 1:], states[:, :-1], out=begins[:, 1:])
    starts = np.flatnonzero(begins)
    lengths = np.diff(starts, append=rows * columns)
    starts, lengths = starts[lengths >= least], lengths[lengths >= least]
    found = (starts // columns, starts % columns, lengths, states.ravel()[starts])
    return list(zip(*(array.tolist() for array in found), strict=True))
