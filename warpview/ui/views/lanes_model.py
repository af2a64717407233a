"""All resident warps by 32 lanes: who takes part, who waits and why; below, one variable of the selected warp."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from warpview.trace.frame import LaneStatus, Stall, WarpState
from warpview.ui.drawing.columns import Columns
from warpview.ui.drawing.picture import Box, Hot, Picture, Target
from warpview.ui.drawing.values import scalars
from warpview.ui.views.lane_values_model import draw_values, plan

if TYPE_CHECKING:
    from warpview.ui.views.context import FrameContext, RunLike

LOW = 9.0  # pixels: lanes in rows lower than this are drawn as runs
READABLE = 0.86  # units: rows lower than this go without words
TALLEST = 2.8  # units: no row is made higher than this

WAITS = {
    Stall.WAIT: "waits for a result",
    Stall.MEMORY: "waits for memory",
    Stall.SHARED: "waits for shared memory",
    Stall.BARRIER: "at the barrier",
    Stall.THROTTLE: "unit busy",
    Stall.RECONVERGE: "paths wait",
    Stall.NOT_SELECTED: "ready",
    Stall.SELECTED: "ready",
    Stall.EXITED: "done",
}
SHORT = {
    Stall.WAIT: "result",
    Stall.MEMORY: "memory",
    Stall.SHARED: "shared",
    Stall.BARRIER: "barrier",
    Stall.THROTTLE: "unit busy",
    Stall.RECONVERGE: "paths wait",
}
LANE_WORDS = {
    LaneStatus.ACTIVE: "active",
    LaneStatus.DIVERGED: "idle: on another path",
    LaneStatus.BARRIER: "waiting at the barrier",
    LaneStatus.EXITED: "exited",
    LaneStatus.PREDICATED_OFF: "predicated off",
    LaneStatus.ABSENT: "no thread",
}


@dataclass(frozen=True)
class Row:
    """A warp as one row. ``active`` counts lanes that work; ``hued`` when lanes are told apart by their hue."""

    block: int
    warp: int
    lanes: tuple[LaneStatus, ...]
    active: int
    words: str
    short: str  # the same in one word
    line: int | None
    selected: bool
    issued: bool
    hued: bool


def design(run: RunLike) -> tuple[float, float]:
    """Width and height, in units, at which every resident warp has a readable row and every variable its values."""
    slots = max((stay.first_slot for stay in getattr(run.trace, "residency", ())), default=0) + run.launch.warps
    return 57.0, 5.0 + 1.2 * min(40, max(8, slots)) + 1.4 * min(6, len(scalars(run.program, None)))


def rows(context: FrameContext) -> list[Row]:
    """The resident warps, by block and warp."""
    event = context.frame.event
    found = []
    for w in sorted(context.frame.warps, key=lambda w: (w.block, w.warp)):
        issued = event is not None and (event.block, event.warp) == (w.block, w.warp)
        pc = event.pc if issued and event is not None else w.pc
        found.append(
            Row(
                w.block,
                w.warp,
                w.lanes,
                w.lanes.count(LaneStatus.ACTIVE),
                says := words(w, issued),
                says if issued or says == "done" else SHORT.get(w.stall, says),
                context.program.instructions[pc].span.line if 0 <= pc < len(context.program.instructions) else None,
                (w.block, w.warp) == context.selection.key,
                issued,
                issued and context.frame.addresses is not None,
            )
        )
    return found


def words(warp: WarpState, issued: bool) -> str:
    """How a warp stands, in two or three words."""
    if warp.lanes.count(LaneStatus.EXITED) + warp.lanes.count(LaneStatus.ABSENT) == len(warp.lanes):
        return "done"
    if issued:
        return "issued"
    return WAITS.get(warp.stall, "")


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
    state = _room_for_words(picture, picture.width - gutter - aside)
    columns = Columns.between(gutter, picture.width - aside - state - 0.5 * u)
    top = 1.45 * u
    comfortable = top + sum(row_heights(table, 1.7 * u * len(table), u)) + 0.4 * u
    tight = top + READABLE * u * len(table) + 0.8 * u
    room = max(picture.height - comfortable, min(0.3 * picture.height, picture.height - tight))
    values = plan(context, picture, columns, name, room)
    below = values.height
    _header(picture, columns, any(r.hued for r in table), context.selection.lane, top)
    heights = row_heights(table, picture.height - top - below - 0.2 * u, u)
    y = top
    chosen = next((r for r in table if r.selected), table[0])
    boxes: list[Box] = []
    cells = Cells(columns)
    labelled = -100.0
    kept_free = _middle_of_selected(table, heights, top, u) if max(heights) > 1.5 * min(heights) else -100.0
    for k, (row, height) in enumerate(zip(table, heights, strict=True)):
        first = k == 0 or table[k - 1].block != row.block
        if first and k:
            y += block_gap(u, len(table))
        boxes.append(Box(0, y, picture.width, height))
        # The selected warp's row, where it is the only one of its block with words, names the block too.
        alone = row.selected and max(heights) > 1.5 * min(heights) and not first
        named = alone or (first and not (row.block == chosen.block and height < READABLE * u - 0.5))
        # Labels of low rows are left out where they would run into one another or into the selected row's.
        middle = boxes[-1].cy if height >= READABLE * u - 0.5 else y + 0.5 * u
        if named and not alone and (middle - labelled < 0.95 * u or abs(middle - kept_free) < 1.1 * u):
            named = row.selected
        if named:
            labelled = middle
        _row(picture, columns, row, boxes[-1], named, state > 0, context)
        cells.add(row, boxes[-1])
        y += height
    cells.draw(picture, 2.5 if max(heights) > 10 and len(table) <= 16 else 0.0)
    picture.region(
        Box(0, top, picture.width, y - top), partial(_lane_at, columns, table, boxes, asks_for_lanes(context))
    )
    draw_values(context, picture, columns, values, min(picture.height - below, y + 1.2 * u))
    return _note(table, picture, asks_for_lanes(context))


def _room_for_words(picture: Picture, room: float) -> float:
    """What the words beside the rows are given: for whole sentences if the cells stay wide, else for a word or none."""
    u = picture.unit
    for words, least in (("waits for shared memory", 1.6 * u), ("paths wait", 1.0 * u)):
        wanted = picture.size_of(words, 0.85 * u) + 0.8 * u
        if room - wanted >= 32 * least:
            return wanted
    return 0.0


def _middle_of_selected(table: list[Row], heights: list[float], top: float, unit: float) -> float:
    """Where the selected row's label will stand; far away where no row is selected."""
    y = top
    for k, (row, height) in enumerate(zip(table, heights, strict=True)):
        if k and table[k - 1].block != row.block:
            y += block_gap(unit, len(table))
        if row.selected:
            return y + height / 2
        y += height
    return -100.0


