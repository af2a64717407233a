"""The typefaces of pictures: how wide texts are, and the texts themselves with their glyphs placed."""

from __future__ import annotations

import math
from functools import lru_cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetricsF, QStaticText, QTransform

from warpview.ui.drawing.theme import Look

_EVERY_PAIR = "".join(f"{a}{b}" for a in range(10) for b in range(10))  # of digits
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
        laid = self._texts.get(text)
        if laid is None:
            if text in self._texts:
                laid = self._texts[text] = self._lay_out(text)
            else:
                if len(self._texts) >= TEXTS_KEPT:
                    self._texts.clear()
                self._texts[text] = None
        return laid

    def _lay_out(self, text: str) -> QStaticText:
        laid = QStaticText(text)
        laid.setTextFormat(Qt.TextFormat.PlainText)
        laid.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
        laid.prepare(QTransform(), self.font)
        return laid


@lru_cache(maxsize=1024)
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
