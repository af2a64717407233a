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
ZOOM_OF_NOTCH = 1.25  # the factor of one notch of the wheel


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
        self.zoom, self._corner = 1.0, QPointF(0.0, 0.0)  # pixels per unit of the diagram, from 1 to 16

    def fit(self) -> None:
        """Show the whole diagram at its own size."""
        self._show(1.0, QPointF(0.0, 0.0))

    def zoom_by(self, factor: float, about: QPointF) -> None:
        """Zoom in by a factor; the point ``about`` of the diagram stays where it is on the screen."""
        zoom = max(1.0, min(LARGEST_ZOOM, self.zoom * factor))
        self._show(zoom, about - (about - self._corner) * (self.zoom / zoom))

    def _show(self, zoom: float, corner: QPointF) -> None:
        """Apply a zoom and the diagram's point at the top left, kept within the diagram."""
        size = self.rect().size()
        part = size / zoom
        x = max(0.0, min(corner.x(), size.width() - part.width()))
        y = max(0.0, min(corner.y(), size.height() - part.height()))
        self.zoom, self._corner = zoom, QPointF(x, y)
        if not part.isEmpty():
            self.setRange(QRectF(self._corner, part), padding=0.0)

    def resizeEvent(self, event: Any) -> None:  # noqa: N802
        super().resizeEvent(event)
        self.fit()

    def wheelEvent(self, event: QGraphicsSceneWheelEvent, axis: int | None = None) -> None:  # noqa: N802
        factor = ZOOM_OF_NOTCH ** (event.delta() / 120)
        if factor < 1.0 and self.zoom == 1.0:
            event.ignore()
            return
        self.zoom_by(factor, self.mapToView(event.pos()))
        event.accept()

    def mouseDragEvent(self, event: Any, axis: int | None = None) -> None:  # noqa: N802
        if event.button() == Qt.MouseButton.RightButton or self.zoom == 1.0:
            event.ignore()
            return
        event.accept()
        self._show(self.zoom, self._corner - (event.pos() - event.lastPos()) / self.zoom)

    def mouseClickEvent(self, event: Any) -> None:  # noqa: N802
        if event.double() and self.zoom > 1.0:
            event.accept()
            self.fit()
        else:
            event.ignore()
