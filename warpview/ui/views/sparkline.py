"""A number over the run, in the width of a table cell."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QStyleOptionViewItem

from warpview.ui.drawing.theme import Look
from warpview.ui.views.cells import Cell, CellDelegate, Index

EDGE = 2  # pixels around the line: it has a width


class Sparkline(CellDelegate):
    """``line`` gives the values at even distances over the run, and the share of it that has passed."""

    def __init__(
        self,
        look: Look,
        parent: object,
        cell: Callable[[Index], Cell],
        line: Callable[[Index], tuple[list[float], float]],
    ) -> None:
        super().__init__(look, parent, cell)
        self._line = line

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802
        return QSize(self._look.px(90), 10)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        line, share = self._line(index)
        top = max(line, default=0.0)
        box: QRect = option.rect.adjusted(6, 3, -6, -3)
        if len(line) < 2 or top <= 0:
            return
        theme = self._look.theme
        ratio = painter.device().devicePixelRatioF()
        curve = _curve(tuple(line), box.width(), box.height(), theme.qcolor("active").rgba(), ratio)
        painter.drawPixmap(box.left() - EDGE, box.top() - EDGE, curve)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        x = box.left() + box.width() * share
        painter.setPen(QPen(theme.qcolor("conflict"), 1.2))
        painter.drawLine(QPointF(x, box.top() - 1), QPointF(x, box.bottom() + 1))
        painter.restore()


@lru_cache(maxsize=128)
def _curve(line: tuple[float, ...], width: int, height: int, colour: int, ratio: float) -> QPixmap:
    """The line itself, which no step changes, with an edge around it."""
    image = QPixmap(QSize(width + 2 * EDGE, height + 2 * EDGE) * ratio)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor.fromRgba(colour), 1.6))
    pitch, foot, top = width / (len(line) - 1), height - 1, max(line)
    points = [QPointF(EDGE + k * pitch, EDGE + foot - height * value / top) for k, value in enumerate(line)]
    painter.drawPolyline(QPolygonF(points))
    painter.end()
    return image
