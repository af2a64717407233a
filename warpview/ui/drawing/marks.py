"""Draw the marks that go with the colours, so that no idea is told by colour alone."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen, QPolygonF

from warpview.ui.drawing import palette
from warpview.ui.drawing.theme import Theme


def hatch(colour: QColor, dense: bool = True) -> QBrush:
    """Return the hatching of lanes at a barrier (dense) and of wasted bytes (light)."""
    return QBrush(colour, Qt.BrushStyle.BDiagPattern if dense else Qt.BrushStyle.FDiagPattern)


def draw_error_sign(painter: QPainter, box: QRectF, theme: Theme) -> None:
    """Draw the sign of a race or an error: a vermilion triangle with an exclamation mark."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.qcolor("error"))
    top = QPointF(box.center().x(), box.top())
    painter.drawPolygon(QPolygonF([top, box.bottomRight(), box.bottomLeft()]))
    painter.setPen(theme.qcolor("panel"))
    font = painter.font()
    font.setBold(True)
    font.setPixelSize(max(6, int(box.height() * 0.7)))
    painter.setFont(font)
    painter.drawText(box.translated(0, box.height() * 0.08), Qt.AlignmentFlag.AlignCenter, "!")
    painter.restore()


def error_symbol() -> QPainterPath:
    """Return the sign of ``draw_error_sign`` as a symbol of pyqtgraph, one unit high, with the mark left out."""
    sign, mark = QPainterPath(), QPainterPath()
    sign.addPolygon(QPolygonF([QPointF(0.0, -0.5), QPointF(0.5, 0.5), QPointF(-0.5, 0.5)]))
    sign.closeSubpath()
    mark.addRect(QRectF(-0.08, -0.2, 0.16, 0.38))
    mark.addEllipse(QPointF(0.0, 0.34), 0.1, 0.1)
    return sign.subtracted(mark)


def draw_legend_mark(painter: QPainter, box: QRectF, colour: str, mark: str, theme: Theme) -> None:
    """Draw the sample of a legend line in its colour, a theme token or '#rrggbb' (see ``views.view.LegendEntry``)."""
    tint = QColor(colour) if colour.startswith("#") else palette.colour(theme, colour)
    if mark == "sign":
        draw_error_sign(painter, box, theme)
        return
    pens = {"hollow": QPen(tint, 1.6), "dashed": QPen(tint, 1.3, Qt.PenStyle.DotLine), "hatch": QPen(tint, 1.3),
            "light-hatch": QPen(tint, 1.0)}  # fmt: skip
    brushes = {"hollow": QBrush(), "dashed": QBrush(), "hatch": hatch(tint), "light-hatch": hatch(tint, dense=False)}
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(pens.get(mark, QPen(Qt.PenStyle.NoPen)))
    painter.setBrush(brushes.get(mark, QBrush(tint)))
    if mark == "dot":
        painter.drawEllipse(box.center(), 0.12 * box.height() + 0.6, 0.12 * box.height() + 0.6)
    else:
        painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 2.0, 2.0)
    painter.restore()
