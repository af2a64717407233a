"""Plot the band of active lanes, the selected warp's events: instructions across, lanes down."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPen
from PySide6.QtWidgets import QGraphicsRectItem

from warpview.ui.drawing import palette
from warpview.ui.drawing.plot import NumberAxis, PlotArea, TableImage
from warpview.ui.views.context import FrameContext
from warpview.ui.views.divergence import band_model as model

LANES = ((0.5, "0"), (16.5, "16"), (31.5, "31"))
AHEAD = 0.55  # opacity of the cover over the events that are still to come


class BandPlot(pg.PlotItem):
    """Show the lanes that took part in each instruction, with the present one framed and what comes after it faint.

    The wheel zooms, dragging pans, a double click shows the events around the present step again.
    """

    def __init__(self, look_at: Callable[[int], object]) -> None:
        """``look_at`` is called with the step of an event that was clicked."""
        super().__init__(enableMenu=False, axisItems={"bottom": NumberAxis("bottom")})
        self._look_at = look_at
        self.band: model.Band | None = None
        self._key: Hashable = None  # of the events that the band is of
        self._follows, self._hidden, self._now = True, False, -1
        self.setMouseEnabled(x=True, y=False)
        self.invertY(True)
        self.vb.setDefaultPadding(0.0)
        self.vb.sigRangeChangedManually.connect(lambda _: setattr(self, "_follows", False))
        self.setLabel("left", "lane")
        self.setLabel("bottom", "instruction of the warp")
        self.getAxis("left").setTicks([LANES])
        self.getAxis("left").setStyle(tickLength=0)
        self.image = TableImage()
        self.later, self._frame = QGraphicsRectItem(), QGraphicsRectItem()
        items: tuple[Any, ...] = (self.image, self.later, self._frame)
        for depth, item in enumerate(items):
            item.setZValue(10 * depth)
            self.addItem(item, ignoreBounds=True)
        self.setYRange(0, 32, padding=0.0)
        self.layout.setContentsMargins(6, 2, 12, 2)

    def clear_band(self) -> None:
        """Forget the run."""
        self.band, self._key, self._follows = None, None, True
        self.image.clear()

    def show_frame(self, context: FrameContext, area: PlotArea) -> None:
        """Show the events of the selected warp around the present step."""
        now, theme = context.selection, area.look.theme
        key = (id(context.run), now.block, now.warp, model.chunk_of(context), theme.name)
        if key != self._key:
            self._key, self.band = key, model.band(context)
            colours = [(c.red(), c.green(), c.blue()) for c in (palette.colour(theme, t) for t in model.TOKENS)]
            self.image.setImage(self.band.lanes, lut=np.array(colours, np.uint8), autoLevels=False)
            self.image.setRect(QRectF(self.band.first, 0.0, len(self.band.steps), 32.0))
            self.vb.setLimits(xMin=0, xMax=max(8, self.band.whole), minXRange=8)
            self._frame.setPen(area.pen("text", 2.0))
            self.later.setPen(QPen(Qt.PenStyle.NoPen))
        assert self.band is not None
        self._hidden, self._now = context.predicting, self.band.column(context.frame.step)
        first = self._now + (not self._hidden)  # while the class is asked the present event is part of the answer
        self.later.setBrush(area.brush("panel", 1.0 if self._hidden else AHEAD))
        self.later.setRect(QRectF(first, 0.0, max(0, self.band.whole - first), 32.0))
        self._frame.setVisible(self._now >= 0)
        self._frame.setRect(QRectF(self._now, 0.0, 1.0, 32.0))
        if self._follows:
            self._show_around(area.look.unit())

    def _show_around(self, unit: float) -> None:
        assert self.band is not None
        columns = model.columns_in_sight(self.vb.width(), unit, self.band.whole)
        before = tuple(self.vb.viewRange()[0])
        wanted = model.window(self._now, self.band.whole, columns, before)
        if wanted != before:
            self.setXRange(*wanted, padding=0.0)
        self.vb.updateMatrix()  # else while it is painted, which asks for another painting

    def hover(self, x: float, _y: float) -> str:
        """Return the hover text at an event."""
        return self.band.says(x, self._hidden and x >= self._now) if self.band is not None else ""

    def click(self, place: QPointF, double: bool) -> None:
        """Go to the event at a place of the scene; after a double click follow the present one again."""
        if self.band is None or not self.vb.sceneBoundingRect().contains(place):
            return
        step = self.band.step_at(self.vb.mapSceneToView(place).x())
        if double:
            self._follows = True
        if step is not None:
            self._look_at(step)
