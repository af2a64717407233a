"""List the instructions that the selected line, or the whole program, became."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QRect, QSignalBlocker, Qt
from PySide6.QtGui import QColor, QFontMetrics
from PySide6.QtWidgets import QHeaderView, QWidget

from warpview.isa.program import NONE
from warpview.sim.raw_counts import Raw
from warpview.ui.drawing.theme import Look, Role, heat_colour
from warpview.ui.moving.selection import Selection
from warpview.ui.views.cells import MARGIN, CellBrush, CellTable, Index, TableCell
from warpview.ui.views.context import FrameContext, RunLike
from warpview.ui.views.heat_model import Heat, instruction_heat, total_counts
from warpview.ui.views.instructions_model import Listing, State, listing, state
from warpview.ui.views.view import LegendEntry, View

_COLUMNS = ("", "#", "", "instruction", "issued")
NUMBER = 1  # the column of the instruction's number, and of its heat
BAR = 24  # of the longest bar of heat, in pixels at normal type
_EMPTY = State((), 0, NONE, NONE, ())


class InstructionsView(View):
    key = "instructions"
    title = "Instructions"
    tab = "Code"
    about = (
        "The instructions of the line, as a plain compiler emits them: ● just executed, ▸ about to be. The bar beside "
        "a number is its heat; hover over an instruction for what it does."
    )

    def __init__(self, selection: Selection, look: Look, parent: QWidget | None = None) -> None:
        self._heat = Heat()
        super().__init__(selection, look, parent)
        self._heat_of: tuple[int, str | None] | None = None
        self._most = 0  # times that any instruction is issued
        self.table = _Model(self.look, self)
        self.list = _List(self.look, self.table)
        self.list.setAccessibleName(self.title)
        # Room for the bar is always there: with it the columns would come and go, and be painted twice.
        self.list.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        header = self.list.horizontalHeader()
        header.setMinimumSectionSize(1)
        header.setSectionResizeMode(3, QHeaderView.ResizeMode.Stretch)
        header.hide()
        self.set_body(self.list)
        self.whole = self.add_tool("all", "The whole program instead of the line's instructions", checkable=True)
        self.whole.toggled.connect(lambda _: self.refresh())
        self.list.clicked.connect(self._on_click)
        self.restyle()

    def design(self, run: RunLike) -> tuple[float, float]:
        """Return the size of a listing; the instructions of a line are few, and short."""
        return (44.0, 20.0)

    def prepare(self, run: RunLike) -> None:
        self._heat_of = None
        self.table.load(listing(run.program))
        self._most = int(total_counts(run)[:, Raw.EXECUTED].max(initial=0))
        self._fit()

    def _fit(self) -> None:
        """Make columns as wide as this program needs, once: measuring them at every step would cost a display frame."""
        digit = QFontMetrics(self.look.font("mono_bold")).horizontalAdvance("0")
        rows = self.table.listing.rows
        labels = max((len(r.label) for r in rows), default=0)
        digits = {0: 1, NUMBER: len(str(len(rows))), 2: labels, 4: len(f"×{self._most}")}
        for column, count in digits.items():
            bar = self.look.px(BAR) if column == NUMBER else 0
            self.list.setColumnWidth(column, digit * count + 2 * MARGIN + 1 + bar)

    def clear(self) -> None:
        self.table.load(Listing((), {}))

    def draw(self, context: FrameContext) -> None:
        self._show_heat(context)
        now = state(context, self.table.listing, self.whole.isChecked())
        rows = self.table.rowCount()
        different = self.table.show(now)
        if different is None:
            return
        if self.table.rowCount() == rows:
            self.list.update_rows(different)
        else:
            self.list.fit_rows()
        self.set_note(f"line {now.line}" if now.line and not self.whole.isChecked() else "")
        at = now.done if now.done in now.shown else now.coming
        if at in now.shown:
            self.list.scrollTo(self.table.index(now.shown.index(at), 0))

    def _show_heat(self, context: FrameContext) -> None:
        wanted = (id(context.run), context.selection.counter)
        if wanted != self._heat_of:
            self._heat_of = wanted
            self._heat = instruction_heat(context.run, context.selection.counter)
            self.table.show_heat(self._heat)
            self.refresh_legend()

    def restyle(self) -> None:
        self.list.setFont(self.look.font("mono"))
        self.list.verticalHeader().setDefaultSectionSize(self.list.fontMetrics().height() + self.look.px(3))
        self._fit()
        super().restyle()

    def _on_click(self, index: QModelIndex) -> None:
        row = self.table.row(index.row())
        self.selection.toggle(pc=row.pc)

    def legend(self) -> list[LegendEntry]:
        return [
            LegendEntry("glow", "fill", "just executed"),
            LegendEntry("accent", "fill", "next of the selected warp"),
            LegendEntry("conflict", "fill", self._heat.scale),
        ]

    def texts(self) -> list[str]:
        shown = range(self.table.rowCount())
        return [*super().texts(), *(self.table.row(n).text for n in shown)]


class _List(CellTable):
    """Show a bar of heat beside each number, the longer and the stronger the hotter."""

    def __init__(self, look: Look, table: _Model) -> None:
        self._only_rows = False
        super().__init__(look, table.cell)
        self.table = table
        self.setModel(table)

    def fit_rows(self) -> None:
        """Change the number of rows; nothing else is another, so that nothing else is laid out. At once, or the table
        would be painted now and once more when it is."""
        self._only_rows = True
        self.executeDelayedItemsLayout()
        self._only_rows = False

    def updateGeometries(self) -> None:  # noqa: N802
        if not self._only_rows:
            super().updateGeometries()
            return
        bar, fit = self.verticalScrollBar(), self.viewport().height() // self.row_height
        with QSignalBlocker(bar):  # whose range would else have the whole area laid out
            bar.setPageStep(fit)
            bar.setRange(0, max(0, self.model().rowCount() - fit))
        if 0 < bar.maximum() == bar.value():
            self.verticalHeader().setOffsetToLastSection()
        else:
            self.verticalHeader().setOffsetToSectionPosition(bar.value())

    def paint_cell(self, brush: CellBrush, box: QRect, row: int, column: int) -> None:
        if column != NUMBER:
            super().paint_cell(brush, box, row, column)
            return
        cell = self.cell(row, column)
        brush.ground(box, cell)
        longest = self.look.px(BAR)
        brush.words(box.adjusted(0, 0, -longest, 0), cell)
        pc, heat = self.table.row(row).pc, self.table.heat
        share = heat.share.get(pc)
        if share:
            edge = round(0.36 * box.height())
            wide, high = max(2, round(share * longest)), box.height() - 2 * edge
            bar = QRect(box.right() - longest, box.top() + edge, wide, high)
            brush.painter.fillRect(bar, heat_colour(self.look.theme, heat.strength(pc)))


class _Model(QAbstractTableModel):
    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        self.listing = Listing((), {})
        self.heat = Heat()
        self._state = _EMPTY
        self._selected = NONE

    def load(self, listing_: Listing) -> None:
        self.beginResetModel()
        self.listing, self._state = listing_, _EMPTY
        self.endResetModel()

    def show_heat(self, heat: Heat) -> None:
        """Colour the numbers of the instructions by another counter."""
        self.heat = heat
        if self.rowCount():
            self.dataChanged.emit(self.index(0, 1), self.index(self.rowCount() - 1, 1))

    def show(self, now: State) -> list[int] | None:
        """Show another frame; return which rows look different, for the caller to draw again: that is faster than
        signals. None where all is as it was."""
        if now == self._state:
            return None
        before = self._state
        have, want = len(before.shown), len(now.shown)
        # Adding or taking away the rows that differ in number leaves the table's layout alone, as a reset would not.
        if want > have:
            self.beginInsertRows(QModelIndex(), have, want - 1)
        elif want < have:
            self.beginRemoveRows(QModelIndex(), want, have - 1)
        self._state = now
        if want > have:
            self.endInsertRows()
        elif want < have:
            self.endRemoveRows()
        return [n for n in range(max(have, want)) if n >= min(have, want) or before.look_of(n) != now.look_of(n)]

    def row(self, number: int) -> Any:
        return self.listing.rows[self._state.shown[number]]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008
        return 0 if parent.isValid() else len(self._state.shown)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008
        return len(_COLUMNS)

    def cell(self, number: int, column: int) -> TableCell:
        """Return at once what ``data`` says by role."""
        row = self.row(number)
        return TableCell(
            self._words(row, number, column), self._ground(row, column), self._colour(column), self._font(row),
            column in (1, 4), column == 4,
        )  # fmt: skip

    def _words(self, row: Any, number: int, column: int) -> str:
        if column == 0:
            return "●" if row.pc == self._state.done else "▸" if row.pc == self._state.coming else ""
        if column == 4:
            times = self._state.executed[number]
            return f"×{times}" if times else ""
        return str((row.pc, row.label, row.text)[column - 1])

    def _ground(self, row: Any, column: int) -> QColor | None:
        if row.pc == self._state.done:
            return self._look.theme.qcolor("glow")
        whole = len(self._state.shown) == len(self.listing.rows)
        return self._look.theme.qcolor("accent", 0.12) if whole and row.line == self._state.line else None

    def _colour(self, column: int) -> QColor:
        return self._look.theme.qcolor("accent" if column == 0 else "text" if column in (1, 3) else "dim")

    def _font(self, row: Any) -> Role:
        return "mono_bold" if row.pc in (self._state.done, self._state.coming) else "mono"

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return words and hover texts; ``cell`` says what a cell looks like."""
        row = self.row(index.row())
        if role == Qt.ItemDataRole.DisplayRole:
            return self._words(row, index.row(), index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join(filter(None, (row.words, self.heat.words.get(row.pc))))
        return None
