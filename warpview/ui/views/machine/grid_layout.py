"""Lay out the blocks, warps and lanes of a grid in a world that is one unit wide for each block. Qt-free."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, sqrt

from warpview.sim.launch import Dim3
from warpview.ui.drawing.picture import Box

LEVELS = ("grid", "block", "warp", "lane")
GAP = 0.06  # between blocks
HEAD = 0.07  # height of a block's name
ROW = 0.05  # height of a warp
GUTTER = 0.07  # width of a warp's name
MARGIN = 0.008  # between the last lane and the edge of the block
SHAPE = 2.2  # width by height that a one-dimensional grid is wrapped to
BLOCK_WIDTH, LANE_WIDTH = 1.3, 0.17  # of what is shown around the selected block and lane, at least; a warp takes 0.97
LANE = (1.0 - GAP - GUTTER - MARGIN) / 32  # width of a lane
PATH_HEIGHT = 2.1  # units: the names of the levels, above what is shown


@dataclass(frozen=True)
class GridLayout:
    """Lay out the blocks of a launch: ``columns`` by ``rows`` of them, each 1 wide and ``height`` high."""

    grid: Dim3
    warps: int
    columns: int
    rows: int

    @property
    def count(self) -> int:
        """Return the number of blocks."""
        return math.prod(self.grid)

    @property
    def height(self) -> float:
        """Return the height of a block with the gap below it."""
        return HEAD + ROW * self.warps + GAP

    @property
    def world(self) -> Box:
        """Return the box of all blocks."""
        return Box(0.0, 0.0, float(self.columns), self.rows * self.height)

    def block_box(self, block: int) -> Box:
        """Return the box of a block, without the gaps."""
        x, y = block % self.columns, block // self.columns * self.height
        return Box(x + GAP / 2, y + GAP / 2, 1.0 - GAP, self.height - GAP)

    def warp_box(self, block: int, warp: int) -> Box:
        box = self.block_box(block)
        return Box(box.x, box.y + HEAD + ROW * warp, box.w, ROW)

    def lane_box(self, block: int, warp: int, lane: int) -> Box:
        """Return the box of a lane, of 32 alike."""
        box, width = self.warp_box(block, warp), LANE
        return Box(box.x + GUTTER + lane * width, box.y, width, box.h)

    def at(self, x: float, y: float) -> tuple[int, int | None, int | None] | None:
        """Return block, warp (None above warps) and lane (None beside lanes) at a place; None between blocks."""
        column, row = int(x // 1), int(y // self.height)
        block = row * self.columns + column
        if not (0 <= column < self.columns and row >= 0 and block < self.count):
            return None
        box = self.block_box(block)
        if not box.holds(x, y):
            return None
        warp = int((y - box.y - HEAD) // ROW)
        lane = int((x - box.x - GUTTER) // LANE)
        return block, warp if 0 <= warp < self.warps else None, lane if 0 <= lane < 32 else None

    def level_box(self, level: int, block: int, warp: int, lane: int) -> Box:
        """Return the part of the world that is shown at a level."""
        if level == 0:
            world, width = self.world, max(self.world.w + 2 * GAP, BLOCK_WIDTH)
            return Box(world.cx - width / 2, -GAP, width, world.h + 2 * GAP)
        if level == 1:
            box = self.block_box(block)
            return Box(box.cx - BLOCK_WIDTH / 2, box.y - GAP, BLOCK_WIDTH, box.h + 2 * GAP)
        row, at = self.warp_box(block, warp), self.lane_box(block, warp, lane)
        left, width = (row.x - GAP / 4, row.w + GAP / 2) if level == 2 else (at.cx - LANE_WIDTH / 2, LANE_WIDTH)
        return Box(left, row.y - ROW / 4, width, 1.5 * ROW)


@lru_cache(8)
def layout_of(grid: Dim3, warps: int) -> GridLayout:
    """Return the layout of a grid: blocks as their indices say, one-dimensional grids in rows of about a screen's
    shape, and the planes of three-dimensional ones below one another."""
    if grid[1] * grid[2] > 1:
        return GridLayout(grid, warps, grid[0], grid[1] * grid[2])
    height = GridLayout(grid, warps, 1, 1).height
    columns = max(1, min(grid[0], round(sqrt(SHAPE * grid[0] * height))))
    return GridLayout(grid, warps, columns, ceil(grid[0] / columns))


def path_height(height: float, unit: float) -> float:
    """Return the height of the names of the levels in a view ``height`` pixels high."""
    return min(PATH_HEIGHT * unit, 0.3 * height)


def fitted(part: Box, width: float, height: float, unit: float) -> Box:
    """Return what a view of ``width`` by ``height`` pixels shows so that a part of the world fits below the names."""
    above = path_height(height, unit)
    pixel = max(part.w / width, part.h / (height - above))
    return Box(part.cx - pixel * width / 2, part.cy - pixel * (height + above) / 2, pixel * width, pixel * height)


def level_of(layout: GridLayout, view: Box, width: float, height: float, unit: float) -> int:
    """Return the level of a view of ``width`` by ``height`` pixels that shows the part ``view`` of the world."""
    widths = [fitted(layout.level_box(level, 0, 0, 0), width, height, unit).w for level in range(len(LEVELS))]
    return max((level for level, fits in enumerate(widths) if view.w <= 1.25 * fits), default=0)
