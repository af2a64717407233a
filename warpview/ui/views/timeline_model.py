"""The multiprocessor over time: cycles across, warp slots down, issues and each kind of stall in its colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from warpview.sim.events import Residency
from warpview.trace.frame import Stall
from warpview.trace.timeline import sampled
from warpview.ui.picture import Box, Hot, Picture, Target
from warpview.ui.values import thousands

if TYPE_CHECKING:
    from warpview.ui.views.context import FrameContext

LEAST_SPAN = 24.0  # cycles across the whole width at the closest zoom
TOKENS = tuple(f"stall_{s.name.lower()}" for s in Stall)
WORDS = {
    Stall.SELECTED: "issues",
    Stall.NOT_SELECTED: "ready, another was picked",
    Stall.WAIT: "waits for a result",
    Stall.MEMORY: "waits for memory",
    Stall.SHARED: "waits for shared memory",
    Stall.BARRIER: "waits at the barrier",
    Stall.THROTTLE: "unit busy",
    Stall.RECONVERGE: "paths wait for one another",
    Stall.EXITED: "ended",
    Stall.EMPTY: "empty",
}
SHORT = {
    Stall.SELECTED: "issue",
    Stall.NOT_SELECTED: "ready",
    Stall.WAIT: "result",
    Stall.MEMORY: "memory",
    Stall.SHARED: "shared",
    Stall.BARRIER: "barrier",
    Stall.THROTTLE: "unit busy",
    Stall.RECONVERGE: "reconverge",
}


@dataclass(frozen=True)
class Window:
    """The cycles in sight: [first, first + span)."""

    first: float
    span: float

    @property
    def last(self) -> float:
        return self.first + self.span

    def clamped(self, total: float) -> Window:
        span = min(max(LEAST_SPAN, self.span), max(LEAST_SPAN, total))
        return Window(max(0.0, min(self.first, total - span)), span)

    def zoomed(self, factor: float, about: float, total: float) -> Window:
        """``about`` stays where it is in the picture."""
        span = min(max(LEAST_SPAN, self.span * factor), max(LEAST_SPAN, total))
        share = (about - self.first) / self.span
        return Window(about - share * span, span).clamped(total)

    def moved(self, cycles: float, total: float) -> Window:
        return Window(self.first + cycles, self.span).clamped(total)

    def showing(self, cycle: float, total: float) -> Window:
        """The same span, moved so that ``cycle`` is in sight; unchanged where it is already."""
        if self.first <= cycle <= self.last - 0.02 * self.span:
            return self
        return Window(cycle - 0.3 * self.span, self.span).clamped(total)


class Stays:
    """When blocks came and went, as arrays: a long run has thousands of them."""

    def __init__(self, trace: Any) -> None:
        self.all = tuple(trace.residency)
        self.start = np.array([r.start for r in self.all], np.int64)
        self.end = np.array([r.end for r in self.all], np.int64)
        first = max((r.first_slot for r in self.all), default=-1)
        self.slots = first + int(trace.launch.warps) if first >= 0 else 0  # warp slots that some block was in

    def between(self, first: float, last: float) -> list[Residency]:
        """Those that meet the cycles [first, last)."""
        return [self.all[k] for k in np.flatnonzero((self.end > first) & (self.start < last)).tolist()]


@dataclass
class Columns:
    """The states of the slots for one window and width, kept because most steps do not change them."""

    stays: Stays
    key: tuple[Any, ...] = ()
    states: NDArray[np.uint8] = field(default_factory=lambda: np.zeros((0, 0), np.uint8))
    issue: NDArray[np.uint8] = field(default_factory=lambda: np.zeros((0, 0), np.uint8))
    shares: list[tuple[Stall, float]] = field(default_factory=list)


def states(trace: Any, stays: Stays, window: Window, columns: int) -> NDArray[np.uint8]:
    """Stall of every slot at the middle of every pixel column: uint8[slots, columns]."""
    cycles = np.floor(window.first + (np.arange(columns) + 0.5) * window.span / columns).astype(np.int64)
    return states_at(trace, stays, cycles)


def states_at(trace: Any, stays: Stays, cycles: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Stall of every slot in some ascending cycles: uint8[slots, len(cycles)]."""
    near = stays.between(float(cycles[0]), float(cycles[-1]) + 1)
    return sampled(trace.navigator, trace.arrays, near, cycles, stays.slots, trace.launch.warps)