def _note(table: list[Row], picture: Picture, hidden: bool) -> str:
    picture.spoken = f"{len(table)} resident warps"
    chosen = next((r for r in table if r.selected), None)
    if hidden:
        return ""
    if chosen is None:
        return f"{len(table)} warps"
    picture.spoken += f". Block {chosen.block}, warp {chosen.warp}: {chosen.active} of 32 lanes active; {chosen.words}."
    return f"b{chosen.block} w{chosen.warp}: {chosen.active}/32"


def block_gap(unit: float, count: int) -> float:
    return 0.4 * unit if count <= 24 else 0.18 * unit


def row_heights(table: list[Row], room: float, unit: float) -> list[float]:
    """Heights of the rows: all alike where they fit, else the selected warp and its block are given the room."""
    gaps = sum(a.block != b.block for a, b in itertools.pairwise(table))
    room = max(1.0, room - gaps * block_gap(unit, len(table)))
    tallest, readable = TALLEST * unit, READABLE * unit
    if room / len(table) >= readable:
        return [min(tallest, room / len(table))] * len(table)
    chosen = next((r for r in table if r.selected), table[0])
    near = [r.block == chosen.block for r in table]
    thin = 0.28 * unit
    wanted = readable * sum(near) + thin * (len(table) - sum(near))
    if wanted <= room:
        spare = (room - readable * sum(near)) / max(1, len(table) - sum(near))
        return [readable if n else min(spare, 0.9 * unit) for n in near]
    others = max(2.0, min(thin, (room - 1.5 * unit) / max(1, len(table) - 1)))
    return [1.5 * unit if r is chosen else others for r in table]


