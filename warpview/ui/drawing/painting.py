"""Paints a Picture with QPainter: on the screen, into a PNG and into an SVG alike."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QImage,
    QPaintEngine,
    QPainter,
    QPainterPath,
    QPen,
    QPolygonF,
    QStaticText,
    QTransform,
)

from warpview.ui.drawing.picture import Bitmap, Box, Curve, Dots, Lines, Mark, Picture, Rects, Text
from warpview.ui.drawing.theme import Look

_EVERY_PAIR = "".join(f"{a}{b}" for a in range(10) for b in range(10))  # of digits
Palette = Callable[[str], QColor]
_ANTIALIASING, _NO_PEN = QPainter.RenderHint.Antialiasing, QPen(Qt.PenStyle.NoPen)
IMAGES_KEPT = 16
OPAQUE = 0xFF000000  # from here on a colour lets nothing through
TEXTS_KEPT = 1024  # of each typeface


class Face:
    """A typeface of pictures at one size, with its measures and the texts last set in it."""

    def __init__(self, size: int, mono: bool, bold: bool) -> None:
        self.font = QFont(_family(mono))
        self.font.setPixelSize(size)
        self.font.setBold(bold)
        self.metrics = QFontMetricsF(self.font)
        self.foot = self.metrics.capHeight() / 2  # from the middle of the capitals down to the base line
        self.head = self.foot - self.metrics.ascent()  # and to where a text's box begins
        self._digit = self._width_of_digits()
        self._texts: dict[str, QStaticText | None] = {}

    def _width_of_digits(self) -> float:
        """What each digit takes, where that is the same for all of them beside any other; else 0."""
        digit = self.metrics.horizontalAdvance("0")
        measured = self.metrics.horizontalAdvance(_EVERY_PAIR)
        return digit if math.isclose(measured, digit * len(_EVERY_PAIR), abs_tol=0.01) else 0.0

    def width(self, text: str) -> float:
        """Of a text, in pixels. Most of those that are new at a step are numbers, whose digits need only be counted."""
        if self._digit and text.isascii() and text.isdecimal():
            return self._digit * len(text)
        return self.metrics.horizontalAdvance(text)

    def laid_out(self, text: str) -> QStaticText | None:
        """The text with its glyphs placed: the same pixels as drawText in half the time. Placing them takes longer
        than drawing once, so that it is done for texts that come a second time; None at the first."""
        if text not in self._texts:
            if len(self._texts) >= TEXTS_KEPT:
                self._texts.clear()
            self._texts[text] = None
            return None
        laid = self._texts[text]
        if laid is None:
            laid = self._texts[text] = QStaticText(text)
            laid.setTextFormat(Qt.TextFormat.PlainText)
            laid.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
            laid.prepare(QTransform(), self.font)
        return laid


def face(size: float, mono: bool = False, bold: bool = False) -> Face:
    """The typeface of pictures at a size in pixels; sizes are rounded so that few fonts are made."""
    return _face(max(1, round(size)), mono, bold)


_face = lru_cache(maxsize=256)(Face)


@lru_cache(maxsize=2)
def _family(mono: bool) -> str:
    return Look().font("mono" if mono else "text").family()


@lru_cache(maxsize=8192)
def measure(text: str, size: float, mono: bool = False, bold: bool = False) -> float:
    """Width of a text in pixels: the Measure that widgets give their models."""
    return face(size, mono, bold).width(text)


class _Images:
    """The images of the bitmaps drawn last: most steps draw the same ones again."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, tuple[int, ...]], tuple[NDArray[np.uint8], QImage]] = OrderedDict()

    def of(self, indices: NDArray[np.uint8], colours: Sequence[QColor]) -> QImage:
        """The image of an array of indices, which its maker does not change any more."""
        values = tuple(c.rgba() for c in colours)
        key = (id(indices), values)
        held = self._kept.get(key)
        if held is None or held[0] is not indices:
            held = (indices, self._make(indices, values))
            self._kept[key] = held
            if len(self._kept) > IMAGES_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return held[1]

    @staticmethod
    def _make(indices: NDArray[np.uint8], values: tuple[int, ...]) -> QImage:
        table = np.zeros(256, dtype=np.uint32)
        table[: len(values)] = values
        pixels = table[indices]
        rows, columns = indices.shape
        opaque = min(values) >= OPAQUE and (not indices.size or int(indices.max()) < len(values))
        if opaque:
            return QImage(pixels.data, columns, rows, 4 * columns, QImage.Format.Format_RGB32).copy()
        image = QImage(pixels.data, columns, rows, 4 * columns, QImage.Format.Format_ARGB32)
        return image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)


