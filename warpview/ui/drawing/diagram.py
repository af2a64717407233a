"""Paint a picture in pyqtgraph (``Diagram``), in a box that zooms and pans it (``DiagramBox``)."""

from __future__ import annotations

from functools import partial
from time import perf_counter
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGraphicsSceneWheelEvent, QStyleOptionGraphicsItem, QWidget

from warpview.ui.drawing import palette
from warpview.ui.drawing.brush import paint
from warpview.ui.drawing.guarded import guarded
from warpview.ui.drawing.picture import HitRegion, Picture
from warpview.ui.drawing.theme import Look

MOTION_S = 0.14
LARGEST_ZOOM = 16.0


class Diagram(pg.GraphicsObject):
    """Paint a ``Picture`` as an item of a pyqtgraph scene, and tell what the pointer is over.

    The marks with ``motion`` grow once after ``show_picture(..., moving=True)``, within 140 ms.
    """

    region_clicked = Signal(object)  # HitRegion

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.look = look
        self.picture: Picture | None = None
        self._over: HitRegion | None = None
        self._started: float | None = None
        self._clock = QTimer(self, interval=15)
        self._clock.timeout.connect(self.update)

    def show_picture(self, picture: Picture, moving: bool = False) -> None:
        """Show another picture; its hit regions are in force at once."""
        if self.picture is None or (picture.width, picture.height) != (self.picture.width, self.picture.height):
            self.prepareGeometryChange()
        self.picture = picture
        self._started = perf_counter() if moving else None
        if moving:
            self._clock.start()
        else:
            self._clock.stop()
        self.update()

    def region_at(self, place: QPointF) -> HitRegion | None:
        """Return the hit region at a place in the diagram's coordinates."""
        return self.picture.at(place.x(), place.y()) if self.picture is not None else None

    def boundingRect(self) -> QRectF:  # noqa: N802
        return QRectF(0, 0, self.picture.width, self.picture.height) if self.picture is not None else QRectF()

    @guarded
    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem | None = None, widget: QWidget | None = None
    ) -> None:
        if self.picture is None:
            return
        progress = 1.0
        if self._started is not None:
            progress = min(1.0, (perf_counter() - self._started) / MOTION_S)
            if progress >= 1.0:
                self._started = None
                self._clock.stop()
        paint(painter, self.picture, partial(palette.colour, self.look.theme), progress)

    # ---- the pointer; the scene of pyqtgraph calls these

    def hoverEvent(self, event: Any) -> None:  # noqa: N802
        found = None if event.isExit() else self.region_at(event.pos())
        if found is not self._over:
            self._over = found
            if found is not None and found.target is not None:
                self.setCursor(Qt.CursorShape.PointingHandCursor)
            else:
                self.unsetCursor()

    def mouseClickEvent(self, event: Any) -> None:  # noqa: N802
        found = self.region_at(event.pos()) if event.button() == Qt.MouseButton.LeftButton else None
        if found is None or found.target is None or event.double():
            event.ignore()
            return
        event.accept()
        self.region_clicked.emit(found)


class DiagramBox(pg.ViewBox):
    """Show a diagram at its own size; the wheel zooms about the pointer, dragging pans, a double click fits again.

    One unit of the diagram is one logical pixel until it is zoomed in. The diagram is never smaller than that: a model
    lays its picture out for the room that there is.
    """

    def __init__(self) -> None:
        super().__init__(enableMenu=False, invertY=True, defaultPadding=0.0)
        self.disableAutoRange()

    @property
    def zoom(self) -> float:
        """Return the pixels per unit of the diagram, from 1 to 16."""
        return self.width() / max(1.0, self.viewRect().width())

    @property
    def _is_whole(self) -> bool:
        return self.zoom < 1.001

    def fit(self) -> None:
        """Show the whole diagram at its own size."""
        wide, high = self.width(), self.height()
        if wide > 0 and high > 0:
            self.setLimits(xMin=0.0, xMax=wide, minXRange=wide / LARGEST_ZOOM,
                           yMin=0.0, yMax=high, minYRange=high / LARGEST_ZOOM)  # fmt: skip
            self.setRange(QRectF(0.0, 0.0, wide, high), padding=0.0)

    def resizeEvent(self, event: Any) -> None:  # noqa: N802
        super().resizeEvent(event)
        self.fit()

    def wheelEvent(self, event: QGraphicsSceneWheelEvent, axis: int | None = None) -> None:  # noqa: N802
        if event.delta() < 0 and self._is_whole:
            event.ignore()
        else:
            super().wheelEvent(event)

    def mouseDragEvent(self, event: Any, axis: int | None = None) -> None:  # noqa: N802
        if event.button() == Qt.MouseButton.RightButton or self._is_whole:
            event.ignore()
        else:
            super().mouseDragEvent(event)

    def mouseClickEvent(self, event: Any) -> None:  # noqa: N802
        if event.double() and not self._is_whole:
            event.accept()
            self.fit()
        else:
            event.ignore()
