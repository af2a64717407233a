"""Show a view that is a diagram: a pyqtgraph scene with one diagram, made by the view's model."""

from __future__ import annotations

from collections.abc import Hashable
from time import perf_counter
from typing import ClassVar

import pyqtgraph as pg
from PySide6.QtCore import QSize
from PySide6.QtGui import QHideEvent

from warpview.ui.drawing.diagram import Diagram, DiagramBox
from warpview.ui.drawing.faces import measure
from warpview.ui.drawing.picture import HitRegion, Picture, Target
from warpview.ui.drawing.plot import PlotArea
from warpview.ui.drawing.theme import Look
from warpview.ui.moving.selection import Selection
from warpview.ui.views.context import FrameContext
from warpview.ui.views.view import View

CALM_S = 0.2  # steps that follow faster are shown without motion


class DiagramScene(PlotArea):
    """Show one diagram that fills the scene."""

    def __init__(self, view: DiagramView) -> None:
        super().__init__(view.look, view.title, view)
        self.diagram = Diagram(view.look)
        self.box = self.make_box()
        self.addItem(self.box)

    def make_box(self) -> pg.ViewBox:
        """Return the box that the diagram lies in."""
        box = DiagramBox()
        box.addItem(self.diagram, ignoreBounds=True)
        return box

    @property
    def picture(self) -> Picture | None:
        """Return the shown picture."""
        return self.diagram.picture

    def show_picture(self, picture: Picture, moving: bool) -> None:
        self.diagram.show_picture(picture, moving)
        self.setAccessibleDescription(picture.spoken)


class DiagramView(View):
    """Show one diagram as the body of a view. A subclass says how its picture is made from a context."""

    scene_type: ClassVar[type[DiagramScene]] = DiagramScene
    draw_picture: ClassVar[staticmethod[[FrameContext, Picture], str]]  # of a model that needs nothing of the view
    min_size = QSize(260, 90)

    def __init__(self, selection: Selection, look: Look) -> None:
        super().__init__(selection, look)
        self.canvas = self.scene_type(self)
        self.set_body(self.canvas)
        self.canvas.resized.connect(self.refresh)
        self.canvas.diagram.region_clicked.connect(self._on_click)
        self._shown_step: int | None = None
        self._content: Hashable | None = None
        self._last_drawn = 0.0

    def picture(self, context: FrameContext, picture: Picture) -> str:
        """Draw ``context`` into the empty ``picture`` and return the note for the title line."""
        return self.draw_picture(context, picture)

    def command(self, name: str, value: int) -> None:
        """Handle a click on something that is the view's own affair (which variable, which wavefront)."""

    def unit(self) -> float:
        """Return the base type size in pixels."""
        return self.look.unit()

    def content_key(self, context: FrameContext) -> Hashable | None:
        """Return the state that the picture depends on besides size and theme; None where any step may change it.

        A picture whose key is the same as before is not drawn again.
        """
        return None

    def restyle(self) -> None:
        self.canvas.restyle()
        super().restyle()

    def picture_size(self) -> tuple[float, float]:
        """Return the width and height of the picture in pixels: all of the body, unless plots share it."""
        return float(self.canvas.width()), float(self.canvas.height())

    def draw(self, context: FrameContext) -> None:
        key = self.content_key(context)
        if key is not None:
            size, look = self.canvas.size(), self.look
            key = (key, size.width(), size.height(), look.theme.name, look.scale, context.predicting)
            if key == self._content and self.canvas.picture is not None:
                self._shown_step = context.frame.step
                return
        self._content = key
        picture = Picture(*self.picture_size(), self.unit(), measure)
        self.set_note(self.picture(context, picture))
        step = context.frame.step
        forward = self._shown_step is not None and step == self._shown_step + 1
        self._shown_step = step
        now = perf_counter()
        calm = now - self._last_drawn > CALM_S
        self._last_drawn = now
        wanted = self.look.motion and forward and calm
        moving = wanted and any(getattr(mark, "motion", False) for mark in picture.marks)
        self.canvas.show_picture(picture, moving)

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        super().hideEvent(event)
        if self.is_stale:  # it leaves before it has drawn the new run
            self._drop_picture()

    def clear(self) -> None:
        self._drop_picture()

    def _drop_picture(self) -> None:
        self._shown_step = self._content = None
        empty = Picture(*self.picture_size(), self.unit(), measure)
        self.set_note("")
        self.canvas.show_picture(empty, moving=False)

    def _on_click(self, region: HitRegion) -> None:
        if region.target is not None:
            self.act(region.target)

    def act(self, target: Target) -> None:
        """Carry out a click: the selection's fields that the target names, or the view's own command."""
        if target.command:
            self.command(target.command, target.value)
            self.refresh()
            return
        names = ("block", "warp", "lane", "line", "pc", "step", "element")
        fields = {name: getattr(target, name) for name in names if getattr(target, name) is not None}
        if target.lane is not None and self.selection.now.lane == target.lane and self._same_warp(target):
            fields["lane"] = None
        if target.element is not None and self.selection.now.element == target.element:
            fields["element"] = None
        if fields:
            self.selection.update(**fields)

    def _same_warp(self, target: Target) -> bool:
        now = self.selection.now
        return target.warp in (None, now.warp) and target.block in (None, now.block)
