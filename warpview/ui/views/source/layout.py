"""Lay out lines of source so that the whole of each is on the screen: wrapped, and hanging."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QFontMetricsF, QTextBlock, QTextDocument
from PySide6.QtWidgets import QPlainTextDocumentLayout

from warpview.ui.views.source.text import indentation

SMALLEST = 0.86  # of its size: as far as the type shrinks so that no line of code has to be wrapped
STEPS = 7  # of sizes in between
HANG = 2  # columns, and the arrow before them
MOST_HANG = 0.4  # of the width: continued lines keep room where the line itself stands far in


class HangingLayout(QPlainTextDocumentLayout):
    """Wrap long lines with a hanging indent, a little deeper than that of the line.

    Qt lays a block out when it is first asked for its size and knows no hanging indent, so a block that it has
    wrapped is laid out once more here; a continued line at the left margin tells one from the other.
    """

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self.column_width = 8.0

    def blockBoundingRect(self, block: QTextBlock) -> QRectF:  # noqa: N802
        box = super().blockBoundingRect(block)
        if block.isValid() and block.layout().lineCount() > 1 and self._hang(block):
            return super().blockBoundingRect(block)
        return box

    def _hang(self, block: QTextBlock) -> bool:
        """Lay a wrapped block out anew; return whether that was needed."""
        layout, margin = block.layout(), self.document().documentMargin()
        if layout.lineAt(1).x() > margin:
            return False
        width = layout.lineAt(0).width()
        hang = min((indentation(block.text()) + HANG) * self.column_width, MOST_HANG * width)
        lines, height = layout.lineCount(), 0.0
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            inset = hang if height else 0.0
            line.setLeadingIncluded(True)
            line.setLineWidth(width - inset)
            line.setPosition(QPointF(margin + inset, height))
            height += line.height()
        layout.endLayout()
        if layout.lineCount() != lines:
            block.setLineCount(layout.lineCount())
            self.documentSizeChanged.emit(self.documentSize())
        return True


def fitting(font: QFont, widths: Sequence[int], room: float) -> QFont:
    """Return ``font``, a little smaller where that spares lines of so many columns, in ascending order, from being
    wrapped in ``room`` pixels: the largest that wraps as few of them as the smallest would."""

    def wrapped(candidate: QFont) -> int:
        columns = room / QFontMetricsF(candidate).horizontalAdvance("0")
        return len(widths) - bisect_right(widths, columns)

    sizes = []
    for n in range(STEPS + 1):
        candidate = QFont(font)
        candidate.setPointSizeF(font.pointSizeF() * (1.0 - n * (1.0 - SMALLEST) / STEPS))
        sizes.append(candidate)
    fewest = wrapped(sizes[-1])
    return next(candidate for candidate in sizes if wrapped(candidate) == fewest)
