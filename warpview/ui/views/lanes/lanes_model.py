"""Draw all resident warps by 32 lanes: who takes part, who waits and why; below, one variable of the selected warp."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from operator import attrgetter
from typing import NamedTuple

from warpview.trace.frame import LaneStatus, Stall, WarpState
from warpview.trace.presentation import LANES, STALLS
from warpview.ui.drawing.columns import LaneColumns
from warpview.ui.drawing.picture import Box, HitRegion, Picture, Target
from warpview.ui.drawing.values import scalars
from warpview.ui.moving.parties import lanes_of_finding
from warpview.ui.views.context import FrameContext, RunLike
from warpview.ui.views.lanes.lane_rows_model import READABLE, Place, block_gap, draw_cells, places
from warpview.ui.views.lanes.lane_strips_model import draw_values, plan

READY = (Stall.SELECTED, Stall.NOT_SELECTED)
LONGEST_CLAUSE = max((stall.clause for stall in STALLS.values()), key=len)
LONGEST_NAME = max((stall.name for stall in STALLS.values()), key=len)


class WarpRow(NamedTuple):
    """Show a warp as one row. ``active`` counts lanes that work."""

    block: int
    warp: int
    lanes: tuple[LaneStatus, ...]
    active: int
    words: str
    short: str  # the same in one word
    line: int | None
    selected: bool
    issued: bool


def design(run: RunLike) -> tuple[float, float]:
    """Return the width and height, in units, at which every resident warp and every variable can be read."""
    slots = max((stay.first_slot for stay in run.trace.residency), default=0) + run.launch.warps
    return 57.0, 5.0 + 1.2 * min(40, max(8, slots)) + 1.4 * min(6, len(scalars(run.program, None)))


def rows(context: FrameContext) -> list[WarpRow]:
    """Return the resident warps, by block and warp."""
    event, instructions, selected = context.frame.event, context.program.instructions, context.selection.key
    found = []
    for w in sorted(context.frame.warps, key=attrgetter("block", "warp")):
        key = (w.block, w.warp)
        issued = event is not None and (event.block, event.warp) == key
        pc = event.pc if issued and event is not None else w.pc
        line = instructions[pc].span.line if 0 <= pc < len(instructions) else None
        said = words(w, issued), words(w, issued, named=True)
        found.append(WarpRow(*key, w.lanes, _active(w.lanes), *said, line, key == selected, issued))
    return found


def words(warp: WarpState, issued: bool, named: bool = False) -> str:
    """Return the state of a warp, in two or three words; a stall is ``named``, or told as a predicate."""
    if _gone(warp.lanes) == len(warp.lanes):
        return "done"
    if issued:
        return "issued"
    stall = STALLS[warp.stall]
    return "ready" if warp.stall in READY else stall.name if named else stall.clause


@lru_cache(256)
def _gone(lanes: tuple[LaneStatus, ...]) -> int:
    return lanes.count(LaneStatus.EXITED) + lanes.count(LaneStatus.ABSENT)


@lru_cache(256)
def _active(lanes: tuple[LaneStatus, ...]) -> int:
    return lanes.count(LaneStatus.ACTIVE)


def draw(context: FrameContext, picture: Picture, name: str | None) -> str:
    """Fill the picture; ``name`` is the variable asked for, None for the one that this step wrote. Returns the note."""
    table = rows(context)
    if not table:
        picture.text(picture.width / 2, picture.height / 2, "no warps are resident", colour="dim", align=0)
        return ""
    u = picture.unit
    widest = max(max(r.block for r in table), 10)
    gutter = picture.size_of(f"b{widest} ", bold=True) + picture.size_of("w00", mono=True) + 0.9 * u
    aside = picture.size_of("32/32", bold=True) + 0.6 * u
    sentences, state = _room_for_words(picture, picture.width - gutter - aside)
    columns = LaneColumns.between(gutter, picture.width - aside - state - 0.5 * u)
    numbered = {block: k for k, block in enumerate(dict.fromkeys(r.block for r in table))}
    blocks = tuple(numbered[r.block] for r in table)
    top = 1.45 * u
    comfortable = top + 1.7 * u * len(table) - blocks[-1] * block_gap(u, len(table)) + 0.4 * u
    tight = top + READABLE * u * len(table) + 0.8 * u
    room = max(picture.height - comfortable, min(0.3 * picture.height, picture.height - tight))
    values = plan(context, picture, columns, name, room)
    below = values.height
    selected = next((k for k, r in enumerate(table) if r.selected), None)
    placed = places(blocks, selected, top, picture.height - top - below - 0.2 * u, picture.width, u)
    _header(picture, columns, context.selection.lane, top)
    _rows(context, picture, columns, table, placed, sentences, state > 0)
    draw_cells(picture, columns, ((row.lanes, place.box) for row, place in zip(table, placed, strict=True)))
    boxes = [place.box for place in placed]
    wrong = {} if context.predicting else lanes_of_finding(context)
    _mark_findings(picture, columns, table, boxes, wrong)
    bottom = boxes[-1].bottom
    picture.region(
        Box(0, top, picture.width, bottom - top),
        partial(_lane_at, columns, table, boxes, asks_for_lanes(context), wrong),
    )
    draw_values(context, picture, columns, values, min(picture.height - below, bottom + 1.2 * u))
    return _note(table, picture, asks_for_lanes(context))


def _mark_findings(
    picture: Picture, columns: LaneColumns, table: Sequence[WarpRow], boxes: Sequence[Box],
    wrong: Mapping[tuple[int, int, int], str],
) -> None:  # fmt: skip
    """Outline the lanes that a finding is about, both of them where there are two, with a sign in the cell."""
    for row, box in zip(table, boxes, strict=True):
        for lane in range(32) if wrong else ():
            if (row.block, row.warp, lane) in wrong:
                cell = Box(columns.left[lane], box.y + 1, columns.width - 2, box.h - 2)
                picture.rect(cell, "panel", "error", 2.2, radius=2)
                size = min(0.85 * picture.unit, 0.8 * box.h)
                if size >= 0.5 * picture.unit:
                    picture.text(cell.cx, cell.cy, "!", size, "error", 0, True)


def _rows(
    context: FrameContext, picture: Picture, columns: LaneColumns, table: Sequence[WarpRow], placed: Sequence[Place],
    sentences: bool, roomy: bool,
) -> None:  # fmt: skip
    """Draw the labels at both ends of the rows."""
    hidden, lane = asks_for_lanes(context), context.selection.lane
    named = zip(table, placed, strict=True)
    names = tuple((row.block if place.named else None, row.warp, place.box, row.selected) for row, place in named)
    _names(picture, columns, names)
    for row, place in zip(table, placed, strict=True):
        box = place.box
        if row.selected and lane is not None:
            x = columns.left[lane]
            picture.rect(Box(x - 2.5, box.y, columns.width + 3, box.h), None, "accent", 2.0, radius=3)
        if _is_tall(box, picture.unit):
            words = row.words if sentences else row.short
            _state(picture, columns, row.active, words, row.selected, row.issued, box, roomy, hidden)


def _is_tall(box: Box, unit: float) -> bool:
    """Return whether words fit into a row."""
    return box.h >= READABLE * unit - 0.5


def _room_for_words(picture: Picture, room: float) -> tuple[bool, float]:
    """Return whether every row has a sentence and not the name of its stall, and the room for either, or for none."""
    u = picture.unit
    for sentences, longest, least in ((True, LONGEST_CLAUSE, 1.6 * u), (False, LONGEST_NAME, 1.0 * u)):
        wanted = picture.size_of(longest, 0.85 * u) + 0.8 * u
        if room - wanted >= 32 * least:
            return sentences, wanted
    return False, 0.0


def _note(table: list[WarpRow], picture: Picture, hidden: bool) -> str:
    picture.spoken = f"{len(table)} resident warps"
    chosen = next((r for r in table if r.selected), None)
    if hidden:
        return ""
    if chosen is None:
        return f"{len(table)} warps"
    picture.spoken += f". Block {chosen.block}, warp {chosen.warp}: {chosen.active} of 32 lanes active; {chosen.words}."
    return f"b{chosen.block} w{chosen.warp}: {chosen.active}/32"


def _header(picture: Picture, columns: LaneColumns, selected: int | None, top: float) -> None:
    u = picture.unit
    size = 0.82 * u
    every = columns.pitch_of_numbers(picture.size_of("30", size))
    shown = [lane for lane in range(0, 32, every) if selected is None or abs(lane - selected) >= every]
    for lane in shown if selected is None else [*shown, selected]:
        is_selected = lane == selected
        colour = "accent" if is_selected else "dim"
        picture.text(columns.centre(lane), top - 0.62 * u, str(lane), size, colour, 0, is_selected)
    picture.text(0.45 * u, top - 0.62 * u, "lane", size, "dim")


def asks_for_lanes(context: FrameContext) -> bool:
    """Return whether the class is to say which lanes work: not at an access, where it is asked what the lanes cause."""
    return context.predicting and context.frame.addresses is None


def _names(picture: Picture, columns: LaneColumns, names: tuple[tuple[int | None, int, Box, bool], ...]) -> None:
    for name in names:
        _name(picture, columns, *name)


def _name(picture: Picture, columns: LaneColumns, block: int | None, warp: int, box: Box, selected: bool) -> None:
    """Draw the warp's number, before it that of its block where it is given; the selected one on its glow."""
    u = picture.unit
    if selected:
        picture.rect(Box(0.15 * u, box.y, picture.width - 0.3 * u, box.h), "glow", radius=3)
    tall = _is_tall(box, u)
    size = min(u, max(0.74 * u, 0.86 * box.h))
    y = box.cy if tall else box.y + 0.5 * u
    if block is not None and (tall or box.h >= 3):
        picture.text(0.45 * u, y, f"b{block}", size, "text" if tall else "dim", bold=True)
    if tall:
        x = columns.left[0] - 0.45 * u
        picture.text(x, y, f"w{warp}", size, "accent" if selected else "text", 1, selected)