_images = _Images()


def paint(
    painter: QPainter, picture: Picture, colour: Palette, progress: float = 1.0, first: int = 0, last: int | None = None
) -> None:
    """Draw the picture; ``progress`` 0..1 is how far its moving marks have come. With ``first`` or ``last`` only the
    marks between them, as a slice has them, and the covers only after the last mark of all."""
    brush = Brush(painter, colour, progress)
    for mark in picture.marks[first:last]:
        brush.draw(mark)
    if last is not None:
        return
    for box in picture.covers:
        brush.cover(box, picture.unit)


def _rect(box: Box) -> QRectF:
    return QRectF(box[0], box[1], box[2], box[3])


def _stroke(x1: float, y1: float, x2: float, y2: float, half: float) -> QRectF:
    """What a level or upright line covers, with half its width."""
    left, top, right, bottom = min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)
    if y1 == y2:
        return QRectF(left, top - half, right - left, 2 * half)
    return QRectF(left - half, top, 2 * half, bottom - top)


class Brush:
    """Draws marks one by one; knows the painter, the palette and how far motion has come."""

    def __init__(self, painter: QPainter, colour: Palette, progress: float) -> None:
        self.painter = painter
        self.colour = colour
        self.progress = progress
        engine = painter.paintEngine()
        # Texts are kept laid out where they end as pixels; elsewhere they stay texts.
        self.keeps = engine is not None and engine.type() == QPaintEngine.Type.Raster
        self._smooth: bool | None = None
        self._face: Face | None = None

    def draw(self, mark: Mark) -> None:
        _DRAWERS[type(mark)](self, mark)

    def _set_smooth(self, on: bool) -> None:
        """Anti-aliasing for what is drawn next: most marks want what the one before them had."""
        if on is not self._smooth:
            self._smooth = on
            self.painter.setRenderHint(_ANTIALIASING, on)

    def _set_face(self, wanted: Face) -> None:
        if wanted is not self._face:
            self._face = wanted
            self.painter.setFont(wanted.font)

    def cover(self, box: Box, unit: float) -> None:
        """Hide the answer."""
        p = self.painter
        self._set_smooth(True)
        p.setPen(QPen(self.colour("accent"), 1.5, Qt.PenStyle.DashLine))
        p.setBrush(self.colour("raised"))
        p.drawRoundedRect(_rect(box), 4, 4)
        self._set_face(face(min(2.2 * unit, 0.8 * box.h), bold=True))
        p.setPen(self.colour("accent"))
        p.drawText(_rect(box), Qt.AlignmentFlag.AlignCenter, "?")

    def _tint(self, token: str, alpha: float) -> QColor:
        colour = self.colour(token)
        if alpha < 1.0:
            colour = QColor(colour)
            colour.setAlphaF(colour.alphaF() * alpha)
        return colour

    def _pen(
        self,
        token: str | None,
        width: float,
        dash: bool,
        alpha: float = 1.0,
        cap: Qt.PenCapStyle = Qt.PenCapStyle.FlatCap,
    ) -> QPen:
        if token is None:
            return _NO_PEN
        pen = QPen(self._tint(token, alpha), width)
        pen.setCapStyle(cap)
        if dash:
            pen.setDashPattern([3.0, 2.5])
        return pen

    def _rects(self, mark: Rects) -> None:
        p = self.painter
        boxes, fill, edge, width, radius, dash, alpha, hatch = mark
        self._set_smooth(radius > 0 or edge is not None)
        p.setPen(self._pen(edge, width, dash, alpha))
        if fill is not None:
            p.setBrush(self._tint(fill, alpha))
        else:
            p.setBrush(Qt.BrushStyle.NoBrush)
        if hatch is not None:
            if fill is not None:
                p.drawRects([QRectF(*b) for b in boxes])
            p.setBrush(self._hatching(hatch))
        if radius > 0:
            for x, y, w, h in boxes:
                p.drawRoundedRect(QRectF(x, y, w, h), radius, radius)
        elif edge is not None:
            # An edge lies inside its box, so that neighbours do not overlap.
            half = width / 2
            p.drawRects([QRectF(x + half, y + half, w - width, h - width) for x, y, w, h in boxes])
        else:
            p.drawRects([QRectF(*b) for b in boxes])

    def _hatching(self, token: str) -> QBrush:
        brush = QBrush(self.colour(token), Qt.BrushStyle.BDiagPattern)
        brush.setTransform(QTransform.fromScale(0.6, 0.6))
        return brush

    def _lines(self, mark: Lines) -> None:
        p = self.painter
        segments, colour, width, dash, alpha, motion = mark
        self._set_smooth(True)
        if motion and self.progress < 1.0:
            t = self.progress
            segments = [(a, b, a + (c - a) * t, b + (d - b) * t) for a, b, c, d in segments]
        if width <= 1.0 and not dash and self.keeps and all(a == c or b == d for a, b, c, d in segments):
            # Thin lines are set pixel by pixel; level and upright ones are the areas that they cover.
            half = width / 2
            p.setPen(_NO_PEN)
            p.setBrush(self._tint(colour, alpha))
            p.drawRects([_stroke(a, b, c, d, half) for a, b, c, d in segments])
            return
        p.setPen(self._pen(colour, width, dash, alpha))
        p.drawLines([QLineF(*s) for s in segments])

    def _curve(self, mark: Curve) -> None:
        points = mark.points
        if mark.motion and self.progress < 1.0:
            points = partial(points, self.progress)
        if len(points) < 2:
            return
        p = self.painter
        self._set_smooth(True)
        p.setPen(self._pen(mark.colour, mark.width, False, mark.alpha, Qt.PenCapStyle.SquareCap))
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
        self._set_smooth(True)
        p.setPen(self._pen(mark.edge, 1.0, False))
        p.setBrush(self.colour(mark.fill))
        r = mark.radius
        for x, y in mark.centres:
            p.drawEllipse(QRectF(x - r, y - r, 2 * r, 2 * r))

    def _text(self, mark: Text) -> None:
        p = self.painter
        x, y, text, size, colour, align, bold, mono = mark
        where = face(size, mono, bold)
        self._set_face(where)
        p.setPen(self.colour(colour))
        if align >= 0:
            x -= measure(text, size, mono, bold) * (align + 1) / 2
        laid = where.laid_out(text) if self.keeps else None
        if laid is not None:
            p.drawStaticText(QPointF(x, y + where.head), laid)
        else:
            p.drawText(QPointF(x, y + where.foot), text)

    def _bitmap(self, mark: Bitmap) -> None:
        image = _images.of(mark.indices, [self.colour(token) for token in mark.tokens])
        self.painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        self.painter.drawImage(_rect(mark.box), image)


# Of the class and not of each brush: a brush that held its own methods would keep the painter beyond its paint event.
_DRAWERS: dict[type, Callable[[Brush, Any], None]] = {
    Text: Brush._text, Rects: Brush._rects, Lines: Brush._lines, Curve: Brush._curve, Dots: Brush._dots,
    Bitmap: Brush._bitmap,
}  # fmt: skip


def partial(points: Sequence[tuple[float, float]], t: float) -> list[tuple[float, float]]:
    """The first fraction ``t`` of a line through points, by their number."""
    at = t * (len(points) - 1)
    whole = int(at)
    kept = list(points[: whole + 1])
    if whole + 1 < len(points):
        (x1, y1), (x2, y2) = points[whole], points[whole + 1]
        kept.append((x1 + (x2 - x1) * (at - whole), y1 + (y2 - y1) * (at - whole)))
    return kept
