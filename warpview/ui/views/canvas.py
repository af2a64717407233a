"""A body for views that draw themselves: painting, hover texts and clicks from rectangles that carry a meaning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget


@dataclass(frozen=True)
class Spot:
    """A place in a drawing: what it is (``what``, any value), and the words shown when the pointer rests on it."""

    box: QRectF
    words: str
    what: Any = None


class Canvas(QWidget):
    """Calls ``paint(painter, rect)`` to draw and remembers the spots it is told of; emits those that are clicked.

    The painter function clears and refills ``spots``; a later spot lies above an earlier one.
    """

    clicked = Signal(object, object)  # Spot.what, Qt.KeyboardModifiers
    hovered = Signal(object)  # Spot.what or None

    def __init__(self, paint: Callable[[QPainter, QRectF], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._paint = paint
        self.spots: list[Spot] = []
        self._over: Spot | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def spot_at(self, place: QPointF) -> Spot | None:
        return next((s for s in reversed(self.spots) if s.box.contains(place)), None)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.spots = []
        self._paint(painter, QRectF(self.rect()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        spot = self.spot_at(event.position())
        if spot != self._over:
            self._over = spot
            clickable = spot is not None and spot.what is not None
            self.setCursor(Qt.CursorShape.PointingHandCursor if clickable else Qt.CursorShape.ArrowCursor)
            self.hovered.emit(spot.what if spot else None)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802
        self._over = None
        self.hovered.emit(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        spot = self.spot_at(event.position())
        if spot is not None and spot.what is not None and event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit(spot.what, event.modifiers())

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            spot = self.spot_at(QPointF(event.pos()))
            if spot is not None and spot.words:
                QToolTip.showText(event.globalPos(), spot.words, self, spot.box.toRect())
            else:
                QToolTip.hideText()
            return True
        return super().event(event)
