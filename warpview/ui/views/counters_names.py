"""The names in the counter table: never cut, on as many lines as they need, with a bar before the selected one."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from warpview.ui.drawing.theme import Look
from warpview.ui.views.cells import MARGIN, Cell, CellDelegate, Index
from warpview.ui.views.counters_model import broken

BAR = 4  # width of the bar before the selected counter


class NameCell(CellDelegate):
    """A cell whose text may take several lines; ``selected`` says which one has the bar."""

    def __init__(
        self, look: Look, parent: object, cell: Callable[[Index], Cell], selected: Callable[[Index], bool]
    ) -> None:
        super().__init__(look, parent, cell)
        self._selected = selected

    def _restyle(self) -> None:
        super()._restyle()
        measure = QFontMetrics(self._fonts["text"]).horizontalAdvance

        @lru_cache(maxsize=512)
        def lines(text: str, room: int) -> str:
            return "\n".join(broken(text, room, measure))

        self._lines = lines

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        box: QRect = option.rect
        text, ground, colour, role, _ = self._cell(index)
        if ground is not None:
            painter.fillRect(box, ground)
        if self._selected(index):
            painter.fillRect(box.left(), box.top(), BAR, box.height(), self._look.theme.qcolor("accent"))
        inner = box.adjusted(MARGIN, 0, -MARGIN, 0)
        painter.setPen(colour or self._look.theme.qcolor("text"))
        painter.setFont(self._fonts[role])
        words = self._lines(text, inner.width())
        painter.drawText(inner, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), words)