def issue_heat(trace: Any, window: Window, columns: int) -> NDArray[np.uint8]:
    """How busy each scheduler is at every pixel column, 0 to 8 eighths of its cycles: uint8[schedulers, columns]."""
    arrays = trace.arrays
    edges = window.first + np.arange(columns + 1) * window.span / columns
    # Whole numbers: for others the array of all cycles would be made into floats first.
    low, high = np.searchsorted(arrays.cycle, np.ceil(edges[[0, -1]]).astype(arrays.cycle.dtype))
    cycle, scheduler = arrays.cycle[low:high], arrays.scheduler[low:high]
    count = max(1, int(getattr(trace.device, "schedulers", 1)))
    column = ((cycle - window.first) * (columns / window.span)).astype(np.int64)
    column = np.minimum(np.maximum(column, 0), columns - 1)
    found = np.bincount(scheduler.astype(np.int64) * columns + column, minlength=count * columns)[: count * columns]
    busy = found.reshape(count, columns) / max(1.0, window.span / columns)
    return np.minimum(8, np.ceil(8 * busy)).astype(np.uint8)


def stall_shares(trace: Any) -> list[tuple[Stall, float]]:
    """Of the cycles that resident warps spent, the share of each state, largest first."""
    totals = np.asarray(trace.stall_cycles).sum(axis=0)[: Stall.EXITED]
    whole = float(totals.sum())
    if not whole:
        return []
    shares = [(Stall(k), float(v) / whole) for k, v in enumerate(totals.tolist()) if v]
    return sorted(shares, key=lambda s: -s[1])


# --- drawing ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Layout:
    """Where the parts are: the rows of slots, and the scale."""

    rows: Box
    window: Window

    def x(self, cycle: float) -> float:
        return self.rows.x + (cycle - self.window.first) / self.window.span * self.rows.w

    def cycle(self, x: float) -> float:
        return self.window.first + (x - self.rows.x) / self.rows.w * self.window.span


def layout(picture_width: float, picture_height: float, unit: float, window: Window, schedulers: int) -> Layout:
    """The same for drawing and for the pointer."""
    left = 3.6 * unit
    top = 1.4 * unit + _heat_height(unit, schedulers)
    below = 2.1 * unit if picture_height > 12 * unit else 0.3 * unit
    return Layout(Box(left, top, max(10.0, picture_width - left - 0.5 * unit),
                      max(10.0, picture_height - top - below)), window)  # fmt: skip


def _heat_height(unit: float, schedulers: int) -> float:
    return min(1.4, 0.7 + 0.25 * schedulers) * unit


