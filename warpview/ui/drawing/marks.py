"""The marks that go with the colours, so that no idea is told by colour alone."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF

from warpview.trace.frame import LaneStatus
from warpview.trace.presentation import LANES
from warpview.ui.drawing import palette
from warpview.ui.drawing.theme import Theme

LANE_OF_SHAPE = {lane.shape: status for status, lane in LANES.items()}


def draw_lane(painter: QPainter, box: QRectF, status: LaneStatus, theme: Theme, fill: QColor | None = None) -> None:
    """One lane in ``box``: filled, hollow, hatched, a dot or a dashed edge; ``fill`` instead of the active colour."""
    painter.save()
    inner = box.adjusted(1.0, 1.0, -1.0, -1.0)
    edge = QPen(theme.qcolor("idle"), 1.3)
    if status == LaneStatus.ACTIVE:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill or theme.qcolor("active"))
        painter.drawRoundedRect(inner, 2.0, 2.0)
    elif status == LaneStatus.DIVERGED:
        painter.setPen(edge)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(inner.adjusted(0.5, 0.5, -0.5, -0.5), 2.0, 2.0)
    elif status == LaneStatus.BARRIER:
        painter.setPen(QPen(theme.qcolor("barrier"), 1.3))
        painter.setBrush(hatch(theme.qcolor("barrier")))
        painter.drawRoundedRect(inner.adjusted(0.5, 0.5, -0.5, -0.5), 2.0, 2.0)
    elif status == LaneStatus.PREDICATED_OFF:
        edge.setColor(theme.qcolor("active"))
        edge.setStyle(Qt.PenStyle.DotLine)
        painter.setPen(edge)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(inner.adjusted(0.5, 0.5, -0.5, -0.5), 2.0, 2.0)
    elif status == LaneStatus.EXITED:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.qcolor("idle"))
        radius = max(1.2, min(box.width(), box.height()) * 0.12)
        painter.drawEllipse(box.center(), radius, radius)
    painter.restore()


def hatch(colour: QColor, dense: bool = True) -> QBrush:
    """The hatching of lanes at a barrier (dense) and of wasted bytes (light)."""
    return QBrush(colour, Qt.BrushStyle.BDiagPattern if dense else Qt.BrushStyle.FDiagPattern)


def draw_error_sign(painter: QPainter, box: QRectF, theme: Theme) -> None:
    """The sign of a race or an error: a vermilion triangle with an exclamation mark."""
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


def draw_legend_mark(painter: QPainter, box: QRectF, colour: str, mark: str, theme: Theme) -> None:
    """The sample of a legend line; ``colour`` is a theme token or '#rrggbb' (see ``views.view.LegendEntry``)."""
    tint = QColor(colour) if colour.startswith("#") else palette.colour(theme, colour)
    if mark in LANE_OF_SHAPE and mark not in ("", "filled"):  # a filled sample has the colour of its legend line
        draw_lane(painter, box, LANE_OF_SHAPE[mark], theme)
    elif mark == "sign":
        draw_error_sign(painter, box, theme)
    else:
        painter.save()
        painter.setPen(QPen(tint, 1.0) if mark == "light-hatch" else Qt.PenStyle.NoPen)
        painter.setBrush(hatch(tint, dense=False) if mark == "light-hatch" else QBrush(tint))
        painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 2.0, 2.0)
        painter.restore()
