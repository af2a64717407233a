"""A number over the run, in the width of a table cell."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from PySide6.QtCore import QLineF, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap, QPolygonF

from warpview.ui.drawing.theme import Theme

EDGE = 2  # pixels around the line: it has a width
INSET = 6  # pixels at the left and the right of a cell
CURSOR = 2  # pixels on both sides of where the run is, within which that is drawn
CURVES_KEPT = 128


def cursor_at(left: int, width: int, share: float) -> float:
    """Return the x of the line in a cell for the share of the run that has passed."""
    return left + INSET + (width - 2 * INSET) * share


def paint_sparkline(painter: QPainter, cell: QRect, line: Sequence[float], share: float, theme: Theme) -> None:
    """``line`` has the values at even distances over the run; nothing is drawn of a number that stays 0."""
    if len(line) < 2 or max(line) <= 0:
        return
    box = cell.adjusted(INSET, 3, -INSET, -3)
    ratio = painter.device().devicePixelRatioF()
    curve = _curve(tuple(line), box.width(), box.height(), theme.qcolor("active").rgba(), ratio)
    painter.drawPixmap(box.left() - EDGE, box.top() - EDGE, curve)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    x = cursor_at(cell.left(), cell.width(), share)
    painter.setPen(QPen(theme.qcolor("conflict"), 1.2))
    painter.drawLine(QLineF(x, box.top() - 1, x, box.bottom() + 1))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


@lru_cache(maxsize=CURVES_KEPT)
def _curve(line: tuple[float, ...], width: int, height: int, colour: int, ratio: float) -> QPixmap:
    """Return the line itself, which no step changes, with an edge around it."""
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
