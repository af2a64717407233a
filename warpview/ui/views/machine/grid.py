"""Show all blocks of the launch, zoomed continuously down to the warps and lanes of one: the grid view."""

from __future__ import annotations

from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QRectF, QVariantAnimation, Signal

from warpview.ui.drawing.brush import rect_of
from warpview.ui.drawing.picture import Box, Picture
from warpview.ui.drawing.theme import Look
from warpview.ui.moving.selection import Selection
from warpview.ui.views.context import FrameContext, RunLike
from warpview.ui.views.diagram_view import DiagramScene, DiagramView
from warpview.ui.views.machine import grid_layout
from warpview.ui.views.machine import grid_model as model
from warpview.ui.views.view import LegendEntry

MOTION_MS = 140
MOST_ZOOM = 0.1  # the least width of what is shown, in blocks


class GridBox(pg.ViewBox):
    """Show a part of the world of blocks; the wheel zooms about the pointer, dragging pans."""

    shown_whole = Signal()

    def __init__(self) -> None:
        super().__init__(enableMenu=False, invertY=True, lockAspect=1.0, defaultPadding=0.0)
        self.disableAutoRange()

    @property
    def part(self) -> Box:
        """Return the part of the world that is shown."""
        shown = self.viewRect()
        return Box(shown.x(), shown.y(), max(1e-6, shown.width()), max(1e-6, shown.height()))

    def mouseClickEvent(self, event: Any) -> None:  # noqa: N802
        if event.double():
            event.accept()
            self.shown_whole.emit()
        else:
            event.ignore()


class GridScene(DiagramScene):
    """Show a diagram that stays where it is and is drawn anew for each part of the world."""

    grid: GridBox

    def make_box(self) -> pg.ViewBox:
        """Put the diagram over the box, in its pixels, rather than into its world."""
        self.grid = GridBox()
        self.diagram.setParentItem(self.grid)
        return self.grid


class GridView(DiagramView):
    """Show blocks, warps and lanes, as far as there is room; a click selects, a click on a level zooms."""

    key = "grid"
    title = "Grid"
    about = "Every block of the launch, down to its warps and lanes: the wheel zooms, dragging pans, a click selects"
    is_answer = True
    scene_type = GridScene
    meanings = (
        LegendEntry("active", "fill", "resident block, active lane"),
        LegendEntry("idle", "hollow", "finished block, idle lane"),
        LegendEntry("idle", "dashed", "block that has not started"),
        LegendEntry("barrier", "hatch", "at a barrier"),
    )
    canvas: GridScene

    def __init__(self, selection: Selection, look: Look) -> None:
        super().__init__(selection, look)
        self._placed: tuple[int, int, int | None] | None = None  # the part that is sure to be in sight
        self._whole = True  # follow the size of the view
        self._motion = QVariantAnimation(self)
        self._motion.setDuration(MOTION_MS)
        self._motion.valueChanged.connect(self._show_part)
        self.canvas.grid.sigRangeChanged.connect(lambda *_: self.refresh())
        self.canvas.grid.sigRangeChangedManually.connect(lambda *_: self._let_go())
        self.canvas.grid.shown_whole.connect(lambda: self.zoom_to(0))
        self.canvas.resized.connect(self._fit)

    @property
    def level(self) -> int:
        """Return the level that is shown: 0 the grid, 1 a block, 2 a warp, 3 a lane."""
        if self.run is None:
            return 0
        layout = grid_layout.layout_of(self.run.launch.grid, self.run.launch.warps)
        return grid_layout.level_of(layout, self.canvas.grid.part, *self.picture_size(), self.unit())

    def prepare(self, run: RunLike) -> None:
        self._placed = None
        world = grid_layout.layout_of(run.launch.grid, run.launch.warps).world
        margin = max(world.w, world.h)
        self.canvas.grid.setLimits(
            xMin=-margin, xMax=world.w + margin, yMin=-margin, yMax=world.h + margin, minXRange=MOST_ZOOM,
        )  # fmt: skip
        self.zoom_to(0)

    def picture(self, context: FrameContext, picture: Picture) -> str:
        self._keep_in_sight(context)
        return model.draw(context, picture, self.canvas.grid.part)

    def command(self, name: str, value: int) -> None:
        if name == model.LEVEL:
            self.zoom_to(value)

    def change_level(self, by: int) -> None:
        """Zoom in or out by a level."""
        self.zoom_to(max(0, min(len(grid_layout.LEVELS) - 1, self.level + by)))

    def zoom_to(self, level: int) -> None:
        """Show the whole grid, or the selected block, warp or lane."""
        if self.run is None:
            return
        now, launch = self.selection.now, self.run.launch
        if level == len(grid_layout.LEVELS) - 1 and now.lane is None:
            self.selection.update(lane=0)
            now = self.selection.now
        self._whole = level == 0
        layout = grid_layout.layout_of(launch.grid, launch.warps)
        part = layout.level_box(level, now.block, now.warp, now.lane or 0)
        self._motion.stop()
        target = rect_of(grid_layout.fitted(part, *self.picture_size(), self.unit()))
        if self.look.motion and self.isVisible():
            self._motion.setStartValue(self.canvas.grid.viewRect())
            self._motion.setEndValue(target)
            self._motion.start()
        else:
            self._show_part(target)

    def _show_part(self, part: QRectF) -> None:
        self.canvas.grid.setRange(part, padding=0.0)

    def _let_go(self) -> None:
        self._motion.stop()
        self._whole = False

    def _fit(self) -> None:
        """Show the whole grid again where it was shown before the size changed."""
        if self._whole:
            self.zoom_to(0)

    def _keep_in_sight(self, context: FrameContext) -> None:
        """Move to the selected block or warp if another one was selected and it is out of sight."""
        now = context.selection
        selected = now.block, now.warp, now.lane
        before, self._placed = self._placed, selected
        if before in (None, selected) or self._motion.state() == QVariantAnimation.State.Running:
            return
        layout, shown = grid_layout.layout_of(context.launch.grid, context.launch.warps), self.canvas.grid.part
        part = layout.warp_box(now.block, now.warp) if self.level else layout.block_box(now.block)
        if now.lane is not None and self.level >= 2:
            part = layout.lane_box(now.block, now.warp, now.lane)
        width, height = self.picture_size()
        top = shown.y + grid_layout.path_height(height, self.unit()) * shown.w / width
        if not (shown.x <= part.cx <= shown.right and top <= part.cy <= shown.bottom):
            self.canvas.grid.translateBy(x=part.cx - shown.cx, y=part.cy - (top + shown.bottom) / 2)
