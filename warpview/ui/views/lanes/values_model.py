"""Model the values view: an instruction's operands and its result as rows of values over the 32 lanes. Qt-free."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from warpview.trace.frame import Event
from warpview.ui.drawing.columns import LaneColumns, cells
from warpview.ui.drawing.picture import Box, HitRegion, Picture, Target
from warpview.ui.drawing.values import bar_ends, lanes_of, number, numbers, ranges
from warpview.ui.views.context import FrameContext
from warpview.ui.views.lanes.access_lanes_model import draw_nothing
from warpview.ui.views.lanes.lane_masks_model import FULL, mask_words
from warpview.ui.views.lanes.lane_pattern_model import pattern
from warpview.ui.views.lanes.matrix_model import draw_matrices, matrices
from warpview.ui.views.lanes.operands_model import Computation, OperandRow, computation, state_before
from warpview.ui.views.lanes.shuffle_model import draw_shuffle

LABEL = 9.0  # units: the width of the names at the left
GAP = 0.3  # units: between the values of neighbouring lanes, at the least
SIGN = 1.9  # units: the width of the signs before the names
ROW_LEAST, ROW_TRIVIAL, ROW_MOST = 1.9, 2.6, 7.0  # units; the second for one value or one sequence in all lanes
ABOVE = 3.6  # units: the height of the instruction and of the numbers of the lanes
LEAST_TYPE = 0.6  # of the usual: rows shrink first, then the type
BARRED, DIGITS = 3.6, 1.8  # units: the height of a row from which there are bars below the digits, and that of these
CHANGED = 0.28  # opacity of the mark of what the step changed
WAY_LEAST, WAY_MOST = 2.5, 8.0  # units: the way from lane to lane of a shuffle


def draw(context: FrameContext, picture: Picture) -> str:
    """Fill the picture with a row for each operand and one for the result; return the note."""
    found = computation(context)
    if found is None:
        says = "this step computes no value" if context.frame.event else "no instruction has been executed yet"
        return draw_nothing(picture, says)
    rows, product = [*found.sources, *found.results], matrices(context, state_before(context))
    least = WAY_LEAST if found.origins else 0.0
    if product is None:
        fits = picture.height / (ABOVE + 1.0 + least + ROW_LEAST * len(rows))
        picture.unit = max(LEAST_TYPE * picture.unit, min(picture.unit, fits))
    u = picture.unit
    count = found.event.on.bit_count()
    picture.spoken = f"{found.text} in {count} of 32 lanes."
    _heading(picture, found)
    if product is not None:
        draw_matrices(context, picture, product)
        return f"{count}/32"
    columns = LaneColumns.between(LABEL * u, picture.width - 0.8 * u)
    top = ABOVE * u
    _lane_numbers(picture, columns, top, context.selection.lane)
    room = picture.height - top - 0.5 * u
    left_out = max(0, len(rows) - max(len(found.results) or 1, int((room / u - least) / ROW_LEAST)))
    if left_out:
        picture.text(0.6 * u, top - 0.6 * u, f"⋮ {left_out} more", 0.85 * u, "dim")
    rows = rows[left_out:]  # the result has room
    way = max(least, min(WAY_MOST, room / u - ROW_LEAST * len(rows))) * u if found.origins else 0.5 * u
    heights = _heights(rows, (room - way) / u - 0.2, context.predicting)
    bottoms = np.cumsum(heights) * u
    for k, row in enumerate(rows):
        result = row.before is not None
        high = heights[k] * u
        box = Box(0, top + float(bottoms[k]) - high + way * result, picture.width, high - 0.3 * u)
        if k and k + left_out == len(found.sources):
            if found.origins and not context.predicting:
                draw_shuffle(picture, columns, found.origins, found.event.on, box.y - way - 0.3 * u, box.y,
                             context.selection.lane)  # fmt: skip
            else:
                picture.lines([(0.5 * u, box.y - 0.25 * u, picture.width - 0.8 * u, box.y - 0.25 * u)], "idle", 1.2)
        _row(context, picture, columns, row, box, found.event)
    return f"{count}/32"


def _heights(rows: Sequence[OperandRow], room: float, predicting: bool) -> list[float]:
    """Return the height of each row in units: what one cell holds needs little, the others share the rest."""
    low = [row.told is not None and not (predicting and row.before is not None) for row in rows]
    trivial = max(ROW_LEAST, min(ROW_TRIVIAL, room / max(1, len(rows))))
    other = max(ROW_LEAST, min(ROW_MOST, (room - trivial * sum(low)) / max(1, len(rows) - sum(low))))
    return [trivial if is_low else other for is_low in low]


def _heading(picture: Picture, found: Computation) -> None:
    u = picture.unit
    said = picture.text(0.6 * u, 0.95 * u, found.text, 1.15 * u, "text", mono=True, bold=True,
                        room=0.72 * picture.width, least=0.8 * u)  # fmt: skip
    on = found.event.on
    if on != FULL:  # the note says how many
        words = f"lanes {ranges(on)}" if on else "no lane takes part"
        if found.undefined:
            words = f"undefined in lanes {ranges(found.undefined)}: their source takes no part"
        room = picture.width - said.right - 2 * u
        picture.text(said.right + 1.2 * u, said.cy, words, u, "dim", room=room, least=0.75 * u)


def _lane_numbers(picture: Picture, columns: LaneColumns, top: float, selected: int | None) -> None:
    u = picture.unit
    size = 0.82 * u
    every = columns.pitch_of_numbers(picture.size_of("30", size))
    picture.text(columns.left[0] - 0.6 * u, top - 0.6 * u, "lane", size, "dim", 1)
    for lane in range(0, 32, every):
        colour = "accent" if lane == selected else "dim"
        picture.text(columns.centre(lane) - 1, top - 0.6 * u, str(lane), size, colour, 0, lane == selected)


def _row(
    context: FrameContext, picture: Picture, columns: LaneColumns, row: OperandRow, box: Box, event: Event
) -> None:
    """Draw one operand: its sign and name, then its values in a cell for each lane, or its pattern in one for all."""
    u, result = picture.unit, row.before is not None
    if row.sign:
        picture.text(0.6 * u, box.cy, row.sign, 1.25 * u, "accent" if result else "text", bold=True,
                     room=SIGN * u, least=0.7 * u)  # fmt: skip
    picture.text(columns.left[0] - 0.6 * u, box.cy, row.name, u, "text", 1, result, mono=True,
                 room=columns.left[0] - (SIGN + 1.4) * u, least=0.7 * u)  # fmt: skip
    boxes = cells(columns, box.y, box.h, 2.0)
    whole = Box(columns.left[0], box.y, columns.right - columns.left[0], box.h)
    hidden = context.predicting and result
    in_one = row.told is not None and not hidden
    picture.rects([whole.inset(2)] if in_one else [boxes[lane] for lane in lanes_of(row.lanes)], "raised")
    picture.rects([boxes[lane] for lane in lanes_of(~row.lanes & FULL)], None, "faint", 1.0, dash=True)
    if context.selection.lane is not None:
        picture.rect(boxes[context.selection.lane].inset(-1.5), None, "accent", 2, radius=3)
    if hidden:
        picture.cover(whole)
        return
    texts = numbers(row.values, row.type, row.mask)
    _values(picture, columns, row, whole, texts)
    _void(picture, row, boxes, texts)
    picture.region(whole, partial(_value_at, columns, row, texts, event, box))


def _values(picture: Picture, columns: LaneColumns, row: OperandRow, whole: Box, texts: Sequence[str]) -> None:
    """Draw the values of an operand: in words where they are one value or sequence, else as digits where there is room
    for them, else their pattern, else as bars."""
    if not row.lanes:
        return
    u, changed = picture.unit, _changed(row)
    size = _size(picture, [texts[lane] for lane in lanes_of(row.lanes)], columns.width - 4, u)
    area = _digits_area(picture, columns, row, whole, texts)
    told = row.told or (
        None if size else pattern(row.values, row.lanes, partial(number, type_=row.type, mask=row.mask))
    )
    if told is None:
        marked = cells(columns, area.y, area.h, 2.0)  # the digits alone: below them the mark would look like a bar
        picture.rects([marked[lane] for lane in lanes_of(changed & row.lanes)], "conflict", alpha=CHANGED)
    boxes = cells(columns, whole.y, whole.h, 2.0)
    if told is not None:
        _pattern(picture, row, area, told, len(set(texts)) == 1, bool(changed & row.lanes))
    elif size:
        for lane in lanes_of(row.lanes):
            picture.text(boxes[lane].cx, area.cy, texts[lane], size, "text", 0, bool(changed >> lane & 1))
    else:
        if area == whole:
            _bars(picture, row, boxes)
        _ends(picture, row, Box(boxes[0].x, area.y, boxes[0].w, area.h))


def _void(picture: Picture, row: OperandRow, boxes: Sequence[Box], texts: Sequence[str]) -> None:
    """Strike out what is read from lanes that take no part; mark what comes of it as undefined."""
    u, lanes = picture.unit, lanes_of(row.void)
    marked = [boxes[lane] for lane in lanes]
    if row.before is not None:
        picture.rects([box.inset(1) for box in marked], None, "error", 1.4, dash=True)
        for box in marked:
            picture.text(box.cx, box.cy, "?", u, "error", 0, bold=True)
        return
    size = _size(picture, [texts[lane] for lane in lanes], boxes[0].w - 2, u) if lanes else 0.0
    for lane, box in zip(lanes, marked, strict=True):
        if size:
            picture.text(box.cx, box.cy, texts[lane], size, "dim", 0)
    picture.lines([(box.x + 2, box.cy + 0.4 * u, box.right - 2, box.cy - 0.4 * u) for box in marked], "error", 1.8)


def _digits_area(picture: Picture, columns: LaneColumns, row: OperandRow, whole: Box, texts: Sequence[str]) -> Box:
    """Return where the digits go: all of the row, or its upper part where bars find room below, which are drawn."""
    alike = len({texts[lane] for lane in lanes_of(row.lanes)}) == 1
    high = DIGITS * picture.unit
    if row.told is not None or not (whole.h >= BARRED * picture.unit and alike is row.mask and row.lanes):
        return whole
    members = np.uint32(int(row.values[lanes_of(row.lanes)[0]]) & FULL) >> np.arange(32, dtype=np.uint32) & 1
    drawn = replace(row, values=members, lanes=FULL) if row.mask else row
    _bars(picture, drawn, cells(columns, whole.y + high, whole.h - high, 2.0), 0.45)
    return Box(whole.x, whole.y, whole.w, high)


def _pattern(picture: Picture, row: OperandRow, area: Box, told: str, same: bool, is_changed: bool) -> None:
    """Draw the pattern of the values in words on a label; ``same`` says that all lanes hold one value."""
    u, result = picture.unit, row.before is not None
    head, _, tail = told.partition("  ")
    words = f"{head} in every lane" if same and row.lanes.bit_count() > 1 else head
    if row.mask and same:
        words = mask_words(int(row.values[0]) & FULL)
    width = picture.size_of(words, u, bold=result) + (picture.size_of(tail, u) + u if tail else 0.0) + 1.2 * u
    label = Box(area.x, area.cy - 0.75 * u, min(width, area.w), 1.5 * u)
    picture.rect(label, "panel", radius=4, alpha=0.92)
    if is_changed:
        picture.rect(label, "conflict", radius=4, alpha=CHANGED)
    said = picture.text(area.x + 0.6 * u, area.cy, words, u, "text", bold=result, room=area.w - u, least=0.7 * u)
    picture.text(said.right + u, area.cy, tail, u, "dim", room=area.right - said.right - u, least=0.7 * u)


def _changed(row: OperandRow) -> int:
    """Return the lanes whose value this step changed."""
    if row.before is None:
        return 0
    bits = f"u{row.values.itemsize}"
    lanes = np.flatnonzero(np.ascontiguousarray(row.values).view(bits) != np.ascontiguousarray(row.before).view(bits))
    return sum(1 << int(lane) for lane in lanes)


def _size(picture: Picture, texts: list[str], room: float, u: float) -> float:
    """Return the size at which every value fits into the cell of its lane; 0 where none can be read so."""
    widest = picture.widest(texts, u) + GAP * u
    fits = min(u, u * room / widest)
    return fits if fits >= 0.6 * u else 0.0


def _bars(picture: Picture, row: OperandRow, boxes: tuple[Box, ...], alpha: float = 0.75) -> None:
    """Draw the values as bars from the least to the greatest, from 0 at least."""
    lanes, drawn = lanes_of(row.lanes), []
    for lane, (low, high) in zip(lanes, bar_ends(row.values[list(lanes)]), strict=True):
        cell = boxes[lane].inset(2, 1)
        drawn.append(Box(cell.x, cell.bottom - high * cell.h, cell.w, max(1.5, (high - low) * cell.h)))
    picture.rects(drawn, "active", alpha=alpha)


def _ends(picture: Picture, row: OperandRow, first: Box) -> None:
    """Write the least and the greatest of values that follow no pattern and are too long for their cells."""
    u, held = picture.unit, row.values[list(lanes_of(row.lanes))]
    ends = " to ".join(number(value, row.type, row.mask) for value in (held.min(), held.max()))
    width = picture.size_of(ends, 0.85 * u) + 0.8 * u
    picture.rect(Box(first.x + 2, first.cy - 0.6 * u, width, 1.2 * u), "panel", radius=3, alpha=0.92)
    picture.text(first.x + 2 + width / 2, first.cy, ends, 0.85 * u, "text", 0)


def _value_at(
    columns: LaneColumns, row: OperandRow, texts: list[str], event: Event, box: Box, x: float, y: float
) -> HitRegion | None:
    lane = columns.at(x)
    if lane is None:
        return None
    says = f"{row.name} of lane {lane} = {texts[lane]}"
    if row.void >> lane & 1:
        undefined = f"{row.name} of lane {lane} is undefined: the lane that it reads takes no part"
        says = undefined if row.before is not None else f"{says}, takes no part: what others read here is undefined"
    elif not row.lanes >> lane & 1:
        says += ", takes no part"
    elif row.before is not None and _changed(row) >> lane & 1:
        says += f", was {number(row.before[lane], row.type, row.mask)}"
    target = Target(block=event.block, warp=event.warp, lane=lane)
    return HitRegion(Box(columns.left[lane], box.y, columns.width, box.h), says, target)
