"""Measure and fit texts in a font, for widgets that paint many texts themselves."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics, QFontMetricsF

TEXTS_KEPT = 1024  # of each typeface


class Typeface:
    """Measure texts in a font, and keep those last fitted in it."""

    def __init__(self, font: QFont) -> None:
        self.font, self.metrics, self.whole = font, QFontMetricsF(font), QFontMetrics(font)
        self.ascent, self.height = self.metrics.ascent(), self.metrics.height()
        self.kept = lru_cache(TEXTS_KEPT)(self.fitting)

    def fitting(self, text: str, room: float) -> tuple[str, float]:
        """Return the text, or as much of it as there is room for, and its width; ``kept`` is the same for texts that
        come again."""
        width = self.metrics.horizontalAdvance(text)
        if width <= room:
            return text, width
        text = self.metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
        return text, self.metrics.horizontalAdvance(text)

    def base_line(self, top: float, height: float) -> float:
        """Return the base line of a text in the middle of a box."""
        return top + (height - self.height) / 2 + self.ascent
