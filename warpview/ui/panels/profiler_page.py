"""Show a run in a table, as another profiler shows it, or in bars, why it takes as long as it does."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QLabel, QStackedLayout, QTableWidgetItem, QVBoxLayout

from warpview.run.verdict import Verdict
from warpview.ui.drawing.controls import push_button, row_table, table_item
from warpview.ui.drawing.panel import Panel
from warpview.ui.drawing.restyled import RestyledInSight
from warpview.ui.drawing.style import dim
from warpview.ui.drawing.theme import Look
from warpview.ui.panels.bars import VerdictArea
from warpview.ui.panels.profiler_model import ProfilerCell, Table
from warpview.ui.panels.verdict_model import groups, verdict_table

ROW = 30  # pixels at normal type: the height of a row
NUMERIC = frozenset(("number", "good", "error"))  # roles of cells that hold numbers


class ProfilerPage(Panel):
    """Show tables under headings."""

    closed = Signal()
    export_wanted = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.shown: Table | None = None
        self._heading, self._about = QLabel(), QLabel()
        dim(self._about)
        for label in (self._heading, self._about):
            label.setWordWrap(True)
        self.table = row_table("Figures of the run")
        self.table.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keys go on stepping
        self.bars = VerdictArea(look)
        top = QHBoxLayout()
        top.addWidget(self._heading, 1)
        top.addWidget(push_button("Export …", "As a table (Ctrl+E)", self.export_wanted.emit))
        top.addWidget(push_button("Back", "Back to stepping (Esc)", self.closed.emit))
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.addLayout(top)
        column.addWidget(self._about)
        self._middle = QStackedLayout()
        self._middle.addWidget(self.table)
        self._middle.addWidget(self.bars)
        column.addLayout(self._middle, 1)
        RestyledInSight(self, look, self._restyle)
        self._restyle()

    def show_verdict(self, verdict: Verdict, kernel: str) -> None:
        """Show what limits a launch of ``kernel``, its costly lines and what could be gained."""
        self.show_table(verdict_table(verdict, kernel))
        self.bars.show_groups(groups(verdict))
        self._middle.setCurrentWidget(self.bars)

    def show_table(self, table: Table) -> None:
        """Show a run as another profiler reports it."""
        self.shown = table
        self._middle.setCurrentWidget(self.table)
        self._heading.setText(table.title)
        self._about.setText(table.about)
        self._fill()

    def _restyle(self) -> None:
        self._heading.setFont(self._look.font("page"))
        self.table.verticalHeader().setDefaultSectionSize(self._look.px(ROW))
        self.bars.restyle()
        self._fill()

    def _fill(self) -> None:
        shown, table = self.shown, self.table
        if shown is None:
            return
        header = table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)  # otherwise each cell measures all of them
        table.setRowCount(len(shown.rows))
        table.setColumnCount(len(shown.header))
        for r, row in enumerate(shown.rows):
            for c, cell in enumerate(row):
                table.setItem(r, c, self._item(cell))
        numeric = [any(row[c].role in NUMERIC for row in shown.rows) for c in range(len(shown.header))]
        for c, (title, is_numeric) in enumerate(zip(shown.header, numeric, strict=True)):
            table.setHorizontalHeaderItem(c, table_item(title, is_numeric))
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setStretchLastSection(not numeric[-1])

    def _item(self, cell: ProfilerCell) -> QTableWidgetItem:
        numeric = cell.role in NUMERIC
        item = table_item(cell.text, numeric)
        item.setToolTip(cell.tip or cell.text)
        item.setFont(self._look.font("number" if numeric else "text"))
        if cell.role in ("good", "error"):
            item.setForeground(QColor(self._look.theme.qcolor(cell.role)))
        return item
