"""Paints a Picture with QPainter: on the screen, into a PNG and into an SVG alike."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise

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

from warpview.ui.picture import Bitmap, Box, Curve, Dots, Lines, Picture, Rects, Text
from warpview.ui.theme import Look

Palette = Callable[[str], QColor]
IMAGES_KEPT = 16


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


@lru_cache(maxsize=4096)
def _laid_out(text: str, size: int, mono: bool, bold: bool) -> QStaticText:
    """A text with its glyphs placed: the same pixels as drawText in half the time."""
    laid = QStaticText(text)
    laid.setTextFormat(Qt.TextFormat.PlainText)
    laid.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
    laid.prepare(QTransform(), font(size, mono, bold))
    return laid


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
        image = QImage(pixels.data, columns, rows, 4 * columns, QImage.Format.Format_ARGB32)
        opaque = bool((pixels >= 0xFF000000).all())
        best = QImage.Format.Format_RGB32 if opaque else QImage.Format.Format_ARGB32_Premultiplied
        return image.convertToFormat(best).copy()


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


class Brush:
    """Draws marks one by one; knows the painter, the palette and how far motion has come."""

    def __init__(self, painter: QPainter, colour: Palette, progress: float) -> None:
        self.painter = painter
        self.colour = colour
        self.progress = progress
        engine = painter.paintEngine()
        # Texts are kept laid out where they end as pixels; elsewhere they stay texts.
        self.keeps = engine is not None and engine.type() == QPaintEngine.Type.Raster

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
        base = mark.y + measured.capHeight() / 2
        if self.keeps:
            laid = _laid_out(mark.text, max(1, round(mark.size)), mark.mono, mark.bold)
            p.drawStaticText(QPointF(left, base - measured.ascent()), laid)
        else:
            p.drawText(QPointF(left, base), mark.text)

    def _bitmap(self, mark: Bitmap) -> None:
        image = _images.of(mark.indices, [self.colour(token) for token in mark.tokens])
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
