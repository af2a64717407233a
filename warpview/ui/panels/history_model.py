"""Model the history bar: count for every pixel the remarkable events of each kind in its steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpview.diagnostics import capitalised
from warpview.trace.frame import Mark
from warpview.trace.presentation import MARKS
from warpview.ui.drawing.values import thousands
from warpview.ui.views.context import History


class HistoryKind(NamedTuple):
    """Describe a row of the bar: its name there, one and several of its events in words."""

    name: str
    one: str
    several: str


CROWDED = 0.5  # share of the columns that have events from which on their number is drawn, not that there are any
LONG, LENS, GAP = 4, 0.4, 14  # steps a pixel from which on those around now are shown apart; share of the bar; pixels
LEAST = 0.2  # height of the lowest column in a crowded row


class NearbyEvents(NamedTuple):
    """Hold the events of one kind near a place: how many, the first and the last step."""

    events: int
    first: int
    last: int


@dataclass(frozen=True, eq=False)
class HistoryRow:
    """Hold a row of the bar: the ``steps``, ascending, of its events; ``mark`` is NONE for what is followed."""

    kind: HistoryKind
    mark: Mark
    steps: NDArray[np.int64]

    def between(self, first: int, last: int) -> NDArray[np.int64]:
        low, high = self.steps.searchsorted([first, last + 1])
        return self.steps[low:high]


def rows(trace: History) -> list[HistoryRow]:
    """Return the kinds of events that occur at all, by urgency."""
    found = [
        HistoryRow(HistoryKind(m.short, m.name, m.plural), mark, trace.steps_of_mark(mark)) for mark, m in MARKS.items()
    ]
    return [row for row in found if row.steps.size]


def access_row(element: str, steps: NDArray[np.int64]) -> HistoryRow:
    """Return the row of the accesses to the element that is followed."""
    return HistoryRow(HistoryKind("access", f"access to {element}", f"accesses to {element}"), Mark.NONE, steps)


def counts(shown: Sequence[HistoryRow], first: int, steps: int, width: int) -> NDArray[np.int64]:
    """Count the events of each row on each of ``width`` pixels, which show ``steps`` after step ``first``.

    Returns int64[rows, width].
    """
    # The first step of each column, whose middle lies in it; there are many more events than columns.
    edges = np.ceil(np.arange(max(1, width) + 1) * (steps / max(1, width)) + 0.5).astype(np.int64) + first
    return np.array([np.diff(row.steps.searchsorted(edges)) for row in shown], np.int64)


def heights(counted: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the share of its row that each column fills, 0 to 1: float64[kinds, width].

    Where events are few, each is as high as its row. Where they are everywhere, height says how many there are, on one
    scale for all rows, by the square root so that rare kinds are seen beside frequent ones.
    """
    some = counted > 0
    crowded = some.mean(axis=1) > CROWDED
    most = max(1, int(counted[crowded].max(initial=1)))
    shares = LEAST + (1 - LEAST) * np.sqrt(counted / most)
    return np.where(some, np.where(crowded[:, None], shares, 1.0), 0.0)


def x_of(step: int, steps: int, width: float) -> float:
    """Return the middle of a step's pixel column; step 0 lies at the left edge."""
    return (step - 0.5) / steps * width if step and steps else 0.0


def step_at(x: float, steps: int, width: float) -> int:
    """Return the step under a place; the left edge is step 0, and beyond the ends lie the first and the last."""
    if steps == 0 or x < min(1.0, 0.4 * width / steps):
        return 0
    return min(steps, int(x / max(1.0, width) * steps) + 1)


@dataclass(frozen=True)
class HistoryStretch:
    """Describe a part of the bar, ``width`` pixels from ``left``, with the ``steps`` after step ``first``."""

    left: float
    width: float
    first: int
    steps: int

    @property
    def right(self) -> float:
        return self.left + self.width

    def x(self, step: int) -> float:
        return self.left + x_of(step - self.first, self.steps, self.width)

    def step(self, x: float) -> int:
        return self.first + step_at(x - self.left, self.steps, self.width)


