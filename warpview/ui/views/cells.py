"""Show tables of cells, the counters' and the instructions' alike, in the type and the colours of the look."""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from warpview.ui.drawing.app_style import CELL_MARGIN
from warpview.ui.drawing.guarded import guarded
from warpview.ui.drawing.theme import Look, Role

Index = QModelIndex | QPersistentModelIndex
LEFT, RIGHT = (
    side | Qt.AlignmentFlag.AlignVCenter for side in (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight)
)
_Role = Qt.ItemDataRole


class TableCell(NamedTuple):
    """Hold all that is to be seen of a cell; without a ``ground`` it shows the table's own background."""

    text: str
    colour: QColor
    ground: QColor | None = None
    role: Role = "text"
    right: bool = False


class CellModel(QAbstractTableModel):
    """Give Qt the cells of a table. A subclass says how many rows there are, each cell and its hover text."""

    columns = 0

    def __init__(self, look: Look, parent: QObject) -> None:
        super().__init__(parent)
        self.look = look

    def cell(self, row: int, column: int) -> TableCell:
        """Return what is to be seen of a cell."""
        raise NotImplementedError

    def hover(self, row: int, column: int) -> str:
        """Return the hover text of a cell."""
        raise NotImplementedError

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008
        return self.columns

    def data(self, index: Index, role: int = _Role.DisplayRole) -> Any:
        if role == _Role.ToolTipRole:
            return self.hover(index.row(), index.column())
        return self.cell(index.row(), index.column()).text if role == _Role.DisplayRole else None


class CellTable(QTableView):
    """Show a table of cells in rows of one height. Nothing in it is selected or has the keys."""

    def __init__(self, look: Look, model: CellModel) -> None:
        super().__init__()
        self.look = look
        self.setModel(model)
        self.cells = model
        self.setShowGrid(False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(1)  # rows are as high as their type
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    @property
    def row_height(self) -> int:
        return self.verticalHeader().defaultSectionSize()

    @property
    def _top(self) -> int:
        """Return where the first row begins, in the viewport."""
        return self.rowViewportPosition(0) if self.cells.rowCount() else 0

    def rows_across(self, area: QRect) -> range:
        """Return the rows that cross an area of the viewport."""
        high, top = self.row_height, self._top
        return range(max(0, (area.top() - top) // high), min(self.cells.rowCount(), (area.bottom() - top) // high + 1))

    def span(self, column: int) -> tuple[int, int]:
        """Return left edge and width of a column, in the viewport."""
        return self.columnViewportPosition(column), self.columnWidth(column)

    # ---- drawing

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Paint the cells themselves: Qt asks the style several times for each, which takes longer than the text."""
        region, rows = event.region(), self.rows_across(event.rect())
        high, top = self.row_height, self._top
        spans = [(n, *self.span(n)) for n in range(self.cells.columns) if not self.isColumnHidden(n)]
        with QPainter(self.viewport()) as painter:
            for row, (column, left, wide) in product(rows, spans):
                box = QRect(left, top + row * high, wide, high)
                if region.intersects(box):
                    self.paint_cell(painter, row, column, box)

    def paint_cell(self, painter: QPainter, row: int, column: int, box: QRect) -> None:
        """Paint one cell into its place in the viewport."""
        cell = self.cells.cell(row, column)
        if cell.ground is not None:
            painter.fillRect(box, cell.ground)
        if cell.text:
            self.paint_text(painter, cell, box.adjusted(CELL_MARGIN, 0, -CELL_MARGIN, 0))

    def paint_text(self, painter: QPainter, cell: TableCell, room: QRect) -> None:
        """Write the text of a cell on one line, cut with an ellipsis where it is longer than the ``room``."""
        painter.setFont(self.look.font(cell.role))
        painter.setPen(cell.colour)
        text = cell.text
        if (metrics := painter.fontMetrics()).horizontalAdvance(text) > room.width():
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, RIGHT if cell.right else LEFT, text)
