"""The multiprocessor over time: cycles across, schedulers and warp slots down, issues and each kind of stall in its
colour and, where there is room, in a word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from warpview.trace.frame import Stall
from warpview.trace.presentation import STALLS
from warpview.ui.drawing.cached_drawing import cached_drawing
from warpview.ui.drawing.picture import Box, HitRegion, Picture, Target
from warpview.ui.drawing.values import thousands
from warpview.ui.views.timeline_states import (
    Columns,
    Sight,
    Stays,
    Window,
    runs_of,
    states_at,
    stretch_at,
)

if TYPE_CHECKING:
    from warpview.ui.views.context import FrameContext

# In units of the type size.
TALLEST = 2.4  # no row is made higher
WORDED = 1.0  # rows of this height have words in them
SCHEDULER = 0.85  # a scheduler's row
LEGEND = 1.15  # a line of the legend
SHARE = 1.3  # a row of the chart of where the time went
MOST_WORDS = 100  # in the rows
MOST_LOOKS = 24_000  # at what a slot does, for one picture: with many slots a column is wider than a pixel
MOST_TAGS = 100  # numbers of blocks
NARROWEST = 16.0  # pixels: blocks that are there for less have no edges

TOKENS = tuple(f"stall_{s.name.lower()}" for s in Stall)

# --- drawing ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Layout:
    """Where the parts are: the rows of schedulers and of slots, what is below them, and the scale."""

    heat: Box
    rows: Box
    below: Box
    is_chart: bool  # whether below there is a row for each state, or one bar, perhaps with a legend
    window: Window

    def x(self, cycle: float) -> float:
        return self.rows.x + (cycle - self.window.first) / self.window.span * self.rows.w

    def cycle(self, x: float) -> float:
        return self.window.first + (x - self.rows.x) / self.rows.w * self.window.span


@cached_drawing(kept=8)
def _parts(picture: Picture, schedulers: int, slots: int, shown: tuple[Stall, ...]) -> tuple[Box, Box, Box, bool]:
    """Those of a Layout, of which nothing is drawn yet: the rows as high as they may be; what is left tells where the
    time went, as a chart if there is much of it."""
    u = picture.unit
    roomy = picture.height > 16 * u
    left, right = 4.0 * u, picture.width - 0.5 * u
    heat = Box(left, 1.4 * u, max(10.0, right - left), (SCHEDULER * schedulers if roomy else 0.9) * u)
    top = heat.bottom + 0.3 * u
    room = max(10.0, picture.height - top - 0.4 * u)
    chart = (SHARE * len(shown) + 2.0) * u
    is_chart = room - chart >= max(6.0, 0.9 * slots) * u
    below = chart if is_chart else 1.8 * u if picture.height > 12 * u else 0.0
    if below and not is_chart:
        words = LEGEND * u * len(_in_lines(picture, shown))
        below += words if room - below - words >= max(4.0, 1.05 * slots) * u else 0.0
    rows = Box(left, top, heat.w, min(TALLEST * u * max(1, slots), room - below))
    rest = Box(0.5 * u, rows.bottom + 0.5 * u, picture.width - u, below - 0.5 * u)
    return heat, rows, rest, is_chart


def draw(context: FrameContext, picture: Picture, window: Window, kept: Columns | None) -> str:
    """Fill the picture; returns the note. ``kept`` is told where the rows are, for the pointer."""
    trace: Any = context.trace
    if kept is None or not trace.steps:
        picture.text(picture.width / 2, picture.height / 2, "no cycles were recorded", colour="dim", align=0,
                     room=picture.width)  # fmt: skip
        return ""
    schedulers = max(1, int(getattr(context.device, "schedulers", 1)))
    stays, shares = kept.stays, kept.shares
    place = Layout(*_parts(picture, schedulers, stays.slots, tuple(stall for stall, _ in shares)), window)
    kept.rows = place.rows
    seen = kept.sight(trace, window, max(1, min(int(place.rows.w), MOST_LOOKS // max(1, stays.slots))))
    _schedulers(picture, place.heat, schedulers)
    if place.below.h > 0:
        (_chart if place.is_chart else _bar)(picture, place.below, shares)
    _axis(picture, place)
    _sight(picture, place, seen, schedulers, stays)
    if stays.slots:
        _labels(context, picture, place.rows, stays.slots)
        picture.region(place.rows, partial(_at, context, place, stays, place.rows.h / stays.slots))
    # Last what moves with the step.
    _chosen(context, picture, place, stays)
    _cursor(context, picture, place)
    note = f"cycle {thousands(context.frame.cycle)} of {thousands(trace.cycles)}"
    picture.spoken = f"Timeline at {note}."
    return note


@cached_drawing(kept=8)
def _schedulers(picture: Picture, heat: Box, count: int) -> None:
    """The names of the rows that tell how busy each scheduler is."""
    u, h = picture.unit, heat.h / count
    numbered = _numbered(heat, count, u)
    for k in range(count if numbered else 1):
        text, y = (f"issue {k}", heat.y + (k + 0.5) * h) if numbered else ("issue", heat.cy)
        picture.text(heat.x - 0.4 * u, y, text, 0.78 * u, "dim", 1)
    for k in range(count):
        who = f"scheduler {k}" if count > 1 else "the scheduler"
        says = f"how busy {who} is: the darker, the more cycles with an issue"
        picture.hit(Box(heat.x, heat.y + k * h, heat.w, h), says)


def _numbered(heat: Box, count: int, unit: float) -> bool:
    """Whether each of several schedulers has a row to be told by."""
    return count > 1 and heat.h / count >= 0.8 * unit


@cached_drawing(kept=4)
def _sight(picture: Picture, place: Layout, seen: Sight, schedulers: int, stays: Stays) -> None:
    """All that the window in sight decides: the states and issues, the blocks, and the words in the rows."""
    heat, rows = place.heat, place.rows
    picture.bitmap(heat, seen.issue, ("raised", *(f"heat{k}" for k in range(8))))
    if _numbered(heat, schedulers, picture.unit):
        picture.lines(_between_rows(heat, schedulers), "panel", 2.0)
    picture.bitmap(rows, seen.states, TOKENS)
    h = rows.h / max(1, stays.slots)
    if h >= 5:
        picture.lines(_between_rows(rows, stays.slots), "panel", 1.2 if h > 9 else 0.8)
    tags = _blocks(picture, place, stays)
    if rows.h >= WORDED * picture.unit * stays.slots:
        _words(picture, place, seen.states, tags)


def _between_rows(box: Box, count: int) -> list[tuple[float, float, float, float]]:
    """The lines between ``count`` rows of a box."""
    heights = [box.y + k * box.h / count for k in range(1, count)]
    return [(box.x, y, box.right, y) for y in heights]


def ticks(window: Window, most: int) -> list[int]:
    """Round cycle numbers, at most ``most`` of them."""
    step = 1
    while window.span / step > most:
        step = step * 2 if str(step)[0] in "15" else step * 5 // 2
    first = -(-int(np.ceil(window.first)) // step) * step
    return list(range(first, int(window.last) + 1, step))


@cached_drawing(kept=8)
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


def _labels(context: FrameContext, picture: Picture, rows: Box, count: int) -> None:
    """Which warp each slot holds, or as many of them as there is height for."""
    u, h = picture.unit, rows.h / count
    every = next(k for k in (1, 2, 4, 8, 16, 32, 64, 128) if k * h >= 1.05 * u)
    held = {w.slot: (w.block, w.warp) for w in context.frame.warps}
    _column(picture, rows, h, tuple((slot, _name(slot, held.get(slot), every == 1)) for slot in range(0, count, every)))


def _name(slot: int, held: tuple[int, int] | None, roomy: bool) -> str:
    """A slot by the block and warp that it holds."""
    if held is None:
        return f"slot {slot}"
    block, warp = held
    if roomy:
        return f"b{block} w{warp}"
    return f"w{warp}" if warp else f"b{block}"  # the rows between have no label: that of a block is short


@cached_drawing(kept=8)
def _column(picture: Picture, rows: Box, h: float, labels: tuple[tuple[int, str], ...]) -> None:
    """The labels of slots whose rows are ``h`` high."""
    for slot, label in labels:
        _label(picture, rows.x, rows.y + (slot + 0.5) * h, label)


@cached_drawing(kept=256)
def _label(picture: Picture, left: float, y: float, label: str) -> None:
    u = picture.unit
    picture.text(left - 0.4 * u, y, label, 0.78 * u, "dim", 1, room=left - 0.6 * u, least=0.6 * u)


def _words(picture: Picture, place: Layout, states: NDArray[np.uint8], tags: Sequence[Box]) -> None:
    """What a warp waits for, in the stretches that are long enough for a word and have no tag there."""
    u, h = picture.unit, place.rows.h / len(states)
    size = 0.78 * u
    room = {int(stall): picture.size_of(shown.name, size) + 0.6 * u for stall, shown in STALLS.items()}
    for stall in (Stall.SELECTED, Stall.EXITED, Stall.EMPTY):
        del room[int(stall)]
    column = place.rows.w / states.shape[1]
    runs = runs_of(states, int(min(room.values()) / column))
    found = [run for run in runs if run[2] * column >= room.get(run[3], np.inf)]
    for row, first, length, state in sorted(found, key=lambda run: -run[2])[:MOST_WORDS]:
        stall, width = Stall(state), room[state]
        x, y = place.rows.x + (first + length / 2) * column, place.rows.y + (row + 0.5) * h
        taken = Box(x - width / 2, y - size / 2, width, size)
        if not any(tag.overlaps(taken) for tag in tags):
            picture.text(x, y, STALLS[stall].name, size, f"on_stall_{stall.name.lower()}", 0)


def _at(context: FrameContext, place: Layout, stays: Stays, h: float, x: float, y: float) -> HitRegion | None:
    """The slot and cycle under the pointer: what the warp does there and for how long, and the step it leads to."""
    trace: Any = context.trace
    slot, cycle = int((y - place.rows.y) / h), int(place.cycle(x))
    box = Box(x - 2, place.rows.y + slot * h, 4, h)
    steps = trace.navigator.steps_of_slot(slot)
    if not len(steps):
        return HitRegion(box, f"slot {slot}, cycle {cycle}: empty")
    here = stretch_at(trace, slot, cycle)
    k = max(0, int(np.searchsorted(trace.arrays.cycle[steps - 1], cycle, side="right")) - 1)
    last = trace.event(int(steps[k]))
    target = Target(block=last.block, warp=last.warp, step=last.step)
    if here is None:
        state = Stall(int(states_at(trace, stays, np.array([cycle], np.int64))[slot, 0]))
        return HitRegion(box, f"slot {slot}, cycle {thousands(cycle)}: the warp {STALLS[state].clause}", target)
    event = trace.event(here.step)
    instruction = context.program.instructions[event.pc]
    what = f"{instruction.info.mnemonic}, line {instruction.span.line}"
    who = f"block {event.block}, warp {event.warp}"
    if here.stall is Stall.SELECTED:
        return HitRegion(box, f"{who} issues {what}\ncycle {thousands(cycle)}", target)
    count = here.end - here.start
    span = f"cycles {thousands(here.start)} to {thousands(here.end - 1)}: {thousands(count)}"
    return HitRegion(box, f"{who} {STALLS[here.stall].clause}, before {what}\n{span}", target)


def _blocks(picture: Picture, place: Layout, stays: Stays) -> list[Box]:
    """A line where a block comes and where it goes, and tags with its number; the boxes of the tags."""
    rows, window = place.rows, place.window
    which = stays.meeting(window.first, window.last, NARROWEST * window.span / rows.w)
    start, end = (rows.x + (at[which] - window.first) / window.span * rows.w for at in (stays.start, stays.end))
    h = rows.h / max(1, stays.slots)
    y, height = rows.y + stays.slot[which] * h, stays.warps * h
    left, right = np.maximum(start, rows.x), np.minimum(end, rows.right)
    spans = list(zip(which.tolist(), left.tolist(), right.tolist(), y.tolist(), strict=True))
    tags = _tags(picture, stays, spans) if height > 1.2 * picture.unit else []
    # Filled: lines would be drawn smoothly, at ten times the cost.
    ended, began = (end <= rows.right).tolist(), (start >= rows.x).tolist()
    picture.rects([Box(x - 1, top, 1, height) for _, _, x, top in compress(spans, ended)], "idle")
    picture.rects([Box(x - 1, top, 2, height) for _, x, _, top in compress(spans, began)], "text")
    return tags


def _tags(picture: Picture, stays: Stays, spans: Sequence[tuple[int, float, float, float]]) -> list[Box]:
    """The numbers of the blocks that have room for it in their span: (which, left, right, top)."""
    u = picture.unit
    least = picture.size_of("block 0", 0.78 * u)
    tags: list[Box] = []
    for which, left, right, top in spans:
        if right - left <= least or len(tags) >= MOST_TAGS:
            continue
        text = f"block {stays.all[which].block}"
        width = picture.size_of(text, 0.78 * u) + 0.5 * u
        if right - left > width:
            tag = Box(left + 2, top + 1, width, 1.05 * u)
            tags.append(tag)
            picture.rect(tag, "panel", "faint", alpha=0.9)
            picture.text(tag.x + 0.25 * u, tag.cy, text, 0.78 * u, "text")
    return tags


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


@cached_drawing(kept=4)
def _bar(picture: Picture, place: Box, shares: tuple[tuple[Stall, float], ...]) -> None:
    """Where the warps' cycles went over the whole run, in one bar; below it what the colours mean, if there is room."""
    u = picture.unit
    box = Box(place.x, place.y, place.w, 1.2 * u)
    x = box.x + picture.text(box.x, box.cy, "warps' time", 0.8 * u, "dim").w + 0.6 * u
    whole = box.right - x
    for stall, share in shares:
        width = whole * share
        part = Box(x, box.y, max(0.5, width - 1), box.h)
        picture.rect(part, f"stall_{stall.name.lower()}")
        for text in (f"{STALLS[stall].name} {100 * share:.0f} %", f"{100 * share:.0f} %"):
            if picture.size_of(text, 0.82 * u, bold=True) < width - 0.5 * u:
                picture.text(part.cx, part.cy, text, 0.82 * u, f"on_stall_{stall.name.lower()}", 0, True)
                break
        picture.hit(part, _says(stall, share))
        x += width
    if place.h > 2 * box.h:
        _legend(picture, Box(place.x, box.bottom + 0.1 * u, place.w, place.bottom - box.bottom), shares)