def _header(picture: Picture, columns: Columns, hued: bool, selected: int | None, top: float) -> None:
    u = picture.unit
    size = 0.82 * u
    every = 1 if columns.width >= picture.size_of("30", size) * 1.12 else 2 if columns.width >= 0.8 * u else 4
    for lane in range(32):
        if lane % every and lane != 31 and lane != selected:
            continue
        if lane == selected:
            colour, bold = "accent", True
        else:
            colour, bold = (f"lane{lane}" if hued else "dim"), False
            if selected is not None and every > 1 and abs(lane - selected) < every:
                continue
            if lane == 31 and every == 2:
                continue
        picture.text(columns.centre(lane), top - 0.62 * u, str(lane), size, colour, 0, bold)
    picture.text(0.45 * u, top - 0.62 * u, "lane", size, "dim")


def asks_for_lanes(context: FrameContext) -> bool:
    """Whether the hall is to say which lanes work: not at an access, where it is asked what the lanes cause."""
    return context.predicting and context.frame.addresses is None


def _row(
    picture: Picture, columns: Columns, row: Row, box: Box, first: bool, roomy: bool, context: FrameContext
) -> None:
    u = picture.unit
    tall = box.h >= READABLE * u - 0.5
    if row.selected:
        picture.rect(Box(0.15 * u, box.y, picture.width - 0.3 * u, box.h), "glow", radius=3)
    if tall or first:
        size = min(u, max(0.74 * u, 0.86 * box.h))
        y = box.cy if tall else box.y + 0.5 * u
        if first and (tall or box.h >= 3):
            picture.text(0.45 * u, y, f"b{row.block}", size, "text" if tall else "dim", bold=True)
        if tall:
            picture.text(
                columns.left[0] - 0.45 * u,
                y,
                f"w{row.warp}",
                size,
                "accent" if row.selected else "text",
                1,
                row.selected,
            )
    if row.selected and context.selection.lane is not None:
        x = columns.left[context.selection.lane]
        picture.rect(Box(x - 2.5, box.y, columns.width + 3, box.h), None, "accent", 2.0, radius=3)
    if tall:
        _numbers(picture, columns, row, box, roomy, asks_for_lanes(context))


def _lane_at(columns: Columns, table: list[Row], boxes: list[Box], hidden: bool, x: float, y: float) -> Hot | None:
    """What lies under the pointer: a lane, or a warp as a whole."""
    row = next((r for r, box in zip(table, boxes, strict=True) if box.y <= y < box.bottom), None)
    if row is None:
        return None
    where = f"block {row.block}, warp {row.warp}"
    place = f", line {row.line}" if row.line else ""
    lane = columns.at(x)
    if lane is None:
        says = where if hidden and row.issued else f"{where}: {row.active} of 32 lanes active, {row.words}{place}"
        return Hot(Box(0, y - 4, columns.left[0], 8), says, Target(block=row.block, warp=row.warp))
    says = f"{where}, lane {lane} (thread {row.warp * 32 + lane}): {LANE_WORDS[row.lanes[lane]]}{place}"
    box = Box(columns.left[lane], y - 4, columns.width, 8)
    return Hot(box, says, Target(block=row.block, warp=row.warp, lane=lane))


def _numbers(picture: Picture, columns: Columns, row: Row, box: Box, roomy: bool, hidden: bool) -> None:
    u = picture.unit
    size = min(u, 0.9 * box.h)
    x = columns.right + 0.6 * u
    done = row.words == "done"
    text = "–" if done else f"{row.active}/32"
    colour = "dim" if done or not row.active else "text"
    room = picture.size_of("32/32", size, bold=True)
    if hidden and row.issued:
        picture.cover(Box(x - 3, box.y + 1, room + 6, box.h - 2))
        picture.cover(Box(columns.left[0], box.y + 1, columns.right - columns.left[0], box.h - 2))
    picture.text(x + room, box.cy, text, size, colour, 1, bold=row.selected or row.issued)
    if roomy and not (hidden and row.issued):
        left, size = x + room + 0.6 * u, min(0.85 * u, size)
        fits = picture.size_of(row.words, size) <= picture.width - left
        picture.text(
            left, box.cy, row.words if fits else row.short, size, "accent" if row.issued else "dim",
            room=picture.width - left, least=0.7 * u,
        )  # fmt: skip


