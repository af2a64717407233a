"""Paint the cells of tables directly: a tenth of the time of styled ones, which counts at every step.

Sorting, scrolling, hover texts and what screen readers are told stay Qt's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QRegion
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from warpview.ui.drawing.style import fill_background
from warpview.ui.drawing.theme import Look, Role
from warpview.ui.drawing.typeface import Typeface

MARGIN = 6
Index = QModelIndex | QPersistentModelIndex
_ROLES: tuple[Role, ...] = ("text", "number", "mono", "mono_bold")


class TableCell(NamedTuple):
    """Hold all that is to be seen of a cell; no ground is the table's own. A ``transient`` text is another at every
    step, so that it is not worth keeping."""

    text: str
    ground: QColor | None = None
    colour: QColor | None = None
    role: Role = "text"
    right: bool = False
    transient: bool = False


class CellBrush:
    """Draw the ground and the texts of cells."""

    def __init__(self, painter: QPainter, look: Look, types: dict[Role, Typeface]) -> None:
        self.painter, self.theme, self.types = painter, look.theme, types
        self._face: Typeface | None = None

    def ground(self, box: QRect, cell: TableCell) -> None:
        if cell.ground is not None:
            self.painter.fillRect(box, cell.ground)

    def words(self, box: QRect, cell: TableCell) -> None:
        """Draw words on one line, as much as there is room for."""
        if not cell.text:
            return
        face, room = self.types[cell.role], box.width() - 2 * MARGIN
        text, width = (face.fitting if cell.transient else face.kept)(cell.text, room)
        x = box.left() + MARGIN + (room - width if cell.right else 0.0)
        self.line(x, face.base_line(box.top(), box.height()), text, cell)

    def line(self, x: float, y: float, text: str, cell: TableCell) -> None:
        """Draw a text in the style of a cell; ``y`` is its base line."""
        self.painter.setPen(cell.colour or self.theme.qcolor("text"))
        face = self.types[cell.role]
        if face is not self._face:  # the painter looks for the glyphs of every font that it is given
            self._face = face
            self.painter.setFont(face.font)
        self.painter.drawText(QPointF(x, y), text)


class CellTable(QTableView):
    """Show ``cell(row, column)`` in rows of one height. Nothing in it is selected or has the keys."""

    def __init__(self, look: Look, cell: Callable[[int, int], TableCell]) -> None:
        super().__init__()
        self.look, self.cell = look, cell
        fill_background(self.viewport())
        self.setShowGrid(False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.types: dict[Role, Typeface] = {}
        self._scale = 0.0
        look.changed.connect(self.retype)
        self.retype()

    def retype(self) -> None:
        """Make the typefaces, where the size is another."""
        if self._scale != self.look.scale:
            self._scale = self.look.scale
            for header in (self.horizontalHeader(), self.verticalHeader()):
                header.setFont(self.look.font())  # the least of rows and columns, whatever they are written in
            self.types = {role: Typeface(self.look.font(role)) for role in _ROLES}

    # ---- where cells are

    @property
    def row_height(self) -> int:
        return self.verticalHeader().defaultSectionSize()

    def rows_in_sight(self) -> range:
        first, last = self.rowAt(0), self.rowAt(self.viewport().height() - 1)
        return range(max(0, first), (self.model().rowCount() if last < 0 else last + 1) if first >= 0 else 0)

    def span(self, *columns: int) -> tuple[int, int]:
        """Return left edge and width of neighbouring columns, in the viewport."""
        left = self.columnViewportPosition(columns[0])
        return left, self.columnViewportPosition(columns[-1]) + self.columnWidth(columns[-1]) - left

    def cells_in(self, boxes: Iterable[QRect]) -> Iterator[tuple[int, int, QRect]]:
        """Yield row, column and box of the cells that any of the boxes touches, each of them once, column by column:
        one typeface after the other."""
        columns = [(n, *self.span(n)) for n in range(self.model().columnCount()) if not self.isColumnHidden(n)]
        rows, high = self.rows_in_sight(), self.row_height
        top = self.rowViewportPosition(rows.start)
        touched = [(b.left(), b.right(), (b.top() - top) // high, (b.bottom() - top) // high) for b in boxes]
        for column, left, wide in columns:
            found: set[int] = set()
            for from_x, to_x, first, last in touched:
                if left <= to_x and left + wide > from_x:
                    found.update(rows[first : last + 1])
            for row in found:
                yield row, column, QRect(left, top + (row - rows.start) * high, wide, high)

    # ---- painting

    def update_rows(self, rows: Iterable[int]) -> None:
        """Paint these anew, all across."""
        wide, high, again = self.viewport().width(), self.row_height, QRegion()
        for row in rows:
            again += QRect(0, self.rowViewportPosition(row), wide, high)
        self.viewport().update(again)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        with QPainter(self.viewport()) as painter:
            painter.fillRect(event.rect(), self.look.theme.qcolor("panel"))
            brush = CellBrush(painter, self.look, self.types)
            for row, column, box in self.cells_in(event.region()):  # type: ignore[arg-type]
                self.paint_cell(brush, box, row, column)

    def paint_cell(self, brush: CellBrush, box: QRect, row: int, column: int) -> None:
        """Paint a cell; overridden where there is more to it than a text."""
        cell = self.cell(row, column)
        brush.ground(box, cell)
        brush.words(box, cell)
