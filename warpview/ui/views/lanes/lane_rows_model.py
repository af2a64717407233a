"""Place the rows of the warps, and their lanes as cells."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from warpview.trace.frame import LaneStatus
from warpview.ui.drawing.columns import LaneColumns, cells
from warpview.ui.drawing.picture import Box, Picture

LOW = 9.0  # pixels: lanes in rows lower than this are drawn as runs
HATCHED = 6.0  # pixels: runs lower than this are filled, as nothing would be left of a hatching
READABLE = 0.86  # units: rows lower than this go without words
TALLEST = 2.8  # units: no row is made higher than this
CHOSEN = 1.5  # units: the selected row among many
VISIBLE = 2.0  # pixels: lower rows are a texture
NOWHERE = -100.0


# --- rows -------------------------------------------------------------------------------------------------------


class Place(NamedTuple):
    """Hold the box of a row, and whether it says its block too."""

    box: Box
    named: bool


def block_gap(unit: float, count: int) -> float:
    return 0.4 * unit if count <= 24 else 0.18 * unit


def _gap(blocks: Sequence[int], room: float, unit: float) -> float:
    """Return the gap between two blocks; none where rows would else be lower than one can see."""
    gaps, gap = sum(a != b for a, b in itertools.pairwise(blocks)), block_gap(unit, len(blocks))
    return gap if VISIBLE * len(blocks) + CHOSEN * unit + gaps * gap <= room else 0.0


def row_heights(blocks: Sequence[int], chosen: int, room: float, unit: float) -> list[float]:
    """Return the heights of the rows of warps: all alike where they fit, else more for row ``chosen`` and its block."""
    count = len(blocks)
    gaps = sum(a != b for a, b in itertools.pairwise(blocks))
    room = max(1.0, room - gaps * _gap(blocks, room, unit))
    tallest, readable = TALLEST * unit, READABLE * unit
    if room / count >= readable:
        return [min(tallest, room / count)] * count
    near = [block == blocks[chosen] for block in blocks]
    thin = 0.28 * unit
    wanted = readable * sum(near) + thin * (count - sum(near))
    if wanted <= room:
        spare = (room - readable * sum(near)) / max(1, count - sum(near))
        return [readable if n else min(spare, 0.9 * unit) for n in near]
    widest = readable if all(near) else thin
    others = max(0.3, min(widest, (room - CHOSEN * unit) / max(1, count - 1)))
    return [CHOSEN * unit if k == chosen else others for k in range(count)]


@lru_cache(64)
def places(
    blocks: tuple[int, ...], selected: int | None, top: float, room: float, width: float, unit: float
) -> tuple[Place, ...]:
    """Place the rows of warps of these blocks; ``selected`` is the row of the selected warp, if it has one. Blocks may
    be told by any number: counted from 0 they are more often those of the step before."""
    heights = row_heights(blocks, selected or 0, room, unit)
    boxes, gap = [], _gap(blocks, room, unit)
    y = top
    for k, height in enumerate(heights):
        if k and blocks[k - 1] != blocks[k]:
            y += gap
        boxes.append(Box(0, y, width, height))
        y += height
    named = _named(blocks, selected, boxes, unit)
    return tuple(itertools.starmap(Place, zip(boxes, named, strict=True)))


def _named(blocks: tuple[int, ...], selected: int | None, boxes: list[Box], unit: float) -> list[bool]:
    """Return which rows carry the label of their block: the first of each. Labels of low rows are left out where they
    would run into one another or into the selected row's."""
    uneven = max(box.h for box in boxes) > 1.5 * min(box.h for box in boxes)
    kept_free = boxes[selected].cy if uneven and selected is not None else NOWHERE
    labelled = NOWHERE
    found = []
    for k, (block, box) in enumerate(zip(blocks, boxes, strict=True)):
        first = k == 0 or blocks[k - 1] != block
        readable = box.h >= READABLE * unit - 0.5
        # The selected warp's row, where it is the only one of its block with words, names the block too.
        alone = k == selected and uneven and not first
        named = alone or (first and (readable or block != blocks[selected or 0]))
        middle = box.cy if readable else box.y + 0.5 * unit
        if named and not alone and (middle - labelled < 0.95 * unit or abs(middle - kept_free) < 1.1 * unit):
            named = k == selected
        if named:
            labelled = middle
        found.append(named)
    return found


# --- cells ------------------------------------------------------------------------------------------------------

Lanes = tuple[LaneStatus, ...]


def draw_cells(picture: Picture, columns: LaneColumns, rows: Iterable[tuple[Lanes, Box]]) -> None:
    """Draw the lanes of rows, each given by its lanes and its box."""
    gap = 1.2 if columns.width < 14 else 2.0
    low: list[tuple[float, float]] = []  # top and bottom of low rows that follow one another
    cut = False
    runs: defaultdict[int, list[Box]] = defaultdict(list)  # those of all low rows are drawn at once
    for lanes, box in rows:
        pad = 0.12 * box.h if box.h > 16 else 1.0 if box.h > 8 else 0.5
        y, h = box.y + pad, max(1.0, box.h - 2 * pad)
        before, cut = cut, box.h < LOW
        if not cut:
            _row(picture, lanes, columns, y, h, gap)
            continue
        low.append((low.pop()[0] if before else y, y + h))
        for status, x, w in _spans(lanes, columns, gap):
            runs[status].append(Box(x, y, w, h))
    picture.rects(runs[LaneStatus.ACTIVE], "active")
    picture.rects(runs[LaneStatus.DIVERGED], "faint")
    picture.rects(runs[LaneStatus.PREDICATED_OFF], None, "active", dash=True)
    waiting = runs[LaneStatus.BARRIER]
    picture.rects([box for box in waiting if box.h >= HATCHED], hatch="barrier")
    picture.rects([box for box in waiting if box.h < HATCHED], "barrier")
    picture.rects([Box(x - gap, top, gap, end - top) for top, end in low for x in columns.left[1:]], "panel")


def _row(picture: Picture, lanes: Lanes, columns: LaneColumns, y: float, h: float, gap: float) -> None:
    """Draw a cell for each lane."""
    found: defaultdict[LaneStatus, list[Box]] = defaultdict(list)
    for status, box in zip(lanes, cells(columns, y, h, gap), strict=True):
        found[status].append(box)
    picture.rects(found[LaneStatus.ACTIVE], "active")
    picture.rects(found[LaneStatus.DIVERGED], None, "idle")
    picture.rects(found[LaneStatus.BARRIER], edge="barrier", hatch="barrier")
    picture.rects(found[LaneStatus.PREDICATED_OFF], None, "active", 1.2, dash=True)
    picture.dots([(b.cx, b.cy) for b in found[LaneStatus.EXITED]], max(1.0, min(0.09 * h, 2.2)), "idle")


@lru_cache(1024)
def _spans(lanes: Lanes, columns: LaneColumns, gap: float) -> tuple[tuple[int, float, float], ...]:
    """Return the runs of lanes of one status: where each begins, and its width. The statuses are plain numbers, as
    tuples of those alone are no work for the garbage collector, and these live long."""
    found = []
    for status, run in itertools.groupby(range(len(lanes)), lanes.__getitem__):
        lefts = [columns.left[lane] for lane in run]
        found.append((int(status), lefts[0], lefts[-1] + (columns.width - gap) - lefts[0]))
    return tuple(found)
