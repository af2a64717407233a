"""Show the counter table: names that are never cut, and curves over the run in a plot beside the rows."""

from __future__ import annotations

import re

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QResizeEvent

from warpview.ui.drawing.theme import Look
from warpview.ui.views.cells import LEFT, CellTable, TableCell
from warpview.ui.views.counters.counter_series import SeriesPlot
from warpview.ui.views.counters.counters_table import SPARK, CounterModel


class CounterList(CellTable):
    """Show names in as many lines as they need, and the curves."""

    def __init__(self, look: Look, table: CounterModel) -> None:
        super().__init__(look, table)
        self._table = table
        self.series = SeriesPlot(look, self)
        for moved in (self.verticalScrollBar().valueChanged, self.verticalScrollBar().rangeChanged,
                      self.horizontalHeader().sectionResized, table.modelReset, table.layoutChanged):  # fmt: skip
            moved.connect(self.place_series)
        self.setAccessibleName("Counters")
        self.setSortingEnabled(True)
        self.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self.horizontalHeader().setSortIndicatorClearable(True)

    def paint_text(self, painter: QPainter, cell: TableCell, room: QRect) -> None:
        """Break names, the only texts at the left, after underscores, points and strokes where they do not fit."""
        if cell.right:
            super().paint_text(painter, cell, room)
            return
        painter.setFont(self.look.font(cell.role))
        painter.setPen(cell.colour)
        painter.drawText(room, LEFT | Qt.TextFlag.TextWordWrap, re.sub(r"([_./])", "\\1\u200b", cell.text))

    # ---- the curves over the run

    def place_series(self) -> None:
        """Lay the plot over its column, beside the rows in sight."""
        self.series.setVisible(not self.isColumnHidden(SPARK) and bool(self._table.shown))
        left, wide = self.span(SPARK)
        origin, high = self.viewport().geometry(), self.viewport().height()
        box = QRectF(origin.left() + left, origin.top(), wide, high)
        top = -self.rowViewportPosition(0) / self.row_height if self._table.shown else 0.0
        self.series.show_place(box, top, high / self.row_height)

    def show_series(self) -> None:
        """Show the samples that there are, in the order of the rows."""
        values = self._table.samples.values
        rows = [(r.counter.title, r.counter.unit, values.get(r.counter.key, ())) for r in self._table.shown]
        self.series.show_rows(rows, self._table.samples.steps)
        self.place_series()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self.place_series()
