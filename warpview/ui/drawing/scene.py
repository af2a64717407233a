"""Host a view's plots, images and diagrams in a widget: a layout of pyqtgraph, styled by the theme."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pyqtgraph as pg
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QPaintDevice, QPainter, QPainterPath, QResizeEvent
from PySide6.QtWidgets import QGraphicsView, QToolTip, QWidget

from warpview.ui.drawing.brush import rect_of
from warpview.ui.drawing.diagram import Diagram
from warpview.ui.drawing.style import fill_background
from warpview.ui.drawing.theme import Look


class Scene(pg.GraphicsLayoutWidget):
    """Host items of pyqtgraph without margins; take no key, open no menu of its own, export as vectors."""

    resized = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.look = look
        self._exporting = False
        self.ci.layout.setContentsMargins(0, 0, 0, 0)
        self.ci.layout.setSpacing(0)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCacheMode(QGraphicsView.CacheModeFlag(0))  # a cached background would be a bitmap in an SVG
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.FullViewportUpdate)
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        fill_background(self.viewport())
        self.restyle()

    def restyle(self) -> None:
        """Take the colours of the theme in force."""
        self.setBackground(self.look.theme.panel)

    def draw_on(self, device: QPaintDevice) -> None:
        """Draw the scene, with what is scrolled out of sight, and points as shapes rather than as small images."""
        area = QRectF(self.rect())
        points = [item for item in self.scene().items() if isinstance(item, pg.ScatterPlotItem)]
        for item in points:
            item.setExportMode(True, {})
        with QPainter(device) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._exporting = True
            self.render(painter, area, area.toRect())
            self._exporting = False
        for item in points:
            item.setExportMode(False)

    def drawBackground(self, painter: QPainter, rect: QRectF) -> None:  # noqa: N802
        super().drawBackground(painter, rect)
        if self._exporting:  # the view clips to itself, and Qt's SVG returns from a clip to none, but not to another
            painter.setClipPath(QPainterPath(), Qt.ClipOperation.NoClip)

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(480, 280)

    def resizeEvent(self, event: QResizeEvent | None) -> None:  # noqa: N802
        super().resizeEvent(event)
        if event is not None:  # pyqtgraph calls it without one when the central item is set
            self.resized.emit()

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802
        """Show the hover text of the diagram under the pointer; it goes when the pointer leaves the region."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            return self._show_hover(event)
        return bool(super().viewportEvent(event))

    def _show_hover(self, event: QHelpEvent) -> bool:
        place = self.mapToScene(event.pos())
        for item in self.items(event.pos()):
            if isinstance(item, Diagram) and (found := item.region_at(item.mapFromScene(place))) is not None:
                around = self.mapFromScene(item.mapRectToScene(rect_of(found.box))).boundingRect()
                QToolTip.showText(event.globalPos(), found.hover, self.viewport(), around)
                return True
        QToolTip.hideText()
        return False


class JointPainting(QObject):
    """Paint the changed scenes of a window together with its changed widgets.

    On its own a scene of Qt has the window painted as soon as it has looked through its changed items, once for every
    scene, and a scene that has just come into sight is painted twice.
    """

    def __init__(self, window: QWidget, scenes: Callable[[], Iterable[Scene]]) -> None:
        """Paint ``window``; ``scenes`` returns those that may have changed."""
        super().__init__(window)
        self._window, self._scenes = window, scenes
        self._put_off = False

    def paint_once(self) -> None:
        """Collect the changes of all scenes now, and have the window painted in the next turn of the event loop."""
        self._window.installEventFilter(self)
        for scene in filter(QWidget.isVisible, self._scenes()):
            QCoreApplication.sendPostedEvents(scene.scene(), QEvent.Type.MetaCall.value)
        self._window.removeEventFilter(self)
        if self._put_off:
            self._put_off = False
            later = QEvent(QEvent.Type.UpdateRequest)
            QCoreApplication.postEvent(self._window, later, Qt.EventPriority.LowEventPriority.value)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Put off a painting that a scene asks for."""
        wanted = event.type() == QEvent.Type.UpdateRequest
        self._put_off |= wanted
        return wanted
