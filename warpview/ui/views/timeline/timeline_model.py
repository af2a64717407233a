"""Model the multiprocessor over time: cycles across, warp slots down, issues and each kind of stall in its colour and,
where there is room, in a word. Qt-free."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, compress

import numpy as np
from numpy.typing import NDArray

from warpview.trace.frame import Stall
from warpview.trace.presentation import STALLS
from warpview.ui.drawing.bar_row import BarRow
from warpview.ui.drawing.picture import Box, HitRegion, Picture, Target
from warpview.ui.drawing.values import thousands
from warpview.ui.views.context import FrameContext
from warpview.ui.views.timeline.timeline_states import (
    ResidencyIntervals,
    StateColumns,
    Window,
    runs_of,
    states_at,
    stretch_at,
)

# In units of the type size.
TALLEST = 3.0  # no row is made higher
WORDED = 1.0  # rows of this height have words in them
SCHEDULER = 0.95  # a scheduler's row
WITH_AXIS_NAME, WITH_COLOUR_NAMES = 8.5, 10.0  # type sizes of height from which on there is room for them
SHARE = 1.4  # a row of the chart of where the time went
MOST_WORDS = 100  # in the rows
MOST_LOOKS = 24_000  # at what a slot does, for one picture: with many slots a column is wider than a pixel
MOST_TAGS = 100  # numbers of blocks
NARROWEST = 16.0  # pixels: blocks that are there for less have no edges

TOKENS = tuple(f"stall_{s.name.lower()}" for s in Stall)
HEAT = ("raised", *(f"heat{k}" for k in range(8)))  # the colours of 0 to 8 eighths of the cycles with an issue


@dataclass(frozen=True)
class TimelineLayout:
    """Lay out the timeline: the rows of the slots in a picture, and the cycles that they show."""

    rows: Box
    window: Window

    def x(self, cycle: float) -> float:
        """Return the pixel of a cycle."""
        return self.rows.x + (cycle - self.window.first) / self.window.span * self.rows.w

    def cycle(self, x: float) -> float:
        """Return the cycle of a pixel."""
        return self.window.first + (x - self.rows.x) / self.rows.w * self.window.span


@dataclass(frozen=True)
class Heights:
    """Hold the heights in pixels of the rows of schedulers and of slots, and of the shares; 0: not shown. Say whether
    there is room for the name of the axis, and for a line with the names of the colours."""

    issue: float
    rows: float
    shares: float
    names_axis: bool
    names_colours: bool


def heights(height: float, unit: float, schedulers: int, slots: int, states: int) -> Heights:
    """Share out ``height``: the rows as high as they may be; the chart only where it takes nothing from them."""
    roomy = height > 16 * unit
    issue = (SCHEDULER * schedulers if roomy else 1.0) * unit
    names_axis = height >= WITH_AXIS_NAME * unit
    axis = (3.4 if names_axis else 1.7) * unit  # of the cycles
    chart = (SHARE * states + 3.4) * unit
    room = height - issue - axis
    has_chart = room - chart >= max(6.0, 0.9 * slots) * unit
    names_colours = not has_chart and height >= WITH_COLOUR_NAMES * unit
    rows = room - (chart if has_chart else 2.0 * unit * names_colours)
    tallest = TALLEST * unit * max(1, slots)
    return Heights(issue, min(tallest, rows) + axis, chart if has_chart else 0.0, names_axis, names_colours)


def columns_for(width: float, slots: int) -> int:
    """Return how many columns of states are sampled for rows of ``width`` pixels."""
    return max(1, min(int(width), MOST_LOOKS // max(1, slots)))


def busy(context: FrameContext) -> float:
    """Return the share of issue slots in which an instruction was issued: a scheduler has one or two in a cycle, or one
    in several cycles where it drives the lanes of an instruction one part after another. Instructions as written that
    take no time in compiled code take no slot."""
    trace, device = context.trace, context.device
    slots = trace.cycles * device.schedulers * device.dispatch_per_scheduler / device.issue_port_cycles
    return float((trace.steps - trace.result.free_issues.sum()) / max(1.0, slots))


def note(context: FrameContext) -> str:
    """Return where the run stands, and how busy the issue slots are over the whole run."""
    trace = context.trace
    place = f"cycle {thousands(context.frame.cycle)} of {thousands(trace.cycles)}"
    return f"issue slots busy {100 * busy(context):.0f} % · {place}"


def scheduler_names(schedulers: int, height: float, unit: float) -> list[tuple[float, str]]:
    """Return the ticks of the rows of schedulers: one each where there is room, else one for all."""
    if schedulers > 1 and height / schedulers >= 0.8 * unit:
        return [(k + 0.5, f"issue {k}") for k in range(schedulers)]
    return [(schedulers / 2, "issue")]


def slot_names(context: FrameContext, slots: int, height: float, unit: float) -> list[tuple[float, str]]:
    """Return the ticks of the rows of slots: the warp that each holds, or as many as there is height for."""
    h = height / max(1, slots)
    every = next((k for k in (1, 2, 4, 8, 16, 32, 64, 128) if k * h >= 1.05 * unit), 128)
    held = {w.slot: (w.block, w.warp) for w in context.frame.warps}
    return [(slot + 0.5, _name(slot, held.get(slot), every == 1)) for slot in range(0, slots, every)]


def cycle_names(window: Window, width: float, unit: float) -> list[tuple[float, str]]:
    """Return the ticks of the cycles: round numbers, as many as there is room for in ``width`` pixels."""
    return [(cycle, thousands(cycle)) for cycle in ticks(window, max(2, int(width / (5.5 * unit))))]


def _name(slot: int, held: tuple[int, int] | None, roomy: bool) -> str:
    """Return the name of a slot: the block and warp that it holds."""
    if held is None:
        return f"slot {slot}"
    block, warp = held
    if roomy:
        return f"b{block} w{warp}"
    return f"w{warp}" if warp else f"b{block}"  # the rows between have no label: that of a block is short


def draw_rows(context: FrameContext, picture: Picture, window: Window, kept: StateColumns) -> None:
    """Draw over the states of the slots: the blocks, the words, the selected warp; all of ``picture`` is rows."""
    residencies = kept.residencies
    if not residencies.slots or picture.height < 1:
        return
    place = TimelineLayout(Box(0.0, 0.0, picture.width, picture.height), window)
    seen = kept.columns(context.trace, window, columns_for(picture.width, residencies.slots))
    h = place.rows.h / residencies.slots
    if h >= 5:
        picture.lines(_between_rows(place.rows, residencies.slots), "panel", 1.2 if h > 9 else 0.8)
    _chosen(context, picture, place, residencies)  # below the numbers of blocks, which may be as high as two rows
    tags = _blocks(picture, place, residencies)
    if h >= WORDED * picture.unit:
        _words(picture, place, seen.states, tags)
    picture.region(place.rows, partial(_at, context, place, residencies, h))


def _between_rows(box: Box, count: int) -> list[tuple[float, float, float, float]]:
    heights = [box.y + k * box.h / count for k in range(1, count)]
    return [(box.x, y, box.right, y) for y in heights]


def ticks(window: Window, most: int) -> list[int]:
    """Return round cycle numbers, at most ``most`` of them."""
    step = 1
    while window.span / step > most:
        step = step * 2 if str(step)[0] in "15" else step * 5 // 2
    first = -(-int(np.ceil(window.first)) // step) * step
    return list(range(first, int(window.last) + 1, step))


def _words(picture: Picture, place: TimelineLayout, states: NDArray[np.uint8], tags: Sequence[Box]) -> None:
    """Draw the reason why a warp waits, in the stretches that are long enough for a word and have no tag there."""
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


def _at(
    context: FrameContext, place: TimelineLayout, residencies: ResidencyIntervals, h: float, x: float, y: float
) -> HitRegion | None:
    """Return the slot and cycle under the pointer: what the warp does there, how long, and the step it leads to."""
    trace = context.trace
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
        state = Stall(int(states_at(trace, residencies, np.array([cycle], np.int64))[slot, 0]))
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


def _blocks(picture: Picture, place: TimelineLayout, residencies: ResidencyIntervals) -> list[Box]:
    """Draw a line where a block comes and where it goes, and tags with its number; return the boxes of the tags."""
    rows, window = place.rows, place.window
    which = residencies.meeting(window.first, window.last, NARROWEST * window.span / rows.w)
    start, end = (
        rows.x + (at[which] - window.first) / window.span * rows.w for at in (residencies.start, residencies.end)
    )
    h = rows.h / max(1, residencies.slots)
    y, height = rows.y + residencies.slot[which] * h, residencies.warps * h
    left, right = np.maximum(start, rows.x), np.minimum(end, rows.right)
    spans = list(zip(which.tolist(), left.tolist(), right.tolist(), y.tolist(), strict=True))
    tags = _tags(picture, residencies, spans) if height > 1.2 * picture.unit else []
    # Filled: lines would be drawn smoothly, at ten times the cost.
    ended, began = (end <= rows.right).tolist(), (start >= rows.x).tolist()
    picture.rects([Box(x - 1, top, 1, height) for _, _, x, top in compress(spans, ended)], "idle")
    picture.rects([Box(x - 1, top, 2, height) for _, x, _, top in compress(spans, began)], "text")
    return tags


def _tags(
    picture: Picture, residencies: ResidencyIntervals, spans: Sequence[tuple[int, float, float, float]]
) -> list[Box]:
    """Return the numbers of the blocks that have room for it in their span: (which, left, right, top)."""
    u = picture.unit
    least = picture.size_of("block 0", 0.78 * u)
    tags: list[Box] = []
    for which, left, right, top in spans:
        if right - left <= least or len(tags) >= MOST_TAGS:
            continue
        text = f"block {residencies.all[which].block}"
        width = picture.size_of(text, 0.78 * u) + 0.5 * u
        if right - left > width:
            tag = Box(left + 2, top + 1, width, 1.05 * u)
            tags.append(tag)
            picture.rect(tag, "panel", "faint", alpha=0.9)
            picture.text(tag.x + 0.25 * u, tag.cy, text, 0.78 * u, "text")
    return tags


def _chosen(context: FrameContext, picture: Picture, place: TimelineLayout, residencies: ResidencyIntervals) -> None:
    """Mark the row of the selected warp."""
    if context.warp is not None and residencies.slots:
        h = place.rows.h / residencies.slots
        y = place.rows.y + context.warp.slot * h
        picture.rect(Box(place.rows.x - 2, y, place.rows.w + 4, h), None, "accent", 2.0)


def share_rows(shares: Sequence[tuple[Stall, float]]) -> list[BarRow]:
    """Return a bar for each state: its share of the cycles that resident warps spent, in percent."""
    return [
        BarRow(
            STALLS[stall].name, 100 * share, f"{100 * share:3.0f} %  {STALLS[stall].clause}",
            f"stall_{stall.name.lower()}", hover=_says(stall, share),
        )
        for stall, share in shares
    ]  # fmt: skip


def named(shares: Sequence[tuple[Stall, float]], width: Callable[[str], float], room: float) -> list[Stall]:
    """Return the states that occur, as many as a legend of one line names in ``room`` pixels; ``width`` measures."""
    ends = accumulate(width(STALLS[stall].name) for stall, _ in shares)
    return [stall for (stall, _), end in zip(shares, ends, strict=True) if end <= room]


def _says(stall: Stall, share: float) -> str:
    return f"{STALLS[stall].clause}: {100 * share:.1f} % of the warps' time"


def legend_of(stalls: Sequence[Stall] = tuple(STALLS)[: Stall.EXITED]) -> list[tuple[str, str]]:
    """Return (token, words) of each state that is drawn."""
    return [(f"stall_{s.name.lower()}", f"{STALLS[s].name}: {STALLS[s].clause}") for s in stalls]