def _in_lines(picture: Picture, shown: Sequence[Stall]) -> list[list[tuple[Stall, float]]]:
    """The states of a legend in lines, each with the width that it takes."""
    lines: list[list[tuple[Stall, float]]] = [[]]
    for stall in shown:
        taken = picture.size_of(STALLS[stall].name, 0.8 * picture.unit) + 2.0 * picture.unit
        if lines[-1] and sum(width for _, width in lines[-1]) + taken > picture.width - picture.unit:
            lines.append([])
        lines[-1].append((stall, taken))
    return lines


def _says(stall: Stall, share: float) -> str:
    return f"{STALLS[stall].clause}: {100 * share:.1f} % of the warps' time"


def _legend(picture: Picture, box: Box, shares: Sequence[tuple[Stall, float]]) -> None:
    u, share_of = picture.unit, dict(shares)
    for k, line in enumerate(_in_lines(picture, [stall for stall, _ in shares])):
        x, y = box.x, box.y + (k + 0.5) * LEGEND * u
        for stall, taken in line:
            picture.rect(Box(x, y - 0.35 * u, 0.7 * u, 0.7 * u), f"stall_{stall.name.lower()}", "faint", radius=2)
            picture.text(x + u, y, STALLS[stall].name, 0.8 * u, "text")
            picture.hit(Box(x, y - 0.5 * u, taken, u), _says(stall, share_of[stall]))
            x += taken


