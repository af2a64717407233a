"""Draw the counter table: names that are never cut, curves over the run; only what has changed is painted."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QRegion, QResizeEvent

from warpview.ui.drawing.theme import Look
from warpview.ui.views.cells import MARGIN, CellBrush, CellTable, TableCell
from warpview.ui.views.counter_series import SeriesPlot
from warpview.ui.views.counters_model import broken
from warpview.ui.views.counters_table import NAME, SO_FAR, SPARK, CounterChanges, CounterModel

BAR = 4  # width of the bar before the selected counter
NAMES_KEPT = 512


class CounterList(CellTable):
    """Names take as many lines as they need, and the selected one has a bar before it."""

    def __init__(self, look: Look, table: CounterModel) -> None:
        super().__init__(look, table.cell)
        self._table = table
        self.series = SeriesPlot(look, self)
        self.setModel(table)
        for moved in (self.verticalScrollBar().valueChanged, self.verticalScrollBar().rangeChanged,
                      self.horizontalHeader().sectionResized, table.modelReset, table.layoutChanged):  # fmt: skip
            moved.connect(self.place_series)
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

    # ---- the curves over the run

    def place_series(self) -> None:
        """Lay the plot over its column, beside the rows in sight."""
        self.series.setVisible(not self.isColumnHidden(SPARK) and bool(self._table.shown))
        left, wide = self.span(SPARK)
        origin, high = self.viewport().geometry(), self.viewport().height()
        box = QRectF(origin.left() + left, origin.top(), wide, high)
        first = self.rows_in_sight().start
        top = first - self.rowViewportPosition(first) / self.row_height if self._table.shown else 0.0
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
        self.viewport().update(again)

    # ---- painting

    def paint_cell(self, brush: CellBrush, box: QRect, row: int, column: int) -> None:
        if column == NAME:
            self._paint_name(brush, box, self.cell(row, column), self._table.is_selected(row))
            return
        super().paint_cell(brush, box, row, column)

    def _paint_name(self, brush: CellBrush, box: QRect, cell: TableCell, selected: bool) -> None:
        brush.ground(box, cell)
        if selected:
            brush.painter.fillRect(box.left(), box.top(), BAR, box.height(), self.look.theme.qcolor("accent"))
        lines, face = self._lines(cell.text, box.width() - 2 * MARGIN), self.types[cell.role]
        high = round(face.height)
        top = box.top() + (box.height() - high * len(lines)) // 2
        for n, line in enumerate(lines):
            brush.line(box.left() + MARGIN, face.base_line(top + n * high, high), line, cell)