def _lane_at(
    columns: LaneColumns,
    table: list[WarpRow],
    boxes: list[Box],
    hidden: bool,
    wrong: Mapping[tuple[int, int, int], str],
    x: float,
    y: float,
) -> HitRegion | None:
    """Return what lies under the pointer: a lane, or a warp as a whole."""
    row = next((r for r, box in zip(table, boxes, strict=True) if box.y <= y < box.bottom), None)
    if row is None:
        return None
    where = f"block {row.block}, warp {row.warp}"
    place = f", line {row.line}" if row.line else ""
    lane = columns.at(x)
    if lane is None:
        says = where if hidden and row.issued else f"{where}: {row.active} of 32 lanes active, {row.words}{place}"
        return HitRegion(Box(0, y - 4, columns.left[0], 8), says, Target(block=row.block, warp=row.warp))
    status = "" if hidden and row.issued else f": {LANES[row.lanes[lane]].name}{place}"
    says = f"{where}, lane {lane} (thread {row.warp * 32 + lane}){status}"
    finding = wrong.get((row.block, row.warp, lane))
    says += f"\n{finding}" if finding else ""
    box = Box(columns.left[lane], y - 4, columns.width, 8)
    return HitRegion(box, says, Target(block=row.block, warp=row.warp, lane=lane))


def _state(
    picture: Picture, columns: LaneColumns, active: int, words: str, selected: bool, issued: bool, box: Box,
    roomy: bool, hidden: bool,
) -> None:  # fmt: skip
    """Draw how many lanes work, and in words what the others, or all, wait for."""
    u = picture.unit
    size = min(u, 0.9 * box.h)
    x = columns.right + 0.6 * u
    done = words == "done"
    text = "–" if done else f"{active}/32"
    colour = "dim" if done or not active else "text"
    room = picture.size_of("32/32", size, bold=True)
    if hidden and issued:
        picture.cover(Box(x - 3, box.y + 1, room + 6, box.h - 2))
        picture.cover(Box(columns.left[0], box.y + 1, columns.right - columns.left[0], box.h - 2))
    picture.text(x + room, box.cy, text, size, colour, 1, bold=selected or issued)
    if roomy and not (hidden and issued):
        left, size = x + room + 0.6 * u, min(0.85 * u, size)
        colour = "accent" if issued else "dim"
        picture.text(left, box.cy, words, size, colour, room=picture.width - left, least=0.7 * u)
