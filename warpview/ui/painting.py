"""Paints a Picture with QPainter: on the screen, into a PNG and into an SVG alike."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QImage,
    QPainter,
    QPainterPath,
    QPen,
    QPolygonF,
    QTransform,
)

from warpview.ui.picture import Bitmap, Box, Curve, Dots, Lines, Picture, Rects, Text
from warpview.ui.theme import Look

Palette = Callable[[str], QColor]


@lru_cache(maxsize=256)
def font(size: float, mono: bool = False, bold: bool = False) -> QFont:
    """The typeface of pictures at a size in pixels; sizes are rounded so that few fonts are made."""
    face = QFont(_family(mono))
    face.setPixelSize(max(1, round(size)))
    face.setBold(bold)
    return face


@lru_cache(maxsize=2)
def _family(mono: bool) -> str:
    return Look().font("mono" if mono else "text").family()


@lru_cache(maxsize=256)
def metrics(size: int, mono: bool, bold: bool) -> QFontMetricsF:
    return QFontMetricsF(font(size, mono, bold))


@lru_cache(maxsize=8192)
def measure(text: str, size: float, mono: bool = False, bold: bool = False) -> float:
    """Width of a text in pixels: the Measure that widgets give their models."""
    return metrics(max(1, round(size)), mono, bold).horizontalAdvance(text)


def paint(painter: QPainter, picture: Picture, colour: Palette, progress: float = 1.0) -> None:
    """Draw the picture; ``progress`` 0..1 is how far its moving marks have come."""
    brush = Brush(painter, colour, progress)
    for mark in picture.marks:
        brush.draw(mark)
    for box in picture.covers:
        brush.cover(box, picture.unit)


def _rect(box: Box) -> QRectF:
    return QRectF(box[0], box[1], box[2], box[3])


class Brush:
    """Draws marks one by one; knows the painter, the palette and how far motion has come."""

    def __init__(self, painter: QPainter, colour: Palette, progress: float) -> None:
        self.painter = painter
        self.colour = colour
        self.progress = progress

    def draw(self, mark: Rects | Lines | Curve | Dots | Text | Bitmap) -> None:
        if isinstance(mark, Text):
            self._text(mark)
        elif isinstance(mark, Rects):
            self._rects(mark)
        elif isinstance(mark, Lines):
            self._lines(mark)
        elif isinstance(mark, Curve):
            self._curve(mark)
        elif isinstance(mark, Dots):
            self._dots(mark)
        else:
            self._bitmap(mark)

    def cover(self, box: Box, unit: float) -> None:
        """Hide the answer."""
        p = self.painter
        p.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        p.setPen(QPen(self.colour("accent"), 1.5, Qt.PenStyle.DashLine))
        p.setBrush(self.colour("raised"))
        p.drawRoundedRect(_rect(box), 4, 4)
        p.setFont(font(min(2.2 * unit, 0.8 * box.h), bold=True))
        p.setPen(self.colour("accent"))
        p.drawText(_rect(box), Qt.AlignmentFlag.AlignCenter, "?")

    def _tint(self, token: str, alpha: float) -> QColor:
        colour = self.colour(token)
        if alpha < 1.0:
            colour = QColor(colour)
            colour.setAlphaF(colour.alphaF() * alpha)
        return colour

    def _pen(self, token: str | None, width: float, dash: bool, alpha: float = 1.0) -> QPen:
        if token is None:
            return QPen(Qt.PenStyle.NoPen)
        pen = QPen(self._tint(token, alpha), width)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        if dash:
            pen.setDashPattern([3.0, 2.5])
        return pen

    def _rects(self, mark: Rects) -> None:
        p = self.painter
        smooth = mark.radius > 0
        p.setRenderHint(QPainter.RenderHint.Antialiasing, smooth or mark.edge is not None)
        p.setPen(self._pen(mark.edge, mark.width, mark.dash, mark.alpha))
        p.setBrush(QBrush(self._tint(mark.fill, mark.alpha)) if mark.fill else Qt.BrushStyle.NoBrush)
        if mark.hatch is not None:
            if mark.fill is not None:
                p.drawRects([QRectF(*b) for b in mark.boxes])
            p.setBrush(self._hatching(mark.hatch))
        if smooth:
            for box in mark.boxes:
                p.drawRoundedRect(_rect(box), mark.radius, mark.radius)
        elif mark.edge is not None:
            # An edge lies inside its box, so that neighbours do not overlap.
            half = mark.width / 2
            p.drawRects([QRectF(b[0] + half, b[1] + half, b[2] - mark.width, b[3] - mark.width) for b in mark.boxes])
        else:
            p.drawRects([QRectF(*b) for b in mark.boxes])

    def _hatching(self, token: str) -> QBrush:
        brush = QBrush(self.colour(token), Qt.BrushStyle.BDiagPattern)
        brush.setTransform(QTransform.fromScale(0.6, 0.6))
        return brush

    def _lines(self, mark: Lines) -> None:
        p = self.painter
        p.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        p.setPen(self._pen(mark.colour, mark.width, mark.dash, mark.alpha))
        t = self.progress if mark.motion else 1.0
        if t < 1.0:
            p.drawLines([QLineF(a, b, a + (c - a) * t, b + (d - b) * t) for a, b, c, d in mark.segments])
        else:
            p.drawLines([QLineF(*s) for s in mark.segments])

    def _curve(self, mark: Curve) -> None:
        points = mark.points
        if mark.motion and self.progress < 1.0:
            points = partial(points, self.progress)
        if len(points) < 2:
            return
        p = self.painter
        p.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        pen = self._pen(mark.colour, mark.width, False, mark.alpha)
        pen.setCapStyle(Qt.PenCapStyle.SquareCap)
        p.setPen(pen)
        if mark.fill is not None:
            p.setBrush(self._tint(mark.fill, mark.alpha))
            p.drawPolygon(QPolygonF([QPointF(x, y) for x, y in points]))
        else:
            # Ten times as fast as a polyline, whose joins Qt strokes one by one.
            p.drawLines([QLineF(*a, *b) for a, b in pairwise(points)])
        if mark.arrow and mark.colour is not None:
            self._head(points[-2], points[-1], mark)

    def _head(self, before: tuple[float, float], tip: tuple[float, float], mark: Curve) -> None:
        dx, dy = tip[0] - before[0], tip[1] - before[1]
        length = math.hypot(dx, dy) or 1.0
        size = 3.0 + 1.6 * mark.width
        ux, uy = dx / length * size, dy / length * size
        path = QPainterPath(QPointF(*tip))
        path.lineTo(tip[0] - ux - 0.5 * uy, tip[1] - uy + 0.5 * ux)
        path.lineTo(tip[0] - ux + 0.5 * uy, tip[1] - uy - 0.5 * ux)
        path.closeSubpath()
        assert mark.colour is not None
        self.painter.fillPath(path, self._tint(mark.colour, mark.alpha))

    def _dots(self, mark: Dots) -> None:
        p = self.painter
        p.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        p.setPen(self._pen(mark.edge, 1.0, False))
        p.setBrush(self.colour(mark.fill))
        r = mark.radius
        for x, y in mark.centres:
            p.drawEllipse(QRectF(x - r, y - r, 2 * r, 2 * r))

    def _text(self, mark: Text) -> None:
        p = self.painter
        p.setFont(font(mark.size, mark.mono, mark.bold))
        p.setPen(self.colour(mark.colour))
        measured = metrics(max(1, round(mark.size)), mark.mono, mark.bold)
        left = mark.x
        if mark.align >= 0:
            left -= measure(mark.text, mark.size, mark.mono, mark.bold) * (mark.align + 1) / 2
        p.drawText(QPointF(left, mark.y + measured.capHeight() / 2), mark.text)

    def _bitmap(self, mark: Bitmap) -> None:
        colours = np.zeros((256, 4), dtype=np.uint8)
        for k, token in enumerate(mark.tokens):
            c = self.colour(token)
            colours[k] = (c.red(), c.green(), c.blue(), c.alpha())
        pixels = np.ascontiguousarray(colours[mark.indices])
        rows, columns = mark.indices.shape
        image = QImage(pixels.data, columns, rows, 4 * columns, QImage.Format.Format_RGBA8888)
        self.painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        self.painter.drawImage(_rect(mark.box), image)


def partial(points: Sequence[tuple[float, float]], t: float) -> list[tuple[float, float]]:
    """The first fraction ``t`` of a line through points, by their number."""
    at = t * (len(points) - 1)
    whole = int(at)
    kept = list(points[: whole + 1])
    if whole + 1 < len(points):
        (x1, y1), (x2, y2) = points[whole], points[whole + 1]
        kept.append((x1 + (x2 - x1) * (at - whole), y1 + (y2 - y1) * (at - whole)))
    return kept
