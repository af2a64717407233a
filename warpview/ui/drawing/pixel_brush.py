"""Draws the marks of pictures where they end as pixels: nearly the same pixels as those of ``Brush`` in half the time.

What a mark needs to be drawn (see ``areas``), and where its text goes, is kept for the next picture that has it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, ClassVar

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPen, QStaticText

from warpview.ui.drawing.areas import Area, of_curve, of_dots, of_lines, of_rects
from warpview.ui.drawing.brush import Brush, Palette, hatching
from warpview.ui.drawing.faces import face, measure
from warpview.ui.drawing.picture import Bitmap, Curve, Dots, Lines, Rects, Text

PLACES_KEPT = 8192
_NO_PEN = QPen(Qt.PenStyle.NoPen)
_OTHER = ""  # a pen that is not a token's


class Placed:
    """A text and where it goes."""

    __slots__ = ("base", "face", "laid", "text", "top")

    def __init__(self, mark: Text) -> None:
        x, y, text, size, _, align, bold, mono = mark
        where = face(size, mono, bold)
        if align >= 0:
            x -= measure(text, size, mono, bold) * (align + 1) / 2
        self.text, self.face = text, where
        self.base, self.top = QPointF(x, y + where.foot), QPointF(x, y + where.head)
        self.laid: QStaticText | None = None


_placed = lru_cache(PLACES_KEPT)(Placed)


class PixelBrush(Brush):
    """Fills areas instead of stroking lines; draws texts whose glyphs are placed already."""

    def __init__(self, painter: QPainter, colour: Palette, progress: float) -> None:
        super().__init__(painter, colour, progress)
        self._ink: str | None = _OTHER  # the token of the pen; None without one

    def _text(self, mark: Text) -> None:
        placed = _placed(mark)
        p = self.painter
        if placed.face is not self._face:
            self._set_face(placed.face)
        if mark.colour != self._ink:
            self._ink = mark.colour
            p.setPen(self.colour(mark.colour))
        if placed.laid is None:
            placed.laid = placed.face.laid_out(placed.text)
        if placed.laid is not None:
            p.drawStaticText(placed.top, placed.laid)
        else:
            p.drawText(placed.base, placed.text)

    def _fill(self, areas: list[Area]) -> None:
        p = self.painter
        if self._ink is not None:
            self._ink = None
            p.setPen(_NO_PEN)
        for token, rects, paths, smooth, alpha, hatched in areas:
            if smooth is not self._smooth:
                self._set_smooth(smooth)
            colour = self._tint(token, alpha)
            p.setBrush(hatching(colour) if hatched else colour)
            if rects:
                p.drawRects(rects)
            for path in paths:
                p.drawPath(path)

    def _rects(self, mark: Rects) -> None:
        self._fill(of_rects(mark))

    def _lines(self, mark: Lines) -> None:
        if mark.motion and self.progress < 1.0:
            self._ink = _OTHER
            super()._lines(mark)
        else:
            self._fill(of_lines(mark))

    def _curve(self, mark: Curve) -> None:
        if mark.fill is not None or (mark.motion and self.progress < 1.0):
            self._ink = _OTHER
            super()._curve(mark)
        else:
            self._fill(of_curve(mark))

    def _dots(self, mark: Dots) -> None:
        self._fill(of_dots(mark))

    drawers: ClassVar[dict[type, Callable[[Any, Any], None]]] = {
        Text: _text, Rects: _rects, Lines: _lines, Curve: _curve, Dots: _dots, Bitmap: Brush._bitmap,
    }  # fmt: skip