def draw(context: FrameContext, picture: Picture, window: Window, kept: Columns | None) -> str:
    """Fill the picture; returns the note."""
    u = picture.unit
    trace: Any = context.trace
    if kept is None or not trace.steps:
        picture.text(picture.width / 2, picture.height / 2, "no cycles were recorded", colour="dim", align=0,
                     room=picture.width)  # fmt: skip
        return ""
    schedulers = max(1, int(getattr(context.device, "schedulers", 1)))
    place = layout(picture.width, picture.height, u, window, schedulers)
    columns = max(1, int(place.rows.w))
    key = (id(trace), window.first, window.span, columns)
    if kept.key != key:
        kept.key = key
        kept.states = states(trace, kept.stays, window, columns)
        kept.issue = issue_heat(trace, window, columns)
        kept.shares = stall_shares(trace)
    _axis(picture, place)
    heat = Box(place.rows.x, 1.4 * u, place.rows.w, _heat_height(u, schedulers) - 0.3 * u)
    picture.bitmap(heat, kept.issue, ("raised", *(f"heat{k}" for k in range(8))))
    picture.text(heat.x - 0.4 * u, heat.cy, "issue", 0.78 * u, "dim", 1)
    share = "scheduler" if schedulers == 1 else f"{schedulers} schedulers"
    picture.hot(heat, f"how busy the {share} are: the darker, the more cycles with an issue")
    picture.bitmap(place.rows, kept.states, TOKENS)
    _rows(context, picture, place, kept.stays)
    _blocks(picture, place, trace, kept.stays)
    if picture.height > 12 * u:
        _shares(picture, Box(0.5 * u, place.rows.bottom + 0.5 * u, picture.width - u, 1.2 * u), kept.shares)
    # Last what moves with the step.
    _chosen(context, picture, place, kept.stays)
    _cursor(context, picture, place)
    note = f"cycle {thousands(context.frame.cycle)} of {thousands(trace.cycles)}"
    picture.spoken = f"Timeline at {note}."
    return note


