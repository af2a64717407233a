"""Show words that change from step to step."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QLabel

from warpview.ui.drawing.guarded import guarded
from warpview.ui.drawing.style import fill_background


class Words(QLabel):
    """Paint the words without Qt's own text; a line that does not fit ends in an ellipsis. They are
    not the label's own text, every change of which lays out the whole window anew: the room for them is for others to
    give."""

    def __init__(self, flags: int) -> None:
        super().__init__()
        fill_background(self)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self._flags = flags | int(Qt.AlignmentFlag.AlignVCenter)
        self.words = ""

    def show_words(self, words: str) -> None:
        if words != self.words:
            self.words = words
            self.setToolTip(words)
            self.setAccessibleName(words)
            self.update()

    def fitting(self) -> str:
        """Return the words as they are painted."""
        if self._flags & int(Qt.TextFlag.TextWordWrap):
            return self.words
        return self.fontMetrics().elidedText(self.words, Qt.TextElideMode.ElideRight, self.width())

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter, colours = QPainter(self), self.palette()
        painter.fillRect(self.rect(), colours.color(self.backgroundRole()))
        painter.setPen(colours.color(self.foregroundRole()))
        self.draw(painter)

    def draw(self, painter: QPainter) -> None:
        """Draw the words in the pen that is set."""
        painter.drawText(self.rect(), self._flags, self.fitting())
