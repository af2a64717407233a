"""A number over the run, in the width of a table cell."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRect, QSize
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QStyleOptionViewItem

from warpview.ui.theme import Look
from warpview.ui.views.cells import Cell, CellDelegate, Index


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
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width = box.width() / (len(line) - 1)
        points = [QPointF(box.left() + k * width, box.bottom() - box.height() * v / top) for k, v in enumerate(line)]
        painter.setPen(QPen(theme.qcolor("active"), 1.6))
        painter.drawPolyline(QPolygonF(points))
        x = box.left() + box.width() * share
        painter.setPen(QPen(theme.qcolor("conflict"), 1.2))
        painter.drawLine(QPointF(x, box.top() - 1), QPointF(x, box.bottom() + 1))
        painter.restore()
