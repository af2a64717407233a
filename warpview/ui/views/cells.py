"""Show tables of cells, the counters' and the instructions' alike, in the type and the colours of the look."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from warpview.ui.drawing.theme import Look, Role

Index = QModelIndex | QPersistentModelIndex
_LEFT, _RIGHT = (
    side | Qt.AlignmentFlag.AlignVCenter for side in (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight)
)
_Role = Qt.ItemDataRole


class TableCell(NamedTuple):
    """Hold all that is to be seen of a cell; None stands for the table's own background."""

    text: str
    ground: QColor | None = None
    colour: QColor | None = None
    role: Role = "text"
    right: bool = False


_SEEN: dict[int, Callable[[TableCell, Look], Any]] = {
    _Role.DisplayRole: lambda cell, look: cell.text,
    _Role.BackgroundRole: lambda cell, look: cell.ground,
    _Role.ForegroundRole: lambda cell, look: cell.colour,
    _Role.FontRole: lambda cell, look: look.font(cell.role),
    _Role.TextAlignmentRole: lambda cell, look: _RIGHT if cell.right else _LEFT,
}


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
        seen = _SEEN.get(role)  # Qt also asks for what no cell has, such as icons: no cell is made for that
        return seen(self.cell(index.row(), index.column()), self.look) if seen is not None else None


class CellTable(QTableView):
    """Show a table of cells in rows of one height. Nothing in it is selected or has the keys."""

    def __init__(self, look: Look, model: CellModel) -> None:
        super().__init__()
        self.look = look
        self.setModel(model)
        self.setShowGrid(False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(1)  # rows are as high as their type
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    @property
    def row_height(self) -> int:
        return self.verticalHeader().defaultSectionSize()

    def span(self, column: int) -> tuple[int, int]:
        """Return left edge and width of a column, in the viewport."""
        return self.columnViewportPosition(column), self.columnWidth(column)