@cached_drawing(kept=4)
def _chart(picture: Picture, box: Box, shares: tuple[tuple[Stall, float], ...]) -> None:
    """The same as a row for each state: the legend and the figures in one."""
    u = picture.unit
    picture.text(box.x, box.y + 0.6 * u, "Where the warps' time went, over the whole run", 0.88 * u, "dim",
                 room=box.w, least=0.7 * u)  # fmt: skip
    label = max(picture.size_of(STALLS[stall].clause, 0.9 * u) for stall, _ in shares) + 0.6 * u
    number = picture.size_of("100 %", 0.9 * u, bold=True) + 0.5 * u
    whole = max(1.0, min(40 * u, box.w - label - number))
    for k, (stall, share) in enumerate(shares):
        row = Box(box.x + label, box.y + (1.5 + SHARE * k) * u, whole, SHARE * u)
        picture.text(row.x - 0.5 * u, row.cy, STALLS[stall].clause, 0.9 * u, "text", 1)
        bar = Box(row.x, row.y + 0.12 * u, max(2.0, whole * share / shares[0][1]), row.h - 0.24 * u)
        picture.rect(bar, f"stall_{stall.name.lower()}", radius=2)
        picture.text(bar.right + 0.4 * u, row.cy, f"{100 * share:.0f} %", 0.9 * u, "text", bold=True)
        picture.hit(row, _says(stall, share))


def legend_of(stalls: Sequence[Stall] = tuple(STALLS)[: Stall.EXITED]) -> list[tuple[str, str]]:
    """(token, words) of each state that is drawn."""
    return [(f"stall_{s.name.lower()}", f"{STALLS[s].name}: {STALLS[s].clause}") for s in stalls]
