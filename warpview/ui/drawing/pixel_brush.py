"""Draws the marks of pictures where they end as pixels: nearly the same pixels as those of ``Brush`` in half the time.

The areas of a mark, and its words with their glyphs placed, are kept for the next picture that has them.
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

WORDS_KEPT = 8192
_NO_PEN = QPen(Qt.PenStyle.NoPen)
_OTHER = ""  # a pen that is not a token's


class Words:
    """A text as it is set, wherever that is: its typeface, and where it begins from the place of its mark.

    With its glyphs placed a text is drawn in half the time. Placing them takes longer than drawing once, so that it is
    done for texts that come a second time.
    """

    __slots__ = ("drawn", "face", "laid", "left", "text")

    def __init__(self, look: tuple[str, float, str, int, bool, bool]) -> None:
        text, size, _, align, bold, mono = look
        self.text, self.face = text, face(size, mono, bold)
        self.left = -measure(text, size, mono, bold) * (align + 1) / 2 if align >= 0 else 0.0
        self.drawn = False
        self.laid: QStaticText | None = None


_words = lru_cache(WORDS_KEPT)(Words)


class PixelBrush(Brush):
    """Fills areas instead of stroking lines; draws texts whose glyphs are placed already."""

    def __init__(self, painter: QPainter, colour: Palette, progress: float) -> None:
        super().__init__(painter, colour, progress)
        self._ink: str | None = _OTHER  # the token of the pen; None without one

    def _text(self, mark: Text) -> None:
        words = _words(mark[2:])
        p, where = self.painter, words.face
        if where is not self._face:
            self._set_face(where)
        if mark.colour != self._ink:
            self._ink = mark.colour
            p.setPen(self.colour(mark.colour))
        if words.laid is None and words.drawn:
            words.laid = where.laid_out(words.text)
        if words.laid is not None:
            p.drawStaticText(QPointF(mark.x + words.left, mark.y + where.head), words.laid)
        else:
            words.drawn = True
            p.drawText(QPointF(mark.x + words.left, mark.y + where.foot), words.text)

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
