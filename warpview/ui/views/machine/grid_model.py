"""Draw the grid as one picture to zoom from all blocks to a lane: each level shows what there is room for.

One unit of the world is the width of a block. A block is a row of text and a row for each of its warps, of 32 lanes.
Qt-free.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray

from warpview.sim.launch import Dim3
from warpview.trace.frame import LaneStatus, WarpState
from warpview.trace.presentation import LANES
from warpview.ui.drawing.columns import LaneColumns
from warpview.ui.drawing.picture import Box, HitRegion, Picture, Target
from warpview.ui.drawing.values import thousands
from warpview.ui.views.context import FrameContext
from warpview.ui.views.lanes.lane_rows_model import draw_cells
from warpview.ui.views.lanes.lane_values_model import Strip, chosen_variable, strip
from warpview.ui.views.lanes.lanes_model import words
from warpview.ui.views.machine.grid_layout import GUTTER, HEAD, LANE, LEVELS, ROW, layout_of, level_of, path_height

LEVEL = "level"  # the command of a click on a level's name
SEPARATE = 20.0  # pixels: the geometric mean of the sides from which on a block is drawn by itself
NAMED = 44.0  # pixels of a block from which on it has its name
SEEN_ROW, SEEN_LANE = 2.5, 3.5  # pixels from which on warps, and their lanes, are drawn
NUMBERED_LANE = 17.0  # pixels of a lane from which on it has its number, and its value where that fits
LEAST_NAME, LEAST_VALUE = 0.6, 0.7  # units of the type of a warp's name and of the values of its lanes, at least
LINE = 0.19  # of the height of a warp, from its middle to the numbers of its lanes, and to their values below
LARGER, SMALLER = 0.32, 0.28  # of that height, the size of the numbers and of the values
SPELT_LANE = 56.0  # pixels of a lane from which on it has its thread index and state, too


class BlockStatus(IntEnum):
    """Define the states of a block at a step."""

    ELSEWHERE = 0  # on a multiprocessor that was not recorded
    TO_COME = 1
    RESIDENT = 2
    FINISHED = 3


TOKENS = ("raised", "heat1", "active", "idle", "panel")  # of a block, by its status; of a place without a block
NO_BLOCK = len(BlockStatus)  # the index into TOKENS of the places after the last block
STATUS_WORDS = ("runs on another multiprocessor", "has not begun", "resident", "has finished")


def statuses(context: FrameContext) -> NDArray[np.uint8]:
    """Return the BlockStatus of every block at a step: uint8[blocks]."""
    found = np.zeros(context.launch.n_blocks, np.uint8)
    cycle = context.frame.cycle
    for block, _, end in context.trace.blocks:
        found[block] = BlockStatus.FINISHED if end <= cycle else BlockStatus.TO_COME
    found[[warp.block for warp in context.frame.warps]] = BlockStatus.RESIDENT
    return found


def block_name(grid: Dim3, block: int) -> str:
    """Return the index of a block as the kernel has it: "5", "(1, 2)", "(1, 2, 3)"."""
    x, y, z = block % grid[0], block // grid[0] % grid[1], block // (grid[0] * grid[1])
    if grid[2] > 1:
        return f"({x}, {y}, {z})"
    return f"({x}, {y})" if grid[1] > 1 else str(x)


class _Drawing:
    """Draw one picture of the part ``view`` of the world."""

    def __init__(self, context: FrameContext, picture: Picture, view: Box) -> None:
        self.context, self.picture, self.view = context, picture, view
        self.layout = layout_of(context.launch.grid, context.launch.warps)
        self.scale = picture.width / view.w  # pixels for the width of a block
        self.statuses = statuses(context)
        self.warps = {(w.block, w.warp): w for w in context.frame.warps}

    def box(self, world: Box) -> Box:
        """Return the place of a part of the world, in pixels."""
        s, view = self.scale, self.view
        return Box((world.x - view.x) * s, (world.y - view.y) * s, world.w * s, world.h * s)

    # ---- blocks

    def visible(self) -> tuple[range, range]:
        """Return the columns and rows of blocks in sight."""
        layout, view = self.layout, self.view
        columns = range(max(0, int(view.x)), min(layout.columns, ceil(view.right)))
        return columns, range(max(0, int(view.y / layout.height)), min(layout.rows, ceil(view.bottom / layout.height)))

    def blocks(self) -> Iterator[int]:
        """Yield the blocks in sight."""
        columns, rows = self.visible()
        numbers = (row * self.layout.columns + column for row in rows for column in columns)
        return (number for number in numbers if number < self.layout.count)

    def draw(self) -> None:
        """Draw the blocks in as much detail as their size in pixels has room for."""
        if self.scale * sqrt(self.layout.height) < SEPARATE:
            self._draw_image()
        else:
            self._draw_blocks()
        self._mark_selected()

    def _draw_image(self) -> None:
        """Draw all blocks in sight as pixels of an image."""
        columns, rows = self.visible()
        if not columns or not rows:
            return
        layout = self.layout
        filled = np.full(layout.columns * layout.rows, NO_BLOCK, np.uint8)
        filled[: layout.count] = self.statuses
        cells = filled.reshape(layout.rows, layout.columns)[rows.start : rows.stop, columns.start : columns.stop]
        place = Box(columns.start, rows.start * layout.height, len(columns), len(rows) * layout.height)
        self.picture.bitmap(self.box(place), np.ascontiguousarray(cells), TOKENS)

    def _draw_blocks(self) -> None:
        boxes: dict[int, list[Box]] = {status: [] for status in BlockStatus}
        shown = list(self.blocks())
        rows_seen = ROW * self.scale >= SEEN_ROW
        for block in shown:
            boxes[int(self.statuses[block])].append(self.box(self.layout.block_box(block)))
        picture, radius = self.picture, min(5.0, 0.02 * self.scale)
        picture.rects(boxes[BlockStatus.ELSEWHERE], TOKENS[BlockStatus.ELSEWHERE], radius=radius)
        picture.rects(boxes[BlockStatus.TO_COME], None, "idle", dash=True, radius=radius)
        picture.rects(boxes[BlockStatus.FINISHED], "raised", "idle", radius=radius)
        if rows_seen:
            picture.rects(boxes[BlockStatus.RESIDENT], "panel", "active", 1.2, radius=radius)
        else:
            picture.rects(boxes[BlockStatus.RESIDENT], "active", radius=radius)
        for block in shown:
            self._name_block(block, rows_seen)
            if rows_seen and self.statuses[block] == BlockStatus.RESIDENT:
                self._draw_warps(block)

    def _name_block(self, block: int, rows_seen: bool) -> None:
        box, u = self.box(self.layout.block_box(block)), self.picture.unit
        if box.w < NAMED or box.h < 1.1 * u or box.bottom < 0 or box.y > self.picture.height:
            return
        status = BlockStatus(int(self.statuses[block]))
        resident = status is BlockStatus.RESIDENT
        name, head = block_name(self.layout.grid, block), HEAD * self.scale
        middle = box.y + head / 2 if rows_seen and resident else box.cy
        size = max(0.75 * u, min(1.4 * u, 0.75 * head)) if rows_seen else 0.9 * u
        if rows_seen and resident and head < 0.9 * size:
            return
        long = f"block {name}" + ("" if resident else f": {STATUS_WORDS[status]}")
        left = max(box.x, 0.0) + 0.4 * u
        room = min(box.right, self.picture.width) - left - 0.2 * u
        text = long if self.picture.size_of(long, size) <= room else name
        if self.picture.size_of(text, size) <= room:
            ink = "on_active" if resident and not rows_seen else "text" if resident else "dim"
            self.picture.text(left, middle, text, size, ink, bold=resident)

    # ---- warps and lanes

    def _draw_warps(self, block: int) -> None:
        lane = self.scale * LANE
        for number in range(self.layout.warps):
            warp, box = self.warps.get((block, number)), self.box(self.layout.warp_box(block, number))
            if warp is None or box.bottom < 0 or box.y > self.picture.height:
                continue
            lanes = Box(box.x + GUTTER * self.scale, box.y, 32 * lane, box.h)
            variable = ""
            if lane < SEEN_LANE:
                self._draw_bar(warp, lanes)
            else:
                variable = self._draw_lanes(warp, lanes, lane)
            self._name_warp(warp, Box(box.x, box.y, GUTTER * self.scale, box.h), variable)

    def _name_warp(self, warp: WarpState, box: Box, variable: str) -> None:
        """Write the name of a warp before its lanes, and below it that of the variable whose values stand in them."""
        u = self.picture.unit
        size, name, line = min(u, 0.75 * box.h), f"w{warp.warp}", LINE * box.h if variable else 0.0
        if size >= LEAST_NAME * u and self.picture.size_of(name, size) < box.w:
            issued = self._warp_note(warp) == "issued"
            self.picture.text(box.cx, box.cy - line, name, size, "accent" if issued else "dim", align=0, bold=issued)
        self.picture.text(box.cx, box.cy + line, variable, min(0.8 * u, SMALLER * box.h), "dim", align=0, room=box.w)

    def _draw_bar(self, warp: WarpState, box: Box) -> None:
        """Draw a warp as a bar as long as the share of its lanes that are active."""
        inner = box.inset(0.02 * box.w, 0.12 * box.h)
        share = warp.lanes.count(LaneStatus.ACTIVE) / 32
        waits = LaneStatus.BARRIER in warp.lanes
        if waits:
            self.picture.rect(inner, hatch="barrier")
        self.picture.rect(inner, None, "barrier" if waits else "idle", 0.8)
        if share:
            self.picture.rect(Box(inner.x, inner.y, inner.w * share, inner.h), "active")

    def _draw_lanes(self, warp: WarpState, box: Box, width: float) -> str:
        """Draw the lanes of a warp; return the name of the variable whose values stand below their numbers, if any."""
        lefts = tuple(box.x + lane * width for lane in range(32))
        columns = LaneColumns(lefts, width, box.right)
        draw_cells(self.picture, columns, [(warp.lanes, box)])
        if width < NUMBERED_LANE:
            return ""
        told = self._values(warp)
        size = self._size_of_values(told, width) if told is not None and width < SPELT_LANE else 0.0
        for lane in range(32):
            cell = Box(lefts[lane], box.y, width, box.h)
            if cell.right < 0 or cell.x > self.picture.width:
                continue
            if width >= SPELT_LANE:
                self._spell_lane(warp, lane, cell, told)
            else:
                self._number_lane(warp, lane, cell, told.texts[lane] if told is not None and size else "", size)
        return told.label if told is not None and size else ""

    def _size_of_values(self, told: Strip, width: float) -> float:
        """Return the size at which the values of all lanes fit into cells of a width; 0 where it would be too small."""
        widest, most = max(self.picture.size_of(text, 1.0) for text in told.texts), SMALLER * ROW * self.scale
        size = min(most, 0.88 * width / max(widest, 1e-9))
        return size if size >= LEAST_VALUE * self.picture.unit else 0.0

    def _values(self, warp: WarpState) -> Strip | None:
        """Return the variable that the step wrote, of the selected warp."""
        event = self.context.frame.event
        if event is None or warp is not self.context.warp:
            return None
        return strip(self.context, chosen_variable(self.context.program, event.pc, None))

    def _spell_lane(self, warp: WarpState, lane: int, box: Box, told: Strip | None) -> None:
        u, status = self.picture.unit, warp.lanes[lane]
        ink = _ink(status)
        lines = [f"lane {lane}", f"thread {self._thread(warp.warp, lane)}", LANES[status].name.partition(":")[0]]
        if told is not None:
            lines.append(f"{told.name} = {told.texts[lane]}")
        step = min(1.5 * u, 0.8 * box.h / len(lines))
        for n, text in enumerate(lines):
            y = box.cy + (n - (len(lines) - 1) / 2) * step
            size = min(u, 0.75 * step)
            self.picture.text(box.cx, y, text, size, ink, align=0, bold=n == 0, room=box.w - 0.5 * u, least=0.6 * size)

    def _number_lane(self, warp: WarpState, lane: int, box: Box, value: str, size: float) -> None:
        ink, line = _ink(warp.lanes[lane]), LINE * box.h if value else 0.0
        number = min(self.picture.unit, 0.6 * box.w, LARGER * box.h)
        self.picture.text(box.cx, box.cy - line, str(lane), number, ink, align=0, bold=True)
        self.picture.text(box.cx, box.cy + line, value, size, ink, align=0)

    def _thread(self, warp: int, lane: int) -> str:
        """Return the index of a thread in its block, as the kernel has it."""
        (width, height, depth), t = self.context.launch.block, 32 * warp + lane
        if height * depth == 1:
            return str(t)
        indices = (t % width, t // width % height, t // (width * height))
        return f"({', '.join(map(str, indices if depth > 1 else indices[:2]))})"

    # ---- what is selected

    def _mark_selected(self) -> None:
        """Outline the selected block, warp and lane, as far as they can be seen."""
        now, layout = self.context.selection, self.layout
        if now.block >= layout.count:
            return
        block = self.box(layout.block_box(now.block))
        grown = max(0.0, 8.0 - block.w) / 2, max(0.0, 8.0 - block.h) / 2  # a dot in an image needs a ring
        around = Box(block.x - grown[0], block.y - grown[1], block.w + 2 * grown[0], block.h + 2 * grown[1])
        self.picture.rect(around, None, "accent", 2.5, radius=min(5.0, 0.02 * self.scale))
        if ROW * self.scale < SEEN_ROW or self.statuses[now.block] != BlockStatus.RESIDENT:
            return
        if now.warp < layout.warps:
            self.picture.rect(self.box(layout.warp_box(now.block, now.warp)), None, "accent", 2.0)
            if now.lane is not None and self.scale * LANE >= SEEN_LANE:
                self.picture.rect(self.box(layout.lane_box(now.block, now.warp, now.lane)), None, "conflict", 2.5)

    def resolve(self, x: float, y: float) -> HitRegion | None:
        """Return the part under the pointer: the smallest that is drawn."""
        found = self.layout.at(self.view.x + x / self.scale, self.view.y + y / self.scale)
        if found is None:
            return None
        block, number, lane = found
        status = BlockStatus(int(self.statuses[block]))
        name = f"Block {block_name(self.layout.grid, block)}"
        warp = self.warps.get((block, number)) if number is not None else None
        if warp is None or number is None or ROW * self.scale < SEEN_ROW:
            return HitRegion(self.box(self.layout.block_box(block)), f"{name}: {self._says(block, status)}",
                             self._target(block, status))  # fmt: skip
        if lane is None or self.scale * LANE < SEEN_LANE:
            hover = f"{name}, warp {number}: {self._warp_note(warp)}"
            return HitRegion(self.box(self.layout.warp_box(block, number)), hover, Target(block=block, warp=number))
        hover = (
            f"{name}, warp {number}, lane {lane}: {LANES[warp.lanes[lane]].name}\n"
            f"threadIdx {self._thread(number, lane)}; the warp: {self._warp_note(warp)}"
        )
        return HitRegion(self.box(self.layout.lane_box(block, number, lane)), hover,
                         Target(block=block, warp=number, lane=lane))  # fmt: skip

    def _warp_note(self, warp: WarpState) -> str:
        event = self.context.frame.event
        return words(warp, event is not None and (event.block, event.warp) == (warp.block, warp.warp))

    def _says(self, block: int, status: BlockStatus) -> str:
        when = next(((start, end) for b, start, end in self.context.trace.blocks if b == block), None)
        return STATUS_WORDS[status] + (f"\nresident in cycles {when[0]} to {when[1]}" if when is not None else "")

    def _target(self, block: int, status: BlockStatus) -> Target | None:
        """Select a resident block; go to the first step of one that is not resident, if it was recorded."""
        if status is BlockStatus.RESIDENT:
            return Target(block=block)
        steps = self.context.trace.steps_of_block(block)
        return Target(block=block, warp=0, step=int(steps[0])) if len(steps) else None


def _ink(status: LaneStatus) -> str:
    return "on_active" if status is LaneStatus.ACTIVE else "dim"


def draw(context: FrameContext, picture: Picture, view: Box) -> str:
    """Draw the part ``view`` of the world over the whole picture; return the note for the title."""
    drawing = _Drawing(context, picture, view)
    drawing.draw()
    if not context.predicting:  # the hover text would tell which lanes are active
        top = path_height(picture.height, picture.unit)
        picture.region(Box(0, top, picture.width, picture.height - top), drawing.resolve)
    level = level_of(drawing.layout, view, picture.width, picture.height, picture.unit)
    _draw_levels(context, picture, level)
    resident, count = int(np.count_nonzero(drawing.statuses == BlockStatus.RESIDENT)), drawing.layout.count
    note = f"{resident} of {thousands(count)} blocks resident"
    picture.spoken = f"{note}; " + ", ".join(level_names(context))
    return note


def level_names(context: FrameContext) -> list[str]:
    """Return what is selected at each level: "4 blocks", "block 2", "warp 1", "lane 5"."""
    now, grid = context.selection, context.launch.grid
    count = thousands(context.launch.n_blocks)
    lane = f"lane {now.lane}" if now.lane is not None else "lane –"
    return [f"{count} blocks", f"block {block_name(grid, now.block)}", f"warp {now.warp}", lane]


def _draw_levels(context: FrameContext, picture: Picture, current: int) -> None:
    """Draw the levels as a path in a strip of its own at the top, the present one highlighted; a click zooms to a
    level."""
    u = picture.unit
    picture.rect(Box(0.0, 0.0, picture.width, path_height(picture.height, u)), "panel")
    names = level_names(context)
    widths = [picture.size_of(name, 0.9 * u, bold=True) + 1.2 * u for name in names]
    x, height = 0.4 * u, 1.5 * u
    picture.rect(Box(x, 0.3 * u, sum(widths), height), "panel", "faint", radius=4)
    for level, (name, width) in enumerate(zip(names, widths, strict=True)):
        box, here = Box(x, 0.3 * u, width, height), level == current
        if here:
            picture.rect(box, "accent", radius=4)
        picture.text(box.cx, box.cy, name, 0.9 * u, "on_active" if here else "text", align=0, bold=here)
        picture.hit(box, f"Zoom to the {LEVELS[level]}", Target(command=LEVEL, value=level))
        x += width