def event_image(
    shown: Sequence[HistoryRow], stretch: HistoryStretch, width: int, height: int, alone: int
) -> NDArray[np.uint8]:
    """Return the events of a stretch as uint8[height, width]: 0 for the ground, n + 1 for an event of row n.

    An event is ``alone`` pixels wide with its step in the middle, in a crowded row one.
    """
    image = np.zeros((height, width), np.uint8)
    edges = np.linspace(0, height, len(shown) + 1).round().astype(int)
    filled = heights(counts(shown, stretch.first, stretch.steps, width)) if shown else np.zeros((0, width))
    crowded = (np.count_nonzero(filled, axis=1) > width / 4)[:, None]
    for number, columns in enumerate(np.where(crowded, filled, _widened(filled, alone))):
        top, bottom = edges[number] + 1, edges[number + 1] - 1
        rises = np.arange(bottom - top, 0, -1)[:, None]  # of each line of pixels above the foot of the row
        image[top:bottom][rises <= np.ceil(columns * (bottom - top))] = number + 1
    return image


def _widened(filled: NDArray[np.float64], pixels: int) -> NDArray[np.float64]:
    """Spread every column of all rows over ``pixels``, so that its own is in the middle."""
    (rows, width), before = filled.shape, pixels // 2
    padded = np.zeros((rows, width + pixels - 1))
    padded[:, before : before + width] = filled
    return np.lib.stride_tricks.sliding_window_view(padded, pixels, axis=1).max(axis=2)


def apart(row: HistoryRow, stretch: HistoryStretch, pixels: float) -> NDArray[np.int64]:
    """Return those steps of a row in ``stretch`` that are at least so many pixels beyond the one before."""
    steps = row.between(stretch.first + 1, stretch.first + stretch.steps)
    found: list[int] = []
    least = pixels * stretch.steps / stretch.width
    while steps.size:
        found.append(int(steps[0]))
        steps = steps[steps.searchsorted(steps[0] + max(1.0, least)) :]
    return np.array(found, np.int64)


def stretches(steps: int, now: int, left: float, width: float, pitch: float) -> tuple[HistoryStretch, ...]:
    """Divide a bar of ``width`` pixels: the whole run, and beside it, where that is too long for its steps to be told
    apart, the steps around ``now``, ``pitch`` pixels each. They stay the same until ``now`` leaves their middle."""
    near = int(LENS * width / pitch)
    if steps <= LONG * width or near < 8:
        return (HistoryStretch(left, width, 0, steps),)
    middle = now - now % (near // 4) + near // 8
    first = max(0, min(steps - near, middle - near // 2))
    return (
        HistoryStretch(left, width - near * pitch - GAP, 0, steps),
        HistoryStretch(left + width - near * pitch, near * pitch, first, near),
    )


def step_near(row: HistoryRow, stretch: HistoryStretch, x: float, reach: float = 12.0) -> int | None:
    """Return the step of a row nearest to ``x``, not further than ``reach`` pixels."""
    middle = stretch.step(x)
    at = int(row.steps.searchsorted(middle))
    close = [step for step in row.steps[max(0, at - 1) : at + 1].tolist() if abs(stretch.x(step) - x) <= reach]
    return min(close, key=lambda step: abs(step - middle), default=None)


def events_near(row: HistoryRow, stretch: HistoryStretch, x: float, reach: float = 3.0) -> NearbyEvents | None:
    """Return the events of a row not further from ``x`` than ``reach`` pixels; None where there are none."""
    found = row.between(max(1, stretch.step(x - reach)), stretch.step(x + reach))
    return NearbyEvents(found.size, int(found[0]), int(found[-1])) if found.size else None


def words(trace: History, step: int) -> str:
    """Return the hover text of a step."""
    if step == 0:
        return "Step 0: nothing has happened yet"
    event = trace.event(step)
    line = trace.program.instructions[event.pc].span.line
    when = f"Step {thousands(step)}, cycle {thousands(event.cycle)}"
    return f"{when}: block {event.block}, warp {event.warp}, line {line}"


def event_words(trace: History, row: HistoryRow, near: NearbyEvents, key: str) -> str:
    """Return the hover text of the events under the pointer, and the ``key`` that leads there."""
    kind = row.kind
    if near.events == 1:
        return f"{capitalised(kind.one)}. {words(trace, near.first)}. {key} jumps to the next"
    where = f"steps {thousands(near.first)}–{thousands(near.last)}"
    return f"{thousands(near.events)} {kind.several}, {where}. {key} jumps to the next"


def row_words(trace: History, row: HistoryRow, key: str) -> str:
    """Return the hover text of a whole row."""
    total, kind = row.steps.size, row.kind
    amount = f"1 {kind.one}" if total == 1 else f"{thousands(total)} {kind.several}"
    *held, letter = key.split("+")
    back = "+".join([*held, "Shift", letter])
    return f"{amount} in {thousands(trace.steps)} steps. {key} jumps to the next, {back} to the previous one"