def ticks(window: Window, most: int) -> list[int]:
    """Round cycle numbers, at most ``most`` of them."""
    step = 1
    while window.span / step > most:
        step = step * 2 if str(step)[0] in "15" else step * 5 // 2
    first = -(-int(np.ceil(window.first)) // step) * step
    return list(range(first, int(window.last) + 1, step))


def _axis(picture: Picture, place: Layout) -> None:
    u = picture.unit
    most = max(2, int(place.rows.w / (5.5 * u)))
    grid = []
    for cycle in ticks(place.window, most):
        x = place.x(cycle)
        text = thousands(cycle)
        half = picture.size_of(text, 0.8 * u) / 2
        picture.text(min(max(x, place.rows.x + half), place.rows.right - half), 0.7 * u, text, 0.8 * u, "dim", 0)
        grid.append((x, 1.2 * u, x, 1.4 * u))
    picture.lines(grid, "idle")
    picture.text(place.rows.x - 0.4 * u, 0.7 * u, "cycle", 0.8 * u, "dim", 1)


def _rows(context: FrameContext, picture: Picture, place: Layout, stays: Stays) -> None:
    u = picture.unit
    count = stays.slots
    if not count:
        return
    h = place.rows.h / count
    if h >= 5:
        picture.lines(
            [(place.rows.x, place.rows.y + k * h, place.rows.right, place.rows.y + k * h) for k in range(1, count)],
            "panel", 1.2 if h > 9 else 0.8,
        )  # fmt: skip
    every = next(k for k in (1, 2, 4, 8, 16, 32, 64, 128) if k * h >= 1.05 * u)
    held = {w.slot: w for w in context.frame.warps}
    for slot in range(0, count, every):
        warp = held.get(slot)
        label = f"b{warp.block} w{warp.warp}" if warp is not None else f"slot {slot}"
        y = place.rows.y + (slot + 0.5) * h
        picture.text(place.rows.x - 0.4 * u, y, label, 0.78 * u, "dim", 1, room=place.rows.x - 0.6 * u, least=0.6 * u)
    picture.region(place.rows, partial(_at, context, place, stays, h))


def _at(context: FrameContext, place: Layout, stays: Stays, h: float, x: float, y: float) -> Hot | None:
    """The slot and cycle under the pointer: what the warp does there, and the step it leads to."""
    trace: Any = context.trace
    slot = int((y - place.rows.y) / h)
    cycle = int(place.cycle(x))
    state = Stall(int(states_at(trace, stays, np.array([cycle], np.int64))[slot, 0]))
    steps = trace.navigator.steps_of_slot(slot)
    box = Box(x - 2, place.rows.y + slot * h, 4, h)
    if not len(steps):
        return Hot(box, f"slot {slot}, cycle {cycle}: empty")
    k = max(0, int(np.searchsorted(trace.arrays.cycle[steps - 1], cycle, side="right")) - 1)
    event = trace.event(int(steps[k]))
    instruction = context.program.instructions[event.pc]
    says = f"cycle {cycle}: {WORDS[state]}"
    if state not in (Stall.EMPTY, Stall.EXITED):
        after = "" if state is Stall.SELECTED else "after "
        what = f"{after}{instruction.info.mnemonic}, line {instruction.span.line}"
        says = f"block {event.block}, warp {event.warp}, {says}\n{what}"
    return Hot(box, says, Target(block=event.block, warp=event.warp, step=event.step))


def _blocks(picture: Picture, place: Layout, trace: Any, stays: Stays) -> None:
    """A line where a block comes, and its number."""
    u = picture.unit
    warps = trace.launch.warps
    h = place.rows.h / max(1, stays.slots)
    edges = []
    tags = 0
    for stay in stays.between(place.window.first, place.window.last):
        y = place.rows.y + stay.first_slot * h
        left, right = max(place.rows.x, place.x(stay.start)), min(place.rows.right, place.x(stay.end))
        if place.x(stay.start) >= place.rows.x:
            edges.append((left, y, left, y + warps * h))
        text = f"block {stay.block}"
        width = picture.size_of(text, 0.78 * u) + 0.5 * u
        if right - left > width and warps * h > 1.2 * u and tags < 200:
            tags += 1
            tag = Box(left + 2, y + 1, width, 1.05 * u)
            picture.rect(tag, "panel", "faint", alpha=0.9)
            picture.text(tag.x + 0.25 * u, tag.cy, text, 0.78 * u, "text")
    picture.lines(edges[:2000], "text", 1.6)


def _chosen(context: FrameContext, picture: Picture, place: Layout, stays: Stays) -> None:
    """The row of the selected warp."""
    if context.warp is not None and stays.slots:
        h = place.rows.h / stays.slots
        y = place.rows.y + context.warp.slot * h
        picture.rect(Box(place.rows.x - 2, y, place.rows.w + 4, h), None, "accent", 2.0)


def _cursor(context: FrameContext, picture: Picture, place: Layout) -> None:
    x = place.x(context.frame.cycle + 0.5)
    if place.rows.x <= x <= place.rows.right:
        u = picture.unit
        picture.lines([(x, 1.3 * u, x, place.rows.bottom + 2)], "text", 2.2)
        picture.curve([(x - 0.4 * u, 1.0 * u), (x + 0.4 * u, 1.0 * u), (x, 1.45 * u)], None, fill="text")


def _shares(picture: Picture, box: Box, shares: Sequence[tuple[Stall, float]]) -> None:
    """Where the warps' cycles went, over the whole run."""
    u = picture.unit
    x = box.x + picture.text(box.x, box.cy, "warps' time", 0.8 * u, "dim").w + 0.6 * u
    whole = box.right - x
    for stall, share in shares:
        width = whole * share
        part = Box(x, box.y, max(0.5, width - 1), box.h)
        picture.rect(part, f"stall_{stall.name.lower()}")
        text = f"{SHORT.get(stall, '')} {100 * share:.0f} %"
        if picture.size_of(text, 0.82 * u) < width - 0.5 * u:
            picture.text(part.cx, part.cy, text, 0.82 * u, f"on_stall_{stall.name.lower()}", 0, True)
        picture.hot(part, f"{WORDS[stall]}: {100 * share:.1f} % of the warps' time")
        x += width


def legend_of(stalls: Sequence[Stall] = tuple(SHORT)) -> list[tuple[str, str]]:
    """(token, words) of each state that is drawn."""
    return [(f"stall_{s.name.lower()}", WORDS[s]) for s in stalls]
