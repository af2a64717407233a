"""Cache the visible lines of the editor and their positions: asked for several times a step, recomputed when they
change."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QTextBlock
from PySide6.QtWidgets import QPlainTextEdit


class LineShape(NamedTuple):
    """Describe the shape of a line, from its top: the height of all its rows and of the first, the base line of that,
    the boxes of the other rows."""

    height: float
    row: float
    base: float
    more: tuple[QRectF, ...]


class Line(NamedTuple):
    """Place a line in the viewport; ``number`` counts from 1."""

    number: int
    block: QTextBlock
    top: float
    shape: LineShape

    @property
    def bottom(self) -> float:
        return self.top + self.shape.height

    def across(self, width: int) -> QRect:
        """Return the box of the whole line in a widget of that width."""
        top = math.floor(self.top)
        return QRect(0, top, width, math.ceil(self.bottom) - top)


class VisibleLines:
    """Hold the lines of an editor that are in sight, from the first row of the viewport on. ``colour`` is asked to
    colour a line before that is shown, and says whether there was anything to do."""

    def __init__(self, editor: QPlainTextEdit, colour: Callable[[QTextBlock], bool]) -> None:
        self._editor, self._colour = editor, colour
        self._width = 0
        self._shapes: dict[int, LineShape] = {}
        self._place: tuple[int, float, int] | None = None
        self._lines: list[Line] = []
        self._tops: list[float] = []

    def forget(self) -> None:
        """Recompute the lines when the text, the font or the width changes."""
        self._shapes.clear()
        self._place = None

    def lines(self) -> Sequence[Line]:
        editor, viewport = self._editor, self._editor.viewport()
        if viewport.width() != self._width:
            self._width = viewport.width()
            self.forget()
        block, top, height = editor.firstVisibleBlock(), editor.contentOffset().y(), viewport.height()
        place = block.blockNumber(), top, height
        if place != self._place:
            self._place, self._lines = place, self._found(block, top, height)
            self._tops = [line.top for line in self._lines]
        return self._lines

    def _found(self, first: QTextBlock, top: float, height: int) -> list[Line]:
        self._colour_from(first, height)
        found, block, number = [], first, first.blockNumber() + 1
        while block.isValid() and top <= height:
            found.append(Line(number, block, top, self._shape(number, block)))
            top = found[-1].bottom
            block, number = block.next(), number + 1
        return found

    def _colour_from(self, block: QTextBlock, height: int) -> None:
        """Colour as many lines as there are at most in sight, before any is laid out: Qt lays out anew what comes after
        a line with other colours."""
        coloured = False
        for _ in range(height // self._editor.fontMetrics().height() + 2):
            if not block.isValid():
                break
            coloured |= self._colour(block)
            block = block.next()
        if coloured:
            self._shapes.clear()

    def _shape(self, number: int, block: QTextBlock) -> LineShape:
        if number not in self._shapes:
            height = self._editor.blockBoundingRect(block).height()  # lays it out
            layout = block.layout()
            layout.setCacheEnabled(True)  # the places of its glyphs are kept: it is painted many times
            rows = [layout.lineAt(n) for n in range(layout.lineCount())]
            more = tuple(row.rect() for row in rows[1:])
            self._shapes[number] = LineShape(height, rows[0].height(), rows[0].y() + rows[0].ascent(), more)
        return self._shapes[number]

    def line(self, number: int) -> Line | None:
        """Return a line by its number, None where it is out of sight."""
        lines = self.lines()
        at = number - lines[0].number if lines else 0
        return lines[at] if 0 <= at < len(lines) else None

    def within(self, boxes: Iterable[QRect]) -> list[Line]:
        """Return the lines that some boxes meet."""
        lines = self.lines()
        found: set[int] = set()
        for box in boxes:
            first, last = bisect_right(self._tops, box.top()) - 1, bisect_left(self._tops, box.bottom() + 1)
            found.update(range(max(0, first), last))
        return [lines[n] for n in sorted(found)]

    def at(self, y: float) -> Line | None:
        return next((line for line in self.lines() if line.top <= y < line.bottom), None)
