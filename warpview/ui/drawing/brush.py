"""Draw the marks of pictures with QPainter, one by one and as what they are: texts are texts, lines are lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPainterPath, QPen, QPolygonF, QTransform

from warpview.ui.drawing.faces import Face, face, measure
from warpview.ui.drawing.picture import Bitmap, Box, Curve, Dots, Lines, Mark, Picture, Rects, Text, arrow_head

Palette = Callable[[str], QColor]
Point = tuple[float, float]
_ANTIALIASING, _NO_PEN = QPainter.RenderHint.Antialiasing, QPen(Qt.PenStyle.NoPen)


def rect_of(box: Box) -> QRectF:
    return QRectF(box.x, box.y, box.w, box.h)


def pen_of(width: float, dash: bool, colour: QColor | Qt.GlobalColor = Qt.GlobalColor.black) -> QPen:
    pen = QPen(colour, width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if dash:
        pen.setDashPattern([3.0, 2.5])
    return pen


def hatching(colour: QColor) -> QBrush:
    brush = QBrush(colour, Qt.BrushStyle.BDiagPattern)
    brush.setTransform(QTransform.fromScale(0.6, 0.6))
    return brush


def cubic_path(points: Sequence[Point]) -> QPainterPath:
    """Return the path of a cubic curve: its start, then two control points and an end for each piece."""
    path = QPainterPath(QPointF(*points[0]))
    for a, b, c in zip(points[1::3], points[2::3], points[3::3], strict=True):
        path.cubicTo(*a, *b, *c)
    return path


class Brush:
    """Draw marks one by one, with the painter, the palette and the progress of motion."""

    def __init__(self, painter: QPainter, colour: Palette, progress: float) -> None:
        self.painter, self.colour = painter, colour
        self.progress = progress
        self._smooth: bool | None = None
        self._face: Face | None = None
        self._ink: str | None = None  # the colour of the pen, while that is a text's

    def draw(self, marks: Sequence[Mark]) -> None:
        drawers = self.drawers
        for mark in marks:
            drawers[type(mark)](self, mark)

    def _set_smooth(self, on: bool) -> None:
        """Set anti-aliasing for the next marks: most marks want what the one before them had."""
        if on is not self._smooth:
            self._smooth = on
            self.painter.setRenderHint(_ANTIALIASING, on)

    def _set_face(self, wanted: Face) -> None:
        if wanted is not self._face:
            self._face = wanted
            self.painter.setFont(wanted.font)

    def _set_pen(self, pen: QPen) -> None:
        self._ink = None
        self.painter.setPen(pen)

    def cover(self, box: Box, unit: float) -> None:
        """Hide the answer."""
        p = self.painter
        self._set_smooth(True)
        self._set_pen(QPen(self.colour("accent"), 1.5, Qt.PenStyle.DashLine))
        p.setBrush(self.colour("raised"))
        p.drawRoundedRect(rect_of(box), 4, 4)
        self._set_face(face(min(2.2 * unit, 0.8 * box.h), bold=True))
        p.setPen(self.colour("accent"))
        p.drawText(rect_of(box), Qt.AlignmentFlag.AlignCenter, "?")

    def _tint(self, token: str, alpha: float) -> QColor:
        colour = self.colour(token)
        if alpha < 1.0:
            colour = QColor(colour)
            colour.setAlphaF(colour.alphaF() * alpha)
        return colour

    def _pen(self, token: str | None, width: float, dash: bool, alpha: float = 1.0) -> QPen:
        return pen_of(width, dash, self._tint(token, alpha)) if token is not None else _NO_PEN

    def _rects(self, mark: Rects) -> None:
        p = self.painter
        boxes, fill, edge, width, radius, dash, alpha, hatch = mark
        self._set_smooth(radius > 0 or edge is not None)
        self._set_pen(self._pen(edge, width, dash, alpha))
        if fill is not None:
            p.setBrush(self._tint(fill, alpha))
        else:
            p.setBrush(Qt.BrushStyle.NoBrush)
        if hatch is not None:
            if fill is not None:
                p.drawRects(list(map(rect_of, boxes)))
            p.setBrush(hatching(self.colour(hatch)))
        if radius > 0:
            for box in boxes:
                p.drawRoundedRect(rect_of(box), radius, radius)
        elif edge is not None:
            # An edge lies inside its box, so that neighbours do not overlap.
            half = width / 2
            p.drawRects([QRectF(b.x + half, b.y + half, b.w - width, b.h - width) for b in boxes])
        else:
            p.drawRects(list(map(rect_of, boxes)))

    def _lines(self, mark: Lines) -> None:
        p = self.painter
        segments, colour, width, dash, alpha = mark
        self._set_smooth(True)
        self._set_pen(self._pen(colour, width, dash, alpha))
        p.drawLines([QLineF(*s) for s in segments])

    def _curve(self, mark: Curve) -> None:
        points = mark.points
        if mark.motion and self.progress < 1.0:
            points = tuple((partial_cubic if mark.cubic else partial)(points, self.progress))
        if len(points) < 2:
            return
        p = self.painter
        self._set_smooth(True)
        pen = self._pen(mark.colour, mark.width, False, mark.alpha)
        pen.setCapStyle(Qt.PenCapStyle.SquareCap)
        self._set_pen(pen)
        if mark.fill is not None:
            p.setBrush(self._tint(mark.fill, mark.alpha))
            p.drawPolygon(QPolygonF([QPointF(x, y) for x, y in points]))
        elif mark.cubic:
            p.strokePath(cubic_path(points), pen)
        else:
            # Ten times as fast as a polyline, whose joins Qt strokes one by one.
            p.drawLines([QLineF(*a, *b) for a, b in pairwise(points)])
        if mark.arrow and mark.colour is not None:
            self._set_pen(_NO_PEN)
            p.setBrush(self._tint(mark.colour, mark.alpha))
            p.drawPolygon([QPointF(*corner) for corner in arrow_head(points[-2], points[-1], mark.width)])

    def _dots(self, mark: Dots) -> None:
        p = self.painter
        self._set_smooth(True)
        self._set_pen(self._pen(mark.edge, 1.0, False))
        p.setBrush(self.colour(mark.fill))
        r = mark.radius
        for x, y in mark.centres:
            p.drawEllipse(QRectF(x - r, y - r, 2 * r, 2 * r))

    def _text(self, mark: Text) -> None:
        x, text = mark.x, mark.text
        its = face(mark.size, mark.mono, mark.bold)
        self._set_face(its)
        if mark.colour != self._ink:
            self._ink = mark.colour
            self.painter.setPen(self.colour(mark.colour))
        if mark.align >= 0:
            x -= measure(text, mark.size, mark.mono, mark.bold) * (mark.align + 1) / 2
        self.painter.drawStaticText(QPointF(x, mark.y + its.top), its.glyphs(text))

    def _bitmap(self, mark: Bitmap) -> None:
        pixels = np.array([self.colour(token).rgba() for token in mark.tokens], np.uint32)[mark.indices]
        rows, columns = pixels.shape
        image = QImage(pixels.data, columns, rows, 4 * columns, QImage.Format.Format_ARGB32)
        self.painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        self.painter.drawImage(rect_of(mark.box), image)

    # Of the class and not of each brush: one that held its own methods would keep the painter beyond its paint event.
    drawers: ClassVar[dict[type, Callable[[Any, Any], None]]] = {
        Text: _text, Rects: _rects, Lines: _lines, Curve: _curve, Dots: _dots, Bitmap: _bitmap,
    }  # fmt: skip


def paint(painter: QPainter, picture: Picture, colour: Palette, progress: float = 1.0) -> None:
    """Draw a picture: on the screen, into an image or into an SVG. ``progress``, from 0 to 1, is how far its moving
    marks have come."""
    brush = Brush(painter, colour, progress)
    brush.draw(picture.marks)
    for box in picture.covers:
        brush.cover(box, picture.unit)


def partial(points: Sequence[Point], t: float) -> list[Point]:
    """Return the first fraction ``t`` of a line through points, by their number."""
    at = t * (len(points) - 1)
    whole = int(at)
    kept = list(points[: whole + 1])
    if whole + 1 < len(points):
        (x1, y1), (x2, y2) = points[whole], points[whole + 1]
        kept.append((x1 + (x2 - x1) * (at - whole), y1 + (y2 - y1) * (at - whole)))
    return kept


def partial_cubic(points: Sequence[Point], t: float) -> list[Point]:
    """Return the first fraction ``t`` of the parameter of a cubic curve of one piece, by de Casteljau's subdivision."""

    def between(one: Point, other: Point) -> Point:
        return one[0] + (other[0] - one[0]) * t, one[1] + (other[1] - one[1]) * t

    left = [points[0]]
    while len(points) > 1:
        points = [between(a, b) for a, b in pairwise(points)]
        left.append(points[0])
    return left