@dataclass
class Cells:
    """The lanes of all rows by how they are drawn, so that each kind is drawn at once."""

    columns: Columns
    whole: dict[LaneStatus, list[Box]] = field(default_factory=dict)  # a box a lane
    runs: dict[LaneStatus, list[Box]] = field(default_factory=dict)  # a box for lanes alike, in rows too low for more
    hued: list[tuple[int, Box]] = field(default_factory=list)
    low: list[Box] = field(default_factory=list)  # the rows drawn as runs

    @property
    def gap(self) -> float:
        return 1.2 if self.columns.width < 14 else 2.0

    def add(self, row: Row, box: Box) -> None:
        """Take in a row."""
        pad = 0.12 * box.h if box.h > 16 else 1.0 if box.h > 8 else 0.5
        y, h = box.y + pad, max(1.0, box.h - 2 * pad)
        if box.h < LOW:
            self._add_runs(row, y, h)
            return
        width = self.columns.width - self.gap
        cells = [Box(x, y, width, h) for x in self.columns.left]
        if not row.hued and row.lanes.count(row.lanes[0]) == len(cells):
            self.whole.setdefault(row.lanes[0], []).extend(cells)
            return
        for lane, (status, cell) in enumerate(zip(row.lanes, cells, strict=True)):
            if row.hued and status == LaneStatus.ACTIVE:
                self.hued.append((lane, cell))
            else:
                self.whole.setdefault(status, []).append(cell)

    def _add_runs(self, row: Row, y: float, h: float) -> None:
        left, width = self.columns.left, self.columns.width - self.gap
        self.low.append(Box(left[0], y, self.columns.right - left[0], h))
        start = 0
        for lane in range(1, 33):
            if lane == 32 or row.lanes[lane] != row.lanes[start]:
                run = Box(left[start], y, left[lane - 1] + width - left[start], h)
                self.runs.setdefault(row.lanes[start], []).append(run)
                start = lane

    def draw(self, picture: Picture, radius: float) -> None:
        """Put everything into the picture."""
        active, diverged, barrier = LaneStatus.ACTIVE, LaneStatus.DIVERGED, LaneStatus.BARRIER
        picture.rects(self.runs.get(active, []), "active")
        picture.rects(self.runs.get(diverged, []), "faint")
        picture.rects(self.runs.get(LaneStatus.PREDICATED_OFF, []), None, "active", dash=True)
        picture.rects(self.runs.get(barrier, []), hatch="barrier")
        left = self.columns.left
        cuts = [(x - 0.5 * self.gap, r.y, x - 0.5 * self.gap, r.bottom) for r in _joined(self.low) for x in left[1:]]
        picture.lines(cuts, "panel", self.gap)
        for lane, box in self.hued:
            picture.rect(box, f"lane{lane}", radius=radius)
        picture.rects(self.whole.get(active, []), "active", radius=radius)
        picture.rects(self.whole.get(diverged, []), None, "idle", 1.2)
        picture.rects(self.whole.get(barrier, []), edge="barrier", hatch="barrier")
        picture.rects(self.whole.get(LaneStatus.PREDICATED_OFF, []), None, "active", 1.2, dash=True)
        exited = self.whole.get(LaneStatus.EXITED, [])
        if exited:
            picture.dots([(b.cx, b.cy) for b in exited], max(1.0, min(0.09 * exited[0].h, 2.2)), "idle")


def _joined(boxes: list[Box]) -> list[Box]:
    """Boxes that follow one another closely, as one."""
    joined: list[Box] = []
    for box in boxes:
        if joined and box.y - joined[-1].bottom < 3:
            joined[-1] = Box(box.x, joined[-1].y, box.w, box.bottom - joined[-1].y)
        else:
            joined.append(box)
    return joined
