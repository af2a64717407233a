"""List the instructions of the selected line, or of the whole program."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from PySide6.QtCore import QModelIndex, QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QWidget

from warpview.isa.program import NONE
from warpview.sim.raw_counts import Raw
from warpview.ui.drawing.app_style import CELL_MARGIN
from warpview.ui.drawing.theme import Look, Role, heat_colour
from warpview.ui.moving.selection import Selection
from warpview.ui.views.cells import CellModel, CellTable, Index, TableCell
from warpview.ui.views.context import FrameContext, RunLike
from warpview.ui.views.instructions.heat_model import Heat, instruction_heat
from warpview.ui.views.instructions.instructions_model import (
    InstructionRow,
    Listing,
    State,
    listing,
    rows_in_sight,
    state,
)
from warpview.ui.views.view import LegendEntry, View

COLUMNS = 6
SIGN, NUMBER, HEAT, LABEL, TEXT, ISSUED = range(COLUMNS)
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

    def __init__(self, selection: Selection, look: Look) -> None:
        self._heat = Heat()
        super().__init__(selection, look)
        self._heat_of: tuple[int, str | None] | None = None
        self._most = 0  # times that any instruction is issued
        self.table = _Model(self.look, self)
        self.list = _Table(self.look, self.table)
        self.list.setAccessibleName(self.title)
        # Room for the bar is always there: with it the columns would come and go, and be painted twice.
        self.list.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        header = self.list.horizontalHeader()
        header.setMinimumSectionSize(1)
        header.setSectionResizeMode(TEXT, QHeaderView.ResizeMode.Stretch)
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
        self._most = int(run.counts[:, Raw.EXECUTED].max(initial=0))
        self._fit()

    def _fit(self) -> None:
        """Make columns as wide as this program needs, once: measuring them at every step would cost a display frame."""
        digit = QFontMetrics(self.look.font("mono_bold")).horizontalAdvance("0")
        rows = self.table.listing.rows
        labels = max((len(r.label) for r in rows), default=0)
        digits = {SIGN: 1, NUMBER: len(str(len(rows))), LABEL: labels, ISSUED: len(f"×{self._most}")}
        for column, count in digits.items():
            self.list.setColumnWidth(column, digit * count + 2 * CELL_MARGIN + 1)
        self.list.setColumnWidth(HEAT, self.look.px(BAR))

    def clear(self) -> None:
        self.table.load(Listing((), {}))

    def draw(self, context: FrameContext) -> None:
        self._show_heat(context)
        before, now = self.table.state, state(context, self.table.listing, self.whole.isChecked())
        if not self.table.show(now):
            return
        self.set_note(f"line {now.line}" if now.line and not self.whole.isChecked() else "")
        self.list.keep_in_sight(rows_in_sight(before, now))

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
        now = self.selection.now
        if now.pc == row.pc:
            self.selection.update(pc=None, line=None)
        else:
            self.selection.update(pc=row.pc, line=row.line)  # the source shows which line it became of

    def legend(self) -> list[LegendEntry]:
        return [
            LegendEntry("glow", "fill", "just executed"),
            LegendEntry("accent", "fill", "next instruction of the selected warp"),
            LegendEntry("conflict", "fill", self._heat.scale),
        ]


class _Table(CellTable):
    """Keep the rows that matter in sight, after a change of its size too."""

    cells: _Model

    def __init__(self, look: Look, model: _Model) -> None:
        super().__init__(look, model)
        self._in_sight: tuple[int, ...] = ()

    def keep_in_sight(self, rows: tuple[int, ...]) -> None:
        """Scroll to each of these rows in turn, by as little as it takes."""
        self._in_sight = rows
        self.executeDelayedItemsLayout()  # of a model that was reset: without its rows nothing scrolls
        for row in rows:
            self.scrollTo(self.model().index(row, 0))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self.keep_in_sight(self._in_sight)

    def paint_cell(self, painter: QPainter, row: int, column: int, box: QRect) -> None:
        """Paint a cell; that of the heat is a bar, the longer and the stronger the hotter the instruction is."""
        super().paint_cell(painter, row, column, box)
        pc, heat, look = self.cells.row(row).pc, self.cells.heat, self.look
        if column == HEAT and (share := heat.share.get(pc)):
            edge = round(0.36 * box.height())
            wide, high = max(2, round(share * look.px(BAR))), box.height() - 2 * edge
            bar = QRect(box.left(), box.top() + edge, wide, high)
            painter.fillRect(bar, heat_colour(look.theme, heat.strength(pc)))


class _Model(CellModel):
    columns = COLUMNS

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(look, parent)
        self.listing = Listing((), {})
        self.heat = Heat()
        self.state = _EMPTY

    def load(self, listing_: Listing) -> None:
        self.beginResetModel()
        self.listing, self.state = listing_, _EMPTY
        self.endResetModel()

    def show_heat(self, heat: Heat) -> None:
        """Colour the instructions by another counter."""
        self.heat = heat
        self._announce(range(self.rowCount()), (HEAT,))

    def show(self, now: State) -> bool:
        """Show another frame; return whether anything looks different."""
        if now == self.state:
            return False
        before, self.state = self.state, now
        if len(before.shown) != len(now.shown):
            self.state = before
            self.beginResetModel()
            self.state = now
            self.endResetModel()
        else:
            self._announce((n for n in range(len(now.shown)) if before.look_of(n) != now.look_of(n)), range(COLUMNS))
        return True

    def _announce(self, rows: Iterable[int], columns: Iterable[int]) -> None:
        for row, column in product(rows, columns):  # Qt paints all of the table for a range of cells
            self.dataChanged.emit(index := self.index(row, column), index)

    def row(self, number: int) -> InstructionRow:
        return self.listing.rows[self.state.shown[number]]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008
        return len(self.state.shown)

    def cell(self, number: int, column: int) -> TableCell:
        row, theme = self.row(number), self.look.theme
        here = row.pc in (self.state.done, self.state.coming)
        colour = theme.qcolor("accent" if column == SIGN else "text" if column in (NUMBER, TEXT) else "dim")
        font: Role = "mono_bold" if here else "mono"
        return TableCell(self._words(row, number)[column], colour, self._ground(row), font, column in (NUMBER, ISSUED))

    def _words(self, row: InstructionRow, number: int) -> tuple[str, ...]:
        sign = "●" if row.pc == self.state.done else "▸" if row.pc == self.state.coming else ""
        times = self.state.executed[number]
        return sign, str(row.pc), "", row.label, row.text, f"×{times}" if times else ""

    def _ground(self, row: InstructionRow) -> QColor | None:
        if row.pc == self.state.done:
            return self.look.theme.qcolor("glow")
        whole = len(self.state.shown) == len(self.listing.rows)
        return self.look.theme.qcolor("accent", 0.12) if whole and row.line == self.state.line else None

    def hover(self, number: int, column: int) -> str:
        row = self.row(number)
        return "\n".join(filter(None, (row.words, self.heat.words.get(row.pc))))
