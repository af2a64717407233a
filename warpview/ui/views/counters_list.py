"""The counter table on the screen: names that are never cut, sparklines, and only what has changed painted again."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QRegion

from warpview.ui.drawing.theme import Look
from warpview.ui.views.cells import MARGIN, CellBrush, CellTable, TableCell
from warpview.ui.views.counters_model import broken
from warpview.ui.views.counters_table import NAME, SO_FAR, SPARK, CounterChanges, CounterModel
from warpview.ui.views.sparkline import CURSOR, cursor_at, paint_sparkline

BAR = 4  # width of the bar before the selected counter
NAMES_KEPT = 512


class CounterList(CellTable):
    """Names take as many lines as they need, and the selected one has a bar before it."""

    def __init__(self, look: Look, table: CounterModel) -> None:
        super().__init__(look, table.cell)
        self._table = table
        self.setModel(table)
        self.setAccessibleName("Counters")
        self.setSortingEnabled(True)
        self.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self.horizontalHeader().setSortIndicatorClearable(True)

    def retype(self) -> None:
        super().retype()
        measure = self.types["text"].metrics.horizontalAdvance

        @lru_cache(maxsize=NAMES_KEPT)
        def lines(text: str, room: int) -> list[str]:
            return broken(text, room, measure)

        self._lines = lines

    # ---- what a frame changes

    def show_changes(self, changes: CounterChanges) -> None:
        """Paint the cells in sight that look different."""
        rows, high = self.rows_in_sight(), self.row_height
        top = self.rowViewportPosition(rows.start)
        whole, named, value = (0, self.viewport().width()), self.span(NAME, SO_FAR), self.span(SO_FAR)
        again = QRegion()
        for n, row in enumerate(self._table.shown[rows.start : rows.stop]):
            key = row.counter.key
            if key in changes.rows:
                left, width = whole
            elif key in changes.fresh:
                left, width = named
            elif key in changes.values:
                left, width = value
            else:
                continue
            again += QRect(left, top + n * high, width, high)
        for share in () if self.isColumnHidden(SPARK) else changes.shares:
            x = cursor_at(*self.span(SPARK), share)
            again += QRect(round(x) - CURSOR, 0, 2 * CURSOR + 1, self.viewport().height())
        self.viewport().update(again)

    # ---- painting

    def paint_cell(self, brush: CellBrush, box: QRect, row: int, column: int) -> None:
        if column == NAME:
            self._paint_name(brush, box, self.cell(row, column), self._table.is_selected(row))
            return
        super().paint_cell(brush, box, row, column)
        if column == SPARK:
            paint_sparkline(brush.painter, box, *self._table.line(row), self.look.theme)

    def _paint_name(self, brush: CellBrush, box: QRect, cell: TableCell, selected: bool) -> None:
        brush.ground(box, cell)
        if selected:
            brush.painter.fillRect(box.left(), box.top(), BAR, box.height(), self.look.theme.qcolor("accent"))
        lines, face = self._lines(cell.text, box.width() - 2 * MARGIN), self.types[cell.role]
        high = round(face.height)
        top = box.top() + (box.height() - high * len(lines)) // 2
        for n, line in enumerate(lines):
            brush.line(box.left() + MARGIN, face.base_line(top + n * high, high), line, cell)
