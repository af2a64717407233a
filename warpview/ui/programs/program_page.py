"""Show the page of a whole program: its launches, its timeline, its findings and its output."""

from __future__ import annotations

from collections import deque

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from warpview.host import ProgramResult
from warpview.ui.drawing.controls import push_button, row_table, splitter, table_item
from warpview.ui.drawing.panel import Panel
from warpview.ui.drawing.restyled import RestyledInSight
from warpview.ui.drawing.style import bold, dim, mark
from warpview.ui.drawing.theme import Look
from warpview.ui.programs.program_model import COLUMNS, Wrong, busy, ending, wrongs
from warpview.ui.programs.program_timeline import ProgramTimeline

MOST_LINES = 20_000  # of the output that are kept in sight
MOST_PENDING = 256  # pieces of output that wait to be shown
FLUSH_MS = 30
ROW = 30  # pixels at normal type: the height of a row of the table


class ProgramPage(Panel):
    """Show one run of a program, as it goes on and after its end."""

    closed = Signal()
    run_wanted = Signal()
    stop_wanted = Signal()
    export_wanted = Signal()
    launch_wanted = Signal(int)  # a launch to open, from 0
    place_wanted = Signal(object)  # Wrong: of which the place is to be shown

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.result: ProgramResult | None = None
        self._pending: deque[tuple[str, str]] = deque(maxlen=MOST_PENDING)
        self._heading, self.about = QLabel("No program has run yet."), QLabel()
        self.about.setWordWrap(True)
        dim(self.about)
        self.launches = row_table("Launches of the program", len(COLUMNS))
        self.timeline = ProgramTimeline(look)
        self.wrong = QListWidget()
        self._findings = _titled("Findings", self.wrong)
        self.output = QPlainTextEdit()
        self._buttons = {
            "open": push_button(
                "Open launch",
                "Step through the selected launch with the program's own data (Enter)",
                self.open_selected,
            ),
            "again": push_button(
                "Run again", "Run the program once more with the same arguments (Ctrl+F5)", self.run_wanted.emit
            ),
            "stop": push_button("Stop", "End the program (Ctrl+.)", self.stop_wanted.emit),
            "export": push_button(
                "Export timeline …", "Write the timeline as CSV, or as JSON for Perfetto", self.export_wanted.emit
            ),
            "close": push_button("Back", "Back to stepping (Esc)", self.closed.emit),
        }
        mark(self._buttons["open"], "primary", True)
        self._make_parts()
        self._compose()
        self._connect()
        self._restyle()
        self.set_running(False)

    def _make_parts(self) -> None:
        table = self.launches
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        for n, column in enumerate(COLUMNS):
            heading = table_item(column.heading, column.numeric)
            heading.setToolTip(column.tip)
            table.setHorizontalHeaderItem(n, heading)
        self.setFocusProxy(table)
        self.wrong.setAccessibleName("Findings of the program")
        self.wrong.setWordWrap(True)
        self.output.setAccessibleName("Output of the program")
        self.output.setReadOnly(True)
        self.output.setMaximumBlockCount(MOST_LINES)

    def _compose(self) -> None:
        top = QHBoxLayout()
        top.addWidget(self._heading, 1)
        for button in self._buttons.values():
            top.addWidget(button)
        left = splitter(Qt.Orientation.Vertical, self.launches, self.timeline)
        right = splitter(Qt.Orientation.Vertical, _titled("Output", self.output), self._findings)
        both = splitter(Qt.Orientation.Horizontal, left, right)
        for each in (left, right, both):
            each.setStretchFactor(0, 3)
            each.setStretchFactor(1, 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 10, 16, 10)
        column.addLayout(top)
        column.addWidget(self.about)
        column.addWidget(both, 1)

    def _connect(self) -> None:
        self._flush_timer = QTimer(self, interval=FLUSH_MS)
        self._flush_timer.timeout.connect(self.flush)
        self.launches.cellDoubleClicked.connect(lambda row, _: self.launch_wanted.emit(row))
        self.launches.itemSelectionChanged.connect(self._sync_open)
        self.timeline.launch_chosen.connect(self.launches.selectRow)
        self.wrong.itemActivated.connect(self._on_wrong)
        RestyledInSight(self, self._look, self._restyle)

    # ---- a run of the program

    def begin(self, title: str) -> None:
        """Show a program that has just been started."""
        self.result = None
        self._pending.clear()
        self._heading.setText(title)
        self.about.setText("Running …")
        self.output.clear()
        self.output.setPlaceholderText("What the program prints appears here.")
        self.launches.setRowCount(0)
        self.wrong.clear()
        self._findings.hide()
        self.timeline.hide()
        self.set_running(True)

    def show_result(self, result: ProgramResult) -> None:
        """Show a program that has ended."""
        self.result = result
        self.flush()
        self.output.setPlaceholderText("The program printed nothing.")
        self.about.setText(f"{ending(result)} {busy(result)}")
        self._fill_launches(result)
        self._fill_wrong(wrongs(result))
        self.timeline.show_result(result)
        self.timeline.show()
        self.set_running(False)

    def show_stopped(self, words: str) -> None:
        """Show that the program did not come to its end."""
        self.flush()
        self.about.setText(words)
        self.set_running(False)

    def set_running(self, running: bool) -> None:
        """Enable what can be done while a program runs, or after it."""
        if running:
            self._flush_timer.start()
        else:
            self._flush_timer.stop()
        self._buttons["stop"].setEnabled(running)
        self._buttons["again"].setEnabled(not running)
        self._buttons["export"].setEnabled(self.result is not None)
        self._sync_open()

    def _sync_open(self) -> None:
        self._buttons["open"].setEnabled(self.result is not None and self.selected is not None)

    @property
    def selected(self) -> int | None:
        """Return the selected launch, from 0; None where none is."""
        row = self.launches.currentRow()
        return row if row >= 0 else None

    def open_selected(self) -> None:
        """Ask for the selected launch to be stepped through."""
        if self.result is not None and self.selected is not None:
            self.launch_wanted.emit(self.selected)

    # ---- its parts

    def _fill_launches(self, result: ProgramResult) -> None:
        table = self.launches
        table.setRowCount(len(result.launches))
        for r, record in enumerate(result.launches):
            for c, column in enumerate(COLUMNS):
                item = table_item(column.text(record), column.numeric)
                item.setFont(self._look.font("text"))
                table.setItem(r, c, item)
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        table.horizontalHeader().setStretchLastSection(True)
        if result.launches:
            table.selectRow(0)

    def _fill_wrong(self, found: list[Wrong]) -> None:
        self.wrong.clear()
        for wrong in found:
            line = f"line {wrong.span.line}, " if wrong.span is not None else ""
            sign = "✖" if wrong.severity == "error" else "⚠"
            item = QListWidgetItem(f"{sign} {line}{wrong.text}")
            item.setData(Qt.ItemDataRole.UserRole, wrong)
            item.setToolTip("Enter or a double-click shows the place in the source")
            self.wrong.addItem(item)
        self._findings.setVisible(bool(found))

    def _on_wrong(self, item: QListWidgetItem) -> None:
        wrong = item.data(Qt.ItemDataRole.UserRole)
        if wrong.launch is not None:
            self.launch_wanted.emit(wrong.launch)
        elif wrong.span is not None:
            self.place_wanted.emit(wrong)

    def take_output(self, name: str, text: str) -> None:
        """Keep what a program prints ("out" or "err", and the text) until it is shown: for any thread. Of a program
        that prints faster than a window can show, what is oldest goes."""
        self._pending.append((name, text))

    def flush(self) -> None:
        """Show what has been printed since the last time; the error output is in the colour of errors."""
        pending = [self._pending.popleft() for _ in range(len(self._pending))]
        if not pending:
            return
        bar = self.output.verticalScrollBar()
        at_end = bar.value() == bar.maximum()
        cursor = QTextCursor(self.output.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        for name, text in pending:
            kind = QTextCharFormat()
            kind.setForeground(self._look.theme.qcolor("error" if name == "err" else "text"))
            cursor.insertText(text, kind)
        if at_end:
            bar.setValue(bar.maximum())

    def _restyle(self) -> None:
        self._heading.setFont(self._look.font("page"))
        self.launches.verticalHeader().setDefaultSectionSize(self._look.px(ROW))
        self.output.setFont(self._look.font("mono"))
        self.wrong.setFont(self._look.font("text"))
        self.timeline.restyle()
        if self.result is not None:
            selected = self.selected
            self._fill_launches(self.result)
            self.launches.selectRow(selected or 0)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.launches.hasFocus():
            self.open_selected()
        else:
            super().keyPressEvent(event)


def _titled(title: str, part: QWidget) -> QWidget:
    holder, heading = QWidget(), QLabel(title)
    bold(heading)
    column = QVBoxLayout(holder)
    column.setContentsMargins(4, 0, 0, 0)
    column.addWidget(heading)
    column.addWidget(part)
    return holder
