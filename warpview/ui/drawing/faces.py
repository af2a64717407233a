"""Make the typefaces of pictures, and measure texts in them."""

from __future__ import annotations

import math
from functools import lru_cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetricsF, QStaticText, QTextCharFormat, QTextLayout

from warpview.ui.drawing.theme import Look, as_typed

GLYPHS_KEPT = 256  # texts of a typeface: more than a picture has
_EVERY_PAIR = "".join(f"{a}{b}" for a in range(10) for b in range(10))  # of digits


class Face:
    """Measure a typeface of pictures at one size."""

    def __init__(self, size: int, mono: bool, bold: bool) -> None:
        font = QFont(_family(mono))
        font.setPixelSize(size)
        font.setBold(bold)
        as_typed(font)
        self.font, self.metrics = font, QFontMetricsF(font)
        self.foot = self.metrics.capHeight() / 2  # from the middle of the capitals down to the base line
        self.top = self.foot - self.metrics.ascent()  # and to the upper end of the glyphs
        self._digit = self._width_of_digits()
        # The glyphs of a text, which Qt paints in half the time that it takes to lay out the text, too.
        self.glyphs = lru_cache(maxsize=GLYPHS_KEPT)(_static_text)

    def _width_of_digits(self) -> float:
        """Return the width of a digit if it is the same for all of them beside any other; else 0."""
        digit = self.metrics.horizontalAdvance("0")
        measured = self.metrics.horizontalAdvance(_EVERY_PAIR)
        return digit if math.isclose(measured, digit * len(_EVERY_PAIR), abs_tol=0.01) else 0.0

    def width(self, text: str) -> float:
        """Return the width of a text, in pixels. Most new ones are numbers, whose digits need only be counted."""
        if self._digit and text.isascii() and text.isdecimal():
            return self._digit * len(text)
        return self.metrics.horizontalAdvance(text)


@lru_cache(maxsize=1024)
def face(size: float, mono: bool = False, bold: bool = False) -> Face:
    """Return the typeface of pictures at a size in pixels; sizes are rounded so that few fonts are made."""
    return _face(max(1, round(size)), mono, bold)


_face = lru_cache(maxsize=256)(Face)


@lru_cache(maxsize=2)
def _family(mono: bool) -> str:
    return Look().font("mono" if mono else "text").family()


@lru_cache(maxsize=8192)
def measure(text: str, size: float, mono: bool = False, bold: bool = False) -> float:
    """Return the width of a text in pixels: the Measure that widgets give their models."""
    return face(size, mono, bold).width(text)


def _static_text(text: str) -> QStaticText:
    found = QStaticText(text)
    found.setTextFormat(Qt.TextFormat.PlainText)
    return found


def format_range(start: int, length: int, style: QTextCharFormat) -> QTextLayout.FormatRange:
    """Return the format of a part of a text that is laid out by hand."""
    made = QTextLayout.FormatRange()
    made.start, made.length, made.format = start, length, style
    return made


def advance(text: str, font: QFont, bold: bool = False) -> float:
    """Return the width of a text in pixels."""
    return _metrics(font, bold).horizontalAdvance(text)


def _metrics(font: QFont, bold: bool) -> QFontMetricsF:
    font = QFont(font)
    font.setBold(bold or font.bold())
    return QFontMetricsF(font)


def cut(text: str, font: QFont, room: float, bold: bool = False, beside: str = "") -> str:
    """Return as much of a text as ``room`` pixels hold ``beside`` another, with an ellipsis where that is not all."""
    metrics = _metrics(font, bold)
    return metrics.elidedText(text, Qt.TextElideMode.ElideRight, room - metrics.horizontalAdvance(beside))
